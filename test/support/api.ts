// API tests as tables of scenarios: each runs against the real app on a fresh state folder with users and tokens.
//
//     describeScenarios("colours", () => startApi(), [
//       {
//         name: "a name is taken once",
//         method: "POST",
//         path: ({ ada }) => `/api/v1/colours/${ada.key}`,
//         as: "ada",
//         body: { name: "vermilion" },
//         before: (api) => insertColour(api.database, …),
//         expect: { status: 409, code: "NAME_TAKEN", effect: (api) => expect(countColours(api.database)).toBe(1) },
//       },
//     ]);
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertApiKey } from "../../data/api-keys.ts";
import { type Database, joinDatabase } from "../../data/database/database.ts";
import { watchSecrets } from "../../data/database/secret.ts";
import { openStateFolder, type StateFolder } from "../../data/files/state-folder.ts";
import { insertUser, type User } from "../../data/users.ts";
import { createModelExports } from "../../src/api/models/model-exports.ts";
import { createLargeRows } from "../../src/api/predictions/large-rows.ts";
import { createOutcomeCounting } from "../../src/api/predictions/outcome-counting.ts";
import type { Services } from "../../src/api/services.ts";
import { uploadSlots } from "../../src/api/uploads/upload-slots.ts";
import { makeApiKey, type Scope } from "../../src/auth/api-key.ts";
import { type Bearers, createBearers } from "../../src/auth/bearer.ts";
import { createLoginLimit } from "../../src/auth/login-limit.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import { createRequestLimit } from "../../src/auth/request-limit.ts";
import { createRotatingSigners } from "../../src/auth/rotating-secrets.ts";
import type { SignedUrls } from "../../src/auth/signed-urls.ts";
import { DEFAULT_TIME_CAPS } from "../../src/common/limits.ts";
import { divideBudget } from "../../src/common/memory-budget.ts";
import { PROBLEMS, type ProblemCode } from "../../src/http/problem-codes.ts";
import type { Answered } from "../../src/routing/answer.ts";
import type { Route } from "../../src/routing/route.ts";
import type { App } from "../../src/routing/serve-routes.ts";
import { type AppSettings, createApp, createAppOf } from "../../src/service/app.ts";
import { type Listening, listen } from "../../src/service/listen.ts";
import { createQuotas, type StorageSettings } from "../../src/storage/quotas.ts";
import { UploadsUnderWay } from "../../src/storage/uploads-under-way.ts";
import { RowCounts } from "../../src/watching/row-counts.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { spawnWorker } from "./in-process.ts";
import { openNewDatabase } from "./new-database.ts";
import { UNLIMITED } from "./unlimited.ts";

/** What every user of the tests has. */
export const PASSWORD = "correct horse battery";

/** Users of every state folder; the admin's name is grace. */
const USERS = { ada: "user", bob: "user", grace: "admin" } as const;
export type UserName = keyof typeof USERS;

export type TestServices = Services & {
  database: Database;
  state: StateFolder;
  signedUrls: SignedUrls;
  bearers: Bearers;
  now(): Date;
  uploads: UploadsUnderWay;
  wake(): void;
};

export interface TestApi extends Record<UserName, User> {
  app: App;
  services: TestServices;
  database: Database;
  state: StateFolder;
  /** What the scheduler was told, in order: `wake` and `cancel KEY`. */
  told: string[];
  /** What the server's log was told. */
  faults: unknown[];
  answered: Answered[];
  /** Lets the service's clock, which stands still otherwise, go on. */
  pass(seconds: number): void;
  /** A login's token. */
  tokenOf(user: UserName): Promise<string>;
  /** An API key of a user. */
  apiKeyOf(user: UserName, scopes: readonly Scope[]): string;
  request(method: string, path: string, sent?: Sent): Promise<Response>;
  /** A real server in front of the app; `close` stops it. */
  listen(): Listening;
  /** As if the disk with the database had gone. */
  loseDatabase(): void;
  close(): Promise<void>;
}

export interface Sent {
  as?: UserName;
  headers?: Readonly<Record<string, string>>;
  /** An object goes as JSON; text, bytes and forms as they are. */
  body?: unknown;
}

export interface StartOptions {
  /** These routes in place of the service's own. */
  routes?: (services: TestServices) => Route[];
  settings?: Partial<AppSettings>;
  storage?: StorageSettings;
  /** A server at work on a folder: the folder is that one's, the clock goes on, and `listen` gives its origin. */
  beside?: { folder: string; origin: string };
}

