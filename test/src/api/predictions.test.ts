// Predictions over HTTP: files sent in both ways, what is refused and leaves nothing, polling, results, deleting.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { deleteModel } from "../../../data/models.ts";
import { listPredictions } from "../../../data/predictions.ts";
import {
  describeScenarios,
  type Expected,
  expectAnswer,
  type Scenario,
  startApi,
  type TestApi,
  withApi,
} from "../../support/api.ts";
import { formOf } from "../../support/form.ts";
import { addPredictionIn, addScorer, PENGUIN_COLUMNS, PENGUINS_CSV, RESULT_CSV } from "./service.ts";

const UNKNOWN = "11111111-2222-4333-8444-555555555555";
const ALL = { offset: 0, limit: 100 };
const NOT_FOUND = { status: 404, code: "NOT_FOUND" } as const;

const predictionsOf = (api: TestApi) => listPredictions(api.database, api.ada.key, ALL).items;

const csv = (text = PENGUINS_CSV, name = "penguins.csv") => new File([text], name, { type: "text/csv" });

/** Nothing of a refused file is kept, neither in the database nor on the disk. */
function nothingKept(api: TestApi): void {
  expect(predictionsOf(api)).toEqual([]);
  expect(readdirSync(api.state.locate("files"))).toEqual([]);
  expect(readdirSync(api.state.locate("uploads"))).toEqual([]);
  expect(api.told).toEqual([]);
}
const created = (stored: object, text = PENGUINS_CSV): Expected => ({
  status: 201,
  effect: (api, _, body) => {
    const [prediction] = predictionsOf(api);
    const { key, inputPath } = prediction!;
    expect(body).toEqual({
      predictionKey: key,
      status: "PENDING",
      predictionCreationProgressUrl: `http://localhost/api/v1/predictions/${key}/progress`,
    });
    expect(prediction).toMatchObject({ status: "PENDING", version: 1, filterColumns: false, ...stored });
    expect(readFileSync(api.state.locate(inputPath!), "utf8")).toBe(text);
    expect(readdirSync(api.state.locate("uploads"))).toEqual([]);
    expect(api.told).toEqual(["wake"]);
  },
});
const refused = (status: number, code: Expected["code"], more: Partial<Expected> = {}): Expected => ({
  status,
  ...(code !== undefined && { code }),
  effect: nothingKept,
  ...more,
});
const malformed = (detail: RegExp) =>
  refused(400, "MALFORMED_MULTIPART", { body: { detail: expect.stringMatching(detail) } });

/** A file sent to a new model of ada's in its path. */
function toModel(name: string, body: unknown, expected: Expected, more: Partial<Scenario> = {}): Scenario {
  const path = (api: TestApi) => `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}`;
  return { name, method: "POST", path, as: "ada", body, expect: expected, ...more };
}
/** The same with the model in the query; `of` is the rest of the query. */
function byQuery(name: string, body: unknown, expected: Expected, { of = "", isRefined = false } = {}): Scenario {
  const path = (api: TestApi) => `/api/v1/predictions?modelKey=${addScorer(api, "ada", { isRefined }).modelKey}${of}`;
  return { name, method: "POST", path, as: "ada", body, expect: expected };
}

