// The accuracy of a champion on one axis: held-out rows and re-splits, beside the majority baseline and the target.
import { type AccuracyInterval, type AccuracyScale, accuracyScale, majorityRule } from "../charts/accuracy-scale.ts";
import type { Picture } from "../charts/pictures.ts";
import { formatPercent } from "../format.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";
import { confirmedWords, heldOutWords, type JudgedBy } from "../verdict/verdict.ts";

interface Compared extends Pick<RunSummary, "targetPerformance"> {
  baseline: { label: string; accuracy: number };
  judgedBy: JudgedBy;
}

export function answerScale(
  { baseline, judgedBy, targetPerformance: target }: Compared,
  champion: Pick<VersionSummary, "heldOutPerformance" | "confirmedPerformance">,
  width: number,
): Picture {
  const { heldOutPerformance: held, confirmedPerformance: confirmed } = champion;
  const intervals: AccuracyInterval[] = [{ label: heldOutWords(judgedBy), look: "held", estimate: held }];
  if (confirmed !== null) intervals.push({ label: confirmedWords(judgedBy), look: "confirmed", estimate: confirmed });
  const rules: AccuracyScale["rules"][number][] = [majorityRule(baseline)];
  if (target !== null) rules.push({ label: `target ${formatPercent(target)}`, look: "target", value: target });
  return accuracyScale({ title: "Accuracy beside the majority baseline", intervals, rules }, width);
}
