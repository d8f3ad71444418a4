// Jobs whose files do not fit a quota: they keep their work and wait for room.
import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { deleteDataset } from "../../../data/datasets.ts";
import { claimNextPrediction, deletePrediction, findOwnedPrediction } from "../../../data/predictions.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import { claimNextRefinement } from "../../../data/refinements/refinement-runs.ts";
import { cancelRefinement, findOwnedRefinement, type Refinement } from "../../../data/refinements/refinements.ts";
import { releaseDeletedDatasets } from "../../../data/retention.ts";
import {
  cancelTrainingJob,
  findOwnedTrainingJob,
  insertTrainingJob,
  type TrainingJob,
} from "../../../data/training-jobs.ts";
import { claimNextTrainingJob } from "../../../data/training-runs.ts";
import { totalOf, usageOf } from "../../../data/usage.ts";
import { runPrediction } from "../../../src/jobs/flow-prediction.ts";
import { runRefinement } from "../../../src/jobs/flow-refinement.ts";
import { runTraining } from "../../../src/jobs/flow-training.ts";
import { jobNeed, LEAST_MODEL_BYTES } from "../../../src/jobs/job-need.ts";
import { cancelRun, dropRun, type JobRun, suspendRun } from "../../../src/jobs/job-run.ts";
import { createQuotas } from "../../../src/storage/quotas.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { startUnlimited } from "../../support/job-run.ts";
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
const UNLABELLED = TABLE.replaceAll(/,[^,\n]*$/gm, "");

const readyDataset = (jobs: JobState, userKey = jobs.ann) => addReadDataset(jobs, pool, TABLE, { userKey });

function train(jobs: JobState): Promise<void> {
  const job = claimNextTrainingJob(jobs.database, new Date())!;
  return runTraining(job, startUnlimited(pool, job.startedOn), jobs.services);
}

const trainingOf = ({ database, ann }: JobState, key: string) => findOwnedTrainingJob(database, ann, key)!;

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
  const job = claimNextTrainingJob(jobs.database, new Date())!;
  const run = startUnlimited(pool, job.startedOn);
  const flow = runTraining(job, run, jobs.services);
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
  const { database, ann } = jobs;
  const key = addRefinement(jobs, TABLE, knownTable(100, 2));
  const makeRoom = fill(jobs, 100);
  const refinement = claimNextRefinement(database, new Date())!;
  const run = startUnlimited(pool, refinement.startedOn);
  const flow = runRefinement(refinement, run, jobs.services);
  await until(() => run.waitingReason !== null, "its waiting");
  expect(run.waitingReason).toMatch(NO_ROOM);
  expect(findOwnedRefinement(database, ann, key)!.state).toBe("CREATING_RESULT");
  await use(key, run, makeRoom);
  await flow;
  return findOwnedRefinement(database, ann, key)!;
}

/** Has a prediction wait for room for its result, where only its input fits. */
async function waitingPrediction(jobs: JobState, use: Use): Promise<string> {
  const training = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 0 });
  await train(jobs);
  const { key } = addPrediction(jobs, trainingOf(jobs, training).modelKey!, UNLABELLED);
  const makeRoom = fill(jobs, Buffer.byteLength(UNLABELLED) + 10);
  const run = startUnlimited(pool, null);
  const flow = runPrediction(claimNextPrediction(jobs.database, new Date())!, run, jobs.services);
  await until(() => run.waitingReason !== null, "its waiting");
  expect(run.waitingReason).toMatch(NO_ROOM);
  await use(key, run, makeRoom);
  await flow;
  return key;
}

const NO_ROOM =
  /^QUOTA_EXCEEDED: This needs [\d,]+ bytes, and your files take [\d,]+ of [\d,]+ bytes\. .* waits for that room\.$/;
const freeOf = ({ services, ann }: JobState) => services.quotas.roomOf(ann).freeBytes!;

