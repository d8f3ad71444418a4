// Every operation of the OpenAPI document keeps these rules: what is another's is as if it were not there, nobody is
// let in without a credential, and queries and keys that do not fit are refused by name.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SCOPES, type Scope } from "../../../src/auth/api-key.ts";
import { type Json, type Operation, readDocument } from "../../fuzz/api-document.ts";
import { createWorld, type FuzzWorld, MARKER } from "../../fuzz/fuzz-world.ts";
import { startApi, type TestApi, type UserName } from "../../support/api.ts";
import { dereferenced } from "../../support/dereferenced.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";
import { addPredictionIn, addScorer, PENGUINS_CSV } from "./service.ts";

const UNKNOWN = "11111111-2222-4333-8444-555555555555";
/** Operations that are not about one thing of somebody's: their own are all that they can show or make. */
const WITHOUT_KEYS = [
  ...["login", "createApiKey", "listApiKeys", "createDataset", "listDatasets", "createRefinement", "listRefinements"],
  ...[
    "getLimits",
    "getUsage",
    "getReader",
    "getAccount",
    "getClient",
    "changeOwnPassword",
    "listOwnTrainingJobs",
    "listOwnModels",
    "listOwnPredictions",
    "getHealth",
    "getReadiness",
    "getOpenApi",
  ],
];
const FOR_ADMINISTRATORS = ["getMetrics", "listAudit", "listUsers"];
/** These change accounts; another file says what they do. */
const CHANGES_BY_ADMINISTRATORS = ["addUser", "changeUser", "renewPassword", "removeUser"];

let api: TestApi;
let world: FuzzWorld;
let document: Json;
let operations: Operation[];
/** Of ada: by the name that paths have for them, those that live and one that is deleted. */
let foreign: Record<string, string[]>;

beforeAll(async () => {
  api = await startApi();
  world = createWorld(api);
  document = dereferenced((await (await api.request("GET", "/openapi.json")).json()) as Json);
  ({ operations } = readDocument(document));
  foreign = structuredClone(world.foreign);
  for (const [name, key] of Object.entries(await deletedKeys())) foreign[name]!.push(key);
});

afterAll(() => api.close());

/** What ada had and deleted. */
async function deletedKeys(): Promise<Record<string, string>> {
  const featureRefinementKey = addRunAt(api, "ada", "REFINEMENT_COMPLETED").key;
  const datasetKey = addDatasetAt(api, "ada", "COMPLETED", "to be deleted").key;
  const { modelKey } = addScorer(api, "ada");
  const predictionKey = addPredictionIn(api, modelKey, "COMPLETED");
  const paths = [
    `feature-refinery/${featureRefinementKey}`,
    `datasets/${datasetKey}`,
    `predictions/${predictionKey}`,
    `models/${modelKey}`,
  ];
  for (const path of paths) {
    const response = await api.request("DELETE", `/api/v1/${path}`, { as: "ada" });
    expect([path, response.status]).toEqual([path, 204]);
  }
  return { featureRefinementKey, datasetKey, modelKey, predictionKey };
}

const keyNames = ({ parameters }: Operation) =>
  parameters.filter(({ schema }) => schema["format"] === "uuid").map(({ name }) => name);

interface Asked {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** In place of one that fits. */
  body?: unknown;
}

/** A request that is right in everything but for whose key it names, and what is asked otherwise. */
async function ask(operation: Operation, user: UserName | null, key: string, asked: Asked = {}): Promise<string> {
  let path = operation.path;
  const query = new URLSearchParams(asked.query);
  for (const { name, in: place, schema } of operation.parameters) {
    if (place === "header") continue;
    const [least] = (schema["enum"] as unknown[] | undefined) ?? [schema["minimum"]];
    const value = schema["format"] === "uuid" ? key : String(least);
    if (place === "path") path = path.replace(`{${name}}`, value);
    else if (schema["format"] === "uuid") query.set(name, value);
  }
  const sent = asked.body === undefined ? bodyOf(operation) : { body: asked.body };
  const target = query.size === 0 ? path : `${path}?${query}`;
  const response = await api.request(operation.method, target, {
    ...sent,
    ...(asked.headers !== undefined && { headers: asked.headers }),
    ...(user !== null && { as: user }),
  });
  const told = [...response.headers].filter(([name]) => name !== "x-request-id" && name !== "content-length");
  const text = await response.text();
  if (user !== "ada") expect(text).not.toContain(MARKER);
  const comparable = text.replaceAll(key, "KEY").replace(/"requestId":"[^"]*"/, '"requestId":""');
  return JSON.stringify([response.status, told, comparable]);
}

