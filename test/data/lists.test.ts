// Long lists: pages that do not shift, every query served by an index.
import { Database as Client, type Statement } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { findLiveApiKey, listApiKeys, markApiKeyUsed, revokeApiKey } from "../../data/api-keys.ts";
import { findNextWaiting, JOB_KINDS, nextWaitingSql, QUEUES } from "../../data/database/claims.ts";
import { completeDataset, recoverDatasets } from "../../data/dataset-processing.ts";
import {
  deleteDataset,
  expireDatasetUploads,
  findDataset,
  findOwnedDataset,
  isDatasetNameTaken,
  listDatasets,
  nextUploadExpiry,
  storeDatasetUpload,
} from "../../data/datasets.ts";
import { deleteModel, findOwnedModel, listModels, moveChampion } from "../../data/models.ts";
import {
  claimNextPrediction,
  deletePrediction,
  findOwnedPrediction,
  listPredictions,
  recoverPredictions,
} from "../../data/predictions.ts";
import {
  findRefinementFile,
  hadRefinementFiles,
  listRefinementFiles,
} from "../../data/refinements/refinement-files.ts";
import { claimNextRefinement, recoverRefinements } from "../../data/refinements/refinement-runs.ts";
import {
  deleteRefinement,
  findOwnedRefinement,
  findRefinementResult,
  listActivities,
  listRefinements,
} from "../../data/refinements/refinements.ts";
import { releaseDeletedDatasets, releaseDeletedRefinements, releaseFinishedPredictions } from "../../data/retention.ts";
import { cancelTrainingJob, findOwnedTrainingJob, listTrainingJobs } from "../../data/training-jobs.ts";
import { claimNextTrainingJob, listTrainingAttempts, recoverTrainingJobs } from "../../data/training-runs.ts";
import { disableUser, findUser, findUserByEmail } from "../../data/users.ts";
import {
  ALL,
  addDataset,
  addModel,
  addQueuedRefinement,
  addRefinement,
  addTrainingJob,
  FACTS,
  later,
  NOON,
  openTestState,
  storedFile,
  type TestState,
} from "./state.ts";

let state: TestState;
/** Every query that drizzle has prepared since the database was opened. */
const queries = new Set<string>();

beforeAll(() => {
  state = openTestState();
  const { client } = state.database;
  const prepare = client.prepare.bind(client) as (sql: string) => Statement;
  client.prepare = ((sql: string) => {
    queries.add(sql);
    return prepare(sql);
  }) as typeof client.prepare;
});
afterAll(() => state.close());

/** Calls everything that reads, or that looks for rows to change. */
function useEverything(): void {
  const { database, ann } = state;
  const key = randomUUID();
  const dataset = addDataset(database, ann);
  const model = addModel(database, dataset);
  const { trainingJobKey } = findOwnedModel(database, ann, model.key)!.model;
  addTrainingJob(database, dataset);
  addQueuedRefinement(database, ann);
  findUser(database, ann);
  findUserByEmail(database, "ann@example.com");
  disableUser(database, key, NOON);
  findLiveApiKey(database, key, NOON);
  markApiKeyUsed(database, key, NOON);
  revokeApiKey(database, ann, key, NOON);
  claimNextRefinement(database, NOON);
  claimNextTrainingJob(database, NOON);
  claimNextPrediction(database, NOON);
  for (const find of [findOwnedRefinement, findRefinementResult, findOwnedDataset, findOwnedTrainingJob]) {
    find(database, ann, key);
  }
  findOwnedPrediction(database, ann, key);
  findDataset(database, key);
  findRefinementFile(database, ann, key, "TRAIN", "UPLOAD");
  listRefinementFiles(database, key);
  listActivities(database, key, 9);
  listTrainingAttempts(database, key);
  for (const list of [listApiKeys, listRefinements, listDatasets]) list(database, ann, ALL);
  for (const list of [listTrainingJobs, listModels, listPredictions]) {
    list(database, ann, ALL);
    list(database, ann, ALL, key);
  }
  isDatasetNameTaken(database, ann, "churn");
  storeDatasetUpload(database, key, storedFile());
  completeDataset(database, key, FACTS, NOON);
  expireDatasetUploads(database, NOON, () => false);
  nextUploadExpiry(database);
  moveChampion(database, ann, trainingJobKey, 2);
  cancelTrainingJob(database, ann, trainingJobKey, NOON);
  deleteRefinement(database, ann, addRefinement(database, ann).key, NOON);
  deleteDataset(database, ann, dataset.key, NOON);
  deleteModel(database, ann, model.key, NOON);
  deletePrediction(database, ann, key, NOON);
  hadRefinementFiles(database, ann, key);
  for (const release of [releaseDeletedDatasets, releaseDeletedRefinements, releaseFinishedPredictions]) {
    release(database, NOON);
  }
  for (const recover of [recoverRefinements, recoverDatasets, recoverTrainingJobs, recoverPredictions]) {
    recover(database, NOON);
  }
}

