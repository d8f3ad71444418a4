// Refinements as their flow sees them: what a run may and may not do, and what a restart does to it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { elapsedSeconds } from "../../../data/database/pages.ts";
import type { PerformanceRecord } from "../../../data/database/records.ts";
import type { RefinementStageState } from "../../../data/database/states.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import {
  addRefinementProgress,
  claimNextRefinement,
  enterRefinementState,
  finishRefinement,
  isRefinementCancelled,
  type RefinementEnd,
  recoverRefinements,
  setRefinementRows,
  setRefinementTotal,
} from "../../../data/refinements/refinement-runs.ts";
import {
  cancelRefinement,
  findOwnedRefinement,
  findRefinementResult,
  listActivities,
} from "../../../data/refinements/refinements.ts";
import {
  addQueuedRefinement,
  addRefinement,
  later,
  NOON,
  openTestState,
  RESULT,
  storedFile,
  type TestState,
} from "../state.ts";

let state: TestState;
beforeEach(() => {
  state = openTestState();
});
afterEach(() => state.close());

const ROUTE: readonly RefinementStageState[] = [
  "SETUP_READING",
  "SETUP_BUCKETING",
  "MEASURE_INITIAL_THRESHOLD",
  "BASELINE_RUN_1",
  "BASELINE_RUN_2",
  "REFINING_LOOP_1",
  "REFINING_LOOP_2",
  "CREATING_RESULT",
];

const ENDS: Record<string, RefinementEnd> = {
  REFINEMENT_COMPLETED: { state: "REFINEMENT_COMPLETED", result: RESULT, files: [] },
  TIMEOUT: { state: "TIMEOUT", errorReason: "The time was up.", result: null, files: [] },
  ERROR: { state: "ERROR", errorReason: "It broke." },
  CANCELLED: { state: "CANCELLED" },
};

const ROW: PerformanceRecord = {
  falseDecisions: 3,
  accuracy: 0.97,
  f1Score: null,
  precision: 1,
  recall: null,
  best: true,
  family: "random forest",
};

/** The key of a refinement of Ann's that has come as far as `last`. */
function run(last: RefinementStageState = "SETUP_READING"): string {
  const { database, ann } = state;
  const { key } = addQueuedRefinement(database, ann);
  expect(claimNextRefinement(database, NOON)!.key).toBe(key);
  for (const next of ROUTE.slice(1, ROUTE.indexOf(last) + 1)) {
    expect(enterRefinementState(database, key, next, later(ROUTE.indexOf(next)))).toBe(true);
  }
  return key;
}

const find = (key: string) => findOwnedRefinement(state.database, state.ann, key)!;
const trailOf = (key: string) => listActivities(state.database, key, 100).map((activity) => activity.state);

describe("a run", () => {
  test("begins with a claim, and its time with it", () => {
    const { database, ann } = state;
    addRefinement(database, ann);
    const { key } = addQueuedRefinement(database, ann);
    const claimed = claimNextRefinement(database, later(5))!;
    expect(claimed).toMatchObject({ key, state: "SETUP_READING", startedOn: later(5).toISOString(), restarts: 0 });
    expect(claimed).toEqual(find(key));
    expect(elapsedSeconds(claimed, later(7.9))).toBe(2);
    expect(claimNextRefinement(database, NOON)).toBeNull();
  });

  test("passes through its states to the end, and leaves a trail", () => {
    const { database, ann } = state;
    const key = run("CREATING_RESULT");
    setRefinementTotal(database, key, 40);
    const files = [
      { ...storedFile(), kind: "TRAIN" as const },
      { ...storedFile(), kind: "TEST" as const },
    ];
    expect(finishRefinement(database, key, { state: "REFINEMENT_COMPLETED", result: RESULT, files }, later(60))).toBe(
      true,
    );
    const ended = find(key);
    expect(ended).toMatchObject({
      state: "REFINEMENT_COMPLETED",
      progressCompleted: 40,
      errorReason: null,
      claimed: false,
    });
    expect(elapsedSeconds(ended, later(9999))).toBe(60);
    expect(trailOf(key)).toEqual(["PENDING", ...ROUTE, "REFINEMENT_COMPLETED"]);
    expect(listActivities(database, key, 2).map((activity) => activity.state)).toEqual([
      "CREATING_RESULT",
      "REFINEMENT_COMPLETED",
    ]);
    expect(findRefinementResult(database, ann, key)).toEqual(RESULT);
    const results = listRefinementFiles(database, key).filter(({ purpose }) => purpose === "RESULT");
    expect(results.map(({ kind, path }) => ({ kind, path }))).toEqual(files.map(({ kind, path }) => ({ kind, path })));
  });

  test("never goes back, skips a stage, or enters a state twice", () => {
    const key = run("BASELINE_RUN_1");
    const enter = (next: RefinementStageState) => enterRefinementState(state.database, key, next, NOON);
    for (const next of ["SETUP_READING", "MEASURE_INITIAL_THRESHOLD", "BASELINE_RUN_1", "CREATING_RESULT"] as const) {
      expect(enter(next)).toBe(false);
    }
    expect(find(key).state).toBe("BASELINE_RUN_1");
    expect(trailOf(key)).toHaveLength(5);
    expect(enterRefinementState(state.database, randomUUID(), "SETUP_BUCKETING", NOON)).toBe(false);
  });

  test("does not begin without a claim", () => {
    const { database, ann } = state;
    const { key } = addQueuedRefinement(database, ann);
    expect(enterRefinementState(database, key, "SETUP_READING", NOON)).toBe(false);
    for (const end of Object.values(ENDS)) expect(finishRefinement(database, key, end, NOON)).toBe(false);
    expect(find(key).state).toBe("PENDING");
  });
});

