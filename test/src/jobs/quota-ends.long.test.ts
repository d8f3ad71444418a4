// Jobs whose files do not fit a quota: they keep their work and wait for room.
import { afterAll, expect, test } from "bun:test";
import { deleteDataset } from "../../../data/datasets.ts";
import { deletePrediction } from "../../../data/predictions.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import { cancelRefinement, type Refinement } from "../../../data/refinements/refinements.ts";
import { releaseDeletedDatasets } from "../../../data/retention.ts";
import { cancelTrainingJob, type TrainingJob } from "../../../data/training-jobs.ts";
import { totalOf, usageOf } from "../../../data/usage.ts";
import { jobNeed, LEAST_MODEL_BYTES } from "../../../src/jobs/job-need.ts";
import { cancelRun, dropRun, type JobRun, suspendRun } from "../../../src/jobs/job-run.ts";
import { createQuotas } from "../../../src/storage/quotas.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import {
  addTrainedModel,
  beginPrediction,
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
  filesIn,
  type JobState,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

const TABLE = knownTable(100, 1);
const UNLABELLED = withoutLabel(TABLE);

const readyDataset = (jobs: JobState, userKey = jobs.ann) => addReadDataset(jobs, pool, TABLE, { userKey });

const limit = (jobs: JobState, quotaBytesPerUser: number) => {
  jobs.services = { ...jobs.services, quotas: createQuotas(jobs.database, { ...UNLIMITED, quotaBytesPerUser }) };
};

const usedBy = ({ database, ann }: JobState) => totalOf(usageOf(database, ann));

/** A file of ann's that leaves no room beside it; the returned function frees that. */
function fill(jobs: JobState, leftBytes: number): () => void {
  const { database } = jobs;
  const filler = addDataset(jobs, "x".repeat(2_000_000));
  limit(jobs, usedBy(jobs) + leftBytes);
  return () => {
    database.client.run("UPDATE datasets SET status = 'COMPLETED' WHERE key = ?", [filler]);
    deleteDataset(database, jobs.ann, filler, new Date());
    expect(releaseDeletedDatasets(database, new Date())).toHaveLength(1);
  };
}

type Use = (key: string, run: JobRun, makeRoom: () => void) => Promise<void> | void;

/** Runs a training to where it waits for room for its models, and gives `use` what can be done then. */
async function waiting(jobs: JobState, use: Use): Promise<TrainingJob> {
  const datasetKey = await readyDataset(jobs);
  const makeRoom = fill(jobs, LEAST_MODEL_BYTES);
  const key = addTraining(jobs, datasetKey, { scalingFactor: 0, timeLimitSeconds: 600 });
  const { run, flow } = beginTraining(jobs, pool);
  await until(() => run.waitingReason !== null, "its waiting");
  const { attemptsCompleted } = trainingOf(jobs, key);
  expect(attemptsCompleted).toBeGreaterThan(0);
  expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[key], []]);
  await use(key, run, makeRoom);
  await flow;
  return trainingOf(jobs, key);
}

/** Has a refinement wait for room for its two files; returns it once it has ended. */
async function waitingRefinement(jobs: JobState, use: Use): Promise<Refinement> {
  const key = addRefinement(jobs, TABLE, knownTable(100, 2));
  const makeRoom = fill(jobs, 100);
  const { run, flow } = beginRefinement(jobs, pool);
  await until(() => run.waitingReason !== null, "its waiting");
  expect(run.waitingReason).toMatch(NO_ROOM);
  expect(refinementOf(jobs, key).state).toBe("CREATING_RESULT");
  await use(key, run, makeRoom);
  await flow;
  return refinementOf(jobs, key);
}

/** Has a prediction wait for room for its result, where only its input fits. */
async function waitingPrediction(jobs: JobState, use: Use): Promise<string> {
  const { key } = addPrediction(jobs, await addTrainedModel(jobs, pool, TABLE), UNLABELLED);
  const makeRoom = fill(jobs, Buffer.byteLength(UNLABELLED) + 10);
  const { run, flow } = beginPrediction(jobs, pool);
  await until(() => run.waitingReason !== null, "its waiting");
  expect(run.waitingReason).toMatch(NO_ROOM);
  await use(key, run, makeRoom);
  await flow;
  return key;
}

