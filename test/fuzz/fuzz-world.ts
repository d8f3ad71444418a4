// What stands on the service that is fuzzed: ada's resources, marked so that
// they would be recognised anywhere, and bob's.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UploadKind } from "../../data/database/states.ts";
import { claimNextDataset } from "../../data/dataset-processing.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { findOwnedModel, nameModel } from "../../data/models.ts";
import { claimNextPrediction } from "../../data/predictions.ts";
import { claimNextRefinement } from "../../data/refinements/refinement-runs.ts";
import { insertPredictionUpload, insertResumable } from "../../data/resumable-uploads.ts";
import { claimNextSuccessor, insertSuccessor, type Successor, stepSuccessor } from "../../data/successors.ts";
import { claimNextTrainingJob } from "../../data/training-runs.ts";
import { insertUser } from "../../data/users.ts";
import { packModel } from "../../engine/model/model-file.ts";
import { signedUploadPath } from "../../src/api/uploads/upload-slots.ts";
import { addDatasetAt, addRunAt } from "../src/api/intake.ts";
import { addJobIn, addPredictionIn, addScorer, PENGUIN_COLUMNS } from "../src/api/service.ts";
import type { TestApi, UserName } from "../support/api.ts";
import { readCsvText } from "../support/csv-table.ts";
import { binarySummary } from "../support/summaries.ts";
import { FOREST, fileOf, WORDS } from "../support/text-models.ts";
import { drawTexts } from "../support/text-tables.ts";

/** Stands in everything of ada's that has a text of its own, and in no request. */
export const MARKER = "qZmarkerOfAda";

/**
 * A model of two kinds of penguins that reads the name of the island as
 * text: of two labels, so that it has a threshold.
 */
const TEXT_MODEL = packModel(fileOf(readCsvText(penguinsOfTexts()), WORDS, FOREST));

function penguinsOfTexts(): string {
  const { texts, labels } = drawTexts(120, 2, 4);
  const [text, ...others] = PENGUIN_COLUMNS;
  const lines = texts.map((own, row) => [own, ...others.map((_, at) => (row * (at + 3)) % 17), labels[row]].join(","));
  return `${[text, ...others].join(",")},species\n${lines.join("\n")}\n`;
}

/** Keys by the name that paths have for them. */
type Keys = Record<string, string[]>;

export interface FuzzWorld {
  api: TestApi;
  origin: string;
  /** Of bob, who sends the requests. */
  own: Keys;
  /** Of ada. */
  foreign: Keys;
  /** Paths with a signature, for each slot of bob's that is or was open. */
  signed: string[];
  /** Paths with a signature of uploads in pieces that were begun at the open ones. */
  begun: string[];
}

const NAMES = { name: "spring", note: "Made in spring." };

const RUN_STAGES = [
  "REFINEMENT_COMPLETED",
  "PARTIAL",
  "ERROR",
  "CANCELLED",
  "SETUP_READING",
  "UPLOADED",
  "UPLOADED",
  "UPLOADED",
  "PENDING",
] as const;
const JOB_STAGES = ["COMPLETED", "FAILED", "CANCELLED", "CLOSING", "RUNNING", "PENDING"] as const;
const PREDICTION_STAGES = ["COMPLETED", "FAILED", "TIMEOUT", "RUNNING", "PENDING"] as const;

