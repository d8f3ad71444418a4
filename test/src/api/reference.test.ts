// The reference: an OpenAPI document that is valid and true, and pages that need no network; and the server's health.
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { PROBLEMS } from "../../../src/http/problem-codes.ts";
import type { AppSettings } from "../../../src/service/app.ts";
import {
  describeScenarios,
  expectAnswer,
  type StartOptions,
  startApi,
  type TestApi,
  withApi,
} from "../../support/api.ts";
import { colourRoutes } from "../../support/colours.ts";
import { dereferenced } from "../../support/dereferenced.ts";

type Json = Record<string, unknown>;

async function referringDocumentOf(api: TestApi): Promise<Json> {
  return (await (await api.request("GET", "/openapi.json")).json()) as Json;
}

async function documentOf(api: TestApi): Promise<Json> {
  return dereferenced(await referringDocumentOf(api));
}

/** A value deep inside. */
function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Json)[name], value);
}

/** Objects with fields of their own that stand where a name could, by what they hold. */
function inlineObjects(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(inlineObjects);
  if (typeof value !== "object" || value === null) return [];
  const { example: _, examples: __, ...fields } = value as Json;
  const isInline = fields["type"] === "object" && "properties" in fields;
  return [
    ...(isInline ? [Object.keys(fields["properties"] as Json).join(", ")] : []),
    ...Object.values(fields).flatMap(inlineObjects),
  ];
}

