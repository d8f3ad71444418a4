// The clients over HTTP: to everybody, never stale, under their own names; and the page that describes them.
import { expect, test } from "bun:test";
import { CLIENT_NAMES, CLIENTS } from "../../../src/clients/clients.ts";
import { describeScenarios, startApi, type TestApi, withApi } from "../../support/api.ts";

/** Runs a test with a server that knows another site. */
const withSite = (use: (api: TestApi) => Promise<void>, basePath = "") =>
  withApi(use, { settings: { basePath, corsOrigins: ["https://app.example.org"] } });

describeScenarios("clients", () => startApi(), [
  ...CLIENT_NAMES.map((name) => ({
    name,
    method: "GET",
    path: `/clients/${name}`,
    expect: {
      status: 200,
      headers: { "content-type": CLIENTS[name].contentType, "cache-control": "no-cache" },
      effect: async (_: unknown, __: unknown, body: unknown) => expect(body).toBe(await CLIENTS[name].text()),
    },
  })),
  {
    name: "are of known names",
    method: "GET",
    path: "/clients/cupel.exe",
    expect: { status: 400, code: "VALIDATION_FAILED" },
  },
]);

test("whoever has one is told so, and types are named beside the module", () =>
  withSite(async (api) => {
    const first = await api.request("GET", "/ml/clients/cupel.js");
    expect(first.headers.get("x-typescript-types")).toBe("./cupel.d.ts");
    const etag = first.headers.get("etag")!;
    const again = await api.request("GET", "/ml/clients/cupel.js", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const packed = await api.request("GET", "/ml/clients/cupel.js", { headers: { "accept-encoding": "gzip" } });
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(await first.text());
  }, "/ml"));

test("another site may load it where the server knows that site, and send what creates something", () =>
  withSite(async (api) => {
    const origin = "https://app.example.org";
    const module = await api.request("GET", "/clients/cupel.js", { headers: { origin } });
    expect(module.headers.get("access-control-allow-origin")).toBe(origin);
    const asking = { origin, "access-control-request-method": "POST" };
    const preflight = await api.request("OPTIONS", "/api/v1/datasets", { headers: asking });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
  }));

test("the reference names them, and they are described", () =>
  withSite(async (api) => {
    const document = await (await api.request("GET", "/openapi.json")).text();
    const html = await (await api.request("GET", "/docs/clients")).text();
    for (const name of CLIENT_NAMES) {
      expect(document).toContain(`[${name}](clients/${name})`);
      expect(html).toContain(`/clients/${name}`);
    }
    expect(document).toContain("](docs/clients)");
    expect(html).toContain('<h2 id="typescript-and-javascript">');
  }));
