// `Idempotency-Key`: what is made once, what repeats get, who is refused, what is stored, and for how long.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { removeKeptAnswers } from "../../../data/kept-answers.ts";
import { isCreating } from "../../../src/routing/route.ts";
import { expectAnswer, type TestApi, type UserName, withApi } from "../../support/api.ts";
import { addDatasetAt, addRunAt } from "../api/intake.ts";
import { addDatasetIn, addLabelled, addScorer, PENGUINS_CSV } from "../api/service.ts";

const RUNS = "/api/v1/feature-refinery";
const DATASETS = "/api/v1/datasets";
const CSV = "tenure,left\n12,no\n3,yes\n";

const post = (api: TestApi, path: string, key: string | null, body?: unknown, as: UserName = "ada") =>
  api.request("POST", path, { as, body, headers: key === null ? {} : { "idempotency-key": key } });

/** What a client sees of an answer, without what is of each request. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers);
  delete headers["x-request-id"];
  delete headers["idempotency-replayed"];
  return { status: response.status, headers, body: await response.text() };
}

const countOf = ({ database }: TestApi, table: string) =>
  database.client.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()!.count;

function formOf(file: string, fields: Record<string, string> = {}, part = "file", name = "rows.csv"): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(part, new File([file], name));
  return form;
}

interface Making {
  table: string;
  /** Makes what is needed, and says where to send what. */
  prepare(api: TestApi): { path: string; body?: () => unknown };
}

const MAKING: Record<string, Making> = {
  createRefinement: { table: "refinements", prepare: () => ({ path: RUNS, body: () => ({ numberOfBuckets: 10 }) }) },
  startRefinement: {
    table: "refinementActivities",
    prepare: (api) => ({ path: `${RUNS}/${addRunAt(api, "ada", "UPLOADED").key}/start` }),
  },
  refineDataset: {
    table: "refinements",
    prepare: (api) => ({ path: `${RUNS}/datasets/${addDatasetAt(api, "ada", "COMPLETED").key}`, body: () => ({}) }),
  },
  createDataset: { table: "datasets", prepare: () => ({ path: DATASETS, body: () => ({ name: "churn 2027" }) }) },
  "createDataset by a form": {
    table: "datasets",
    prepare: () => ({ path: DATASETS, body: () => formOf(CSV, { name: "churn 2027" }) }),
  },
  createDatasetFromRefinement: {
    table: "datasets",
    prepare: (api) => ({
      path: `${DATASETS}/feature-refinery/${addRunAt(api, "ada", "REFINEMENT_COMPLETED").key}`,
      body: () => ({ name: "kept" }),
    }),
  },
  startTraining: {
    table: "trainingJobs",
    prepare: (api) => ({
      path: `/api/v1/training/datasets/${addDatasetIn(api, "ada").key}`,
      body: () => ({ performanceThreshold: 0.9 }),
    }),
  },
  createPredictionForModel: {
    table: "predictions",
    prepare: (api) => ({
      path: `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}?reasons=1`,
      body: () => formOf(PENGUINS_CSV),
    }),
  },
  createPrediction: {
    table: "predictions",
    prepare: (api) => ({
      path: `/api/v1/predictions?modelKey=${addScorer(api, "ada").modelKey}`,
      body: () => formOf(PENGUINS_CSV, {}, "_file"),
    }),
  },
  startSuccessor: {
    table: "successors",
    prepare: (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey);
      return { path: `/api/v1/models/${modelKey}/successors`, body: () => ({ promote: "BY_HAND" }) };
    },
  },
  preparePrediction: {
    table: "predictionUploads",
    prepare: (api) => ({
      path: `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}/uploads`,
      body: () => ({ fileName: "rows.csv" }),
    }),
  },
};

/** Their answers have secrets. */
const SECRET: Record<string, { path: string; table: string; body: object; as: UserName; secret: string }> = {
  createApiKey: {
    ...{ path: "/api/v1/api-keys", table: "apiKeys", as: "ada", secret: "apiKey" },
    body: { name: "nightly", scopes: ["read"] },
  },
  addUser: {
    ...{ path: "/api/v1/users", table: "users", as: "grace", secret: "password" },
    body: { email: "new@example.org", role: "user" },
  },
};

