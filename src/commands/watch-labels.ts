// `cupel watch --labels`: labels that came after `cupel predict`, beside what
// it predicted; is the version worse than promised?
import { dayOf } from "../../data/watch-counts.ts";
import { readWatchedModel } from "../../engine/model/model-file.ts";
import type { OutcomeColumns } from "../../engine/outcomes/outcomes.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { countOutcomes } from "../../workers/count-outcomes.ts";
import { withParts } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../common/exit-codes.ts";
import { addOutcomesToFile, countedModel, hashOf } from "../watching/counts-file.ts";
import type { Console } from "./console.ts";
import { isWorse, outcomeLines, toldLabels } from "./told-labels.ts";

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
  return isWorse(labelled) ? EXIT.shifted : EXIT.done;
}
