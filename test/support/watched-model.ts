// A model of an earlier version, with a confirmed accuracy, counts of training rows and a reliability map added as a
// newer one has them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Estimate } from "../../engine/judging/metrics.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";

export function confirmedPenguins(confirmed: Estimate | null): ModelFile {
  const path = join(import.meta.dir, "../fixtures/models/penguins-random-forest.cupel");
  const earlier = unpackModel(new Uint8Array(readFileSync(path)));
  const performance = { ...earlier.lineage.performance, confirmedPerformance: confirmed };
  return { ...earlier, lineage: { ...earlier.lineage, performance } };
}

export function watchedPenguins(confirmed: Estimate | null = { mean: 0.89, low: 0.86, high: 0.92 }): ModelFile {
  const earlier = confirmedPenguins(confirmed);
  return {
    ...earlier,
    reference: earlier.columns.map(({ reading }) =>
      reading.kind === "number"
        ? { kind: "number", range: { low: 14, high: 5_000 }, cutPoints: [40, 200], counts: [90, 90, 90], missing: 10 }
        : { kind: "category", frequent: [1], counts: [90, 180], unseen: 0, missing: 10 },
    ),
    heldOut: { decisions: [30, 20, 30], confidence: [0, 0, 0, 0, 10, 10, 20, 20, 10, 10] },
    reliability: { cutPoints: [0.6123, 0.9123], rows: [100, 100, 100], right: [50, 70, 100] },
  };
}

/** Counts of 280 rows as the training rows, or whose numbers all lie in the first range. */
export function penguinCounts(isShifted = false): ScoredCounts {
  const cell = (own: readonly number[]) => [...own, ...new Array<number>(14 - own.length).fill(0)];
  return {
    ...{ rowCount: 280, countedRows: 280, asTrained: true, decisions: [105, 70, 105], reliability: [0, 280, 0] },
    cells: watchedPenguins().columns.map(({ reading }) =>
      cell(reading.kind === "category" ? [10, 0, 90, 180] : isShifted ? [280] : [10, 0, 0, 90, 90, 90]),
    ),
    confidence: { sum: 210, tenths: [0, 0, 0, 0, 35, 35, 70, 70, 35, 35] },
  };
}
