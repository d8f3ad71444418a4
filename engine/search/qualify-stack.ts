// The stacked attempt: weights for what the other attempts said of rows they
// had not learned from, judged as any attempt is.

import { type CodedView, codeTable, fitBuckets, mergeBuckets, selectRows } from "../buckets.ts";
import { concatenate } from "../concatenate.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import { gatherClasses } from "../families/class-counts.ts";
import type { ScoreTables } from "../families/score-tables.ts";
import { isBeyondChance, judge, lossesOf } from "../judging/metrics.ts";
import { LogisticProblem } from "../logistic/logistic-regression.ts";
import { evenlySpaced, pickRows, placeRows, placesOf, rowsUpTo } from "../row-lists.ts";
import { SMALL_ROWS } from "../splits/holdout.ts";
import { addMains } from "../stacking/stack-model.ts";
import { type StackInput, selectStackRows } from "../stacking/stack-solver.ts";
import { applyStacking, centredLogOdds, chooseBases, fitStacking, type Stacking } from "../stacking/stacking.ts";
import { type StopSignal, throwIfCancelled, throwIfOutOfTime } from "../stop-signal.ts";
import type { Table } from "../table.ts";
import type { AttemptSpec } from "./attempts.ts";
import { foldsOf, partsWithWeights, rowsOfFit, type StackRows } from "./stack-rows.ts";
import type { Qualification, TrainingTask } from "./training-task.ts";

/**
 * Cells (rows × classes) of out-of-fold probabilities that are kept of each attempt at most: weights need no more rows.
 */
export const MOST_OUT_OF_FOLD_CELLS = 2_000_000;
/** Cells of training probabilities that are kept of each attempt at most: they serve one accuracy. */
export const MOST_TRAINING_CELLS = 200_000;
/** Cells of holdout probabilities beyond which a run has no stack: each attempt's would be kept. */
export const MOST_HOLDOUT_CELLS = 8_000_000;
const MAIN_BUCKETS = 20;
const MAIN_L2 = 30;
const MAIN_ITERATIONS = 100;

/** Another attempt, as a stack sees it. */
export interface StackBase {
  attempt: number;
  buckets: AttemptSpec["buckets"];
  settings: BaseSettings;
  seed: number;
  votes: Votes;
}

/** Class probabilities that an attempt gave to rows. */
export interface Votes {
  /** For the learning rows at `stackPositions`, each by a model that had not seen it. */
  outOfFold: Float32Array;
  /** For those among them that `trainingIndexes` names, by the model that learned from them. */
  training: Float32Array;
  /** For the holdout. */
  holdout: Float32Array;
}

/**
 * Tables of the features on top of a stack: as fitted without the holdout, and with it. Buckets are those of all rows.
 */
export interface MainEffects {
  found: ScoreTables;
  final: ScoreTables;
}

/**
 * Positions among the judged rows whose out-of-fold probabilities attempts
 * keep; null where the table is too large for stacks.
 */
export function stackPositions({ table, split, judgedRows }: TrainingTask): Uint32Array | null {
  const classCount = table.labels.length;
  if (split.judging.length * classCount > MOST_HOLDOUT_CELLS) return null;
  return evenlySpaced(judgedRows.length, MOST_OUT_OF_FOLD_CELLS / classCount);
}

/** The kept learning rows that a stack's training accuracy is measured on: all, or evenly spaced ones. */
function trainingIndexes(keptCount: number, classCount: number): Uint32Array {
  return evenlySpaced(keptCount, MOST_TRAINING_CELLS / classCount);
}

/** Keeps what a stack will need of an attempt, in memory that threads share. */
export function keepVotes(
  task: TrainingTask,
  found: Pick<Qualification, "outOfFoldProbabilities" | "trainingProbabilities" | "holdoutProbabilities">,
): Votes | null {
  const positions = stackPositions(task);
  if (positions === null) return null;
  const classCount = task.table.labels.length;
  const learned = placesOf(task.split.learning);
  const trained = trainingIndexes(positions.length, classCount).map(
    (index) => learned[task.judgedRows[positions[index]!]!]!,
  );
  const shared = (cells: Float64Array, rows: Uint32Array) =>
    pickRows(cells, rows, classCount, new Float32Array(new SharedArrayBuffer(4 * rows.length * classCount)));
  return {
    outOfFold: shared(found.outOfFoldProbabilities, positions),
    training: shared(found.trainingProbabilities, trained),
    holdout: shared(found.holdoutProbabilities, rowsUpTo(task.split.judging.length)),
  };
}

