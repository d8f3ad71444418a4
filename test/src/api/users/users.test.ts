// Accounts by the API: who may see and change them, what a change does at once, and that nobody locks everybody out.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { listAudit } from "../../../../data/audit.ts";
import { findUserByEmail } from "../../../../data/users.ts";
import { describeScenarios, PASSWORD, startApi, type TestApi, withApi } from "../../../support/api.ts";

const auditOf = ({ database }: TestApi) =>
  listAudit(database, {}, { offset: 0, limit: 10 }).items.map(({ action, email, detail }) => [action, email, detail]);

const login = (api: TestApi, username: string, password: string) =>
  api.request("POST", "/api/login", { body: { username, password } });

describeScenarios("one's own password", startApi, [
  {
    name: "is changed by who knows it, and ends the logins of before",
    method: "POST",
    path: "/api/v1/account/password",
    as: "ada",
    body: { currentPassword: PASSWORD, newPassword: "an entirely other one" },
    expect: {
      status: 204,
      effect: async (api) => {
        expect((await login(api, "ada@example.org", PASSWORD)).status).toBe(401);
        expect((await login(api, "ada@example.org", "an entirely other one")).status).toBe(200);
        expect(auditOf(api)).toContainEqual(["USER_PASSWORD_CHANGED", "ada@example.org", "ada@example.org"]);
      },
    },
  },
  {
    name: "stays where the current one is wrong",
    method: "POST",
    path: "/api/v1/account/password",
    as: "ada",
    body: { currentPassword: "not the password", newPassword: "an entirely other one" },
    expect: {
      status: 401,
      code: "LOGIN_FAILED",
      effect: async (api) => expect((await login(api, "ada@example.org", PASSWORD)).status).toBe(200),
    },
  },
  {
    name: "must be long enough",
    method: "POST",
    path: "/api/v1/account/password",
    as: "ada",
    body: { currentPassword: PASSWORD, newPassword: "short" },
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["newPassword"] },
  },
]);

test("wrong guesses at one's own password count as failed logins", () =>
  withApi(async (api) => {
    const guess = () =>
      api.request("POST", "/api/v1/account/password", {
        as: "ada",
        body: { currentPassword: "a guess", newPassword: "an entirely other one" },
      });
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  }));

