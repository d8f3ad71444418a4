// Training jobs from a dataset to each of their ends, with what is
// published while they run and what is left on the disk.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, watch } from "node:fs";
import type { NewDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { cancelTrainingJob } from "../../../data/training-jobs.ts";
import { listTrainingAttempts, recoverTrainingJobs } from "../../../data/training-runs.ts";
import { unpackArrays } from "../../../engine/arrays/array-file.ts";
import { MODEL_FORMAT, unpackModel } from "../../../engine/model/model-file.ts";
import { DEFAULT_TIME_CAPS } from "../../../src/common/limits.ts";
import { cancelRun, suspendRun } from "../../../src/jobs/job-run.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { beginTraining, trainingOf } from "../../support/job-flows.ts";
import {
  addReadDataset,
  addTraining,
  datasetOf,
  dyingWorkers,
  filesIn,
  type JobState,
  until,
  withJobState,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";
import { withSteadyClock } from "../../support/steady-clock.ts";
import { csvOf } from "../../support/text-models.ts";
import { drawTexts } from "../../support/text-tables.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

const TABLE = knownTable(100, 1);

const readyDataset = (jobs: JobState, changes: Partial<NewDataset> = {}, table = TABLE) =>
  addReadDataset(jobs, pool, table, changes);

const begin = (jobs: JobState, on = pool) => beginTraining(jobs, on);

function summaryOf({ state }: JobState, modelKey: string): RunSummary {
  return JSON.parse(readFileSync(state.locate(statePaths.modelSummary(modelKey)), "utf8"));
}

/** What a model's first version is made of, without who made it and when. */
function arraysOf({ state }: JobState, modelKey: string) {
  const bytes = readFileSync(state.locate(statePaths.modelVersion(modelKey, 1)));
  return unpackArrays(MODEL_FORMAT, new Uint8Array(bytes)).arrays;
}

const journals = (jobs: JobState) => filesIn(jobs, "journals");

describe("a training job", () => {
  test("is COMPLETED where it has no target and the plan is done, with a whole model", () =>
    withJobState(async (jobs) => {
      const { database, ann, state } = jobs;
      const datasetKey = await readyDataset(jobs, { positiveLabel: "no" });
      const key = addTraining(jobs, datasetKey, { scalingFactor: 3 });
      await begin(jobs).flow;
      const job = trainingOf(jobs, key);
      expect(job).toMatchObject({
        status: "COMPLETED",
        errorReason: null,
        attemptsTotal: 4,
        attemptsCompleted: 4,
        attemptsFailed: 0,
        claimed: false,
      });
      const { model, versions } = findOwnedModel(database, ann, job.modelKey!)!;
      const [champion] = versions;
      expect([model.championVersion, model.trainingJobKey]).toEqual([1, key]);
      expect(job.achievedPerformance).toBe(champion!.achievedPerformance);
      expect([job.bestFalseDecisions, job.bestPerformance]).toEqual([
        champion!.falseDecisions,
        champion!.testPerformance,
      ]);
      const attempts = listTrainingAttempts(database, key);
      expect(attempts.map(({ role }) => role === "attempt")).toEqual([true, true, true, true, false, false, false]);
      expect(
        attempts
          .filter(({ version }) => version !== null)
          .map(({ version }) => version)
          .sort(),
      ).toEqual(versions.map(({ version }) => version));
      expect(job.baselinePerformance).toBeWithin(0.4, 0.9);

      const summary = summaryOf(jobs, job.modelKey!);
      expect(summary).toMatchObject({ status: "COMPLETED", positiveLabel: "no", file: { name: expect.any(String) } });
      expect(summary.attempts as unknown[]).toEqual(attempts);
      expect(readFileSync(state.locate(statePaths.modelReport(job.modelKey!)), "utf8")).toContain("<html");
      summary.versions.forEach((shown, index) => {
        const { filePath } = versions[index]!;
        const file = unpackModel(readFileSync(state.locate(filePath)));
        expect([shown.file, file.lineage.version]).toEqual([filePath.split("/").at(-1)!, index + 1]);
        expect(file.positiveLabel).toBe("no");
        const [no, yes] = shown.confusion;
        const decidedNo = no![0]! + yes![0]!;
        expect(shown.recall).toBe(no![0]! / (no![0]! + no![1]!));
        expect(shown.precision).toBe(decidedNo === 0 ? null : no![0]! / decidedNo);
      });
      expect([journals(jobs), jobs.faults]).toEqual([[], []]);
    }));

  test("serves its costs: versions decide and are ranked by them, and their curves hold what they decided", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs, { positiveLabel: "no" });
      const costs = [{ actual: "no", predicted: null, cost: 4 }];
      const key = addTraining(jobs, datasetKey, { scalingFactor: 3, objective: "cost", costs });
      await begin(jobs).flow;
      const { modelKey } = trainingOf(jobs, key);
      const summary = summaryOf(jobs, modelKey!);
      expect([summary.objective, summary.costs]).toEqual([
        "cost",
        [
          [0, 4],
          [1, 0],
        ],
      ]);
      const { versions } = findOwnedModel(jobs.database, jobs.ann, modelKey!)!;
      const scores = summary.versions.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      summary.versions.forEach(({ score, confusion, threshold, thresholds }, index) => {
        const [[hits, missed], [falseAlarms]] = confusion as [[number, number], [number, number]];
        expect(score).toBeCloseTo(-(4 * missed + falseAlarms) / summary.holdout.rows, 12);
        expect(threshold).toBeCloseTo(1 / 5, 12);
        // The first of equals is "no" itself, so a row at the threshold counts as above it.
        const at = thresholds!.thresholds.findIndex((own) => Math.abs(own - threshold!) < 1e-9);
        expect([thresholds!.hits[at], thresholds!.falseAlarms[at]]).toEqual([hits, falseAlarms]);
        const file = unpackModel(readFileSync(jobs.state.locate(versions[index]!.filePath)));
        expect(file.classWeights).toEqual([4, 1]);
      });
    }));

  test("is COMPLETED after the round that reaches the target, else NOT_COMPLETED with its best", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs);
      const reached = addTraining(jobs, datasetKey, { scalingFactor: 25, targetPerformance: 0.55 });
      await begin(jobs).flow;
      expect(trainingOf(jobs, reached)).toMatchObject({
        status: "COMPLETED",
        attemptsTotal: 26,
        attemptsCompleted: 20,
      });
      // So many held-out rows that no model has all of them right by chance.
      const larger = await readyDataset(jobs, {}, knownTable(400, 1));
      const missed = addTraining(jobs, larger, { scalingFactor: 2, targetPerformance: 1 });
      await begin(jobs).flow;
      const { status, modelKey, errorReason, achievedPerformance } = trainingOf(jobs, missed);
      expect([status, errorReason]).toEqual(["NOT_COMPLETED", expect.stringContaining("target of 1")]);
      expect(achievedPerformance).toBeLessThan(1);
      expect(findOwnedModel(jobs.database, jobs.ann, modelKey!)).not.toBeNull();
    }));

  test("is TIMED_OUT with its best where the time comes first", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs);
      const key = addTraining(jobs, datasetKey, { scalingFactor: 499, timeLimitSeconds: 600 });
      await withSteadyClock(async (pass) => {
        const { flow } = begin(jobs);
        await until(() => trainingOf(jobs, key).attemptsCompleted >= 1, "an attempt");
        pass(600);
        await flow;
      });
      const { status, modelKey, errorReason } = trainingOf(jobs, key);
      expect([status, errorReason]).toEqual(["TIMED_OUT", expect.stringContaining("time limit of 600 s")]);
      expect(summaryOf(jobs, modelKey!).status).toBe("TIMED_OUT");
    }));

  test("gives each attempt no more than its own time", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs);
      jobs.services = { ...jobs.services, timeCaps: { ...DEFAULT_TIME_CAPS, attemptSeconds: 0.001 } };
      const key = addTraining(jobs, datasetKey, { scalingFactor: 5 });
      await begin(jobs).flow;
      expect(listTrainingAttempts(jobs.database, key).map(({ status }) => status)).toContain("stopped");
    }));

  test("is CANCELLED with its best, or with nothing before there was an attempt", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const datasetKey = await readyDataset(jobs);
      const late = addTraining(jobs, datasetKey, { scalingFactor: 499 });
      const { run, flow } = begin(jobs);
      await until(() => trainingOf(jobs, late).attemptsCompleted >= 1, "an attempt");
      cancelTrainingJob(database, ann, late, new Date());
      cancelRun(run);
      await flow;
      const { status, modelKey } = trainingOf(jobs, late);
      expect([status, summaryOf(jobs, modelKey!).status]).toEqual(["CANCELLED", "CANCELLED"]);

      const early = addTraining(jobs, datasetKey);
      const reading = begin(jobs);
      cancelTrainingJob(database, ann, early, new Date());
      cancelRun(reading.run);
      await reading.flow;
      expect(trainingOf(jobs, early)).toMatchObject({ status: "CANCELLED", modelKey: null, errorReason: null });
      expect([filesIn(jobs, "models"), journals(jobs)]).toEqual([[modelKey!], []]);
      expect(jobs.faults).toEqual([]);
    }));

  test("is FAILED where the table cannot be read any more, or where no attempt finishes", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs);
      const unfinished = addTraining(jobs, datasetKey, { scalingFactor: 0 });
      const fragile = new WorkerPool(dyingWorkers("qualify", 1_000), 1);
      await begin(jobs, fragile).flow;
      fragile.close();
      expect(trainingOf(jobs, unfinished)).toMatchObject({
        status: "FAILED",
        modelKey: null,
        attemptsFailed: 3,
        errorReason: expect.stringContaining("No attempt finished"),
      });
      expect(jobs.faults).toEqual([]);

      rmSync(jobs.state.locate(datasetOf(jobs, datasetKey).filePath!));
      const unread = addTraining(jobs, datasetKey);
      await begin(jobs).flow;
      expect(trainingOf(jobs, unread).errorReason).not.toContain(jobs.folder);
      expect([trainingOf(jobs, unread).status, jobs.faults.length]).toEqual(["FAILED", 1]);
      expect([filesIn(jobs, "models"), journals(jobs)]).toEqual([[], []]);
    }));

  test("is FAILED, and leaves nothing, where its model or its journal cannot be kept", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs);
      const unkept = addTraining(jobs, datasetKey, { scalingFactor: 0 });
      const models = jobs.state.locate("models");
      rmSync(models, { recursive: true });
      await Bun.write(models, "in the way");
      await begin(jobs).flow;
      expect([trainingOf(jobs, unkept).status, trainingOf(jobs, unkept).modelKey]).toEqual(["FAILED", null]);
      rmSync(models);
      mkdirSync(models);

      const unjournalled = addTraining(jobs, datasetKey);
      mkdirSync(jobs.state.locate(statePaths.journal(unjournalled)));
      await begin(jobs).flow;
      expect(trainingOf(jobs, unjournalled).status).toBe("FAILED");
      expect(jobs.faults).toHaveLength(3);
    }));
});

