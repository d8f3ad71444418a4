// API keys over HTTP: made by a login alone, shown once, listed without their secrets, revoked for good.
import { describe, expect, test } from "bun:test";
import { listApiKeys } from "../../../../data/api-keys.ts";
import { SCOPES } from "../../../../src/auth/api-key.ts";
import {
  describeScenarios,
  type Expected,
  expectAnswer,
  type Scenario,
  startApi,
  type TestApi,
  withApi,
} from "../../../support/api.ts";

const PATH = "/api/v1/api-keys";
const ALL = { offset: 0, limit: 100 };
const GOOD = { name: "Nightly scoring", scopes: ["predict"] };

const stored = (api: TestApi) => listApiKeys(api.database, api.ada.key, ALL).items;
const make = (name: string, body: unknown, expected: Expected): Scenario => ({
  name,
  method: "POST",
  path: PATH,
  as: "ada",
  body,
  expect: expected,
});
const refused = (...fields: string[]): Expected => ({
  status: 400,
  code: "VALIDATION_FAILED",
  fields,
  effect: (api) => expect(stored(api)).toEqual([]),
});

describeScenarios("making a key", startApi, [
  make("shows the secret, and stores its hash alone", GOOD, {
    status: 201,
    effect: (api, _, body) => {
      const { apiKey } = body as { apiKey: string };
      expect(body).toEqual({
        ...GOOD,
        apiKeyId: expect.any(String),
        apiKey: expect.stringMatching(/^cupel_[\w-]{43}$/),
        createdOn: expect.any(String),
        expiresOn: null,
      });
      expect(stored(api)).toHaveLength(1);
      expect(JSON.stringify(stored(api))).not.toContain(apiKey.slice(6));
    },
  }),
  make("with every scope", { ...GOOD, scopes: [...SCOPES] }, { status: 201, body: { scopes: [...SCOPES] } }),
  make(
    "with an end, kept in the form that ends are compared in",
    { ...GOOD, expiresOn: "2999-01-01T00:00:00Z" },
    {
      status: 201,
      body: { expiresOn: "2999-01-01T00:00:00.000Z" },
    },
  ),
  make("with no end", { ...GOOD, expiresOn: null }, { status: 201, body: { expiresOn: null } }),
  make("that has ended already", { ...GOOD, expiresOn: "2001-01-01T00:00:00Z" }, refused("expiresOn")),
  ...["2999-13-01T00:00:00Z", "2999-01-01", "tomorrow", 4102444800].map((expiresOn) =>
    make(`with the end ${expiresOn}`, { ...GOOD, expiresOn }, refused("expiresOn")),
  ),
  make(
    "with a day as its end",
    { ...GOOD, expiresOn: "2999-01-01" },
    {
      ...{ status: 400, code: "VALIDATION_FAILED", fields: ["expiresOn"] },
      body: { detail: expect.stringContaining("such as 2030-01-01T00:00:00Z or null; it is") },
    },
  ),
  ...["x", "a key: of 1.0 <b>", "n".repeat(100), "\u{1f600}".repeat(100)].map((name) =>
    make(`named ${name}`, { ...GOOD, name }, { status: 201, body: { name } }),
  ),
  make(
    "with a scope twice",
    { ...GOOD, scopes: ["read", "read"] },
    {
      ...{ status: 400, fields: ["scopes"] },
      body: { errors: [{ code: "REPEATED", message: '"scopes" has "read" more than once.' }] },
    },
  ),
  ...["", " ", " x", "x ", "a\nb", "n".repeat(101), "\u{1f600}".repeat(101), 7].map((name) =>
    make(`named ${JSON.stringify(name)}`, { ...GOOD, name }, refused("name")),
  ),
  ...[[], ["admin"], ["read", "read"], "read", [...SCOPES, "read"]].map((scopes) =>
    make(
      `with the scopes ${JSON.stringify(scopes)}`,
      { ...GOOD, scopes },
      {
        status: 400,
        code: "VALIDATION_FAILED",
        effect: (api) => expect(stored(api)).toEqual([]),
      },
    ),
  ),
  make("without anything", {}, refused("name", "scopes")),
  make("with a secret of one's own", { ...GOOD, apiKey: "cupel_x" }, refused("apiKey")),
]);