test("every operation that makes something is among those tried here", () =>
  withApi(async ({ app }) => {
    const making = app.routes.filter(isCreating).map(({ operationId }) => operationId);
    const tried = [...Object.keys(MAKING), ...Object.keys(SECRET)].map((name) => name.split(" ")[0]!);
    expect(making.filter((id) => !tried.includes(id))).toEqual([]);
  }));

describe("a repeat", () => {
  test.each(Object.entries(MAKING))("of %s gets the first answer and makes nothing", (_name, { table, prepare }) =>
    withApi(async (api) => {
      const { path, body } = prepare(api);
      const before = countOf(api, table);
      const first = await seen(await post(api, path, "k-1", body?.()));
      expect(first.body).toStartWith("{");
      expect([201, 202]).toContain(first.status);
      const made = countOf(api, table);
      if (table !== "refinementActivities") expect(made).toBe(before + 1);
      const told = [...api.told];
      for (const key of ["k-1", '"k-1"']) {
        const repeat = await post(api, path, key, body?.());
        expect(repeat.headers.get("idempotency-replayed")).toBe("true");
        expect(await seen(repeat)).toEqual(first);
      }
      expect([countOf(api, table), api.told]).toEqual([made, told]);
      expect(api.faults).toEqual([]);
    }),
  );

  test.each(Object.entries(SECRET))(
    "of %s is refused, and says where the first one's is",
    (_name, { path, table, body, as, secret }) =>
      withApi(async (api) => {
        const first = await post(api, path, "k-1", body, as);
        expect(first.status).toBe(201);
        expect(await first.json()).toHaveProperty(secret);
        const made = countOf(api, table);
        const repeat = await post(api, path, "k-1", body, as);
        const location = first.headers.get("location")!;
        await expectAnswer(api, repeat, { status: 409, code: "ANSWER_NOT_KEPT", headers: { location } });
        expect(countOf(api, table)).toBe(made);
        expect((await api.request("DELETE", new URL(location).pathname, { as })).status).toBe(204);
      }),
  );

  test("gets the first answer though what it made is gone", () =>
    withApi(async (api) => {
      const { path, body } = MAKING["createPredictionForModel"]!.prepare(api);
      const first = await post(api, path, "k-1", body!());
      const modelKey = /models\/([^?]+)/.exec(path)![1];
      expect(
        (await api.request("DELETE", new URL(first.headers.get("location")!).pathname, { as: "ada" })).status,
      ).toBe(204);
      api.database.client.run(`UPDATE models SET deletedOn = createdOn WHERE key = '${modelKey}'`);
      expect(await seen(await post(api, path, "k-1", body!()))).toEqual(await seen(first));
    }));

  test("of a refusal is tried anew, with another body too", () =>
    withApi(async (api) => {
      await expectAnswer(api, await post(api, DATASETS, "k-1", { name: "x" }), {
        status: 400,
        code: "VALIDATION_FAILED",
      });
      await expectAnswer(api, await post(api, DATASETS, "k-1", formOf("a", { name: "long enough" })), {
        status: 400,
        code: "FILE_TOO_SMALL",
      });
      expect((await post(api, DATASETS, "k-1", { name: "long enough" })).status).toBe(201);
      await expectAnswer(api, await post(api, DATASETS, "k-2", { name: "long enough" }), {
        status: 409,
        code: "NAME_TAKEN",
      });
    }));

  test("a day later makes something again, and nothing is left of the first", () =>
    withApi(async (api) => {
      const first = await post(api, RUNS, "k-1", {});
      api.pass(86_399);
      expect(await seen(await post(api, RUNS, "k-1", {}))).toEqual(await seen(first));
      api.pass(1);
      expect((await post(api, RUNS, "k-1", {})).headers.get("idempotency-replayed")).toBeNull();
      expect([countOf(api, "refinements"), countOf(api, "keptAnswers")]).toEqual([2, 1]);
      await post(api, RUNS, "k-2", {});
      api.pass(86_400);
      await post(api, RUNS, "k-3", {});
      const dayAgo = new Date(api.services.now().getTime() - 86_400_000);
      expect([1, 2, 3].map(() => removeKeptAnswers(api.database, dayAgo, 1))).toEqual([1, 1, 0]);
      expect(countOf(api, "keptAnswers")).toBe(1);
    }));
});