/** Runs a test with an app of its own. */
export function withApi<T>(use: (api: TestApi) => Promise<T>, options: StartOptions = {}): Promise<T> {
  return closingAfter(startApi(options), use);
}

export async function closingAfter<T>(started: Promise<TestApi>, use: (api: TestApi) => Promise<T>): Promise<T> {
  const api = await started;
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

/** The app on a temporary state folder of its own, with real SQLite, files, users and tokens. Close it. */
export async function startApi(options: StartOptions = {}): Promise<TestApi> {
  if (options.beside !== undefined) return startIn(options.beside.folder, options);
  const folder = mkdtempSync(join(tmpdir(), "cupel-api-"));
  try {
    return await startIn(folder, options);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

async function startIn(path: string, options: StartOptions): Promise<TestApi> {
  const { routes, settings = {}, storage = UNLIMITED, beside } = options;
  const state = openStateFolder(path);
  const database = beside === undefined ? openNewDatabase(path) : joinDatabase(path);
  // Stands still until a test lets it go on: a busy machine must not reach
  // limits, or let them pass, that a test is about.
  let clockMs = Date.now();
  const nowMs = beside === undefined ? () => clockMs : Date.now;
  const users = await insertUsers(database, new Date(clockMs));
  const faults: unknown[] = [];
  const answered: Answered[] = [];
  const told: string[] = [];
  const services = servicesOn({ state, database, storage, nowMs, told, faults, answered });
  const appSettings = { ...SETTINGS, ...settings };
  const app =
    routes === undefined ? createApp(services, appSettings) : createAppOf(routes(services), services, appSettings);
  let listening: Listening | null = null;
  const elsewhere = beside === undefined ? null : { origin: beside.origin, port: 0, stop: async () => undefined };
  let hasDatabase = true;
  const api: TestApi = {
    ...users,
    app,
    services,
    database,
    state,
    told,
    faults,
    answered,
    pass: (seconds) => {
      clockMs += seconds * 1_000;
    },
    tokenOf: (user) => services.bearers.issue(users[user]),
    apiKeyOf: (user, scopes) => {
      const { apiKey, tokenHash } = makeApiKey();
      const row = {
        key: crypto.randomUUID(),
        userKey: users[user].key,
        name: "test",
        tokenHash,
        scopes,
        expiresOn: null,
      };
      insertApiKey(database, row, services.now());
      return apiKey;
    },
    request: async (method, target, sent = {}) => app.fetch(await requestOf(api, method, target, sent)),
    listen: () => {
      listening ??= elsewhere ?? listen(app, { host: "127.0.0.1", port: 0, tls: null });
      return listening;
    },
    loseDatabase: () => {
      hasDatabase = false;
      database.close();
    },
    close: async () => {
      await listening?.stop(true);
      services.largeRows.close();
      services.modelExports.close();
      services.outcomeCounting.close();
      if (hasDatabase) database.close();
      if (beside === undefined) rmSync(path, { recursive: true });
    },
  };
  return api;
}

const SETTINGS: AppSettings = {
  basePath: "",
  publicUrl: null,
  hostNames: [],
  trustedProxies: [],
  corsOrigins: [],
  isTls: false,
  checkAnswers: true,
};

interface World {
  state: StateFolder;
  database: Database;
  storage: StorageSettings;
  nowMs(): number;
  told: string[];
  faults: unknown[];
  answered: Answered[];
}

/** What `cupel serve` makes for a real server; resources that need more have it added here. */
function servicesOn({ state, database, storage, nowMs, told, faults, answered }: World): TestServices {
  const secrets = watchSecrets(state.path, database, nowMs, (fault) => faults.push(fault));
  const { accessTokens, signedUrls } = createRotatingSigners(secrets, nowMs);
  const now = () => new Date(nowMs());
  const quotas = createQuotas(database, storage);
  const uploads = new UploadsUnderWay();
  const memory = divideBudget(8_192);
  const wake = () => void told.push("wake");
  return {
    database,
    state,
    quotas,
    memory,
    workers: 2,
    elapsedMs: () => null,
    waitingReason: () => null,
    signedUrls,
    now,
    wake,
    version: "0.0.0-test",
    stopFlow: (key) => void told.push(`cancel ${key}`),
    timeCaps: DEFAULT_TIME_CAPS,
    loginLimit: createLoginLimit(nowMs),
    requestLimit: createRequestLimit(nowMs, 1_000),
    modelCache: new ModelCache({ countsRows: true }),
    rowCounts: new RowCounts({ database, now, report: (fault) => faults.push(fault) }),
    largeRows: createLargeRows(spawnWorker),
    modelExports: createModelExports(spawnWorker, state.locate("uploads"), divideBudget(2_048)),
    outcomeCounting: createOutcomeCounting(spawnWorker),
    bearers: createBearers(database, accessTokens, nowMs),
    log: { onFault: (fault) => faults.push(fault), onAnswer: (facts) => answered.push(facts) },
    showFigures: () => "cupel_test 1\n",
    uploads,
    ...uploadSlots({ database, state, signedUrls, quotas, memory, uploads, now, wake }),
  };
}

let hashed: Promise<string> | null = null;

/** One password for all, hashed once: argon2id takes its time. */
async function insertUsers(database: Database, now: Date): Promise<Record<UserName, User>> {
  hashed ??= hashPassword(PASSWORD);
  const passwordHash = await hashed;
  const entries = Object.entries(USERS).map(([name, role]) => {
    const user = { key: crypto.randomUUID(), email: `${name}@example.org`, passwordHash, role };
    return [name, insertUser(database, user, now)!];
  });
  return Object.fromEntries(entries) as Record<UserName, User>;
}

async function requestOf(api: TestApi, method: string, path: string, { as, headers, body }: Sent): Promise<Request> {
  const all = new Headers(headers);
  if (as !== undefined && !all.has("authorization")) all.set("authorization", `Bearer ${await api.tokenOf(as)}`);
  const isRaw =
    body === undefined || typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
  if (!isRaw && !all.has("content-type")) all.set("content-type", "application/json");
  const content = isRaw ? body : JSON.stringify(body);
  return new Request(`http://localhost${path}`, {
    method,
    headers: all,
    ...(content !== undefined && { body: content }),
  });
}

export interface Scenario {
  name: string;
  method: string;
  path: string | ((api: TestApi) => string | Promise<string>);
  as?: UserName;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Fills the state folder. */
  before?(api: TestApi): unknown;
  expect: Expected;
}

export interface Expected {
  status: number;
  /** Of a problem; its status must be the code's own. */
  code?: ProblemCode;
  /** Names in the problem's `errors`, in any order. */
  fields?: readonly string[];
  /** What the body has, as `toMatchObject` takes it; `expect.any(String)` and the like are welcome. */
  body?: object;
  headers?: Readonly<Record<string, string | RegExp>>;
  /** What is different in the state folder afterwards. */
  effect?(api: TestApi, response: Response, body: unknown): void | Promise<void>;
}

/** One test per scenario, each on an app of its own. */
export function describeScenarios(title: string, start: () => Promise<TestApi>, scenarios: readonly Scenario[]): void {
  describe(title, () => {
    for (const scenario of scenarios) {
      test(scenario.name, () =>
        closingAfter(start(), async (api) => {
          await scenario.before?.(api);
          const path = typeof scenario.path === "string" ? scenario.path : await scenario.path(api);
          const response = await api.request(scenario.method, path, scenario);
          await expectAnswer(api, response, scenario.expect);
        }),
      );
    }
  });
}

/** What every answer has to be, and what this one has to be. */
export async function expectAnswer(api: TestApi, response: Response, expected: Expected): Promise<void> {
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const body: unknown = isJson ? await response.clone().json() : await response.clone().text();
  // The body first: it says why a status is not the one that was expected.
  if (expected.code !== undefined) expect(body).toMatchObject({ code: expected.code });
  expect({ status: response.status, body }).toMatchObject({ status: expected.status });
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  if (response.status >= 400) expectProblem(response, body as Record<string, unknown>);
  if (response.status < 500) expect(api.faults).toEqual([]);
  if (expected.fields !== undefined) expect(fieldsOf(body).sort()).toEqual([...expected.fields].sort());
  if (expected.body !== undefined) expect(structuredClone(body)).toMatchObject(expected.body);
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const given = response.headers.get(name) ?? "";
    if (typeof value === "string") expect(`${name}: ${given}`).toBe(`${name}: ${value}`);
    else expect(given).toMatch(value);
  }
  await expected.effect?.(api, response, body);
}

function expectProblem(response: Response, body: Record<string, unknown>): void {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { status, title } = PROBLEMS[body["code"] as ProblemCode];
  expect(body).toMatchObject({ status, title, requestId: response.headers.get("x-request-id")! });
  expect(status).toBe(response.status as never);
}

function fieldsOf(body: unknown): string[] {
  const { errors = [] } = body as { errors?: { field: string }[] };
  return errors.map(({ field }) => field);
}