describe("a training job that is interrupted", () => {
  test("and whose user had cancelled it keeps what is remembered", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const datasetKey = await readyDataset(jobs);
      const key = addTraining(jobs, datasetKey, { scalingFactor: 499 });
      const { run, flow } = begin(jobs);
      await until(() => trainingOf(jobs, key).attemptsCompleted >= 2, "two attempts");
      cancelTrainingJob(database, ann, key, new Date());
      suspendRun(run);
      await flow;
      expect(trainingOf(jobs, key)).toMatchObject({ status: "RUNNING", modelKey: null });
      const known = trainingOf(jobs, key).attemptsCompleted;
      recoverTrainingJobs(database, new Date());
      await begin(jobs).flow;
      const { status, modelKey, attemptsCompleted } = trainingOf(jobs, key);
      expect([status, attemptsCompleted]).toEqual(["CANCELLED", known]);
      expect(existsSync(jobs.state.locate(statePaths.modelVersion(modelKey!, 1)))).toBeTrue();
      expect([journals(jobs), jobs.faults]).toEqual([[], []]);
    }));

  test.each([
    ["numbers", TABLE],
    ["texts", csvOf(drawTexts(300, 3, 5))],
  ])("while its models are refitted goes on with the same model, of %s", (_, table) =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs, {}, table);
      const key = addTraining(jobs, datasetKey, { scalingFactor: 3 });
      const { run, flow } = begin(jobs);
      // An event: a look at intervals may come when the job has ended.
      const watcher = watch(jobs.state.locate("models"), () => suspendRun(run));
      await flow;
      watcher.close();
      const [begun] = filesIn(jobs, "models");
      recoverTrainingJobs(jobs.database, new Date());
      await begin(jobs).flow;
      expect(trainingOf(jobs, key)).toMatchObject({ status: "COMPLETED", modelKey: begun!, attemptsCompleted: 4 });
      expect(filesIn(jobs, "models")).toEqual([begun!]);
      const whole = addTraining(jobs, datasetKey, { scalingFactor: 3 });
      await begin(jobs).flow;
      expect(arraysOf(jobs, begun!)).toEqual(arraysOf(jobs, trainingOf(jobs, whole).modelKey!));
    }),
  );
});
