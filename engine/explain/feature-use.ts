// How much each form of model uses each feature, in units of its own: what importance is measured for first.

import type { BayesNetworks } from "../bayes/bayes-networks.ts";
import type { PairedModel } from "../fitting/pair-columns.ts";
import type { ScoreTables } from "../fitting/score-tables.ts";
import type { TreeNodes } from "../fitting/tree-nodes.ts";

/** Splits on each feature. */
export function splitCounts({ children, features, featureCount }: TreeNodes): Float64Array {
  const counts = new Float64Array(featureCount);
  for (let node = 0; node < children.length; node++) if (children[node]! >= 0) counts[features[node]!]!++;
  return counts;
}

/** The range of each feature's contributions. */
export function tableSpreads({ tables }: ScoreTables): Float64Array {
  return Float64Array.from(tables, (entries) => {
    let least = 0;
    let most = 0;
    for (const entry of entries ?? []) {
      least = Math.min(least, entry);
      most = Math.max(most, entry);
    }
    return most - least;
  });
}

/** The same; the spread of a joint column counts for both of its features. */
export function pairedSpreads({ additive, pairs }: PairedModel): Float64Array {
  const spreads = tableSpreads(additive);
  const featureCount = spreads.length - pairs.firsts.length;
  const uses = spreads.slice(0, featureCount);
  for (let pair = 0; pair < pairs.firsts.length; pair++) {
    for (const column of [pairs.firsts[pair]!, pairs.seconds[pair]!]) {
      uses[pairs.columns.features[column]!]! += spreads[featureCount + pair]!;
    }
  }
  return uses;
}

/** Nodes of each feature. */
export function nodeCounts({ nodeColumns, columns }: BayesNetworks, featureCount: number): Float64Array {
  const uses = new Float64Array(featureCount);
  for (const column of nodeColumns) uses[columns.features[column]!]!++;
  return uses;
}