/** The document's own example, or the form that a file goes in. */
function bodyOf({ path, method }: Operation): { body?: unknown } {
  const operation = (document["paths"] as Record<string, Record<string, Json>>)[path]![method.toLowerCase()]!;
  const content = ((operation["requestBody"] as Json | undefined)?.["content"] ?? {}) as Record<string, Json>;
  const json = content["application/json"];
  if (json !== undefined) return { body: json["example"] ?? (json["schema"] as Json)["example"] };
  const schema = content["multipart/form-data"]?.["schema"] as Json | undefined;
  if (schema === undefined) return "text/csv" in content ? { body: PENGUINS_CSV } : {};
  const form = new FormData();
  const parts = Object.entries(schema["properties"] as Record<string, Json>);
  const [filePart] = parts.find(([, part]) => "contentMediaType" in part)!;
  form.append(filePart, new File([PENGUINS_CSV], "new.csv"));
  return { body: form };
}

const USER_TABLES = ["refinements", "datasets", "trainingJobs", "models", "predictions", "successors", "apiKeys"];

/** All rows of ada's. */
function picture(): string {
  const rows = USER_TABLES.map((table) =>
    api.database.client.query(`SELECT * FROM "${table}" WHERE "userKey" = ? ORDER BY id`).all(api.ada.key),
  );
  return JSON.stringify(rows);
}

