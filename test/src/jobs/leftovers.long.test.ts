// A start removes the unfinished work of killed processes, sets whole files aside, and touches nothing that a row or a
// journal names.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDatabase } from "../../../data/database/database.ts";
import { checkState } from "../../../data/database/state-check.ts";
import { deleteDataset } from "../../../data/datasets.ts";
import { namedFiles } from "../../../data/files/named-files.ts";
import { openStateFolder, statePaths } from "../../../data/files/state-folder.ts";
import { openUnitJournal } from "../../../data/files/unit-journal.ts";
import { deleteModel } from "../../../data/models.ts";
import { claimNextPrediction, completePrediction, deletePrediction } from "../../../data/predictions.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import { claimNextRefinement } from "../../../data/refinements/refinement-runs.ts";
import { deleteRefinement } from "../../../data/refinements/refinements.ts";
import { insertResumable } from "../../../data/resumable-uploads.ts";
import { cancelTrainingJob } from "../../../data/training-jobs.ts";
import { claimNextTrainingJob, finishTrainingJob } from "../../../data/training-runs.ts";
import { RESULT_FILES_UNIT } from "../../../src/jobs/flow-refinement.ts";
import { MODEL_KEY_UNIT } from "../../../src/jobs/flow-training.ts";
import { type Leftovers, removeLeftovers } from "../../../src/jobs/leftovers.ts";
import { addModel, addDataset as addReadyDataset } from "../../data/state.ts";
import { withFolder } from "../../support/folders.ts";
import {
  addDataset,
  addPrediction,
  addRefinement,
  addTraining,
  filesIn,
  type JobState,
  storeTable,
  withJobState,
} from "../../support/job-state.ts";

const NONE: Leftovers = { files: 0, results: 0, models: 0, journals: 0, parts: 0, unfinished: 0, setAside: 0 };
const NOW = new Date();
const DAY = new Date("2031-05-06T12:00:00.000Z");
const ASIDE = "unnamed-20310506";

const sweep = ({ database, state, faults }: JobState) =>
  removeLeftovers(database, state, (fault) => faults.push(fault), DAY);