/** The form of a file of this very name, which FormData would change. */
const namedForm = (name: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${PENGUINS_CSV}\r\n--b--\r\n`;
const NAMED_FORM = { headers: { "content-type": "multipart/form-data; boundary=b" } };

const SHORT_CSV = "island,sex\nTorgersen,male\n";
const REORDERED = [...PENGUIN_COLUMNS].reverse().join(",");

describeScenarios("a file for a model", startApi, [
  toModel("is stored and waits", formOf({ file: csv() }), created({ version: 1 })),
  toModel("with a column of keys", formOf({ keyColumn: "island", file: csv() }), created({ keyColumn: "island" })),
  toModel("without the column of its keys", formOf({ keyColumn: "islnd", file: csv() }), {
    status: 400,
    code: "FILE_UNUSABLE",
    effect: (_, __, body) =>
      expect(body).toMatchObject({
        detail: expect.stringMatching(/no column "islnd" to find its rows by/),
        errors: [{ code: "COLUMN_NOT_FOUND", column: "islnd" }],
      }),
  }),
  toModel("in the form of any system", formOf({ file: csv(PENGUINS_CSV.replaceAll("\n", "\r\n")) }), {
    ...created({}, PENGUINS_CSV.replaceAll("\n", "\r\n")),
  }),
  toModel("with columns in another order", formOf({ file: csv(`${REORDERED}\nmale,1,2,3,4,Biscoe\n`) }), {
    status: 201,
  }),
  toModel(
    "whose name is a path",
    formOf({ file: csv(PENGUINS_CSV, "../../../etc/passwd") }),
    created({ fileName: "passwd" }),
  ),
  ...(
    [
      ["C:\\data\\new.csv", "new.csv"],
      ["Kündigungen 2027 – 顧客.csv", "Kündigungen 2027 – 顧客.csv"],
      ["", null],
    ] as const
  ).map(([sent, fileName]) =>
    toModel(`whose name is ${JSON.stringify(sent)}`, namedForm(sent), created({ fileName }), NAMED_FORM),
  ),
  toModel(
    "whose name has a control character",
    namedForm("a\u0007b.csv"),
    refused(400, "VALIDATION_FAILED", { fields: ["file"] }),
    NAMED_FORM,
  ),
  toModel("part named otherwise", formOf({ _file: csv() }), malformed(/must be named "file"/)),
  toModel("two files", twoFiles(), malformed(/more than one file/)),
  toModel("no file", formOf({ note: "x" }), malformed(/no file part named "file"/)),
  toModel("a text in place of the file", formOf({ file: PENGUINS_CSV }), malformed(/must be a file/)),
  toModel("a field beside it", formOf({ file: csv(), filterColumns: "true" }), {
    ...refused(400, "VALIDATION_FAILED", { fields: ["filterColumns"] }),
  }),
  toModel(
    "without a header, where the model's columns have names",
    formOf({ hasHeader: "false", file: csv(PENGUINS_CSV.slice(PENGUINS_CSV.indexOf("\n") + 1)) }),
    refused(400, "COLUMN_MISMATCH"),
  ),
  toModel("that has a header, said so", formOf({ hasHeader: "true", file: csv() }), created({ hasHeader: true })),
  ...[11, -1, "few"].map((reasons) => ({
    ...toModel("", formOf({ file: csv() }), refused(400, "VALIDATION_FAILED", { fields: ["reasons"] })),
    name: `with ${reasons} reasons`,
    path: (api: TestApi) => `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}?reasons=${reasons}`,
  })),
  {
    ...toModel("with reasons", formOf({ file: csv() }), created({ reasonCount: 10 })),
    path: (api) => `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}?reasons=10`,
  },
  byQuery("with reasons, the model in the query", formOf({ _file: csv() }), created({ reasonCount: 3 }), {
    of: "&reasons=3",
  }),
  toModel("a header that is neither", formOf({ hasHeader: "maybe", file: csv() }), {
    ...refused(400, "VALIDATION_FAILED", { fields: ["hasHeader"] }),
  }),
  toModel("an empty file", formOf({ file: csv("") }), refused(400, "FILE_TOO_SMALL")),
  toModel("no form at all", PENGUINS_CSV, refused(415, "UNSUPPORTED_MEDIA_TYPE"), {
    headers: { "content-type": "text/csv" },
  }),
  toModel("JSON", { file: "x" }, refused(415, "UNSUPPORTED_MEDIA_TYPE")),
  toModel("a form without a boundary", "x", malformed(/boundary/), {
    headers: { "content-type": "multipart/form-data" },
  }),
  toModel(
    "a form that breaks off",
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
    {
      ...refused(400, "MALFORMED_MULTIPART"),
    },
    { headers: { "content-type": "multipart/form-data; boundary=b" } },
  ),
  toModel(
    "missing columns are named, and how many there should be",
    formOf({ file: csv(SHORT_CSV.replace("island", "isle")) }),
    {
      ...refused(400, "COLUMN_MISMATCH"),
      effect: (api, _, body) => {
        nothingKept(api);
        const { errors } = body as { errors: { code: string; column?: string; message: string; field: string }[] };
        const named = (code: string) => errors.filter((error) => error.code === code).map(({ column }) => column);
        expect(named("MISSING")).toEqual(PENGUIN_COLUMNS.filter((name) => name !== "sex"));
        expect(named("UNEXPECTED")).toEqual(["isle"]);
        expect(errors.at(-1)).toEqual({ field: "file", code: "EXPECTED_COUNT", message: "6 columns are expected." });
      },
    },
  ),
  toModel(
    "a column of which nearly no value can be read is named",
    formOf({ file: csv(`${PENGUIN_COLUMNS.join(",")}\n${"Biscoe,long,18.1,190,3700,male\n".repeat(10)}`) }),
    {
      ...refused(400, "UNREADABLE_COLUMN"),
      body: { errors: [{ field: "file", code: "UNREADABLE_COLUMN", column: "bill_length_mm", line: 2 }] },
    },
  ),
  toModel("a file that is no CSV", formOf({ file: csv("PK\u0003\u0004\u0000\u0000") }), {
    ...refused(400, undefined),
    body: { code: expect.stringMatching(/^(FILE_UNUSABLE|COLUMN_MISMATCH)$/) },
  }),
  toModel("somebody else's model", formOf({ file: csv() }), { ...NOT_FOUND, effect: nothingKept }, { as: "bob" }),
  toModel("a deleted model", formOf({ file: csv() }), NOT_FOUND, {
    path: (api) => {
      const { modelKey } = addScorer(api, "ada");
      deleteModel(api.database, api.ada.key, modelKey, api.services.now());
      return `/api/v1/predictions/models/${modelKey}`;
    },
  }),
  toModel("a key that is none", formOf({ file: csv() }), refused(400, "VALIDATION_FAILED", { fields: ["modelKey"] }), {
    path: (api) => {
      addScorer(api, "ada");
      return "/api/v1/predictions/models/1";
    },
  }),
]);

function twoFiles(): FormData {
  const data = formOf({ file: csv() });
  data.append("file", csv());
  return data;
}

const FULL = `noise,${PENGUIN_COLUMNS.join(",")}\n0,Torgersen,39.1,18.7,181,3750,male\n`;

describeScenarios("a file with the model in the query", startApi, [
  byQuery("is stored and waits", formOf({ _file: csv() }), created({ filterColumns: false })),
  byQuery("filterColumns=false", formOf({ _file: csv() }), created({ filterColumns: false }), {
    of: "&filterColumns=false",
  }),
  byQuery("the part must be _file", formOf({ file: csv() }), malformed(/must be named "_file"/)),
  byQuery("both names", formOf({ _file: csv(), file: csv() }), malformed(/must be named "_file"/)),
  byQuery(
    "the whole file of a refinement, filtered",
    formOf({ _file: csv(FULL) }),
    created({ filterColumns: true }, FULL),
    {
      of: "&filterColumns=true",
      isRefined: true,
    },
  ),
  byQuery("a file that is stripped already, filtered", formOf({ _file: csv() }), created({ filterColumns: true }), {
    of: "&filterColumns=true",
    isRefined: true,
  }),
  byQuery(
    "neither the whole file nor a stripped one",
    formOf({ _file: csv(SHORT_CSV) }),
    refused(400, "COLUMN_MISMATCH"),
    {
      of: "&filterColumns=true",
      isRefined: true,
    },
  ),
  byQuery(
    "a filter where there was no refinement",
    formOf({ _file: csv() }),
    {
      ...refused(400, "FILTER_NOT_APPLICABLE", { fields: ["filterColumns"] }),
    },
    { of: "&filterColumns=true" },
  ),
  byQuery(
    "a filter that is no truth value",
    formOf({ _file: csv() }),
    {
      ...refused(400, "VALIDATION_FAILED", { fields: ["filterColumns"] }),
    },
    { of: "&filterColumns=yes" },
  ),
  byQuery("the key twice", formOf({ _file: csv() }), refused(400, "VALIDATION_FAILED", { fields: ["modelKey"] }), {
    of: `&modelKey=${UNKNOWN}`,
  }),
  {
    name: "no key",
    method: "POST",
    path: "/api/v1/predictions",
    as: "ada",
    body: formOf({ _file: csv() }),
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["modelKey"] },
  },
]);

const listOf = (api: TestApi) => {
  const { modelKey } = addScorer(api, "ada");
  addPredictionIn(api, modelKey, "COMPLETED");
  api.pass(1);
  addPredictionIn(api, modelKey, "FAILED");
  api.pass(1);
  addPredictionIn(api, modelKey, "PENDING");
  return `/api/v1/predictions/models/${modelKey}`;
};

describeScenarios("the predictions of a model", startApi, [
  {
    name: "newest first; the address of the result where there is one",
    method: "GET",
    path: listOf,
    as: "ada",
    expect: {
      status: 200,
      body: { offset: 0, limit: 20, total: 3, nextOffset: null },
      effect: (api, _, body) => {
        const url = `http://localhost/api/v1/predictions/${predictionsOf(api)[2]!.key}/file`;
        expect((body as { predictions: object[] }).predictions).toEqual(
          predictionsOf(api).map(({ key, modelKey, datasetKey, status }) => ({
            predictionKey: key,
            modelKey,
            datasetKey,
            fileName: "penguins.csv",
            resultFileName: "penguins-predicted.csv",
            status,
            predictionResultUrl: status === "COMPLETED" ? url : null,
          })),
        );
      },
    },
  },
  {
    name: "by pages",
    method: "GET",
    path: (api) => `${listOf(api)}?offset=1&limit=1`,
    as: "ada",
    expect: {
      status: 200,
      body: { predictions: [{ status: "FAILED" }], offset: 1, limit: 1, total: 3, nextOffset: 2 },
    },
  },
]);

