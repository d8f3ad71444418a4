// The accuracy of a champion on one axis: held-out rows and re-splits, beside the majority baseline and the target.
import { type AccuracyInterval, type AccuracyScale, accuracyScale } from "../charts/accuracy-scale.ts";
import { plainName } from "../charts/markup.ts";
import type { Picture } from "../charts/pictures.ts";
import { formatPercent } from "../format.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";
import { holdoutEstimate } from "./measures.ts";

interface Compared extends Pick<RunSummary, "targetPerformance"> {
  baseline: { label: string; accuracy: number };
  holdout: { rows: number };
}

/** Draws the scale for a page `width` pixels wide. */
export function answerScale(
  { baseline, holdout, targetPerformance: target }: Compared,
  champion: Pick<VersionSummary, "falseDecisions" | "confirmedPerformance">,
  width: number,
): Picture {
  const held = holdoutEstimate(champion, holdout.rows);
  const confirmed = champion.confirmedPerformance;
  const intervals: AccuracyInterval[] = [
    ...(held === null ? [] : [{ label: "held-out rows", look: "held" as const, estimate: held }]),
    ...(confirmed === null
      ? []
      : [{ label: "two further re-splits", look: "confirmed" as const, estimate: confirmed }]),
  ];
  const always = `always ${plainName(baseline.label, 18)} ${formatPercent(baseline.accuracy)}`;
  const rules: AccuracyScale["rules"][number][] = [{ label: always, look: "majority", value: baseline.accuracy }];
  if (target !== null) rules.push({ label: `target ${formatPercent(target)}`, look: "target", value: target });
  return accuracyScale({ title: "Accuracy beside the majority baseline", intervals, rules }, width);
}
