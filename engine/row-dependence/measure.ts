// The figure that losses are told in: the accuracy, or where labels are rare the balanced accuracy.
import { countClasses } from "../fitting/class-counts.ts";
import type { Objective } from "../judging/objective.ts";
import { everyRowOf, type Table } from "../table/table.ts";

/** If one label has this share of the rows, a model is mostly right whatever it knows of the others. */
const COMMON_SHARE = 0.8;
/** Rows of the other labels: fewer tell little, and columns that seem to tell them do so by chance. */
const LEAST_OTHERS = 50;

export type Measure = Extract<Objective, "accuracy" | "balanced-accuracy">;

export function measureOf(table: Table): Measure {
  const common = guessed("accuracy", table);
  const others = Math.round((1 - common) * table.rowCount);
  return common >= COMMON_SHARE && others >= LEAST_OTHERS ? "balanced-accuracy" : "accuracy";
}

/** The figure that always answering the commonest label reaches. */
export function guessed(measure: Measure, table: Table): number {
  const counts = countClasses(everyRowOf(table));
  return measure === "accuracy" ? Math.max(...counts) / table.rowCount : 1 / counts.filter((count) => count > 0).length;
}
