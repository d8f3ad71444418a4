// Quotas and retention over HTTP: what is refused before it is sent, what is
// told of the room, and files that are kept no longer.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { deleteDataset } from "../../../data/datasets.ts";
import { deleteRefinement } from "../../../data/refinements/refinements.ts";
import { insertResumable } from "../../../data/resumable-uploads.ts";
import { releaseDeletedRefinements, releaseFinishedPredictions } from "../../../data/retention.ts";
import { totalOf, usageOf } from "../../../data/usage.ts";
import { signedUploadPath } from "../../../src/api/uploads/upload-slots.ts";
import { UPLOAD_HEADERS } from "../../../src/api/uploads/uploads.ts";
import {
  closingAfter,
  describeScenarios,
  expectAnswer,
  type Scenario,
  startApi,
  type TestApi,
} from "../../support/api.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";
import { addDatasetIn, addPredictionIn, addScorer, PENGUINS_CSV, RESULT_CSV } from "./service.ts";

const QUOTA = 10_000;
const UPLOAD = "11111111-2222-4333-8444-555555555555";
const DAYS = { keepDeletedDays: 30, keepResultsDays: 0, keepAuditDays: 400 };
const limited = () => startApi({ storage: { ...DAYS, quotaBytesPerUser: QUOTA, quotaBytes: 3 * QUOTA } });

/** Leaves so many bytes of a user's quota. */
function leave(api: TestApi, bytes: number): void {
  const dataset = addDatasetAt(api, "ada", "PROCESSING", "what fills");
  const rest = QUOTA - bytes - totalOf(usageOf(api.database, api.ada.key));
  api.database.client.run("UPDATE datasets SET sizeBytes = sizeBytes + ? WHERE key = ?", [rest, dataset.key]);
}

const CSV = "tenure,left\n12,no\n3,yes\n";
const uploadHeaders = (length: number) => ({
  "content-type": "text/csv",
  "content-length": String(length),
  ...UPLOAD_HEADERS,
});
const filesOf = ({ state }: TestApi) => ["uploads", "results"].flatMap((name) => readdirSync(state.locate(name)));

/** A form whose length the request says, as clients do. */
function formOf(part: string, text: string, fields: Record<string, string> = {}) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--b\r\nContent-Disposition: form-data; name="${part}"; filename="x.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  const body = `${parts.join("")}${file}${text}\r\n--b--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": String(body.length) };
  return { body, headers };
}

const tooMuch = { status: 507, code: "QUOTA_EXCEEDED", headers: { connection: /.*/ } } as const;

