// Cross-validation of a set of columns inside the selection rows, row by
// row, so that two sets can be compared in pairs.
import { fitBase, scoreBase } from "../families/base-algorithms.ts";
import { gatherClasses } from "../fitting/class-counts.ts";
import { brierScores, decide } from "../judging/metrics.ts";
import { pickRows, placeRows, rowsUpTo } from "../row-lists.ts";
import { fitInputOf } from "../search/fold-fits.ts";
import { judgedByFolds } from "../splits/holdout.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { meanOf, sumOf } from "../sums.ts";
import { type LabelledRows, selectFeatures, selectTableRows } from "../table/table.ts";
import type { Votes } from "../trees/forest-growth.ts";
import { growRange, joinVotes, type TreeRange, treeRanges } from "../trees/forest-ranges.ts";
import type { Entrant, EntrantFit } from "./entrants.ts";
import type { RefinementTask } from "./task.ts";

/** Scores of the selection rows, each by a model that did not see it. */
export interface RowScores {
  /** See `brierScores`. */
  brier: Float32Array;
  /** 1 where the decision was right. */
  right: Uint8Array;
}

/** Compares one set of columns with another on the same rows, in standard errors; positive if it is worse. */
export interface Comparison {
  accuracyZ: number;
  brierZ: number;
}

/** A part of a cross-validation that a thread makes: trees of a forest that is scored out of bag, or a fold. */
export type ValidationPart = TreeRange | { fold: number };

/** The votes of the trees, or the fold's class probabilities. */
export type ValidatedPart = { votes: Votes } | { scores: Float64Array };

/**
 * The parts of an entrant: forests are scored out of bag, others fold by
 * fold; where rows belong together, all fold by fold.
 */
export function validationParts(task: RefinementTask, { settings }: Entrant): ValidationPart[] {
  const { folds, table, selection, hasKeys } = task;
  if (settings.algorithm !== "forest" || hasKeys) return folds.map((_, fold) => ({ fold }));
  return treeRanges(settings.treeCount, selection.length, table.labels.length);
}

/** @throws Cancelled, or OutOfTime for a fold that has not begun */
export function validatePart(
  task: RefinementTask,
  { features, entrant, seed }: EntrantFit,
  part: ValidationPart,
  stop: StopSignal,
): ValidatedPart {
  const { settings, buckets } = entrant;
  const table = selectTableRows(selectFeatures(task.table, features), task.selection);
  const reduced = { table, numberOfBuckets: task.numberOfBuckets };
  const inputOf = (rows: Uint32Array) => fitInputOf(reduced, { buckets, seed }, rows, stop);
  if ("firstTree" in part) {
    if (settings.algorithm !== "forest") throw new Error("only forests are cut by trees");
    return { votes: growRange(inputOf(rowsUpTo(table.rowCount)), settings, part, 1).votes };
  }
  throwIfStopped(stop);
  const { learning, judging } = task.folds[part.fold]!;
  const input = inputOf(learning);
  return { scores: scoreBase(fitBase(settings, input), input.view, judging) };
}

/** Scores of the selection rows that some fold judges. `validatedParts`: all parts; without any, they are made here. */
export function crossValidate(
  task: RefinementTask,
  fit: EntrantFit,
  stop: StopSignal,
  validatedParts: readonly ValidatedPart[] = [],
): RowScores {
  const makeAll = () => validationParts(task, fit.entrant).map((part) => validatePart(task, fit, part, stop));
  const parts = validatedParts.length > 0 ? validatedParts : makeAll();
  const { selection, folds } = task;
  const classes = gatherClasses(task.table.classes, selection);
  const classCount = task.table.labels.length;
  const selected = { rows: rowsUpTo(selection.length), classes, classCount };
  const votes = parts.filter((part) => "votes" in part);
  if (votes.length > 0) return scoreRows(joinVotes(selected, votes), selected);
  const judged = judgedByFolds(selected.rows, folds);
  const probabilities = new Float64Array(selection.length * classCount);
  const scores = parts.filter((part) => "scores" in part);
  for (const [fold, { judging }] of folds.entries()) {
    placeRows(scores[fold]!.scores, probabilities, judging, classCount);
  }
  const ofJudged = pickRows(probabilities, judged, classCount, new Float64Array(judged.length * classCount));
  return scoreRows(ofJudged, { ...selected, rows: judged });
}

function scoreRows(probabilities: Float64Array, labelled: LabelledRows): RowScores {
  const { rows, classes, classCount } = labelled;
  const decisions = decide(probabilities, classCount);
  const right = decisions.map((decided, i) => (decided === classes[rows[i]!] ? 1 : 0));
  return { brier: new Float32Array(brierScores(probabilities, labelled)), right };
}

/** The scores with the lowest mean Brier score, the first of equals: those of the best-suited family. */
export function bestOf(scores: readonly RowScores[]): RowScores {
  const means = scores.map(({ brier }) => sumOf(brier));
  return scores[means.indexOf(Math.min(...means))]!;
}

export function accuracyOf({ right }: RowScores): number {
  return meanOf(right);
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
