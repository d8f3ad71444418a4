// A model's answer for coded rows: tempered probabilities and decisions.

import { scoreModel } from "../families/algorithms.ts";
import { decide } from "../judging/metrics.ts";
import { applyTemperature } from "../judging/temperature.ts";
import type { ModelFile } from "../model/model-file.ts";
import { rowsUpTo } from "../row-lists.ts";
import type { CodedView } from "../table/buckets.ts";

/**
 * Scores all rows of a view with the model's bucketing: `rows × classes` probabilities, and each row's decided class.
 */
export function answerOf(
  modelFile: ModelFile,
  view: CodedView,
): { probabilities: Float64Array; decisions: Uint8Array } {
  const { model, labels, temperature = 1, classWeights, costs } = modelFile;
  const classCount = labels.length;
  const probabilities = scoreModel(model, view, rowsUpTo(view.rowCount));
  // Tempering keeps the order of the classes except for rounding: what decides is the model's own answer.
  const plain = decide(probabilities, classCount);
  applyTemperature(probabilities, classCount, temperature);
  const isPlain = classWeights === undefined && costs === undefined;
  return { probabilities, decisions: isPlain ? plain : decide(probabilities, classCount, modelFile) };
}
