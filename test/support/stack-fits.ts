// All fits of a stack one after the other, which a run hands out to threads (src/training/stack-run.ts).
import { chooseMembers, fitStack, type StackFits } from "../../engine/search/qualify-stack.ts";
import { partsWithWeights, type StackRows, weightFoldCount } from "../../engine/search/stack-rows.ts";
import type { StackBase } from "../../engine/search/stack-votes.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { neverStop, type StopSignal } from "../../engine/stop-signal.ts";

export function makeStackFits(
  task: TrainingTask,
  bases: readonly StackBase[],
  withMains: boolean,
  stop: StopSignal = neverStop,
): StackFits {
  const members = chooseMembers(task, bases, stop);
  const kept = members.map((base) => bases[base]!);
  const fit = (rows: StackRows) => fitStack(task, kept, withMains, rows, stop);
  return {
    members,
    folds: Array.from({ length: weightFoldCount(task) }, (_, fold) => fit(fold)),
    found: fit("learning"),
    final: fit("all"),
    confirming: partsWithWeights(task).map((without) => fit({ without })),
  };
}
