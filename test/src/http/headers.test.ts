// Headers that guard: on every answer whatever it is, and what scripts of other sites are told.
import { describe, expect, test } from "bun:test";
import type { AppSettings } from "../../../src/service/app.ts";
import { type TestApi, withApi } from "../../support/api.ts";
import { addPredictionIn, addScorer } from "../api/service.ts";

const withSettings = (settings: Partial<AppSettings>, use: (api: TestApi) => Promise<void>) =>
  withApi(use, { settings });

const SITE = "https://app.example.org";
const SITES = { corsOrigins: [SITE, "http://localhost:3000"] };

/** Answers of every kind: data, files, pages, refusals of the app and of the router beneath it. */
async function answersOf(api: TestApi, headers: Record<string, string> = {}): Promise<Record<string, Response>> {
  const { modelKey } = addScorer(api, "ada");
  const key = addPredictionIn(api, modelKey, "COMPLETED");
  const ask = (method: string, path: string, more: Record<string, string> = {}) =>
    api.request(method, path, { as: "ada", headers: { ...headers, ...more } });
  const file = `/api/v1/predictions/${key}/file`;
  const range = { range: "bytes=0-3" };
  return {
    data: await ask("GET", "/api/v1/limits"),
    file: await ask("GET", file),
    "part of a file": await ask("GET", file, range),
    "no such part": await ask("GET", file, { range: "bytes=9999-" }),
    "known file": await ask("GET", file, { "if-none-match": "*" }),
    deleted: await ask("DELETE", `/api/v1/predictions/${key}`),
    report: await ask("GET", `/api/v1/models/${modelKey}/versions/1/report`),
    model: await ask("GET", `/api/v1/models/${modelKey}/versions/1/file`),
    dashboard: await ask("GET", "/"),
    page: await ask("GET", "/docs"),
    script: await ask("GET", "/docs/swagger-ui-bundle.js"),
    document: await ask("GET", "/openapi.json"),
    health: await ask("GET", "/healthz"),
    "no credential": await api.request("GET", "/api/v1/limits", { headers }),
    "no path": await ask("GET", "/none"),
    "no method": await ask("PATCH", "/api/v1/limits"),
    "an asking browser": await ask("OPTIONS", "/api/v1/limits", { "access-control-request-method": "GET" }),
    "no host of ours": await api.app.fetch(new Request("http://evil.example/healthz", { headers })),
  };
}

describe("every answer", () => {
  test("lets nothing in it run, be framed, be guessed at or be kept", () =>
    withSettings({}, async (api) => {
      for (const [name, { headers }] of Object.entries(await answersOf(api))) {
        const policy = headers.get("content-security-policy") ?? "";
        expect({ name, policy }).toMatchObject({ policy: expect.stringMatching(/^default-src 'none'/) });
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
        expect([name, headers.get("x-content-type-options")]).toEqual([name, "nosniff"]);
        expect([name, headers.get("referrer-policy")]).toEqual([name, "no-referrer"]);
        expect([name, headers.get("cross-origin-resource-policy")]).toEqual([name, "same-origin"]);
        expect([name, headers.get("cross-origin-opener-policy")]).toEqual([name, "same-origin"]);
        expect(headers.get("cache-control")).toMatch(/^(no-store|private|no-cache)$/);
        expect([name, headers.get("strict-transport-security")]).toEqual([name, null]);
        expect([...headers.keys()].filter((header) => header.startsWith("access-control"))).toEqual([]);
        expect(headers.get("set-cookie")).toBeNull();
      }
    }));

  test.each<Partial<AppSettings>>([{ publicUrl: "https://example.org/ml" }, { isTls: true }])(
    "asks for TLS ever after where there is TLS: %j",
    (settings) =>
      withSettings({ ...settings, hostNames: ["example.org"] }, async (api) => {
        const scheme = settings.isTls === true ? "https" : "http";
        for (const path of ["/healthz", "/none", "/api/v1/limits", "/docs"]) {
          const { headers } = await api.app.fetch(new Request(`${scheme}://example.org${path}`));
          expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
        }
      }),
  );
});

describe("scripts of other sites", () => {
  test("of a named origin may read every answer, and no cache mixes it up", () =>
    withSettings(SITES, async (api) => {
      for (const [name, { headers }] of Object.entries(await answersOf(api, { origin: SITE }))) {
        expect([name, headers.get("access-control-allow-origin")]).toEqual([name, SITE]);
        expect(headers.get("vary")).toMatch(/\borigin$/);
        expect(headers.get("access-control-allow-credentials")).toBeNull();
        expect(headers.get("access-control-expose-headers")).toContain("retry-after");
      }
    }));

  test.each([
    "null",
    "*",
    "https://app.example.org.evil.example",
    "https://APP.example.org",
    "http://app.example.org",
    "",
  ])("of the origin %j may read none", (origin) =>
    withSettings(SITES, async (api) => {
      for (const [name, response] of Object.entries(await answersOf(api, { origin }))) {
        expect([name, response.headers.get("access-control-allow-origin")]).toEqual([name, null]);
        expect(response.headers.get("vary")).toMatch(/\borigin$/);
      }
    }),
  );

  test("ask before they send, without a credential; then nothing is done yet", () =>
    withSettings(SITES, async (api) => {
      const ask = (origin: string) =>
        api.request("OPTIONS", "/api/v1/feature-refinery", {
          headers: { origin, "access-control-request-method": "POST" },
        });
      const allowed = await ask(SITE);
      expect(allowed.status).toBe(204);
      expect(await allowed.text()).toBe("");
      expect(Object.fromEntries(allowed.headers)).toMatchObject({
        "access-control-allow-origin": SITE,
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": expect.stringContaining("authorization, content-type"),
        "access-control-max-age": "600",
        vary: "origin",
      });
      expect((await ask("https://evil.example")).status).toBe(405);
      expect((await ask("null")).status).toBe(405);
      const plain = await api.request("OPTIONS", "/api/v1/feature-refinery", { headers: { origin: SITE } });
      expect(plain.status).toBe(405);
      const elsewhere = new Request("http://evil.example/", {
        method: "OPTIONS",
        headers: { origin: SITE, "access-control-request-method": "GET" },
      });
      expect((await api.app.fetch(elsewhere)).status).toBe(421);
    }));

  test("may read nothing where none is named, and are not even spoken of", () =>
    withSettings({}, async (api) => {
      const headers = { origin: SITE, "access-control-request-method": "GET" };
      const asked = await api.request("OPTIONS", "/api/v1/limits", { headers });
      expect([asked.status, asked.headers.get("vary")]).toEqual([405, null]);
    }));
});
