// What goes on over HTTP while the disk takes nothing: logins, downloads and
// what makes room; and the rows that come later.
import { describe, expect, test } from "bun:test";
import { auditAfter, COMMAND_LINE, recordAudit } from "../../../data/audit.ts";
import { datasetRoutes } from "../../../src/api/datasets/datasets.ts";
import { predictionRoutes } from "../../../src/api/predictions/predictions.ts";
import { refinementRoutes } from "../../../src/api/refinements/feature-refinery.ts";
import { trainingProgressRoutes } from "../../../src/api/training/training-progress.ts";
import { backlogOf } from "../../../src/storage/audit-backlog.ts";
import { closingAfter, PASSWORD, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addRunAt } from "./intake.ts";
import { addDatasetIn, addJobIn, addPredictionIn, addScorer } from "./service.ts";

type Asked = [what: string, method: string, path: string, body?: object];

interface Filled {
  downloads: Asked[];
  /** What makes room, ends work or takes rights away. */
  ends: Asked[];
  creations: Asked[];
}

const LOGIN: Asked = ["login", "POST", "/api/login", { username: "ada@example.org", password: PASSWORD }];

function fill(api: TestApi): Filled {
  const { modelKey } = addScorer(api, "ada");
  api.apiKeyOf("ada", ["read"]);
  const { key: keyOfKey } = api.database.client.query<{ key: string }, []>("SELECT key FROM apiKeys").get()!;
  const predictionKey = addPredictionIn(api, modelKey, "COMPLETED");
  const waiting = addJobIn(api, "ada", "PENDING");
  const { key: dataset } = addDatasetIn(api, "ada");
  const run = addRunAt(api, "ada", "REFINING_LOOP_1");
  return {
    downloads: [
      ["model file", "GET", `/api/v1/models/${modelKey}/versions/1/file`],
      ["report", "GET", `/api/v1/models/${modelKey}/versions/1/report`],
      ["result", "GET", `/api/v1/predictions/${predictionKey}/file`],
    ],
    ends: [
      ["cancel a training", "PATCH", `/api/v1/training/${waiting.key}/cancel`],
      ["cancel a refinement", "PATCH", `/api/v1/feature-refinery/${run.key}/cancel`],
      ["delete a prediction", "DELETE", `/api/v1/predictions/${predictionKey}`],
      ["delete a model", "DELETE", `/api/v1/models/${modelKey}`],
      ["delete a dataset", "DELETE", `/api/v1/datasets/${dataset}`],
      ["revoke a key", "DELETE", `/api/v1/api-keys/${keyOfKey}`],
    ],
    creations: [["make an API key", "POST", "/api/v1/api-keys", { name: "n".repeat(100), scopes: ["read"] }]],
  };
}

async function statusesOf(api: TestApi, asked: readonly Asked[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [what, method, path, body] of asked) {
    const response = await api.request(method, path, { as: "ada", ...(body !== undefined && { body }) });
    await response.arrayBuffer();
    statuses[what] = response.status;
  }
  return statuses;
}

const actionsOf = (api: TestApi) =>
  auditAfter(api.database, 0, {}, 100_000)
    .map(({ action }) => action)
    .filter((action) => action !== "SECRET_ROTATED");

