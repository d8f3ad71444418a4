// A stack with all its fits made one after the other, which a run hands out to threads (src/training/stack-run.ts).
import { chooseMembers, fitStack } from "../../engine/search/qualify-stack.ts";
import { partsWithWeights, type StackRows, weightFoldCount } from "../../engine/search/stack-rows.ts";
import type { StackBase } from "../../engine/search/stack-votes.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import type { StackRequest } from "../../workers/messages.ts";

export function fitWholeStack(task: TrainingTask, bases: readonly StackBase[], withMains: boolean): StackRequest {
  const members = chooseMembers(task, bases, neverStop).map((place) => bases[place]!);
  const fit = (rows: StackRows) => fitStack(task, members, withMains, rows, neverStop);
  const fits = {
    folds: Array.from({ length: weightFoldCount(task) }, (_, fold) => fit(fold)),
    found: fit("learning"),
    final: fit("all"),
    confirming: partsWithWeights(task).map((without) => fit({ without })),
  };
  return { withMains, members, fits };
}
