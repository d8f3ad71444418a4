// Measures the cost of a model's age, by time: two models judge the newest rows,
// one learned from all before, one ended earlier.
import { clusterVariance, sumsByCluster } from "../../engine/judging/clusters.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { meanOf } from "../../engine/sums.ts";
import type { Ageing } from "../verdict/doubts.ts";
import { confirmedDecisions, confirmingRows, type KeptVersion } from "./kept-version.ts";

/** Null where the version was not judged by time alone, or not confirmed. */
export function ageingOf(
  { attempt, confirmed, confirmations }: Pick<KeptVersion, "confirmed" | "confirmations"> & FreshDecisions,
  { table, parts, split, clusters }: Pick<TrainingTask, "table" | "parts" | "split" | "clusters">,
): Ageing | null {
  if (parts.dealt !== null || clusters === null || confirmed === null) return null;
  const { decisions } = attempt.answer.holdout;
  const isWrongOf = new Map(Array.from(split.judging, (row, at) => [row, decisions[at] !== table.classes[row]]));
  const judgedRows = confirmingRows({ table, parts });
  const aged = confirmedDecisions(confirmations);
  const losses = Array.from(
    judgedRows.rows,
    (row, at) => Number(aged[at] !== table.classes[row]) - Number(isWrongOf.get(row)!),
  );
  const mean = meanOf(losses);
  const aboveMean = losses.map((loss) => (loss - mean) / losses.length);
  const error = Math.sqrt(clusterVariance(sumsByCluster(judgedRows.rows, clusters, aboveMean)));
  return { fresh: confirmed.mean + mean, aged: confirmed.mean, z: mean <= 0 ? 0 : mean / error };
}

interface FreshDecisions {
  attempt: { answer: { holdout: { decisions: Uint8Array } } };
}
