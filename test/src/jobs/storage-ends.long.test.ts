// Jobs on a disk that takes nothing more: they end with the reason, leave
// nothing half-written, and the next ones go on.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openReserve, RESERVE_BYTES } from "../../../data/files/storage-reserve.ts";
import type { Prediction } from "../../../data/predictions.ts";
import { cancelRefinement, findRefinementResult } from "../../../data/refinements/refinements.ts";
import { cancelTrainingJob, type TrainingJob } from "../../../data/training-jobs.ts";
import { cancelRun, type JobRun, suspendRun } from "../../../src/jobs/job-run.ts";
import { storageRoom } from "../../../src/storage/storage-room.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import {
  addTrainedModel,
  beginDataset,
  beginRefinement,
  beginTraining,
  predictionOf,
  refinementOf,
  trainingOf,
  withoutLabel,
} from "../../support/job-flows.ts";
import {
  addDataset,
  addPrediction,
  addReadDataset,
  addRefinement,
  addTraining,
  datasetOf,
  filesIn,
  type JobState,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

const TABLE = knownTable(100, 1);
const UNLABELLED = withoutLabel(TABLE);
const ROWS = UNLABELLED.replace(/^.*\n/, "");
const SUPPORT = join(import.meta.dir, "..", "..", "support");

const readyDataset = (jobs: JobState) => addReadDataset(jobs, pool, TABLE);

const isOver = ({ status }: Prediction) => status !== "PENDING" && status !== "RUNNING";

/** As SQLite answers on a disk that is mounted to be read. */
const setReadOnly = ({ database }: JobState, isReadOnly: boolean) =>
  database.client.run(`PRAGMA query_only = ${isReadOnly ? "ON" : "OFF"}`);

describe("on a full disk", () => {
  test("a prediction that does not fit fails and says so, and the process goes on to the next", () =>
    withJobState(async (jobs) => {
      const modelKey = await addTrainedModel(jobs, pool, TABLE);
      const [large, small, another] = [UNLABELLED + ROWS.repeat(2_000), UNLABELLED, UNLABELLED].map(
        (text) => addPrediction(jobs, modelKey, text).key,
      ) as [string, string, string];
      const script = join(SUPPORT, "serve-jobs.ts");
      // No file may grow beyond 8 or 16 MiB, the database's own included.
      const limited = `trap '' XFSZ; ulimit -f 16384; exec "${process.execPath}" "${script}" "${jobs.folder}"`;
      const child = Bun.spawn(["sh", "-c", limited], { stdout: "ignore", stderr: "inherit" });
      try {
        await until(() => [large, small, another].every((key) => isOver(predictionOf(jobs, key))), "the end of all");
        expect(predictionOf(jobs, large)).toMatchObject({
          status: "FAILED",
          resultPath: null,
          errorReason: "STORAGE_FULL: The server's disk is full. Start this again once that is fixed.",
        });
        expect([small, another].map((key) => predictionOf(jobs, key).status)).toEqual(["COMPLETED", "COMPLETED"]);
        expect(filesIn(jobs, "results").sort()).toEqual([`${small}.csv`, `${another}.csv`].sort());
      } finally {
        child.kill("SIGKILL");
        await child.exited;
      }
    }));

  test("a training job keeps the best of what had finished, as soon as there is room", () =>
    withJobState(async (jobs) => {
      const { client } = jobs.database;
      const key = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 99 });
      const { flow } = beginTraining(jobs, pool);
      const { page_count: pages } = client.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
      client.run(`PRAGMA max_page_count = ${pages}`);
      await until(() => jobs.faults.length >= 1, "the fault");
      client.run("PRAGMA max_page_count = 1000000");
      await flow;
      const { modelKey, ...job } = trainingOf(jobs, key);
      expect(job).toMatchObject({
        status: "NOT_COMPLETED",
        claimed: false,
        errorReason: expect.stringMatching(/^STORAGE_FULL: .* What had finished was kept\.$/),
      });
      expect(job.attemptsCompleted).toBeWithin(1, 100);
      expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[], [modelKey!]]);
      expect(filesIn(jobs, "files")).toHaveLength(1);
    }));
});

