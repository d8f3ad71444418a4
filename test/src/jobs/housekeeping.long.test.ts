// What goes with time: uploads that never came, and files that are kept no longer; and when a clock is not believed.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { COMMAND_LINE, listAudit, recordAudit } from "../../../data/audit.ts";
import { deleteDataset, findDataset } from "../../../data/datasets.ts";
import { listAsides, setAside } from "../../../data/files/set-aside.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { countKeptAnswers, insertKeptAnswer } from "../../../data/kept-answers.ts";
import { claimNextPrediction, completePrediction, findOwnedPrediction } from "../../../data/predictions.ts";
import { listRefinementFiles, storeRefinementUpload } from "../../../data/refinements/refinement-files.ts";
import { deleteRefinement, findOwnedRefinement, insertRefinement } from "../../../data/refinements/refinements.ts";
import { insertResumable } from "../../../data/resumable-uploads.ts";
import { insertSuccessor, type Successor, stepSuccessor } from "../../../data/successors.ts";
import { totalOf, usageOf, usageOfAll } from "../../../data/usage.ts";
import { addWatchCounts, listWatchDays } from "../../../data/watch-counts.ts";
import { removeUser } from "../../../src/auth/remove-user.ts";
import { Housekeeping } from "../../../src/jobs/housekeeping.ts";
import { UploadsUnderWay } from "../../../src/storage/uploads-under-way.ts";
import { addModel, addDataset as addReadyDataset } from "../../data/state.ts";
import {
  addDataset,
  addPrediction,
  filesIn,
  type JobState,
  storeTable,
  until,
  withJobState,
} from "../../support/job-state.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Two clocks that go on together. */
class Clocks {
  dayMs = Date.now();
  steadyMs = 1_000;

  pass(ms: number): void {
    this.dayMs += ms;
    this.steadyMs += ms;
  }
}

function keep({ database, state, faults }: JobState, clocks: Clocks, changes: Partial<typeof UNLIMITED>) {
  const storage = { ...UNLIMITED, ...changes };
  const uploads = new UploadsUnderWay();
  const services = { database, state, storage, uploads, report: (fault: unknown) => faults.push(fault) };
  return new Housekeeping(services, clocks.dayMs, clocks.steadyMs);
}

/** A deleted dataset with its file; its path. */
function addDeleted(jobs: JobState, now: Date = new Date()): string {
  const key = addDataset(jobs, "a,b\n1,2\n");
  deleteDataset(jobs.database, jobs.ann, key, now);
  return findDataset(jobs.database, key)!.filePath!;
}

/** A successor that compares; the path of the rows that it keeps aside. */
function addSuccessor({ database, state, ann }: JobState, sourceDatasetKey: string, modelKey: string, now: Date) {
  const [key, keptPath] = [crypto.randomUUID(), statePaths.file(crypto.randomUUID())];
  const models = { firstModelKey: modelKey, championKey: modelKey, championVersion: 1 };
  const asked = { key, userKey: ann, ...models, sourceDatasetKey, sources: [], oldRows: null };
  const successor = insertSuccessor(database, { ...asked, promote: "BY_HAND" }, now) as Successor;
  stepSuccessor(database, successor, { status: "COMPARING", keptPath, keptBytes: 4 }, now);
  writeFileSync(state.locate(keptPath), "rows");
  return keptPath;
}

/** One of whose two files came. */
function addHalfRefinement(jobs: JobState, now: Date): string {
  const key = crypto.randomUUID();
  const files = { trainFileName: null, testFileName: null, missingValues: null };
  const settings = { numberOfBuckets: 10, labelColumn: null, positiveLabel: null, removeLeaks: false, seed: 1 };
  insertRefinement(jobs.database, { ...files, ...settings, key, userKey: jobs.ann, name: "half" }, now);
  storeRefinementUpload(jobs.database, key, "TEST", storeTable(jobs, "a,b\n"), now);
  return key;
}

/** The dataset that names a file. */
const findDatasetOf = ({ database }: JobState, path: string) =>
  database.client.query("SELECT key FROM datasets WHERE filePath = ?").get(path) ?? undefined;

