// These calls fill a state folder for the routes of refinements and datasets: both in every state.
import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { PerformanceRecord, RefinementResult } from "../../../data/database/records.ts";
import { claimNextDataset, completeDataset, failDataset } from "../../../data/dataset-processing.ts";
import { type Dataset, insertDataset } from "../../../data/datasets.ts";
import type { StoredFile } from "../../../data/files/file-store.ts";
import { type StateFolder, statePaths } from "../../../data/files/state-folder.ts";
import { storeRefinementUpload } from "../../../data/refinements/refinement-files.ts";
import {
  claimNextRefinement,
  enterRefinementState,
  finishRefinement,
  setRefinementRows,
  setRefinementTotal,
} from "../../../data/refinements/refinement-runs.ts";
import {
  cancelRefinement,
  type NewRefinement,
  type Refinement,
  startRefinement,
} from "../../../data/refinements/refinements.ts";
import type { ColumnDecision } from "../../../engine/refinement/decision.ts";
import { addRefinement, FACTS, newDataset, RESULT } from "../../data/state.ts";
import type { TestApi, UserName } from "../../support/api.ts";

export const UNKNOWN = "11111111-2222-4333-8444-555555555555";

const TRAIN = "tenure,plan,left\n12,basic,no\n3,plus,yes\n44,basic,no\n";
const TEST = "tenure,plan,left\n7,plus,yes\n30,basic,no\n";
export const RESULT_FILES = { TRAIN: "tenure,left\n12,no\n3,yes\n44,no\n", TEST: "tenure,left\n7,yes\n30,no\n" };

/** A file on the disk. */
function placeFile(state: StateFolder, text: string): StoredFile {
  const path = statePaths.file(randomUUID());
  writeFileSync(state.locate(path), text);
  return { path, sizeBytes: text.length, sha256: createHash("sha256").update(text).digest("hex") };
}

/** UPLOADED and QUEUED are PENDING too; PARTIAL is a TIMEOUT with a result. */
export type Stage =
  | "PENDING"
  | "UPLOADED"
  | "QUEUED"
  | "SETUP_READING"
  | "REFINING_LOOP_1"
  | "REFINEMENT_COMPLETED"
  | "ERROR"
  | "TIMEOUT"
  | "PARTIAL"
  | "CANCELLED";

const row = (falseDecisions: number, best: boolean): PerformanceRecord => ({
  falseDecisions,
  accuracy: 1 - falseDecisions / 100,
  f1Score: 0.5,
  precision: null,
  recall: 0,
  best,
  family: "random forest",
});
const ROWS = { baselineRows: [row(20, true), row(21, false)], currentRows: [row(12, true)] };

const NO_EVIDENCE = {
  ...{ pValue: null, mutualInformation: null, strength: null, hits: null, rounds: null, gain: null, shadowGain: null },
  ...{ permutationZ: null, probabilityLoss: null, accuracyLoss: null, accuracyEffect: null },
};
const COLUMNS: ColumnDecision[] = [
  {
    ...{ name: "tenure", position: 0, kind: "number", decision: "KEEP", reason: "SIGNAL_FOREST", with: null },
    ...{ flags: ["TARGET_LEAK_SUSPECT"], importance: 0.8, stability: 1, evidence: NO_EVIDENCE },
  },
  {
    ...{ name: "plan", position: 1, kind: "category", decision: "REMOVE", reason: "DUPLICATE_OF", with: "tenure" },
    ...{ flags: [], importance: null, stability: null, evidence: NO_EVIDENCE },
  },
];
const FULL_RESULT: RefinementResult = {
  ...RESULT,
  columns: COLUMNS,
  keptColumns: ["tenure"],
  removedColumns: ["plan"],
  warnings: [{ code: "ROW_OVERLAP", message: "One of the TEST rows also stands in TRAIN.", count: 1 }],
  grounds: {
    labelColumn: "left",
    majority: { label: "no", falseDecisions: 40, accuracy: 0.6 },
    trainRowCount: 3,
    testRowCount: 100,
    keptRows: [row(12, true)],
    checkpoints: [
      { proposal: "columns with a signal", columnCount: 1, falseDecisions: 12, worseBy: -1.2, accepted: true },
    ],
    classes: [
      { label: "no", count: 2 },
      { label: "yes", count: 1 },
    ],
    columns: [
      {
        ...{ name: "tenure", kind: "number", missing: 0, distinct: 3, warning: null },
        distribution: { bars: ["from 0 to 9"], counts: [[2, 1]] },
      },
    ],
  },
};

