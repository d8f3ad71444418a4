// One model on one set of columns, fitted on the learning rows and judged on rows that it never saw.
import { codeTable } from "../buckets.ts";
import { fitBase, scoreBase } from "../families/base-algorithms.ts";
import { type ClassMetrics, classMetrics, confusionMatrix, judge } from "../judging/metrics.ts";
import { fitBucketing } from "../search/qualify.ts";
import type { StopSignal } from "../stop-signal.ts";
import { selectFeatures } from "../table.ts";
import type { RefinementArena } from "./arena.ts";
import type { Entrant } from "./entrants.ts";

export interface BlindScore extends ClassMetrics {
  rowCount: number;
  falseDecisions: number;
  /** 1 where the decision was right, row by row. */
  right: Uint8Array;
}

/** Fits `entrant` on the features of the arena's table and judges the rows of `judgedBy`. The class metrics are those of D39. */
export function scoreBlind(
  arena: RefinementArena,
  features: readonly number[],
  entrant: Entrant,
  judgedBy: "test" | "reserve",
  seed: number,
  stop: StopSignal,
): BlindScore {
  const table = selectFeatures(arena.table, features);
  const { classes, labels } = table;
  const classCount = labels.length;
  const view = codeTable(table, fitBucketing(table, arena.learning, entrant.buckets, arena.numberOfBuckets));
  const model = fitBase(entrant.settings, { view, rows: arena.learning, classes, classCount, seed, stop });
  const rows = arena[judgedBy];
  const { falseDecisions, decisions, rowCount } = judge(scoreBase(model, view, rows), rows, classes, classCount);
  const metrics = classMetrics(confusionMatrix(decisions, rows, classes, classCount), arena.positiveClass);
  const right = Uint8Array.from(rows, (row, i) => (decisions[i] === classes[row] ? 1 : 0));
  return { rowCount, falseDecisions, right, ...metrics };
}
