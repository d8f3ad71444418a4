// An accuracy in a list, with the verdict on it: the word leads to the doubts, and the worst doubt's remedy stands beside it.
import { type Related, relatedFields, relatedOf, remedied } from "../browser/related.ts";
import { linkTo } from "../browser/router.ts";
import { formatPercent } from "../format.ts";
import { type Remedy, remediesOf } from "../verdict/remedies.ts";
import { type ShownVerdict, verdictWord } from "../verdict/verdict.ts";
import { Undefined } from "./words.tsx";

/** The form of a new training on the dataset, filled in with a remedy. `width`: the scaling factor of the training before. */
export function remedyLink({ changes }: Remedy, told: Related, datasetKey: string, width: number | undefined): string {
  if (changes === null) return linkTo("/");
  return linkTo(`/datasets/${datasetKey}/train`, {
    ...relatedFields(remedied(told, changes)),
    ...(width !== undefined && { width: String(width) }),
  });
}

interface JudgedProps {
  accuracy: number | null;
  verdict: ShownVerdict | null;
  /** The page that says all about the verdict. */
  href: string;
  /** What it was trained on, and what the training was told. */
  trained: Related & { datasetKey: string; scalingFactor: number };
}

export function Judged({ accuracy, verdict, href, trained }: JudgedProps) {
  if (accuracy === null) return <Undefined reason="No model was kept" />;
  if (verdict === null) return <>{formatPercent(accuracy)}</>;
  const { word, tone } = verdictWord(verdict);
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
        <a class="remedy" href={remedyLink(remedy, relatedOf(trained), trained.datasetKey, trained.scalingFactor)}>
          {remedy.words}
        </a>
      )}
    </span>
  );
}
