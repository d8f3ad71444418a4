// What the files of users take: each file once, to the byte, and by a look at index entries alone.
import { Database as Client } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { insertDataset, storeDatasetUpload } from "../../data/datasets.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { deleteModel } from "../../data/models.ts";
import { claimNextPrediction, completePrediction, deletePrediction, insertPrediction } from "../../data/predictions.ts";
import { storeRefinementUpload } from "../../data/refinements/refinement-files.ts";
import { insertResumable } from "../../data/resumable-uploads.ts";
import { totalOf, uploadOwner, usageOf, usageOfAll } from "../../data/usage.ts";
import {
  addDataset,
  addModel,
  addQueuedRefinement,
  addRefinement,
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

const FILE_BYTES = storedFile().sizeBytes;
const used = () => usageOf(state.database, state.ann);

/** A prediction with an input of 100 bytes, and a result of 250 where it is done. */
function predict(modelKey: string, isDone: boolean): string {
  const { database, ann: userKey } = state;
  const key = randomUUID();
  const asked = { key, userKey, modelKey, version: 1, inputPath: statePaths.file(key), inputBytes: 100 };
  insertPrediction(database, { ...asked, filterColumns: false }, NOON);
  if (!isDone) return key;
  while (claimNextPrediction(database, NOON)!.key !== key);
  const result = { resultPath: statePaths.result(key), resultBytes: 250, rowCount: 1, warnings: [] };
  completePrediction(database, key, result, NOON);
  return key;
}

describe("usage", () => {
  test("is nothing at first, and that of one user is not another's", () => {
    expect(used()).toEqual({ refinements: 0, datasets: 0, predictions: 0, models: 0, unfinished: 0 });
    addDataset(state.database, state.bob);
    expect(totalOf(used())).toBe(0);
    expect(usageOfAll(state.database)).toBe(FILE_BYTES);
  });

  test("counts every kind of file, and no file of two rows twice", () => {
    const { database, ann } = state;
    const refinement = addQueuedRefinement(database, ann);
    expect(used()).toMatchObject({ refinements: 2 * FILE_BYTES });
    const origin = {
      kind: "REFINEMENT",
      featureRefinementKey: refinement.key,
      recommendedThreshold: null,
      originalColumns: [],
      file: storedFile(),
    } as const;
    insertDataset(database, newDataset(ann, { origin }), NOON);
    expect(used()).toMatchObject({ datasets: 0 });
    const dataset = addDataset(database, ann);
    const model = addModel(database, dataset);
    predict(model.key, false);
    predict(model.key, true);
    const row = {
      key: randomUUID(),
      resourceKey: refinement.key,
      kind: "TRAIN",
      userKey: ann,
      sizeBytes: 1_000,
    } as const;
    insertResumable(database, { ...row, expiresOn: later(3_600) }, NOON);
    const stored = { refinements: 2 * FILE_BYTES, datasets: FILE_BYTES, predictions: 450, models: model.sizeBytes };
    const all = { ...stored, unfinished: 1_000 };
    expect(used()).toEqual(all);
    expect(usageOfAll(database)).toBe(totalOf(all));
  });

  test("lets go of what is removed with a delete", () => {
    const { database, ann } = state;
    const model = addModel(database, addDataset(database, ann));
    const key = predict(model.key, true);
    deletePrediction(database, ann, key, NOON);
    deleteModel(database, ann, model.key, NOON);
    expect(used()).toMatchObject({ predictions: 0, models: 0 });
  });

  test("knows whose an upload is, and what it replaces", () => {
    const { database, ann } = state;
    const run = addRefinement(database, ann);
    const origin = { kind: "SIGNED_UPLOAD", expiresOn: later(3_600) } as const;
    const dataset = insertDataset(database, newDataset(ann, { origin }), NOON)!;
    expect(uploadOwner(database, run.key, "TRAIN")).toEqual({ userKey: ann, replacedBytes: 0 });
    expect(uploadOwner(database, dataset.key, "DATASET")).toEqual({ userKey: ann, replacedBytes: 0 });
    storeRefinementUpload(database, run.key, "TRAIN", storedFile(), NOON);
    storeDatasetUpload(database, dataset.key, storedFile());
    expect(uploadOwner(database, run.key, "TRAIN")).toEqual({ userKey: ann, replacedBytes: FILE_BYTES });
    expect(uploadOwner(database, run.key, "TEST")).toEqual({ userKey: ann, replacedBytes: 0 });
    expect(uploadOwner(database, dataset.key, "DATASET")).toEqual({ userKey: ann, replacedBytes: FILE_BYTES });
    expect([uploadOwner(database, dataset.key, "TRAIN"), uploadOwner(database, run.key, "DATASET")]).toEqual([
      null,
      null,
    ]);
  });

  test("reads indexes and no table", () => {
    const { database, ann } = state;
    const client = new Client(join(state.folder, "cupel.db"), { readonly: true });
    const asked = new Set<string>();
    const query = database.client.query.bind(database.client);
    database.client.query = ((sql: string) => {
      asked.add(sql);
      return query(sql);
    }) as typeof database.client.query;
    usageOf(database, ann);
    expect(asked.size).toBe(7);
    for (const sql of asked) {
      const steps = client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replaceAll("?", "'x'")}`).all();
      for (const { detail } of steps) expect(detail).toMatch(/^SEARCH .* USING COVERING INDEX /);
    }
    client.close();
  });
});
