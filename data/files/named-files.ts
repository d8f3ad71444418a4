// Every file that the rows of a database name: backups contain them, none may be missing, all others are orphans.
import type { Database as Client } from "bun:sqlite";
import { statePaths } from "./state-folder.ts";

export interface NamedFile {
  /** Relative to the state folder, as the row has it. */
  path: string;
  /** As the row has them; null where it does not. */
  sizeBytes: number | null;
  sha256: string | null;
  /** False where the row is deleted or its job is not done: the file may be missing. */
  isRequired: boolean;
}

type Row = Omit<NamedFile, "isRequired"> & { isRequired: number };

/** Works on every form of the database: columns are only ever added. One path may stand in several rows. */
const NAMED = `SELECT path, max(sizeBytes) AS sizeBytes, max(sha256) AS sha256, max(isRequired) AS isRequired FROM (
  SELECT file.path, file.sizeBytes, file.sha256, refinements.deletedOn IS NULL AS isRequired
    FROM refinementFiles AS file JOIN refinements ON refinements.key = file.refinementKey
  UNION ALL
  SELECT filePath, sizeBytes, sha256, deletedOn IS NULL AND status <> 'FAILED' FROM datasets WHERE filePath IS NOT NULL
  UNION ALL
  SELECT filePath, NULL, NULL, 1
    FROM modelVersions JOIN models ON models.key = modelVersions.modelKey WHERE models.deletedOn IS NULL
  UNION ALL
  SELECT inputPath, NULL, NULL, 1 FROM predictions WHERE deletedOn IS NULL AND inputPath IS NOT NULL
  UNION ALL
  SELECT resultPath, NULL, NULL, 1 FROM predictions WHERE deletedOn IS NULL AND resultPath IS NOT NULL
) GROUP BY path`;

const MODELS = "SELECT key FROM models WHERE deletedOn IS NULL";

const UNFINISHED = `SELECT key FROM refinements WHERE queuedOn IS NOT NULL AND finishedOn IS NULL
  UNION ALL SELECT key FROM trainingJobs WHERE status IN ('PENDING', 'RUNNING')`;

/** Databases of earlier forms have no such tables. */
const LATER = {
  predictionOutcomes: "SELECT path, bytes FROM predictionOutcomes WHERE path IS NOT NULL",
  successors: "SELECT keptPath AS path, keptBytes AS bytes FROM successors WHERE keptPath IS NOT NULL",
} as const;
const HAS_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";

/**
 * Each path once. The statement stays open until the last one: where others write to the database, take all at once.
 */
export function* namedFiles(client: Client): Generator<NamedFile> {
  for (const row of client.query<Row, []>(NAMED).iterate()) yield { ...row, isRequired: row.isRequired === 1 };
  for (const [table, files] of Object.entries(LATER)) {
    if (client.query(HAS_TABLE).get(table) === null) continue;
    for (const { path, bytes } of client.query<{ path: string; bytes: number }, []>(files).iterate()) {
      yield { path, sizeBytes: bytes, sha256: null, isRequired: true };
    }
  }
  const known = { sizeBytes: null, sha256: null, isRequired: true };
  for (const { key } of client.query<{ key: string }, []>(MODELS).iterate()) {
    yield { path: statePaths.modelSummary(key), ...known };
    yield { path: statePaths.modelReport(key), ...known };
  }
  for (const { key } of client.query<{ key: string }, []>(UNFINISHED).iterate()) {
    yield { path: statePaths.journal(key), ...known, isRequired: false };
  }
}