/**
 * Fits the weights on the bases' out-of-fold log-odds and scores the holdout by the bases' own answers: no base is
 * fitted again. Out of fold, a stack is judged by weights that the fold had no part in; on the rows that it learned
 * from by what the bases say of rows they learned from, as any other attempt is (D86). With `mains`, tables of the
 * features come on top. The settings that are found leave out bases without weight, and hold a second set of weights
 * for the refit, which knows the holdout as well.
 *
 * @throws Cancelled, or OutOfTime where time was up before the weights were found
 */
export function qualifyStack(
  task: TrainingTask,
  bases: readonly StackBase[],
  withMains: boolean,
  stop: StopSignal,
  parts: StackParts | null = null,
): Qualification & { mains: MainEffects | null; confirming: readonly FittedStack[] } {
  const chosen = parts?.members ?? chooseMembers(task, bases, stop);
  const members = chosen.map((base) => bases[base]!);
  const problem = openProblem(task, members, withMains);
  const { table, split } = task;
  const classCount = table.labels.length;

  const everyRow = rowsUpTo(problem.input.classes.length);
  const learningCount = problem.positions.length;
  const outOfFold = new Float64Array(learningCount * classCount);
  for (const [index, { judging }] of foldsOf(task, problem.positions).entries()) {
    const fitted = parts?.folds[index] ?? fitOn(problem, rowsOfFit(task, problem, index), stop);
    placeRows(scoreOn(problem, fitted, judging), outOfFold, judging, classCount);
  }
  const found = parts?.found ?? fitOn(problem, rowsOfFit(task, problem, "learning"), stop);
  const holdoutProbabilities = scoreOn(problem, found, everyRow.subarray(learningCount));
  const final = parts?.final ?? fitOn(problem, everyRow, stop);
  const confirming =
    parts?.confirming ??
    partsWithWeights(task).map((without) => fitOn(problem, rowsOfFit(task, problem, { without }), stop));
  throwIfOutOfTime(stop);

  const learningRows = keptRows(task);
  const trained = trainingIndexes(learningRows.length, classCount);
  const trainingRows = trained.map((index) => learningRows[index]!);
  const trainingLogOdds = members.map(({ votes }) => centredLogOdds(votes.training, classCount));
  const trainingProbabilities = scoreWith(problem, found, trainingLogOdds, trained);
  const judgeRows = (probabilities: Float64Array, rows: Uint32Array) =>
    judge(probabilities, rows, table.classes, classCount);
  const outOfFoldJudgement = judgeRows(outOfFold, learningRows);
  const part = betterPart(task, members, outOfFold);
  return {
    settings: {
      algorithm: "stack",
      withMains,
      members: members.map(({ attempt, buckets, settings, seed }, base) => ({
        attempt,
        buckets,
        settings,
        seed,
        weight: found.stacking.weights[base]!,
        finalWeight: final.stacking.weights[base]!,
      })),
      intercepts: [...found.stacking.intercepts],
      finalIntercepts: [...final.stacking.intercepts],
    },
    outOfFoldProbabilities: outOfFold,
    mains: found.mains === null ? null : { found: found.mains, final: final.mains! },
    confirming,
    outOfFold: outOfFoldJudgement,
    ...(part === null ? {} : { betterPart: part }),
    trainingProbabilities,
    trainingRows,
    training: judgeRows(trainingProbabilities, trainingRows),
    holdout: judgeRows(holdoutProbabilities, split.judging),
    holdoutProbabilities,
  };
}

/** The bases that a stack keeps, by their place. */
export function chooseMembers(task: TrainingTask, bases: readonly StackBase[], stop: StopSignal): number[] {
  const members = chooseBases(learningInput(task, bases), stop, isSmall(task));
  throwIfOutOfTime(stop);
  return members;
}

/** One of the fits of a stack, which do not depend on each other. */
export function fitStack(
  task: TrainingTask,
  members: readonly StackBase[],
  withMains: boolean,
  rows: StackRows,
  stop: StopSignal,
): FittedStack {
  const problem = openProblem(task, members, withMains);
  const fitted = fitOn(problem, rowsOfFit(task, problem, rows), stop);
  throwIfOutOfTime(stop);
  return fitted;
}

/**
 * The member of least log-loss on the rows whose votes are kept, if that is
 * less than the stack's; on few rows beyond chance.
 */
function betterPart(task: TrainingTask, members: readonly StackBase[], outOfFold: Float64Array) {
  const { classes, labels } = task.table;
  const rows = keptRows(task);
  const losses = (own: ArrayLike<number>) => lossesOf(own, rows, classes, labels.length);
  const stack = losses(outOfFold);
  const parts = members.map(({ attempt, votes }) => ({ attempt, losses: losses(votes.outOfFold) }));
  const [best] = parts.map((part) => ({ ...part, logLoss: meanOf(part.losses) })).sort((a, b) => a.logLoss - b.logLoss);
  const { attempt, logLoss } = best!;
  const isBetter = isSmall(task)
    ? isBeyondChance(stack.map((loss, at) => loss - best!.losses[at]!))
    : logLoss < meanOf(stack);
  return isBetter ? { attempt, logLoss } : null;
}