/** Asked over a connection of its own: a change that is explained keeps its connection from committing. */
function planOf(sql: string): string[] {
  const client = new Client(join(state.folder, "cupel.db"), { readonly: true });
  const steps = client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
  client.close();
  return steps.map(({ detail }) => detail);
}

describe("queries", () => {
  test("scan no table and sort no list", () => {
    useEverything();
    const planned = [...queries].filter((sql) => /^(select|update)/i.test(sql));
    expect(planned.length).toBeGreaterThan(50);
    const slow = planned.flatMap((sql) => {
      const bad = planOf(sql).filter((step) => /^SCAN (?!.* USING )|TEMP B-TREE/.test(step));
      return bad.length === 0 ? [] : [`${bad.join("; ")} in ${sql}`];
    });
    expect(slow).toEqual([]);
  });

  test.each(JOB_KINDS)("for the next %s look the waiting ones up by an index", (kind) => {
    const plan = planOf(nextWaitingSql(kind));
    const { table } = QUEUES[kind];
    expect(plan.filter((step) => step.startsWith("SCAN") && !/users|candidate/.test(step))).toEqual([]);
    expect(plan.join("\n")).toContain(`${table}Waiting`);
    expect(plan.join("\n")).toContain(`${table}Claimed`);
  });

  test("see the partial indexes' conditions for lists", () => {
    const lists = [...queries].filter((sql) => /^select .* from "refinements" where .* limit \? offset \?/.test(sql));
    expect(lists.map(planOf)).toEqual([["SEARCH refinements USING INDEX refinementsOfUser (userKey=?)"]]);
  });
});

describe("pages", () => {
  test("of things made in the same millisecond come in one order, and new things do not mix in", () => {
    const { database, bob } = state;
    const keys = [0, 0, 0, 1, 1, 2, 2, 2].map((seconds) => addRefinement(database, bob, {}, later(seconds)).key);
    const newest = keys.toReversed();
    const pageAt = (offset: number, limit: number) =>
      listRefinements(database, bob, { offset, limit }).items.map(({ key }) => key);
    for (const limit of [1, 2, 3, 8]) {
      const starts = Array.from({ length: Math.ceil(8 / limit) }, (_, page) => page * limit);
      expect(starts.flatMap((offset) => pageAt(offset, limit))).toEqual(newest);
    }
    expect(pageAt(8, 5)).toEqual([]);
    expect(pageAt(0, 0)).toEqual([]);
    const newcomer = addRefinement(database, bob, {}, later(3)).key;
    expect(pageAt(1, 8)).toEqual(newest);
    expect(pageAt(0, 1)).toEqual([newcomer]);
    deleteRefinement(database, bob, newest[2]!, NOON);
    expect(pageAt(1, 8)).toEqual(newest.filter((_, index) => index !== 2));
  });

  test("of a hundred thousand predictions are whole, and claims find the oldest", () => {
    const { database, ann } = state;
    const dataset = addDataset(database, ann);
    const model = addModel(database, dataset);
    const made = 100_000;
    const insert = database.client.query(
      `INSERT INTO predictions (key, userKey, modelKey, datasetKey, version, status, inputPath, filterColumns, warnings, createdOn, claimed, restarts)
       VALUES (?, ?, ?, ?, 1, 'PENDING', '', 0, '[]', ?, 0, 0)`,
    );
    database.write(() => {
      for (let index = 0; index < made; index++) {
        insert.run(`key ${index}`, ann, model.key, dataset.key, later(index).toISOString());
      }
    });
    const page = listPredictions(database, ann, { offset: 50_000, limit: 3 }, model.key);
    expect(page.total).toBe(made);
    expect(page.items.map(({ key }) => key)).toEqual(["key 49999", "key 49998", "key 49997"]);
    expect(findNextWaiting(database, "prediction")).toBe("key 0");
    expect(claimNextPrediction(database, NOON)!.key).toBe("key 0");
    expect(findOwnedPrediction(database, ann, "key 99999")!.createdOn).toBe(later(99_999).toISOString());
  });
});
