// Who is calling: tokens and API keys against a real database, and everything that ends them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { findLiveApiKey, insertApiKey, revokeApiKey } from "../../../data/api-keys.ts";
import { type Database, openDatabase } from "../../../data/database/database.ts";
import { disableUser, enableUser, findUser, insertUser, setPasswordHash, type User } from "../../../data/users.ts";
import { hashApiKey, isApiKey, makeApiKey, SCOPES, type Scope } from "../../../src/auth/api-key.ts";
import { type Bearers, createBearers, hasScope, INVALID_TOKEN_CHALLENGE } from "../../../src/auth/bearer.ts";
import { removeUser } from "../../../src/auth/remove-user.ts";
import { createAccessTokens } from "../../../src/auth/tokens.ts";

const START_MS = Date.parse("2027-03-01T12:00:00.000Z");
const SECRET = new Uint8Array(randomBytes(32));

let folder: string;
let database: Database;
let clock: { ms: number };
let bearers: Bearers;
let ada: User;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cupel-test-"));
  database = openDatabase(folder);
  clock = { ms: START_MS };
  bearers = createBearers(
    database,
    createAccessTokens(SECRET, () => clock.ms),
    () => clock.ms,
  );
  ada = addUser("ada@example.com");
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function addUser(email: string, role: User["role"] = "user"): User {
  const user = { key: randomUUID(), email, passwordHash: `hash of ${randomUUID()}`, role };
  return insertUser(database, user, new Date(clock.ms))!;
}

function addApiKey(scopes: readonly string[], expiresOn: string | null = null) {
  const { apiKey, tokenHash } = makeApiKey();
  const key = randomUUID();
  insertApiKey(database, { key, userKey: ada.key, name: "job", tokenHash, scopes, expiresOn }, new Date(clock.ms));
  return { key, tokenHash, header: `Bearer ${apiKey}` };
}

