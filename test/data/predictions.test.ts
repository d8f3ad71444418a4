// Models and predictions: champions, versions, every change of a prediction's status, allowed and forbidden.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { Dataset } from "../../data/datasets.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import {
  deleteModel,
  findModelVersion,
  findOwnedModel,
  listModels,
  moveChampion,
  type NewModel,
} from "../../data/models.ts";
import {
  claimNextPrediction,
  completePrediction,
  deletePrediction,
  failPrediction,
  findOwnedPrediction,
  insertPrediction,
  listPredictions,
  recoverPredictions,
} from "../../data/predictions.ts";
import { findOwnedTrainingJob } from "../../data/training-jobs.ts";
import { ALL, addDataset, addModel, addTrainingJob, later, NOON, openTestState, type TestState } from "./state.ts";

let state: TestState;
let dataset: Dataset;
let model: NewModel;
beforeEach(() => {
  state = openTestState();
  dataset = addDataset(state.database, state.ann);
  model = addModel(state.database, dataset);
});
afterEach(() => state.close());

const detailOf = (key: string) => findOwnedModel(state.database, state.ann, key)!;
const find = (key: string) => findOwnedPrediction(state.database, state.ann, key)!;
const keysOf = ({ items }: { items: readonly { key: string }[] }) => items.map(({ key }) => key);

function add(changes: { userKey?: string; modelKey?: string; version?: number } = {}, now = NOON) {
  const key = randomUUID();
  const asked = { key, userKey: state.ann, modelKey: model.key, version: 1, ...changes };
  const input = { inputPath: statePaths.file(key), inputBytes: 100 };
  return insertPrediction(state.database, { ...asked, ...input, filterColumns: false }, now);
}

describe("a model", () => {
  test("shows in lists with the figures of its champion, newest first, to its owner", () => {
    const { database, ann, bob } = state;
    const second = addModel(database, addDataset(database, ann), 1, later(5));
    expect(keysOf(listModels(database, ann, ALL))).toEqual([second.key, model.key]);
    moveChampion(database, ann, detailOf(model.key).model.trainingJobKey, 2);
    const { items, total } = listModels(database, ann, ALL, dataset.key);
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      key: model.key,
      championVersion: 2,
      achievedPerformance: 0.89,
      trainingPerformance: 0.94,
    });
    expect(listModels(database, bob, ALL, dataset.key)).toEqual({ items: [], total: 0 });
    expect(listModels(database, bob, ALL)).toEqual({ items: [], total: 0 });
    expect(findOwnedModel(database, bob, model.key)).toBeNull();
    expect(findOwnedModel(database, ann, randomUUID())).toBeNull();
  });

  test("has a champion that moves among its versions, and the job's figures follow", () => {
    const { database, ann, bob } = state;
    const jobKey = detailOf(model.key).model.trainingJobKey;
    for (const version of [3, 3, 1, 2]) {
      expect(moveChampion(database, ann, jobKey, version)).toEqual({ outcome: "MOVED", modelKey: model.key });
      expect(detailOf(model.key).model.championVersion).toBe(version);
      const { achievedPerformance, testPerformance, status } = findOwnedTrainingJob(database, ann, jobKey)!;
      const expected = model.versions[version - 1]!.achievedPerformance;
      expect({ achievedPerformance, testPerformance, status }).toEqual({
        achievedPerformance: expected,
        testPerformance: expected,
        status: "COMPLETED",
      });
    }
    expect(moveChampion(database, ann, jobKey, 4)).toEqual({ outcome: "NO_VERSION" });
    expect(moveChampion(database, bob, jobKey, 1)).toEqual({ outcome: "NOT_FOUND" });
    expect(moveChampion(database, ann, randomUUID(), 1)).toEqual({ outcome: "NOT_FOUND" });
    expect(moveChampion(database, ann, addTrainingJob(database, dataset).key, 1)).toEqual({ outcome: "NO_MODEL" });
    expect(detailOf(model.key).model.championVersion).toBe(2);
    deleteModel(database, ann, model.key, NOON);
    expect(moveChampion(database, ann, jobKey, 1)).toEqual({ outcome: "NO_MODEL" });
  });

  test("refuses a version that its run did not keep", () => {
    const { database, ann } = state;
    const single = addModel(database, dataset, 1);
    expect(moveChampion(database, ann, detailOf(single.key).model.trainingJobKey, 2)).toEqual({
      outcome: "NO_VERSION",
    });
    const orphan = () => database.client.run("UPDATE models SET championVersion = 2 WHERE key = ?", [single.key]);
    expect(orphan).toThrow("FOREIGN KEY");
  });

  test("is deleted once no prediction waits for it or runs", () => {
    const { database, ann, bob } = state;
    const waiting = add()!;
    expect(deleteModel(database, bob, model.key, NOON)).toBe("NOT_FOUND");
    expect(deleteModel(database, ann, model.key, NOON)).toBe("IN_USE");
    claimNextPrediction(database, NOON);
    expect(deleteModel(database, ann, model.key, NOON)).toBe("IN_USE");
    failPrediction(database, waiting.key, "FAILED", "It broke.", NOON);
    expect(deleteModel(database, ann, model.key, NOON)).toBe("DELETED");
    expect(deleteModel(database, ann, model.key, NOON)).toBe("DELETED");
    expect(findOwnedModel(database, ann, model.key)).toBeNull();
    expect(listModels(database, ann, ALL).total).toBe(0);
    expect(find(waiting.key)).not.toBeNull();
    expect(add()).toBeNull();
    expect(findModelVersion(database, model.key, 2)).toMatchObject({
      version: 2,
      filePath: model.versions[1]!.filePath,
    });
    expect(findModelVersion(database, model.key, 4)).toBeNull();
  });

  test("is not held by a prediction that was deleted before it began", () => {
    const { database, ann } = state;
    deletePrediction(database, ann, add()!.key, NOON);
    expect(deleteModel(database, ann, model.key, NOON)).toBe("DELETED");
  });
});

