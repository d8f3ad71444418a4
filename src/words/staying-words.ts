// How many columns a refinement keeps, of those that models may learn from.
import type { ColumnDecision } from "../../engine/refinement/decision.ts";

type Decided = Pick<ColumnDecision, "name" | "decision" | "reason">;

/**
 * `used`: names of the columns that are learned from before the refinement. Columns that were left out as asked do not
 * count, nor do those of groups and times that models are only judged by: these stay in the file.
 */
export function stayingWords(columns: readonly Decided[], used: ReadonlySet<string>): string {
  const counting = columns.filter(
    ({ name, reason }) => reason !== "LEFT_OUT" && (reason !== "KEPT_FOR_JUDGING" || used.has(name)),
  );
  const staying = counting.filter(({ decision }) => decision === "KEEP").length;
  const toLearnFrom = counting.length < columns.length ? " to learn from" : "";
  if (staying === counting.length) return `Every column${toLearnFrom} stays.`;
  return `${staying} of ${counting.length} columns${toLearnFrom} ${staying === 1 ? "stays" : "stay"}.`;
}
