// Whose job comes next: the queues against a plain model of fairness.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JOB_KINDS, type JobKind } from "../../../data/database/claims.ts";
import type { Database } from "../../../data/database/database.ts";
import { claimNextDataset, completeDataset, recoverDatasets } from "../../../data/dataset-processing.ts";
import { type Dataset, insertDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { endJobsOf } from "../../../data/jobs/end-jobs.ts";
import { endOfJob } from "../../../data/jobs/job-counts.ts";
import type { NewModel } from "../../../data/models.ts";
import {
  claimNextPrediction,
  failPrediction,
  insertPrediction,
  recoverPredictions,
} from "../../../data/predictions.ts";
import { findPlannedTraining, planTraining, stepPlannedTraining } from "../../../data/refinements/planned-trainings.ts";
import {
  claimNextRefinement,
  finishRefinement,
  isRefinementCancelled,
  recoverRefinements,
} from "../../../data/refinements/refinement-runs.ts";
import {
  claimNextSuccessor,
  findSuccessor,
  insertSuccessor,
  recoverSuccessors,
  type Successor,
  stepSuccessor,
} from "../../../data/successors.ts";
import {
  claimNextTrainingJob,
  finishTrainingJob,
  isTrainingCancelled,
  recoverTrainingJobs,
} from "../../../data/training-runs.ts";
import {
  addDataset,
  addModel,
  addQueuedRefinement,
  addTrainingJob,
  addUser,
  FACTS,
  later,
  NOON,
  newDataset,
  openTestState,
  type TestState,
} from "../state.ts";

let state: TestState;
let people: { key: string; dataset: Dataset; model: NewModel }[];
beforeAll(() => {
  state = openTestState();
  const keys = [state.ann, state.bob, addUser(state.database, "cem@example.com")];
  people = keys.map((key) => {
    const dataset = addDataset(state.database, key);
    return { key, dataset, model: addModel(state.database, dataset) };
  });
});
afterAll(() => state.close());

interface Kind {
  /** Adds a waiting job of a person's. */
  add(person: number, now: Date): string;
  claim(): { key: string } | null;
  finish(key: string): boolean;
  recover(): unknown;
}

const kinds: Record<JobKind, (database: Database) => Kind> = {
  refinement: (database) => ({
    add: (person, now) => addQueuedRefinement(database, people[person]!.key, now).key,
    claim: () => claimNextRefinement(database, NOON),
    finish: (key) => finishRefinement(database, key, { state: "ERROR", errorReason: "It broke." }, NOON),
    recover: () => recoverRefinements(database, NOON),
  }),
  dataset: (database) => ({
    add: (person, now) => insertDataset(database, newDataset(people[person]!.key), now)!.key,
    claim: () => claimNextDataset(database),
    finish: (key) => completeDataset(database, key, FACTS, NOON),
    recover: () => recoverDatasets(database, NOON),
  }),
  training: (database) => ({
    add: (person, now) => addTrainingJob(database, people[person]!.dataset, now).key,
    claim: () => claimNextTrainingJob(database, NOON),
    finish: (key) =>
      finishTrainingJob(database, key, { status: "FAILED", model: null, errorReason: null, attempts: null }, NOON),
    recover: () => recoverTrainingJobs(database, NOON),
  }),
  prediction: (database) => ({
    add: (person, now) => {
      const { key: userKey, model } = people[person]!;
      const key = crypto.randomUUID();
      const asked = { key, userKey, modelKey: model.key, version: 1, inputPath: statePaths.file(key) };
      return insertPrediction(database, { ...asked, inputBytes: 100, filterColumns: false }, now)!.key;
    },
    claim: () => claimNextPrediction(database, NOON),
    finish: (key) => failPrediction(database, key, "FAILED", "It broke.", NOON),
    recover: () => recoverPredictions(database, NOON),
  }),
  successor: (database) => ({
    add: (person, now) => {
      const { key: userKey, model, dataset } = people[person]!;
      // A line has one successor at a time: each is of a line of its own.
      const { key: firstModelKey } = addModel(database, dataset);
      const asked = { key: crypto.randomUUID(), userKey, firstModelKey, championKey: model.key, championVersion: 1 };
      const rest = { promote: "BY_HAND", oldRows: null, sources: [], sourceDatasetKey: dataset.key } as const;
      return (insertSuccessor(database, { ...asked, ...rest }, now) as Successor).key;
    },
    claim: () => claimNextSuccessor(database),
    finish: (key) => stepSuccessor(database, findSuccessor(database, key)!, { status: "FAILED" }, NOON),
    recover: () => recoverSuccessors(database, NOON),
  }),
};

interface PlainJob {
  key: string;
  person: number;
  seconds: number;
}

/**
 * Of the people with waiting jobs the one with the fewest in work, then the
 * oldest job, then the one that was made first.
 */
function plainNext(waiting: readonly PlainJob[], working: readonly PlainJob[]): PlainJob | undefined {
  const load = (job: PlainJob) => working.filter(({ person }) => person === job.person).length;
  // The list is in order of making, and sorting is stable.
  return waiting.toSorted((left, right) => load(left) - load(right) || left.seconds - right.seconds)[0];
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.nat(2), seconds: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.constant("claim" as const) },
  { weight: 2, arbitrary: fc.record({ finish: fc.nat(9) }) },
);