const STATUSES = ["PENDING", "RUNNING", "COMPLETED", "FAILED", "TIMEOUT"] as const;
const pathOf =
  (status: (typeof STATUSES)[number], rest = "") =>
  (api: TestApi) =>
    `/api/v1/predictions/${addPredictionIn(api, addScorer(api, "ada").modelKey, status)}${rest}`;

describeScenarios("a prediction", startApi, [
  ...STATUSES.map(
    (status): Scenario => ({
      name: `${status}: its progress is its status`,
      method: "GET",
      path: pathOf(status, "/progress"),
      as: "ada",
      expect: {
        status: 200,
        effect: (_, response, body) => {
          const isWaiting = status === "PENDING" || status === "RUNNING";
          expect(body).toEqual(isWaiting ? { status, nextPollAfterSeconds: 1 } : { status });
          expect(response.headers.get("retry-after")).toBe(isWaiting ? "1" : null);
        },
      },
    }),
  ),
  ...STATUSES.map(
    (status): Scenario => ({
      name: `${status}: its record`,
      method: "GET",
      path: pathOf(status),
      as: "ada",
      expect: {
        status: 200,
        headers: { vary: "accept" },
        effect: (api, _, body) => {
          const { key, modelKey, datasetKey } = predictionsOf(api)[0]!;
          const isDone = status === "COMPLETED";
          const hasEnded = status !== "PENDING" && status !== "RUNNING";
          expect(body).toEqual({
            predictionKey: key,
            modelKey,
            datasetKey,
            version: 1,
            fileName: "penguins.csv",
            resultFileName: "penguins-predicted.csv",
            status,
            reasons: 0,
            keyColumn: null,
            predictionResultUrl: isDone ? `http://localhost/api/v1/predictions/${key}/file` : null,
            rowCount: isDone ? 2 : null,
            labelCounts: isDone
              ? [
                  { label: "no", count: 1 },
                  { label: "yes", count: 1 },
                ]
              : null,
            confidenceCounts: isDone ? [0, 0, 0, 0, 0, 0, 0, 1, 0, 1] : null,
            threshold: null,
            warnings: isDone
              ? [{ code: "NEW_MISSING", message: "One cell has no value.", column: "sex", count: 1 }]
              : [],
            errorReason: hasEnded && !isDone ? "It took more than 1800 s." : null,
            createdOn: expect.any(String),
            finishedOn: hasEnded ? expect.any(String) : null,
          });
        },
      },
    }),
  ),
  {
    name: "its result is named after the file that was sent",
    method: "GET",
    path: (api) => {
      const path = pathOf("COMPLETED", "/file")(api);
      api.database.client.run("UPDATE predictions SET fileName = 'März \"neu\".CSV'");
      return path;
    },
    as: "ada",
    expect: {
      status: 200,
      headers: {
        "content-disposition":
          /^attachment; filename="M_rz _neu_-predicted.csv"; filename\*=UTF-8''M%C3%A4rz%20%22neu%22-predicted\.csv$/,
      },
    },
  },
  ...(["", "/file"] as const).flatMap((rest): Scenario[] => [
    {
      name: `its result by ${rest || "Accept"}`,
      method: "GET",
      path: pathOf("COMPLETED", rest),
      as: "ada",
      headers: { accept: "text/csv" },
      expect: {
        status: 200,
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": /^attachment; filename="penguins-predicted\.csv"$/,
          etag: /^"[^"]+"$/,
          "accept-ranges": "bytes",
        },
        effect: async (_, response) => expect(await response.text()).toBe(RESULT_CSV),
      },
    },
    {
      name: `a range of its result by ${rest || "Accept"}`,
      method: "GET",
      path: pathOf("COMPLETED", rest),
      as: "ada",
      headers: { accept: "text/csv", range: "bytes=2-11" },
      expect: {
        status: 206,
        headers: { "content-range": `bytes 2-11/${RESULT_CSV.length}` },
        effect: async (_, response) => expect(await response.text()).toBe("prediction"),
      },
    },
    ...(["PENDING", "RUNNING", "FAILED", "TIMEOUT"] as const).map(
      (status): Scenario => ({
        name: `${status}: no result by ${rest || "Accept"}`,
        method: "GET",
        path: pathOf(status, rest),
        as: "ada",
        headers: { accept: "text/csv" },
        expect: {
          status: 409,
          code: "NOT_READY",
          body: { detail: expect.stringContaining(status), errors: [{ field: "status", code: status }] },
        },
      }),
    ),
  ]),
  {
    name: "its result in no form that the client takes",
    method: "GET",
    path: pathOf("COMPLETED", "/file"),
    as: "ada",
    headers: { accept: "application/json" },
    expect: { status: 406, code: "NOT_ACCEPTABLE" },
  },
  {
    name: "a key that is none",
    method: "GET",
    path: "/api/v1/predictions/1",
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["predictionKey"] },
  },
]);