describe("a training that finds no room for its journal", () => {
  /** Runs one to where it waits, and gives `use` what can be done then. */
  async function waiting(
    jobs: JobState,
    use: (key: string, run: JobRun, setFree: (bytes: number) => void) => Promise<void>,
  ): Promise<TrainingJob> {
    const { database, services } = jobs;
    const key = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 99 });
    const reserve = openReserve(jobs.folder);
    let freeBytes = 0;
    const { run, flow } = beginTraining(jobs, pool, { ...services, room: storageRoom(reserve, () => freeBytes) });
    const { page_count: pages } = database.client.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
    database.client.run(`PRAGMA max_page_count = ${pages}`);
    reserve.release();
    await until(() => run.waitingReason !== null, "its waiting");
    database.client.run("PRAGMA max_page_count = 1000000");
    await use(key, run, (bytes) => {
      freeBytes = bytes;
    });
    await flow;
    return trainingOf(jobs, key);
  }

  test("says how much it waits for, and ends with a model once that little is there", () =>
    withJobState(async (jobs) => {
      const ended = await waiting(jobs, async (key, run, setFree) => {
        expect(run.waitingReason).toBe(
          "STORAGE_FULL: The server's disk is full. The job waits for room: 1 MiB. Delete what nobody needs.",
        );
        expect(trainingOf(jobs, key).status).toBe("RUNNING");
        setFree(RESERVE_BYTES + 2 ** 20);
      });
      expect(ended).toMatchObject({ status: "NOT_COMPLETED", modelKey: expect.any(String) });
    }));

  test("ends when its user cancels it, though there is no room", () =>
    withJobState(async (jobs) => {
      const ended = await waiting(jobs, async (key, run) => {
        cancelTrainingJob(jobs.database, jobs.ann, key, new Date());
        cancelRun(run);
      });
      expect(ended).toMatchObject({ status: "CANCELLED", modelKey: null, claimed: false });
      expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[], []]);
    }));
});

describe("a refinement that finds no room", () => {
  /** Runs one to where it waits, and gives `use` what can be done then; what it came to. */
  async function waiting(jobs: JobState, use: (key: string, run: JobRun, makeRoom: () => void) => void) {
    const { database, ann, services } = jobs;
    const key = addRefinement(jobs, TABLE, knownTable(100, 2));
    const reserve = openReserve(jobs.folder);
    let freeBytes = 0;
    const { run, flow } = beginRefinement(jobs, pool, { ...services, room: storageRoom(reserve, () => freeBytes) });
    const { client } = database;
    const { page_count: pages } = client.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
    client.run("CREATE TABLE padding (content)");
    // The rows of a refinement are small: without this they would find room in the last page.
    client.run(
      "CREATE TEMP TRIGGER large AFTER UPDATE OF progressCompleted ON refinements " +
        "WHEN new.progressCompleted = 4 BEGIN INSERT INTO padding VALUES (zeroblob(1000000)); END",
    );
    client.run(`PRAGMA max_page_count = ${pages + 10}`);
    reserve.release();
    await until(() => run.waitingReason !== null, "its waiting");
    client.run("DROP TRIGGER large");
    client.run("PRAGMA max_page_count = 1000000");
    expect(run.waitingReason).toStartWith("STORAGE_FULL: The server's disk is full. The job waits for room: 1 MiB.");
    // Before its end, whose writing would wait otherwise.
    expect(refinementOf(jobs, key).state).not.toBe("CREATING_RESULT");
    use(key, run, () => {
      freeBytes = RESERVE_BYTES + 2 ** 20;
    });
    await flow;
    const { state, progressCompleted, progressTotal } = refinementOf(jobs, key);
    return { state, progressCompleted, progressTotal, result: findRefinementResult(database, ann, key) };
  }

  test("goes on once it is there, to the result of one that nothing stopped", () =>
    withJobState(async (jobs) => {
      const ended = await waiting(jobs, (_, __, makeRoom) => makeRoom());
      const key = addRefinement(jobs, TABLE, knownTable(100, 2));
      await beginRefinement(jobs, pool).flow;
      expect(ended).toMatchObject({ state: "REFINEMENT_COMPLETED", progressCompleted: ended.progressTotal });
      expect(ended.result).toEqual(findRefinementResult(jobs.database, jobs.ann, key));
      expect([filesIn(jobs, "journals"), filesIn(jobs, "files").length]).toEqual([[], 8]);
    }));

  test("ends when its user cancels it, though there is none", () =>
    withJobState(async (jobs) => {
      const ended = await waiting(jobs, (key, run) => {
        cancelRefinement(jobs.database, jobs.ann, key, new Date());
        cancelRun(run);
      });
      expect(ended).toMatchObject({ state: "CANCELLED", result: null });
      expect([filesIn(jobs, "journals"), filesIn(jobs, "files").length]).toEqual([[], 2]);
    }));
});

