// Weak attempts end after the first fold if they would become neither a version nor a member of a stack.

import { familyOf } from "../families/algorithms.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import { solveStack } from "../families/stack-solver.ts";
import { centredLogOdds, LEAST_WORTH, stackInputOf } from "../families/stacking.ts";
import { judge } from "../judging/metrics.ts";
import { pickRows, rowsUpTo } from "../row-lists.ts";
import type { StopSignal } from "../stop-signal.ts";
import { labelledRows } from "../table/table.ts";
import { type StackBase, stackPositions } from "./stack-votes.ts";
import { type EarlyEnd, isSmall, type TrainingTask } from "./training-task.ts";

/**
 * Ends an attempt after the first fold where another of its family did better on its rows, and a stack of the others
 * hardly gains by it even with weights fitted on these very rows. A weak score alone is no reason: a model that errs on
 * other rows than all the rest can help a stack more than one that is nearly as good. The few rows of a small table do
 * not tell that from chance: there any other that did as well ends it (D147). Null: go on; an attempt without others to
 * compare always does.
 */
export function findEarlyEnd(
  task: TrainingTask,
  settings: BaseSettings,
  probabilities: Float64Array,
  otherBases: readonly StackBase[],
  stop: StopSignal,
): EarlyEnd | null {
  const positions = stackPositions(task);
  if (positions === null || otherBases.length === 0) return null;
  const shared = sharedRows(task, positions);
  const { table } = task;
  const classCount = table.labels.length;
  const sharedLabelled = labelledRows(table, shared.rows);
  const lossOf = (votes: Float64Array) => judge(votes, sharedLabelled).logLoss;
  const pick = (from: ArrayLike<number>, rows: Uint32Array) =>
    pickRows(from, rows, classCount, new Float64Array(rows.length * classCount));
  const inFold = pick(probabilities, shared.inFold);
  const logLoss = lossOf(inFold);
  const ofOthers = otherBases.map(({ votes }) => pick(votes.outOfFold, shared.kept));
  const family = familyOf(settings);
  const isFew = isSmall(task);
  const better = otherBases
    .map((other, at) => ({ attempt: other.attempt, family: familyOf(other.settings), logLoss: lossOf(ofOthers[at]!) }))
    .filter((other) => (isFew ? other.logLoss <= logLoss : other.family === family && other.logLoss < logLoss))
    .sort((a, b) => a.logLoss - b.logLoss)[0];
  if (better === undefined) return null;
  const end = { foldCount: task.folds.length, logLoss, better: { attempt: better.attempt, logLoss: better.logLoss } };
  if (isFew) return end;
  const without = stackInputOf(ofOthers, sharedLabelled);
  const withIt = { ...without, logOdds: [...without.logOdds, centredLogOdds(inFold, classCount)] };
  const loss = solveStack(without, stop).loss;
  return solveStack(withIt, stop).loss < loss * (1 - LEAST_WORTH) ? null : end;
}

/** The rows of the first fold whose votes are kept, with their positions in the fold and among the kept rows. */
function sharedRows({ table, judgedRows, folds }: TrainingTask, positions: Uint32Array) {
  const { judging } = folds[0]!;
  const placeInFold = new Int32Array(table.rowCount).fill(-1);
  judging.forEach((row, place) => {
    placeInFold[row] = place;
  });
  const kept = rowsUpTo(positions.length).filter((at) => placeInFold[judgedRows[positions[at]!]!]! >= 0);
  const rows = kept.map((at) => judgedRows[positions[at]!]!);
  return { rows, kept, inFold: rows.map((row) => placeInFold[row]!) };
}