describe("the OpenAPI document", () => {
  test.each<[string, StartOptions]>([
    ["of the service", {}],
    ["of the example", { routes: colourRoutes }],
  ])("%s is valid", (_name, options) =>
    withApi(async (api) => {
      const result = await new Validator().validate(await referringDocumentOf(api));
      expect(result.errors).toBeUndefined();
      expect(result.valid).toBeTrue();
    }, options),
  );

  test("has every route, with its rights and its problems", () =>
    withApi(async (api) => {
      const document = await documentOf(api);
      const shown = api.app.routes.filter(({ isHidden }) => !isHidden);
      expect(api.app.routes.filter(({ isHidden, path }) => isHidden && !/^\/(docs|assets\/|$)/.test(path))).toEqual([]);
      for (const { method, path, isOpen, operationId, answer, problems } of shown) {
        const operation = at(document, "paths", path, method.toLowerCase()) as Json;
        expect(operation).toMatchObject({ operationId });
        expect(operation["security"]).toEqual(isOpen ? [] : (undefined as never));
        const responses = operation["responses"] as Json;
        expect(Object.keys(responses)).toContain(String(answer.status));
        for (const code of problems) expect(Object.keys(responses)).toContain(String(PROBLEMS[code].status));
        expect(Object.keys(responses)).toContain("500");
        if (!isOpen) expect(Object.keys(responses)).toContain("401");
      }
    }));

  test("is of the contract's version, and says the program's", () =>
    withApi(async (api) => {
      expect(at(await documentOf(api), "info")).toMatchObject({ version: "1.0.0", "x-program-version": "0.0.0-test" });
    }));

  test("names every body, answer and object", () =>
    withApi(async (api) => {
      const { paths, components } = (await referringDocumentOf(api)) as { paths: Json; components: { schemas: Json } };
      const named = Object.values(components.schemas).flatMap((schema) => Object.values(schema as Json));
      expect([...inlineObjects(paths), ...inlineObjects(named)]).toEqual([]);
      const schemas = Object.values(paths)
        .flatMap((methods) => Object.values(methods as Json))
        .flatMap((operation) => [at(operation, "requestBody"), ...Object.values(at(operation, "responses") as Json)])
        .map((holder) => ((holder as Json | undefined)?.["content"] as Json | undefined)?.["application/json"])
        .filter((content) => content !== undefined)
        .map((content) => at(content, "schema") as Json);
      expect(schemas.length).toBeGreaterThan(60);
      // The document itself, and the summary.json of a training.
      expect(schemas.filter((schema) => !("$ref" in schema))).toEqual([{ type: "object" }, { type: "object" }]);
    }));

  test("has no two components that are the same", () =>
    withApi(async (api) => {
      const { components } = (await referringDocumentOf(api)) as { components: { schemas: Record<string, Json> } };
      const byContent = Map.groupBy(Object.entries(components.schemas), ([, schema]) => {
        const { description: _, "x-decision": __, ...content } = schema;
        return JSON.stringify(content);
      });
      const twins = [...byContent.values()].filter(({ length }) => length > 1);
      expect(twins.map((same) => same.map(([name]) => name))).toEqual([]);
    }));

  test("says that requests take no other fields, and answers may get more", () =>
    withApi(async (api) => {
      const { paths } = (await documentOf(api)) as { paths: Record<string, Record<string, Json>> };
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      const objectsIn = (value: unknown) => JSON.stringify(value ?? {}).match(/"properties":/g)?.length ?? 0;
      const closedIn = (value: unknown) =>
        JSON.stringify(value ?? {}).match(/"additionalProperties":false/g)?.length ?? 0;
      for (const { requestBody, responses } of operations) {
        expect(closedIn(requestBody)).toBe(objectsIn(requestBody));
        expect(closedIn(responses)).toBe(0);
      }
    }));

  test("has the answers that come before any route, at each operation", () =>
    withApi(async (api) => {
      const { paths } = (await documentOf(api)) as { paths: Record<string, Record<string, Json>> };
      for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
        expect(Object.keys(responses as Json)).toEqual(expect.arrayContaining(["405", "406", "421", "431", "500"]));
      }
    }));

  test("has samples of each operation that their languages can read", () =>
    withApi(async (api) => {
      const { paths } = (await documentOf(api)) as { paths: Record<string, Record<string, Json>> };
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      const samples = operations.map((operation) => operation["x-codeSamples"] as { lang: string; source: string }[]);
      const inLanguage = (lang: string) => samples.map((three) => three.find((sample) => sample.lang === lang)!.source);
      const shell = Bun.spawnSync(["bash", "-n"], { stdin: Buffer.from(inLanguage("Shell").join("\n\n")) });
      expect([shell.exitCode, shell.stderr.toString()]).toEqual([0, ""]);
      const script = "import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)";
      const python = Bun.spawnSync(["python3", "-c", script], {
        env: { ...process.env, PATH: `/usr/bin:${process.env["PATH"]}` },
        stdin: Buffer.from(JSON.stringify(inLanguage("Python"))),
      });
      expect([python.exitCode, python.stderr.toString()]).toEqual([0, ""]);
      const transpiler = new Bun.Transpiler({ loader: "js" });
      for (const source of inLanguage("JavaScript")) expect(transpiler.transformSync(source)).toContain("fetch");
      for (const source of samples.flat().map((sample) => sample.source)) expect(source).not.toContain("undefined");
    }));

  test("what is made has an address", () =>
    withApi(async (api) => {
      const making = api.app.routes.filter(({ answer }) => answer.status === 201);
      expect(making.length).toBeGreaterThan(7);
      expect(making.filter(({ answer }) => !("location" in (answer.headers ?? {})))).toEqual([]);
    }));

  test("says what a route takes and gives", () =>
    withApi(
      async (api) => {
        const document = await documentOf(api);
        const create = at(document, "paths", "/api/v1/colours", "post") as Json;
        expect(create["x-decision"]).toBe("D28, D48");
        expect(create["x-api-key-scopes"]).toEqual(["write"]);
        const sent = at(create, "requestBody", "content", "application/json", "schema") as Json;
        expect(sent["required"]).toEqual(["name"]);
        expect(at(sent, "properties", "numberOfBuckets")).toEqual({ type: "integer", enum: [4, 10, 20], default: 20 });
        expect(at(sent, "properties", "name", "description")).toBe(
          "1 to 100 letters, digits, spaces, hyphens or underscores.",
        );
        const given = at(create, "responses", "201", "content", "application/json", "schema") as Json;
        expect(at(given, "properties", "note")).toEqual({ type: ["string", "null"] });
        expect(at(given, "properties", "colourUrl")).toEqual({
          type: "string",
          description: "Own decision: [D99](docs/decisions#D99).",
          "x-decision": "D99",
        });
        expect(at(create, "responses", "409", "description")).toContain("NAME_TAKEN");
        const list = at(document, "paths", "/api/v1/colours", "get", "parameters");
        expect(list).toMatchObject([
          { name: "offset", in: "query", required: false, schema: { type: "integer", maximum: 1_000_000, default: 0 } },
          { name: "limit", in: "query", required: false, schema: { type: "integer", maximum: 100, default: 20 } },
          { name: "withNote", in: "query", required: false, schema: { type: "boolean" } },
        ]);
        const tone = at(document, "paths", "/api/v1/colours/{colourKey}/{tone}", "delete", "parameters");
        expect(tone).toMatchObject([
          { name: "colourKey", in: "path", required: true, schema: { type: "string", format: "uuid" } },
          { name: "tone", in: "path", required: true, schema: { type: "string", enum: ["DARK", "LIGHT"] } },
        ]);
        const forms = at(
          document,
          "paths",
          "/api/v1/colours/{colourKey}",
          "get",
          "responses",
          "200",
          "content",
        ) as Json;
        expect(Object.keys(forms)).toEqual(["application/json", "text/csv"]);
      },
      { routes: colourRoutes },
    ));

  test.each<[Partial<AppSettings>, string]>([
    [{}, "/"],
    [{ basePath: "/cupel" }, "/cupel"],
    [{ basePath: "/cupel", publicUrl: "https://example.org/ml" }, "https://example.org/ml"],
  ])("%j is where the server is", (settings, url) =>
    withApi(
      async (api) => {
        const path = `${settings.basePath ?? ""}/openapi.json`;
        expect(await (await api.request("GET", path)).json()).toMatchObject({ servers: [{ url }] });
      },
      { routes: colourRoutes, settings },
    ),
  );
});