const NO_ROOM =
  /^QUOTA_EXCEEDED: This needs [\d,]+ bytes, and your files take [\d,]+ of [\d,]+ bytes\. .* waits for that room\.$/;
const freeOf = ({ services, ann }: JobState) => services.quotas.roomOf(ann).freeBytes!;

test("a training waits with its models, says for what, and ends as ever once there is room", () =>
  withJobState(async (jobs) => {
    const ended = await waiting(jobs, (key, run, makeRoom) => {
      expect(run.waitingReason).toMatch(NO_ROOM);
      expect(trainingOf(jobs, key).status).toBe("RUNNING");
      makeRoom();
    });
    expect(ended).toMatchObject({ status: "COMPLETED", errorReason: null, modelKey: expect.any(String) });
    expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[], [ended.modelKey!]]);
    expect(jobs.faults).toEqual([]);
  }));

test("a training waits beyond its time limit, and loses nothing", () =>
  withJobState(async (jobs) => {
    const ended = await waiting(jobs, async (_, run, makeRoom) => {
      run.control.startMs -= 600_000;
      const before = run.waitingReason;
      addDataset(jobs, "one more file");
      await until(() => run.waitingReason !== before, "another look, beyond the limit");
      makeRoom();
    });
    expect(ended).toMatchObject({ status: "COMPLETED", errorReason: null, modelKey: expect.any(String) });
  }));

test("a training that waits ends when its user cancels it", () =>
  withJobState(async (jobs) => {
    const ended = await waiting(jobs, (key, run) => {
      cancelTrainingJob(jobs.database, jobs.ann, key, new Date());
      cancelRun(run);
    });
    expect(ended).toMatchObject({ status: "CANCELLED", modelKey: null, errorReason: null });
    expect(filesIn(jobs, "models")).toEqual([]);
  }));

test("a training that waits is left for the next start, which computes no attempt again", () =>
  withJobState(async (jobs) => {
    const left = await waiting(jobs, (_, run) => suspendRun(run));
    expect(left).toMatchObject({ status: "RUNNING", claimed: true });
    expect(filesIn(jobs, "journals")).toEqual([left.key]);
    limit(jobs, 1e9);
    await withScheduler(jobs.services, () => until(() => trainingOf(jobs, left.key).status === "COMPLETED", "its end"));
    expect(trainingOf(jobs, left.key).attemptsCompleted).toBe(left.attemptsCompleted);
  }));

test("trainings that wait keep neither place nor memory from those of others", () =>
  withJobState(async (jobs) => {
    const [mine, others] = [await readyDataset(jobs), await readyDataset(jobs, jobs.bob)];
    addDataset(jobs, "x".repeat(2_000_000));
    limit(jobs, usedBy(jobs) + LEAST_MODEL_BYTES);
    const [first] = [1, 2].map(() => addTraining(jobs, mine, { scalingFactor: 0 }));
    const bytes = jobNeed("training", first!, { ...jobs.services, mostHeavyBytes: Number.POSITIVE_INFINITY });
    const memory = { ...jobs.services.memory, jobBytes: { light: bytes * 1.5, heavy: bytes * 1.5 } };
    await withScheduler({ ...jobs.services, memory, roundMs: 50 }, async (scheduler) => {
      const waits = () => scheduler.running().filter(({ key }) => scheduler.waitingReason(key) !== null).length;
      await until(() => waits() === 2, "the waiting of both");
      const key = addTraining(jobs, others, { userKey: jobs.bob, scalingFactor: 0 });
      await until(() => trainingOf(jobs, key).status === "COMPLETED", "the training of another");
      expect(waits()).toBe(2);
    });
  }));

