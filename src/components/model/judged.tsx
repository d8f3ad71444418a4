// An accuracy in a list, with the verdict on it: the word leads to the doubts,
// and the worst doubt's remedy stands beside it.
import type { VerdictRecord } from "../../../data/database/records.ts";
import { type Aim, settingsFields } from "../../browser/forms/aim.ts";
import { type Related, relatedFields, relatedOf, remedied } from "../../browser/forms/related.ts";
import { linkTo, type QueryFields } from "../../browser/router.ts";
import { formatPercent } from "../../common/format.ts";
import { type Remedy, remediesOf } from "../../verdict/remedies.ts";
import { verdictWord } from "../../words/verdict-words.ts";
import { Undefined } from "../words.tsx";

/** A training, for links to another one that starts from its settings. */
export interface TrainAgain {
  /** The keys that it was given. */
  related: Related;
  /** The dataset to train on again; null where there is none any more. */
  datasetKey: string | null;
  /** Its other settings, as fields of an address. */
  settings: QueryFields;
}

/** The form of a new training on the dataset, filled in with a remedy. `settings`: others of the training before. */
export function remedyLink({ changes }: Remedy, told: Related, datasetKey: string, settings: QueryFields): string {
  if (changes === null) return linkTo("/");
  return linkTo(`/datasets/${datasetKey}/train`, {
    ...relatedFields(remedied(told, changes)),
    ...settings,
  });
}

interface JudgedProps {
  accuracy: number | null;
  verdict: VerdictRecord | null;
  /** The page that says all about the verdict. */
  href: string;
  /** The dataset that it was trained on, and the training's settings. */
  trained: Related & Aim & { datasetKey: string; scalingFactor: number };
  /** Rows or labels that came later speak against the model: no word praises it. */
  isAlarming?: boolean;
}

export function Judged({ accuracy, verdict, href, trained, isAlarming = false }: JudgedProps) {
  if (accuracy === null) return <Undefined reason="No model was kept" />;
  if (verdict === null) return <>{formatPercent(accuracy)}</>;
  const { word, tone } = verdictWord(verdict);
  if (isAlarming && tone === "done") return <>{formatPercent(accuracy)}</>;
  const remedy = verdict.doubts.flatMap(remediesOf)[0];
  return (
    <span class="judged">
      <span>
        {formatPercent(accuracy)}{" "}
        <a class={`chip ${tone}`} href={href}>
          {word}
        </a>
      </span>
      {remedy !== undefined && (
        <a class="remedy" href={remedyLink(remedy, relatedOf(trained), trained.datasetKey, settingsFields(trained))}>
          {remedy.words}
        </a>
      )}
    </span>
  );
}
