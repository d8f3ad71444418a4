// Datasets: how they come in, how they are processed, and what may happen to them in which state.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { claimNextDataset, completeDataset, failDataset, recoverDatasets } from "../../data/dataset-processing.ts";
import {
  type DatasetOrigin,
  deleteDataset,
  expireDatasetUploads,
  findDataset,
  findOwnedDataset,
  insertDataset,
  isDatasetNameTaken,
  listDatasets,
  nextUploadExpiry,
  storeDatasetUpload,
  takesDatasetUpload,
} from "../../data/datasets.ts";
import { cancelTrainingJob } from "../../data/training-jobs.ts";
import {
  ALL,
  addDataset,
  addRefinement,
  addTrainingJob,
  FACTS,
  later,
  NOON,
  newDataset,
  openTestState,
  storedFile,
  type TestState,
} from "./state.ts";

let state: TestState;
beforeEach(() => {
  state = openTestState();
});
afterEach(() => state.close());

const find = (key: string) => findOwnedDataset(state.database, state.ann, key)!;

function add(origin?: DatasetOrigin) {
  const changes = origin === undefined ? {} : { origin };
  return insertDataset(state.database, newDataset(state.ann, changes), NOON)!;
}

const never = () => false;
const addPending = () => add({ kind: "SIGNED_UPLOAD", expiresOn: later(3600) });
const claim = () => claimNextDataset(state.database);

/** A dataset of Ann's in each state. */
const SITUATIONS: Record<string, () => string> = {
  PENDING: () => addPending().key,
  "PROCESSING, waiting": () => {
    const { key } = addPending();
    storeDatasetUpload(state.database, key, storedFile());
    return key;
  },
  "PROCESSING, claimed": () => {
    const key = SITUATIONS["PROCESSING, waiting"]!();
    claim();
    return key;
  },
  COMPLETED: () => {
    const key = SITUATIONS["PROCESSING, claimed"]!();
    completeDataset(state.database, key, FACTS, NOON);
    return key;
  },
  FAILED: () => {
    const key = SITUATIONS["PROCESSING, claimed"]!();
    failDataset(state.database, key, "line 3 has 2 cells", NOON);
    return key;
  },
  deleted: () => {
    const { key } = addPending();
    deleteDataset(state.database, state.ann, key, NOON);
    return key;
  },
};

const ALLOWED: Record<string, { upload: boolean; complete: boolean; fail: boolean; expire: boolean; delete: string }> =
  {
    PENDING: { upload: true, complete: false, fail: false, expire: true, delete: "DELETED" },
    "PROCESSING, waiting": { upload: true, complete: false, fail: false, expire: false, delete: "DELETED" },
    "PROCESSING, claimed": { upload: false, complete: true, fail: true, expire: false, delete: "IN_USE" },
    COMPLETED: { upload: false, complete: false, fail: false, expire: false, delete: "DELETED" },
    FAILED: { upload: false, complete: false, fail: false, expire: false, delete: "DELETED" },
    deleted: { upload: false, complete: false, fail: false, expire: true, delete: "DELETED" },
  };

describe("a dataset that is", () => {
  test.each(Object.keys(SITUATIONS))("%s may do what it may, and nothing else", (situation) => {
    const { database, ann, bob } = state;
    const make = SITUATIONS[situation]!;
    const allowed = ALLOWED[situation]!;
    const changes: [boolean, (key: string) => boolean][] = [
      [allowed.complete, (key) => completeDataset(database, key, FACTS, later(1))],
      [allowed.fail, (key) => failDataset(database, key, "It broke.", later(1))],
      [allowed.expire, (key) => expireDatasetUploads(database, later(3600), never).includes(key)],
      [allowed.upload, (key) => storeDatasetUpload(database, key, storedFile()) !== null],
    ];
    for (const [isAllowed, change] of changes) {
      const key = make();
      const before = findDataset(database, key);
      expect(change(key)).toBe(isAllowed);
      if (!isAllowed) expect(findDataset(database, key)).toEqual(before);
      // Nothing stays in the queue for the next change.
      while (claim() !== null);
    }
    expect(takesDatasetUpload(database, make())).toBe(allowed.upload);
    while (claim() !== null);
    const key = make();
    expect(deleteDataset(database, bob, key, NOON)).toBe("NOT_FOUND");
    expect(deleteDataset(database, ann, key, NOON)).toBe(allowed.delete as "IN_USE");
  });
});

