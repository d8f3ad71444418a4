// The verdict on a training, each doubt with links to a training that settles it.
import type { Related } from "../../browser/forms/related.ts";
import type { QueryFields } from "../../browser/router.ts";
import { html, type Markup } from "../../charts/markup.ts";
import { doubtList, verdictChip } from "../../report/doubts.ts";
import { remediesOf } from "../../verdict/remedies.ts";
import { expectedOn, type ShownDoubt, type ShownVerdict } from "../../verdict/verdict.ts";
import { Drawing } from "../drawing.tsx";
import { Section } from "../page.tsx";
import { remedyLink } from "./judged.tsx";

interface TrustProps {
  verdict: ShownVerdict;
  /** The keys that the training was given. */
  related: Related;
  /** The dataset to train on again; null where there is none any more. */
  datasetKey: string | null;
  /** The other settings of the training, as fields of an address. */
  settings: QueryFields;
}

export function Trust({ verdict, related, datasetKey, settings }: TrustProps) {
  const expected = expectedOn(verdict);
  return (
    <Section title="Can I trust it?">
      <div class="verdict-box">
        <Drawing
          markup={html`<p>${verdictChip(verdict)}</p>${doubtList(verdict, (doubt) => remedyButtons(doubt, related, datasetKey, settings))}`}
        />
        {expected !== null && <p class="note">Expect the confirmed accuracy {expected}.</p>}
      </div>
    </Section>
  );
}

/** Each leads to the form of a new training, filled in. Null where no setting helps, or the dataset is gone. */
export function remedyButtons(
  doubt: ShownDoubt,
  related: Related,
  datasetKey: string | null,
  settings: QueryFields,
): Markup | null {
  const remedies = remediesOf(doubt);
  if (remedies.length === 0 || datasetKey === null) return null;
  const links = remedies.map(
    (remedy) =>
      html`<a class="button small" href="${remedyLink(remedy, related, datasetKey, settings)}">${remedy.words}</a>`,
  );
  return html`<p class="actions">${links}</p>`;
}