describe("a disk that takes no row", () => {
  test("stops no login, no download and nothing that makes room; the rows come once there is some", () =>
    withApi(async (api) => {
      const { downloads, ends, creations } = fill(api);
      const { client } = api.database;
      const pages = client.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
      client.run(`PRAGMA max_page_count = ${pages}`);
      // The trail's own pages are filled first: what changes a row of another table still finds room.
      expect(() => {
        for (;;)
          recordAudit(
            api.database,
            COMMAND_LINE,
            { action: "SECRET_ROTATED", objectKey: null, detail: null },
            api.services.now(),
          );
      }).toThrow("full");
      const expected = (asked: readonly Asked[], status: number) =>
        Object.fromEntries(asked.map(([what]) => [what, status]));
      expect(await statusesOf(api, [LOGIN, ...downloads])).toEqual(expected([LOGIN, ...downloads], 200));
      const done = await statusesOf(api, ends);
      expect(Object.entries(done).filter(([, status]) => status >= 300)).toEqual([]);
      expect(await statusesOf(api, creations)).toEqual(expected(creations, 507));
      expect(actionsOf(api)).toEqual([]);
      api.pass(3_600);
      client.run("PRAGMA max_page_count = 1000000");
      const held = backlogOf(api.database).held.length;
      expect([backlogOf(api.database).flush(), backlogOf(api.database).flush()]).toEqual([held, 0]);
      expect(actionsOf(api)).toEqual([
        "LOGIN",
        "MODEL_FILE_DOWNLOADED",
        "MODEL_REPORT_DOWNLOADED",
        "PREDICTION_FILE_DOWNLOADED",
        "TRAINING_CANCELLED",
        "REFINEMENT_CANCELLED",
        "PREDICTION_DELETED",
        "MODEL_DELETED",
        "DATASET_DELETED",
        "API_KEY_REVOKED",
      ]);
      // Each with the time at which it happened, and whoever did it.
      const [login] = auditAfter(api.database, 0, { action: "LOGIN" }, 1);
      expect(Date.parse(login!.time)).toBeLessThan(api.services.now().getTime() - 3_000_000);
      expect(login).toMatchObject({ email: "ada@example.org", userKey: api.ada.key });
    }));

  test("that is read only answers changes with 503, and the rest as ever", () =>
    withApi(async (api) => {
      const { downloads, ends, creations } = fill(api);
      const lists: Asked[] = [["datasets", "GET", "/api/v1/datasets"]];
      api.database.client.run("PRAGMA query_only = ON");
      const going = [LOGIN, ...downloads, ...lists];
      expect(await statusesOf(api, going)).toEqual(Object.fromEntries(going.map(([what]) => [what, 200])));
      const changes = [...ends, ...creations];
      expect(await statusesOf(api, changes)).toEqual(Object.fromEntries(changes.map(([what]) => [what, 503])));
      expect(backlogOf(api.database).held).toHaveLength(1 + downloads.length);
      expect(backlogOf(api.database).flush()).toBe(0);
      api.database.client.run("PRAGMA query_only = OFF");
      expect(backlogOf(api.database).flush()).toBe(1 + downloads.length);
    }));

  test("holds no more rows than it may, and counts the others", () =>
    withApi(async (api) => {
      const backlog = backlogOf(api.database);
      const event = { action: "LOGIN", objectKey: null, detail: null } as const;
      for (let row = 0; row < 10_003; row++) backlog.hold({ actor: COMMAND_LINE, event, time: api.services.now() });
      expect([backlog.held.length, backlog.lostCount, backlog.flush()]).toEqual([10_000, 3, 10_000]);
    }));
});

test("a job that waits for the disk says so wherever it is polled", async () => {
  let waitingReason: string | null = "STORAGE_FULL: The job waits for room.";
  const started = startApi({
    routes: (base) => {
      const services = { ...base, waitingReason: () => waitingReason };
      return [
        ...refinementRoutes(services),
        ...trainingProgressRoutes(services),
        ...datasetRoutes(services),
        ...predictionRoutes(services),
      ];
    },
  });
  await closingAfter(started, async (api) => {
    const { modelKey } = addScorer(api, "ada");
    const paths = [
      `/api/v1/feature-refinery/${addRunAt(api, "ada", "REFINING_LOOP_1").key}/progress`,
      `/api/v1/training/${addJobIn(api, "ada", "RUNNING").key}/progress`,
      `/api/v1/datasets/${addDatasetIn(api, "ada", "PROCESSING").key}`,
      `/api/v1/predictions/${addPredictionIn(api, modelKey, "RUNNING")}/progress`,
    ];
    const shown = () =>
      Promise.all(paths.map(async (path) => (await api.request("GET", path, { as: "ada" })).json() as Promise<object>));
    for (const body of await shown()) expect(body).toMatchObject({ waitingReason: waitingReason! });
    waitingReason = null;
    for (const body of await shown()) expect(body).not.toHaveProperty("waitingReason");
  });
});
