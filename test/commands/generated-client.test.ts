// A client that was generated from the OpenAPI document alone drives the flow over HTTP, by operation names.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAPIClientAxios, { type Document } from "openapi-client-axios";
import { insertUser } from "../../data/users.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import { DEFAULT_TIME_CAPS } from "../../src/limits.ts";
import { type Listening, listen } from "../../src/listen.ts";
import { openService, type Service } from "../../src/service.ts";
import { spawnWorker } from "../support/in-process.ts";
import { keepLog } from "../support/kept-log.ts";
import { knownTable } from "../support/refinery.ts";
import { UNLIMITED } from "../support/unlimited.ts";

const PASSWORD = "correct horse battery";
const folder = mkdtempSync(join(tmpdir(), "cupel-client-"));
let service: Service;
let listening: Listening;

beforeAll(async () => {
  service = await openService({
    dataFolder: folder,
    workers: 2,
    memoryBudgetMib: 8_192,
    timeCaps: DEFAULT_TIME_CAPS,
    requestsPerMinute: 100_000,
    isWatching: true,
    mayLackFiles: false,
    storage: UNLIMITED,
    spawnWorker,
    basePath: "/cupel",
    publicUrl: null,
    hostNames: [],
    trustedProxies: [],
    corsOrigins: [],
    isTls: false,
    checkAnswers: true,
    log: keepLog().log,
  });
  const user = { key: crypto.randomUUID(), email: "ada@example.org", role: "user" } as const;
  insertUser(service.database, { ...user, passwordHash: await hashPassword(PASSWORD) }, new Date());
  listening = listen(service.app, { host: "127.0.0.1", port: 0, tls: null });
});

afterAll(async () => {
  await listening.stop(true);
  await service.close();
  rmSync(folder, { recursive: true });
});

/** What the generated functions have in common: parameters, body, settings. */
type Operation = (parameters?: object | null, body?: unknown, settings?: object) => Promise<{ data: Answer }>;
type Answer = Record<string, string> & { uploadTargets: Record<string, string>[]; versions: object[] };

test("refinement, dataset, training and prediction", async () => {
  const definition = `${listening.origin}/cupel/openapi.json`;
  const document = await fetch(definition).then((response) => response.json() as Promise<Document>);
  const api = new OpenAPIClientAxios({ definition: document, withServer: { url: `${listening.origin}/cupel` } });
  const client = (await api.init()) as unknown as Record<string, Operation> & {
    defaults: { headers: Record<string, string> };
  };
  const call = async (name: string, parameters: object | null = null, body: unknown = null) =>
    (await client[name]!(parameters, body)).data;
  const until = async (name: string, parameters: object, field: string, ends: readonly string[]) => {
    for (;;) {
      const answer = await call(name, parameters);
      if (ends.includes(answer[field]!)) return answer;
      await Bun.sleep(50);
    }
  };

  const { access_token: token } = await call("login", null, { username: "ada@example.org", password: PASSWORD });
  client.defaults.headers["Authorization"] = `Bearer ${token}`;
  const { featureRefinementKey, uploadTargets } = await call("createRefinement", null, {
    ...{ numberOfBuckets: 10, groupColumn: null, withoutColumns: ["noise3"] },
  });
  for (const { kind, url, requiredHeader } of uploadTargets) {
    const [header, value] = requiredHeader!.split(": ");
    const body = kind === "TRAIN" ? knownTable(1_200, 1) : knownTable(400, 2);
    expect((await fetch(url!, { method: "PUT", body, headers: { [header!]: value! } })).ok).toBe(true);
  }
  const refinement = { featureRefinementKey };
  await call("startRefinement", refinement);
  const ends = ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"];
  const { state } = await until("getRefinementProgress", refinement, "state", ends);
  expect(state).toBe("REFINEMENT_COMPLETED");

  const { datasetKey } = await call("createDatasetFromRefinement", refinement, { name: "generated" });
  await until("getDataset", { datasetKey }, "status", ["COMPLETED", "FAILED"]);
  const settings = { scalingFactor: 2, performanceThreshold: 0.5, timeColumn: null, keepKeyColumns: false };
  const { trainingJobKey } = await call("startTraining", { datasetKey }, settings);
  const jobEnds = ["COMPLETED", "TIMED_OUT", "NOT_COMPLETED", "CANCELLED", "FAILED"];
  const { modelKey } = await until("getTrainingJob", { trainingJobKey }, "status", jobEnds);
  const { versions, verdict } = await call("getModel", { modelKey });
  expect(versions.length).toBeGreaterThan(0);
  expect(verdict).toMatchObject({ judgedBy: { kind: "random" }, doubts: expect.any(Array) });

  const row = { strong: 0.9, weak: "w3", left: "l0", right: "r1" };
  const { predictions } = (await call("predictRows", { modelKey }, { rows: [row] })) as unknown as {
    predictions: { label: string }[];
  };
  expect(predictions).toHaveLength(1);
  expect(["yes", "no"]).toContain(predictions[0]!.label);
});
