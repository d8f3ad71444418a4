// Login over HTTP: what a token is given for, what every refusal looks like, and when the next try has to wait.
import { describe, expect, test } from "bun:test";
import { disableUser, findUser, renewPasswordHash, setPasswordHash } from "../../../../data/users.ts";
import {
  describeScenarios,
  expectAnswer,
  PASSWORD,
  type Scenario,
  startApi,
  type TestApi,
  withApi,
} from "../../../support/api.ts";

const LIST = "/api/v1/feature-refinery";

function login(name: string, body: unknown, expected: Scenario["expect"], more: Partial<Scenario> = {}): Scenario {
  return { name, method: "POST", path: "/api/login", body, expect: expected, ...more };
}

const ada = (password: unknown) => ({ username: "ada@example.org", password });
const refused = { status: 401, code: "LOGIN_FAILED", headers: { "www-authenticate": "Bearer" } } as const;
const malformed = (...fields: string[]) => ({ status: 400, code: "VALIDATION_FAILED", fields }) as const;

describeScenarios("a login", startApi, [
  login("gives a token for an hour", ada(PASSWORD), {
    status: 200,
    body: { token_type: "Bearer", expires_in: 3_600, username: "ada@example.org" },
    headers: { "cache-control": "no-store" },
    effect: async (api, _, body) => {
      expect(Object.keys(body as object).sort()).toEqual(["access_token", "expires_in", "token_type", "username"]);
      const headers = { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
      expect((await api.request("GET", LIST, { headers })).status).toBe(200);
      api.pass(3_590);
      expect((await api.request("GET", LIST, { headers })).status).toBe(200);
      api.pass(11);
      const late = await api.request("GET", LIST, { headers });
      const challenge = { "www-authenticate": /^Bearer error="invalid_token", error_description="[^"]*expired"$/ };
      await expectAnswer(api, late, { status: 401, code: "TOKEN_EXPIRED", headers: challenge });
    },
  }),
  login(
    "takes the e-mail address in any case and says it as it was sent",
    { username: "Ada@Example.org", password: PASSWORD },
    { status: 200, body: { username: "Ada@Example.org" } },
  ),
  login("is refused for a wrong password", ada("wrong horse battery"), refused),
  login("is refused for a password that none can be", ada("x"), refused),
  login("is refused for an unknown user", { username: "eve@example.org", password: PASSWORD }, refused),
  login("is refused for a disabled user", ada(PASSWORD), refused, {
    before: ({ database, ada: { key }, services }) => disableUser(database, key, services.now()),
  }),
  login("needs both fields", {}, malformed("username", "password")),
  login("takes texts alone", { username: 1, password: null }, malformed("username", "password")),
  login("takes no other field", { ...ada(PASSWORD), remember: true }, malformed("remember")),
  login("takes no empty text", { username: "", password: "" }, malformed("username", "password")),
  login("takes JSON alone", "username=ada", { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" }),
  {
    name: "is no GET",
    method: "GET",
    path: "/api/login",
    expect: {
      ...{ status: 405, code: "METHOD_NOT_ALLOWED", headers: { allow: "POST" } },
      body: { detail: "GET does not exist here; POST does." },
    },
  },
]);

const tryLogin = (api: TestApi, username: string, password: string) =>
  api.request("POST", "/api/login", { body: { username, password } });

describe("refusals", () => {
  test("are the same for every cause, but for the request's own id", () =>
    withApi(async (api) => {
      disableUser(api.database, api.bob.key, api.services.now());
      const causes = [
        ["ada@example.org", "wrong horse battery"],
        ["ada@example.org", "x"],
        ["bob@example.org", PASSWORD],
        ["eve@example.org", PASSWORD],
        ["no address", PASSWORD],
      ] as const;
      const answers = new Set<string>();
      for (const [username, password] of causes) {
        const response = await tryLogin(api, username, password);
        const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
        response.headers.delete("x-request-id");
        answers.add(JSON.stringify([response.status, Object.fromEntries(response.headers), body]));
      }
      expect(answers.size).toBe(1);
    }));

  test("ten in ten minutes make the next one wait, right or wrong", () =>
    withApi(async (api) => {
      for (let tries = 0; tries < 10; tries++) {
        expect((await tryLogin(api, "ada@example.org", "wrong horse battery")).status).toBe(401);
      }
      const limited = await tryLogin(api, "ada@example.org", PASSWORD);
      const headers = { "retry-after": /^\d+$/ };
      await expectAnswer(api, limited, { status: 429, code: "TOO_MANY_REQUESTS", headers });
      const seconds = Number(limited.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(590);
      expect(seconds).toBeLessThanOrEqual(600);
      api.pass(seconds);
      expect((await tryLogin(api, "ada@example.org", PASSWORD)).status).toBe(200);
    }));
});

describe("a password that was stored at a lower cost", () => {
  test("is stored anew at the first login, which ends the tokens given for the old text and no more", () =>
    withApi(async (api) => {
      const cheap = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 4_096, timeCost: 1 });
      setPasswordHash(api.database, api.ada.key, cheap);
      const tokenFor = async (hash: string) => {
        const token = await api.services.bearers.issue({ ...api.ada, passwordHash: hash });
        return (await api.request("GET", LIST, { headers: { authorization: `Bearer ${token}` } })).status;
      };
      expect(await tokenFor(cheap)).toBe(200);
      expect((await tryLogin(api, "ada@example.org", "wrong horse battery")).status).toBe(401);
      expect(findUser(api.database, api.ada.key)!.passwordHash).toBe(cheap);
      const login = await tryLogin(api, "ada@example.org", PASSWORD);
      const { access_token } = (await login.json()) as { access_token: string };
      const { passwordHash } = findUser(api.database, api.ada.key)!;
      expect(passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
      const headers = { authorization: `Bearer ${access_token}` };
      expect((await api.request("GET", LIST, { headers })).status).toBe(200);
      expect(await tokenFor(cheap)).toBe(401);
      expect((await tryLogin(api, "ada@example.org", PASSWORD)).status).toBe(200);
      expect(findUser(api.database, api.ada.key)!.passwordHash).toBe(passwordHash);
    }));

  test("stays the new one where it is changed while the login goes on", () =>
    withApi(async (api) => {
      const before = { ...api.ada, passwordHash: "an older text" };
      expect(renewPasswordHash(api.database, before, "renewed")).toBeNull();
      expect(findUser(api.database, api.ada.key)!.passwordHash).toBe(api.ada.passwordHash);
    }));
});
