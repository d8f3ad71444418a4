// Labels beside decisions, in lines of the terminal: how many decisions were right, and whether that is worse than
// promised.
import { quotedName } from "../../engine/csv/header.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { WatchedModel } from "../../engine/model/model-file.ts";
import { accuracyOfOutcomes, judgedCount } from "../../engine/outcomes/outcomes.ts";
import { formatAmount, formatCount, formatEstimate } from "../common/format.ts";
import { printable } from "../common/printable.ts";
import { type DayOutcomes, type LabelledVersion, labelledVersion } from "../watching/version-outcomes.ts";
import { MEASURE_NAMES, scoreFigure } from "../words/objective-words.ts";
import { changedLabelSentence, PROMISE_CONDITION, promiseSentence } from "../words/outcome-words.ts";

const LABELS_SHOWN = 10;

export interface ToldLabels extends LabelledVersion {
  labels: readonly string[];
  accuracy: Estimate | null;
  message: string;
}

/** Judges a model by labels that came on some days, in their order. */
export function toldLabels(model: WatchedModel, outcomes: readonly DayOutcomes[]): ToldLabels {
  const asTrained = model.trainedClassWeights === undefined;
  const dated = outcomes.map(({ day, counts }) => ({ day, counts, asTrained }));
  const labelled = labelledVersion(model, dated);
  const { objective, verdict, counts } = labelled;
  const { unknownLabels } = counts;
  const message = promiseSentence({ objective, verdict, rowCount: judgedCount(counts), unknownLabels });
  return { ...labelled, labels: model.labels, accuracy: accuracyOfOutcomes(counts), message };
}

/** Whether that ends with exit code 5. */
export function isWorse({ verdict }: Pick<LabelledVersion, "verdict">): boolean {
  return verdict.state === "WORSE_THAN_PROMISED";
}

/** Case and spelling count, which a reader may not expect. */
function knownWords(labels: readonly string[]): string {
  const shown = labels.slice(0, LABELS_SHOWN).map(quotedName);
  return `it knows ${shown.join(", ")}${labels.length > LABELS_SHOWN ? ", …" : ""}, as they are written`;
}

export function outcomeLines(told: Omit<ToldLabels, "verdict">): string[] {
  const { objective, counts, labels, accuracy, score, confirmed, changedLabel, message } = told;
  const { unknownLabels, withoutLabel, unmatched } = counts;
  const promised = confirmed === null ? "" : `; confirmed in training ${scoreFigure(objective, confirmed)}`;
  const rows = `on ${formatAmount(judgedCount(counts), "row")} with a label`;
  const measure = MEASURE_NAMES[objective];
  const figures =
    objective === "accuracy"
      ? [["Accuracy", `${formatEstimate(accuracy)} ${rows}${promised}`]]
      : [
          [`${measure[0]!.toUpperCase()}${measure.slice(1)}`, `${scoreFigure(objective, score)} ${rows}${promised}`],
          ["Accuracy", formatEstimate(accuracy)],
        ];
  const notes = [
    ...(unknownLabels > 0
      ? [
          `${formatAmount(unknownLabels, "row")} with a label that the model does ` +
            `not know (${knownWords(labels)}): wrong`,
        ]
      : []),
    ...(withoutLabel > 0 ? [`${formatAmount(withoutLabel, "row")} without a label so far`] : []),
    ...(unmatched > 0 ? [`${formatAmount(unmatched, "label")} of other rows`] : []),
  ];
  const shares = changedLabelSentence(changedLabel);
  return [
    message,
    PROMISE_CONDITION,
    ...(shares === "" ? [] : [printable(shares)]),
    "",
    ...figures.map(([name, figure]) => `${name!.padEnd(19)}${figure}`),
    ...notes.map((note) => `                   ${note}`),
    "",
    ...confusionLines({ labels, confusion: counts.confusion }),
  ];
}

/** Rows by actual label (first) and decision. */
function confusionLines(scored: { labels: readonly string[]; confusion: number[][] }): string[] {
  const { confusion } = scored;
  const labels = scored.labels.map(printable);
  const widest = Math.min(30, Math.max(10, ...labels.map(({ length }) => length)));
  const cell = (text: string) => text.slice(0, widest).padStart(widest);
  return [
    [cell("actual"), ...labels.map((label) => cell(`→ ${label}`))].join("  "),
    ...confusion.map((row, at) => [cell(labels[at]!), ...row.map((count) => cell(formatCount(count)))].join("  ")),
  ];
}
