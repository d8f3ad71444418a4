// Refinements over HTTP: listing, starting, cancelling and deleting, for the owner and for others.
import { describe, expect, test } from "bun:test";
import { storeRefinementUpload } from "../../../data/refinements/refinement-files.ts";
import { findOwnedRefinement, listRefinements } from "../../../data/refinements/refinements.ts";
import { ALL, addRefinement, storedFile } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addRunAt, RESULT_FILES, type Stage } from "./intake.ts";

const RUNS = "/api/v1/feature-refinery";
const BASE = `http://localhost${RUNS}`;

const runsOf = (api: TestApi) => listRefinements(api.database, api.ada.key, ALL).items;

describe("many runs", () => {
  test("come newest first, page by page", () =>
    withApi(async (api) => {
      const keys: string[] = [];
      for (let count = 0; count < 5; count++) {
        keys.unshift(addRefinement(api.database, api.ada.key, {}, api.services.now()).key);
        api.pass(1);
      }
      addRefinement(api.database, api.bob.key, {}, api.services.now());
      const seen: string[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const response = await api.request("GET", `${RUNS}?offset=${offset}&limit=2`, { as: "ada" });
        const page = (await response.json()) as {
          refinements: { featureRefinementKey: string }[];
          nextOffset: number | null;
        };
        expect(page).toMatchObject({ offset, limit: 2, total: 5 });
        seen.push(...page.refinements.map(({ featureRefinementKey }) => featureRefinementKey));
        offset = page.nextOffset;
      }
      expect(seen).toEqual(keys);
    }));
});

const refused = (...fields: string[]): Expected => ({
  status: 400,
  code: "VALIDATION_FAILED",
  fields,
});

function list(name: string, query: string, expected: Expected, before?: (api: TestApi) => unknown): Scenario {
  return { name, method: "GET", path: RUNS + query, as: "ada", expect: expected, ...(before && { before }) };
}

describeScenarios("listing refinements", startApi, [
  list("is empty at first", "", {
    status: 200,
    body: { refinements: [], offset: 0, limit: 20, total: 0, nextOffset: null },
  }),
  list(
    "has the fields of the contract",
    "",
    {
      status: 200,
      effect: (api, _, body) => {
        const { key, createdOn } = runsOf(api)[0]!;
        expect((body as { refinements: unknown[] }).refinements).toEqual([
          {
            featureRefinementKey: key,
            name: "churn",
            state: "REFINING_LOOP_1",
            trainFileName: "train.csv",
            testFileName: null,
            numberOfBuckets: 20,
            ...{ groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [], columnChoices: [] },
            createdOn,
            elapsedSeconds: 42,
            cancelRequested: false,
            plannedTraining: null,
          },
        ]);
      },
    },
    (api) => addRunAt(api, "ada", "REFINING_LOOP_1", { name: "churn" }, 42),
  ),
  list("leaves out other users' runs", "", { status: 200, body: { refinements: [], total: 0 } }, (api) =>
    addRunAt(api, "bob", "PENDING"),
  ),
  ...["?offset=1000000", "?limit=1", "?limit=100"].map((query) => list(query, query, { status: 200 })),
  ...["-1", "1000001", "1.5", "x", "", "1e3", " 1"].map((offset) =>
    list(`offset ${offset} is refused`, `?offset=${encodeURIComponent(offset)}`, refused("offset")),
  ),
  ...["0", "101", "-1", "x", "2.0.0"].map((limit) =>
    list(`limit ${limit} is refused`, `?limit=${limit}`, refused("limit")),
  ),
  list("a parameter comes once", "?limit=1&limit=2", refused("limit")),
]);

function at(stage: Stage, method: string, part: string, expected: Expected): Scenario {
  return {
    name: stage,
    method,
    path: (api) => `${RUNS}/${addRunAt(api, "ada", stage).key}${part}`,
    as: "ada",
    expect: expected,
  };
}

const startedBefore: Expected = {
  status: 409,
  code: "ALREADY_STARTED",
  effect: (api) => expect(api.told).toEqual([]),
};

