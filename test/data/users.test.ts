// Users and API keys: who may come in.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import {
  findLiveApiKey,
  insertApiKey,
  listApiKeys,
  markApiKeyUsed,
  type NewApiKey,
  revokeApiKey,
} from "../../data/api-keys.ts";
import {
  disableUser,
  enableUser,
  findUser,
  findUserByEmail,
  insertUser,
  listUsers,
  setPasswordHash,
} from "../../data/users.ts";
import { ALL, addUser, later, NOON, openTestState, type TestState } from "./state.ts";

let state: TestState;
beforeAll(() => {
  state = openTestState();
});
afterAll(() => state.close());

function newApiKey(changes: Partial<NewApiKey> = {}): NewApiKey {
  const tokenHash = randomUUID().replaceAll("-", "").repeat(2);
  return {
    key: randomUUID(),
    userKey: state.ann,
    name: "ci",
    tokenHash,
    scopes: ["read"],
    expiresOn: null,
    ...changes,
  };
}

describe("users", () => {
  test("are found by key and by e-mail in whatever case", () => {
    const { database } = state;
    const eve = insertUser(
      database,
      { key: randomUUID(), email: " Eve@Example.COM ", passwordHash: "h", role: "admin" },
      NOON,
    )!;
    expect(eve).toMatchObject({
      email: "eve@example.com",
      role: "admin",
      disabledOn: null,
      createdOn: NOON.toISOString(),
    });
    expect(findUser(database, eve.key)).toEqual(eve);
    expect(findUserByEmail(database, "EVE@example.com ")).toEqual(eve);
    expect(findUserByEmail(database, "nobody@example.com")).toBeNull();
    expect(findUser(database, randomUUID())).toBeNull();
  });

  test("have an e-mail address of their own", () => {
    const again = { key: randomUUID(), email: "ANN@example.com", passwordHash: "h", role: "user" } as const;
    expect(insertUser(state.database, again, NOON)).toBeNull();
    expect(() => insertUser(state.database, { ...again, key: state.ann, email: "new@example.com" }, NOON)).toThrow(
      "key",
    );
  });

  test("are listed in order of creation", () => {
    const { database } = state;
    const { items, total } = listUsers(database, ALL);
    expect(items.slice(0, 2).map(({ key }) => key)).toEqual([state.ann, state.bob]);
    expect(total).toBe(items.length);
    expect(listUsers(database, { offset: 1, limit: 1 })).toEqual({ items: [items[1]!], total });
  });

  test("change password and role, are disabled and enabled", () => {
    const { database } = state;
    const key = addUser(database, "dan@example.com");
    expect(setPasswordHash(database, key, "other")).toBe(true);
    expect(disableUser(database, key, later(1))).toBe(true);
    expect(disableUser(database, key, later(2))).toBe(true);
    const disabledOn = later(1).toISOString();
    expect(findUser(database, key)).toMatchObject({ passwordHash: "other", disabledOn });
    expect(enableUser(database, key)).toBe(true);
    expect(findUser(database, key)!.disabledOn).toBeNull();
    for (const change of [setPasswordHash(database, randomUUID(), "x"), disableUser(database, randomUUID(), NOON)]) {
      expect(change).toBe(false);
    }
  });
});

describe("API keys", () => {
  test("open until they are revoked, once", () => {
    const { database, ann, bob } = state;
    const apiKey = insertApiKey(database, newApiKey(), NOON);
    const { tokenHash, key } = apiKey;
    expect(findLiveApiKey(database, tokenHash, NOON)).toEqual({ apiKey, user: findUser(database, ann)! });
    expect(findLiveApiKey(database, "0".repeat(64), NOON)).toBeNull();
    expect(revokeApiKey(database, bob, key, NOON)).toBe(false);
    expect(findLiveApiKey(database, tokenHash, NOON)).not.toBeNull();
    expect(revokeApiKey(database, ann, key, later(1))).toBe(true);
    expect(revokeApiKey(database, ann, key, later(2))).toBe(true);
    expect(findLiveApiKey(database, tokenHash, later(1))).toBeNull();
    expect(listApiKeys(database, ann, ALL).items.find((item) => item.key === key)!.revokedOn).toBe(
      later(1).toISOString(),
    );
  });

  test("open until they expire", () => {
    const { database } = state;
    const { tokenHash } = insertApiKey(database, newApiKey({ expiresOn: later(10).toISOString() }), NOON);
    expect(findLiveApiKey(database, tokenHash, later(9.999))).not.toBeNull();
    expect(findLiveApiKey(database, tokenHash, later(10))).toBeNull();
  });

  test("open while their user is not disabled", () => {
    const { database } = state;
    const userKey = addUser(database, "fay@example.com");
    const { tokenHash } = insertApiKey(database, newApiKey({ userKey }), NOON);
    disableUser(database, userKey, NOON);
    expect(findLiveApiKey(database, tokenHash, NOON)).toBeNull();
    enableUser(database, userKey);
    expect(findLiveApiKey(database, tokenHash, NOON)).not.toBeNull();
  });

  test("have a token of their own", () => {
    const { tokenHash } = insertApiKey(state.database, newApiKey(), NOON);
    expect(() => insertApiKey(state.database, newApiKey({ tokenHash }), NOON)).toThrow("tokenHash");
  });

  test("note their use to the minute", () => {
    const { database } = state;
    const { key, tokenHash } = insertApiKey(database, newApiKey(), NOON);
    expect([0, 30, 60, 61, 121].map((seconds) => markApiKeyUsed(database, key, later(seconds)))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(findLiveApiKey(database, tokenHash, NOON)!.apiKey.lastUsedOn).toBe(later(61).toISOString());
  });

  test("are listed newest first, each user's own", () => {
    const { database, bob } = state;
    const keys = [5, 5, 9].map((seconds) => insertApiKey(database, newApiKey({ userKey: bob }), later(seconds)).key);
    expect(listApiKeys(database, bob, ALL).items.map(({ key }) => key)).toEqual(keys.reverse());
    expect(listApiKeys(database, bob, { offset: 2, limit: 5 })).toMatchObject({ items: [{ key: keys[2] }], total: 3 });
  });
});
