// Passwords: the policy, the stored form, and that every cause of failure looks the same.
import { describe, expect, test } from "bun:test";
import {
  generatePassword,
  hashPassword,
  LEAST_PASSWORD_CHARACTERS,
  MOST_PASSWORD_BYTES,
  passwordComplaint,
  verifyPassword,
} from "../../../src/auth/passwords.ts";

const PASSWORD = "a quiet harbour";

describe("policy", () => {
  test.each([
    ["nothing", "", false],
    ["eleven characters", "eleven char", false],
    ["twelve characters", "twelve chars", true],
    ["eleven characters of two code units", "😀".repeat(LEAST_PASSWORD_CHARACTERS - 1), false],
    ["twelve characters of two code units", "😀".repeat(LEAST_PASSWORD_CHARACTERS), true],
    ["eleven letters, one of them decomposed", "eleven chär".normalize("NFD"), false],
    ["the most bytes", "x".repeat(MOST_PASSWORD_BYTES), true],
    ["one byte more", "x".repeat(MOST_PASSWORD_BYTES + 1), false],
    ["more bytes than characters", "é".repeat(MOST_PASSWORD_BYTES / 2 + 1), false],
  ])("%s", (_name, password, isAcceptable) => {
    expect(passwordComplaint(password) === null).toBe(isAcceptable);
  });

  test("complaints say what to do and never repeat the password", () => {
    expect(passwordComplaint("hunter2")).toBe("The password has 7 characters; it must have at least 12.");
    expect(passwordComplaint("x".repeat(1_025))).toBe("The password has 1025 bytes; it may have at most 1024.");
  });
});

describe("generated passwords", () => {
  test("have 20 unambiguous characters, satisfy the policy and differ", () => {
    const made = new Set(Array.from({ length: 500 }, generatePassword));
    expect(made.size).toBe(500);
    for (const password of made) {
      expect(password).toMatch(/^[A-HJ-NP-Za-km-np-z2-9]{20}$/);
      expect(passwordComplaint(password)).toBeNull();
    }
  });

  test("draw every character about equally often", () => {
    const counts = new Map<string, number>();
    for (const character of Array.from({ length: 2_000 }, generatePassword).join("")) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(56);
    // 40,000 draws over 56 characters: 714 each, standard deviation 26;
    // eight of them either way never happen by chance.
    for (const count of counts.values()) expect(Math.abs(count - 40_000 / 56)).toBeLessThan(8 * 27);
  });
});

describe("verification", () => {
  test("the stored text is argon2id with its own salt and says nothing of the password", async () => {
    const [first, second] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(first).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(first).not.toBe(second);
    expect(first).not.toContain(PASSWORD);
  });

  test("opens the account with the right password only", async () => {
    const owner = { passwordHash: await hashPassword(PASSWORD), disabledOn: null };
    expect(await verifyPassword(PASSWORD, owner)).toBe(true);
    for (const wrong of ["", " ", `${PASSWORD} `, PASSWORD.toUpperCase(), `${PASSWORD}\0`, "x".repeat(5_000)]) {
      expect(await verifyPassword(wrong, owner)).toBe(false);
    }
  });

  test("takes one password typed on two keyboards for one: composed and decomposed letters", async () => {
    const owner = { passwordHash: await hashPassword("Café-crème-brûlée".normalize("NFD")), disabledOn: null };
    expect(await verifyPassword("Café-crème-brûlée".normalize("NFC"), owner)).toBe(true);
  });

  test("refuses the disabled user's right password, the unknown user, and the text tried in place of impossible ones", async () => {
    const passwordHash = await hashPassword(PASSWORD);
    expect(await verifyPassword(PASSWORD, { passwordHash, disabledOn: "2026-01-01T00:00:00.000Z" })).toBe(false);
    expect(await verifyPassword(PASSWORD, null)).toBe(false);
    const odd = { passwordHash: await hashPassword("a password that nobody has"), disabledOn: null };
    expect(await verifyPassword("short", odd)).toBe(false);
  });

  test("every cause of failure pays for exactly one argon2id verification of one cost", async () => {
    const passwordHash = await hashPassword(PASSWORD);
    // The true verification still happens; the test only listens in, since time itself is too noisy to assert on.
    const verify = Bun.password.verify;
    const costs: string[] = [];
    Bun.password.verify = (password, hash) => {
      costs.push(String(hash).replaceAll(/[\w+/]{43}(?=\$|$)/g, "32 bytes"));
      expect(String(password)).not.toBeEmpty();
      return verify(password, hash);
    };
    try {
      await verifyPassword("a wrong password", { passwordHash, disabledOn: null });
      await verifyPassword(PASSWORD, { passwordHash, disabledOn: "2026-01-01T00:00:00.000Z" });
      await verifyPassword(PASSWORD, null);
      await verifyPassword("", { passwordHash, disabledOn: null });
      await verifyPassword("x".repeat(100_000), null);
    } finally {
      Bun.password.verify = verify;
    }
    expect(costs).toEqual(Array<string>(5).fill("$argon2id$v=19$m=19456,t=2,p=1$32 bytes$32 bytes"));
  });
});
