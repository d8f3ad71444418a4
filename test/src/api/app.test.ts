// What holds for every route: who gets in, what is answered where there is no route, and what every answer has.
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import type { AppSettings } from "../../../src/service/app.ts";
import { describeScenarios, expectAnswer, startApi, type TestApi, withApi } from "../../support/api.ts";
import { colourRoutes } from "../../support/colours.ts";

const KEY = "8c1b2a34-5d6e-4f70-8a9b-0c1d2e3f4a5b";
const startColours = () => startApi({ routes: colourRoutes });

/** Runs a test with the routes of the example. */
const withColours = (use: (api: TestApi) => Promise<void>, settings: Partial<AppSettings> = {}) =>
  withApi(use, { routes: colourRoutes, settings });

/** Sends bytes as they are and gives all that comes back until the other side ends. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("latin1");
    socket.on("data", (piece: string) => {
      answer += piece;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

const OPEN_ROUTES = [
  "GET /",
  "GET /assets/{name}",
  "GET /clients/{name}",
  "GET /docs",
  "GET /docs/clients",
  "GET /docs/decisions",
  "GET /docs/model-format",
  "GET /docs/problems",
  "GET /docs/start.js",
  "GET /docs/swagger-ui-bundle.js",
  "GET /docs/swagger-ui.css",
  "GET /healthz",
  "GET /openapi.json",
  "GET /readyz",
  "POST /api/login",
  "PUT /api/v1/uploads/{key}/{kind}",
  ...["OPTIONS", "POST"].map((method) => `${method} /api/v1/uploads/{key}/{kind}`),
  ...["GET", "PATCH", "DELETE"].map((method) => `${method} /api/v1/uploads/{key}/{kind}/{upload}`),
];

describe("who gets in", () => {
  test("every route of the service is closed, but for these", () =>
    withApi(async (api) => {
      const open: string[] = [];
      for (const { method, path } of api.app.routes) {
        const target = path
          .replace("{kind}", "TRAIN")
          .replace("{version}", "1")
          .replaceAll(/\{\w+\}/g, KEY);
        const response = await api.request(method, target);
        if (response.status !== 401 || response.headers.get("www-authenticate") !== 'Bearer error="invalid_token"') {
          open.push(`${method} ${path}`);
        }
      }
      expect(open.filter((name) => !OPEN_ROUTES.includes(name))).toEqual([]);
      const openPaths = api.app.routes.filter(({ isOpen }) => isOpen).map(({ path }) => path);
      expect(openPaths.filter((path) => /^\/api\/v1\/(?!uploads\/)/.test(path))).toEqual([]);
    }));

  test("a caller is refused before the body is read, which is thrown away then", () =>
    withColours(async ({ app, answered }) => {
      const answeredAtPull: number[] = [];
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          answeredAtPull.push(answered.length);
          if (answeredAtPull.length === 20) controller.close();
          else controller.enqueue(new Uint8Array(65_536));
        },
      });
      const headers = { "content-type": "application/json", authorization: "Bearer nobody" };
      const response = await app.fetch(
        new Request("http://localhost/api/v1/colours", { method: "POST", headers, body }),
      );
      expect(response.status).toBe(401);
      await response.text();
      // A stream asks for its first chunk whether anybody reads it or not.
      expect(answeredAtPull.slice(1)).toEqual(Array(19).fill(1));
    }));

  describeScenarios("credentials", startColours, [
    {
      name: "none",
      method: "GET",
      path: "/api/v1/colours",
      expect: { status: 401, code: "INVALID_TOKEN", headers: { "www-authenticate": 'Bearer error="invalid_token"' } },
    },
    {
      name: "one of another scheme",
      method: "GET",
      path: "/api/v1/colours",
      headers: { authorization: "Basic YWRhOng=" },
      expect: { status: 401, code: "INVALID_TOKEN" },
    },
    { name: "a login's token", method: "GET", path: "/api/v1/colours", as: "ada", expect: { status: 200 } },
    {
      name: "the same in the query is none",
      method: "GET",
      path: async (api) => `/api/v1/colours?access_token=${await api.tokenOf("ada")}`,
      expect: { status: 401, code: "INVALID_TOKEN" },
    },
  ]);

  test("API keys may do what their scopes say, and no key what is left to logins", () =>
    withColours(async (api) => {
      const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
      const statusOf = async (method: string, path: string, key: string, body?: object) =>
        (await api.request(method, path, { ...bearer(key), body })).status;
      const [read, write, predict] = [["read"], ["write"], ["predict"]].map((scopes) =>
        api.apiKeyOf("ada", scopes as ["read"]),
      ) as [string, string, string];
      expect(await statusOf("GET", "/api/v1/colours", read)).toBe(200);
      expect(await statusOf("GET", "/api/v1/colours", predict)).toBe(403);
      expect(await statusOf("GET", `/api/v1/colours/${KEY}`, predict)).toBe(404);
      expect(await statusOf("POST", "/api/v1/colours", read, { name: "red" })).toBe(403);
      expect(await statusOf("POST", "/api/v1/colours", write, { name: "red" })).toBe(201);
      await expectAnswer(api, await api.request("DELETE", `/api/v1/colours/${KEY}/LIGHT`, bearer(write)), {
        status: 403,
        code: "FORBIDDEN",
        body: { detail: "This needs a login's token." },
      });
      expect((await api.request("DELETE", `/api/v1/colours/${KEY}/LIGHT`, { as: "ada" })).status).toBe(204);
    }));

  test("one part of a path has one name", async () => {
    const other = startApi({
      routes: (services) => {
        const routes = colourRoutes(services);
        return [...routes, { ...routes[0]!, path: "/api/v1/colours/{key}/more", operationId: "other" }];
      },
    });
    await expect(other).rejects.toThrow(
      "/api/v1/colours/{key}/more calls {key} what /api/v1/colours/{colourKey} calls {colourKey}: give both one name",
    );
  });

  test("two routes cannot be one", async () => {
    const twice = startApi({ routes: (services) => [...colourRoutes(services), ...colourRoutes(services)] });
    await expect(twice).rejects.toThrow("two routes are called");
  });
});

describe("the path is what it seems (a router that looks for it at a fixed place lets others in)", () => {
  test("a short host brings no other path", () =>
    withColours(
      async (api) => {
        const { port } = api.listen();
        const token = await api.tokenOf("ada");
        const ask = (path: string, host: string) =>
          sendRaw(
            port,
            `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
          );
        expect(await ask("/api/v1/colours", "x")).toStartWith("HTTP/1.1 200 ");
        expect(await ask("/zz/api/v1/colours", "x")).toStartWith("HTTP/1.1 404 ");
        expect(await ask("/zz/api/v1/colours", "localhost")).toStartWith("HTTP/1.1 404 ");
        expect(await ask("//api/v1/colours", "x")).toStartWith("HTTP/1.1 404 ");
        expect(await ask("http://x/api/v1/colours", "x")).toStartWith("HTTP/1.1 200 ");
      },
      { hostNames: ["x"] },
    ));

  test.each(["http://x", "http://localhost", "http://127.0.0.1:8730", "http://[::1]:8730"])("%s", (origin) =>
    withColours(
      async ({ app }) => {
        expect((await app.fetch(new Request(`${origin}/openapi.json`))).status).toBe(200);
        expect((await app.fetch(new Request(`${origin}/zz/openapi.json`))).status).toBe(404);
      },
      { hostNames: ["x"] },
    ),
  );

  test.each([
    ["https://localhost", 200],
    ["https://abc", 200],
    ["https://127.0.0.1:8730", 200],
    // A name of two letters is where the router would be misled: it gets nothing, rather than something else.
    ["https://ab", 404],
  ])("%s, by TLS", (origin, status) =>
    withColours(
      async ({ app }) => {
        expect((await app.fetch(new Request(`${origin}/openapi.json`))).status).toBe(status);
        expect((await app.fetch(new Request(`${origin}/zz/openapi.json`))).status).toBe(404);
        expect((await app.fetch(new Request(`${origin}/z/openapi.json`))).status).toBe(404);
      },
      { hostNames: ["ab", "abc"], isTls: true },
    ),
  );
});

describe("names of the server", () => {
  test("others are refused, on whatever path", () =>
    withColours(async (api) => {
      for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"]) {
        for (const path of ["/healthz", "/api/v1/colours", "/none"]) {
          const response = await api.app.fetch(new Request(`http://${host}${path}`));
          const detail = expect.stringContaining(`start it with --allowed-hosts ${host} `);
          await expectAnswer(api, response, { status: 421, code: "HOST_NOT_ALLOWED", body: { detail } });
        }
      }
    }));

  test.each(["", "Host: \r\n", "Host: localhost@evil.example\r\n", "Host: evil.example\r\n"])("%j", (line) =>
    withColours(async (api) => {
      const { port } = api.listen();
      const answer = await sendRaw(port, `GET /docs HTTP/1.${line === "" ? 0 : 1}\r\n${line}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 (421|400) /);
      expect(answer).not.toContain("<html");
    }),
  );
});

describeScenarios("where there is no route, and where a route is asked for something else", startColours, [
  {
    name: "an unknown path",
    method: "GET",
    path: "/api/v1/colour",
    as: "ada",
    expect: { status: 404, code: "NOT_FOUND" },
  },
  { name: "the root", method: "GET", path: "/", expect: { status: 404, code: "NOT_FOUND" } },
  { name: "a slash too many", method: "GET", path: "/api/v1/colours/", as: "ada", expect: { status: 404 } },
  {
    name: "an unknown method",
    method: "PATCH",
    path: "/api/v1/colours",
    as: "ada",
    expect: { status: 405, code: "METHOD_NOT_ALLOWED", headers: { allow: "POST, GET, HEAD" } },
  },
  {
    name: "an unknown method of a path with parameters",
    method: "POST",
    path: `/api/v1/colours/${KEY}`,
    expect: { status: 405, code: "METHOD_NOT_ALLOWED", headers: { allow: "GET, HEAD" } },
  },
  {
    name: "HEAD where there is no GET",
    method: "HEAD",
    path: `/api/v1/colours/${KEY}/DARK`,
    expect: { status: 405, code: "METHOD_NOT_ALLOWED", headers: { allow: "DELETE" } },
  },
  {
    name: "a form that the answer does not have",
    method: "GET",
    path: "/api/v1/colours",
    as: "ada",
    headers: { accept: "text/html, image/*" },
    expect: { status: 406, code: "NOT_ACCEPTABLE" },
  },
  {
    name: "a key that is none",
    method: "GET",
    path: "/api/v1/colours/7",
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["colourKey"] },
  },
  {
    name: "a key that cannot be decoded",
    method: "GET",
    path: "/api/v1/colours/%zz",
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["colourKey"] },
  },
  {
    name: "another parameter of the path that is none",
    method: "DELETE",
    path: `/api/v1/colours/${KEY}/GREY`,
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["tone"] },
  },
  {
    name: "a body of another type",
    method: "POST",
    path: "/api/v1/colours",
    as: "ada",
    headers: { "content-type": "text/plain" },
    body: '{"name": "red"}',
    expect: { status: 415, code: "UNSUPPORTED_MEDIA_TYPE", headers: { accept: "application/json" } },
  },
  {
    name: "a body above the limit",
    method: "POST",
    path: "/api/v1/colours",
    as: "ada",
    headers: { "content-length": "70000" },
    body: { name: "red" },
    expect: { status: 413, code: "BODY_TOO_LARGE" },
  },
  {
    name: "a body that is wrong in two fields",
    method: "POST",
    path: "/api/v1/colours",
    as: "ada",
    body: { name: "<b>", numberOfBuckets: "10" },
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["name", "numberOfBuckets"] },
  },
  {
    name: "a parameter of the query that does not exist",
    method: "GET",
    path: "/api/v1/colours?size=3",
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["size"] },
  },
]);

describeScenarios("a resource", startColours, [
  {
    name: "is created, with headers and an absolute address",
    method: "POST",
    path: "/api/v1/colours",
    as: "ada",
    body: { name: "vermilion", layers: [{ depth: 1 }] },
    expect: {
      status: 201,
      body: { name: "vermilion", note: null, numberOfBuckets: 20 },
      headers: {
        location: /^http:\/\/localhost\/api\/v1\/colours\/[0-9a-f-]{36}$/,
        "cache-control": "no-store",
        "content-security-policy": /default-src 'none'/,
        "referrer-policy": "no-referrer",
      },
    },
  },
  {
    name: "is refused by the handler",
    method: "POST",
    path: "/api/v1/colours",
    as: "ada",
    body: { name: " red" },
    before: (api) => api.request("POST", "/api/v1/colours", { as: "ada", body: { name: "red" } }),
    expect: { status: 409, code: "NAME_TAKEN", body: { instance: "/api/v1/colours" } },
  },
  {
    name: "belongs to its owner",
    method: "GET",
    path: "/api/v1/colours",
    as: "bob",
    before: (api) => api.request("POST", "/api/v1/colours", { as: "ada", body: { name: "red" } }),
    expect: { status: 200, body: { colours: [], offset: 0, limit: 20, total: 0, nextOffset: null } },
  },
]);

describe("answers", () => {
  test("a fault tells the client nothing of the inside, and the log everything", () =>
    withColours(async (api) => {
      const response = await api.request("DELETE", `/api/v1/colours/${KEY}/DARK`, { as: "ada" });
      await expectAnswer(api, response, { status: 500, code: "INTERNAL" });
      const text = await response.text();
      expect(text).not.toContain("secret");
      expect(text).not.toContain("colours.ts");
      expect(api.faults).toMatchObject([{ message: "the dark tone is /etc/secret" }]);
      const { requestId } = JSON.parse(text) as { requestId: string };
      expect(api.answered.at(-1)).toMatchObject({
        requestId,
        method: "DELETE",
        route: "/api/v1/colours/{colourKey}/{tone}",
        status: 500,
        code: "INTERNAL",
        caller: { userKey: api.ada.key },
      });
    }));

  test("the form that the client likes best", () =>
    withColours(async (api) => {
      const created = await api.request("POST", "/api/v1/colours", { as: "ada", body: { name: "red" } });
      const { colourKey } = (await created.json()) as { colourKey: string };
      const path = `/api/v1/colours/${colourKey.toUpperCase()}`;
      const csv = await api.request("GET", path, { as: "ada", headers: { accept: "text/csv" } });
      await expectAnswer(api, csv, { status: 200, headers: { "content-type": "text/csv" } });
      expect(await csv.text()).toBe("name\nred\n");
      const json = await api.request("GET", path, { as: "ada", headers: { accept: "*/*" } });
      expect(await json.json()).toMatchObject({ name: "red", colourKey });
    }));

  test("HEAD is GET without its body, from a real server", () =>
    withColours(async (api) => {
      const { origin } = api.listen();
      const headers = { authorization: `Bearer ${await api.tokenOf("ada")}` };
      for (const path of ["/api/v1/colours", "/docs/swagger-ui-bundle.js", "/openapi.json"]) {
        const get = await fetch(origin + path, { headers });
        const { length } = await get.bytes();
        const head = await fetch(origin + path, { headers, method: "HEAD" });
        expect(head.status).toBe(200);
        expect(Number(head.headers.get("content-length"))).toBe(length);
        expect(await head.text()).toBe("");
      }
    }));

  test("below a base path, everything is below it and nothing beside it", () =>
    withColours(
      async (api) => {
        const created = await api.request("POST", "/cupel/api/v1/colours", { as: "ada", body: { name: "red" } });
        await expectAnswer(api, created, {
          status: 201,
          headers: { location: /^http:\/\/localhost\/cupel\/api\/v1\/colours\// },
        });
        const detail = "There is no such path; /cupel/docs lists those that exist.";
        for (const path of ["/api/v1/colours", "/docs", "/cupelapi/v1/colours", "/cupel/none"]) {
          await expectAnswer(api, await api.request("GET", path, { as: "ada" }), { status: 404, body: { detail } });
        }
        const refused = await api.request("GET", "/cupel/api/v1/colours");
        await expectAnswer(api, refused, {
          status: 401,
          body: { type: "/cupel/docs/problems#INVALID_TOKEN", instance: "/cupel/api/v1/colours" },
        });
        expect((await api.request("GET", "/cupel/docs")).status).toBe(200);
      },
      { basePath: "/cupel" },
    ));

  test("a public address is what links begin with, whatever the request says", () =>
    withColours(
      async (api) => {
        const created = await api.request("POST", "/api/v1/colours", { as: "ada", body: { name: "red" } });
        expect(created.headers.get("location")).toStartWith("https://example.org/ml/api/v1/colours/");
      },
      { publicUrl: "https://example.org/ml" },
    ));

  test("requests at once keep apart", () =>
    withColours(async (api) => {
      const { origin } = api.listen();
      const headers = { "content-type": "application/json" };
      const created = await Promise.all(
        Array.from({ length: 60 }, async (_, at) => {
          const authorization = `Bearer ${await api.tokenOf(at % 2 === 0 ? "ada" : "bob")}`;
          const body = JSON.stringify({ name: `colour ${at}` });
          return fetch(`${origin}/api/v1/colours`, { method: "POST", headers: { ...headers, authorization }, body });
        }),
      );
      expect(created.map(({ status }) => status)).toEqual(Array(60).fill(201));
      expect(new Set(created.map((response) => response.headers.get("x-request-id"))).size).toBe(60);
      for (const user of ["ada", "bob"] as const) {
        const list = await api.request("GET", "/api/v1/colours?limit=7&offset=21", { as: user });
        expect(await list.json()).toMatchObject({ total: 30, nextOffset: 28 });
      }
    }));
});

