// One model on one set of columns, fitted on the learning rows and judged on rows that it never saw.
import { fitBase, scoreBase } from "../families/base-algorithms.ts";
import type { FitInput } from "../fitting/family.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { type ClassMetrics, classMetrics, confusionMatrix, judge } from "../judging/metrics.ts";
import { fitInputOf } from "../search/fold-fits.ts";
import type { StopSignal } from "../stop-signal.ts";
import { labelledRows, selectFeatures } from "../table/table.ts";
import type { Forest } from "../trees/forest.ts";
import { growTrees, joinForests, type TreeRange, treeRanges } from "../trees/forest-ranges.ts";
import type { Entrant, EntrantFit } from "./entrants.ts";
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

/** The parts of the entrant's fit that threads make side by side: none but those of a forest. */
export function blindParts(task: RefinementTask, { settings }: Entrant): TreeRange[] {
  if (settings.algorithm !== "forest") return [];
  return treeRanges(settings.treeCount, learningRows(task).length, task.table.labels.length);
}

/** Grows some trees of an entrant that is a forest. Throws `Cancelled`. */
export function growBlindPart(task: RefinementTask, fit: EntrantFit, part: TreeRange, stop: StopSignal): Forest {
  const { settings } = fit.entrant;
  if (settings.algorithm !== "forest") throw new Error("only forests are cut by trees");
  return growTrees(openFit(task, fit, stop), settings, part);
}

/**
 * Judges the entrant on the test and the reserve. The class metrics are those of D39. `grownParts`: all parts of
 * its forest; without any, the entrant is fitted here.
 */
export function scoreBlind(
  task: RefinementTask,
  fit: EntrantFit,
  stop: StopSignal,
  grownParts: readonly Forest[] = [],
): BlindScore {
  const input = openFit(task, fit, stop);
  const model = grownParts.length > 0 ? joinForests(grownParts) : fitBase(fit.entrant.settings, input);
  const judged = (rows: Uint32Array) => judge(scoreBase(model, input.view, rows), { ...input, rows });
  const { test: rows } = task;
  const { falseDecisions, decisions, rowCount } = judged(rows);
  const metrics = classMetrics(confusionMatrix(decisions, { ...input, rows }), task.positiveClass);
  const right = Uint8Array.from(rows, (row, i) => (decisions[i] === input.classes[row] ? 1 : 0));
  const reserve = task.reserve.length > 0 ? judged(task.reserve) : null;
  const reserved = reserve && { rowCount: reserve.rowCount, falseDecisions: reserve.falseDecisions };
  return { rowCount, falseDecisions, right, reserve: reserved, ...metrics };
}

function learningRows({ table, learning, seed }: RefinementTask): Uint32Array {
  return sampleRows(labelledRows(table, learning), MOST_LEARNING_ROWS, seed);
}

function openFit(task: RefinementTask, { features, entrant, seed }: EntrantFit, stop: StopSignal): FitInput {
  const chosen = { table: selectFeatures(task.table, features), numberOfBuckets: task.numberOfBuckets };
  return fitInputOf(chosen, { buckets: entrant.buckets, seed }, learningRows(task), stop);
}
