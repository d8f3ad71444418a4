// Training jobs: every change of status, allowed and forbidden, and the transaction that ends a job with its model.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { noteElapsed } from "../../data/database/claims.ts";
import { elapsedSeconds } from "../../data/database/pages.ts";
import type { VerdictRecord } from "../../data/database/records.ts";
import type { Dataset } from "../../data/datasets.ts";
import { deleteDataset, insertDataset } from "../../data/datasets.ts";
import { findOwnedModel, listModels, type NewModel } from "../../data/models.ts";
import {
  cancelTrainingJob,
  findOwnedTrainingJob,
  insertTrainingJob,
  listTrainingJobs,
  trainingStatus,
} from "../../data/training-jobs.ts";
import {
  claimNextTrainingJob,
  finishTrainingJob,
  isTrainingCancelled,
  listTrainingAttempts,
  recordTrainingAttempt,
  recoverTrainingJobs,
  setTrainingPlan,
  setTrainingVerdict,
  type TrainingEnd,
} from "../../data/training-runs.ts";
import {
  ALL,
  addDataset,
  addTrainingJob,
  attemptRecord,
  later,
  NOON,
  newDataset,
  newModel,
  newTrainingJob,
  openTestState,
  type TestState,
} from "./state.ts";

let state: TestState;
let dataset: Dataset;
beforeEach(() => {
  state = openTestState();
  dataset = addDataset(state.database, state.ann);
});
afterEach(() => state.close());

const find = (key: string) => findOwnedTrainingJob(state.database, state.ann, key)!;
const finish = (key: string, end: TrainingEnd, now = later(50)) => finishTrainingJob(state.database, key, end, now);

function endOf(status: TrainingEnd["status"], model: NewModel | null = newModel()): TrainingEnd {
  const errorReason = status === "COMPLETED" ? null : `It ended as ${status}.`;
  return { status, model: status === "FAILED" ? null : model, errorReason, attempts: null } as TrainingEnd;
}

const STATUSES = ["COMPLETED", "TIMED_OUT", "NOT_COMPLETED", "CANCELLED", "FAILED"] as const;

/** A job of Ann's in each situation. */
const SITUATIONS: Record<string, () => string> = {
  PENDING: () => addTrainingJob(state.database, dataset).key,
  RUNNING: () => {
    const key = SITUATIONS["PENDING"]!();
    while (claimNextTrainingJob(state.database, NOON)!.key !== key);
    return key;
  },
  "RUNNING, cancel requested": () => {
    const key = SITUATIONS["RUNNING"]!();
    cancelTrainingJob(state.database, state.ann, key, later(5));
    return key;
  },
  "RUNNING, interrupted": () => {
    const key = SITUATIONS["RUNNING"]!();
    recoverTrainingJobs(state.database, NOON);
    return key;
  },
  "cancelled before it ran": () => {
    const key = SITUATIONS["PENDING"]!();
    cancelTrainingJob(state.database, state.ann, key, later(5));
    return key;
  },
  ...Object.fromEntries(
    STATUSES.map((status) => [
      status,
      () => {
        const key = SITUATIONS[status === "CANCELLED" ? "RUNNING, cancel requested" : "RUNNING"]!();
        finish(key, endOf(status), later(40));
        return key;
      },
    ]),
  ),
};

test("the verdict of a job is that of its end, else what was known before, and its model's", () => {
  const early: VerdictRecord = {
    judgedBy: { kind: "groups", groupColumn: "machine", timeColumn: null, groupCount: 60 },
    ...{ isLookedAt: true, doubts: [] },
  };
  const key = SITUATIONS["RUNNING"]!();
  expect(find(key).verdict).toBeNull();
  expect(setTrainingVerdict(state.database, key, early)).toBeTrue();
  expect(find(key).verdict).toEqual(early);
  const model = newModel();
  finish(key, endOf("COMPLETED", model));
  expect(find(key).verdict).toEqual(early);
  expect(findOwnedModel(state.database, state.ann, model.key)!.verdict).toEqual(early);
  expect(setTrainingVerdict(state.database, key, early)).toBeFalse();

  const other = SITUATIONS["RUNNING"]!();
  setTrainingVerdict(state.database, other, early);
  const late = { ...early, isLookedAt: false };
  finish(other, { ...endOf("FAILED"), verdict: late });
  expect(find(other).verdict).toEqual(late);
});

