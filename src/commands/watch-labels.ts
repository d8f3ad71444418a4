// `cupel watch --labels`: labels that came after `cupel predict`, beside what
// it predicted; is the version worse than promised?
import { dayOf } from "../../data/watch-counts.ts";
import { quotedName } from "../../engine/csv/header.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import { readWatchedModel, type WatchedModel } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { accuracyOf, judgedCount, type OutcomeColumns } from "../../engine/watch/outcomes.ts";
import { countOutcomes } from "../../workers/count-outcomes.ts";
import { withParts } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../exit-codes.ts";
import { formatAmount, formatEstimate } from "../format.ts";
import { addOutcomesToFile, countedModel, hashOf } from "../watching/counts-file.ts";
import { type DayOutcomes, type LabelledVersion, labelledVersion } from "../watching/version-outcomes.ts";
import { MEASURE_NAMES, scoreFigure } from "../words/objective-words.ts";
import { PROMISE_CONDITION, promiseSentence } from "../words/outcome-words.ts";
import type { Console } from "./console.ts";
import { confusionLines } from "./watch.ts";

const LABELS_SHOWN = 10;

export interface WatchLabelsOptions extends OutcomeColumns {
  modelPath: string;
  labelsPath: string;
  /** The file that `cupel predict` wrote. */
  predictedPath: string;
  /** Adds the counts to this file, and judges all that are in it; null to judge these labels alone. */
  countsPath: string | null;
  hasHeader: boolean;
  json: boolean;
}

/** Exit code 5 where the version is worse than promised. @throws InputError where a file cannot be used */
export async function watchLabels(
  options: WatchLabelsOptions,
  console: Console,
  now: Date = new Date(),
): Promise<number> {
  const { modelPath, predictedPath, countsPath, json } = options;
  const model = withParts(modelPath, readWatchedModel);
  const counts = countOutcomes({ ...options, resultPath: predictedPath }, neverStop);
  const added = { predicted: hashOf(predictedPath), day: dayOf(now), counts };
  const all = countsPath === null ? [added] : await addOutcomesToFile(countsPath, countedModel(modelPath), added);
  const labelled = toldLabels(model, all);
  if (json) console.print(JSON.stringify(labelled));
  else console.print(...outcomeLines(labelled));
  return labelled.verdict.state === "WORSE_THAN_PROMISED" ? EXIT.shifted : EXIT.done;
}

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
  return { ...labelled, labels: model.labels, accuracy: accuracyOf(counts), message };
}

/** Case and spelling count, which a reader may not expect. */
function knownWords(labels: readonly string[]): string {
  const shown = labels.slice(0, LABELS_SHOWN).map(quotedName);
  return `it knows ${shown.join(", ")}${labels.length > LABELS_SHOWN ? ", …" : ""}, as they are written`;
}

export function outcomeLines(told: Omit<ToldLabels, "verdict">): string[] {
  const { objective, counts, labels, accuracy, score, confirmed, message } = told;
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
  return [
    message,
    PROMISE_CONDITION,
    "",
    ...figures.map(([name, figure]) => `${name!.padEnd(19)}${figure}`),
    ...notes.map((note) => `                   ${note}`),
    "",
    ...confusionLines({ labels: [...labels], confusion: counts.confusion }),
  ];
}
