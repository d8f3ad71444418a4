// Columns that place a model in a line of successors: see data/model-lines.ts.
import { text } from "drizzle-orm/sqlite-core";

/** Columns of a model that is in a line of successors. */
export const lineColumns = () => ({
  /** The model at whose address it may answer; null for one that succeeds none. */
  firstModelKey: text(),
  /** The model that answers at the address of a line's first model; null for itself. */
  answeringKey: text(),
  /** Decides the rows that are asked of this model too, without answering. */
  shadowKey: text(),
});