test("a training waits with its models, says for what, and ends as ever once there is room", async () => {
  await withJobState(async (jobs) => {
    const ended = await waiting(jobs, (key, run, makeRoom) => {
      expect(run.waitingReason).toMatch(NO_ROOM);
      expect(trainingOf(jobs, key).status).toBe("RUNNING");
      makeRoom();
    });
    expect(ended).toMatchObject({ status: "COMPLETED", errorReason: null, modelKey: expect.any(String) });
    expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[], [ended.modelKey!]]);
    expect(jobs.faults).toEqual([]);
  });
});

test("a training waits beyond its time limit, and loses nothing", async () => {
  await withJobState(async (jobs) => {
    const ended = await waiting(jobs, async (_, run, makeRoom) => {
      run.control.startMs -= 600_000;
      const before = run.waitingReason;
      addDataset(jobs, "one more file");
      await until(() => run.waitingReason !== before, "another look, beyond the limit");
      makeRoom();
    });
    expect(ended).toMatchObject({ status: "COMPLETED", errorReason: null, modelKey: expect.any(String) });
  });
});

test("a training that waits ends when its user cancels it", async () => {
  await withJobState(async (jobs) => {
    const ended = await waiting(jobs, (key, run) => {
      cancelTrainingJob(jobs.database, jobs.ann, key, new Date());
      cancelRun(run);
    });
    expect(ended).toMatchObject({ status: "CANCELLED", modelKey: null, errorReason: null });
    expect(filesIn(jobs, "models")).toEqual([]);
  });
});

test("a training that waits is left for the next start, which computes no attempt again", async () => {
  await withJobState(async (jobs) => {
    const left = await waiting(jobs, (_, run) => suspendRun(run));
    expect(left).toMatchObject({ status: "RUNNING", claimed: true });
    expect(filesIn(jobs, "journals")).toEqual([left.key]);
    limit(jobs, 1e9);
    await withScheduler(jobs.services, () => until(() => trainingOf(jobs, left.key).status === "COMPLETED", "its end"));
    expect(trainingOf(jobs, left.key).attemptsCompleted).toBe(left.attemptsCompleted);
  });
});

test("trainings that wait keep neither place nor memory from those of others", async () => {
  await withJobState(async (jobs) => {
    const [mine, others] = [await readyDataset(jobs), await readyDataset(jobs, jobs.bob)];
    addDataset(jobs, "x".repeat(2_000_000));
    limit(jobs, usedBy(jobs) + LEAST_MODEL_BYTES);
    const [first] = [1, 2].map(() => addTraining(jobs, mine, { scalingFactor: 0 }));
    const bytes = jobNeed("training", first!, { ...jobs.services, mostHeavyBytes: Number.POSITIVE_INFINITY });
    const memory = { ...jobs.services.memory, jobBytes: { light: bytes * 1.5, heavy: bytes * 1.5 } };
    await withScheduler({ ...jobs.services, memory, roundMs: 50 }, async (scheduler) => {
      const waits = () => scheduler.running().filter(({ key }) => scheduler.waitingReason(key) !== null).length;
      await until(() => waits() === 2, "the waiting of both");
      const { key } = insertTrainingJob(
        jobs.database,
        {
          ...{ key: randomUUID(), userKey: jobs.bob, datasetKey: others, targetPerformance: null },
          ...{ scalingFactor: 0, seed: 7, timeLimitSeconds: 600 },
        },
        new Date(),
      )!;
      const end = () => findOwnedTrainingJob(jobs.database, jobs.bob, key)!.status;
      await until(() => end() === "COMPLETED", "the training of another");
      expect(waits()).toBe(2);
    });
  });
});

