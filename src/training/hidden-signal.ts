// A frequent label hides what a model knows: it decides nearly every row so, though its probabilities tell rows apart.

import { countClasses } from "../../engine/fitting/class-counts.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { labelledRows } from "../../engine/table/table.ts";
import { majorityOf } from "../work/majority.ts";
import type { KeptVersion } from "./kept-version.ts";

/** The share of the most frequent label's held-out rows from which others are rare. */
const COMMON_SHARE = 0.8;
/**
 * How many times as likely the held-out labels are by the model as by the shares of the labels. By chance the ratio is
 * this large in at most one model in a thousand (Markov's inequality).
 */
const LEAST_RATIO = 1_000;

/** `label`: the rarest one. `rocArea`: null where there are more than two labels. */
export interface HiddenSignal {
  label: string;
  rocArea: number | null;
}

/** Null where no label is that frequent, the probabilities tell nothing, or more than the accuracy counts. */
export function hiddenSignal({ attempt }: Pick<KeptVersion, "attempt">, task: TrainingTask): HiddenSignal | null {
  const { table, split, objective } = task;
  if (objective !== "accuracy" || majorityOf(task).accuracy < COMMON_SHARE) return null;
  const learning = countClasses(labelledRows(table, split.learning));
  const judging = countClasses(labelledRows(table, split.judging));
  const total = split.learning.length + table.labels.length;
  const { logLoss, thresholds } = attempt.answer.holdout;
  const gain = judging.reduce(
    (sum, count, code) => sum - count * (Math.log((learning[code]! + 1) / total) + logLoss),
    0,
  );
  if (gain < Math.log(LEAST_RATIO)) return null;
  const rarest = learning.indexOf(Math.min(...learning));
  return { label: table.labels[rarest]!, rocArea: thresholds?.rocArea ?? null };
}