describe("refused under a key that was used", () => {
  test.each<[string, string, unknown]>([
    ["another body", DATASETS, { name: "other" }],
    ["another text of the same JSON", DATASETS, '{ "name": "churn" }'],
    ["another query", `${DATASETS}?`, { name: "churn", hasHeader: true }],
    ["another path", RUNS, {}],
    ["a form", DATASETS, formOf(CSV, { name: "churn" })],
  ])("%s", (_name, path, body) =>
    withApi(async (api) => {
      expect((await post(api, DATASETS, "k-1", { name: "churn" })).status).toBe(201);
      const isText = typeof body === "string";
      const headers = { "idempotency-key": "k-1", ...(isText && { "content-type": "application/json" }) };
      const response = await api.request("POST", path, { as: "ada", body, headers });
      await expectAnswer(api, response, { status: 422, code: "KEY_REUSED" });
    }),
  );

  test.each<[string, FormData]>([
    ["of another file", formOf(`${CSV}4,no\n`, { name: "churn" })],
    ["of another file name", formOf(CSV, { name: "churn" }, "file", "other.csv")],
    ["of another field", formOf(CSV, { name: "churns" })],
    ["of a field more", formOf(CSV, { name: "churn", numberOfBuckets: "10" })],
  ])("a form %s", (_name, form) =>
    withApi(async (api) => {
      expect((await post(api, DATASETS, "k-1", formOf(CSV, { name: "churn" }))).status).toBe(201);
      await expectAnswer(api, await post(api, DATASETS, "k-1", form), { status: 422, code: "KEY_REUSED" });
    }),
  );

  test("but not of another user, nor for another credential of the same one", () =>
    withApi(async (api) => {
      const first = await post(api, DATASETS, "k-1", { name: "churn" });
      expect((await post(api, DATASETS, "k-1", { name: "other" }, "bob")).status).toBe(201);
      const authorization = `Bearer ${api.apiKeyOf("ada", ["write"])}`;
      const headers = { "idempotency-key": "k-1", authorization };
      const repeat = await api.request("POST", DATASETS, { headers, body: { name: "churn" } });
      expect(await seen(repeat)).toEqual(await seen(first));
    }));
});

test("a repeat is refused while the first is at work, and told its answer after that", () =>
  withApi(async (api) => {
    const boundary = "XbX";
    const part = (about: string, text: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n${text}\r\n`;
    const opening = part('name="name"', "churn") + part('name="file"; filename="rows.csv"', CSV);
    const asked = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    // Asked for once the first request has its key, and not before.
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => asked.resolve(controller);
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const headers = {
      authorization: `Bearer ${await api.tokenOf("ada")}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "idempotency-key": "k-1",
    };
    const first = api.app.fetch(new Request(`http://localhost${DATASETS}`, { method: "POST", headers, body }));
    const upload = await asked.promise;
    const repeat = () => post(api, DATASETS, "k-1", formOf(CSV, { name: "churn" }));
    await expectAnswer(api, await repeat(), {
      status: 409,
      code: "REQUEST_UNDER_WAY",
      headers: { "retry-after": "1" },
    });
    upload.enqueue(new TextEncoder().encode(`${opening}--${boundary}--\r\n`));
    upload.close();
    const made = await seen(await first);
    expect(made.status).toBe(201);
    expect(await seen(await repeat())).toEqual(made);
  }));

test("of many at once, one makes something", () =>
  withApi(async (api) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(api, RUNS, "k-1", { removeLeaks: true })));
    expect(countOf(api, "refinements")).toBe(1);
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBeTrue();
  }));

