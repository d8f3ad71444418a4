// The operations of the API that the dashboard uses, one function each. Their types are the server's own.
import type { ApiKeyItem, CreatedApiKey, NewApiKey } from "../api/api-keys.ts";
import type { CreatedDataset } from "../api/created-dataset.ts";
import type { DatasetItem, DatasetRecord } from "../api/datasets.ts";
import type { RefinementItem } from "../api/feature-refinery.ts";
import type { NewDataset } from "../api/new-datasets.ts";
import type { OwnModel, OwnPrediction, OwnTraining } from "../api/own-lists.ts";
import type { AddedUser, UserItem } from "../api/users.ts";
import { ask } from "./client.ts";

/** What part of a list is asked for. */
export interface PageQuery {
  offset: number;
  limit: number;
  search?: string;
}

/** Where a page stands in its list. */
export interface PageFacts {
  offset: number;
  limit: number;
  total: number;
  nextOffset: number | null;
}

/** A page with its items under the list's own name. */
export type PageOf<Name extends string, Item> = { [N in Name]: Item[] } & PageFacts;

type Signal = AbortSignal | undefined;

export const datasets = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"datasets", DatasetItem>>("GET", "/api/v1/datasets", { query: { ...query }, signal }),
  get: (key: string, signal: Signal) => ask<DatasetRecord>("GET", `/api/v1/datasets/${key}`, { signal }),
  create: (body: NewDataset) => ask<CreatedDataset>("POST", "/api/v1/datasets", { body }),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/datasets/${key}`),
};

export const refinements = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"refinements", RefinementItem>>("GET", "/api/v1/feature-refinery", { query: { ...query }, signal }),
};

export const trainings = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"trainingJobs", OwnTraining>>("GET", "/api/v1/training", { query: { ...query }, signal }),
};

export const models = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"models", OwnModel>>("GET", "/api/v1/models", { query: { ...query }, signal }),
};

export const predictions = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"predictions", OwnPrediction>>("GET", "/api/v1/predictions", { query: { ...query }, signal }),
};

export const users = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"users", UserItem>>("GET", "/api/v1/users", { query: { ...query }, signal }),
  add: (body: { email: string; role: UserItem["role"] }) => ask<AddedUser>("POST", "/api/v1/users", { body }),
  change: (key: string, body: { disabled: boolean }) => ask<UserItem>("PATCH", `/api/v1/users/${key}`, { body }),
  renewPassword: (key: string) => ask<{ password: string }>("POST", `/api/v1/users/${key}/password`),
  remove: (key: string) => ask<void>("DELETE", `/api/v1/users/${key}`),
};

export const apiKeys = {
  list: (query: PageQuery, signal: Signal) =>
    ask<PageOf<"apiKeys", ApiKeyItem>>("GET", "/api/v1/api-keys", { query: { ...query }, signal }),
  create: (body: NewApiKey) => ask<CreatedApiKey>("POST", "/api/v1/api-keys", { body }),
  revoke: (key: string) => ask<void>("DELETE", `/api/v1/api-keys/${key}`),
};