test("a training begins only where there may be room", () =>
  withJobState(async (jobs) => {
    const datasetKey = await readyDataset(jobs);
    limit(jobs, Buffer.byteLength(TABLE) + LEAST_MODEL_BYTES - 1);
    const unbegun = addTraining(jobs, datasetKey, { scalingFactor: 0 });
    await beginTraining(jobs, pool).flow;
    expect(trainingOf(jobs, unbegun)).toMatchObject({
      ...{ status: "FAILED", attemptsTotal: null },
      errorReason: expect.stringMatching(
        /^QUOTA_EXCEEDED: This needs 131,072 bytes, and your files take [\d,]+ of [\d,]+ bytes\./,
      ),
    });
    expect([filesIn(jobs, "models"), filesIn(jobs, "journals"), jobs.faults]).toEqual([[], [], []]);
  }));

test("a refinement waits with its files, beyond its time limit, and ends as ever once there is room", () =>
  withJobState(async (jobs) => {
    const { state, errorReason, key } = await waitingRefinement(jobs, (_, run, makeRoom) => {
      run.control.startMs -= 8_000_000;
      makeRoom();
    });
    expect([state, errorReason]).toEqual(["REFINEMENT_COMPLETED", null]);
    const results = listRefinementFiles(jobs.database, key).filter(({ purpose }) => purpose === "RESULT");
    expect(results).toHaveLength(2);
    expect(filesIn(jobs, "files")).toEqual(expect.arrayContaining(results.map(({ path }) => path.split("/")[1]!)));
    expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
  }));

test("a refinement that waits ends when its user cancels it, and leaves nothing", () =>
  withJobState(async (jobs) => {
    const { state } = await waitingRefinement(jobs, (key, run) => {
      cancelRefinement(jobs.database, jobs.ann, key, new Date());
      cancelRun(run);
    });
    expect(state).toBe("CANCELLED");
    expect([filesIn(jobs, "files").length, filesIn(jobs, "journals"), freeOf(jobs)]).toEqual([3, [], 100]);
    expect(jobs.faults).toEqual([]);
  }));

test("a refinement that waits is left for the next start", () =>
  withJobState(async (jobs) => {
    const left = await waitingRefinement(jobs, (_, run) => suspendRun(run));
    expect([left.state, left.claimed, filesIn(jobs, "journals")]).toEqual(["CREATING_RESULT", true, [left.key]]);
    limit(jobs, 1e9);
    const stateOf = () => refinementOf(jobs, left.key).state;
    await withScheduler(jobs.services, () => until(() => stateOf() === "REFINEMENT_COMPLETED", "its end"));
    expect([filesIn(jobs, "files").length, filesIn(jobs, "journals"), jobs.faults]).toEqual([5, [], []]);
  }));

test("a prediction fails before it is scored where its input alone does not fit", () =>
  withJobState(async (jobs) => {
    const { key } = addPrediction(jobs, await addTrainedModel(jobs, pool, TABLE), UNLABELLED);
    limit(jobs, usedBy(jobs) + 10);
    await withScheduler(jobs.services, () => until(() => predictionOf(jobs, key).status === "FAILED", "the end"));
    expect(predictionOf(jobs, key).errorReason).toMatch(/^QUOTA_EXCEEDED: /);
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[], []]);
  }));

test("a prediction waits with its result, beyond its time limit, and ends as ever once there is room", () =>
  withJobState(async (jobs) => {
    jobs.services = { ...jobs.services, timeCaps: { ...jobs.services.timeCaps, predictionSeconds: 600 } };
    const key = await waitingPrediction(jobs, (_, run, makeRoom) => {
      run.control.startMs -= 600_000;
      makeRoom();
    });
    expect(predictionOf(jobs, key)).toMatchObject({ status: "COMPLETED", rowCount: 100 });
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[`${key}.csv`], []]);
  }));

test("a prediction that waits goes with its result when its user deletes it", () =>
  withJobState(async (jobs) => {
    await waitingPrediction(jobs, (key, run) => {
      deletePrediction(jobs.database, jobs.ann, key, new Date());
      dropRun(run);
    });
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[], []]);
  }));
