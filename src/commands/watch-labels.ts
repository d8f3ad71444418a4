// `cupel watch --labels`: labels that came after `cupel predict`, beside what
// it predicted; is the version worse than promised?
import { dayOf } from "../../data/watch-counts.ts";
import { quotedName } from "../../engine/csv/header.ts";
import { readWatchedModel, type WatchedModel } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import {
  accuracyOf,
  addOutcomes,
  judgedCount,
  noOutcomes,
  type OutcomeColumns,
  type OutcomeCounts,
} from "../../engine/watch/outcomes.ts";
import { countOutcomes } from "../../workers/count-outcomes.ts";
import { withParts } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../exit-codes.ts";
import { formatAmount, formatEstimate } from "../format.ts";
import { addOutcomesToFile, countedModel, hashOf } from "../watching/counts-file.ts";
import { type DatedVerdict, type DayOutcomes, joinDays, judgeDays } from "../watching/version-outcomes.ts";
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
  const labelled = labelledVersion(model, all);
  if (json) console.print(JSON.stringify(labelled));
  else console.print(...outcomeLines(labelled));
  return labelled.verdict.state === "WORSE_THAN_PROMISED" ? EXIT.shifted : EXIT.done;
}

interface LabelledFigures {
  counts: OutcomeCounts;
  labels: readonly string[];
  accuracy: ReturnType<typeof accuracyOf>;
  confirmed: ReturnType<typeof accuracyOf>;
  message: string;
}

interface LabelledVersion extends LabelledFigures {
  verdict: DatedVerdict;
}

/**
 * Adds up a version's labels. A threshold changed since training is held to nothing: no accuracy was confirmed for it.
 */
export function labelledVersion(model: WatchedModel, outcomes: readonly DayOutcomes[]): LabelledVersion {
  const counts = noOutcomes(model.labels.length);
  for (const { counts: own } of outcomes) addOutcomes(counts, own);
  const isAsTrained = model.trainedClassWeights === undefined;
  const confirmed = isAsTrained ? model.lineage.performance.confirmedPerformance : null;
  const verdict = judgeDays(confirmed, joinDays(outcomes));
  const message = promiseSentence({ verdict, rowCount: judgedCount(counts), unknownLabels: counts.unknownLabels });
  return { counts, labels: model.labels, accuracy: accuracyOf(counts), confirmed, verdict, message };
}

/** Case and spelling count, which a reader may not expect. */
function knownWords(labels: readonly string[]): string {
  const shown = labels.slice(0, LABELS_SHOWN).map(quotedName);
  return `it knows ${shown.join(", ")}${labels.length > LABELS_SHOWN ? ", …" : ""}, as they are written`;
}

export function outcomeLines({ counts, labels, accuracy, confirmed, message }: LabelledFigures): string[] {
  const { unknownLabels, withoutLabel, unmatched } = counts;
  const promised = confirmed === null ? "" : `; confirmed in training ${formatEstimate(confirmed)}`;
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
    `Accuracy           ${formatEstimate(accuracy)} on ` +
      `${formatAmount(judgedCount(counts), "row")} with a label${promised}`,
    ...notes.map((note) => `                   ${note}`),
    "",
    ...confusionLines({ labels: [...labels], confusion: counts.confusion }),
  ];
}