test("nothing is begun on a full disk, and what waits begins once there is room", () =>
  withJobState(async (jobs) => {
    const reserve = openReserve(jobs.folder);
    const key = addDataset(jobs, TABLE);
    reserve.release();
    await withScheduler({ ...jobs.services, room: storageRoom(reserve, () => 0) }, async (scheduler) => {
      expect([scheduler.running(), scheduler.waitingReason(key)]).toEqual([[], null]);
      expect(reserve.restore()).toBeTrue();
      scheduler.wake();
      await until(() => datasetOf(jobs, key).status === "COMPLETED", "the dataset");
    });
  }));

describe("on a disk that is read only", () => {
  test("the end of a job waits until it can be written, or until the program ends", () =>
    withJobState(async (jobs) => {
      const datasetKey = addDataset(jobs, TABLE);
      const { run: begun, flow } = beginDataset(jobs, pool);
      setReadOnly(jobs, true);
      await until(() => jobs.faults.length === 1, "the fault");
      expect(begun.waitingReason).toStartWith("STORAGE_READ_ONLY: The server may not write to its disk.");
      expect(datasetOf(jobs, datasetKey).status).toBe("PROCESSING");
      setReadOnly(jobs, false);
      await flow;
      expect(datasetOf(jobs, datasetKey)).toMatchObject({ status: "COMPLETED", claimed: false });

      const other = addDataset(jobs, TABLE);
      const { run, flow: suspended } = beginDataset(jobs, pool);
      setReadOnly(jobs, true);
      await until(() => jobs.faults.length === 2, "another fault");
      suspendRun(run);
      await suspended;
      setReadOnly(jobs, false);
      expect(datasetOf(jobs, other)).toMatchObject({ status: "PROCESSING", claimed: true });
    }));

  test("the scheduler claims nothing, and goes on when it is told that there is work again", () =>
    withJobState(async (jobs) => {
      const key = addDataset(jobs, TABLE);
      await withScheduler(jobs.services, async (scheduler) => {
        setReadOnly(jobs, true);
        await until(() => jobs.faults.length === 1, "a claim that fails");
        expect(scheduler.running()).toEqual([]);
        setReadOnly(jobs, false);
        scheduler.wake();
        await until(() => datasetOf(jobs, key).status === "COMPLETED", "the dataset");
        expect(jobs.faults).toHaveLength(1);
      });
    }));
});

test("a job whose flow breaks off is taken up again in the next round, and ends when that happens too often", () =>
  withJobState(async (jobs) => {
    const { client } = jobs.database;
    const key = addDataset(jobs, TABLE);
    // What no flow expects: the write that ends the dataset is refused, and not for want of a disk.
    client.run(`CREATE TEMP TRIGGER refuse BEFORE UPDATE ON datasets WHEN new.status = 'COMPLETED'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    await withScheduler({ ...jobs.services, roundMs: 50 }, async (scheduler) => {
      await until(() => datasetOf(jobs, key).status === "FAILED", "the end");
      expect(datasetOf(jobs, key)).toMatchObject({ restarts: 3, errorReason: expect.stringContaining("restarted") });
      expect([jobs.faults.length, scheduler.running()]).toEqual([4, []]);
    });
  }));

test("a process that may open no more files fails the job with that reason, and does the next once it may", () =>
  withJobState(async (jobs) => {
    const modelKey = await addTrainedModel(jobs, pool, TABLE);
    const [first, second] = [addPrediction(jobs, modelKey, UNLABELLED), addPrediction(jobs, modelKey, UNLABELLED)];
    const limited = `ulimit -n 128; exec "${process.execPath}" "${join(SUPPORT, "jobs-without-files.ts")}" "${jobs.folder}"`;
    const child = Bun.spawn(["sh", "-c", limited], { stdout: "ignore", stderr: "inherit" });
    expect(await child.exited).toBe(0);
    expect(predictionOf(jobs, first.key)).toMatchObject({
      status: "FAILED",
      errorReason: expect.stringMatching(/^TOO_MANY_FILES: /),
    });
    expect(predictionOf(jobs, second.key).status).toBe("COMPLETED");
    expect(filesIn(jobs, "results")).toEqual([`${second.key}.csv`]);
  }));
