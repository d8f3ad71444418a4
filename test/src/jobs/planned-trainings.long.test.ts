// Trainings that follow a refinement: through the scheduler, after kills at every
// step, and any order of ends, cancels and deletes.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { listAudit } from "../../../data/audit.ts";
import { claimNextDataset, completeDataset, failDataset } from "../../../data/dataset-processing.ts";
import { deleteDataset, findDataset, insertDataset, listDatasets } from "../../../data/datasets.ts";
import { freeDatasetName } from "../../../data/refined-datasets.ts";
import {
  cancelPlannedTraining,
  duePlannedTrainings,
  findPlannedTraining,
  type PlannedTraining,
  planTraining,
} from "../../../data/refinements/planned-trainings.ts";
import {
  claimNextRefinement,
  enterRefinementState,
  finishRefinement,
  type RefinementEnd,
} from "../../../data/refinements/refinement-runs.ts";
import { cancelRefinement, deleteRefinement } from "../../../data/refinements/refinements.ts";
import { listTrainingJobs, type TrainingJob } from "../../../data/training-jobs.ts";
import { DEFAULT_TIME_CAPS } from "../../../src/common/limits.ts";
import { divideBudget } from "../../../src/common/memory-budget.ts";
import { type PlanServices, stepPlannedTrainings } from "../../../src/jobs/planned-trainings.ts";
import { createQuotas } from "../../../src/storage/quotas.ts";
import { AMPLE_ROOM, storageRoom } from "../../../src/storage/storage-room.ts";
import {
  ALL,
  addDataset,
  addQueuedRefinement,
  FACTS,
  NOON,
  newDataset,
  RESULT,
  storedFile,
  type TestState,
  withState,
} from "../../data/state.ts";
import {
  addRefinement,
  filesIn,
  type JobState,
  killWhen,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const WIDTH = 2;

/** What the plans of a user came to. */
function madeBy({ database, ann }: Pick<JobState, "database" | "ann">) {
  const datasets = listDatasets(database, ann, ALL).items.filter(({ source }) => source === "REFINEMENT");
  return { datasets, trainings: listTrainingJobs(database, ann, ALL).items };
}

function throughScheduler(jobs: JobState, refinementKey: string): Promise<TrainingJob> {
  return withScheduler(jobs.services, async (scheduler) => {
    const training = () => madeBy(jobs).trainings.find(({ status }) => status === "COMPLETED");
    const isOver = () => training() !== undefined && scheduler.running().length === 0;
    await until(isOver, `the training after refinement ${refinementKey}`);
    return training()!;
  });
}

describe("a planned training", () => {
  test("follows its refinement in the name of the user who planned it", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const key = addRefinement(jobs, knownTable(120, 1), knownTable(60, 2), { name: "known columns" });
      planTraining(database, { refinementKey: key, userKey: ann, sourceDatasetKey: null, scalingFactor: WIDTH }, NOON);
      const job = await throughScheduler(jobs, key);
      const { datasets, trainings } = madeBy(jobs);
      expect([datasets.map(({ name }) => name), trainings.length]).toEqual([["known columns refined"], 1]);
      const dataset = findDataset(database, datasets[0]!.key)!;
      expect(dataset).toMatchObject({ featureRefinementKey: key, labelColumn: "label" });
      expect(job).toMatchObject({ scalingFactor: WIDTH, seed: 1, targetPerformance: dataset.recommendedThreshold });
      const plan = findPlannedTraining(database, key);
      expect(plan).toMatchObject({ status: "STARTED", datasetKey: dataset.key, trainingJobKey: job.key });
      const told = listAudit(database, {}, ALL).items.map(({ action, email, objectKey }) => [action, email, objectKey]);
      expect(told.reverse()).toEqual([
        ["DATASET_CREATED", "ann@example.com", dataset.key],
        ["TRAINING_STARTED", "ann@example.com", job.key],
      ]);
      expect(jobs.faults).toEqual([]);
    }));

  test("is taken up where a killed process left it, whichever step that was, and nothing is made twice", () =>
    withJobState(async (jobs) => {
      const { database, ann } = jobs;
      const key = addRefinement(jobs, knownTable(120, 1), knownTable(60, 2), { name: "known columns" });
      planTraining(database, { refinementKey: key, userKey: ann, sourceDatasetKey: null, scalingFactor: WIDTH }, NOON);
      for (const moment of [
        "SELECT 1 FROM refinements WHERE progressCompleted >= 3",
        "SELECT 1 FROM refinements JOIN plannedTrainings ON refinementKey = refinements.key WHERE finishedOn IS NOT NULL AND status = 'WAITING'",
        "SELECT 1 FROM plannedTrainings WHERE status = 'PREPARING'",
        "SELECT 1 FROM plannedTrainings AS plan JOIN datasets ON datasets.key = datasetKey WHERE plan.status = 'PREPARING' AND datasets.status = 'COMPLETED'",
        "SELECT 1 FROM plannedTrainings WHERE status = 'STARTED'",
      ]) {
        await killWhen(jobs, moment);
      }
      const job = await throughScheduler(jobs, key);
      const { datasets, trainings } = madeBy(jobs);
      expect([datasets.length, trainings.length]).toEqual([1, 1]);
      const plan = findPlannedTraining(database, key);
      expect(plan).toMatchObject({ status: "STARTED", datasetKey: datasets[0]!.key, trainingJobKey: job.key });
      expect(listAudit(database, {}, ALL).total).toBe(2);
      expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
    }));
});

