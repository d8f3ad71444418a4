// The API calls of the dashboard, one function each, typed by the server's own types.
import type { AttemptRecord } from "../../data/database/records.ts";
import type { ChangedDataset } from "../api/datasets/change-dataset.ts";
import type { CreatedDataset } from "../api/datasets/created-dataset.ts";
import type { Distributions, Preview } from "../api/datasets/dataset-preview.ts";
import type { DatasetItem, DatasetRecord } from "../api/datasets/datasets.ts";
import type { NewDataset } from "../api/datasets/new-datasets.ts";
import type { ExampleRow } from "../api/models/example-row.ts";
import type { ModelComparison } from "../api/models/model-comparison.ts";
import type { ModelDetails } from "../api/models/model-details.ts";
import type { ModelEffects } from "../api/models/model-effects.ts";
import type { ModelHealth } from "../api/models/model-health.ts";
import type { SetThreshold } from "../api/models/model-threshold.ts";
import type { ModelDetail } from "../api/models/models.ts";
import type { CreatedPrediction } from "../api/predictions/new-predictions.ts";
import type { PredictionOutcomesAnswer } from "../api/predictions/outcomes.ts";
import type { PredictionRecord } from "../api/predictions/prediction-files.ts";
import type { ScoredRows } from "../api/predictions/prediction-rows.ts";
import type { PredictionShift } from "../api/predictions/prediction-shift.ts";
import type { PreparedPrediction } from "../api/predictions/prediction-uploads.ts";
import type { RefinedDataset } from "../api/refinements/dataset-refinement.ts";
import type { RefinementItem } from "../api/refinements/feature-refinery.ts";
import type { CreatedRun, NewRun } from "../api/refinements/new-refinement.ts";
import type { RefinementEvidence } from "../api/refinements/refinement-evidence.ts";
import type { RefinementProgress } from "../api/refinements/refinement-progress.ts";
import type { RefinementAnswer } from "../api/refinements/refinement-result.ts";
import type { AuditItem } from "../api/server/audit.ts";
import type { Limits } from "../api/server/limits-route.ts";
import type { ModelLine } from "../api/successors/model-line.ts";
import type { Successor } from "../api/successors/successor-answer.ts";
import type { NewSuccessor } from "../api/successors/successors.ts";
import type { NewTraining, StartedTraining, Training, TrainingDetail } from "../api/training/training.ts";
import type { TrainingProgress } from "../api/training/training-progress.ts";
import type { ApiKeyItem, CreatedApiKey, NewApiKey } from "../api/users/api-keys.ts";
import type { OwnModel, OwnPrediction, OwnTraining } from "../api/users/own-lists.ts";
import type { AddedUser, UserItem } from "../api/users/users.ts";
import { ask, readBeginning, sendForm, type UploadOptions } from "./client.ts";

/** Which part of a list to ask for. Empty fields are not sent. */
export interface PageQuery extends Readonly<Record<string, string | number>> {
  offset: number;
  limit: number;
}

/** One page of a list. */
export interface Page<Item> {
  items: readonly Item[];
  offset: number;
  total: number;
  nextOffset: number | null;
}

interface PredictionChoices {
  hasHeader: boolean;
  /** Reasons for each row of the result. */
  reasons: number;
}

interface OutcomeChoices {
  labelColumn: string;
  keyColumn: string;
}

type Signal = AbortSignal | undefined;

/** Reasons of each row that the dashboard asks for. */
export const SHOWN_REASONS = 3;
/** The API's largest page. */
const MOST_PAGE_ITEMS = 100;

function get<T>(path: `/${string}`, signal: Signal, query?: Readonly<Record<string, string | number>>): Promise<T> {
  return ask<T>("GET", path, { signal, ...(query !== undefined && { query }) });
}

/** Reads pages of a list; the API gives each list's items a name of their own. */
function listOf<Item>(path: `/${string}`, name: string) {
  return async (query: PageQuery, signal: Signal): Promise<Page<Item>> => {
    const page = await get<Page<Item> & Record<string, Item[]>>(path, signal, query);
    return { ...page, items: page[name]! };
  };
}

