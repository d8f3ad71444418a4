// A state folder with something of every kind in it: rows, the files that they name, and a job under way.
import { createHash, randomUUID } from "node:crypto";
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Database } from "../../data/database/database.ts";
import { copyDatabase } from "../../data/database/migrate.ts";
import { openSecrets } from "../../data/database/secret.ts";
import { claimNextDataset, completeDataset } from "../../data/dataset-processing.ts";
import { insertDataset } from "../../data/datasets.ts";
import type { StoredFile } from "../../data/files/file-store.ts";
import { openStateFolder, type StateFolder, statePaths } from "../../data/files/state-folder.ts";
import { openUnitJournal } from "../../data/files/unit-journal.ts";
import { claimNextPrediction, completePrediction, insertPrediction } from "../../data/predictions.ts";
import { putRefinementFile } from "../../data/refinements/refinement-files.ts";
import { claimNextTrainingJob } from "../../data/training-runs.ts";
import { addModel, addRefinement, addTrainingJob, addUser, FACTS, NOON, newDataset } from "../data/state.ts";
import { openNewDatabase } from "./new-database.ts";

export interface FilledState {
  folder: string;
  state: StateFolder;
  database: Database;
  /** The key of a user. */
  ann: string;
  datasetKey: string;
  modelKey: string;
  predictionKey: string;
  /** Of the training job under way. */
  jobKey: string;
  /** Every file that a row names, relative to the folder. */
  paths: string[];
}

/** Leaves the database open. */
export function fillState(folder: string): FilledState {
  const state = openStateFolder(folder);
  const database = openNewDatabase(folder, NOON);
  openSecrets(folder, database);
  const ann = addUser(database, "ann@example.com");
  const paths: string[] = [];
  const place = (path: string, content: string): StoredFile => {
    paths.push(path);
    return placeFile(state, path, content);
  };

  const refinement = addRefinement(database, ann);
  for (const kind of ["TRAIN", "TEST"] as const) {
    for (const purpose of ["UPLOAD", "RESULT"] as const) {
      const file = place(statePaths.file(randomUUID()), `${kind} ${purpose}\n`.repeat(100));
      putRefinementFile(database, refinement.key, kind, purpose, file, NOON);
    }
  }
  const file = place(statePaths.file(randomUUID()), "x,y\n1,yes\n".repeat(1000));
  const dataset = insertDataset(database, newDataset(ann, { origin: { kind: "DIRECT_UPLOAD", file } }), NOON)!;
  claimNextDataset(database);
  completeDataset(database, dataset.key, FACTS, NOON);

  const { key: modelKey, versions } = addModel(database, dataset);
  versions.forEach(({ filePath }, index) => {
    place(filePath, `model ${index + 1}`);
  });
  place(statePaths.modelSummary(modelKey), "{}\n");
  place(statePaths.modelReport(modelKey), "<!doctype html>");

  const predictionKey = randomUUID();
  const input = place(statePaths.file(predictionKey), "x\n1\n");
  const asked = { key: predictionKey, userKey: ann, modelKey, version: 1, filterColumns: false };
  insertPrediction(database, { ...asked, inputPath: input.path, inputBytes: input.sizeBytes }, NOON);
  claimNextPrediction(database, NOON);
  const { path: resultPath, sizeBytes: resultBytes } = place(statePaths.result(predictionKey), "x,prediction\n1,yes\n");
  completePrediction(database, predictionKey, { resultPath, resultBytes, rowCount: 1, warnings: [] }, NOON);

  const job = addTrainingJob(database, dataset);
  claimNextTrainingJob(database, NOON);
  const journal = openUnitJournal(state.locate(statePaths.journal(job.key)), "of a test");
  journal.append("model key", randomUUID());
  journal.close();
  paths.push(statePaths.journal(job.key));
  return { folder, state, database, ann, datasetKey: dataset.key, modelKey, predictionKey, jobKey: job.key, paths };
}

/**
 * The same in a folder below that nobody has ever had open: a copy. A connection that was closed is still there until
 * its statements are collected, and would see the file change under it.
 */
export function fillAtRest(root: string): Omit<FilledState, "database"> {
  const { database, ...filled } = fillState(join(root, "filled"));
  const folder = join(root, "state");
  copyDatabase(database.client, join(root, "copy.db"));
  database.close();
  cpSync(filled.folder, folder, { recursive: true, filter: (path) => !path.includes("cupel.db") });
  renameSync(join(root, "copy.db"), join(folder, "cupel.db"));
  rmSync(filled.folder, { recursive: true });
  return { ...filled, folder, state: openStateFolder(folder) };
}

export function placeFile({ locate }: Pick<StateFolder, "locate">, path: string, content: string): StoredFile {
  mkdirSync(dirname(locate(path)), { recursive: true });
  writeFileSync(locate(path), content, { mode: 0o600 });
  return { path, sizeBytes: Buffer.byteLength(content), sha256: createHash("sha256").update(content).digest("hex") };
}