describe("the header", () => {
  test("the scheme may have any case and several blanks behind it", async () => {
    const token = await bearers.issue(ada);
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, `Bearer ${token} `]) {
      expect((await bearers.identify(header))?.userKey).toBe(ada.key);
    }
  });

  test("anything else is nobody", async () => {
    const token = await bearers.issue(ada);
    const wrong = [
      null,
      undefined,
      "",
      "Bearer",
      "Bearer ",
      token,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer${token}`,
    ];
    const odd = [
      `Bearer "${token}"`,
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      ` Bearer ${token}`,
    ];
    for (const header of [...wrong, ...odd]) expect(await bearers.identify(header)).toBeNull();
  });

  test("text of any kind never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.boolean(), async (text, isBearer) => {
        expect(await bearers.identify(isBearer ? `Bearer ${text}` : text)).toBeNull();
      }),
    );
    expect(await bearers.identify(`Bearer ${" ".repeat(100_000)}x`)).toBeNull();
  });

  test("the answer to all of it is the one of D32", () => {
    expect(INVALID_TOKEN_CHALLENGE).toBe('Bearer error="invalid_token"');
  });
});

describe("a login's token", () => {
  test("tells who calls, with every scope", async () => {
    const root = addUser("root@example.com", "admin");
    const caller = await bearers.identify(`Bearer ${await bearers.issue(root)}`);
    expect(caller).toEqual({
      userKey: root.key,
      email: "root@example.com",
      role: "admin",
      scopes: null,
      apiKeyId: null,
    });
    for (const scope of SCOPES) expect(hasScope(caller!, scope)).toBe(true);
  });

  test("ends at once and for good when the user is disabled; enabled again, a new login is good", async () => {
    const header = `Bearer ${await bearers.issue(ada)}`;
    expect(await bearers.identify(header)).not.toBeNull();
    disableUser(database, ada.key, new Date(clock.ms));
    expect(await bearers.identify(header)).toBeNull();
    enableUser(database, ada.key);
    expect(await bearers.identify(header)).toBeNull();
    const enabled = findUser(database, ada.key)!;
    expect(await bearers.identify(`Bearer ${await bearers.issue(enabled)}`)).not.toBeNull();
    // A login that was verified before the user was disabled brings no token that lasts.
    expect(await bearers.identify(`Bearer ${await bearers.issue(ada)}`)).toBeNull();
  });

  test("ends at once when another connection changes the user, as the command line does beside the server", async () => {
    const header = `Bearer ${await bearers.issue(ada)}`;
    expect(await bearers.identify(header)).not.toBeNull();
    const beside = openDatabase(folder);
    disableUser(beside, ada.key, new Date(clock.ms));
    beside.close();
    expect(await bearers.identify(header)).toBeNull();
  });

  test("ends at once when the user is removed, and is not the next user's of that address", async () => {
    const header = `Bearer ${await bearers.issue(ada)}`;
    removeUser(database, ada.key, "no hash", new Date(clock.ms));
    expect(await bearers.identify(header)).toBeNull();
    addUser("ada@example.com");
    expect(await bearers.identify(header)).toBeNull();
  });

  test("ends at once when the password changes; a new login is good", async () => {
    const header = `Bearer ${await bearers.issue(ada)}`;
    setPasswordHash(database, ada.key, "another hash");
    expect(await bearers.identify(header)).toBeNull();
    expect(
      await bearers.identify(`Bearer ${await bearers.issue({ ...ada, passwordHash: "another hash" })}`),
    ).not.toBeNull();
  });

  test("ends after an hour", async () => {
    const header = `Bearer ${await bearers.issue(ada)}`;
    clock.ms += 3_600_000 - 1;
    expect(await bearers.identify(header)).not.toBeNull();
    clock.ms += 1;
    await expect(bearers.identify(header)).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
  });
});

describe("an API key", () => {
  test("has its form, and is stored as its hash only", () => {
    const { apiKey, tokenHash } = makeApiKey();
    expect(apiKey).toMatch(/^cupel_[A-Za-z0-9_-]{43}$/);
    expect(isApiKey(apiKey)).toBe(true);
    expect(tokenHash).toBe(hashApiKey(apiKey));
    expect(tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(makeApiKey().apiKey).not.toBe(apiKey);
  });

  test("tells who calls and what it may do", async () => {
    const { key: apiKeyId, header } = addApiKey(["read", "predict"]);
    const caller = await bearers.identify(header);
    const { key: userKey, email, role } = ada;
    expect(caller).toEqual({ userKey, email, role, scopes: ["read", "predict"], apiKeyId });
    expect(hasScope(caller!, "read")).toBe(true);
    expect(hasScope(caller!, "write")).toBe(false);
    expect(hasScope(caller!, "write", "predict")).toBe(true);
    expect(hasScope(caller!)).toBe(false);
  });

  test("no scope includes another, and a scope that this version does not know allows nothing", async () => {
    for (const scope of SCOPES) {
      const caller = await bearers.identify(addApiKey([scope, "everything"]).header);
      expect(caller?.scopes).toEqual([scope]);
      expect(SCOPES.filter((other: Scope) => hasScope(caller!, other))).toEqual([scope]);
    }
    const none = await bearers.identify(addApiKey([]).header);
    expect(SCOPES.some((scope) => hasScope(none!, scope))).toBe(false);
  });

  test("ends at its time, at once when revoked, and with its user", async () => {
    const passing = addApiKey(["read"], new Date(START_MS + 1_000).toISOString());
    const revoked = addApiKey(["read"]);
    const lasting = addApiKey(["read"]);
    for (const { header } of [passing, revoked, lasting]) expect(await bearers.identify(header)).not.toBeNull();
    clock.ms += 1_000;
    expect(await bearers.identify(passing.header)).toBeNull();
    revokeApiKey(database, ada.key, revoked.key, new Date(clock.ms));
    expect(await bearers.identify(revoked.header)).toBeNull();
    clock.ms += 365 * 86_400_000;
    expect(await bearers.identify(lasting.header)).not.toBeNull();
    disableUser(database, ada.key, new Date(clock.ms));
    expect(await bearers.identify(lasting.header)).toBeNull();
    enableUser(database, ada.key);
    expect(await bearers.identify(lasting.header)).not.toBeNull();
    removeUser(database, ada.key, "no hash", new Date(clock.ms));
    expect(await bearers.identify(lasting.header)).toBeNull();
  });

  test("altering any one character makes it worthless", async () => {
    const { header } = addApiKey(["read"]);
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.="];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 7, max: header.length - 1 }),
        fc.constantFrom(...alphabet),
        async (at, other) => {
          fc.pre(header[at] !== other);
          expect(await bearers.identify(header.slice(0, at) + other + header.slice(at + 1))).toBeNull();
        },
      ),
      { numRuns: 400 },
    );
  });

  test("notes its use once a minute, not more often", async () => {
    const { header, tokenHash } = addApiKey(["read"]);
    const usedOn = () => findLiveApiKey(database, tokenHash, new Date(clock.ms))?.apiKey.lastUsedOn;
    expect(usedOn()).toBeNull();
    await bearers.identify(header);
    expect(usedOn()).toBe("2027-03-01T12:00:00.000Z");
    clock.ms += 60_000;
    await bearers.identify(header);
    expect(usedOn()).toBe("2027-03-01T12:00:00.000Z");
    clock.ms += 1;
    await bearers.identify(header);
    expect(usedOn()).toBe("2027-03-01T12:01:00.001Z");
  });
});
