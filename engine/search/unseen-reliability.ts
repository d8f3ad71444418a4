// How often an attempt's decisions of each confidence were right, on all rows that its models had not learned from.

import type { Judgement } from "../judging/metrics.ts";
import { type ReliabilityMap, reliabilityMap } from "../judging/reliability.ts";
import { applyTemperature } from "../judging/temperature.ts";
import { type Decider, isMostProbable, outOfFoldRows } from "./decider.ts";
import type { Qualification, TrainingTask } from "./training-task.ts";

/**
 * Counts learning rows out of fold (for a forest: out of bag) and held-out rows. `probabilities`: on the
 * holdout they are tempered already, out of fold only where the decider weighs classes. O(rows × (classes + log rows)).
 */
export function unseenReliability(
  task: TrainingTask,
  probabilities: Pick<Qualification, "outOfFoldProbabilities" | "holdoutProbabilities">,
  decider: Decider,
  { outOfFold, holdout }: { outOfFold: Pick<Judgement, "decisions">; holdout: Pick<Judgement, "decisions"> },
): ReliabilityMap {
  const { judging } = task.split;
  const { rows, classes, classCount } = outOfFoldRows(task, probabilities.outOfFoldProbabilities);
  const confidences = new Float64Array(rows.length + judging.length);
  const isRight = new Uint8Array(confidences.length);
  let at = 0;
  const add = (probabilities: Float64Array, rows: Uint32Array, decisions: Uint8Array, temperature: number) => {
    const row = new Float64Array(classCount);
    for (let index = 0; index < rows.length; index++, at++) {
      row.set(probabilities.subarray(index * classCount, (index + 1) * classCount));
      applyTemperature(row, classCount, temperature);
      confidences[at] = row[decisions[index]!]!;
      isRight[at] = decisions[index] === classes[rows[index]!] ? 1 : 0;
    }
  };
  const temperature = isMostProbable(decider) ? decider.temperature : 1;
  add(probabilities.outOfFoldProbabilities, rows, outOfFold.decisions, temperature);
  add(probabilities.holdoutProbabilities, judging, holdout.decisions, 1);
  return reliabilityMap(confidences, isRight);
}
