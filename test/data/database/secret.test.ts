// The secret of a state folder: drawn once, replaced by rotations, believed for a while, noticed by whoever watches it.
import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../data/database/database.ts";
import { openSecrets, rotateSecret, watchSecrets } from "../../../data/database/secret.ts";
import { withFolder } from "../../support/folders.ts";

const NOW_MS = Date.parse("2027-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;

interface Place {
  folder: string;
  path: string;
  database: Database;
}

const withSecret = (use: (place: Place) => void) =>
  withFolder(async (folder) => {
    const database = openDatabase(folder);
    try {
      use({ folder, path: join(folder, "secret.key"), database });
    } finally {
      database.close();
    }
  });

const digitsOf = (secret: Uint8Array) => Buffer.from(secret).toString("hex");

describe("the secret", () => {
  test("is drawn once and read back, for its owner's eyes only", () =>
    withSecret(({ folder, path, database }) => {
      const { current, former } = openSecrets(folder, database);
      expect([current.length, former]).toEqual([32, []]);
      expect(openSecrets(folder, database)).toEqual({ current, former });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path, "utf8")).toBe(`${digitsOf(current)}\n`);
      expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret.key"]);
    }));

  test("is another in another folder", () =>
    withSecret((one) => {
      const { current } = openSecrets(one.folder, one.database);
      rmSync(one.path);
      expect(openSecrets(one.folder, one.database).current).not.toEqual(current);
    }));

  test("is refused where others may read it, with the way to mend it", () =>
    withSecret(({ folder, path, database }) => {
      openSecrets(folder, database);
      chmodSync(path, 0o640);
      expect(() => openSecrets(folder, database)).toThrow(`chmod 600 '${path}'`);
      expect(() => rotateSecret(folder, database, NOW_MS, 0)).toThrow(`chmod 600 '${path}'`);
      chmodSync(path, 0o600);
      expect(openSecrets(folder, database).current).toHaveLength(32);
    }));

  const WHOLE = "a".repeat(64);
  test.each([
    "a".repeat(62),
    "",
    `zz${"a".repeat(64)}`,
    `a${"a".repeat(64)}`,
    `${WHOLE}\n${WHOLE}`,
    `${WHOLE}\n${WHOLE} until`,
    `${WHOLE}\n${WHOLE} until tomorrow`,
    `${WHOLE}\n${WHOLE} since 2027-03-01T12:00:00.000Z`,
    `${WHOLE}\naa until 2027-03-01T12:00:00.000Z`,
  ])("is refused as %j", (text) =>
    withSecret(({ folder, path, database }) => {
      writeFileSync(path, text, { mode: 0o600 });
      expect(() => openSecrets(folder, database)).toThrow("does not hold 64 hexadecimal digits");
    }),
  );

  test("may be longer", () =>
    withSecret(({ folder, path, database }) => {
      writeFileSync(path, "A0".repeat(40), { mode: 0o600 });
      expect(openSecrets(folder, database).current).toEqual(new Uint8Array(40).fill(0xa0));
    }));
});

describe("a rotation", () => {
  test("keeps the old secret for its time, in one file of the same mode", () =>
    withSecret(({ folder, path, database }) => {
      const { current: old } = openSecrets(folder, database);
      const rotated = rotateSecret(folder, database, NOW_MS, HOUR_MS);
      expect(rotated.current).not.toEqual(old);
      expect(rotated.former).toEqual([{ secret: old, untilMs: NOW_MS + HOUR_MS }]);
      expect(openSecrets(folder, database)).toEqual(rotated);
      expect(readFileSync(path, "utf8")).toBe(
        `${digitsOf(rotated.current)}\n${digitsOf(old)} until 2027-03-01T13:00:00.000Z\n`,
      );
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret.key"]);
    }));

  test("at once keeps none, not even one from the rotation before", () =>
    withSecret(({ folder, path, database }) => {
      rotateSecret(folder, database, NOW_MS, HOUR_MS);
      const { current, former } = rotateSecret(folder, database, NOW_MS + 1, 0);
      expect(former).toEqual([]);
      expect(readFileSync(path, "utf8")).toBe(`${digitsOf(current)}\n`);
    }));

  test("within the hour of another keeps both, up to eight; what has had its time goes", () =>
    withSecret(({ folder, database }) => {
      const drawn = [openSecrets(folder, database).current];
      for (let minute = 0; minute < 10; minute++) {
        drawn.unshift(rotateSecret(folder, database, NOW_MS + minute * 60_000, HOUR_MS).current);
      }
      const { former } = openSecrets(folder, database);
      expect(former.map(({ secret }) => secret)).toEqual(drawn.slice(1, 9));
      const later = rotateSecret(folder, database, NOW_MS + 9 * 60_000 + HOUR_MS, HOUR_MS);
      expect(later.former.map(({ secret }) => secret)).toEqual([drawn[0]!]);
    }));

  test("leaves nothing where it was broken off before, and goes on from there", () =>
    withSecret(({ folder, path, database }) => {
      const { current: old } = openSecrets(folder, database);
      writeFileSync(`${path}.part`, "half of a secr");
      expect(openSecrets(folder, database).current).toEqual(old);
      expect(rotateSecret(folder, database, NOW_MS, HOUR_MS).former[0]!.secret).toEqual(old);
      expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret.key"]);
    }));
});

describe("whoever watches", () => {
  test("sees a rotation of another process with the next look, and forgets the old secret in time, in the file too", () =>
    withSecret(({ folder, path, database }) => {
      let nowMs = NOW_MS;
      const faults: unknown[] = [];
      const look = watchSecrets(
        folder,
        database,
        () => nowMs,
        (fault) => faults.push(fault),
      );
      const old = look();
      expect(look()).toBe(old);
      const beside = openDatabase(folder);
      const rotated = rotateSecret(folder, beside, NOW_MS, HOUR_MS);
      beside.close();
      expect(look()).toEqual(rotated);
      nowMs += HOUR_MS - 1;
      expect(look().former).toHaveLength(1);
      nowMs += 1;
      expect(look()).toEqual({ current: rotated.current, former: [] });
      expect(readFileSync(path, "utf8")).toBe(`${digitsOf(rotated.current)}\n`);
      expect(look()).toBe(look());
      expect(faults).toEqual([]);
    }));

  test("stays with what it has, and says so once, where the file goes, is spoiled or is laid open", () =>
    withSecret(({ folder, path, database }) => {
      const faults: unknown[] = [];
      const look = watchSecrets(
        folder,
        database,
        () => NOW_MS,
        (fault) => faults.push(fault),
      );
      const { current } = look();
      for (const spoil of [
        () => rmSync(path),
        () => writeFileSync(path, "nonsense", { mode: 0o600 }),
        () => {
          rmSync(path);
          writeFileSync(path, digitsOf(current), { mode: 0o644 });
        },
      ]) {
        spoil();
        const toldBefore = faults.length;
        expect([look().current, look().current]).toEqual([current, current]);
        expect(faults).toHaveLength(toldBefore + 1);
      }
      rmSync(path);
      const fresh = openSecrets(folder, database);
      expect(look()).toEqual(fresh);
      expect(faults).toHaveLength(3);
    }));
});