/** What each end makes of a job, null where it is refused. */
const ENDS: Record<string, Record<TrainingEnd["status"], string | null>> = {
  RUNNING: {
    COMPLETED: "COMPLETED",
    TIMED_OUT: "TIMED_OUT",
    NOT_COMPLETED: "NOT_COMPLETED",
    CANCELLED: null,
    FAILED: "FAILED",
  },
  "RUNNING, cancel requested": {
    COMPLETED: "CANCELLED",
    TIMED_OUT: "CANCELLED",
    NOT_COMPLETED: "CANCELLED",
    CANCELLED: "CANCELLED",
    FAILED: "CANCELLED",
  },
};
const CANCELS: Record<string, string> = {
  PENDING: "CANCELLED",
  RUNNING: "CLOSING",
  "RUNNING, cancel requested": "CLOSING",
  "RUNNING, interrupted": "CLOSING",
  "cancelled before it ran": "CANCELLED",
  CANCELLED: "CANCELLED",
};

describe("a job that is", () => {
  for (const situation of Object.keys(SITUATIONS)) {
    const cancel = CANCELS[situation] ?? "NOT_CANCELLABLE";
    test(`${situation} answers a cancel with ${cancel}`, () => {
      const { database, ann, bob } = state;
      const key = SITUATIONS[situation]!();
      const before = find(key);
      expect(cancelTrainingJob(database, bob, key, NOON)).toBe("NOT_FOUND");
      expect(cancelTrainingJob(database, ann, key, later(60))).toBe(cancel as "CANCELLED");
      if (cancel === "NOT_CANCELLABLE" || before.cancelRequested) expect(find(key)).toEqual(before);
      else expect(trainingStatus(find(key))).toBe("CANCELLED");
    });

    test.each(STATUSES)(`${situation} may end as %s where the contract says so`, (status) => {
      const key = SITUATIONS[situation]!();
      const before = find(key);
      const after = ENDS[situation]?.[status] ?? null;
      const end = endOf(status);
      expect(finish(key, end)).toBe(after !== null);
      if (after === null) expect(find(key)).toEqual(before);
      else expect(find(key)).toMatchObject({ status: after, modelKey: end.model?.key ?? null, claimed: false });
      if (after === null && end.model !== null)
        expect(findOwnedModel(state.database, state.ann, end.model.key)).toBeNull();
    });

    test(`${situation} takes attempts only while it is in work`, () => {
      const { database } = state;
      const key = SITUATIONS[situation]!();
      const isInWork = situation === "RUNNING" || situation === "RUNNING, cancel requested";
      const before = find(key);
      expect(recordTrainingAttempt(database, key, attemptRecord(0), null)).toBe(isInWork);
      expect(setTrainingPlan(database, key, { attemptsTotal: 20, baselinePerformance: 0.6 })).toBe(isInWork);
      if (!isInWork) expect(find(key)).toEqual(before);
      expect(listTrainingAttempts(database, key)).toHaveLength(isInWork ? 1 : 0);
    });
  }
});

