// Files that are kept no longer: which rows let go of them, when, and which others keep them all the same.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Dataset, deleteDataset, findDataset, insertDataset } from "../../data/datasets.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import {
  claimNextPrediction,
  completePrediction,
  deletePrediction,
  failPrediction,
  findOwnedPrediction,
  insertPrediction,
} from "../../data/predictions.ts";
import {
  findRefinementFile,
  hadRefinementFiles,
  listRefinementFiles,
} from "../../data/refinements/refinement-files.ts";
import { claimNextRefinement, enterRefinementState, finishRefinement } from "../../data/refinements/refinement-runs.ts";
import { deleteRefinement } from "../../data/refinements/refinements.ts";
import {
  MOST_RELEASED,
  releaseDeletedDatasets,
  releaseDeletedRefinements,
  releaseFinishedPredictions,
} from "../../data/retention.ts";
import {
  addDataset,
  addModel,
  addQueuedRefinement,
  later,
  NOON,
  newDataset,
  openTestState,
  RESULT,
  storedFile,
  type TestState,
} from "./state.ts";

let state: TestState;
beforeEach(() => {
  state = openTestState();
});
afterEach(() => state.close());

/** A COMPLETED refinement; no other may wait. */
function addCompleted(): string {
  const { database, ann } = state;
  const { key } = addQueuedRefinement(database, ann);
  claimNextRefinement(database, NOON);
  for (const passed of ["MEASURE_INITIAL_THRESHOLD", "BASELINE_RUN_1", "REFINING_LOOP_1", "CREATING_RESULT"] as const) {
    enterRefinementState(database, key, passed, NOON);
  }
  const files = (["TRAIN", "TEST"] as const).map((kind) => ({ kind, ...storedFile() }));
  finishRefinement(database, key, { state: "REFINEMENT_COMPLETED", result: RESULT, files }, NOON);
  return key;
}

function addRefined(featureRefinementKey: string): Dataset {
  const { database, ann } = state;
  const { path, sizeBytes, sha256 } = findRefinementFile(database, ann, featureRefinementKey, "TRAIN", "RESULT")!;
  const file = { path, sizeBytes, sha256 };
  const refined = {
    kind: "REFINEMENT",
    featureRefinementKey,
    recommendedThreshold: null,
    originalColumns: [],
  } as const;
  return insertDataset(database, newDataset(ann, { origin: { ...refined, file } }), NOON)!;
}

const pathsOf = (key: string) => listRefinementFiles(state.database, key).map(({ path }) => path);

describe("a deleted refinement", () => {
  test("lets go of all its files once their time has come, and says that it had some", () => {
    const { database, ann, bob } = state;
    const [key, kept] = [addCompleted(), addCompleted()];
    const paths = pathsOf(key);
    deleteRefinement(database, ann, key, later(10));
    expect(releaseDeletedRefinements(database, later(9))).toEqual([]);
    expect(hadRefinementFiles(database, ann, kept)).toBeFalse();
    expect(releaseDeletedRefinements(database, later(10)).sort()).toEqual(paths.sort());
    expect([paths.length, pathsOf(key), pathsOf(kept).length]).toEqual([4, [], 4]);
    expect(findRefinementFile(database, ann, key, "TRAIN", "RESULT")).toBeNull();
    expect([hadRefinementFiles(database, ann, key), hadRefinementFiles(database, bob, key)]).toEqual([true, false]);
    expect(releaseDeletedRefinements(database, later(10))).toEqual([]);
  });

  test("keeps the file that a dataset was made of, for as long as the dataset has it", () => {
    const { database, ann } = state;
    const key = addCompleted();
    const datasets = [addRefined(key), addRefined(key)];
    const shared = datasets[0]!.filePath!;
    database.client.run("UPDATE datasets SET status = 'COMPLETED'");
    deleteRefinement(database, ann, key, NOON);
    expect(releaseDeletedRefinements(database, later(1))).toHaveLength(3);
    expect(pathsOf(key)).toEqual([shared]);
    for (const dataset of datasets) {
      expect(releaseDeletedRefinements(database, later(1))).toEqual([]);
      deleteDataset(database, ann, dataset.key, NOON);
      expect(releaseDeletedDatasets(database, later(1))).toEqual([]);
    }
    expect(releaseDeletedRefinements(database, later(1))).toEqual([shared]);
  });
});

describe("a deleted dataset", () => {
  test("lets go of its file once its time has come", () => {
    const { database, ann } = state;
    const [dataset, kept] = [addDataset(database, ann), addDataset(database, ann)];
    deleteDataset(database, ann, dataset.key, later(10));
    expect(releaseDeletedDatasets(database, later(9))).toEqual([]);
    expect(releaseDeletedDatasets(database, later(10))).toEqual([dataset.filePath!]);
    expect([findDataset(database, dataset.key)!.filePath, findDataset(database, kept.key)!.filePath]).toEqual([
      null,
      kept.filePath,
    ]);
  });

  test("leaves the file to a refinement that lives", () => {
    const { database, ann } = state;
    const key = addCompleted();
    const dataset = addRefined(key);
    deleteDataset(database, ann, dataset.key, NOON);
    expect(releaseDeletedDatasets(database, later(1))).toEqual([]);
    expect([findDataset(database, dataset.key)!.filePath, pathsOf(key).length]).toEqual([null, 4]);
  });

  test("is one of a few at a time", () => {
    const { database, ann } = state;
    for (let count = 0; count <= MOST_RELEASED; count++) {
      deleteDataset(database, ann, insertDataset(database, newDataset(ann), NOON)!.key, NOON);
    }
    const counts = [0, 1, 2].map(() => releaseDeletedDatasets(database, later(1)).length);
    expect(counts).toEqual([MOST_RELEASED, 1, 0]);
  });
});

test("a finished prediction lets go of its input and its result, and stays", () => {
  const { database, ann } = state;
  const { key: modelKey } = addModel(database, addDataset(database, ann));
  const add = (end: "COMPLETED" | "FAILED" | null, now = NOON) => {
    const key = randomUUID();
    const input = { inputPath: statePaths.file(key), inputBytes: 10 };
    insertPrediction(database, { key, userKey: ann, modelKey, version: 1, ...input, filterColumns: false }, NOON);
    if (end === null) return key;
    while (claimNextPrediction(database, NOON)!.key !== key);
    const result = { resultPath: statePaths.result(key), resultBytes: 20, rowCount: 3, warnings: [] };
    if (end === "COMPLETED") completePrediction(database, key, result, now);
    else failPrediction(database, key, end, "No.", now);
    return key;
  };
  const [done, failed, recent, deleted] = [add("COMPLETED"), add("FAILED"), add("COMPLETED", later(20)), add("FAILED")];
  const waiting = add(null);
  deletePrediction(database, ann, deleted, NOON);
  const released = releaseFinishedPredictions(database, later(10));
  expect(released.sort()).toEqual([statePaths.file(done), statePaths.result(done), statePaths.file(failed)].sort());
  const none = { inputPath: null, inputBytes: null, resultPath: null, resultBytes: null };
  expect(findOwnedPrediction(database, ann, done)).toMatchObject({ status: "COMPLETED", rowCount: 3, ...none });
  for (const key of [recent, waiting]) expect(findOwnedPrediction(database, ann, key)!.inputPath).not.toBeNull();
  expect(releaseFinishedPredictions(database, later(10))).toEqual([]);
});
