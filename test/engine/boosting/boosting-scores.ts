// Rows, settings and scores for tests of gradient boosting.

import { type BoostedTrees, scoreBoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import type { BoostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { everyRow } from "../../support/tables.ts";

export const plain: BoostingSettings = {
  roundCount: 3,
  learningRate: 0.3,
  maxDepth: 3,
  maxLeaves: 8,
  featureShare: 1,
  rowShare: 1,
  l2: 1,
  minLeafRows: 1,
};

/** Class probabilities of all rows of the view. */
export function scores(model: BoostedTrees, input: FitInput): Float64Array {
  const rows = everyRow(input.view);
  const out = new Float64Array(rows.length * input.classCount).fill(7);
  scoreBoostedTrees(model, input.view, rows, out);
  return out;
}