describe("a credential that asks too often", () => {
  test("has to wait, however it is written, and no other", () =>
    withApi(async (api) => {
      const token = await api.tokenOf("ada");
      const authorization = `Bearer ${token}`;
      for (let left = 1_000; left > 0; left--) expect(api.services.requestLimit.admit(api.ada.key)).toBeNull();
      for (const spelling of [`bearer ${token}`, `Bearer   ${token}`, `BEARER ${token} `]) {
        const respelt = await api.request("GET", "/api/v1/limits", { headers: { authorization: spelling } });
        expect(respelt.status).toBe(429);
      }
      const refused = await api.request("GET", "/api/v1/limits", { headers: { authorization } });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(await refused.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
      const apiKey = { authorization: `Bearer ${api.apiKeyOf("ada", ["read"])}` };
      expect((await api.request("GET", "/api/v1/limits", { headers: apiKey })).status).toBe(200);
      expect((await api.request("GET", "/api/v1/limits", { as: "bob" })).status).toBe(200);
      api.pass(1);
      expect((await api.request("GET", "/api/v1/limits", { headers: { authorization } })).status).toBe(200);
    }));
});

describe("an operation that takes no body", () => {
  const UNKNOWN = "11111111-2222-4333-8444-555555555555";
  const bodiless = ({ routes }: TestApi["app"]) =>
    routes.filter(
      ({ method, body, rawBodies, isOpen }) => method !== "GET" && !isOpen && body === null && rawBodies.length === 0,
    );

  test("refuses fields, whatever type they are sent as", () =>
    withApi(async (api) => {
      expect(bodiless(api.app).map(({ operationId }) => operationId)).toContain("startRefinement");
      for (const { method, path } of bodiless(api.app)) {
        const place = path.replace("{kind}", "TRAIN").replaceAll(/\{\w+\}/g, UNKNOWN);
        for (const type of ["application/json", "text/plain"]) {
          const headers = { "content-type": type };
          const response = await api.request(method, place, { as: "grace", headers, body: '{"surprise":1}' });
          await expectAnswer(api, response, { status: 400, code: "VALIDATION_FAILED", fields: ["surprise"] });
        }
      }
    }));

  test("takes an empty one, and an object without fields", () =>
    withApi(async (api) => {
      for (const { method, path } of bodiless(api.app)) {
        const place = path.replace("{kind}", "TRAIN").replaceAll(/\{\w+\}/g, UNKNOWN);
        for (const body of [undefined, "", "{}", {}]) {
          const { status } = await api.request(method, place, { as: "grace", body });
          expect([path, status]).toEqual([path, method === "DELETE" && status === 204 ? 204 : 404]);
        }
      }
    }));
});