describe("another user's key", () => {
  test("is named by every operation that is about one thing", () => {
    const others = operations.filter(({ id }) => ![...FOR_ADMINISTRATORS, ...CHANGES_BY_ADMINISTRATORS].includes(id));
    const without = others.filter((operation) => keyNames(operation).length === 0).map(({ id }) => id);
    expect(without.sort()).toEqual([...WITHOUT_KEYS].sort());
  });

  test.each(["bob", "grace"] as const)(
    "is to %s what an unknown one is, in whatever state the thing is",
    async (user) => {
      const before = picture();
      for (const operation of operations) {
        const [name] = keyNames(operation);
        // The upload's own address is its credential.
        if (name === undefined || operation.isOpen || FOR_ADMINISTRATORS.includes(operation.id)) continue;
        if (CHANGES_BY_ADMINISTRATORS.includes(operation.id)) continue;
        // Or the limit on requests is met.
        api.pass(60);
        const unknown = await ask(operation, user, UNKNOWN);
        expect([operation.id, unknown]).toEqual([operation.id, expect.stringMatching(/^\[404,.*NOT_FOUND/)]);
        expect(unknown).not.toContain("There is no such path");
        for (const key of [...foreign[name]!, ...Object.values(foreign).flat()]) {
          expect([operation.id, name, await ask(operation, user, key)]).toEqual([operation.id, name, unknown]);
        }
      }
      expect(picture()).toBe(before);
      expect(api.faults).toEqual([]);
    },
  );

  test("that is no key is refused by its name", async () => {
    for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
      const names = keyNames(operation);
      if (names.length === 0) continue;
      api.pass(60);
      const answer = await ask(operation, "grace", "churn");
      expect([operation.id, answer]).toEqual([operation.id, expect.stringMatching(/^\[400,.*VALIDATION_FAILED/)]);
      for (const name of names) expect(answer).toContain(`\\"field\\":\\"${name}\\"`);
    }
  });

  test("is to ada herself what it is", async () => {
    const operation = operations.find(({ id }) => id === "getDataset")!;
    const response = await api.request("GET", operation.path.replace("{datasetKey}", foreign["datasetKey"]![0]!), {
      as: "ada",
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(MARKER);
  });

  test("opens no upload, with no signature or one for a thing of one's own", async () => {
    const operation = operations.find(({ isOpen, id }) => isOpen && id === "uploadFile")!;
    const unknown = await ask(operation, null, UNKNOWN);
    expect(unknown).toMatch(/^\[400|^\[403/);
    for (const key of foreign["featureRefinementKey"]!) expect(await ask(operation, null, key)).toBe(unknown);
  });
});

/** The answer to ada, whose things these are, or to an administrator. */
async function answerOf(operation: Operation, asked: Asked): Promise<string> {
  api.pass(60);
  const isAdministrators = [...FOR_ADMINISTRATORS, ...CHANGES_BY_ADMINISTRATORS].includes(operation.id);
  const key = foreign[keyNames(operation)[0] ?? ""]?.[0] ?? UNKNOWN;
  return await ask(operation, isAdministrators ? "grace" : "ada", key, asked);
}

describe("bodies", () => {
  const JSON_TYPE = { headers: { "content-type": "application/json" } };
  const WRONG: [string, Asked, RegExp][] = [
    ["of an operation that takes JSON alone are no text", { body: "name=a" }, /^\[415,.*UNSUPPORTED_MEDIA_TYPE/],
    ["are not empty", { ...JSON_TYPE, body: "" }, /^\[400,.*MALFORMED_JSON/],
    ["are whole", { ...JSON_TYPE, body: '{"name":' }, /^\[400,.*MALFORMED_JSON/],
    ["are no lists", { body: [] }, /^\[400,.*"body\\/],
    ["have no other fields", { body: { surprise: 1 } }, /^\[400,.*"surprise\\/],
  ];
  test.each(WRONG)("%s", async (_, asked, refusal) => {
    const before = picture();
    const isJson = ({ isOpen, bodies }: Operation) => !isOpen && bodies.size === 1 && bodies.has("application/json");
    const taking = operations.filter(isJson);
    expect(taking.length).toBeGreaterThan(8);
    for (const operation of taking) {
      const answer = await answerOf(operation, asked);
      expect([operation.id, answer]).toEqual([operation.id, expect.stringMatching(refusal)]);
    }
    expect(picture()).toBe(before);
  });
});

test("paths take no methods but their own", async () => {
  const paths = document["paths"] as Record<string, Record<string, Json>>;
  for (const [path, methods] of Object.entries(paths)) {
    // An upload in pieces has the address of a renewal, too, but for its key.
    if (path.endsWith("/renewal")) continue;
    for (const method of ["get", "post", "put", "patch", "delete"].filter((own) => !(own in methods))) {
      api.pass(60);
      const response = await api.request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, UNKNOWN), { as: "grace" });
      expect([path, method, response.status]).toEqual([path, method, 405]);
    }
  }
});

describe("queries", () => {
  test("of no operation take what it does not know", async () => {
    for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
      const answer = await answerOf(operation, { query: { surprise: "1" } });
      expect([operation.id, answer]).toEqual([operation.id, expect.stringMatching(/^\[400,.*"surprise\\/)]);
    }
  });

  test("of lists have the bounds of pages, and count a larger page as the largest (D24)", async () => {
    const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "limit"));
    expect(lists.length).toBeGreaterThan(8);
    for (const operation of lists) {
      const { id } = operation;
      for (const query of ["offset=-1", "offset=x", "limit=0", "limit=x"]) {
        const [name, value] = query.split("=") as [string, string];
        const refusal = expect.stringMatching(new RegExp(`^\\[400,.*"${name}\\\\`));
        expect([id, query, await answerOf(operation, { query: { [name]: value } })]).toEqual([id, query, refusal]);
      }
      const most = id === "listRefinements" ? /^\[400,/ : /^\[200,.*\\"limit\\":100,/;
      expect([id, await answerOf(operation, { query: { limit: "101" } })]).toEqual([id, expect.stringMatching(most)]);
    }
  });
});

describe("lists", () => {
  test("have nothing of anybody else's", async () => {
    for (const { id, method, path } of operations.filter((operation) => keyNames(operation).length === 0)) {
      if (method !== "GET" || FOR_ADMINISTRATORS.includes(id) || id === "getOpenApi") continue;
      const text = await (await api.request("GET", path, { as: "bob" })).text();
      expect([
        id,
        Object.values(foreign)
          .flat()
          .filter((key) => text.includes(key)),
      ]).toEqual([id, []]);
    }
  });
});

describe("what is for administrators", () => {
  test("is refused to users, to their API keys and to nobody", async () => {
    const refusedTo = async (id: string, sent: Parameters<TestApi["request"]>[2]) => {
      const { path } = operations.find((operation) => operation.id === id)!;
      return (await api.request("GET", path, sent)).status;
    };
    for (const id of FOR_ADMINISTRATORS) {
      expect([id, await refusedTo(id, { as: "bob" })]).toEqual([id, 403]);
      expect([id, await refusedTo(id, {})]).toEqual([id, 401]);
      expect([id, await refusedTo(id, { as: "grace" })]).toEqual([id, 200]);
      const apiKey = api.apiKeyOf("bob", ["read", "write", "predict"]);
      expect([id, await refusedTo(id, { headers: { authorization: `Bearer ${apiKey}` } })]).toEqual([id, 403]);
    }
  });

  test("is refused to users where it changes something, whoever it is about", async () => {
    const before = picture();
    for (const id of CHANGES_BY_ADMINISTRATORS) {
      const operation = operations.find((known) => known.id === id)!;
      for (const key of [UNKNOWN, api.ada.key, api.bob.key]) {
        expect([id, await ask(operation, "bob", key)]).toEqual([id, expect.stringMatching(/^\[403,.*FORBIDDEN/)]);
      }
    }
    expect(picture()).toBe(before);
  });

  test("is all that users are refused", async () => {
    api.pass(60);
    const refused: string[] = [];
    for (const operation of operations.filter(({ isOpen, method }) => !isOpen && method === "GET")) {
      if ((await ask(operation, "bob", UNKNOWN)).startsWith("[403")) refused.push(operation.id);
    }
    expect(refused.sort()).toEqual([...FOR_ADMINISTRATORS].sort());
  });
});

describe("every operation that is not open", () => {
  test.each(["INVALID_TOKEN", "TOKEN_EXPIRED"])("is refused as %s, whatever it is about", async (code) => {
    const expired = { authorization: `Bearer ${await api.tokenOf("ada")}` };
    if (code === "TOKEN_EXPIRED") api.pass(3_601);
    const before = picture();
    for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
      const key = foreign[keyNames(operation)[0] ?? ""]?.[0] ?? UNKNOWN;
      const answer = await ask(operation, null, key, { headers: code === "TOKEN_EXPIRED" ? expired : {} });
      expect([operation.id, answer]).toEqual([operation.id, expect.stringMatching(new RegExp(`^\\[401,.*${code}`))]);
      expect(answer).toContain("www-authenticate");
    }
    expect(picture()).toBe(before);
  });
});

/** By the scopes of which a key needs one: operations that take others than `read` to look and `write` to change. */
const SCOPED: [readonly Scope[], readonly string[]][] = [
  [[], ["createApiKey", "listApiKeys", "changeOwnPassword", "listUsers", "listAudit", ...CHANGES_BY_ADMINISTRATORS]],
  // A key may revoke itself alone.
  [[], ["revokeApiKey"]],
  [
    ["read", "write", "predict"],
    ["getLimits", "getUsage", "getAccount"],
  ],
  [["metrics"], ["getMetrics"]],
  [["predict"], ["createPredictionForModel", "createPrediction", "preparePrediction", "predictRows"]],
  [["predict"], ["addOutcomes", "deleteOutcomes"]],
  [
    ["read", "predict"],
    ["listModels", "listOwnModels", "getModel", "compareModels", "getModelDetails", "getReader"],
  ],
  [
    ["read", "predict"],
    ["getModelEffects", "getModelHealth", "getModelReport", "getModelSummary", "getModelFile"],
  ],
  [
    ["read", "predict"],
    ["listSuccessors", "getSuccessor", "getModelLine", "listPredictions", "listOwnPredictions"],
  ],
  [
    ["read", "predict"],
    ["getPrediction", "getPredictionProgress", "getPredictionFile", "getPredictionShift"],
  ],
  [["read", "predict"], ["getOutcomes"]],
];

describe("a key with the scope", () => {
  test.each(SCOPES)("%s may do what that says, and nothing else", async (scope) => {
    const headers = { authorization: `Bearer ${api.apiKeyOf("grace", [scope])}` };
    for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
      const { id, method } = operation;
      const scoped = SCOPED.find(([, ids]) => ids.includes(id));
      const own: readonly Scope[] = scoped?.[0] ?? (method === "GET" ? ["read"] : ["write"]);
      api.pass(60);
      const isRefused = (await ask(operation, null, UNKNOWN, { headers })).startsWith("[403");
      expect([id, isRefused]).toEqual([id, !own.includes(scope)]);
    }
  });
});
