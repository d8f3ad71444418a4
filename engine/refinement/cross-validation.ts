// Cross-validation of a set of columns inside the selection rows, row by row, so that two sets can be compared in pairs.
import { codeTable } from "../buckets.ts";
import { fitBase, scoreBase } from "../families/base-algorithms.ts";
import { gatherClasses } from "../families/class-counts.ts";
import { decide } from "../judging/metrics.ts";
import { pickRows, placeRows, rowsUpTo } from "../row-lists.ts";
import { fitBucketing } from "../search/bucketing.ts";
import { judgedByFolds } from "../splits/holdout.ts";
import { OutOfTime, type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { selectFeatures, selectTableRows } from "../table.ts";
import { ForestGrower } from "../trees/forest-growth.ts";
import type { Entrant } from "./entrants.ts";
import type { RefinementTask } from "./task.ts";

/** Scores of the selection rows, each by a model that did not see it. */
export interface RowScores {
  /** Squared distance of the probabilities from the truth (Brier 1950), 0 to 2. */
  brier: Float32Array;
  /** 1 where the decision was right. */
  right: Uint8Array;
}

/** Compares one set of columns with another on the same rows, in standard errors; positive if it is worse. */
export interface Comparison {
  accuracyZ: number;
  brierZ: number;
}

/**
 * Scores forests out of bag and other models fold by fold; where rows belong together, all fold by fold. Rows that no fold
 * judges have no score.
 */
export function crossValidate(
  task: RefinementTask,
  features: readonly number[],
  entrant: Entrant,
  seed: number,
  stop: StopSignal,
): RowScores {
  const table = selectTableRows(selectFeatures(task.table, features), task.selection);
  const { classes, labels, rowCount } = table;
  const classCount = labels.length;
  const everyRow = rowsUpTo(rowCount);
  const viewOf = (rows: Uint32Array) =>
    codeTable(table, fitBucketing(table, rows, entrant.buckets, task.numberOfBuckets));
  if (entrant.settings.algorithm === "forest" && !task.hasKeys) {
    const grower = new ForestGrower(
      { view: viewOf(everyRow), rows: everyRow, classes, classCount, seed, stop },
      entrant.settings,
    );
    grower.growTo(entrant.settings.treeCount);
    return scoreRows(grower.outOfBag(), classes, classCount);
  }
  const judged = judgedByFolds(everyRow, task.folds);
  const probabilities = new Float64Array(rowCount * classCount);
  for (const { learning, judging } of task.folds) {
    throwIfCancelled(stop);
    if (stop.timeIsUp()) throw new OutOfTime();
    const view = viewOf(learning);
    const model = fitBase(entrant.settings, { view, rows: learning, classes, classCount, seed, stop });
    const scores = scoreBase(model, view, judging);
    placeRows(scores, probabilities, judging, classCount);
  }
  const ofJudged = pickRows(probabilities, judged, classCount, new Float64Array(judged.length * classCount));
  return scoreRows(ofJudged, gatherClasses(classes, judged), classCount);
}

function scoreRows(probabilities: Float64Array, classes: Uint8Array, classCount: number): RowScores {
  const brier = new Float32Array(classes.length);
  const right = new Uint8Array(classes.length);
  const decisions = decide(probabilities, classCount);
  for (let i = 0; i < classes.length; i++) {
    const actual = classes[i]!;
    let sum = 0;
    for (let k = 0; k < classCount; k++) {
      const distance = probabilities[i * classCount + k]! - (k === actual ? 1 : 0);
      sum += distance * distance;
    }
    brier[i] = sum;
    right[i] = decisions[i] === actual ? 1 : 0;
  }
  return { brier, right };
}

/** The scores with the lowest mean Brier score, the first of equals: those of the best-suited family. */
export function bestOf(scores: readonly RowScores[]): RowScores {
  const means = scores.map(({ brier }) => brier.reduce((sum, value) => sum + value, 0));
  return scores[means.indexOf(Math.min(...means))]!;
}

export function accuracyOf({ right }: RowScores): number {
  return right.reduce((sum, value) => sum + value, 0) / right.length;
}

/** Compares `candidate` with `reference` row by row. */
export function compareScores(reference: RowScores, candidate: RowScores): Comparison {
  return {
    accuracyZ: compareRight(reference.right, candidate.right),
    brierZ: pairedZ(reference.brier.length, (i) => candidate.brier[i]! - reference.brier[i]!),
  };
}

/** How many standard errors fewer right decisions the candidate makes on the same rows. */
export function compareRight(reference: Uint8Array, candidate: Uint8Array): number {
  return pairedZ(reference.length, (i) => reference[i]! - candidate[i]!);
}

/** Mean of the differences over its standard error; 0 where they do not vary. */
function pairedZ(count: number, difference: (i: number) => number): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const value = difference(i);
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const variance = (squares - sum * mean) / Math.max(1, count - 1);
  return variance > 0 ? mean / Math.sqrt(variance / count) : 0;
}