const DONE = { resultBytes: 200, resultPath: statePaths.result(randomUUID()), rowCount: 5, warnings: [] };

const SITUATIONS: Record<string, () => string> = {
  PENDING: () => add()!.key,
  RUNNING: () => {
    const { key } = add()!;
    while (claimNextPrediction(state.database, NOON)!.key !== key);
    return key;
  },
  COMPLETED: () => {
    const key = SITUATIONS["RUNNING"]!();
    completePrediction(state.database, key, DONE, NOON);
    return key;
  },
  FAILED: () => {
    const key = SITUATIONS["RUNNING"]!();
    failPrediction(state.database, key, "FAILED", "It broke.", NOON);
    return key;
  },
  TIMEOUT: () => {
    const key = SITUATIONS["RUNNING"]!();
    failPrediction(state.database, key, "TIMEOUT", "The time was up.", NOON);
    return key;
  },
};

describe("a prediction that is", () => {
  test.each(Object.keys(SITUATIONS))("%s may end only where it runs, and be deleted, which is its end", (status) => {
    const { database, ann, bob } = state;
    const isRunning = status === "RUNNING";
    const ends = [
      ["COMPLETED", (key: string) => completePrediction(database, key, DONE, later(9))],
      ["FAILED", (key: string) => failPrediction(database, key, "FAILED", "It broke.", later(9))],
      ["TIMEOUT", (key: string) => failPrediction(database, key, "TIMEOUT", "Time.", later(9))],
    ] as const;
    for (const [end, change] of ends) {
      const key = SITUATIONS[status]!();
      const before = find(key);
      expect(change(key)).toBe(isRunning);
      if (isRunning)
        expect(find(key)).toMatchObject({ status: end, finishedOn: later(9).toISOString(), claimed: false });
      else expect(find(key)).toEqual(before);
    }
    const key = SITUATIONS[status]!();
    expect(deletePrediction(database, bob, key, NOON)).toBe("NOT_FOUND");
    for (let times = 0; times < 2; times++) expect(deletePrediction(database, ann, key, NOON)).toBe("DELETED");
    expect(findOwnedPrediction(database, ann, key)).toBeNull();
    for (const [, change] of ends) expect(change(key)).toBeFalse();
    expect(recoverPredictions(database, NOON)).toEqual({ resumed: [], ended: [] });
  });
});

describe("predictions", () => {
  test("keep the version that they were made with", () => {
    const { database, ann } = state;
    const { key } = add({ version: 1 })!;
    moveChampion(database, ann, detailOf(model.key).model.trainingJobKey, 3);
    expect(find(key)).toMatchObject({ version: 1, datasetKey: dataset.key, status: "PENDING" });
    expect(claimNextPrediction(database, NOON)).toMatchObject({ key, version: 1 });
  });

  test("need a model of the user's, and a version of it", () => {
    expect(add({ userKey: state.bob })).toBeNull();
    expect(add({ modelKey: randomUUID() })).toBeNull();
    expect(add({ version: 4 })).toBeNull();
  });

  test("end with a result, or with a reason", () => {
    const { database } = state;
    expect(find(SITUATIONS["COMPLETED"]!())).toMatchObject({ ...DONE, status: "COMPLETED", errorReason: null });
    expect(find(SITUATIONS["TIMEOUT"]!())).toMatchObject({ resultPath: null, errorReason: "The time was up." });
    expect(completePrediction(database, randomUUID(), DONE, NOON)).toBe(false);
  });

  test("are each user's own, newest first, all or those of a model", () => {
    const { database, ann, bob } = state;
    const keys = [1, 2, 2].map((seconds) => add({}, later(seconds))!.key).reverse();
    const other = add({ modelKey: addModel(database, dataset).key }, later(9))!.key;
    expect(keysOf(listPredictions(database, ann, ALL, model.key))).toEqual(keys);
    expect(keysOf(listPredictions(database, ann, ALL))).toEqual([other, ...keys]);
    expect(listPredictions(database, bob, ALL, model.key)).toEqual({ items: [], total: 0 });
    expect(listPredictions(database, bob, ALL)).toEqual({ items: [], total: 0 });
    expect(findOwnedPrediction(database, bob, other)).toBeNull();
    expect(deletePrediction(database, ann, randomUUID(), NOON)).toBe("NOT_FOUND");
    deletePrediction(database, ann, keys[0]!, NOON);
    expect(listPredictions(database, ann, ALL, model.key).total).toBe(2);
  });

  test("that are deleted while they wait are never begun", () => {
    deletePrediction(state.database, state.ann, add()!.key, NOON);
    expect(claimNextPrediction(state.database, NOON)).toBeNull();
  });

  test("interrupted by a restart wait again, three times", () => {
    const { database } = state;
    const { key } = add()!;
    for (const restarts of [0, 1, 2]) {
      expect(claimNextPrediction(database, later(restarts))).toMatchObject({ key, restarts, status: "RUNNING" });
      expect(recoverPredictions(database, NOON)).toEqual({ resumed: [key], ended: [] });
      expect(find(key)).toMatchObject({ status: "PENDING", startedOn: null });
    }
    expect(claimNextPrediction(database, NOON)).toMatchObject({ key, restarts: 3 });
    expect(recoverPredictions(database, later(9))).toEqual({ resumed: [], ended: [key] });
    expect(find(key)).toMatchObject({ status: "FAILED", finishedOn: later(9).toISOString() });
  });
});
