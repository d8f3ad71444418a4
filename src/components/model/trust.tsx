// The verdict on a training, each doubt with links to a training that settles it.
import type { DoubtRecord, VerdictRecord } from "../../../data/database/records.ts";
import { html, type Markup } from "../../common/markup.ts";
import { doubtList, verdictChip } from "../../report/shown-verdict.ts";
import { remediesOf } from "../../verdict/remedies.ts";
import { expectedOn } from "../../words/verdict-words.ts";
import { Drawing } from "../drawing.tsx";
import { Section } from "../page.tsx";
import { remedyLink, type TrainAgain } from "./judged.tsx";

interface TrustProps extends TrainAgain {
  verdict: VerdictRecord;
  /** Rows or labels that came later speak against the model. */
  isAlarming?: boolean;
}

export function Trust({ verdict, isAlarming = false, ...again }: TrustProps) {
  const expected = isAlarming ? null : expectedOn(verdict);
  return (
    <Section title="Can I trust it?">
      <div class="verdict-box">
        <Drawing
          markup={html`<p>${verdictChip(verdict, isAlarming)}</p>${doubtList(verdict, (doubt) => remedyButtons(doubt, again))}`}
        />
        {expected !== null && <p class="note">Expect the confirmed accuracy {expected}.</p>}
      </div>
    </Section>
  );
}

/** Each leads to the form of a new training, filled in. Null where no setting helps, or the dataset is gone. */
export function remedyButtons(doubt: DoubtRecord, { related, datasetKey, settings }: TrainAgain): Markup | null {
  const remedies = remediesOf(doubt);
  if (remedies.length === 0 || datasetKey === null) return null;
  const links = remedies.map(
    (remedy) =>
      html`<a class="button small" href="${remedyLink(remedy, related, datasetKey, settings)}">${remedy.words}</a>`,
  );
  return html`<p class="actions">${links}</p>`;
}