function put({ state }: JobState, path: string, content = "left"): string {
  const place = state.locate(path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
  return path;
}

const exist = ({ state }: JobState, paths: readonly string[]) => paths.map((path) => existsSync(state.locate(path)));

/** A model of a COMPLETED job with all its files. */
function addModelFiles(jobs: JobState): { key: string; paths: string[] } {
  const model = addModel(jobs.database, addReadyDataset(jobs.database, jobs.ann));
  const paths = [
    ...model.versions.map(({ filePath }) => filePath),
    statePaths.modelSummary(model.key),
    statePaths.modelReport(model.key),
  ];
  for (const path of paths) put(jobs, path);
  return { key: model.key, paths };
}

describe("a start", () => {
  test("removes unfinished work and sets whole files aside, and touches nothing that is not called as our files are", () =>
    withJobState(async (jobs) => {
      const [gone, key] = [randomUUID(), randomUUID()];
      const whole = [
        put(jobs, statePaths.file(gone)),
        put(jobs, statePaths.result(gone)),
        put(jobs, statePaths.modelVersion(gone, 1)),
        put(jobs, statePaths.modelSummary(gone)),
      ];
      mkdirSync(jobs.state.locate(statePaths.modelFolder(key)));
      put(jobs, statePaths.journal(gone));
      put(jobs, `files/.${gone}.csv.${key}.part`);
      put(jobs, `models/${randomUUID()}/.v2.cupel.${key}.part`);
      const foreign = [
        put(jobs, "files/notes.txt"),
        put(jobs, "files/.keep"),
        put(jobs, `results/${gone}.csv.bak`),
        put(jobs, `models/${randomUUID()}/notes.txt`),
        put(jobs, "journals/README"),
      ];
      expect(sweep(jobs)).toEqual({ ...NONE, models: 2, journals: 1, parts: 2, setAside: 4 });
      expect(exist(jobs, foreign)).toEqual(foreign.map(() => true));
      expect(exist(jobs, whole)).toEqual(whole.map(() => false));
      const aside = whole.map((path) => `${ASIDE}/${path}`);
      expect(exist(jobs, aside)).toEqual(whole.map(() => true));
      expect(filesIn(jobs, "models")).toHaveLength(1);
      expect([sweep(jobs), jobs.faults]).toEqual([NONE, []]);
    }));

  test("on an earlier database loses nothing of a later one, which has all again at its start", () =>
    withJobState(async (jobs) => {
      const { database, folder } = jobs;
      database.client.run("VACUUM INTO ?", [join(folder, "earlier.db")]);
      const model = addModelFiles(jobs);
      const done = addPrediction(jobs, model.key, "a\n");
      claimNextPrediction(database, NOW);
      const resultPath = put(jobs, statePaths.result(done.key));
      completePrediction(database, done.key, { resultPath, resultBytes: 4, rowCount: 0, warnings: [] }, NOW);
      const paths = [...namedFiles(database.client)].map(({ path }) => path);
      expect(paths).toEqual(expect.arrayContaining([...model.paths, done.inputPath!, resultPath]));
      const there = paths.filter((path) => existsSync(jobs.state.locate(path)));
      const use = (file: string) => {
        jobs.database.close();
        for (const name of ["cupel.db", "cupel.db-wal", "cupel.db-shm"]) rmSync(join(folder, name), { force: true });
        copyFileSync(join(folder, file), join(folder, "cupel.db"));
        jobs.reopen();
      };
      database.client.run("VACUUM INTO ?", [join(folder, "later.db")]);
      use("earlier.db");
      expect(sweep(jobs)).toEqual({ ...NONE, setAside: there.length });
      expect(exist(jobs, there)).toEqual(there.map(() => false));
      use("later.db");
      checkState(jobs.database, folder, true);
      expect(exist(jobs, there)).toEqual(there.map(() => true));
      expect(sweep(jobs)).toEqual(NONE);
    }));

  test("settles uploads in pieces: a whole file that no row names is unfinished again, and bytes of none go", () =>
    withJobState(async (jobs) => {
      const { database, ann: userKey } = jobs;
      const [begun, whole, given] = [randomUUID(), randomUUID(), randomUUID()];
      for (const [key, kind] of [
        [begun, "TRAIN"],
        [whole, "TEST"],
      ] as const) {
        const upload = {
          key,
          resourceKey: given,
          kind,
          userKey,
          sizeBytes: 9,
          expiresOn: new Date(NOW.getTime() + 1_000),
        };
        insertResumable(database, upload, NOW);
      }
      put(jobs, statePaths.unfinished(begun));
      put(jobs, statePaths.unfinished(given));
      put(jobs, statePaths.file(whole), "all of it");
      expect(sweep(jobs)).toEqual({ ...NONE, unfinished: 1 });
      expect(filesIn(jobs, "unfinished").sort()).toEqual([begun, whole].sort());
      expect(filesIn(jobs, "files")).toEqual([]);
    }));

  test("leaves every file of a row that lives, and of deleted datasets and refinements, which are kept", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const refinement = addRefinement(jobs, "a,b\n", "a,b\n");
      const datasets = [addDataset(jobs, "a,b\n"), addDataset(jobs, "a,b\n")];
      deleteDataset(database, ann, datasets[1]!, NOW);
      const deleted = addRefinement(jobs, "a,b\n", "a,b\n");
      database.client.run("UPDATE refinements SET queuedOn = NULL WHERE key = ?", [deleted]);
      deleteRefinement(database, ann, deleted, NOW);
      const model = addModelFiles(jobs);
      const done = addPrediction(jobs, model.key, "a\n");
      claimNextPrediction(database, NOW);
      const resultPath = put(jobs, statePaths.result(done.key));
      completePrediction(database, done.key, { resultPath, resultBytes: 4, rowCount: 0, warnings: [] }, NOW);
      const waiting = addPrediction(jobs, model.key, "a\n");
      const named = [
        ...[refinement, deleted].flatMap((key) => listRefinementFiles(database, key).map(({ path }) => path)),
        ...model.paths,
        ...[done.inputPath!, resultPath, waiting.inputPath!],
      ];
      expect(named).toHaveLength(12);
      expect(sweep(jobs)).toEqual(NONE);
      expect(exist(jobs, named)).toEqual(named.map(() => true));
      expect(filesIn(jobs, "files")).toHaveLength(2 * 2 + 2 + 2);
    }));

  test("removes what a delete was about to, had the process not died", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const model = addModelFiles(jobs);
      const key = addPrediction(jobs, model.key, "a\n").key;
      deletePrediction(database, ann, key, NOW);
      deleteModel(database, ann, model.key, NOW);
      expect(sweep(jobs)).toEqual({ ...NONE, files: 1, models: 1 });
    }));

  test("goes by the status of jobs: what goes on keeps its journal, and what that names", () =>
    withJobState(async (jobs) => {
      const { database, ann, state } = jobs;
      const dataset = addReadyDataset(database, ann);
      const [cancelled, ended] = [addTraining(jobs, dataset.key), addTraining(jobs, dataset.key)];
      claimNextTrainingJob(database, NOW);
      // Its time is over, and it still has to publish what it has.
      expect(cancelTrainingJob(database, ann, cancelled, NOW)).toBe("CLOSING");
      claimNextTrainingJob(database, NOW);
      finishTrainingJob(database, ended, { status: "FAILED", model: null, errorReason: "No.", attempts: null }, NOW);
      const models = [cancelled, ended].map((job) => {
        const modelKey = randomUUID();
        const journal = openUnitJournal(state.locate(statePaths.journal(job)), "any");
        journal.append(MODEL_KEY_UNIT, modelKey);
        journal.close();
        return put(jobs, statePaths.modelVersion(modelKey, 1));
      });
      const refinement = addRefinement(jobs, "a,b\n", "a,b\n");
      claimNextRefinement(database, NOW);
      const keys = { TRAIN: randomUUID(), TEST: randomUUID() };
      const journal = openUnitJournal(state.locate(statePaths.journal(refinement)), "any");
      journal.append(RESULT_FILES_UNIT, keys);
      journal.close();
      const results = [put(jobs, statePaths.file(keys.TRAIN)), put(jobs, statePaths.file(keys.TEST))];
      expect(sweep(jobs)).toEqual({ ...NONE, models: 1, journals: 1 });
      expect(exist(jobs, [...models, ...results])).toEqual([true, false, true, true]);
      expect(filesIn(jobs, "journals").sort()).toEqual([cancelled, refinement].sort());
    }));

  test("removes nothing where the database is a new one, as after its loss", () =>
    withFolder(async (folder) => {
      const state = openStateFolder(folder);
      const database = openDatabase(folder);
      const path = statePaths.file(randomUUID());
      writeFileSync(state.locate(path), "a,b\n");
      expect(removeLeftovers(database, state, () => undefined)).toEqual(NONE);
      expect(existsSync(state.locate(path))).toBeTrue();
      database.close();
    }));

  test("removes nothing where a journal cannot be read, and reports that", () =>
    withJobState(async (jobs) => {
      put(jobs, statePaths.file(randomUUID()));
      const job = addTraining(jobs, addReadyDataset(jobs.database, jobs.ann).key);
      mkdirSync(jobs.state.locate(statePaths.journal(job)));
      expect([sweep(jobs), jobs.faults.length]).toEqual([NONE, 1]);
    }));

  test("leaves a folder that stands where a file should, and goes on", () =>
    withJobState(async (jobs) => {
      const odd = statePaths.file(randomUUID());
      mkdirSync(jobs.state.locate(`${odd}/inner`), { recursive: true });
      const part = `files/.x.${randomUUID()}.part`;
      put(jobs, part);
      storeTable(jobs, "a,b\n");
      expect(sweep(jobs)).toEqual({ ...NONE, setAside: 1, parts: 1 });
      expect(exist(jobs, [odd])).toEqual([true]);
    }));
});
