// A rotation of the secret under running sessions: what was made before it stays good until it ends, or ends at once.
import { describe, expect, test } from "bun:test";
import { rotateSecret } from "../../../data/database/secret.ts";
import { SECRET_OVERLAP_SECONDS } from "../../../src/auth/rotating-secrets.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../../../src/auth/signed-urls.ts";
import { TOKEN_LIFETIME_SECONDS } from "../../../src/auth/tokens.ts";
import { type TestApi, withApi } from "../../support/api.ts";

const withoutFaults = (use: (api: TestApi) => Promise<void>) =>
  withApi(async (api) => {
    await use(api);
    expect(api.faults).toEqual([]);
  });

const rotate = ({ state, database, services }: TestApi, keepSeconds: number) =>
  rotateSecret(state.path, database, services.now().getTime(), keepSeconds * 1_000);

const statusOf = async (api: TestApi, token: string) =>
  (await api.request("GET", "/api/v1/limits", { headers: { authorization: `Bearer ${token}` } })).status;

/** A new run's address for its TRAIN file, and a PUT to it. */
async function newUpload(api: TestApi) {
  const created = await api.request("POST", "/api/v1/feature-refinery", { as: "ada", body: {} });
  const { uploadTargets } = (await created.json()) as { uploadTargets: { url: string; requiredHeader: string }[] };
  const [{ url, requiredHeader }] = uploadTargets as [{ url: string; requiredHeader: string }];
  const [name, value] = requiredHeader.split(": ") as [string, string];
  const body = "a,b\n1,x\n2,y\n";
  const headers = { [name]: value, "content-length": String(body.length) };
  return async () => (await api.request("PUT", url.replace("http://localhost", ""), { headers, body })).status;
}

describe("a rotation", () => {
  test("lets sessions and upload addresses of before last as long as they would have, and no longer", () =>
    withoutFaults(async (api) => {
      const before = await api.tokenOf("ada");
      const upload = await newUpload(api);
      expect(await statusOf(api, before)).toBe(200);
      rotate(api, SECRET_OVERLAP_SECONDS);
      const after = await api.tokenOf("ada");
      expect([await statusOf(api, before), await statusOf(api, after), await upload()]).toEqual([200, 200, 200]);
      api.pass(SECRET_OVERLAP_SECONDS - 60);
      expect([await statusOf(api, before), await statusOf(api, after), await upload()]).toEqual([200, 200, 200]);
      api.pass(61);
      expect([await statusOf(api, before), await upload()]).toEqual([401, 403]);
      expect(await statusOf(api, await api.tokenOf("ada"))).toBe(200);
    }));

  test("overlaps as long as anything that was signed can last", () => {
    expect(SECRET_OVERLAP_SECONDS).toBeGreaterThanOrEqual(TOKEN_LIFETIME_SECONDS);
    expect(SECRET_OVERLAP_SECONDS).toBeGreaterThanOrEqual(SIGNED_URL_LIFETIME_SECONDS);
  });

  test("tells an address that has expired from one that was never ours, under either secret", () =>
    withoutFaults(async (api) => {
      const upload = await newUpload(api);
      api.pass(SIGNED_URL_LIFETIME_SECONDS - 10);
      rotate(api, SECRET_OVERLAP_SECONDS);
      expect(await upload()).toBe(200);
      api.pass(20);
      expect(await upload()).toBe(403);
      const target = { method: "PUT", path: "/p", key: "k", kind: "TRAIN" };
      const query = api.services.signedUrls.sign(target, { leastBytes: 1, mostBytes: 2 });
      api.pass(SIGNED_URL_LIFETIME_SECONDS - 10);
      rotate(api, SECRET_OVERLAP_SECONDS);
      api.pass(20);
      expect(api.services.signedUrls.verify(target, query)).toEqual({ ok: false, reason: "expired" });
      expect(api.services.signedUrls.verify({ ...target, key: "other" }, query)).toEqual({ ok: false, reason: "bad" });
    }));

  test("after a leak ends everything that was signed with the next request, also what was verified a moment ago", () =>
    withoutFaults(async (api) => {
      const before = await api.tokenOf("ada");
      const upload = await newUpload(api);
      const apiKey = api.apiKeyOf("ada", ["read"]);
      expect(await statusOf(api, before)).toBe(200);
      rotate(api, 0);
      expect([await statusOf(api, before), await upload()]).toEqual([401, 403]);
      expect(await statusOf(api, await api.tokenOf("ada"))).toBe(200);
      expect(await statusOf(api, apiKey)).toBe(200);
    }));

  test("after a leak ends a rotation's overlap too", () =>
    withoutFaults(async (api) => {
      const before = await api.tokenOf("ada");
      rotate(api, SECRET_OVERLAP_SECONDS);
      expect(await statusOf(api, before)).toBe(200);
      rotate(api, 0);
      expect(await statusOf(api, before)).toBe(401);
    }));
});
