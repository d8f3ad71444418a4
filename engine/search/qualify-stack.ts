// The stacked attempt: weights for what the other attempts said of rows they had not learned from, judged as any attempt is.

import { type CodedView, codeTable, fitBuckets, mergeBuckets, selectRows } from "../buckets.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import type { ScoreTables } from "../families/score-tables.ts";
import { judge } from "../judging/metrics.ts";
import { LogisticProblem } from "../logistic/logistic-regression.ts";
import type { Split } from "../splits/holdout.ts";
import { addMains } from "../stacking/stack-model.ts";
import { type StackInput, selectStackRows } from "../stacking/stack-solver.ts";
import { applyStacking, centredLogOdds, chooseBases, fitStacking, type Stacking } from "../stacking/stacking.ts";
import { type StopSignal, throwIfCancelled, throwIfOutOfTime } from "../stop-signal.ts";
import type { Table } from "../table.ts";
import type { AttemptSpec } from "./attempts.ts";
import { positionsOf, type Qualification, type TrainingTask } from "./qualify.ts";

/** Cells (rows × classes) of out-of-fold probabilities that are kept of each attempt at most: weights need no more rows. */
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
  /** Of the learning rows at `stackPositions`, each by a model that had not seen it. */
  outOfFold: Float32Array;
  /** Of those among them that `trainingIndexes` names, by the model that learned from them. */
  training: Float32Array;
  /** Of the holdout. */
  holdout: Float32Array;
}

/** Tables of the features on top of a stack: as fitted without the holdout, and with it. Buckets are those of all rows. */
export interface MainEffects {
  found: ScoreTables;
  final: ScoreTables;
}

/** Positions among the judged rows whose out-of-fold probabilities attempts keep; null where the table is too large for stacks. */
export function stackPositions({ table, split, judgedRows }: TrainingTask): Uint32Array | null {
  const classCount = table.labels.length;
  if (split.judging.length * classCount > MOST_HOLDOUT_CELLS) return null;
  return evenly(judgedRows.length, Math.floor(MOST_OUT_OF_FOLD_CELLS / classCount));
}

/** Which of so many kept learning rows a stack's training accuracy is of: all of them, or evenly spaced ones. */
function trainingIndexes(keptCount: number, classCount: number): Uint32Array {
  return evenly(keptCount, Math.floor(MOST_TRAINING_CELLS / classCount));
}

/** `most` of the numbers below `count`, evenly spaced, or all where these are fewer. */
function evenly(count: number, most: number): Uint32Array {
  const kept = Math.min(count, most);
  return Uint32Array.from({ length: kept }, (_, index) => Math.floor((index * count) / kept));
}

/** What a stack will need of an attempt, on memory that threads share. */
export function keepVotes(
  task: TrainingTask,
  found: Pick<Qualification, "outOfFoldProbabilities" | "trainingProbabilities" | "holdoutProbabilities">,
): Votes | null {
  const positions = stackPositions(task);
  if (positions === null) return null;
  const classCount = task.table.labels.length;
  const learned = positionsOf(task.table, task.split.learning);
  const trained = trainingIndexes(positions.length, classCount).map(
    (index) => learned[task.judgedRows[positions[index]!]!]!,
  );
  const holdout = sharedFloats(found.holdoutProbabilities.length);
  holdout.set(found.holdoutProbabilities);
  return {
    outOfFold: pickRows(found.outOfFoldProbabilities, positions, classCount),
    training: pickRows(found.trainingProbabilities, trained, classCount),
    holdout,
  };
}

function pickRows(probabilities: Float64Array, positions: Uint32Array, classCount: number): Float32Array {
  const picked = sharedFloats(positions.length * classCount);
  positions.forEach((position, index) => {
    for (let k = 0; k < classCount; k++) picked[index * classCount + k] = probabilities[position * classCount + k]!;
  });
  return picked;
}

/**
 * Fits the weights on the bases' out-of-fold log-odds and scores the holdout by the bases' own answers: no base is fitted
 * again. Out of fold, a stack is judged by weights that the fold had no part in; on the rows that it learned from by what the
 * bases say of rows they learned from, as any other attempt is (D86). With `mains`, tables of the features come on
 * top. The settings that are found leave out bases without weight, and hold a second set of weights for the refit, which
 * knows the holdout as well.
 *
 * @throws Cancelled, or OutOfTime where time was up before the weights were found
 */
export function qualifyStack(
  task: TrainingTask,
  bases: readonly StackBase[],
  withMains: boolean,
  stop: StopSignal,
): Qualification & { mains: MainEffects | null } {
  const members = chooseBases(learningInput(task, bases), stop).map((base) => bases[base]!);
  const problem = openProblem(task, members, withMains);
  const { learning, holdout, everything } = problem;
  const { table, split, judgedRows } = task;
  const classCount = table.labels.length;

  const outOfFold = new Float64Array(learning.classes.length * classCount);
  for (const fold of foldsOf(task, problem.positions)) {
    throwIfCancelled(stop);
    const fitted = fitOn(problem, fold.learning, stop);
    const scores = scoreOn(problem, fitted, fold.judging);
    fold.judging.forEach((position, i) => {
      outOfFold.set(scores.subarray(i * classCount, (i + 1) * classCount), position * classCount);
    });
  }
  const everyLearning = positionsUpTo(learning.classes.length);
  const found = fitOn(problem, everyLearning, stop);
  const holdoutPositions = positionsUpTo(holdout.classes.length).map((i) => everyLearning.length + i);
  const holdoutProbabilities = scoreOn(problem, found, holdoutPositions);
  const final = fitOn(problem, positionsUpTo(everything.classes.length), stop);
  throwIfOutOfTime(stop);

  const learningRows = Uint32Array.from(problem.positions, (position) => judgedRows[position]!);
  const trained = trainingIndexes(learningRows.length, classCount);
  const trainingRows = trained.map((index) => learningRows[index]!);
  const trainingLogOdds = members.map(({ votes }) => centredLogOdds(votes.training, classCount));
  const trainingProbabilities = scoreWith(problem, found, trainingLogOdds, trained);
  const judgeRows = (probabilities: Float64Array, rows: Uint32Array) =>
    judge(probabilities, rows, table.classes, classCount);
  const outOfFoldJudgement = judgeRows(outOfFold, learningRows);
  const part = bestPart(members, (own) => judgeRows(own, learningRows).logLoss);
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
    outOfFold: outOfFoldJudgement,
    ...(part.logLoss < outOfFoldJudgement.logLoss ? { betterPart: part } : {}),
    trainingProbabilities,
    trainingRows,
    training: judgeRows(trainingProbabilities, trainingRows),
    holdout: judgeRows(holdoutProbabilities, split.judging),
    holdoutProbabilities,
  };
}