describeScenarios("a quota", limited, [
  {
    name: "refuses an upload by its length, with both numbers and what to do",
    method: "PUT",
    path: (api) => signedUploadPath(api.services.signedUrls, addDatasetAt(api, "ada", "PENDING").key, "DATASET"),
    headers: uploadHeaders(100),
    body: "x".repeat(100),
    before: (api) => leave(api, 99),
    expect: {
      status: 507,
      code: "QUOTA_EXCEEDED",
      body: {
        detail:
          "This needs 100 bytes, and your files take 9,901 of 10,000 bytes. Delete models or predictions that nobody needs: " +
          "their room is free at once. The room of deleted refinements and datasets is free 30 days later.",
      },
      effect: (api) => expect([filesOf(api), api.faults]).toEqual([[], []]),
    },
  },
  {
    name: "takes an upload that just fits",
    method: "PUT",
    path: (api) => signedUploadPath(api.services.signedUrls, addDatasetAt(api, "ada", "PENDING").key, "DATASET"),
    headers: uploadHeaders(CSV.length),
    body: CSV,
    before: (api) => leave(api, CSV.length),
    expect: {
      status: 200,
      effect: (api) => expect(totalOf(usageOf(api.database, api.ada.key))).toBe(QUOTA),
    },
  },
  {
    name: "asks no room for what an upload replaces",
    method: "PUT",
    path: (api) => signedUploadPath(api.services.signedUrls, addRunAt(api, "ada", "UPLOADED").key, "TRAIN"),
    headers: uploadHeaders(CSV.length),
    body: CSV,
    before: (api) => leave(api, 70),
    expect: { status: 200 },
  },
  {
    name: "refuses a dataset with its file",
    method: "POST",
    path: "/api/v1/datasets",
    as: "ada",
    ...formOf("file", CSV, { name: "churn", numberOfBuckets: "10" }),
    before: (api) => leave(api, CSV.length),
    expect: { ...tooMuch, effect: (api) => expect(filesOf(api)).toEqual([]) },
  },
  {
    name: "takes the same with more room",
    method: "POST",
    path: "/api/v1/datasets",
    as: "ada",
    ...formOf("file", CSV, { name: "churn", numberOfBuckets: "10" }),
    before: (api) => leave(api, 2_000),
    expect: {
      status: 201,
      effect: (api) => expect(totalOf(usageOf(api.database, api.ada.key))).toBe(QUOTA - 2_000 + CSV.length),
    },
  },
  {
    name: "takes a body of unknown length for the largest",
    method: "POST",
    path: "/api/v1/datasets",
    as: "ada",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: formOf("file", CSV, { name: "churn", numberOfBuckets: "10" }).body,
    expect: { ...tooMuch, body: { detail: expect.stringContaining("needs 33,554,432 bytes") } },
  },
  {
    name: "refuses a prediction by its length",
    method: "POST",
    path: (api) => {
      const { modelKey } = addScorer(api, "ada");
      leave(api, 50);
      return `/api/v1/predictions/models/${modelKey}`;
    },
    as: "ada",
    ...formOf("file", PENGUINS_CSV),
    expect: { ...tooMuch, effect: (api) => expect(filesOf(api)).toEqual([]) },
  },
  {
    name: "refuses a training that would have no room for its models",
    method: "POST",
    path: (api) => {
      const { key } = addDatasetIn(api, "ada");
      leave(api, 0);
      return `/api/v1/training/datasets/${key}`;
    },
    as: "ada",
    body: {},
    expect: tooMuch,
  },
  {
    name: "refuses to start a refinement that would have no room for its results",
    method: "POST",
    path: (api) => {
      const { key } = addRunAt(api, "ada", "UPLOADED");
      leave(api, 0);
      return `/api/v1/feature-refinery/${key}/start`;
    },
    as: "ada",
    expect: tooMuch,
  },
  {
    name: "of all users is that of the others too",
    method: "POST",
    path: "/api/v1/datasets",
    as: "bob",
    ...formOf("file", CSV, { name: "churn", numberOfBuckets: "10" }),
    before: (api) => {
      leave(api, 0);
      const { key } = addDatasetAt(api, "grace", "PROCESSING", "hers");
      api.database.client.run("UPDATE datasets SET sizeBytes = ? WHERE key = ?", [2 * QUOTA - 10, key]);
    },
    expect: {
      ...tooMuch,
      body: { detail: expect.stringContaining("the files of all users of this server take 29,990") },
    },
  },
  {
    name: "and what is kept are told with the limits",
    method: "GET",
    path: "/api/v1/limits",
    as: "ada",
    expect: {
      status: 200,
      body: {
        storage: {
          keepDeletedDays: 30,
          keepResultsDays: 0,
          keepAuditDays: 400,
          quotaBytesPerUser: 10_000,
          quotaBytes: 30_000,
        },
      },
    },
  },
] satisfies Scenario[]);

describeScenarios("the room", limited, [
  {
    name: "is told by what takes it",
    method: "GET",
    path: "/api/v1/usage",
    as: "ada",
    before: (api) => {
      addRunAt(api, "ada", "UPLOADED");
      addPredictionIn(api, addScorer(api, "ada").modelKey, "COMPLETED");
      addDatasetAt(api, "bob", "PROCESSING");
      const { database, ada, services } = api;
      const upload = { key: UPLOAD, resourceKey: UPLOAD, kind: "DATASET", userKey: ada.key, sizeBytes: 50 } as const;
      insertResumable(database, { ...upload, expiresOn: services.now() }, services.now());
    },
    expect: {
      status: 200,
      effect: ({ database, ada }, _, body) => {
        const used = usageOf(database, ada.key);
        expect(used.predictions).toBe(PENGUINS_CSV.length + RESULT_CSV.length);
        for (const bytes of Object.values(used)) expect(bytes).toBeGreaterThan(0);
        const total = totalOf(used);
        expect(body).toEqual({ usedBytes: { ...used, total }, quotaBytes: QUOTA, freeBytes: QUOTA - total });
      },
    },
  },
  {
    name: "is for callers alone",
    method: "GET",
    path: "/api/v1/usage",
    expect: { status: 401, code: "INVALID_TOKEN" },
  },
]);

