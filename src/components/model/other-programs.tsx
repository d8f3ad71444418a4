// A model in other programs: the commands that write a downloaded file in each form.
import type { ModelDetails } from "../../api/models/model-details.ts";
import { exportCommand, OTHER_FORMS, refusalOf } from "../../words/other-forms.ts";
import { Section } from "../page.tsx";

interface OtherProgramsProps {
  /** As the model file is saved. */
  fileName: string;
  /** Empty where the server no longer knows them: the export itself then refuses what it cannot hold. */
  columns: ModelDetails["columns"];
}

export function OtherPrograms({ fileName, columns }: OtherProgramsProps) {
  const isOnnx = refusalOf("onnx", columns) === null;
  return (
    <Section title="In other programs">
      <p class="note">
        {isOnnx && "Each version can be downloaded as ONNX. "}Of a version’s model file, <code>cupel export</code> makes
        other forms on any machine, and rows with answers to check them by:
      </p>
      <dl class="commands">
        {Object.entries(OTHER_FORMS)
          .filter(([form]) => refusalOf(form, columns) === null)
          .map(([form, { about }]) => (
            <Entry key={form} code={exportCommand(fileName, form)} about={about} />
          ))}
        {["onnx", ...Object.keys(OTHER_FORMS)].map((form) => {
          const refusal = refusalOf(form, columns);
          return (
            refusal !== null && <Entry key={form} code={`--to ${form}`} about={`Not for this model: ${refusal}`} />
          );
        })}
      </dl>
    </Section>
  );
}

function Entry({ code, about }: { code: string; about: string }) {
  return (
    <div>
      <dt>
        <code>{code}</code>
      </dt>
      <dd>{about}</dd>
    </div>
  );
}