describeScenarios("starting a refinement", startApi, [
  at("UPLOADED", "POST", "/start", {
    status: 202,
    effect: (api, _, body) => {
      const [run] = runsOf(api);
      expect(body).toEqual({
        featureRefinementKey: run!.key,
        state: "PENDING",
        progressUrl: `${BASE}/${run!.key}/progress`,
      });
      expect(run!.queuedOn).toBeString();
      expect(api.told).toEqual(["wake"]);
    },
  }),
  at("PENDING", "POST", "/start", {
    status: 409,
    code: "UPLOADS_MISSING",
    fields: ["TRAIN", "TEST"],
    effect: (api) => expect(runsOf(api)).toMatchObject([{ queuedOn: null }]),
  }),
  {
    name: "with one file",
    method: "POST",
    path: (api) => {
      const { key } = addRunAt(api, "ada", "PENDING");
      storeRefinementUpload(api.database, key, "TRAIN", storedFile(), api.services.now());
      return `${RUNS}/${key}/start`;
    },
    as: "ada",
    expect: { status: 409, code: "UPLOADS_MISSING", fields: ["TEST"] },
  },
  ...(["QUEUED", "SETUP_READING", "REFINEMENT_COMPLETED", "ERROR"] as const).map((stage) =>
    at(stage, "POST", "/start", startedBefore),
  ),
  at("CANCELLED", "POST", "/start", {
    status: 409,
    code: "RUN_CANCELLED",
    body: { detail: expect.stringContaining("CANCELLED") },
    effect: (api) => expect(api.told).toEqual([]),
  }),
  {
    name: "a key in capitals is the same key",
    method: "POST",
    path: (api) => `${RUNS}/${addRunAt(api, "ada", "UPLOADED").key.toUpperCase()}/start`,
    as: "ada",
    expect: { status: 202 },
  },
]);

const cancelled = (state: string, notes: (key: string) => string[]): Expected => ({
  status: 200,
  effect: (api, _, body) => {
    const [run] = runsOf(api);
    expect(body).toEqual({ featureRefinementKey: run!.key, state, cancelRequested: true });
    expect(run).toMatchObject({ state, cancelRequested: true });
    expect(api.told).toEqual(notes(run!.key));
  },
});
const ended: Expected = {
  status: 409,
  code: "NOT_CANCELLABLE",
  effect: (api) => expect(runsOf(api)).toMatchObject([{ cancelRequested: false }]),
};

describeScenarios("cancelling a refinement", startApi, [
  ...(["PENDING", "UPLOADED", "QUEUED"] as const).map((stage) =>
    at(
      stage,
      "PATCH",
      "/cancel",
      cancelled("CANCELLED", () => ["wake"]),
    ),
  ),
  ...(["SETUP_READING", "REFINING_LOOP_1"] as const).map((stage) =>
    at(
      stage,
      "PATCH",
      "/cancel",
      cancelled(stage, (key) => [`cancel ${key}`]),
    ),
  ),
  at(
    "CANCELLED",
    "PATCH",
    "/cancel",
    cancelled("CANCELLED", () => ["wake"]),
  ),
  ...(["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "PARTIAL"] as const).map((stage) =>
    at(stage, "PATCH", "/cancel", ended),
  ),
]);

const gone: Expected = { status: 204, effect: (api) => expect(runsOf(api)).toEqual([]) };
const running: Expected = {
  status: 409,
  code: "STILL_RUNNING",
  effect: (api) => expect(runsOf(api)).toHaveLength(1),
};

describeScenarios("deleting a refinement", startApi, [
  ...(["PENDING", "UPLOADED", "REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"] as const).map((stage) =>
    at(stage, "DELETE", "", gone),
  ),
  ...(["QUEUED", "SETUP_READING", "REFINING_LOOP_1"] as const).map((stage) => at(stage, "DELETE", "", running)),
]);

describe("a deleted run", () => {
  test("is deleted again with 204, and is out of every other sight", () =>
    withApi(async (api) => {
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
      const ask = (method: string, part: string) => api.request(method, `${RUNS}/${key}${part}`, { as: "ada" });
      for (let tries = 0; tries < 3; tries++) expect((await ask("DELETE", "")).status).toBe(204);
      for (const part of ["/progress", "/result"]) expect((await ask("GET", part)).status).toBe(404);
      expect((await ask("POST", "/start")).status).toBe(404);
      expect((await ask("PATCH", "/cancel")).status).toBe(404);
    }));

  test("still gives its files by key, to its owner alone", () =>
    withApi(async (api) => {
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
      expect((await api.request("DELETE", `${RUNS}/${key}`, { as: "ada" })).status).toBe(204);
      for (const kind of ["TRAIN", "TEST"] as const) {
        const response = await api.request("GET", `${RUNS}/${key}/files/${kind}`, { as: "ada" });
        expect(await response.text()).toBe(RESULT_FILES[kind]);
        expect((await api.request("GET", `${RUNS}/${key}/files/${kind}`, { as: "bob" })).status).toBe(404);
      }
    }));

  test("that ran can be deleted once it is cancelled", () =>
    withApi(async (api) => {
      const { key } = addRunAt(api, "ada", "QUEUED");
      const ask = (method: string, part: string) => api.request(method, `${RUNS}/${key}${part}`, { as: "ada" });
      expect((await ask("DELETE", "")).status).toBe(409);
      expect((await ask("PATCH", "/cancel")).status).toBe(200);
      expect((await ask("DELETE", "")).status).toBe(204);
      expect(findOwnedRefinement(api.database, api.ada.key, key)).toBeNull();
    }));
});