describeScenarios("the room without quotas", startApi, [
  {
    name: "has no end",
    method: "GET",
    path: "/api/v1/usage",
    as: "ada",
    expect: { status: 200, body: { usedBytes: { total: 0 }, quotaBytes: null, freeBytes: null } },
  },
  {
    name: "is told as such with the limits",
    method: "GET",
    path: "/api/v1/limits",
    as: "ada",
    expect: { status: 200, body: { storage: UNLIMITED } },
  },
]);

/** A completed prediction whose files went. */
function addForgotten(api: TestApi): string {
  const key = addPredictionIn(api, addScorer(api, "ada").modelKey, "COMPLETED");
  releaseFinishedPredictions(api.database, api.services.now());
  return key;
}

/** A deleted run whose files went. */
function addForgottenRun(api: TestApi): string {
  const { key, userKey } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
  const now = api.services.now();
  deleteRefinement(api.database, userKey, key, now);
  releaseDeletedRefinements(api.database, now);
  return key;
}

describeScenarios("a file that is kept no longer", startApi, [
  {
    name: "is gone, by the result of a prediction",
    method: "GET",
    path: (api) => `/api/v1/predictions/${addForgotten(api)}/file`,
    as: "ada",
    expect: { status: 410, code: "FILE_REMOVED" },
  },
  {
    name: "is named no more by its prediction, which stays",
    method: "GET",
    path: (api) => `/api/v1/predictions/${addForgotten(api)}`,
    as: "ada",
    expect: { status: 200, body: { status: "COMPLETED", predictionResultUrl: null, rowCount: 2 } },
  },
  {
    name: "is gone, by the key of a deleted run",
    method: "GET",
    path: (api) => `/api/v1/feature-refinery/${addForgottenRun(api)}/files/TRAIN`,
    as: "ada",
    expect: { status: 410, code: "FILE_REMOVED" },
  },
  {
    name: "is not there for somebody else",
    method: "GET",
    path: (api) => `/api/v1/feature-refinery/${addForgottenRun(api)}/files/TRAIN`,
    as: "bob",
    expect: { status: 404, code: "NOT_FOUND" },
  },
]);

describe("on the wire", () => {
  test("what does not fit is refused before any of it is sent", () =>
    closingAfter(limited(), async (api) => {
      leave(api, 99);
      const dataset = addDatasetAt(api, "ada", "PENDING");
      const { port } = api.listen();
      const socket = connect(port, "127.0.0.1");
      const head = Object.entries({ host: `127.0.0.1:${port}`, ...uploadHeaders(1_000_000) });
      const answer = new Promise<string>((resolve) => {
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk;
        });
        socket.on("close", () => resolve(text));
      });
      socket.write(`PUT ${signedUploadPath(api.services.signedUrls, dataset.key, "DATASET")} HTTP/1.1\r\n`);
      socket.write(`${head.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`);
      expect(await answer).toMatch(/^HTTP\/1\.1 507 [\s\S]*connection: close[\s\S]*QUOTA_EXCEEDED/i);
    }));

  test("two uploads at once cannot have the same room", () =>
    closingAfter(limited(), async (api) => {
      leave(api, 150);
      const keys = ["one", "two"].map((name) => addDatasetAt(api, "ada", "PENDING", name).key);
      const [first, second] = keys.map((key) => signedUploadPath(api.services.signedUrls, key, "DATASET"));
      let send: (text: string) => void = () => undefined;
      const slow = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (text) => {
            controller.enqueue(Buffer.from(text));
            controller.close();
          };
        },
      });
      const request = new Request(`http://localhost${first}`, {
        method: "PUT",
        headers: uploadHeaders(100),
        body: slow,
      });
      const underWay = api.app.fetch(request);
      const sent = { headers: uploadHeaders(100), body: "x".repeat(100) };
      await expectAnswer(api, await api.request("PUT", second!, sent), tooMuch);
      send("x".repeat(100));
      expect((await underWay).status).toBe(200);
      await expectAnswer(api, await api.request("PUT", second!, sent), tooMuch);
      deleteDataset(api.database, api.ada.key, keys[0]!, api.services.now());
      // Its file is kept for thirty days, and counts until then.
      await expectAnswer(api, await api.request("PUT", second!, sent), tooMuch);
    }));
});
