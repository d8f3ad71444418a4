// The audit trail as the API writes and shows it: each change with who made it, each download before its first byte.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type AuditEvent, COMMAND_LINE, listAudit, recordAudit } from "../../../data/audit.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findRefinementFile } from "../../../data/refinements/refinement-files.ts";
import { describeScenarios, PASSWORD, type Sent, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";
import { addDatasetIn, addJobIn, addPredictionIn, addScorer, PENGUINS_CSV } from "./service.ts";

const ALL = { offset: 0, limit: 1_000 };

/** Oldest first, without what tests fill the state with. */
function trailOf({ database }: TestApi): AuditEvent[] {
  return listAudit(database, {}, ALL).items.reverse();
}

/** The one event that a request wrote; null for none. */
async function writtenBy(api: TestApi, method: string, path: string, sent: Sent): Promise<AuditEvent | null> {
  const before = trailOf(api).length;
  const response = await api.request(method, path, sent);
  await response.arrayBuffer();
  const [event = null, ...others] = trailOf(api).slice(before);
  expect(others).toEqual([]);
  if (event !== null) expect(event.requestId).toBe(response.headers.get("x-request-id"));
  return event;
}

function csvForm(part: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(part, new File([PENGUINS_CSV], "secret name.csv"));
  return form;
}

const ada = { as: "ada" } as const;

interface Case {
  action: AuditEvent["action"];
  detail?: string;
  /** Gives the request, and the key of what it is about where that is known beforehand. */
  ask(api: TestApi): { method: string; path: string; body?: unknown; key?: string };
}

const CASES: readonly Case[] = [
  {
    action: "API_KEY_CREATED",
    detail: "read metrics",
    ask: () => ({ method: "POST", path: "/api/v1/api-keys", body: { name: "secret", scopes: ["read", "metrics"] } }),
  },
  {
    action: "API_KEY_REVOKED",
    ask: (api) => {
      api.apiKeyOf("ada", ["read"]);
      const { key } = api.database.client.query<{ key: string }, []>(`SELECT key FROM "apiKeys"`).get()!;
      return { method: "DELETE", path: `/api/v1/api-keys/${key}`, key };
    },
  },
  {
    action: "REFINEMENT_CREATED",
    ask: () => ({ method: "POST", path: "/api/v1/feature-refinery", body: { name: "secret" } }),
  },
  {
    action: "REFINEMENT_STARTED",
    ask: (api) => {
      const { key } = addRunAt(api, "ada", "UPLOADED");
      return { method: "POST", path: `/api/v1/feature-refinery/${key}/start`, key };
    },
  },
  {
    action: "REFINEMENT_CANCELLED",
    ask: (api) => {
      const { key } = addRunAt(api, "ada", "REFINING_LOOP_1");
      return { method: "PATCH", path: `/api/v1/feature-refinery/${key}/cancel`, key };
    },
  },
  {
    action: "REFINEMENT_DELETED",
    ask: (api) => {
      const { key } = addRunAt(api, "ada", "ERROR");
      return { method: "DELETE", path: `/api/v1/feature-refinery/${key}`, key };
    },
  },
  {
    action: "REFINEMENT_FILE_DOWNLOADED",
    detail: "TEST",
    ask: (api) => {
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
      return { method: "GET", path: `/api/v1/feature-refinery/${key}/files/TEST`, key };
    },
  },
  {
    action: "DATASET_CREATED",
    detail: "UPLOAD",
    ask: () => ({ method: "POST", path: "/api/v1/datasets", body: { name: "secret", numberOfBuckets: 10 } }),
  },
  {
    action: "DATASET_CREATED",
    detail: "UPLOAD",
    ask: () => ({
      method: "POST",
      path: "/api/v1/datasets",
      body: csvForm("file", { name: "secret", numberOfBuckets: "10" }),
    }),
  },
  {
    action: "DATASET_CREATED",
    detail: "REFINEMENT",
    ask: (api) => {
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
      return { method: "POST", path: `/api/v1/datasets/feature-refinery/${key}`, body: { name: "secret" } };
    },
  },
  {
    action: "DATASET_DELETED",
    ask: (api) => {
      const { key } = addDatasetAt(api, "ada", "COMPLETED");
      return { method: "DELETE", path: `/api/v1/datasets/${key}`, key };
    },
  },
  {
    action: "TRAINING_STARTED",
    ask: (api) => {
      const { key } = addDatasetIn(api, "ada");
      return { method: "POST", path: `/api/v1/training/datasets/${key}`, body: { scalingFactor: 2 } };
    },
  },
  {
    action: "TRAINING_CANCELLED",
    ask: (api) => {
      const { key } = addJobIn(api, "ada", "RUNNING");
      return { method: "PATCH", path: `/api/v1/training/${key}/cancel`, key };
    },
  },
  {
    action: "CHAMPION_MOVED",
    detail: "v2",
    ask: (api) => {
      const { key } = addJobIn(api, "ada", "COMPLETED");
      return { method: "POST", path: `/api/v1/training/${key}/champion`, body: { version: 2 }, key };
    },
  },
  {
    action: "THRESHOLD_CHANGED",
    detail: "v2 0.25",
    ask: (api) => {
      const { modelKey } = addScorer(api, "ada", { table: "credit_g" });
      const path = `/api/v1/models/${modelKey}/versions/2/threshold`;
      return { method: "PUT", path, body: { threshold: 0.25 }, key: modelKey };
    },
  },
  {
    action: "MODEL_FILE_DOWNLOADED",
    detail: "v3",
    ask: (api) => {
      const { modelKey } = addScorer(api, "ada");
      return { method: "GET", path: `/api/v1/models/${modelKey}/versions/3/file`, key: modelKey };
    },
  },
  {
    action: "MODEL_REPORT_DOWNLOADED",
    detail: "v1",
    ask: (api) => {
      const { modelKey } = addScorer(api, "ada");
      return { method: "GET", path: `/api/v1/models/${modelKey}/versions/1/report`, key: modelKey };
    },
  },
  {
    action: "MODEL_DELETED",
    ask: (api) => {
      const { modelKey } = addScorer(api, "ada");
      return { method: "DELETE", path: `/api/v1/models/${modelKey}`, key: modelKey };
    },
  },
  {
    action: "PREDICTION_CREATED",
    ask: (api) => {
      const { modelKey } = addScorer(api, "ada");
      return { method: "POST", path: `/api/v1/predictions/models/${modelKey}`, body: csvForm("file") };
    },
  },
  {
    action: "PREDICTION_FILE_DOWNLOADED",
    ask: (api) => {
      const key = addPredictionIn(api, addScorer(api, "ada").modelKey, "COMPLETED");
      return { method: "GET", path: `/api/v1/predictions/${key}/file`, key };
    },
  },
  {
    action: "PREDICTION_DELETED",
    ask: (api) => {
      const key = addPredictionIn(api, addScorer(api, "ada").modelKey, "COMPLETED");
      return { method: "DELETE", path: `/api/v1/predictions/${key}`, key };
    },
  },
];

describe("what was done is written down, once, by whom and to what", () => {
  test.each(CASES.map((known) => [`${known.action} ${known.detail ?? ""}`, known] as const))("%s", (_name, known) =>
    withApi(async (api) => {
      const { method, path, body, key } = known.ask(api);
      const event = (await writtenBy(api, method, path, { ...ada, body }))!;
      const { action, detail = null } = known;
      const { key: userKey, email } = api.ada;
      expect(event).toMatchObject({ action, detail, userKey, email, apiKeyId: null, address: null });
      expect(event.objectKey).toMatch(/^[0-9a-f-]{36}$/);
      if (key !== undefined) expect(event.objectKey).toBe(key);
      expect(JSON.stringify(event)).not.toContain("secret");
    }),
  );

  test("by an API key, which is named, from an address", () =>
    withApi(async (api) => {
      const apiKey = api.apiKeyOf("ada", ["write"]);
      const { key: apiKeyId } = api.database.client.query<{ key: string }, []>(`SELECT key FROM "apiKeys"`).get()!;
      const { key } = addDatasetAt(api, "ada", "COMPLETED");
      const headers = { authorization: `Bearer ${apiKey}` };
      const { status } = await fetch(`${api.listen().origin}/api/v1/datasets/${key}`, { method: "DELETE", headers });
      expect(status).toBe(204);
      expect(trailOf(api).at(-1)).toMatchObject({
        userKey: api.ada.key,
        apiKeyId,
        address: "127.0.0.1",
        objectKey: key,
      });
      expect(JSON.stringify(trailOf(api))).not.toContain(apiKey);
    }));

  test("not where nothing was done", () =>
    withApi(async (api) => {
      const running = addJobIn(api, "ada", "RUNNING");
      const waiting = addPredictionIn(api, addScorer(api, "ada").modelKey, "PENDING");
      const run = addRunAt(api, "ada", "SETUP_READING").key;
      for (const [method, path, body] of [
        ["DELETE", `/api/v1/datasets/${running.datasetKey}`],
        ["DELETE", `/api/v1/feature-refinery/${run}`],
        ["POST", `/api/v1/feature-refinery/${run}/start`],
        ["PATCH", `/api/v1/training/${randomUUID()}/cancel`],
        ["POST", `/api/v1/training/${running.key}/champion`, { version: 1 }],
        ["GET", `/api/v1/predictions/${waiting}/file`],
        ["DELETE", `/api/v1/api-keys/${randomUUID()}`],
        ["POST", "/api/v1/datasets", { name: "no", numberOfBuckets: 10 }],
      ] as const) {
        expect(await writtenBy(api, method, path, { ...ada, body })).toBeNull();
      }
    }));
});

describe("a download", () => {
  const FILE = statePaths.modelVersion;

  test("is written down for each part that is fetched, and not where the client has it already", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada");
      const path = `/api/v1/models/${modelKey}/versions/1/file`;
      const part = await writtenBy(api, "GET", path, { ...ada, headers: { range: "bytes=0-9" } });
      expect(part).toMatchObject({ action: "MODEL_FILE_DOWNLOADED", objectKey: modelKey });
      const known = { ...ada, headers: { "if-none-match": "*" } };
      expect(await writtenBy(api, "GET", path, known)).toBeNull();
      expect(await writtenBy(api, "GET", path, { ...ada, headers: { range: "bytes=99999999-" } })).toBeNull();
    }));

  test("does not happen where it cannot be written down", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada");
      mkdirSync(dirname(api.state.locate(FILE(modelKey, 1))), { recursive: true });
      writeFileSync(api.state.locate(FILE(modelKey, 1)), "the model");
      api.database.client.run(
        `CREATE TRIGGER noAudit BEFORE INSERT ON "auditEvents" BEGIN SELECT RAISE(ABORT, 'full'); END`,
      );
      const response = await api.request("GET", `/api/v1/models/${modelKey}/versions/1/file`, ada);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("the model");
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
      expect((await api.request("DELETE", `/api/v1/feature-refinery/${key}`, ada)).status).toBe(500);
      expect(findRefinementFile(api.database, api.ada.key, key, "TRAIN", "RESULT")).not.toBeNull();
      const list = await api.request("GET", "/api/v1/feature-refinery", ada);
      expect(await list.json()).toMatchObject({ refinements: [{ featureRefinementKey: key }] });
    }));
});

