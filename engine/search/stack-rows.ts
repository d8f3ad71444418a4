// Which rows each fit of a stack's weights learns from, so that there are some for every row that had no part in them.
import { rowsUpTo } from "../row-lists.ts";
import { confirmingParts, type Split, splitByPart } from "../splits/holdout.ts";
import type { TrainingTask } from "./training-task.ts";

/** Folds of the few weights of a stack, where the task has one fold. */
const WEIGHT_FOLDS = 3;

/**
 * The rows that a fit of a stack learns from: the learning rows of a fold, all learning
 * rows, these and the holdout, or these without a part.
 */
export type StackRows = number | "learning" | "all" | { without: number };

export function weightFoldCount({ folds }: TrainingTask): number {
  return folds.length === 1 ? WEIGHT_FOLDS : folds.length;
}

/** The rows of a fit, as places among `rows`: the judged rows at `positions`, and then the holdout. */
export function rowsOfFit(
  task: TrainingTask,
  { positions, rows }: { positions: Uint32Array; rows: Uint32Array },
  fitRows: StackRows,
): Uint32Array {
  if (fitRows === "learning") return rowsUpTo(positions.length);
  if (fitRows === "all") return rowsUpTo(rows.length);
  if (typeof fitRows === "number") return foldsOf(task, positions)[fitRows]!.learning;
  const judging = new Set(splitByPart(task.parts, fitRows.without).judging);
  return rowsUpTo(rows.length).filter((at) => !judging.has(rows[at]!));
}

/**
 * The parts that a stack has weights of their own for, fitted without their rows: those that confirm a small table
 * (D145). Of many rows a few weights learn too little to flatter.
 */
export function partsWithWeights({ parts }: TrainingTask): readonly number[] {
  return parts.tenths === undefined ? [] : confirmingParts(parts);
}

/** The task's folds as positions among the rows that are kept; where it has one fold, folds of the weights alone. */
export function foldsOf(task: TrainingTask, positions: Uint32Array): Split[] {
  const every = rowsUpTo(positions.length);
  const foldOf = task.folds.length === 1 ? every.map((index) => index % WEIGHT_FOLDS) : judgingFolds(task, positions);
  return Array.from({ length: weightFoldCount(task) }, (_, fold) => ({
    learning: every.filter((index) => foldOf[index] !== fold),
    judging: every.filter((index) => foldOf[index] === fold),
  }));
}

/** The fold that judges each of the rows that are kept. */
function judgingFolds({ judgedRows, folds }: TrainingTask, positions: Uint32Array): Uint32Array {
  const foldOfRow = new Map<number, number>();
  folds.forEach(({ judging }, fold) => {
    for (const row of judging) foldOfRow.set(row, fold);
  });
  return positions.map((position) => foldOfRow.get(judgedRows[position]!)!);
}