describe("the header", () => {
  test.each(["x".repeat(256), "a b", 'a"b', '"a', '"a\\b"', '""', "caf\u00e9", "a,b; c"])("%j is refused", (key) =>
    withApi(async (api) => {
      const refusal = { status: 400, code: "VALIDATION_FAILED", fields: ["Idempotency-Key"] } as const;
      await expectAnswer(api, await post(api, RUNS, key, {}), refusal);
      expect(countOf(api, "refinements")).toBe(0);
    }),
  );

  test("means nothing where nothing is made", () =>
    withApi(async (api) => {
      const headers = { "idempotency-key": "no key at all" };
      expect((await api.request("GET", RUNS, { as: "ada", headers })).status).toBe(200);
      expect(countOf(api, "keptAnswers")).toBe(0);
    }));

  test("can be left out: nothing is kept, and each request makes something", () =>
    withApi(async (api) => {
      for (const _ of [1, 2]) expect((await post(api, RUNS, null, {})).status).toBe(201);
      expect([countOf(api, "refinements"), countOf(api, "keptAnswers")]).toEqual([2, 0]);
    }));

  test("with 10,000 of a day none is kept any more, until one is a day old", () =>
    withApi(async (api) => {
      await post(api, RUNS, "k-0", {});
      api.database.client.run(
        `INSERT INTO keptAnswers SELECT userKey, keyHash || value, fingerprint, answer, createdOn
         FROM keptAnswers, (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 9999) SELECT value FROM n)`,
      );
      api.pass(400);
      const refusal = { status: 429, code: "TOO_MANY_REQUESTS", headers: { "retry-after": "86000" } } as const;
      await expectAnswer(api, await post(api, RUNS, "k-1", {}), refusal);
      expect((await post(api, RUNS, "k-0", {})).status).toBe(201);
      expect((await post(api, RUNS, null, {})).status).toBe(201);
      expect((await post(api, RUNS, "k-1", {}, "bob")).status).toBe(201);
      api.pass(86_000);
      expect((await post(api, RUNS, "k-1", {})).status).toBe(201);
    }));
});

test("nothing of key, request or answer lies in the database in clear", () =>
  withApi(async (api) => {
    const key = "a-key-that-nobody-guesses";
    const { uploadTargets } = (await (await post(api, RUNS, key, { trainFileName: "train.csv" })).json()) as {
      uploadTargets: { url: string }[];
    };
    const { apiKey } = (await (
      await post(api, "/api/v1/api-keys", `${key}-2`, SECRET["createApiKey"]!.body)
    ).json()) as {
      apiKey: string;
    };
    api.database.client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const bytes = readFileSync(join(api.state.path, "cupel.db")).toString("latin1");
    const signature = new URL(uploadTargets[0]!.url).searchParams.get("signature")!;
    expect(bytes).toContain("train.csv");
    for (const secret of [key, signature, apiKey, "uploadTargets"]) expect(bytes).not.toContain(secret);
  }));

test("an account with kept answers can be removed", () =>
  withApi(async (api) => {
    await post(api, "/api/v1/api-keys", "k-1", SECRET["createApiKey"]!.body, "bob");
    expect((await api.request("DELETE", `/api/v1/users/${api.bob.key}`, { as: "grace" })).status).toBe(204);
    expect([countOf(api, "keptAnswers"), countOf(api, "users")]).toEqual([0, 2]);
  }));

test("drawn requests: as many are made as there are keys, and each key has one answer", () =>
  withApi(async (api) => {
    const made = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("a", "b", "c", "d"),
        fc.constantFrom<UserName>("ada", "bob"),
        fc.constantFrom(4, 10, 20),
        async (key, as, numberOfBuckets) => {
          const name = `${as} ${key}`;
          const response = await post(api, RUNS, key, { numberOfBuckets }, as);
          const text = await response.text();
          const earlier = made.get(name);
          if (earlier === undefined) {
            expect(response.status).toBe(201);
            made.set(name, `${numberOfBuckets} ${text}`);
          } else if (earlier.startsWith(`${numberOfBuckets} `)) {
            expect(`${numberOfBuckets} ${text}`).toBe(earlier);
          } else {
            expect(response.status).toBe(422);
          }
        },
      ),
      { numRuns: 100 },
    );
    expect(countOf(api, "refinements")).toBe(made.size);
  }));