export const datasets = {
  list: listOf<DatasetItem>("/api/v1/datasets", "datasets"),
  get: (key: string, signal: Signal) => get<DatasetRecord>(`/api/v1/datasets/${key}`, signal),
  create: (body: NewDataset) => ask<CreatedDataset>("POST", "/api/v1/datasets", { body }),
  createOfRefinement: (key: string, body: { name: string }) =>
    ask<CreatedDataset>("POST", `/api/v1/datasets/feature-refinery/${key}`, { body }),
  preview: (key: string, signal: Signal) => get<Preview>(`/api/v1/datasets/${key}/preview`, signal),
  distributions: (key: string, signal: Signal) => get<Distributions>(`/api/v1/datasets/${key}/distributions`, signal),
  change: (key: string, body: ChangedDataset) => ask<{ status: string }>("PATCH", `/api/v1/datasets/${key}`, { body }),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/datasets/${key}`),
};

export const refinements = {
  list: listOf<RefinementItem>("/api/v1/feature-refinery", "refinements"),
  get: (key: string, signal: Signal) => get<RefinementItem>(`/api/v1/feature-refinery/${key}`, signal),
  create: (body: Partial<NewRun>) => ask<CreatedRun>("POST", "/api/v1/feature-refinery", { body }),
  refineDataset: (datasetKey: string, body: RefinedDataset) =>
    ask<{ featureRefinementKey: string }>("POST", `/api/v1/feature-refinery/datasets/${datasetKey}`, { body }),
  start: (key: string) => ask<void>("POST", `/api/v1/feature-refinery/${key}/start`),
  planTraining: (key: string, body: { scalingFactor: number }) =>
    ask<void>("POST", `/api/v1/feature-refinery/${key}/planned-training`, { body }),
  cancelPlannedTraining: (key: string) => ask<void>("DELETE", `/api/v1/feature-refinery/${key}/planned-training`),
  progress: (key: string, signal: Signal) =>
    get<RefinementProgress>(`/api/v1/feature-refinery/${key}/progress`, signal),
  result: (key: string, signal: Signal) => get<RefinementAnswer>(`/api/v1/feature-refinery/${key}/result`, signal),
  evidence: (key: string, signal: Signal) =>
    get<RefinementEvidence>(`/api/v1/feature-refinery/${key}/evidence`, signal),
  cancel: (key: string) => ask<{ state: string }>("PATCH", `/api/v1/feature-refinery/${key}/cancel`),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/feature-refinery/${key}`),
};

/** How long files are kept, and how much room there may be. */
export const storageLimits = async () => (await ask<Limits>("GET", "/api/v1/limits")).storage;

export const trainings = {
  list: listOf<OwnTraining>("/api/v1/training", "trainingJobs"),
  ofDataset: (datasetKey: string, query: PageQuery, signal: Signal) =>
    listOf<Training>(`/api/v1/training/datasets/${datasetKey}`, "trainingJobs")(query, signal),
  start: (datasetKey: string, body: NewTraining) =>
    ask<StartedTraining>("POST", `/api/v1/training/datasets/${datasetKey}`, { body }),
  get: (key: string, signal: Signal) => get<TrainingDetail>(`/api/v1/training/${key}`, signal),
  progress: (key: string, signal: Signal) => get<TrainingProgress>(`/api/v1/training/${key}/progress`, signal),
  /** All attempts, page by page: a few hundred at most. */
  attempts: async (key: string, signal: Signal): Promise<AttemptRecord[]> => {
    const list = listOf<AttemptRecord>(`/api/v1/training/${key}/attempts`, "attempts");
    const attempts: AttemptRecord[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const next: Page<AttemptRecord> = await list({ offset, limit: MOST_PAGE_ITEMS }, signal);
      attempts.push(...next.items);
      offset = next.nextOffset;
    }
    return attempts;
  },
  cancel: (key: string) => ask<{ status: "CANCELLED" }>("PATCH", `/api/v1/training/${key}/cancel`),
};