describe("an end", () => {
  for (const [name, end] of Object.entries(ENDS)) {
    for (const from of ROUTE) {
      const isAllowed =
        name === "TIMEOUT" || name === "ERROR" || (name === "REFINEMENT_COMPLETED" && from === "CREATING_RESULT");
      test(`${name} is ${isAllowed ? "" : "not "}reached from ${from}`, () => {
        const key = run(from);
        expect(finishRefinement(state.database, key, end, later(9))).toBe(isAllowed);
        expect(find(key).state as string).toBe(isAllowed ? name : from);
        expect(find(key).errorReason).toBe(isAllowed && "errorReason" in end ? end.errorReason : null);
      });
    }

    test(`${name} is final`, () => {
      const { database, ann } = state;
      const key = run("CREATING_RESULT");
      if (name === "CANCELLED") cancelRefinement(database, ann, key, NOON);
      expect(finishRefinement(database, key, end, later(9))).toBe(true);
      const ended = find(key);
      for (const other of Object.values(ENDS)) expect(finishRefinement(database, key, other, later(20))).toBe(false);
      expect(enterRefinementState(database, key, "CREATING_RESULT", later(20))).toBe(false);
      expect(setRefinementTotal(database, key, 5)).toBe(false);
      expect(addRefinementProgress(database, key)).toBe(false);
      expect(setRefinementRows(database, key, { currentRows: [ROW] })).toBe(false);
      expect(isRefinementCancelled(database, key)).toBe(true);
      expect(recoverRefinements(database, later(20))).toEqual({ resumed: [], ended: [] });
      expect(claimNextRefinement(database, later(20))).toBeNull();
      expect(find(key)).toEqual(ended);
      expect(trailOf(key).at(-1) as string).toBe(name);
    });
  }

  test("TIMEOUT may leave a partial result", () => {
    const { database, ann } = state;
    const key = run("REFINING_LOOP_1");
    const result = { ...RESULT, partial: true };
    finishRefinement(database, key, { state: "TIMEOUT", errorReason: "Time.", result, files: [] }, NOON);
    expect(findRefinementResult(database, ann, key)).toEqual(result);
  });
});

describe("a cancel of a run", () => {
  test("is asked for, seen by the flow, and stays on record", () => {
    const { database, ann } = state;
    const key = run("BASELINE_RUN_1");
    expect(isRefinementCancelled(database, key)).toBe(false);
    expect(cancelRefinement(database, ann, key, NOON)).toBe("REQUESTED");
    expect(find(key)).toMatchObject({ state: "BASELINE_RUN_1", cancelRequested: true, finishedOn: null });
    expect(isRefinementCancelled(database, key)).toBe(true);
    expect(finishRefinement(database, key, { state: "CANCELLED" }, later(9))).toBe(true);
    expect(find(key)).toMatchObject({ state: "CANCELLED", cancelRequested: true, errorReason: null });
    expect(cancelRefinement(database, ann, key, later(10))).toBe("CANCELLED");
  });
});

describe("progress", () => {
  test("rises by one per unit to its total, which is announced once", () => {
    const { database } = state;
    const key = run();
    expect(addRefinementProgress(database, key)).toBe(false);
    expect(setRefinementTotal(database, key, 3)).toBe(true);
    expect(find(key)).toMatchObject({ progressCompleted: 0, progressTotal: 3 });
    expect(setRefinementTotal(database, key, 9)).toBe(false);
    expect([1, 2, 3, 4].map(() => addRefinementProgress(database, key))).toEqual([true, true, true, false]);
    expect(find(key)).toMatchObject({ progressCompleted: 3, progressTotal: 3 });
  });

  test("shows rows of performance, either table alone", () => {
    const key = run();
    expect(setRefinementRows(state.database, key, { baselineRows: [ROW], currentRows: [ROW] })).toBe(true);
    const better = { ...ROW, falseDecisions: 2 };
    expect(setRefinementRows(state.database, key, { currentRows: [better] })).toBe(true);
    expect(find(key)).toMatchObject({ baselineRows: [ROW], currentRows: [better] });
  });
});

describe("a restart", () => {
  test("lets a run go on where it was, three times", () => {
    const { database } = state;
    const key = run("BASELINE_RUN_2");
    const { startedOn } = find(key);
    for (const restarts of [1, 2, 3]) {
      expect(recoverRefinements(database, later(100))).toEqual({ resumed: [key], ended: [] });
      expect(enterRefinementState(database, key, "REFINING_LOOP_1", later(100))).toBe(false);
      expect(claimNextRefinement(database, later(101))).toMatchObject({
        key,
        restarts,
        startedOn,
        state: "BASELINE_RUN_2",
      });
      expect(enterRefinementState(database, key, "SETUP_BUCKETING", later(101))).toBe(false);
    }
    expect(recoverRefinements(database, later(200))).toEqual({ resumed: [], ended: [key] });
    expect(find(key)).toMatchObject({ state: "ERROR", finishedOn: later(200).toISOString() });
    expect(find(key).errorReason).toContain("restarted");
    expect(trailOf(key).at(-1)).toBe("ERROR");
  });

  test("ends a run whose cancel was asked for, and leaves those that wait", () => {
    const { database, ann, bob } = state;
    const key = run("BASELINE_RUN_1");
    const waiting = addQueuedRefinement(database, bob);
    cancelRefinement(database, ann, key, NOON);
    expect(recoverRefinements(database, later(1))).toEqual({ resumed: [], ended: [key] });
    expect(find(key).state).toBe("CANCELLED");
    expect(claimNextRefinement(database, later(2))).toMatchObject({ key: waiting.key, restarts: 0 });
  });
});