export function isSmall({ split }: TrainingTask): boolean {
  return split.learning.length <= SMALL_ROWS;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The bucketing of the tables on top of a stack: of all rows, since it
 * looks at no label but for the order of categories.
 */
export function mainBuckets(table: Table) {
  return mergeBuckets(fitBuckets(table, rowsUpTo(table.rowCount), MAIN_BUCKETS), MAIN_BUCKETS);
}

interface StackProblem {
  /** Which of the judged rows are kept. */
  positions: Uint32Array;
  /** These rows, and then the holdout. */
  rows: Uint32Array;
  /** The answers of the bases to them. */
  input: StackInput;
  /** Codes of these rows; null without tables on top. */
  mainView: CodedView | null;
}

/** Parts of a stack that threads made beforehand. */
export interface StackParts {
  members: readonly number[];
  folds: readonly FittedStack[];
  found: FittedStack;
  final: FittedStack;
  /** In the order of `partsWithWeights`. */
  confirming: readonly FittedStack[];
}

export interface FittedStack {
  stacking: Stacking;
  mains: ScoreTables | null;
}

/** The answers of the bases to the learning rows that are kept. */
function learningInput(task: TrainingTask, bases: readonly StackBase[]): StackInput {
  const votes = bases.map(({ votes }) => votes.outOfFold);
  return inputOf(task, votes, keptRows(task));
}

function keptRows(task: TrainingTask): Uint32Array {
  return stackPositions(task)!.map((position) => task.judgedRows[position]!);
}

function inputOf({ table }: TrainingTask, votes: readonly Float32Array[], rows: Uint32Array): StackInput {
  const classCount = table.labels.length;
  return {
    logOdds: votes.map((own) => centredLogOdds(own, classCount)),
    classes: gatherClasses(table.classes, rows),
    classCount,
  };
}

function openProblem(task: TrainingTask, bases: readonly StackBase[], withMains: boolean): StackProblem {
  const { table, split } = task;
  const rows = concatenate(Uint32Array, [keptRows(task), split.judging]);
  const votes = bases.map(({ votes }) => concatenate(Float32Array, [votes.outOfFold, votes.holdout]));
  const mainView = withMains ? selectRows(codeTable(table, mainBuckets(table)), rows) : null;
  return { positions: stackPositions(task)!, rows, input: inputOf(task, votes, rows), mainView };
}

/** Fits on some rows of the problem. */
function fitOn(problem: StackProblem, positions: Uint32Array, stop: StopSignal): FittedStack {
  throwIfCancelled(stop);
  const input = selectStackRows(problem.input, positions);
  const stacking = fitStacking(input, stop);
  if (problem.mainView === null) return { stacking, mains: null };
  const { classCount } = input;
  const offsets = scoresOf(applyStacking(stacking, input.logOdds, positions.length), classCount);
  const { classes } = problem.input;
  const fitInput = { view: problem.mainView, rows: positions, classes, classCount, seed: 0, stop };
  return { stacking, mains: new LogisticProblem(fitInput, "smooth", offsets).solve(MAIN_L2, MAIN_ITERATIONS) };
}

function scoreOn(problem: StackProblem, fitted: FittedStack, positions: Uint32Array): Float64Array {
  return scoreWith(problem, fitted, selectStackRows(problem.input, positions).logOdds, positions);
}

/** `logOdds`: what the bases say of the rows at `positions`. */
function scoreWith(
  problem: StackProblem,
  { stacking, mains }: FittedStack,
  logOdds: readonly Float32Array[],
  positions: Uint32Array,
): Float64Array {
  const probabilities = applyStacking(stacking, logOdds, positions.length);
  if (mains !== null) addMains(probabilities, mains, selectRows(problem.mainView!, positions));
  return probabilities;
}

/** Probabilities as the scores of a logistic model, output after output. */
function scoresOf(probabilities: Float64Array, classCount: number): Float64Array {
  const rowCount = probabilities.length / classCount;
  const outputCount = classCount === 2 ? 1 : classCount;
  const scores = new Float64Array(rowCount * outputCount);
  const logOf = (cell: number) => Math.log(Math.max(Number.MIN_VALUE, probabilities[cell]!));
  for (let row = 0; row < rowCount; row++) {
    for (let k = 0; k < outputCount; k++) {
      const cell = row * classCount + k;
      scores[k * rowCount + row] = outputCount === 1 ? logOf(cell + 1) - logOf(cell) : logOf(cell);
    }
  }
  return scores;
}