describe("datasets", () => {
  test("wait for a signed upload, take one, and a second one until they are in work", () => {
    const { database } = state;
    const made = addPending();
    const { key } = made;
    expect(made).toMatchObject({ status: "PENDING", source: "UPLOAD", uploadExpiresOn: later(3600).toISOString() });
    expect(claim()).toBeNull();
    const [first, second] = [storedFile(), storedFile()];
    expect(storeDatasetUpload(database, key, first)).toEqual({ replacedPath: null });
    expect(find(key)).toMatchObject({
      status: "PROCESSING",
      filePath: first.path,
      sizeBytes: 1234,
      sha256: first.sha256,
    });
    expect(storeDatasetUpload(database, key, second)).toEqual({ replacedPath: first.path });
    expect(claim()).toMatchObject({ key, filePath: second.path });
    expect(storeDatasetUpload(database, key, first)).toBeNull();
    expect(storeDatasetUpload(database, randomUUID(), first)).toBeNull();
  });

  test("are processed to COMPLETED with what was found out, or to FAILED with a reason", () => {
    const { database } = state;
    const [good, bad] = [add(), add()];
    expect([claim()!.key, claim()!.key, claim()]).toEqual([good.key, bad.key, null]);
    completeDataset(database, good.key, FACTS, later(5));
    failDataset(database, bad.key, "line 3 has 2 cells", later(6));
    expect(find(good.key)).toMatchObject({ ...FACTS, status: "COMPLETED", processedOn: later(5).toISOString() });
    expect(find(bad.key)).toMatchObject({
      status: "FAILED",
      errorReason: "line 3 has 2 cells",
      processedOn: later(6).toISOString(),
      rowCount: null,
    });
  });

  test("that came with their file take no other", () => {
    expect(storeDatasetUpload(state.database, add().key, storedFile())).toBeNull();
  });

  test("of a refinement carry its threshold and its columns", () => {
    const { database, ann } = state;
    const featureRefinementKey = addRefinement(database, ann).key;
    const made = add({
      kind: "REFINEMENT",
      featureRefinementKey,
      recommendedThreshold: 0.88,
      originalColumns: ["a", "b", "c"],
      file: storedFile(),
    });
    expect(made).toMatchObject({
      status: "PROCESSING",
      source: "REFINEMENT",
      featureRefinementKey,
      recommendedThreshold: 0.88,
      originalColumns: ["a", "b", "c"],
    });
    expect(add()).toMatchObject({ source: "UPLOAD", recommendedThreshold: null, originalColumns: null });
  });

  test("fail when their upload URL lapses unused", () => {
    const { database } = state;
    const [unused, coming] = [addPending().key, addPending().key];
    const used = SITUATIONS["PROCESSING, waiting"]!();
    const direct = add().key;
    const isUnderWay = (key: string) => key === coming;
    expect(nextUploadExpiry(database)).toEqual(later(3600));
    expect(expireDatasetUploads(database, later(3599), isUnderWay)).toEqual([]);
    expect(expireDatasetUploads(database, later(3700), isUnderWay)).toEqual([unused]);
    expect(find(unused)).toMatchObject({
      status: "FAILED",
      processedOn: later(3700).toISOString(),
      errorCode: "UPLOAD_EXPIRED",
      errorReason: "No file was sent before the upload address expired. Renew the address, or create a new dataset.",
    });
    expect([find(used).status, find(direct).status, find(coming).status]).toEqual([
      "PROCESSING",
      "PROCESSING",
      "PENDING",
    ]);
    expect(storeDatasetUpload(database, unused, storedFile())).toBeNull();
    expect(storeDatasetUpload(database, coming, storedFile())).not.toBeNull();
    expect(nextUploadExpiry(database)).toBeNull();
  });

  test("have names of their own: per user, trimmed, case-sensitive, free again after a delete", () => {
    const { database, ann, bob } = state;
    const insert = (userKey: string, name: string) => insertDataset(database, newDataset(userKey, { name }), NOON);
    const first = insert(ann, " churn ")!;
    expect(first.name).toBe("churn");
    expect(insert(ann, "churn\t")).toBeNull();
    expect(insert(ann, "Churn")).not.toBeNull();
    expect(insert(bob, "churn")).not.toBeNull();
    expect(isDatasetNameTaken(database, ann, " churn")).toBe(true);
    deleteDataset(database, ann, first.key, NOON);
    expect(isDatasetNameTaken(database, ann, "churn")).toBe(false);
    expect(insert(ann, "churn")).not.toBeNull();
  });

  test("are each user's own, and the list leaves the columns out", () => {
    const { database, ann, bob } = state;
    const dataset = addDataset(database, ann);
    expect(findOwnedDataset(database, bob, dataset.key)).toBeNull();
    expect(findOwnedDataset(database, ann, randomUUID())).toBeNull();
    expect(listDatasets(database, bob, ALL)).toEqual({ items: [], total: 0 });
    const { items, total } = listDatasets(database, ann, ALL);
    const { columns, originalColumns, ...listed } = find(dataset.key);
    expect({ items, total }).toEqual({ items: [listed], total: 1 });
    expect(columns).toEqual(FACTS.columns);
    expect(originalColumns).toBeNull();
  });

  test("are in use while a training job is not finished", () => {
    const { database, ann } = state;
    const dataset = addDataset(database, ann);
    const job = addTrainingJob(database, dataset);
    expect(deleteDataset(database, ann, dataset.key, NOON)).toBe("IN_USE");
    cancelTrainingJob(database, ann, job.key, NOON);
    expect(deleteDataset(database, ann, dataset.key, NOON)).toBe("DELETED");
    expect(deleteDataset(database, ann, dataset.key, later(9))).toBe("DELETED");
    expect(deleteDataset(database, ann, randomUUID(), NOON)).toBe("NOT_FOUND");
    expect(findOwnedDataset(database, ann, dataset.key)).toBeNull();
    expect(findDataset(database, dataset.key)!.deletedOn).toBe(NOON.toISOString());
  });

  test("that are deleted while they wait are never processed", () => {
    const { database, ann } = state;
    deleteDataset(database, ann, add().key, NOON);
    expect(claim()).toBeNull();
  });

  test("interrupted by a restart are processed again, three times", () => {
    const { database } = state;
    const { key } = addPending();
    storeDatasetUpload(database, key, storedFile());
    for (const restarts of [0, 1, 2, 3]) {
      expect(claim()).toMatchObject({ key, restarts });
      if (restarts === 3) break;
      expect(recoverDatasets(database, NOON)).toEqual({ resumed: [key], ended: [] });
      expect(completeDataset(database, key, FACTS, NOON)).toBe(false);
      expect(takesDatasetUpload(database, key)).toBe(false);
    }
    const waiting = add().key;
    expect(recoverDatasets(database, NOON)).toEqual({ resumed: [], ended: [key] });
    expect(find(key)).toMatchObject({ status: "FAILED", claimed: false });
    expect(claim()).toMatchObject({ key: waiting, restarts: 0 });
  });
});