describeScenarios("accounts", startApi, [
  {
    name: "everyone sees their own",
    method: "GET",
    path: "/api/v1/account",
    as: "ada",
    expect: { status: 200, body: { email: "ada@example.org", role: "user" } },
  },
  {
    name: "administrators see all, in order",
    method: "GET",
    path: "/api/v1/users?limit=2",
    as: "grace",
    expect: {
      status: 200,
      body: {
        users: [{ email: "ada@example.org" }, { email: "bob@example.org" }],
        total: 3,
        nextOffset: 2,
      },
    },
  },
  {
    name: "administrators look for some",
    method: "GET",
    path: "/api/v1/users?search=GRA",
    as: "grace",
    expect: { status: 200, body: { users: [{ email: "grace@example.org", role: "admin" }], total: 1 } },
  },
  {
    name: "a user is added with a password that is shown once",
    method: "POST",
    path: "/api/v1/users",
    as: "grace",
    body: { email: " Cy@Example.org", role: "user" },
    expect: {
      status: 201,
      body: { email: "cy@example.org", role: "user", disabledOn: null },
      effect: async (api, _response, body) => {
        const { password } = body as { password: string };
        expect((await login(api, "cy@example.org", password)).status).toBe(200);
        expect(auditOf(api)).toContainEqual(["USER_ADDED", "grace@example.org", "cy@example.org"]);
        expect(JSON.stringify(auditOf(api))).not.toContain(password);
      },
    },
  },
  {
    name: "an address is taken once",
    method: "POST",
    path: "/api/v1/users",
    as: "grace",
    body: { email: "ADA@example.org", role: "user" },
    expect: { status: 409, code: "NAME_TAKEN" },
  },
  {
    name: "an address is an address",
    method: "POST",
    path: "/api/v1/users",
    as: "grace",
    body: { email: "ada at example", role: "user" },
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["email"] },
  },
  {
    name: "a disabled user is refused from the next request on, with tokens of before also once enabled",
    method: "PATCH",
    path: ({ ada }) => `/api/v1/users/${ada.key}`,
    as: "grace",
    body: { disabled: true },
    expect: {
      status: 200,
      body: { disabledOn: expect.any(String) },
      effect: async (api) => {
        const key = { authorization: `Bearer ${api.apiKeyOf("ada", ["read"])}` };
        const old = { authorization: `Bearer ${await api.tokenOf("ada")}` };
        const statusBy = async (headers: Record<string, string>) =>
          (await api.request("GET", "/api/v1/account", { headers })).status;
        expect([await statusBy(old), await statusBy(key)]).toEqual([401, 401]);
        const back = { as: "grace" as const, body: { disabled: false } };
        await api.request("PATCH", `/api/v1/users/${api.ada.key}`, back);
        expect([await statusBy(old), await statusBy(key)]).toEqual([401, 200]);
        const { access_token: token } = (await (await login(api, "ada@example.org", PASSWORD)).json()) as {
          access_token: string;
        };
        expect(await statusBy({ authorization: `Bearer ${token}` })).toBe(200);
      },
    },
  },
  {
    name: "nobody disables themselves",
    method: "PATCH",
    path: ({ grace }) => `/api/v1/users/${grace.key}`,
    as: "grace",
    body: { disabled: true },
    expect: { status: 409, code: "OWN_ACCOUNT" },
  },
  {
    name: "nobody removes themselves",
    method: "DELETE",
    path: ({ grace }) => `/api/v1/users/${grace.key}`,
    as: "grace",
    expect: { status: 409, code: "OWN_ACCOUNT" },
  },
  {
    name: "an unknown user is no user",
    method: "DELETE",
    path: "/api/v1/users/11111111-2222-4333-8444-555555555555",
    as: "grace",
    expect: { status: 404, code: "NOT_FOUND" },
  },
  {
    name: "a new password ends logins with the old one",
    method: "POST",
    path: ({ ada }) => `/api/v1/users/${ada.key}/password`,
    as: "grace",
    expect: {
      status: 200,
      effect: async (api, _response, body) => {
        expect((await login(api, "ada@example.org", PASSWORD)).status).toBe(401);
        expect((await login(api, "ada@example.org", (body as { password: string }).password)).status).toBe(200);
      },
    },
  },
  {
    name: "a removed user is gone from the list",
    method: "DELETE",
    path: ({ ada }) => `/api/v1/users/${ada.key}`,
    as: "grace",
    expect: {
      status: 204,
      effect: async (api) => {
        expect(findUserByEmail(api.database, "ada@example.org")).toBeNull();
        const left = await (await api.request("GET", "/api/v1/users", { as: "grace" })).json();
        expect(left).toMatchObject({ total: 2, users: [{ email: "bob@example.org" }, { email: "grace@example.org" }] });
      },
    },
  },
]);

test("no API key changes accounts, be it an administrator's", () =>
  withApi(async (api) => {
    const authorization = `Bearer ${api.apiKeyOf("grace", ["read", "write", "predict", "metrics"])}`;
    const ask = (method: string, path: string) => api.request(method, path, { headers: { authorization } });
    expect((await ask("GET", "/api/v1/users")).status).toBe(403);
    expect((await ask("DELETE", `/api/v1/users/${api.ada.key}`)).status).toBe(403);
  }));

test("SECURITY.md names what is for administrators alone", async () => {
  const security = await Bun.file(join(import.meta.dir, "../../../../SECURITY.md")).text();
  const sentence = /for administrators alone \(everything under ([^)]*)\)/.exec(security)![1]!;
  const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
  await withApi(async (api) => {
    const refused: string[] = [];
    for (const { method, path, isOpen, bodyExample } of api.app.routes) {
      const place = path.replaceAll(/\{\w+\}/g, "11111111-2222-4333-8444-555555555555");
      const response = isOpen ? null : await api.request(method, place, { as: "bob", body: bodyExample });
      if (response?.status === 403) refused.push(path);
    }
    const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);
    expect(refused.filter((path) => !named.some((root) => isBelow(path, root)))).toEqual([]);
    expect(
      api.app.routes.filter(({ path }) => named.some((root) => isBelow(path, root)) && !refused.includes(path)),
    ).toEqual([]);
    expect(named.filter((root) => !refused.some((path) => isBelow(path, root)))).toEqual([]);
  });
});