describe("training jobs", () => {
  test("need a dataset of the user's that is COMPLETED", () => {
    const { database, ann, bob } = state;
    const insert = (userKey: string, datasetKey: string) =>
      insertTrainingJob(database, { ...newTrainingJob(dataset), userKey, datasetKey }, NOON);
    expect(insert(ann, dataset.key)).toMatchObject({ status: "PENDING", attemptsCompleted: 0, modelKey: null });
    expect(insert(bob, dataset.key)).toBeNull();
    expect(insert(ann, randomUUID())).toBeNull();
    expect(insert(ann, insertDataset(database, newDataset(ann), NOON)!.key)).toBeNull();
    const other = insertDataset(database, newDataset(bob), NOON)!;
    deleteDataset(database, bob, other.key, NOON);
    expect(insert(bob, other.key)).toBeNull();
  });

  test("are each user's own, newest first, all or those of a dataset", () => {
    const { database, ann, bob } = state;
    const others = addDataset(database, ann);
    const keys = [1, 2, 2].map((seconds) => addTrainingJob(database, dataset, later(seconds)).key).reverse();
    const other = addTrainingJob(database, others, later(9)).key;
    const keysOf = ({ items }: { items: { key: string }[] }) => items.map(({ key }) => key);
    expect(keysOf(listTrainingJobs(database, ann, ALL, dataset.key))).toEqual(keys);
    expect(keysOf(listTrainingJobs(database, ann, ALL))).toEqual([other, ...keys]);
    expect(listTrainingJobs(database, ann, { offset: 1, limit: 1 }, dataset.key)).toMatchObject({
      items: [{ key: keys[1] }],
      total: 3,
    });
    expect(listTrainingJobs(database, bob, ALL, dataset.key)).toEqual({ items: [], total: 0 });
    expect(listTrainingJobs(database, bob, ALL)).toEqual({ items: [], total: 0 });
    expect(findOwnedTrainingJob(database, bob, other)).toBeNull();
  });

  test("count their attempts once and show the best", () => {
    const { database } = state;
    const key = SITUATIONS["RUNNING"]!();
    const best = { performance: 0.88, falseDecisions: 12, algorithm: "Random forest" };
    recordTrainingAttempt(database, key, attemptRecord(1), best);
    recordTrainingAttempt(database, key, attemptRecord(0, { status: "failed", note: "It broke." }), null);
    recordTrainingAttempt(database, key, attemptRecord(2, { status: "stopped" }), null);
    recordTrainingAttempt(database, key, attemptRecord(1, { finalist: true }), null);
    expect(find(key)).toMatchObject({
      attemptsCompleted: 1,
      attemptsFailed: 1,
      bestPerformance: 0.88,
      bestFalseDecisions: 12,
      bestAlgorithm: "Random forest",
    });
    expect(
      listTrainingAttempts(database, key).map(({ attempt, status, finalist }) => [attempt, status, finalist]),
    ).toEqual([
      [0, "failed", false],
      [1, "finished", true],
      [2, "stopped", false],
    ]);
    recordTrainingAttempt(database, key, attemptRecord(0), null);
    expect(find(key)).toMatchObject({ attemptsCompleted: 2, attemptsFailed: 0 });
  });

  test("end with model, versions, champion, figures and attempts in one transaction", () => {
    const { database, ann } = state;
    const key = SITUATIONS["RUNNING"]!();
    recordTrainingAttempt(database, key, attemptRecord(0), null);
    const model = newModel(2);
    const attempts = [attemptRecord(0, { finalist: true, version: 1 }), attemptRecord(1)];
    expect(finish(key, { status: "COMPLETED", model, errorReason: null, attempts })).toBe(true);
    expect(find(key)).toMatchObject({
      status: "COMPLETED",
      modelKey: model.key,
      achievedPerformance: 0.9,
      trainingPerformance: 0.95,
      testPerformance: 0.9,
      finishedOn: later(50).toISOString(),
    });
    const detail = findOwnedModel(database, ann, model.key)!;
    expect(detail.model).toMatchObject({ trainingJobKey: key, datasetKey: dataset.key, championVersion: 1 });
    expect(detail.versions).toEqual(
      model.versions.map((version, index) => ({
        ...{ ...version, modelKey: model.key, version: index + 1 },
        ...{ name: null, note: null },
      })),
    );
    expect(listTrainingAttempts(database, key)).toEqual(attempts);
  });

  test("stay as they were where their model cannot be kept", () => {
    const { database, ann } = state;
    const key = SITUATIONS["RUNNING"]!();
    const before = find(key);
    expect(() =>
      finish(key, { ...endOf("COMPLETED", newModel(3)), attempts: null, model: fourVersions() } as TrainingEnd),
    ).toThrow();
    expect(find(key)).toEqual(before);
    expect(listModels(database, ann, ALL).total).toBe(0);
  });

  test("cancelled in work look CANCELLED at once, and still keep their models", () => {
    const { database, ann } = state;
    const key = SITUATIONS["RUNNING"]!();
    expect(isTrainingCancelled(database, key)).toBe(false);
    cancelTrainingJob(database, ann, key, later(7));
    expect(isTrainingCancelled(database, key)).toBe(true);
    expect(trainingStatus(find(key))).toBe("CANCELLED");
    expect(deleteDataset(database, ann, dataset.key, NOON)).toBe("IN_USE");
    const model = newModel(1);
    expect(finish(key, { ...endOf("COMPLETED"), model } as TrainingEnd, later(90))).toBe(true);
    expect(find(key)).toMatchObject({ status: "CANCELLED", modelKey: model.key, errorReason: null });
    expect(elapsedSeconds(find(key), later(999))).toBe(7);
  });

  test("interrupted by a restart go on with their attempts, three times", () => {
    const { database } = state;
    const key = SITUATIONS["RUNNING"]!();
    recordTrainingAttempt(database, key, attemptRecord(0), null);
    const { startedOn } = find(key);
    for (const restarts of [1, 2, 3]) {
      expect(recoverTrainingJobs(database, later(10))).toEqual({ resumed: [key], ended: [] });
      expect(find(key)).toMatchObject({ status: "RUNNING", claimed: false });
      expect(claimNextTrainingJob(database, later(11))).toMatchObject({
        key,
        restarts,
        startedOn,
        attemptsCompleted: 1,
      });
    }
    const waiting = SITUATIONS["PENDING"]!();
    for (const restarts of [4, 5, 6]) {
      expect(recoverTrainingJobs(database, later(20))).toEqual({ resumed: [key], ended: [] });
      expect(claimNextTrainingJob(database, later(21))).toMatchObject({ key, restarts });
    }
    expect(recoverTrainingJobs(database, later(30))).toEqual({ resumed: [], ended: [key] });
    expect(find(key)).toMatchObject({ status: "FAILED", modelKey: null, finishedOn: later(30).toISOString() });
    expect(find(key).errorReason).toContain("restarted");
    expect(claimNextTrainingJob(database, later(31))).toMatchObject({ key: waiting, restarts: 0 });
  });

  test("interrupted for the fourth time without an attempt that finished have nothing to go on for", () => {
    const { database } = state;
    const key = SITUATIONS["RUNNING"]!();
    recordTrainingAttempt(database, key, attemptRecord(0, { status: "failed" }), null);
    for (let restarts = 1; restarts <= 3; restarts++) {
      recoverTrainingJobs(database, later(10));
      claimNextTrainingJob(database, later(11));
    }
    expect(recoverTrainingJobs(database, later(20))).toEqual({ resumed: [], ended: [key] });
    expect(find(key).status).toBe("FAILED");
  });

  test("interrupted one by one leave the others in work", () => {
    const { database } = state;
    const [first, second] = [SITUATIONS["RUNNING"]!(), SITUATIONS["RUNNING"]!()];
    expect(recoverTrainingJobs(database, later(10), first)).toEqual({ resumed: [first], ended: [] });
    expect([find(first).claimed, find(second).claimed]).toEqual([false, true]);
    expect(recoverTrainingJobs(database, later(10), first)).toEqual({ resumed: [], ended: [] });
  });

  test("take the time that a steady clock says, whatever becomes of the dates", () => {
    const { database, ann } = state;
    const key = SITUATIONS["RUNNING"]!();
    const seconds = (now: Date, runningMs: number | null = null) => elapsedSeconds(find(key), now, runningMs);
    expect([seconds(later(8)), seconds(later(-100)), seconds(later(8_000), 9_999)]).toEqual([8, 0, 9]);
    noteElapsed(database, "training", key, 12_000);
    noteElapsed(database, "training", key, 11_000);
    expect([seconds(later(8)), seconds(later(-100)), seconds(later(20))]).toEqual([12, 12, 20]);
    expect(cancelTrainingJob(database, ann, key, later(-50), 14_900)).toBe("CLOSING");
    expect([seconds(later(99)), seconds(later(99), 99_000)]).toEqual([14, 14]);
    finish(key, endOf("CANCELLED"), later(-20));
    expect(seconds(later(99))).toBe(14);
  });

  test("that ended before a clock was set back have taken what was noted", () => {
    const { database } = state;
    const key = SITUATIONS["RUNNING"]!();
    noteElapsed(database, "training", key, 12_000);
    finish(key, endOf("NOT_COMPLETED"), later(-20));
    expect(elapsedSeconds(find(key), later(99))).toBe(12);
    noteElapsed(database, "training", key, 90_000);
    expect(elapsedSeconds(find(key), later(99))).toBe(12);
  });

  test("cancelled before a restart are claimed again to keep their models", () => {
    const { database } = state;
    const key = SITUATIONS["RUNNING, cancel requested"]!();
    expect(recoverTrainingJobs(database, later(10))).toEqual({ resumed: [key], ended: [] });
    expect(trainingStatus(find(key))).toBe("CANCELLED");
    expect(claimNextTrainingJob(database, later(11))).toMatchObject({ key, cancelRequested: true });
    expect(finish(key, endOf("CANCELLED"))).toBe(true);
  });
});

/** More than a model may have. */
function fourVersions(): NewModel {
  const model = newModel(3);
  return { ...model, versions: [...model.versions, model.versions[0]] };
}
