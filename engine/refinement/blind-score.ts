// One model on one set of columns, fitted on the learning rows and judged on rows that it never saw.
import { codeTable } from "../buckets.ts";
import { fitBase, scoreBase } from "../families/base-algorithms.ts";
import { sampleRows } from "../families/row-sample.ts";
import { type ClassMetrics, classMetrics, confusionMatrix, judge } from "../judging/metrics.ts";
import { fitBucketing } from "../search/bucketing.ts";
import type { StopSignal } from "../stop-signal.ts";
import { selectFeatures } from "../table.ts";
import type { Entrant } from "./entrants.ts";
import type { RefinementTask } from "./task.ts";

/** Larger tables are sampled: fits on more rows would take most of a refinement's time (D135). */
const MOST_LEARNING_ROWS = 160_000;

export interface BlindScore extends ClassMetrics {
  rowCount: number;
  falseDecisions: number;
  /** 1 where the decision was right, row by row. */
  right: Uint8Array;
  /** The model's score on the reserve, which no decision looks at; null without one. */
  reserve: Pick<BlindScore, "rowCount" | "falseDecisions"> | null;
}

/** Fits `entrant` on the features of the task's table and judges the test and the reserve. The class metrics are those of D39. */
export function scoreBlind(
  task: RefinementTask,
  features: readonly number[],
  entrant: Entrant,
  seed: number,
  stop: StopSignal,
): BlindScore {
  const table = selectFeatures(task.table, features);
  const { classes, labels } = table;
  const classCount = labels.length;
  const learning = sampleRows({ rows: task.learning, classes, classCount }, MOST_LEARNING_ROWS, task.seed);
  const view = codeTable(table, fitBucketing(table, learning, entrant.buckets, task.numberOfBuckets));
  const model = fitBase(entrant.settings, { view, rows: learning, classes, classCount, seed, stop });
  const judged = (rows: Uint32Array) => judge(scoreBase(model, view, rows), rows, classes, classCount);
  const { test: rows } = task;
  const { falseDecisions, decisions, rowCount } = judged(rows);
  const metrics = classMetrics(confusionMatrix(decisions, rows, classes, classCount), task.positiveClass);
  const right = Uint8Array.from(rows, (row, i) => (decisions[i] === classes[row] ? 1 : 0));
  const reserve = task.reserve.length > 0 ? judged(task.reserve) : null;
  const reserved = reserve && { rowCount: reserve.rowCount, falseDecisions: reserve.falseDecisions };
  return { rowCount, falseDecisions, right, reserve: reserved, ...metrics };
}
