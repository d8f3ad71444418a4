// How the dashboard is served: to everybody, never stale, under a policy that lets nothing of another origin in.
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { buildScript } from "../../../src/dashboard/script.ts";
import type { AppSettings } from "../../../src/service/app.ts";
import { type TestApi, withApi } from "../../support/api.ts";

const withSettings = (settings: Partial<AppSettings>, use: (api: TestApi) => Promise<void>) =>
  withApi(use, { settings });

/** The addresses of the page's parts, as they stand in it. */
async function partsOf(page: Response): Promise<string[]> {
  return [...(await page.text()).matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, address]) => address!);
}

describe("the page", () => {
  test("is asked for anew each time, runs and loads nothing but its own parts, and is a frame to nobody", () =>
    withSettings({}, async (api) => {
      const page = await api.request("GET", "/");
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("cache-control")).toBe("no-cache");
      const policy = page.headers.get("content-security-policy")!.split("; ");
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      const html = await page.text();
      expect(html).not.toMatch(/https?:|<script>|<style|style=|\son\w+=/);
      const etag = page.headers.get("etag")!;
      const again = await api.request("GET", "/", { headers: { "if-none-match": `W/${etag}` } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }));

  test.each(["", "/ml", "/ml/cupel"])("finds its parts below %j, by relative addresses", (basePath) =>
    withSettings({ basePath }, async (api) => {
      const parts = await partsOf(await api.request("GET", `${basePath}/`));
      expect(parts.map((part) => part.replace(/-[0-9a-f]{12}(-\w+)?\./, "-…."))).toEqual([
        "assets/icon-….svg",
        "assets/dashboard-….css",
        "assets/dashboard-….js",
        "assets/dashboard-….js",
      ]);
      for (const part of parts) expect((await api.request("GET", `${basePath}/${part}`)).status).toBe(200);
    }),
  );

  test("is found without the final slash of the base path", () =>
    withSettings({ basePath: "/ml/cupel" }, async (api) => {
      const answer = await api.request("GET", "/ml/cupel");
      expect([answer.status, answer.headers.get("location")]).toEqual([308, "cupel/"]);
      expect((await api.request("GET", "/")).status).toBe(404);
      expect((await api.request("POST", "/ml/cupel")).status).toBe(404);
    }));
});

describe("its parts", () => {
  test("and the page are known to whoever has any copy (RFC 9110, 13.1.2), and not to whoever has another", () =>
    withSettings({}, async (api) => {
      for (const path of ["", ...(await partsOf(await api.request("GET", "/")))]) {
        for (const [known, status] of [
          ["*", 304],
          ['"other"', 200],
        ] as const) {
          for (const method of ["GET", "HEAD"]) {
            const answer = await api.request(method, `/${path}`, { headers: { "if-none-match": known } });
            expect([path, known, method, answer.status]).toEqual([path, known, method, status]);
          }
        }
      }
    }));

  test("stay for ever under their names, and come in the coding that the browser likes", () =>
    withSettings({}, async (api) => {
      for (const part of await partsOf(await api.request("GET", "/"))) {
        const ask = (accepted: string) => api.request("GET", `/${part}`, { headers: { "accept-encoding": accepted } });
        const plain = await ask("identity");
        expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(plain.headers.get("vary")).toBe("accept-encoding");
        expect(plain.headers.get("content-encoding")).toBeNull();
        const content = Buffer.from(await plain.arrayBuffer());
        const brotli = await ask("gzip, deflate, br");
        expect(brotli.headers.get("content-encoding")).toBe("br");
        expect(brotliDecompressSync(await brotli.arrayBuffer()).equals(content)).toBeTrue();
        const gzip = await ask("gzip, br;q=0");
        expect(gzip.headers.get("content-encoding")).toBe("gzip");
        expect(gunzipSync(await gzip.arrayBuffer()).equals(content)).toBeTrue();
      }
    }));

  test.each(["/assets/dashboard-000000000000.js", "/assets/", "/assets/..%2fpackage.json", "/assets/a%00b"])(
    "are no more than there are: %s",
    (path) =>
      withSettings({}, async (api) => {
        const answer = await api.request("GET", path);
        expect([400, 404]).toContain(answer.status);
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
        expect(answer.headers.get("cache-control")).toBe("no-store");
      }),
  );
});

/**
 * Of what comes with the first page, compressed by gzip: room for growth, and none for a library that nobody noticed.
 */
const MOST_FIRST_BYTES = 40_000;

test("the script is the same again from the same sources, and holds nothing of the server", async () => {
  const [first, second] = [await buildScript(), await buildScript()];
  expect(first).toEqual(second);
  const atOnce = [first.main, ...first.alsoNeeded].map((name) => gzipSync(first.texts[name]!).length);
  expect(atOnce.reduce((sum, bytes) => sum + bytes)).toBeLessThan(MOST_FIRST_BYTES);
  // Screens that draw, and the sending of large files, come by themselves, by an address beside the others'.
  const later = Object.keys(first.texts).filter((name) => ![first.main, ...first.alsoNeeded].includes(name));
  const asking = [first.main, ...first.alsoNeeded].map((name) => first.texts[name]).join("\n");
  for (const name of later) expect(asking).toContain(`import("./${name}")`);
  expect(later).not.toBeEmpty();
  const inside = first.files.filter((path) =>
    /(^|\/)(data\/(?!database\/audit-actions)|workers\/|src\/(auth|jobs|commands|routing|service|storage)\/)|elysia|drizzle/.test(
      path,
    ),
  );
  expect(inside).toEqual([]);
  // This process runs papaparse itself, as the server does.
  expect(first.files.filter((path) => path.includes("papaparse"))).toEqual(["node_modules/papaparse/papaparse.min.js"]);
  expect(Object.values(first.texts).join()).not.toContain(process.cwd());
});
