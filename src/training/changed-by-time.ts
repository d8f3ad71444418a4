// Judged by time: do the newest rows, which judge, have other shares of the labels than the older ones?

import { countClasses } from "../../engine/fitting/class-counts.ts";
import { rightCount } from "../../engine/judging/metrics.ts";
import { changedLabel } from "../../engine/outcomes/changed-label.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { labelledRows } from "../../engine/table/table.ts";
import { LEAST_INDEX } from "../../engine/watch/shift.ts";
import type { ChangedByTime } from "../verdict/label-doubts.ts";

/**
 * Null where rows were not judged by time alone, or the labels have about the same shares. `confusion`: of the held-out
 * rows, by actual label, then by decision.
 */
export function changedByTime(
  { table, parts, split, objective }: Pick<TrainingTask, "table" | "parts" | "split" | "objective">,
  confusion: readonly (readonly number[])[],
): ChangedByTime | null {
  if (parts.dealt !== null || parts.ages === null) return null;
  const older = countClasses(labelledRows(table, split.learning));
  const found = changedLabel(table.labels, [...older], confusion, LEAST_INDEX);
  if (found === null) return null;
  const accuracy = objective === "accuracy" ? rightCount(confusion) / split.judging.length : null;
  return { label: found.label, older: found.trained, newest: found.later, accuracy };
}