/** A world with ada's resources, whose texts are the marker. */
export function createWorld(api: TestApi): FuzzWorld {
  api.database.client.run("PRAGMA synchronous = OFF");
  const foreign = api.database.write(() => addResources(api, "ada"));
  const texts = [
    ["refinements", "name, trainFileName, labelColumn"],
    ["datasets", "name, description, labelColumn"],
    ["trainingJobs", "errorReason"],
    ["predictions", "errorReason, fileName"],
    ["models", "name, note"],
  ] as const;
  for (const [table, columns] of texts) {
    for (const column of columns.split(", ")) {
      api.database.client.run(
        `UPDATE "${table}" SET "${column}" = '${MARKER}' || substr(key, 1, 8) WHERE "${column}" IS NOT NULL`,
      );
    }
  }
  api.database.client.run(`UPDATE modelVersions SET name = '${MARKER}', note = '${MARKER}' WHERE name IS NOT NULL`);
  // Else the claims for bob's resources would take hers that wait.
  claimAll(api);
  for (const folder of ["files", "results"]) markFiles(join(api.state.path, folder));
  return { api, origin: api.listen().origin, own: {}, foreign, signed: [], begun: [] };
}

/** New resources of bob, since the requests before may have ended or deleted those there were. */
export function renewWorld(world: FuzzWorld): void {
  const { api } = world;
  // In one transaction: a server at work on the folder sees nothing that waits.
  const { runKey, datasetKey } = api.database.write(() => {
    world.own = addResources(api, "bob");
    return {
      runKey: addRunAt(api, "bob", "PENDING").key,
      datasetKey: addDatasetAt(api, "bob", "PENDING").key,
    };
  });
  const { signedUrls } = api.services;
  const predictionKey = crypto.randomUUID();
  world.own["key"] = [runKey, datasetKey, predictionKey];
  addPredictionUpload(api, predictionKey, world.own["modelKey"]![0]!);
  world.signed = [
    signedUploadPath(signedUrls, runKey, "TRAIN"),
    signedUploadPath(signedUrls, runKey, "TEST"),
    signedUploadPath(signedUrls, datasetKey, "DATASET"),
    signedUploadPath(signedUrls, world.own["datasetKey"]![0]!, "DATASET"),
    signedUploadPath(signedUrls, predictionKey, "PREDICTION"),
  ];
  const slots = [
    [runKey, "TRAIN"],
    [runKey, "TEST"],
    [datasetKey, "DATASET"],
    [predictionKey, "PREDICTION"],
  ] as const;
  const uploads = slots.map(([key, kind]) => ({ key, kind, upload: beginUpload(api, "bob", key, kind) }));
  world.own["upload"] = uploads.map(({ upload }) => upload);
  world.begun = uploads.map(({ key, kind, upload }) =>
    signedUploadPath(signedUrls, key, kind).replace("?", `/${upload}?`),
  );
}

/** Of so many bytes that no piece of the campaign is the last. */
function beginUpload(api: TestApi, user: UserName, resourceKey: string, kind: UploadKind): string {
  const { database, services } = api;
  const [key, now] = [crypto.randomUUID(), services.now()];
  const upload = { key, resourceKey, kind, userKey: api[user].key, sizeBytes: 10_000_000 };
  insertResumable(database, { ...upload, expiresOn: new Date(now.getTime() + 86_400_000) }, now);
  return key;
}

function addPredictionUpload({ database, services, bob }: TestApi, key: string, modelKey: string): void {
  const asked = {
    key,
    userKey: bob.key,
    apiKeyId: null,
    modelKey,
    filterColumns: false,
    hasHeader: true,
    reasonCount: 0,
    fileName: null,
  };
  insertPredictionUpload(database, { ...asked, expiresOn: new Date(services.now().getTime() + 3_600_000) });
}