type Ending = "completed" | "failed" | "out of time" | "cancelled";

/** A database without files: only what the steps write is looked at. */
interface Plans extends TestState {
  services: PlanServices;
  faults: unknown[];
}

function withPlans(use: (plans: Plans) => void): void {
  withState((state) => {
    const { database } = state;
    const faults: unknown[] = [];
    const services = {
      ...{ database, timeCaps: DEFAULT_TIME_CAPS, memory: divideBudget(8_192), workers: 2 },
      ...{ quotas: createQuotas(database, UNLIMITED, AMPLE_ROOM), report: (fault: unknown) => faults.push(fault) },
    };
    use({ ...state, services, faults });
  });
}

function addPlanned({ database, ann }: Plans): string {
  const refinement = addQueuedRefinement(database, ann);
  const source = addDataset(database, ann);
  const plan = { refinementKey: refinement.key, userKey: ann, sourceDatasetKey: source.key, scalingFactor: WIDTH };
  planTraining(database, plan, NOON);
  return refinement.key;
}

/** Runs the refinement, which is the only one that waits. */
function endRefinement({ database, ann }: Plans, key: string, ending: Ending): void {
  if (claimNextRefinement(database, NOON) === null) return;
  for (const next of ["MEASURE_INITIAL_THRESHOLD", "BASELINE_RUN_1", "REFINING_LOOP_1", "CREATING_RESULT"] as const) {
    enterRefinementState(database, key, next, NOON);
  }
  if (ending === "cancelled") cancelRefinement(database, ann, key, NOON);
  const files = [{ kind: "TRAIN" as const, ...storedFile() }];
  const ends: Record<Ending, RefinementEnd> = {
    completed: { state: "REFINEMENT_COMPLETED", result: RESULT, files },
    failed: { state: "ERROR", errorReason: "Line 3 has too few cells." },
    "out of time": { state: "TIMEOUT", errorReason: "Two hours are over.", result: null, files: [] },
    cancelled: { state: "CANCELLED" },
  };
  expect(finishRefinement(database, key, ends[ending], NOON)).toBeTrue();
}

function readDataset({ database }: Plans, isFit: boolean): void {
  const claimed = claimNextDataset(database);
  if (claimed === null) return;
  if (isFit) completeDataset(database, claimed.key, FACTS, NOON);
  else failDataset(database, claimed.key, "One class only.", NOON, "ONE_CLASS");
}

const planOf = ({ database }: Plans, key: string): PlannedTraining => findPlannedTraining(database, key)!;

