// Rows, settings and scores for tests of additive logistic regression.

import { type AdditiveTrees, scoreAdditiveTrees } from "../../../engine/boosting/boosted-trees.ts";
import type { AdditiveSettings } from "../../../engine/boosting/boosting-settings.ts";
import type { FitInput } from "../../../engine/families/family.ts";

export const plain: AdditiveSettings = {
  roundCount: 3,
  learningRate: 0.3,
  maxDepth: 3,
  maxLeaves: 8,
  featureShare: 1,
  rowShare: 1,
  l2: 1,
  minLeafRows: 1,
};

export function everyRow(input: FitInput): Uint32Array {
  return Uint32Array.from({ length: input.view.rowCount }, (_, row) => row);
}

/** Class probabilities of all rows of the view. */
export function scores(model: AdditiveTrees, input: FitInput): Float64Array {
  const rows = everyRow(input);
  const out = new Float64Array(rows.length * input.classCount).fill(7);
  scoreAdditiveTrees(model, input.view, rows, out);
  return out;
}