function addResources(api: TestApi, user: UserName): Keys {
  claimAll(api);
  const runs = RUN_STAGES.map((stage) => addRunAt(api, user, stage).key);
  const scorer = addScorer(api, user);
  const refined = addScorer(api, user, { isRefined: true });
  const reader = addScorer(api, user);
  for (const version of [1, 2, 3]) {
    writeFileSync(api.state.locate(statePaths.modelVersion(reader.modelKey, version)), TEXT_MODEL);
  }
  const models = [scorer.modelKey, refined.modelKey, reader.modelKey];
  for (const modelKey of models) {
    writeFileSync(api.state.locate(statePaths.modelSummary(modelKey)), JSON.stringify(binarySummary()));
    nameModel(api.database, api[user].key, { modelKey, version: null }, NAMES);
    nameModel(api.database, api[user].key, { modelKey, version: 1 }, NAMES);
  }
  const jobs = JOB_STAGES.map((stage) => addJobIn(api, user, stage));
  claimAll(api);
  const predictions = PREDICTION_STAGES.map((stage) => addPredictionIn(api, scorer.modelKey, stage, user));
  const datasets = (["COMPLETED", "FAILED", "PENDING", "PROCESSING"] as const).map(
    (stage) => addDatasetAt(api, user, stage).key,
  );
  api.apiKeyOf(user, ["read"]);
  const { apiKeyId } = api.database.client
    .query<{ apiKeyId: string }, [string]>(`SELECT key AS apiKeyId FROM "apiKeys" WHERE "userKey" = ? LIMIT 1`)
    .get(api[user].key)!;
  return {
    featureRefinementKey: runs,
    datasetKey: [...datasets, jobs[0]!.datasetKey],
    trainingJobKey: [scorer.jobKey, ...jobs.map(({ key }) => key)],
    modelKey: models,
    a: models,
    b: models,
    predictionKey: predictions,
    successorKey: addSuccessors(api, user, [scorer.modelKey, reader.modelKey], predictions[0]!),
    apiKeyId: [apiKeyId],
    userKey: [addSpareUser(api)],
    key: [runs.at(-1)!, datasets[2]!],
    upload: [beginUpload(api, user, datasets[2]!, "DATASET")],
  };
}

/** One that was compared, and one at work: nobody works on it. */
function addSuccessors(
  api: TestApi,
  user: UserName,
  lines: readonly [string, string],
  predictionKey: string,
): string[] {
  const { database, services } = api;
  const userKey = api[user].key;
  const fileName = user === "ada" ? MARKER : "may.csv";
  const counts = { learnedRows: 70, keptRows: 50, keptFromRow: 70 };
  const source = { predictionKey, fileName, fromRow: 0, sameAs: null, ...counts };
  const added = lines.map((modelKey) => {
    const { datasetKey: sourceDatasetKey } = findOwnedModel(database, userKey, modelKey)!.model;
    const champion = { firstModelKey: modelKey, championKey: modelKey, championVersion: 1, sourceDatasetKey };
    const asked = { key: crypto.randomUUID(), userKey, promote: "BY_HAND", oldRows: null, sources: [source] } as const;
    return insertSuccessor(database, { ...asked, ...champion }, services.now()) as Successor;
  });
  const matrix = [
    [20, 10],
    [5, 15],
  ];
  const comparison = {
    labels: ["no", "yes"],
    champion: matrix,
    challenger: matrix,
    championAlone: 3,
    challengerAlone: 3,
  };
  const end = { status: "COMPLETED", comparison, trainRows: 300 } as const;
  stepSuccessor(database, added[0]!, { ...end, challengerKey: lines[1], challengerVersion: 1 }, services.now());
  while (claimNextSuccessor(database) !== null);
  return added.map(({ key }) => key);
}

/** Whom an administrator may disable and remove without harm to the campaign. */
function addSpareUser({ database, services }: TestApi): string {
  const key = crypto.randomUUID();
  insertUser(
    database,
    { key, email: `${key}@example.org`, passwordHash: "of no password", role: "user" },
    services.now(),
  );
  return key;
}

/** Nothing waits afterwards. */
function claimAll({ database, services }: TestApi): void {
  const now = services.now();
  while (claimNextRefinement(database, now) !== null);
  while (claimNextDataset(database) !== null);
  while (claimNextTrainingJob(database, now) !== null);
  while (claimNextPrediction(database, now) !== null);
}

function markFiles(folder: string): void {
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), `${MARKER},left\n1,no\n2,yes\n`);
}
