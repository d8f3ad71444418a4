// A model of one column of four ranges, which hold as many training rows each, and counts of rows that it scored.
import type { WatchedModel } from "../../../engine/model/model-file.ts";
import type { ScoredCounts } from "../../../engine/watch/scored-counts.ts";

/** `decisions`: of the held-out rows, "no" and "yes". */
export function fourRanges(decisions: readonly [number, number]): WatchedModel {
  return {
    columns: [{ name: "a", kind: "number", reading: { kind: "category" }, missingCount: 1 }],
    labels: ["no", "yes"],
    lineage: { rowCount: 4_000 },
    reference: [
      {
        ...{ kind: "number", range: { low: 0, high: 8 }, cutPoints: [2, 4, 6], missing: 0 },
        counts: [1_000, 1_000, 1_000, 1_000],
      },
    ],
    heldOut: { decisions, confidence: [0, 0, 0, 0, 0, 800, 0, 0, 0, 0] },
    reliability: { cutPoints: [0.7], rows: [100, 100], right: [60, 95] },
  } as unknown as WatchedModel;
}

/** `ranges`: rows in each; `yes`: rows that were decided so. */
export function rangeCounts(ranges: readonly number[], yes: number): ScoredCounts {
  const rowCount = ranges.reduce((sum, count) => sum + count);
  return {
    ...{ rowCount, countedRows: rowCount, asTrained: true },
    cells: [[0, 0, 0, ...ranges, ...new Array<number>(7).fill(0)]],
    decisions: [rowCount - yes, yes],
    confidence: { sum: rowCount * 0.55, tenths: [0, 0, 0, 0, 0, rowCount, 0, 0, 0, 0] },
    reliability: [rowCount, 0],
  };
}