describe("a plan", () => {
  test.each([
    ["failed", { status: "FAILED", errorReason: "The refinement failed. Line 3 has too few cells." }],
    [
      "out of time",
      { status: "FAILED", errorReason: "The refinement was stopped at its time limit. Two hours are over." },
    ],
    ["cancelled", { status: "CANCELLED", errorReason: "The refinement was cancelled." }],
  ] as const)("ends with a refinement that %s", (ending, expected) => {
    withPlans((plans) => {
      const key = addPlanned(plans);
      stepPlannedTrainings(plans.services);
      expect(planOf(plans, key).status).toBe("WAITING");
      endRefinement(plans, key, ending);
      stepPlannedTrainings(plans.services);
      expect(planOf(plans, key)).toMatchObject(expected);
      expect(madeBy(plans)).toEqual({ datasets: [], trainings: [] });
    });
  });

  test("ends where the refinement or the dataset goes, or cannot be read", () => {
    withPlans((plans) => {
      const { database, ann, services } = plans;
      const gone = addPlanned(plans);
      endRefinement(plans, gone, "completed");
      deleteRefinement(database, ann, gone, NOON);
      stepPlannedTrainings(services);
      expect(planOf(plans, gone)).toMatchObject({
        status: "CANCELLED",
        errorReason: expect.stringMatching(/refinement was deleted/),
      });
      const [without, unread] = [addPlanned(plans), addPlanned(plans)];
      for (const key of [without, unread]) endRefinement(plans, key, "completed");
      stepPlannedTrainings(services);
      deleteDataset(database, ann, planOf(plans, without).datasetKey!, NOON);
      readDataset(plans, false);
      stepPlannedTrainings(services);
      expect(planOf(plans, without)).toMatchObject({
        status: "CANCELLED",
        errorReason: expect.stringMatching(/dataset .* was deleted/),
      });
      expect(planOf(plans, unread)).toMatchObject({ status: "FAILED", errorReason: "One class only." });
      expect(madeBy(plans).trainings).toEqual([]);
    });
  });

  test("fails with the reason where a quota or the memory does not allow the training, and is planned anew on the same dataset", () => {
    withPlans((plans) => {
      const { database, ann, services } = plans;
      const key = addPlanned(plans);
      endRefinement(plans, key, "completed");
      stepPlannedTrainings(services);
      readDataset(plans, true);
      stepPlannedTrainings({ ...services, memory: { jobBytes: { heavy: 1, light: 1 } } });
      const reason = expect.stringMatching(/^MEMORY_BUDGET: This takes up to/);
      expect(planOf(plans, key)).toMatchObject({ status: "FAILED", errorReason: reason });
      const { datasetKey } = planOf(plans, key);
      planTraining(database, { refinementKey: key, userKey: ann, sourceDatasetKey: null, scalingFactor: 7 }, NOON);
      stepPlannedTrainings(services);
      expect(planOf(plans, key)).toMatchObject({ status: "STARTED", datasetKey, errorReason: null });
      expect(madeBy(plans)).toMatchObject({ datasets: [{ key: datasetKey }], trainings: [{ scalingFactor: 7 }] });
    });
    withPlans((plans) => {
      const { database } = plans;
      const quotas = createQuotas(database, { ...UNLIMITED, quotaBytesPerUser: 1 });
      const key = addPlanned(plans);
      endRefinement(plans, key, "completed");
      stepPlannedTrainings(plans.services);
      readDataset(plans, true);
      stepPlannedTrainings({ ...plans.services, quotas });
      expect(planOf(plans, key)).toMatchObject({
        status: "FAILED",
        errorReason: expect.stringMatching(/^QUOTA_EXCEEDED: This needs 131,072 bytes/),
      });
      expect(plans.faults).toEqual([]);
    });
  });

  test("waits for a full disk, and goes on once there is room", () => {
    withPlans((plans) => {
      const { database, services } = plans;
      const key = addPlanned(plans);
      endRefinement(plans, key, "completed");
      stepPlannedTrainings(services);
      readDataset(plans, true);
      const full = storageRoom({ isKept: false, release: () => false, restore: () => false }, () => 0);
      stepPlannedTrainings({ ...services, quotas: createQuotas(database, UNLIMITED, full) });
      expect([planOf(plans, key).status, plans.faults.length]).toEqual(["PREPARING", 1]);
      expect(duePlannedTrainings(database)).toEqual([key]);
      stepPlannedTrainings(services);
      expect(planOf(plans, key).status).toBe("STARTED");
    });
  });

  test("makes one dataset and one training at most, in whatever order things end, are cancelled and are deleted", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 14 }), (events) =>
        withPlans((plans) => goThrough(plans, events)),
      ),
      { numRuns: 40 },
    );
  });
});

