// Refinements as their user sees them, from every state that they can be in.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { Database } from "../../../data/database/database.ts";
import { elapsedSeconds } from "../../../data/database/pages.ts";
import {
  findRefinementFile,
  listRefinementFiles,
  storeRefinementUpload,
  takesRefinementUpload,
} from "../../../data/refinements/refinement-files.ts";
import {
  claimNextRefinement,
  enterRefinementState,
  finishRefinement,
} from "../../../data/refinements/refinement-runs.ts";
import {
  cancelRefinement,
  deleteRefinement,
  findOwnedRefinement,
  findRefinementResult,
  isRefinementNameTaken,
  listActivities,
  listRefinements,
  type Refinement,
  startRefinement,
} from "../../../data/refinements/refinements.ts";
import {
  ALL,
  addQueuedRefinement,
  addRefinement,
  addUser,
  later,
  NOON,
  openTestState,
  RESULT,
  storedFile,
  type TestState,
} from "../state.ts";

let state: TestState;
beforeAll(() => {
  state = openTestState();
});
afterAll(() => state.close());

type Situation = "created" | "queued" | "running" | "stopping" | "completed" | "failed" | "cancelled" | "deleted";
/** Brings a refinement into each situation; claims of others in the queue go first. */
const SITUATIONS: Record<Situation, (database: Database, userKey: string) => Refinement> = {
  created: (database: Database, userKey: string) => addRefinement(database, userKey),
  queued: addQueuedRefinement,
  running: (database: Database, userKey: string) => {
    const refinement = addQueuedRefinement(database, userKey);
    while (claimNextRefinement(database, NOON)!.key !== refinement.key);
    return refinement;
  },
  stopping: (database: Database, userKey: string) => {
    const refinement = SITUATIONS.running(database, userKey);
    cancelRefinement(database, userKey, refinement.key, NOON);
    return refinement;
  },
  completed: (database: Database, userKey: string) => {
    const refinement = SITUATIONS.running(database, userKey);
    for (const next of ["MEASURE_INITIAL_THRESHOLD", "BASELINE_RUN_1", "REFINING_LOOP_1", "CREATING_RESULT"] as const) {
      enterRefinementState(database, refinement.key, next, NOON);
    }
    const files = [{ ...storedFile(), kind: "TRAIN" as const }];
    finishRefinement(database, refinement.key, { state: "REFINEMENT_COMPLETED", result: RESULT, files }, NOON);
    return refinement;
  },
  failed: (database: Database, userKey: string) => {
    const refinement = SITUATIONS.running(database, userKey);
    finishRefinement(database, refinement.key, { state: "ERROR", errorReason: "It broke." }, NOON);
    return refinement;
  },
  cancelled: (database: Database, userKey: string) => {
    const refinement = addRefinement(database, userKey);
    cancelRefinement(database, userKey, refinement.key, NOON);
    return refinement;
  },
  deleted: (database: Database, userKey: string) => {
    const refinement = addRefinement(database, userKey);
    deleteRefinement(database, userKey, refinement.key, NOON);
    return refinement;
  },
};

const EXPECTED: Record<Situation, { start: string; cancel: string; delete: string; upload: boolean }> = {
  created: { start: "UPLOADS_MISSING", cancel: "CANCELLED", delete: "DELETED", upload: true },
  queued: { start: "ALREADY_STARTED", cancel: "CANCELLED", delete: "RUNNING", upload: false },
  running: { start: "ALREADY_STARTED", cancel: "REQUESTED", delete: "RUNNING", upload: false },
  stopping: { start: "ALREADY_STARTED", cancel: "REQUESTED", delete: "RUNNING", upload: false },
  completed: { start: "ALREADY_STARTED", cancel: "NOT_CANCELLABLE", delete: "DELETED", upload: false },
  failed: { start: "ALREADY_STARTED", cancel: "NOT_CANCELLABLE", delete: "DELETED", upload: false },
  cancelled: { start: "CANCELLED", cancel: "CANCELLED", delete: "DELETED", upload: false },
  deleted: { start: "NOT_FOUND", cancel: "NOT_FOUND", delete: "DELETED", upload: false },
};

describe("a refinement that is", () => {
  for (const situation of Object.keys(SITUATIONS) as Situation[]) {
    const expected = EXPECTED[situation];
    test(`${situation}: start ${expected.start}, cancel ${expected.cancel}, delete ${expected.delete}`, () => {
      const { database, ann } = state;
      const make = () => SITUATIONS[situation](database, ann).key;
      expect(startRefinement(database, ann, make(), later(1)).outcome).toBe(expected.start as "STARTED");
      expect(cancelRefinement(database, ann, make(), later(1))).toBe(expected.cancel as "CANCELLED");
      expect(deleteRefinement(database, ann, make(), later(1))).toBe(expected.delete as "DELETED");
      const key = make();
      expect(takesRefinementUpload(database, key)).toBe(expected.upload);
      expect(storeRefinementUpload(database, key, "TRAIN", storedFile(), later(1)) !== null).toBe(expected.upload);
    });

    test(`${situation}: nobody else's business`, () => {
      const { database, ann, bob } = state;
      const { key } = SITUATIONS[situation](database, ann);
      const before = listRefinements(database, ann, ALL);
      expect(findOwnedRefinement(database, bob, key)).toBeNull();
      expect(findRefinementResult(database, bob, key)).toBeNull();
      expect(startRefinement(database, bob, key, NOON).outcome).toBe("NOT_FOUND");
      expect(cancelRefinement(database, bob, key, NOON)).toBe("NOT_FOUND");
      expect(deleteRefinement(database, bob, key, NOON)).toBe("NOT_FOUND");
      expect(findRefinementFile(database, bob, key, "TRAIN", "UPLOAD")).toBeNull();
      expect(listRefinements(database, ann, ALL)).toEqual(before);
    });
  }
});