describe("logins", () => {
  const login = (username: string, password: string) => ({ body: { username, password } });

  test("are written down, refused ones of an account that exists by its name and of others without one", () =>
    withApi(async (api) => {
      const { key: userKey, email } = api.ada;
      const path = "/api/login";
      const known = await writtenBy(api, "POST", path, login(" ADA@example.org ", PASSWORD));
      expect(known).toMatchObject({ action: "LOGIN", userKey, email, objectKey: null });
      const wrong = await writtenBy(api, "POST", path, login("ada@example.org", "not her password"));
      expect(wrong).toMatchObject({ action: "LOGIN_REFUSED", userKey, email });
      const unknown = await writtenBy(api, "POST", path, login("my password is", "secret words"));
      expect(unknown).toMatchObject({ action: "LOGIN_REFUSED", userKey: null, email: null });
      const text = JSON.stringify(trailOf(api));
      for (const secret of [PASSWORD, "not her password", "my password is", "secret words"]) {
        expect(text).not.toContain(secret);
      }
    }));
});

describe("who may read it", () => {
  test("administrators, by a login alone", () =>
    withApi(async (api) => {
      const statusOf = async (sent: Sent) => (await api.request("GET", "/api/v1/audit", sent)).status;
      expect(await statusOf({ as: "grace" })).toBe(200);
      expect(await statusOf({ as: "ada" })).toBe(403);
      expect(await statusOf({})).toBe(401);
      const key = api.apiKeyOf("grace", ["read", "write", "predict", "metrics"]);
      expect(await statusOf({ headers: { authorization: `Bearer ${key}` } })).toBe(403);
    }));

  describeScenarios("a page", startApi, [
    {
      name: "has what was asked for, newest first",
      method: "GET",
      path: ({ ada: { key } }) => `/api/v1/audit?userKey=${key}&action=LOGIN&to=2031-05-06T12:00:03Z&limit=1`,
      as: "grace",
      before: ({ database, ada: { key, email }, bob }) => {
        const actor = { ...COMMAND_LINE, userKey: key, email };
        const event = { action: "LOGIN", objectKey: null, detail: null } as const;
        const at = (second: number) => new Date(Date.UTC(2031, 4, 6, 12, 0, second));
        recordAudit(database, actor, event, at(1));
        recordAudit(database, actor, event, at(2));
        recordAudit(database, actor, event, at(3));
        recordAudit(database, { ...actor, userKey: bob.key }, event, at(2));
        recordAudit(database, actor, { ...event, action: "DATASET_DELETED" }, at(2));
      },
      expect: {
        status: 200,
        body: {
          events: [{ time: "2031-05-06T12:00:02.000Z", action: "LOGIN", email: "ada@example.org", requestId: null }],
          total: 2,
          nextOffset: 1,
        },
      },
    },
    {
      name: "of another action is refused",
      method: "GET",
      path: "/api/v1/audit?action=SLEPT",
      as: "grace",
      expect: { status: 400, code: "VALIDATION_FAILED", fields: ["action"] },
    },
    {
      name: "from no point in time is refused",
      method: "GET",
      path: "/api/v1/audit?from=2031-13-45T99:99:99Z",
      as: "grace",
      expect: { status: 400, code: "VALIDATION_FAILED", fields: ["from"] },
    },
  ]);
});