/** The member of least log-loss on the rows whose votes are kept. */
function bestPart(members: readonly StackBase[], lossOf: (outOfFold: Float64Array) => number) {
  const parts = members.map(({ attempt, votes }) => ({ attempt, logLoss: lossOf(Float64Array.from(votes.outOfFold)) }));
  return parts.reduce((best, part) => (part.logLoss < best.logLoss ? part : best));
}

/** The bucketing of the tables on top of a stack: of all rows, since it looks at no label but for the order of categories. */
export function mainBuckets(table: Table) {
  return mergeBuckets(fitBuckets(table, positionsUpTo(table.rowCount), MAIN_BUCKETS), MAIN_BUCKETS);
}

interface StackProblem {
  task: TrainingTask;
  positions: Uint32Array;
  learning: StackInput;
  holdout: StackInput;
  /** The learning rows that are kept, then the holdout. */
  everything: StackInput;
  /** Codes of `everything`; null without tables on top. */
  mainView: CodedView | null;
}

interface FittedStack {
  stacking: Stacking;
  mains: ScoreTables | null;
}

/** What the bases say of the learning rows that are kept. */
function learningInput(task: TrainingTask, bases: readonly StackBase[]): StackInput {
  const rows = Uint32Array.from(stackPositions(task)!, (position) => task.judgedRows[position]!);
  return inputOf(
    task,
    bases.map(({ votes }) => votes.outOfFold),
    rows,
  );
}

function inputOf({ table }: TrainingTask, votes: readonly Float32Array[], rows: Uint32Array): StackInput {
  const classCount = table.labels.length;
  return {
    logOdds: votes.map((own) => centredLogOdds(own, classCount)),
    classes: Uint8Array.from(rows, (row) => table.classes[row]!),
    classCount,
  };
}

function openProblem(task: TrainingTask, bases: readonly StackBase[], withMains: boolean): StackProblem {
  const { table, split, judgedRows } = task;
  const classCount = table.labels.length;
  const positions = stackPositions(task)!;
  const rows = Uint32Array.from([...positions.map((position) => judgedRows[position]!), ...split.judging]);
  const learning = learningInput(task, bases);
  const holdout = inputOf(
    task,
    bases.map(({ votes }) => votes.holdout),
    split.judging,
  );
  const everything = {
    logOdds: learning.logOdds.map((own, base) => concatenate(own, holdout.logOdds[base]!)),
    classes: Uint8Array.from([...learning.classes, ...holdout.classes]),
    classCount,
  };
  const mainView = withMains ? selectRows(codeTable(table, mainBuckets(table)), rows) : null;
  return { task, positions, learning, holdout, everything, mainView };
}

/** Fits on some rows of `everything`. */
function fitOn(problem: StackProblem, positions: Uint32Array, stop: StopSignal): FittedStack {
  const input = selectStackRows(problem.everything, positions);
  const stacking = fitStacking(input, stop);
  if (problem.mainView === null) return { stacking, mains: null };
  const { classCount } = input;
  const offsets = scoresOf(applyStacking(stacking, input.logOdds), classCount);
  const { classes } = problem.everything;
  const fitInput = { view: problem.mainView, rows: positions, classes, classCount, seed: 0, stop };
  return { stacking, mains: new LogisticProblem(fitInput, "smooth", offsets).solve(MAIN_L2, MAIN_ITERATIONS) };
}

function scoreOn(problem: StackProblem, fitted: FittedStack, positions: Uint32Array): Float64Array {
  return scoreWith(problem, fitted, selectStackRows(problem.everything, positions).logOdds, positions);
}

/** `logOdds`: what the bases say of the rows at `positions`. */
function scoreWith(
  problem: StackProblem,
  { stacking, mains }: FittedStack,
  logOdds: readonly Float32Array[],
  positions: Uint32Array,
): Float64Array {
  const probabilities = applyStacking(stacking, logOdds);
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

/** The task's folds as positions among the rows that are kept. */
function foldsOf({ judgedRows, folds }: TrainingTask, positions: Uint32Array): Split[] {
  const foldOfRow = new Map<number, number>();
  folds.forEach(({ judging }, fold) => {
    for (const row of judging) foldOfRow.set(row, fold);
  });
  const foldOf = positions.map((position) => foldOfRow.get(judgedRows[position]!)!);
  const every = positionsUpTo(positions.length);
  return folds.map((_, fold) => ({
    learning: every.filter((index) => foldOf[index] !== fold),
    judging: every.filter((index) => foldOf[index] === fold),
  }));
}

function positionsUpTo(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, position) => position);
}

function concatenate(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}
