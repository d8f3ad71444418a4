// Figures derived from a summary: worst confusions, calibration, differences in points.
import { type CalibrationBin, type Estimate, expectedCalibrationError } from "../../engine/judging/metrics.ts";
import { sumOf } from "../../engine/sums.ts";
import { html, type Markup, name } from "../common/markup.ts";
import type { RunSummary, VersionSummary } from "../summary/summary.ts";

/** Rows of class `actual` that were decided as `decided`. */
export interface Confusion {
  actual: number;
  decided: number;
  count: number;
  /** Share of the rows of the actual class. */
  share: number;
}

/** The wrong decisions by kind, most frequent first. */
export function worstConfusions(confusion: readonly (readonly number[])[]): Confusion[] {
  const kinds = confusion.flatMap((row, actual) => {
    const rowTotal = sumOf(row);
    return row.flatMap((count, decided) =>
      count === 0 || decided === actual ? [] : [{ actual, decided, count, share: count / rowTotal }],
    );
  });
  return kinds.sort((a, b) => b.count - a.count || b.share - a.share);
}

/**
 * Mean distance between confidence and accuracy, weighted by bin; `lean` is
 * positive for a model too sure. Null without bins.
 */
export function calibrationGap(bins: readonly CalibrationBin[]): { gap: number; lean: number } | null {
  const total = sumOf(bins.map((bin) => bin.count));
  if (total === 0) return null;
  const weigh = (each: (bin: CalibrationBin) => number) => sumOf(bins.map((bin) => bin.count * each(bin))) / total;
  return {
    gap: expectedCalibrationError(bins)!,
    lean: weigh((bin) => bin.confidence - bin.accuracy),
  };
}

/** The version that predictions run against; null where the run kept none. */
export function championOf(summary: RunSummary): VersionSummary | null {
  return summary.versions.find((version) => version.champion) ?? summary.versions[0] ?? null;
}

/** Says whether an accuracy is clearly above that of always giving the most frequent answer. */
export function betterThanGuessing(estimate: Estimate | null, majority: { label: string; accuracy: number }): Markup {
  const always = html`always answering <em>${name(majority.label, 32)}</em>`;
  return estimate !== null && estimate.low > majority.accuracy
    ? html`<p class="good">Clearly better than ${always}.</p>`
    : html`<p class="poor">Not clearly better than ${always}: do not rely on it yet.</p>`;
}