describe("the pages", () => {
  test("come whole, name no other host, and let nothing of another host in", () =>
    withApi(async (api) => {
      const page = await api.request("GET", "/docs", { headers: { accept: "text/html" } });
      const html = await page.text();
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      expect(html).not.toMatch(/https?:|<script>|\son\w+=/);
      for (const [, address] of html.matchAll(/(?:src|href)="(docs[^"]+)"/g)) {
        const part = await api.request("GET", `/${address}`);
        expect(part.status).toBe(200);
        expect((await part.bytes()).length).toBeGreaterThan(50);
      }
      expect([...html.matchAll(/(?:src|href)="docs/g)]).toHaveLength(3);
    }));

  test("every problem code has its place", () =>
    withApi(async (api) => {
      const html = await (await api.request("GET", "/docs/problems")).text();
      for (const [code, { status }] of Object.entries(PROBLEMS)) {
        expect(html).toContain(`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td>`);
      }
      expect(html).toContain("&lt;access_token&gt;");
    }));

  test("the format of model files has its place, which the document names", () =>
    withApi(async (api) => {
      expect(JSON.stringify(await documentOf(api))).toContain("[format](docs/model-format)");
      const html = await (await api.request("GET", "/docs/model-format")).text();
      expect(html).toContain("<h1>The model file</h1>");
      expect(html).toContain('<h2 id="kinds-of-models">');
    }));

  test("every decision that the document names has its place", () =>
    withApi(async (api) => {
      const named = JSON.stringify(await documentOf(api)).match(/docs\/decisions#D\d+/g)!;
      const html = await (await api.request("GET", "/docs/decisions")).text();
      expect(named.length).toBeGreaterThan(100);
      const places = new Set([...html.matchAll(/<h2 id="(D\d+)">/g)].map(([, number]) => `docs/decisions#${number}`));
      expect([...new Set(named)].filter((link) => !places.has(link))).toEqual([]);
      // The index by topic, and entries that name others, lead to places of the page.
      const links = [...html.matchAll(/<a href="#(D\d+)">/g)].map(([, number]) => `docs/decisions#${number}`);
      expect(links.length).toBeGreaterThan(places.size);
      expect(links.filter((link) => !places.has(link))).toEqual([]);
      expect(html).not.toContain("<key>");
    }));
});

describeScenarios("health", startApi, [
  { name: "the process lives", method: "GET", path: "/healthz", expect: { status: 200, body: { status: "ok" } } },
  {
    name: "the server can work, and leaves nothing of its trial",
    method: "GET",
    path: "/readyz",
    expect: {
      status: 200,
      body: { status: "ready" },
      effect: ({ state }) => expect([...new Bun.Glob("*").scanSync(state.locate("uploads"))]).toEqual([]),
    },
  },
  {
    name: "without a database it cannot",
    method: "GET",
    path: "/readyz",
    before: (api) => api.loseDatabase(),
    expect: { status: 503, code: "UNAVAILABLE", fields: ["database"], headers: { "retry-after": "5" } },
  },
  {
    name: "without a disk it cannot",
    method: "GET",
    path: "/readyz",
    before: ({ state }) => {
      rmSync(state.locate("uploads"), { recursive: true });
      writeFileSync(state.locate("uploads"), "");
    },
    expect: { status: 503, code: "UNAVAILABLE", fields: ["disk"] },
  },
]);

test("a server that cannot work still lives", () =>
  withApi(async (api) => {
    api.loseDatabase();
    await expectAnswer(api, await api.request("GET", "/healthz"), { status: 200 });
  }));

test("the document names every decision it rests on, and no other", () =>
  withApi(async (api) => {
    const text = await (await api.request("GET", "/openapi.json")).text();
    const named = new Set([...text.matchAll(/\bD\d\d\b/g)].map(([decision]) => decision));
    const ranges = [
      [1, 53],
      [56, 58],
      [60, 76],
      [79, 82],
      [84, 88],
      [90, 90],
      [93, 96],
    ] as const;
    const published = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    expect([...named].sort()).toEqual(published.map((number) => `D${String(number).padStart(2, "0")}`));
  }));