describe("refinements", () => {
  test("begin PENDING, with a trail", () => {
    const { database, ann } = state;
    const made = addRefinement(database, ann, { name: "  spring sale ", missingValues: ["?"], positiveLabel: "yes" });
    expect(made).toMatchObject({ state: "PENDING", name: "spring sale", baselineRows: [], currentRows: [] });
    expect(made).toMatchObject({ progressCompleted: null, progressTotal: null, cancelRequested: false });
    expect(findOwnedRefinement(database, ann, made.key)).toEqual(made);
    expect(listActivities(database, made.key, 10)).toEqual([{ timestamp: NOON.toISOString(), state: "PENDING" }]);
    expect(elapsedSeconds(made, later(99))).toBe(0);
  });

  test("start once both files are there, and a second upload replaces the first", () => {
    const { database, ann } = state;
    const { key } = addRefinement(database, ann);
    expect(startRefinement(database, ann, key, NOON)).toEqual({ outcome: "UPLOADS_MISSING", kinds: ["TRAIN", "TEST"] });
    const [first, second, test] = [storedFile(), storedFile(), storedFile()];
    const store = (kind: "TRAIN" | "TEST", file: typeof first) =>
      storeRefinementUpload(database, key, kind, file, NOON);
    expect(store("TRAIN", first)).toEqual({ replacedPath: null });
    expect(startRefinement(database, ann, key, NOON)).toEqual({ outcome: "UPLOADS_MISSING", kinds: ["TEST"] });
    expect(store("TRAIN", second)).toEqual({ replacedPath: first.path });
    expect(store("TRAIN", second)).toEqual({ replacedPath: null });
    expect(store("TEST", test)).toEqual({ replacedPath: null });
    expect(listRefinementFiles(database, key).map(({ path }) => path)).toEqual([second.path, test.path]);
    expect(startRefinement(database, ann, key, later(1))).toEqual({ outcome: "STARTED" });
    expect(findOwnedRefinement(database, ann, key)).toMatchObject({
      state: "PENDING",
      queuedOn: later(1).toISOString(),
    });
    expect(storeRefinementUpload(database, randomUUID(), "TRAIN", first, NOON)).toBeNull();
  });

  test("cancelled in the queue are never claimed", () => {
    const { database } = state;
    const userKey = addUser(database, "queue@example.com");
    const { key } = addQueuedRefinement(database, userKey);
    cancelRefinement(database, userKey, key, later(3));
    for (let claimed = claimNextRefinement(database, NOON); claimed !== null; ) {
      expect(claimed.key).not.toBe(key);
      claimed = claimNextRefinement(database, NOON);
    }
    expect(findOwnedRefinement(database, userKey, key)).toMatchObject({
      state: "CANCELLED",
      cancelRequested: true,
      finishedOn: later(3).toISOString(),
      startedOn: null,
    });
    expect(listActivities(database, key, 10).map((activity) => activity.state)).toEqual(["PENDING", "CANCELLED"]);
  });

  test("have names of their own: per user, trimmed, case-sensitive, free again after a delete", () => {
    const { database, ann, bob } = state;
    const { key } = addRefinement(database, ann, { name: "churn" });
    expect(addRefinement(database, ann, { name: " churn " })).toBeNull();
    const isTaken = (userKey: string, name: string) => isRefinementNameTaken(database, userKey, name);
    expect([isTaken(ann, " churn"), isTaken(ann, "Churn"), isTaken(bob, "churn")]).toEqual([true, false, false]);
    deleteRefinement(database, ann, key, NOON);
    expect(isTaken(ann, "churn")).toBe(false);
    expect(addRefinement(database, ann, { name: "churn" })).not.toBeNull();
  });

  test("leave the list when deleted, and their files stay", () => {
    const { database } = state;
    const userKey = addUser(database, "files@example.com");
    const kept = addRefinement(database, userKey);
    const { key } = SITUATIONS.completed(database, userKey);
    expect(findRefinementResult(database, userKey, key)).toEqual(RESULT);
    expect(findRefinementResult(database, userKey, kept.key)).toBeNull();
    expect(deleteRefinement(database, userKey, key, NOON)).toBe("DELETED");
    expect(listRefinements(database, userKey, ALL)).toMatchObject({ items: [{ key: kept.key }], total: 1 });
    expect(findOwnedRefinement(database, userKey, key)).toBeNull();
    for (const [kind, purpose] of [
      ["TRAIN", "UPLOAD"],
      ["TEST", "UPLOAD"],
      ["TRAIN", "RESULT"],
    ] as const) {
      expect(findRefinementFile(database, userKey, key, kind, purpose)).toMatchObject({
        kind,
        purpose,
        sizeBytes: 1234,
      });
    }
    expect(findRefinementFile(database, userKey, key, "TEST", "RESULT")).toBeNull();
    expect(deleteRefinement(database, userKey, randomUUID(), NOON)).toBe("NOT_FOUND");
  });
});
