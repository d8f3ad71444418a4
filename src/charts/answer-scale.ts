// The accuracy scale of the first screen: majority baseline, target, holdout and confirmed accuracy on one axis.
import type { Estimate } from "../../engine/judging/metrics.ts";
import { formatPercent } from "../format.ts";
import { holdoutEstimate } from "../report/measures.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";
import type { AccuracyInterval } from "./accuracy-scale.ts";
import { accuracyScale } from "./accuracy-scale.ts";
import { plainName } from "./markup.ts";
import type { Picture } from "./pictures.ts";

/** Draws the scale for a page `width` pixels wide. */
export function answerScale(summary: RunSummary, champion: VersionSummary, width: number): Picture {
  const { baseline, targetPerformance: target } = summary;
  const rows: [string, AccuracyInterval["look"], Estimate | null][] = [
    ["held-out rows", "held", holdoutEstimate(champion, summary.holdout.rows)],
    ["two further re-splits", "confirmed", champion.confirmedPerformance],
  ];
  const always = `always ${plainName(baseline.label, 18)} ${formatPercent(baseline.accuracy)}`;
  return accuracyScale(
    {
      title: "Accuracy beside the majority baseline",
      intervals: rows.flatMap(([label, look, estimate]) => (estimate === null ? [] : [{ label, look, estimate }])),
      rules: [
        { label: always, look: "majority", value: baseline.accuracy },
        ...(target === null
          ? []
          : [{ label: `target ${formatPercent(target)}`, look: "target" as const, value: target }]),
      ],
    },
    width,
  );
}