/** A run of a user at a stage; no other may wait meanwhile. Those that work or have worked did so for `seconds`. */
export function addRunAt(
  api: TestApi,
  user: UserName,
  stage: Stage,
  changes: Partial<NewRefinement> = {},
  seconds = 0,
): Refinement {
  const { database, services, state } = api;
  const { now } = services;
  const userKey = api[user].key;
  const run = addRefinement(database, userKey, changes, now());
  const { key } = run;
  if (stage === "PENDING") return run;
  storeRefinementUpload(database, key, "TRAIN", placeFile(state, TRAIN), now());
  storeRefinementUpload(database, key, "TEST", placeFile(state, TEST), now());
  if (stage === "UPLOADED") return run;
  startRefinement(database, userKey, key, now());
  if (stage === "QUEUED") return run;
  claimNextRefinement(database, now());
  if (stage === "SETUP_READING") return run;
  setRefinementTotal(database, key, 40);
  const passed = ["SETUP_BUCKETING", "MEASURE_INITIAL_THRESHOLD", "BASELINE_RUN_1", "REFINING_LOOP_1"] as const;
  for (const entered of passed) enterRefinementState(database, key, entered, now());
  setRefinementRows(database, key, ROWS);
  api.pass(seconds);
  if (stage !== "REFINING_LOOP_1") end(api, run, stage);
  return run;
}

function end({ database, services, state }: TestApi, { key, userKey }: Refinement, stage: Stage): void {
  const now = services.now();
  const files = () => (["TRAIN", "TEST"] as const).map((kind) => ({ kind, ...placeFile(state, RESULT_FILES[kind]) }));
  if (stage === "REFINEMENT_COMPLETED") {
    enterRefinementState(database, key, "CREATING_RESULT", now);
    finishRefinement(database, key, { state: stage, result: FULL_RESULT, files: files() }, now);
  } else if (stage === "CANCELLED") {
    cancelRefinement(database, userKey, key, now);
    finishRefinement(database, key, { state: stage }, now);
  } else if (stage === "ERROR") {
    finishRefinement(database, key, { state: stage, errorReason: "Line 3 of TRAIN has too many cells." }, now);
  } else {
    const isPartial = stage === "PARTIAL";
    const result = isPartial ? { ...FULL_RESULT, partial: true } : null;
    const errorReason = "The time limit of 7200 s came first.";
    finishRefinement(database, key, { state: "TIMEOUT", errorReason, result, files: isPartial ? files() : [] }, now);
  }
}

/** A dataset of a user in a status; no other may wait meanwhile. CLAIMED is PROCESSING and in work. */
export function addDatasetAt(
  api: TestApi,
  user: UserName,
  stage: Dataset["status"] | "CLAIMED",
  name?: string,
): Dataset {
  const { database, services, state } = api;
  const now = services.now();
  const origin =
    stage === "PENDING"
      ? { kind: "SIGNED_UPLOAD" as const, expiresOn: new Date(now.getTime() + 3_600_000) }
      : { kind: "DIRECT_UPLOAD" as const, file: placeFile(state, TRAIN) };
  const changes = name === undefined ? { origin } : { origin, name };
  const dataset = insertDataset(database, newDataset(api[user].key, changes), now)!;
  if (stage === "PENDING" || stage === "PROCESSING") return dataset;
  claimNextDataset(database);
  if (stage === "COMPLETED") completeDataset(database, dataset.key, FACTS, now);
  if (stage === "FAILED") failDataset(database, dataset.key, "Line 3 has too many cells.", now);
  return dataset;
}