const noFiles = (api: TestApi) => {
  expect(readdirSync(api.state.locate("files"))).toEqual([]);
  expect(readdirSync(api.state.locate("results"))).toEqual([]);
};

describeScenarios("deleting a prediction", startApi, [
  ...(["PENDING", "COMPLETED", "FAILED", "TIMEOUT"] as const).map(
    (status): Scenario => ({
      name: `${status}: it goes with its files`,
      method: "DELETE",
      path: pathOf(status),
      as: "ada",
      expect: {
        status: 204,
        effect: (api) => {
          expect(predictionsOf(api)).toEqual([]);
          noFiles(api);
        },
      },
    }),
  ),
  {
    name: "RUNNING: it goes with its file, and its flow is stopped",
    method: "DELETE",
    path: pathOf("RUNNING"),
    as: "ada",
    expect: {
      status: 204,
      effect: (api) => {
        const rows = api.database.client
          .query<Record<string, unknown>, []>("SELECT key, status, claimed FROM predictions")
          .all();
        expect(rows).toEqual([{ key: expect.any(String), status: "FAILED", claimed: 0 }]);
        expect([predictionsOf(api), api.told]).toEqual([[], [`cancel ${rows[0]!["key"]}`]]);
        noFiles(api);
      },
    },
  },
  {
    name: "again",
    method: "DELETE",
    path: async (api) => {
      const path = pathOf("COMPLETED")(api);
      await expectAnswer(api, await api.request("DELETE", path, { as: "ada" }), { status: 204 });
      await expectAnswer(api, await api.request("GET", path, { as: "ada" }), NOT_FOUND);
      return path;
    },
    as: "ada",
    expect: { status: 204 },
  },
  {
    name: "somebody else's",
    method: "DELETE",
    path: pathOf("COMPLETED"),
    as: "bob",
    expect: {
      ...NOT_FOUND,
      effect: (api) => {
        const { key } = predictionsOf(api)[0]!;
        expect(existsSync(api.state.locate(statePaths.result(key)))).toBe(true);
      },
    },
  },
]);

