// A stack from the other attempts' votes to scores: its fits, which do not depend on each other, and how they are
// judged.

import { concatenate } from "../concatenate.ts";
import type { ModelSettings } from "../families/algorithms.ts";
import { addMains } from "../families/stack-model.ts";
import { type StackInput, selectStackRows } from "../families/stack-solver.ts";
import {
  applyStacking,
  centredLogOdds,
  chooseBases,
  fitStacking,
  type Stacking,
  stackInputOf,
} from "../families/stacking.ts";
import type { ScoreTables } from "../fitting/score-tables.ts";
import { isBeyondChance, judge, lossesOf } from "../judging/metrics.ts";
import { LogisticProblem } from "../logistic/logistic-regression.ts";
import { placeRows, rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled, throwIfOutOfTime } from "../stop-signal.ts";
import { meanOf } from "../sums.ts";
import { type CodedView, codeTable, selectRows } from "../table/buckets.ts";
import { labelledRows } from "../table/table.ts";
import { mainBuckets } from "./bucketing.ts";
import { foldsOf, rowsOfFit, type StackRows } from "./stack-rows.ts";
import { keptRows, type StackBase, stackPositions, trainingIndexes } from "./stack-votes.ts";
import { isSmall, type Qualification, type TrainingTask } from "./training-task.ts";

/** The fit of the tables on top of a stack. */
const MAIN_L2 = 30;
const MAIN_ITERATIONS = 100;

/** The weights of the members, and the tables of the features on top of them; null without. */
export interface FittedStack {
  stacking: Stacking;
  mains: ScoreTables | null;
}

/** All fits of a stack, by the rows that each learned from (stack-rows.ts). */
export interface StackFits {
  /** Each fold's learning rows: these fits score the others out of fold. */
  folds: readonly FittedStack[];
  /** All learning rows: this fit scores the holdout. */
  found: FittedStack;
  /** The holdout too: this fit is the refit's. */
  final: FittedStack;
  /** All but a part that confirms, in the order of `partsWithWeights`. */
  confirming: readonly FittedStack[];
}

/**
 * Tables of the features on top of a stack: as fitted without the holdout, and with it. Buckets are those of all rows.
 */
export interface MainEffects {
  found: ScoreTables;
  final: ScoreTables;
}

/**
 * Judges a stack by the votes of its members; no member is fitted again. Out of fold, the weights are those fitted
 * without the fold. In training, the votes are those on rows that the members learned from (D86).
 *
 * @throws OutOfTime
 */
export function qualifyStack(
  task: TrainingTask,
  members: readonly StackBase[],
  withMains: boolean,
  fits: StackFits,
  stop: StopSignal,
): Qualification & { mains: MainEffects | null } {
  const { found, final } = fits;
  const problem = openProblem(task, members, withMains);
  const { table, split } = task;
  const classCount = table.labels.length;

  const everyRow = rowsUpTo(problem.rows.length);
  const learningCount = problem.positions.length;
  const outOfFold = new Float64Array(learningCount * classCount);
  for (const [index, { judging }] of foldsOf(task, problem.positions).entries()) {
    placeRows(scoreOn(problem, fits.folds[index]!, judging), outOfFold, judging, classCount);
  }
  const holdoutProbabilities = scoreOn(problem, found, everyRow.subarray(learningCount));
  throwIfOutOfTime(stop);

  const learningRows = keptRows(task);
  const trained = trainingIndexes(learningRows.length, classCount);
  const trainingRows = trained.map((index) => learningRows[index]!);
  const trainingLogOdds = members.map(({ votes }) => centredLogOdds(votes.training, classCount));
  const trainingProbabilities = scoreWith(problem, found, trainingLogOdds, trained);
  const judgeRows = (probabilities: Float64Array, rows: Uint32Array) => judge(probabilities, labelledRows(table, rows));
  const better = betterMember(task, members, outOfFold);
  return {
    settings: stackSettings(members, withMains, found.stacking, final.stacking),
    outOfFoldProbabilities: outOfFold,
    mains: found.mains === null ? null : { found: found.mains, final: final.mains! },
    outOfFold: judgeRows(outOfFold, learningRows),
    ...(better === null ? {} : { betterMember: better }),
    trainingProbabilities,
    trainingRows,
    training: judgeRows(trainingProbabilities, trainingRows),
    holdout: judgeRows(holdoutProbabilities, split.judging),
    holdoutProbabilities,
  };
}

/** The settings of a fitted stack. `stacking` is fitted without the holdout, `final` with it. */
export function stackSettings(
  members: readonly Omit<StackBase, "votes">[],
  withMains: boolean,
  stacking: Stacking,
  final: Stacking,
): ModelSettings {
  return {
    algorithm: "stack",
    withMains,
    members: members.map(({ attempt, buckets, settings, seed }, place) => ({
      attempt,
      buckets,
      settings,
      seed,
      weight: stacking.weights[place]!,
      finalWeight: final.weights[place]!,
    })),
    intercepts: [...stacking.intercepts],
    finalIntercepts: [...final.intercepts],
  };
}

/** The bases that a stack keeps, by their place. */
export function chooseMembers(task: TrainingTask, bases: readonly StackBase[], stop: StopSignal): number[] {
  const votes = bases.map(({ votes }) => votes.outOfFold);
  const members = chooseBases(stackInputOf(votes, labelledRows(task.table, keptRows(task))), stop, isSmall(task));
  throwIfOutOfTime(stop);
  return members;
}

/** Fits the weights of a stack on some rows, and with `withMains` the tables on top. */
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
 * The member with the least log-loss on the rows whose votes are kept, if it beats the stack; on few rows, beyond
 * chance.
 */
function betterMember(task: TrainingTask, members: readonly StackBase[], outOfFold: Float64Array) {
  const kept = labelledRows(task.table, keptRows(task));
  const losses = (votes: ArrayLike<number>) => lossesOf(votes, kept);
  const stack = losses(outOfFold);
  const [best] = members
    .map(({ attempt, votes }) => ({ attempt, losses: losses(votes.outOfFold) }))
    .map((member) => ({ ...member, logLoss: meanOf(member.losses) }))
    .sort((a, b) => a.logLoss - b.logLoss);
  const { attempt, logLoss } = best!;
  const isBetter = isSmall(task)
    ? isBeyondChance(stack.map((loss, at) => loss - best!.losses[at]!))
    : logLoss < meanOf(stack);
  return isBetter ? { attempt, logLoss } : null;
}

/** The rows that a stack may learn from or be judged by, and what its bases said of them. */
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

function openProblem(task: TrainingTask, bases: readonly StackBase[], withMains: boolean): StackProblem {
  const { table, split } = task;
  const rows = concatenate(Uint32Array, [keptRows(task), split.judging]);
  const votes = bases.map(({ votes }) => concatenate(Float32Array, [votes.outOfFold, votes.holdout]));
  const mainView = withMains ? selectRows(codeTable(table, mainBuckets(table)), rows) : null;
  return { positions: stackPositions(task)!, rows, input: stackInputOf(votes, labelledRows(table, rows)), mainView };
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