describe("the queue of", () => {
  test.each(JOB_KINDS)("%s jobs is fair", (name) => {
    const { add, claim, finish } = kinds[name](state.database);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const waiting: PlainJob[] = [];
        const working: PlainJob[] = [];
        const claimOne = () => {
          const expected = plainNext(waiting, working);
          expect(claim()?.key).toBe(expected?.key);
          if (expected !== undefined) working.push(...waiting.splice(waiting.indexOf(expected), 1));
        };
        for (const action of steps) {
          if (action === "claim") claimOne();
          else if ("add" in action) {
            const { add: person, seconds } = action;
            waiting.push({ key: add(person, later(seconds)), person, seconds });
          } else if (working.length > 0) {
            const [done] = working.splice(action.finish % working.length, 1);
            expect(finish(done!.key)).toBe(true);
          }
        }
        while (waiting.length > 0) claimOne();
        expect(claim()).toBeNull();
        for (const { key } of working) expect(finish(key)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test.each(JOB_KINDS)("%s jobs gives what a restart interrupted before what was queued later", (name) => {
    const { add, claim, finish, recover } = kinds[name](state.database);
    const keys = [0, 1, 2].map((seconds) => add(0, later(seconds)));
    expect([claim()!.key, claim()!.key]).toEqual(keys.slice(0, 2));
    recover();
    expect([claim()!.key, claim()!.key, claim()!.key, claim()]).toEqual([...keys, null] as never);
    for (const key of keys) finish(key);
  });
});

describe("the jobs of a removed user", () => {
  test.each<[JobKind, string, string | null]>([
    // These end when their flow has kept, or dropped, what it has.
    ["refinement", "CANCELLED", null],
    ["training", "CANCELLED", null],
    ["dataset", "FAILED", "FAILED"],
    ["prediction", "FAILED", "FAILED"],
    ["successor", "CANCELLED", "CANCELLED"],
  ])("end, whether a %s waits or runs, and nobody else's", (name, waitingEnd, runningEnd) => {
    const { database } = state;
    const { add, claim, finish } = kinds[name](database);
    const [running, waiting, other] = [add(0, later(0)), add(0, later(1)), add(1, later(2))];
    expect(claim()!.key).toBe(running);
    endJobsOf(database, people[0]!.key, later(60));
    expect([waiting, running].map((key) => endOfJob(database, name, key))).toEqual([waitingEnd, runningEnd]);
    if (name === "training") expect(isTrainingCancelled(database, running)).toBe(true);
    if (name === "refinement") expect(isRefinementCancelled(database, running)).toBe(true);
    if (name !== "successor") expect(finish(running)).toBe(runningEnd === null);
    expect([claim()!.key, claim()]).toEqual([other, null] as never);
    finish(other);
  });

  test("end with the trainings that are planned", () => {
    const { database } = state;
    const { key: userKey } = people[2]!;
    const plans = [0, 1].map((seconds) => {
      const { key: refinementKey } = addQueuedRefinement(database, userKey, later(seconds));
      return planTraining(database, { refinementKey, userKey, sourceDatasetKey: null, scalingFactor: 19 }, NOON);
    });
    stepPlannedTraining(database, plans[1]!, { status: "PREPARING", datasetKey: people[2]!.dataset.key });
    endJobsOf(database, userKey, later(60));
    expect(plans.map(({ refinementKey }) => findPlannedTraining(database, refinementKey)!.status)).toEqual([
      "CANCELLED",
      "CANCELLED",
    ]);
  });
});