export const models = {
  list: listOf<OwnModel>("/api/v1/models", "models"),
  get: (key: string, signal: Signal) => get<ModelDetail>(`/api/v1/models/${key}`, signal),
  details: (key: string, signal: Signal) => get<ModelDetails>(`/api/v1/models/${key}/details`, signal),
  exampleRow: (key: string, place: number, signal?: Signal) =>
    get<ExampleRow>(`/api/v1/models/${key}/example-row`, signal, { place }),
  effects: (key: string, version: number, signal: Signal) =>
    get<ModelEffects>(`/api/v1/models/${key}/versions/${version}/effects`, signal),
  health: (key: string, version: number, months: number, signal: Signal) =>
    get<ModelHealth>(`/api/v1/models/${key}/versions/${version}/health`, signal, { months }),
  compare: (query: Readonly<Record<"a" | "b" | "aVersion" | "bVersion", string>>, signal: Signal) =>
    get<ModelComparison>("/api/v1/models/compare", signal, query),
  /** Names the model, or a version of it; null removes. */
  rename: (key: string, version: number | null, body: { name: string | null; note: string | null }) =>
    ask<ModelDetail>("PATCH", `/api/v1/models/${key}${version === null ? "" : `/versions/${version}`}`, { body }),
  moveChampion: (trainingJobKey: string, version: number) =>
    ask<ModelDetail>("POST", `/api/v1/training/${trainingJobKey}/champion`, { body: { version } }),
  setThreshold: (key: string, version: number, threshold: number | null) =>
    ask<SetThreshold>("PUT", `/api/v1/models/${key}/versions/${version}/threshold`, { body: { threshold } }),
  line: (key: string, signal: Signal) => get<ModelLine>(`/api/v1/models/${key}/line`, signal),
  /** Lets it answer at its line's address. */
  promote: (key: string) => ask<ModelLine>("POST", `/api/v1/models/${key}/promote`),
  setShadow: (key: string, modelKey: string | null) =>
    ask<ModelLine>("PUT", `/api/v1/models/${key}/shadow`, { body: { modelKey } }),
  succeed: (key: string, body: Partial<NewSuccessor>) =>
    ask<Successor>("POST", `/api/v1/models/${key}/successors`, { body }),
  /** The newest of the line; null where there is none. */
  newestSuccessor: async (key: string, signal: Signal): Promise<Successor | null> => {
    const list = listOf<Successor>(`/api/v1/models/${key}/successors`, "successors");
    return (await list({ offset: 0, limit: 1 }, signal)).items[0] ?? null;
  },
  removeSuccessor: (key: string) => ask<void>("DELETE", `/api/v1/successors/${key}`),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/models/${key}`),
};

export const predictions = {
  list: listOf<OwnPrediction>("/api/v1/predictions", "predictions"),
  create: (modelKey: string, file: File, { hasHeader, reasons }: PredictionChoices, way: UploadOptions) =>
    sendForm<CreatedPrediction>(
      `/api/v1/predictions/models/${modelKey}?reasons=${reasons}`,
      { hasHeader: String(hasHeader), file },
      way,
    ),
  /** Asks for an address for a large file. */
  prepare: (modelKey: string, body: PredictionChoices & { fileName: string }) =>
    ask<PreparedPrediction>("POST", `/api/v1/predictions/models/${modelKey}/uploads`, { body }),
  get: (key: string, signal: Signal) => get<PredictionRecord>(`/api/v1/predictions/${key}`, signal),
  shift: (key: string, signal: Signal) => get<PredictionShift>(`/api/v1/predictions/${key}/shift`, signal),
  outcomes: (key: string, signal: Signal) =>
    get<PredictionOutcomesAnswer>(`/api/v1/predictions/${key}/outcomes`, signal),
  /** An empty `labelColumn` leaves the choice to the server; an empty `keyColumn` is the order of the rows. */
  addOutcomes: (key: string, file: File, { labelColumn, keyColumn }: OutcomeChoices, way: UploadOptions) =>
    sendForm<PredictionOutcomesAnswer>(
      `/api/v1/predictions/${key}/outcomes`,
      { ...(labelColumn !== "" && { labelColumn }), keyColumn, file },
      way,
    ),
  removeOutcomes: (key: string) => ask<void>("DELETE", `/api/v1/predictions/${key}/outcomes`),
  beginning: (key: string, byteCount: number, signal: Signal) =>
    readBeginning(`/api/v1/predictions/${key}/file`, byteCount, signal),
  scoreRows: (
    modelKey: string,
    rows: readonly Readonly<Record<string, string | null>>[],
    { counted = true, signal }: { counted?: boolean; signal?: Signal } = {},
  ) =>
    ask<ScoredRows>("POST", `/api/v1/predictions/models/${modelKey}/rows`, {
      query: { reasons: SHOWN_REASONS, ...(!counted && { counted: "false" }) },
      body: { rows },
      signal,
    }),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/predictions/${key}`),
};

export function changePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  return ask("POST", "/api/v1/account/password", { body });
}

export const users = {
  list: listOf<UserItem>("/api/v1/users", "users"),
  add: (body: { email: string; role: UserItem["role"] }) => ask<AddedUser>("POST", "/api/v1/users", { body }),
  change: (key: string, body: { disabled: boolean }) => ask<UserItem>("PATCH", `/api/v1/users/${key}`, { body }),
  renewPassword: (key: string) => ask<{ password: string }>("POST", `/api/v1/users/${key}/password`),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/users/${key}`),
};

export const audit = { list: listOf<AuditItem>("/api/v1/audit", "events") };

export const apiKeys = {
  list: listOf<ApiKeyItem>("/api/v1/api-keys", "apiKeys"),
  create: (body: NewApiKey) => ask<CreatedApiKey>("POST", "/api/v1/api-keys", { body }),
  revoke: (key: string) => ask<void>("DELETE", `/api/v1/api-keys/${key}`),
};
