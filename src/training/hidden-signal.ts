// A frequent label hides what a model knows: it decides nearly every row so, though its probabilities tell rows apart,
// or may do so where too few held-out rows have another label.

import { countClasses } from "../../engine/fitting/class-counts.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { labelledRows } from "../../engine/table/table.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import { FEW_OF_CLASS } from "../verdict/label-doubts.ts";
import { majorityOf } from "../work/majority.ts";
import type { KeptVersion } from "./kept-version.ts";

/** The share of the most frequent label's held-out rows from which others are rare. */
const COMMON_SHARE = 0.8;
/**
 * How many times as likely the held-out labels are by the model as by the shares of the labels. By chance the ratio is
 * this large in at most one model in a thousand (Markov's inequality).
 */
const LEAST_RATIO = 1_000;

/** `label`: the rarest one. */
export interface HiddenSignal {
  label: string;
  /** Null where there are more than two labels. */
  rocArea: number | null;
  /** Null where the probabilities do tell rows apart; else the held-out rows, too few of them to tell. */
  untold: { frequent: string; otherCount: number; rowCount: number; ofTwo: boolean } | null;
}

/** Null where no label is that frequent, or the probabilities tell nothing on rows that are enough to tell. */
export function hiddenSignal({ attempt }: Pick<KeptVersion, "attempt">, task: TrainingTask): HiddenSignal | null {
  const { table, split, objective } = task;
  const majority = majorityOf(task);
  if (objective !== "accuracy" || majority.accuracy < COMMON_SHARE) return null;
  const learning = countClasses(labelledRows(table, split.learning));
  const judging = countClasses(labelledRows(table, split.judging));
  const total = split.learning.length + table.labels.length;
  const { logLoss, thresholds } = attempt.answer.holdout;
  const gain = judging.reduce(
    (sum, count, code) => sum - count * (Math.log((learning[code]! + 1) / total) + logLoss),
    0,
  );
  const rarest = learning.indexOf(Math.min(...learning));
  const signal = { label: table.labels[rarest]!, rocArea: thresholds?.rocArea ?? null };
  if (gain >= Math.log(LEAST_RATIO)) return { ...signal, untold: null };
  const otherCount = split.judging.length - judging[majority.code]!;
  if (otherCount >= FEW_OF_CLASS) return null;
  const frequent = table.labels[majority.code]!;
  const ofTwo = table.labels.length === 2;
  return { ...signal, untold: { frequent, otherCount, rowCount: split.judging.length, ofTwo } };
}

/** Ends the warning about a model that is no better than guessing. `notYet`: it may be better. */
export function hiddenWords({ label, rocArea, untold }: HiddenSignal, advice: string): string {
  if (untold === null) {
    const area = rocArea === null ? "" : ` (area under the ROC curve ${formatPercent(rocArea)}; 50% is guessing)`;
    return `But its probabilities do tell rows apart${area}: one label is so frequent that nearly every row is decided so.`;
  }
  const { frequent, otherCount, rowCount, ofTwo } = untold;
  const what = ofTwo ? `the label ${inQuotes(label)}` : `another label than ${inQuotes(frequent)}`;
  const count = otherCount === 0 ? "none" : `only ${formatCount(otherCount)}`;
  return (
    `${advice}: ${count} of ${formatAmount(rowCount, "held-out row")} ` +
    `${otherCount > 1 ? "have" : "has"} ${what}, too few to tell whether its probabilities tell rows apart.`
  );
}
