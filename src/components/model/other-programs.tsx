// A model in other programs: the commands that write a downloaded file in each form.
import { OTHER_FORMS } from "../../words/other-forms.ts";
import { Section } from "../page.tsx";

/** `fileName`: as the model file is saved. */
export function OtherPrograms({ fileName }: { fileName: string }) {
  return (
    <Section title="In other programs">
      <p class="note">
        Each version can be downloaded as ONNX. Of its model file, <code>cupel export</code> makes other forms on any
        machine, and rows with answers to check them by:
      </p>
      <dl class="commands">
        {Object.entries(OTHER_FORMS).map(([form, about]) => (
          <div key={form}>
            <dt>
              <code>
                cupel export {fileName} --to {form}
              </code>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