function goThrough(plans: Plans, events: readonly (typeof EVENTS)[number][]): void {
  const key = addPlanned(plans);
  let mayBeMade = 1;
  for (const event of events) {
    const before = planOf(plans, key);
    happen(event, plans, key);
    const after = planOf(plans, key);
    // Only a dataset that failed or went away is made again.
    if (after.datasetKey !== before.datasetKey && before.datasetKey !== null) mayBeMade++;
    if (before.status === "STARTED") expect(after).toEqual(before);
    if (event === "step") expectNothingDue(plans, key);
  }
  const { status, datasetKey, trainingJobKey, errorReason } = planOf(plans, key);
  expect(datasetsMade(plans)).toBeLessThanOrEqual(datasetKey === null ? 0 : mayBeMade);
  expect(madeBy(plans).trainings.map((job) => job.key)).toEqual(status === "STARTED" ? [trainingJobKey!] : []);
  expect(errorReason === null || status === "FAILED" || status === "CANCELLED").toBeTrue();
  expect(plans.faults).toEqual([]);
}

const EVENTS = [
  ...(["step", "complete", "fail", "cancel refinement", "delete refinement", "cancel", "plan anew"] as const),
  ...(["read", "fail to read", "delete dataset"] as const),
];

function happen(event: (typeof EVENTS)[number], plans: Plans, key: string): void {
  const { database, ann, services } = plans;
  const { datasetKey } = planOf(plans, key);
  const anew = { refinementKey: key, userKey: ann, sourceDatasetKey: null, scalingFactor: WIDTH };
  const events: Record<typeof event, () => unknown> = {
    step: () => stepPlannedTrainings(services),
    complete: () => endRefinement(plans, key, "completed"),
    fail: () => endRefinement(plans, key, "failed"),
    "cancel refinement": () => cancelRefinement(database, ann, key, NOON),
    "delete refinement": () => deleteRefinement(database, ann, key, NOON),
    cancel: () => cancelPlannedTraining(database, key),
    "plan anew": () => planTraining(database, anew, NOON),
    read: () => readDataset(plans, true),
    "fail to read": () => readDataset(plans, false),
    "delete dataset": () => datasetKey !== null && deleteDataset(database, ann, datasetKey, NOON),
  };
  events[event]();
}

/** A second look right after a first finds nothing to do. */
function expectNothingDue(plans: Plans, key: string): void {
  const after = planOf(plans, key);
  stepPlannedTrainings(plans.services);
  expect(planOf(plans, key)).toEqual(after);
  expect(duePlannedTrainings(plans.database)).toEqual([]);
}

function datasetsMade({ database }: Plans): number {
  const query = "SELECT count(*) AS count FROM datasets WHERE source = 'REFINEMENT'";
  return database.client.query<{ count: number }, []>(query).get()!.count;
}

describe("the name of a refined dataset", () => {
  test("is the first that is free, and never longer than 30 characters", () => {
    withPlans(({ database, ann, bob }) => {
      fc.assert(
        fc.property(fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }), (base) => {
          const names = [1, 2, 3].map(() => {
            const name = freeDatasetName(database, ann, base);
            expect([...name].length).toBeLessThanOrEqual(30);
            expect(name.isWellFormed()).toBeTrue();
            database.write(() => addNamed(name));
            return name;
          });
          expect(new Set(names).size).toBe(3);
        }),
        { numRuns: 40 },
      );
      expect(freeDatasetName(database, bob, "penguins")).toBe("penguins refined");

      function addNamed(name: string): void {
        insertDataset(database, newDataset(ann, { name }), NOON);
      }
    });
  });
});