describe("a model that is deleted while its file comes in", () => {
  test("leaves nothing of the file", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada");
      const authorization = `Bearer ${await api.tokenOf("ada")}`;
      const parts = [
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
        `${PENGUINS_CSV}\r\n--b--\r\n`,
      ];
      const body = new ReadableStream({
        pull: async (controller) => {
          const part = parts.shift();
          if (part === undefined) return controller.close();
          if (parts.length === 0) await api.request("DELETE", `/api/v1/models/${modelKey}`, { as: "ada" });
          controller.enqueue(new TextEncoder().encode(part));
        },
      });
      const headers = { authorization, "content-type": "multipart/form-data; boundary=b" };
      const address = `http://localhost/api/v1/predictions/models/${modelKey}`;
      const response = await api.app.fetch(new Request(address, { method: "POST", headers, body }));
      await expectAnswer(api, response, { ...NOT_FOUND, effect: nothingKept });
    }));
});

describe("predictions and champions", () => {
  test("a prediction keeps the version it was created with", () =>
    withApi(async (api) => {
      const { modelKey, jobKey } = addScorer(api, "ada");
      const send = () =>
        api.request("POST", `/api/v1/predictions/models/${modelKey}`, { as: "ada", body: formOf({ file: csv() }) });
      await expectAnswer(api, await send(), { status: 201 });
      const moved = await api.request("POST", `/api/v1/training/${jobKey}/champion`, {
        as: "ada",
        body: { version: 3 },
      });
      await expectAnswer(api, moved, { status: 200 });
      api.pass(1);
      await expectAnswer(api, await send(), { status: 201 });
      expect(predictionsOf(api).map(({ version }) => version)).toEqual([3, 1]);
    }));
});
