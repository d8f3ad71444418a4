// Measures the cost of a model's age, by time: two models judge the newest rows,
// one learned from all before, one ended earlier.
import { clusterVariance, countClusters } from "../../engine/judging/clustered-interval.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { confirmingParts, splitByPart } from "../../engine/splits/holdout.ts";
import { sumOf } from "../../engine/sums.ts";
import type { Ageing } from "../verdict/doubts.ts";
import type { KeptVersion } from "./kept-version.ts";

/** Null where the version was not judged by time alone, or not confirmed. */
export function ageingOf(
  { attempt, confirmed, confirmations }: Pick<KeptVersion, "confirmed" | "confirmations"> & FreshDecisions,
  { table, parts, split, clusters }: Pick<TrainingTask, "table" | "parts" | "split" | "clusters">,
): Ageing | null {
  if (parts.dealt !== null || clusters === null || confirmed === null) return null;
  const { decisions } = attempt.answer.holdout;
  const isWrongOf = new Map(Array.from(split.judging, (row, at) => [row, decisions[at] !== table.classes[row]]));
  const rows: number[] = [];
  const losses: number[] = [];
  for (const [index, part] of confirmingParts(parts).entries()) {
    const { judging } = splitByPart(parts, part);
    // The confirmation counted the same rows in the same order, so its clusters are these.
    const fresh = countClusters(judging, (at) => isWrongOf.get(judging[at]!) === true, clusters);
    const aged = confirmations[index]!.clusters!;
    rows.push(...fresh.rows);
    losses.push(...aged.wrong.map((wrong, place) => wrong - fresh.wrong[place]!));
  }
  const rowCount = sumOf(rows);
  const mean = sumOf(losses) / rowCount;
  const error = Math.sqrt(clusterVariance(rows, losses, mean));
  return { fresh: confirmed.mean + mean, aged: confirmed.mean, z: mean <= 0 ? 0 : mean / error };
}

interface FreshDecisions {
  attempt: { answer: { holdout: { decisions: Uint8Array } } };
}