test("a training begins only where there may be room", async () => {
  await withJobState(async (jobs) => {
    const datasetKey = await readyDataset(jobs);
    limit(jobs, Buffer.byteLength(TABLE) + LEAST_MODEL_BYTES - 1);
    const unbegun = addTraining(jobs, datasetKey, { scalingFactor: 0 });
    await train(jobs);
    expect(trainingOf(jobs, unbegun)).toMatchObject({
      ...{ status: "FAILED", attemptsTotal: null },
      errorReason: expect.stringMatching(
        /^QUOTA_EXCEEDED: This needs 131,072 bytes, and your files take [\d,]+ of [\d,]+ bytes\./,
      ),
    });
    expect([filesIn(jobs, "models"), filesIn(jobs, "journals"), jobs.faults]).toEqual([[], [], []]);
  });
});

test("a refinement waits with its files, beyond its time limit, and ends as ever once there is room", async () => {
  await withJobState(async (jobs) => {
    const { state, errorReason, key } = await waitingRefinement(jobs, (_, run, makeRoom) => {
      run.control.startMs -= 8_000_000;
      makeRoom();
    });
    expect([state, errorReason]).toEqual(["REFINEMENT_COMPLETED", null]);
    const results = listRefinementFiles(jobs.database, key).filter(({ purpose }) => purpose === "RESULT");
    expect(results).toHaveLength(2);
    expect(filesIn(jobs, "files")).toEqual(expect.arrayContaining(results.map(({ path }) => path.split("/")[1]!)));
    expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
  });
});

test("a refinement that waits ends when its user cancels it, and leaves nothing", async () => {
  await withJobState(async (jobs) => {
    const { state } = await waitingRefinement(jobs, (key, run) => {
      cancelRefinement(jobs.database, jobs.ann, key, new Date());
      cancelRun(run);
    });
    expect(state).toBe("CANCELLED");
    expect([filesIn(jobs, "files").length, filesIn(jobs, "journals"), freeOf(jobs)]).toEqual([3, [], 100]);
    expect(jobs.faults).toEqual([]);
  });
});

test("a refinement that waits is left for the next start", async () => {
  await withJobState(async (jobs) => {
    const left = await waitingRefinement(jobs, (_, run) => suspendRun(run));
    expect([left.state, left.claimed, filesIn(jobs, "journals")]).toEqual(["CREATING_RESULT", true, [left.key]]);
    limit(jobs, 1e9);
    const stateOf = () => findOwnedRefinement(jobs.database, jobs.ann, left.key)!.state;
    await withScheduler(jobs.services, () => until(() => stateOf() === "REFINEMENT_COMPLETED", "its end"));
    expect([filesIn(jobs, "files").length, filesIn(jobs, "journals"), jobs.faults]).toEqual([5, [], []]);
  });
});

test("a prediction fails before it is scored where its input alone does not fit", async () => {
  await withJobState(async (jobs) => {
    const training = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 0 });
    await train(jobs);
    const { key } = addPrediction(jobs, trainingOf(jobs, training).modelKey!, UNLABELLED);
    limit(jobs, usedBy(jobs) + 10);
    const predictionOf = () => findOwnedPrediction(jobs.database, jobs.ann, key)!;
    await withScheduler(jobs.services, () => until(() => predictionOf().status === "FAILED", "the prediction"));
    expect(predictionOf().errorReason).toMatch(/^QUOTA_EXCEEDED: /);
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[], []]);
  });
});

test("a prediction waits with its result, beyond its time limit, and ends as ever once there is room", async () => {
  await withJobState(async (jobs) => {
    jobs.services = { ...jobs.services, timeCaps: { ...jobs.services.timeCaps, predictionSeconds: 600 } };
    const key = await waitingPrediction(jobs, (_, run, makeRoom) => {
      run.control.startMs -= 600_000;
      makeRoom();
    });
    expect(findOwnedPrediction(jobs.database, jobs.ann, key)).toMatchObject({ status: "COMPLETED", rowCount: 100 });
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[`${key}.csv`], []]);
  });
});

test("a prediction that waits goes with its result when its user deletes it", async () => {
  await withJobState(async (jobs) => {
    await waitingPrediction(jobs, (key, run) => {
      deletePrediction(jobs.database, jobs.ann, key, new Date());
      dropRun(run);
    });
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[], []]);
  });
});
