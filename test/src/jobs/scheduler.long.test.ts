// The scheduler on a real state folder: from uploads to predictions, restarts,
// stops, fairness, and predictions that wait for nobody.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinDatabase } from "../../../data/database/database.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { findRefinementFile } from "../../../data/refinements/refinement-files.ts";
import { cancelRefinement, findRefinementResult } from "../../../data/refinements/refinements.ts";
import { cancelTrainingJob } from "../../../data/training-jobs.ts";
import { listTrainingAttempts } from "../../../data/training-runs.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { removeUser } from "../../../src/auth/remove-user.ts";
import type { Scheduler } from "../../../src/jobs/scheduler.ts";
import { predictionOf, refinementOf, trainingOf, withoutLabel } from "../../support/job-flows.ts";
import {
  addDataset,
  addPrediction,
  addRefinement,
  addTraining,
  datasetOf,
  filesIn,
  idle,
  type JobState,
  killWhen,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";

const TRAIN = knownTable(120, 1);
const TEST = knownTable(60, 2);
/** Takes many seconds to train on. */
const LARGE = knownTable(3_000, 3);
const UNLABELLED = withoutLabel(TEST);

async function readyDataset(jobs: JobState, scheduler: Scheduler, userKey = jobs.ann): Promise<string> {
  const key = addDataset(jobs, TRAIN, { userKey });
  await idle(scheduler);
  return key;
}

describe("the scheduler", () => {
  test("goes from files to a refinement, a dataset, a model and a prediction", () =>
    withJobState(async (jobs) => {
      const { database, ann, state } = jobs;
      const refinementKey = addRefinement(jobs, TRAIN, TEST);
      await withScheduler(jobs.services, async (scheduler) => {
        await idle(scheduler);
        expect(refinementOf(jobs, refinementKey).state).toBe("REFINEMENT_COMPLETED");
        const result = findRefinementResult(database, ann, refinementKey)!;
        const file = findRefinementFile(database, ann, refinementKey, "TRAIN", "RESULT")!;
        const originalColumns = result.columns.map(({ name }) => name);
        const { path, sizeBytes, sha256 } = file;
        const datasetKey = addDataset(jobs, "", {
          origin: {
            kind: "REFINEMENT",
            featureRefinementKey: refinementKey,
            recommendedThreshold: result.recommendedThreshold,
            originalColumns,
            file: { path, sizeBytes, sha256 },
          },
        });
        await idle(scheduler);
        const dataset = datasetOf(jobs, datasetKey);
        expect(dataset.status).toBe("COMPLETED");
        expect(dataset.columns!.map(({ name }) => name)).toEqual([...result.keptColumns, "label"]);

        const jobKey = addTraining(jobs, datasetKey, { scalingFactor: 2 });
        await idle(scheduler);
        const { modelKey, status } = trainingOf(jobs, jobKey);
        expect(status).toBe("COMPLETED");
        const { trainedOn } = unpackModel(readFileSync(state.locate(statePaths.modelVersion(modelKey!, 1)))).lineage;
        expect([trainedOn.sha256, trainedOn.sizeBytes]).toEqual([sha256, sizeBytes]);

        const whole = addPrediction(jobs, modelKey!, UNLABELLED, { filterColumns: true });
        const unfiltered = addPrediction(jobs, modelKey!, UNLABELLED);
        await idle(scheduler);
        const { status: done, rowCount, resultPath, warnings } = predictionOf(jobs, whole.key);
        expect([done, rowCount, warnings]).toEqual(["COMPLETED", 60, []]);
        const scored = readFileSync(state.locate(resultPath!), "utf8").split("\n");
        expect(scored[0]).toBe(`${UNLABELLED.split("\n")[0]},prediction,confidence,probability_no,probability_yes`);
        expect(predictionOf(jobs, unfiltered.key).warnings.map(({ code }) => code)).toEqual(["EXTRA_COLUMNS"]);
        expect(filesIn(jobs, "journals")).toEqual([]);
        expect(jobs.faults).toEqual([]);
      });
    }));

  test("lets a prediction pass the trainings, and shares places fairly among users", () =>
    withJobState(async (jobs) => {
      await withScheduler(jobs.services, async (scheduler) => {
        const [ann, bob] = [await readyDataset(jobs, scheduler), await readyDataset(jobs, scheduler, jobs.bob)];
        const first = addTraining(jobs, ann, { scalingFactor: 0 });
        await idle(scheduler);
        const { modelKey } = trainingOf(jobs, first);
        const anns = [0, 1, 2].map(() => addTraining(jobs, ann, { scalingFactor: 199 }));
        const bobs = addTraining(jobs, bob, { userKey: jobs.bob, scalingFactor: 199 });
        scheduler.wake();
        await until(() => scheduler.running().length === 2, "two trainings");
        expect(scheduler.running().map(({ key }) => key)).toEqual([anns[0]!, bobs]);
        const { key } = addPrediction(jobs, modelKey!, UNLABELLED);
        scheduler.wake();
        await until(() => predictionOf(jobs, key).status === "COMPLETED", "the prediction");
        expect(trainingOf(jobs, anns[0]!).status).toBe("RUNNING");
        // The prediction's own flow may have a last step to take.
        const others = scheduler.running().filter((job) => job.key !== key);
        expect(others.map((job) => job.key)).toEqual([anns[0]!, bobs]);
      });
    }));

  test("stops within its time, and the next start goes on to the same models", () =>
    withJobState(async (jobs) => {
      let datasetKey = "";
      let jobKey = "";
      let predictionKey = "";
      await withScheduler(jobs.services, async (scheduler) => {
        datasetKey = await readyDataset(jobs, scheduler);
        jobKey = addTraining(jobs, datasetKey, { scalingFactor: 4 });
        scheduler.wake();
        await until(() => trainingOf(jobs, jobKey).attemptsCompleted >= 2, "two attempts");
        // What did not end by itself would be waited for until the limit of the test.
        await scheduler.stop(600_000);
        expect(scheduler.running()).toEqual([]);
      });
      expect(trainingOf(jobs, jobKey)).toMatchObject({ status: "RUNNING", claimed: false, modelKey: null });
      expect(filesIn(jobs, "journals")).toEqual([jobKey]);
      const kept = trainingOf(jobs, jobKey).attemptsCompleted;
      jobs.database.close();
      jobs.reopen();
      await withScheduler(jobs.services, async (scheduler) => {
        expect(trainingOf(jobs, jobKey).attemptsCompleted).toBeGreaterThanOrEqual(kept);
        await idle(scheduler);
        expect(trainingOf(jobs, jobKey)).toMatchObject({ status: "COMPLETED", restarts: 0, attemptsCompleted: 5 });
        const whole = addTraining(jobs, datasetKey, { scalingFactor: 4 });
        await idle(scheduler);
        expect(versionsOf(jobs, jobKey)).toEqual(versionsOf(jobs, whole));
        predictionKey = addPrediction(jobs, trainingOf(jobs, jobKey).modelKey!, UNLABELLED).key;
        await idle(scheduler);
      });
      expect(predictionOf(jobs, predictionKey).status).toBe("COMPLETED");
      expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
    }));

  test("goes on after a kill where the killed process was, to the same results", () =>
    withJobState(async (jobs) => {
      let datasetKey = "";
      await withScheduler(jobs.services, async (scheduler) => {
        datasetKey = await readyDataset(jobs, scheduler);
      });
      // Some of so many attempts are left whenever the refinement has come so far.
      const cutTraining = addTraining(jobs, datasetKey, { scalingFactor: 19 });
      const cutRefinement = addRefinement(jobs, TRAIN, TEST);
      await killWhen(
        jobs,
        `SELECT 1 FROM refinements, trainingJobs WHERE trainingJobs.status = 'RUNNING' AND progressCompleted * 4 >= progressTotal`,
      );
      const before = refinementOf(jobs, cutRefinement);
      expect([trainingOf(jobs, cutTraining).status, before.finishedOn]).toEqual(["RUNNING", null]);
      const wholeTraining = addTraining(jobs, datasetKey, { scalingFactor: 19 });
      const wholeRefinement = addRefinement(jobs, TRAIN, TEST);
      await withScheduler(jobs.services, async (scheduler) => {
        expect(refinementOf(jobs, cutRefinement).progressCompleted).toBeGreaterThanOrEqual(before.progressCompleted!);
        await idle(scheduler);
      });
      expect(versionsOf(jobs, cutTraining)).toEqual(versionsOf(jobs, wholeTraining));
      const [cut, whole] = [cutRefinement, wholeRefinement].map((key) => ({
        result: findRefinementResult(jobs.database, jobs.ann, key)!,
        files: (["TRAIN", "TEST"] as const).map(
          (kind) => findRefinementFile(jobs.database, jobs.ann, key, kind, "RESULT")!.sha256,
        ),
      }));
      expect(cut).toEqual(whole!);
      const after = refinementOf(jobs, cutRefinement);
      expect([after.restarts, after.progressCompleted]).toEqual([1, after.progressTotal]);
      expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
      expect(filesIn(jobs, "files")).toHaveLength(1 + 2 * 4);
    }));

  test("ends at once what nobody will go on with, and drops its journal", () =>
    withJobState(async (jobs) => {
      const key = addRefinement(jobs, TRAIN, TEST);
      await killWhen(jobs, "SELECT 1 FROM refinements WHERE progressCompleted > 0");
      expect(existsSync(jobs.state.locate(statePaths.journal(key)))).toBeTrue();
      cancelRefinement(jobs.database, jobs.ann, key, new Date());
      await withScheduler(jobs.services, async (scheduler) => {
        expect(refinementOf(jobs, key).state).toBe("CANCELLED");
        expect([filesIn(jobs, "journals"), scheduler.running()]).toEqual([[], []]);
      });
    }));

  test("clears up after a killed process, and fails datasets whose upload never came", () =>
    withJobState(async (jobs) => {
      const part = `.${randomUUID()}.csv.${randomUUID()}.part`;
      const model = randomUUID();
      mkdirSync(jobs.state.locate(statePaths.modelFolder(model)));
      for (const place of ["files", "results", `models/${model}`])
        writeFileSync(join(jobs.folder, place, part), "half");
      writeFileSync(join(jobs.folder, "files", ".keep"), "not ours to remove");
      const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
      const origin = (expiresOn: Date) => ({ origin: { kind: "SIGNED_UPLOAD", expiresOn } }) as const;
      const [lapsed, recent] = [addDataset(jobs, "", origin(hours(0.01))), addDataset(jobs, "", origin(hours(-0.5)))];
      await withScheduler(jobs.services, async () => {
        expect(datasetOf(jobs, lapsed)).toMatchObject({
          status: "FAILED",
          errorCode: "UPLOAD_EXPIRED",
        });
        expect(datasetOf(jobs, recent).status).toBe("PENDING");
        expect([filesIn(jobs, "files"), filesIn(jobs, "results"), filesIn(jobs, "models")]).toEqual([
          [".keep"],
          [],
          [],
        ]);
      });
    }));

  test("cancels by the database's word alone", () =>
    withJobState(async (jobs) => {
      await withScheduler(jobs.services, async (scheduler) => {
        const datasetKey = await readyDataset(jobs, scheduler);
        const key = addTraining(jobs, datasetKey, { scalingFactor: 199 });
        scheduler.wake();
        await until(() => trainingOf(jobs, key).attemptsCompleted >= 1, "an attempt");
        scheduler.cancel(key);
        const done = trainingOf(jobs, key).attemptsCompleted;
        await until(() => trainingOf(jobs, key).attemptsCompleted > done, "a further attempt");
        cancelTrainingJob(jobs.database, jobs.ann, key, new Date());
        scheduler.cancel(key);
        await idle(scheduler);
        const { status, modelKey } = trainingOf(jobs, key);
        expect(status).toBe("CANCELLED");
        expect(findOwnedModel(jobs.database, jobs.ann, modelKey!)!.versions.length).toBeGreaterThan(0);
        expect(listTrainingAttempts(jobs.database, key).length).toBeLessThan(200);
      });
    }));

  test("stops the jobs of a user whom another process removes, and nobody else's", () =>
    withJobState(async (jobs) => {
      await withScheduler(jobs.services, async (scheduler) => {
        const bobs = await readyDataset(jobs, scheduler, jobs.bob);
        const anns = addDataset(jobs, LARGE);
        await idle(scheduler);
        const running = addTraining(jobs, anns, { scalingFactor: 199 });
        const refinement = addRefinement(jobs, LARGE, TEST);
        scheduler.wake();
        await until(() => trainingOf(jobs, running).attemptsCompleted >= 1, "an attempt");
        const waiting = addTraining(jobs, anns, { scalingFactor: 199 });
        const other = addTraining(jobs, bobs, { userKey: jobs.bob, scalingFactor: 1 });
        const beside = joinDatabase(jobs.folder);
        removeUser(beside, jobs.ann, "no hash", new Date());
        beside.close();
        await idle(scheduler);
        expect([running, waiting].map((key) => trainingOf(jobs, key).status)).toEqual(["CANCELLED", "CANCELLED"]);
        expect(trainingOf(jobs, running).attemptsCompleted).toBeLessThan(199);
        expect(refinementOf(jobs, refinement).state).toBe("CANCELLED");
        expect(trainingOf(jobs, other).status).toBe("COMPLETED");
        expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
      });
    }));

  test("stops the reading of a table whose user is removed, without a fault", () =>
    withJobState(async (jobs) => {
      await withScheduler(jobs.services, async (scheduler) => {
        const key = addDataset(jobs, LARGE);
        scheduler.wake();
        await Promise.resolve();
        expect(scheduler.running()).toEqual([{ kind: "dataset", key }]);
        removeUser(jobs.database, jobs.ann, "no hash", new Date());
        scheduler.cancel(key);
        await idle(scheduler);
        expect(datasetOf(jobs, key)).toMatchObject({ status: "FAILED", claimed: false, rowCount: null });
        expect(jobs.faults).toEqual([]);
      });
    }));
});

/** What is kept of a job's versions, and the hashes of their models' fitted parts. */
function versionsOf(jobs: JobState, jobKey: string) {
  const { modelKey } = trainingOf(jobs, jobKey);
  return findOwnedModel(jobs.database, jobs.ann, modelKey!)!.versions.map(({ modelKey: _, filePath, ...version }) => {
    const { model, features } = unpackModel(readFileSync(jobs.state.locate(filePath)));
    return { ...version, model, features };
  });
}