async function made(api: TestApi, body: object = GOOD): Promise<{ apiKeyId: string; headers: Record<string, string> }> {
  const response = await api.request("POST", PATH, { as: "ada", body });
  const { apiKeyId, apiKey } = (await response.json()) as { apiKeyId: string; apiKey: string };
  return { apiKeyId, headers: { authorization: `Bearer ${apiKey}` } };
}

describeScenarios("the keys of a user", startApi, [
  {
    name: "newest first, by pages, without secrets or hashes",
    method: "GET",
    path: async (api) => {
      for (const name of ["one", "two", "three"]) {
        await made(api, { ...GOOD, name });
        api.pass(1);
      }
      return `${PATH}?limit=2`;
    },
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) => {
        const item = (name: string) => ({
          apiKeyId: expect.any(String),
          name,
          scopes: ["predict"],
          createdOn: expect.any(String),
          expiresOn: null,
          lastUsedOn: null,
          revokedOn: null,
        });
        const page = { offset: 0, limit: 2, total: 3, nextOffset: 2 };
        expect(body).toEqual({ apiKeys: [item("three"), item("two")], ...page });
      },
    },
  },
]);

describe("a key's life", () => {
  test("it works, notes its use, is revoked for good, and the first date stays", () =>
    withApi(async (api) => {
      const { apiKeyId, headers } = await made(api);
      await expectAnswer(api, await api.request("GET", "/api/v1/limits", { headers }), { status: 200 });
      expect(stored(api)[0]!.lastUsedOn).not.toBeNull();
      const revoke = () => api.request("DELETE", `${PATH}/${apiKeyId}`, { as: "ada" });
      await expectAnswer(api, await revoke(), { status: 204 });
      const { revokedOn } = stored(api)[0]!;
      const refusal = { status: 401, code: "INVALID_TOKEN" } as const;
      await expectAnswer(api, await api.request("GET", "/api/v1/limits", { headers }), refusal);
      api.pass(60);
      await expectAnswer(api, await revoke(), { status: 204 });
      expect(stored(api)[0]!.revokedOn).toBe(revokedOn);
    }));

  test("it ends at its time", () =>
    withApi(async (api) => {
      const expiresOn = new Date(api.services.now().getTime() + 60_000).toISOString();
      const { headers } = await made(api, { ...GOOD, expiresOn });
      const use = () => api.request("GET", "/api/v1/limits", { headers });
      await expectAnswer(api, await use(), { status: 200 });
      api.pass(61);
      await expectAnswer(api, await use(), { status: 401, code: "INVALID_TOKEN" });
    }));

  test("with all its scopes it can make and list none, and revoke only itself", () =>
    withApi(async (api) => {
      const { apiKeyId, headers } = await made(api, { ...GOOD, scopes: [...SCOPES] });
      const forbidden = { status: 403, code: "FORBIDDEN" } as const;
      await expectAnswer(api, await api.request("POST", PATH, { headers, body: GOOD }), forbidden);
      await expectAnswer(api, await api.request("GET", PATH, { headers }), forbidden);
      const other = await made(api, GOOD);
      const revoke = (id: string) => api.request("DELETE", `${PATH}/${id}`, { headers });
      await expectAnswer(api, await revoke(other.apiKeyId), forbidden);
      await expectAnswer(api, await revoke(crypto.randomUUID()), forbidden);
      expect(stored(api).map(({ revokedOn }) => revokedOn)).toEqual([null, null]);
      await expectAnswer(api, await revoke(apiKeyId), { status: 204 });
      expect(stored(api).filter(({ revokedOn }) => revokedOn === null)).toMatchObject([{ key: other.apiKeyId }]);
      await expectAnswer(api, await revoke(apiKeyId), { status: 401, code: "INVALID_TOKEN" });
    }));
});