const isThere = ({ state }: JobState, path: string) => existsSync(state.locate(path));

describe("housekeeping", () => {
  test("removes files that a start set aside after 30 days", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      const { path } = storeTable(jobs, "a,b\n1,2\n");
      setAside(jobs.folder, path, new Date(clocks.dayMs));
      const asides: number[] = [];
      for (const days of [30, 1]) {
        clocks.pass(days * DAY_MS);
        house.round(clocks.dayMs, clocks.steadyMs);
        await house.settled();
        asides.push(listAsides(jobs.folder).length);
      }
      expect([asides, jobs.faults]).toEqual([[1, 0], []]);
    }));

  test("removes deleted files once their days are over, in its first round after ten minutes", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, { keepDeletedDays: 2 });
      const old = addDeleted(jobs, new Date(clocks.dayMs - 2 * DAY_MS));
      const recent = addDeleted(jobs, new Date(clocks.dayMs - DAY_MS));
      clocks.pass(9 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.stop();
      expect(isThere(jobs, old)).toBeTrue();
      const again = keep(jobs, clocks, { keepDeletedDays: 2 });
      clocks.pass(10 * MINUTE_MS);
      again.round(clocks.dayMs, clocks.steadyMs);
      await again.settled();
      expect([isThere(jobs, old), isThere(jobs, recent)]).toEqual([false, true]);
      expect(usageOf(jobs.database, jobs.ann).datasets).toBe(8);
      for (let round = 0; round < 144; round++) {
        clocks.pass(10 * MINUTE_MS);
        again.round(clocks.dayMs, clocks.steadyMs);
        await again.settled();
      }
      expect([isThere(jobs, recent), jobs.faults]).toEqual([false, []]);
    }));

  test("without a setting removes deleted datasets' files at once, and leaves those of refinements", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      const gone = addDeleted(jobs);
      const living = findDataset(jobs.database, addDataset(jobs, "a,b\n1,2\n"))!.filePath!;
      const refinement = addHalfRefinement(jobs, new Date(clocks.dayMs));
      expect(deleteRefinement(jobs.database, jobs.ann, refinement, new Date(clocks.dayMs))).toBe("DELETED");
      const [kept] = listRefinementFiles(jobs.database, refinement);
      clocks.pass(10 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.settled();
      expect([gone, living, kept!.path].map((path) => isThere(jobs, path))).toEqual([false, true, true]);
      expect(usageOf(jobs.database, jobs.ann)).toMatchObject({ datasets: 8, refinements: 4 });
    }));

  test("gives up what was never finished, with its bytes", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const paths = [10, 30].map((minutes, at) => {
        const key = crypto.randomUUID();
        const expiresOn = new Date(clocks.dayMs + minutes * MINUTE_MS);
        const upload = {
          key,
          resourceKey: key,
          kind: "TRAIN",
          userKey: jobs.ann,
          sizeBytes: 9 + at,
          expiresOn,
        } as const;
        insertResumable(jobs.database, upload, new Date(clocks.dayMs));
        writeFileSync(jobs.state.locate(statePaths.unfinished(key)), "some");
        return statePaths.unfinished(key);
      });
      const house = keep(jobs, clocks, {});
      clocks.pass(10 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.settled();
      expect(paths.map((path) => isThere(jobs, path))).toEqual([false, true]);
      expect([usageOf(jobs.database, jobs.ann).unfinished, jobs.faults]).toEqual([10, []]);
    }));

  test("removes inputs and results of predictions that have ended", () =>
    withJobState(async (jobs) => {
      const { database, ann, state } = jobs;
      const model = addModel(database, addReadyDataset(database, ann));
      const done = addPrediction(jobs, model.key, "a\n1\n");
      const clocks = new Clocks();
      claimNextPrediction(database, new Date());
      const resultPath = statePaths.result(done.key);
      writeFileSync(state.locate(resultPath), "result");
      const result = { resultPath, resultBytes: 6, rowCount: 1, warnings: [] };
      completePrediction(database, done.key, result, new Date(clocks.dayMs));
      const waiting = addPrediction(jobs, model.key, "a\n1\n");
      const house = keep(jobs, clocks, { keepResultsDays: 0 });
      clocks.pass(10 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.settled();
      expect([filesIn(jobs, "results"), isThere(jobs, done.inputPath!), isThere(jobs, waiting.inputPath!)]).toEqual([
        [],
        false,
        true,
      ]);
      expect(findOwnedPrediction(database, ann, done.key)).toMatchObject({ status: "COMPLETED", resultPath: null });
    }));

  test("deletes all that removed users had, with its files, and nothing of others", () =>
    withJobState(async (jobs) => {
      const { database, ann, bob, state } = jobs;
      const clocks = new Clocks();
      const now = new Date(clocks.dayMs);
      const [datasetPath, others] = [ann, bob].map(
        (userKey) => findDataset(database, addDataset(jobs, "a,b\n1,2\n", { userKey }))!.filePath!,
      );
      const refinement = addHalfRefinement(jobs, now);
      const refinementPath = listRefinementFiles(database, refinement)[0]!.path;
      const ready = addReadyDataset(database, ann);
      const model = addModel(database, ready);
      const modelFolder = statePaths.modelFolder(model.key);
      mkdirSync(state.locate(modelFolder));
      writeFileSync(state.locate(statePaths.modelVersion(model.key, 1)), "model");
      const { inputPath } = addPrediction(jobs, model.key, "a\n1\n");
      const keptPath = addSuccessor(jobs, ready.key, model.key, now);
      const own = [datasetPath!, refinementPath, modelFolder, inputPath!, keptPath];
      const house = keep(jobs, clocks, {});
      const round = async () => {
        clocks.pass(10 * MINUTE_MS);
        house.round(clocks.dayMs, clocks.steadyMs);
        await house.settled();
      };
      await round();
      expect(own.every((path) => isThere(jobs, path))).toBeTrue();
      removeUser(database, ann, "*", now);
      await round();
      expect(own.filter((path) => isThere(jobs, path))).toEqual([]);
      expect([isThere(jobs, others!), totalOf(usageOf(database, ann)), usageOfAll(database)]).toEqual([true, 0, 8]);
      // A stopped training still makes a model of its finished attempts.
      const late = addModel(database, addReadyDataset(database, ann));
      mkdirSync(state.locate(statePaths.modelFolder(late.key)));
      await round();
      expect(isThere(jobs, statePaths.modelFolder(late.key))).toBeFalse();
      expect(jobs.faults).toEqual([]);
    }));

  test("removes counts of days after 400 of them", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      const dataset = addReadyDataset(jobs.database, jobs.ann);
      const id = { modelKey: addModel(jobs.database, dataset).key, version: 1 };
      const counts = {
        ...{ rowCount: 1, countedRows: 1, asTrained: true, cells: [], decisions: [1], reliability: [] },
        confidence: { sum: 1, tenths: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
      };
      for (let day = 395; day < 605; day++)
        addWatchCounts(jobs.database, id, counts, new Date(clocks.dayMs - day * DAY_MS));
      clocks.pass(10 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.settled();
      expect(listWatchDays(jobs.database, id, "").length).toBeWithin(5, 7);
      expect(jobs.faults).toEqual([]);
    }));

  test("removes audit events once their days are over, however many there are", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, { keepAuditDays: 400 });
      const login = { action: "LOGIN", objectKey: null, detail: null } as const;
      jobs.database.write(() => {
        for (let event = 0; event < 10_001; event++) recordAudit(jobs.database, COMMAND_LINE, login, new Date(0));
      });
      recordAudit(jobs.database, COMMAND_LINE, login, new Date(clocks.dayMs - 399 * DAY_MS));
      clocks.pass(10 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.settled();
      expect(listAudit(jobs.database, {}, { offset: 0, limit: 2 }).total).toBe(1);
      expect(jobs.faults).toEqual([]);
    }));

  test("removes answers kept for repeats after a day", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      clocks.pass(10 * MINUTE_MS);
      const keepAt = (keyHash: string, ms: number) => {
        const row = { userKey: jobs.ann, keyHash, fingerprint: "", answer: "" };
        insertKeptAnswer(jobs.database, { ...row, createdOn: new Date(ms) });
      };
      keepAt("old", clocks.dayMs - DAY_MS);
      jobs.database.client.run(
        `INSERT INTO keptAnswers SELECT userKey, keyHash || value, fingerprint, answer, createdOn FROM keptAnswers,
         (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10000) SELECT value FROM n)`,
      );
      keepAt("young", clocks.dayMs - DAY_MS + 1);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.settled();
      expect(countKeptAnswers(jobs.database, jobs.ann, new Date(0)).total).toBe(1);
      expect(jobs.faults).toEqual([]);
    }));

  test("keeps everything where it is not told otherwise", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      const path = addDeleted(jobs, new Date(0));
      clocks.pass(20 * MINUTE_MS);
      house.round(clocks.dayMs, clocks.steadyMs);
      await house.stop();
      expect(isThere(jobs, path)).toBeTrue();
    }));

  test.each([40 * DAY_MS, -HOUR_MS])("removes nothing for ten minutes after the clock was set by %d ms", (jumpMs) =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, { keepDeletedDays: 30 });
      const path = addDeleted(jobs, new Date(clocks.dayMs - 31 * DAY_MS));
      const rounds = async (count: number) => {
        for (let round = 0; round < count; round++) {
          clocks.pass(MINUTE_MS);
          house.round(clocks.dayMs, clocks.steadyMs);
          await house.settled();
        }
      };
      await rounds(9);
      clocks.dayMs += jumpMs;
      await rounds(10);
      expect(isThere(jobs, path)).toBeTrue();
      await rounds(1);
      expect(isThere(jobs, path)).toBeFalse();
    }),
  );

  test("fails datasets as their upload address expires, and leaves refinements that were never started as they are", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      const key = addDataset(jobs, "", {
        origin: { kind: "SIGNED_UPLOAD", expiresOn: new Date(clocks.dayMs + HOUR_MS) },
      });
      const half = addHalfRefinement(jobs, new Date(clocks.dayMs));
      const statusAfter = (ms: number) => {
        clocks.pass(ms);
        house.round(clocks.dayMs, clocks.steadyMs);
        return findDataset(database, key)!.status;
      };
      expect([statusAfter(HOUR_MS - 1), statusAfter(1)]).toEqual(["PENDING", "FAILED"]);
      statusAfter(DAY_MS);
      await house.stop();
      expect(findOwnedRefinement(database, ann, half)!.state).toBe("PENDING");
      expect(listRefinementFiles(database, half)).toHaveLength(1);
    }));

  test("does so by a timer between its rounds", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, {});
      const keys = [40, 80].map((ms) =>
        addDataset(jobs, "", { origin: { kind: "SIGNED_UPLOAD", expiresOn: new Date(clocks.dayMs + ms) } }),
      );
      house.round(clocks.dayMs, clocks.steadyMs);
      await until(() => keys.every((key) => findDataset(jobs.database, key)!.status === "FAILED"), "both");
      await house.stop();
    }));

  test("leaves what it is to remove to the next start where it cannot, and what a database refuses to the next round", () =>
    withJobState(async (jobs) => {
      const clocks = new Clocks();
      const house = keep(jobs, clocks, { keepDeletedDays: 0 });
      const path = addDeleted(jobs);
      const round = async () => {
        clocks.pass(10 * MINUTE_MS);
        house.round(clocks.dayMs, clocks.steadyMs);
        await house.settled();
      };
      jobs.database.client.run("PRAGMA query_only = ON");
      await round();
      const refused = jobs.faults.length;
      expect([isThere(jobs, path), refused > 0]).toEqual([true, true]);
      jobs.database.client.run("PRAGMA query_only = OFF");
      await round();
      expect([isThere(jobs, path), jobs.faults.length]).toEqual([false, refused]);
      const other = addDeleted(jobs);
      rmSync(jobs.state.locate("files"), { recursive: true });
      writeFileSync(jobs.state.locate("files"), "in the way");
      await round();
      expect([findDatasetOf(jobs, other), jobs.faults.length]).toEqual([undefined, refused + 1]);
      rmSync(jobs.state.locate("files"));
    }));
});
