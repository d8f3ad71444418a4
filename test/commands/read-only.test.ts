// Commands that only read, on a folder in which they may write nothing: at
// rest, beside a server, and as a killed one left it.
import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../data/database/database.ts";
import { openReadOnly } from "../../data/database/database-inspection.ts";
import { acquireStateLock } from "../../data/files/state-lock.ts";
import { userCommand } from "../../src/commands/service/user.ts";
import { withFolder } from "../support/folders.ts";
import { testConsole } from "../support/in-process.ts";

const SCRIPT = join(import.meta.dir, "../support/without-rights.ts");

async function addUser(dataFolder: string, email: string): Promise<void> {
  await userCommand("add", { dataFolder, email, admin: false, readPassword: null }, testConsole());
}

/** What is printed by somebody who may read the folder and write nothing. */
async function listWithoutRights(root: string): Promise<{ printed: string[]; refusal: string | null }> {
  const folder = join(root, "state");
  const names = readdirSync(folder).map((name) => join(folder, name));
  chmodSync(root, 0o755);
  for (const path of names) chmodSync(path, lstatSync(path).isDirectory() ? 0o555 : 0o444);
  chmodSync(folder, 0o555);
  try {
    const child = Bun.spawn([process.execPath, SCRIPT, folder], { stdout: "pipe", stderr: "pipe" });
    const [answer, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, errors]).toEqual([0, ""]);
    return JSON.parse(answer);
  } finally {
    chmodSync(folder, 0o755);
  }
}

const LISTED = {
  printed: [expect.stringMatching(/^ada@example\.org/), expect.stringContaining("USER_ADDED")],
  refusal: "STATE_FOLDER_UNUSABLE",
};

describe("a folder that cannot be written to", () => {
  test("is read at rest, and what would change it is refused by name", () =>
    withFolder(async (root) => {
      await addUser(join(root, "state"), "ada@example.org");
      expect(await listWithoutRights(root)).toEqual(LISTED);
    }));

  test("is read while somebody works in it", () =>
    withFolder(async (root) => {
      const folder = join(root, "state");
      await addUser(folder, "ada@example.org");
      const lock = acquireStateLock(folder);
      const database = openDatabase(folder);
      database.client.run("UPDATE users SET role = 'admin'");
      try {
        expect(await listWithoutRights(root)).toMatchObject(LISTED);
      } finally {
        database.close();
        lock.release();
      }
    }));

  test("is read as a killed server left it, without the index of the write-ahead log", () =>
    withFolder(async (root) => {
      const [made, left] = [join(root, "made"), join(root, "state")];
      await addUser(made, "ada@example.org");
      const database = openDatabase(made);
      database.client.run("UPDATE users SET role = 'admin'");
      mkdirSync(left);
      for (const end of ["db", "db-wal", "lock"]) copyFileSync(join(made, `cupel.${end}`), join(left, `cupel.${end}`));
      database.close();
      const { printed, refusal } = await listWithoutRights(root);
      expect(printed[0]).toMatch(/^ada@example\.org +admin/);
      expect(refusal).toBe(LISTED.refusal);
      expect(readdirSync(left).sort()).toEqual(["cupel.db", "cupel.db-wal", "cupel.lock"]);
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith("cupel-read-"))).toEqual([]);
    }));

  test("with a database of another form is refused with what to do", () =>
    withFolder(async (root) => {
      await addUser(root, "ada@example.org");
      const database = openDatabase(root);
      database.client.run("PRAGMA user_version = 3");
      database.close();
      expect(() => openReadOnly(root, false)).toThrow("use the version that made it, or a copy of the folder");
      rmSync(join(root, "cupel.db"));
      expect(() => openReadOnly(root, false)).toThrow("There is no database");
    }));
});
