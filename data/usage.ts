// Room that the files of users take, by the sizes in their rows: the base of quotas.
import type { Database } from "./database/database.ts";
import type { UploadKind } from "./database/states.ts";

/** Bytes of the files that rows name; files of deleted refinements and datasets count while they are kept. */
export interface Usage {
  refinements: number;
  /** Without those made of a refinement: their file is the refinement's. With rows that a successor keeps aside. */
  datasets: number;
  /** With the labels that came later. */
  predictions: number;
  models: number;
  /** Files that are sent in pieces and not whole yet: by their whole size. */
  unfinished: number;
}

const SIZES = {
  refinements: `SELECT sum(file.sizeBytes) AS bytes
    FROM refinements CROSS JOIN refinementFiles AS file ON file.refinementKey = refinements.key WHERE userKey = ?`,
  datasets:
    "SELECT sum(sizeBytes) AS bytes FROM datasets WHERE filePath IS NOT NULL AND source = 'UPLOAD' AND userKey = ?",
  predictions: `SELECT sum(coalesce(inputBytes, 0) + coalesce(resultBytes, 0)) AS bytes
    FROM predictions WHERE deletedOn IS NULL AND userKey = ?`,
  models: "SELECT sum(sizeBytes) AS bytes FROM models WHERE deletedOn IS NULL AND userKey = ?",
  unfinished: "SELECT sum(sizeBytes) AS bytes FROM resumableUploads WHERE completedOn IS NULL AND userKey = ?",
} as const satisfies Record<keyof Usage, string>;

const OF_LATER_LABELS = "SELECT sum(bytes) AS bytes FROM predictionOutcomes WHERE userKey = ?";
const OF_KEPT_ROWS = "SELECT sum(keptBytes) AS bytes FROM successors WHERE userKey = ?";

/** Reads one index entry per file of the user. */
export function usageOf({ client }: Database, userKey: string): Usage {
  const bytesOf = (question: string) =>
    client.query<{ bytes: number | null }, [string]>(question).get(userKey)!.bytes ?? 0;
  const kinds = Object.entries(SIZES).map(([kind, question]) => [kind, bytesOf(question)]);
  const usage = Object.fromEntries(kinds) as Usage;
  return {
    ...usage,
    datasets: usage.datasets + bytesOf(OF_KEPT_ROWS),
    predictions: usage.predictions + bytesOf(OF_LATER_LABELS),
  };
}

/** Bytes used by all users together. */
export function usageOfAll(database: Database): number {
  const users = database.client.query<{ key: string }, []>("SELECT key FROM users").all();
  return users.reduce((sum, { key }) => sum + totalOf(usageOf(database, key)), 0);
}

export function totalOf({ refinements, datasets, predictions, models, unfinished }: Usage): number {
  return refinements + datasets + predictions + models + unfinished;
}

const OWNERS = {
  DATASET: `SELECT userKey, iif(filePath IS NULL, 0, sizeBytes) AS replacedBytes FROM datasets WHERE key = ?1 AND ?2 <> ''`,
  PREDICTION: "SELECT userKey, 0 AS replacedBytes FROM predictionUploads WHERE key = ?1 AND ?2 <> ''",
  REFINEMENT: `SELECT userKey, coalesce((SELECT sizeBytes FROM refinementFiles
    WHERE refinementKey = refinements.key AND kind = ?2 AND purpose = 'UPLOAD'), 0) AS replacedBytes
    FROM refinements WHERE key = ?1`,
} as const;

/** The owner of an upload, and the bytes of an earlier one that it would replace; null for an unknown key. */
export function uploadOwner(
  database: Database,
  key: string,
  kind: UploadKind,
): { userKey: string; replacedBytes: number } | null {
  const question = kind === "DATASET" || kind === "PREDICTION" ? OWNERS[kind] : OWNERS.REFINEMENT;
  return database.client.query<{ userKey: string; replacedBytes: number }, [string, string]>(question).get(key, kind);
}
