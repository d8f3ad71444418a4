// Damaged state folders: a start ends in words that name the file and say what
// to do, never in those of SQLite or the system.
import { Database as Client } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinDatabase, openDatabase } from "../../data/database/database.ts";
import { databaseComplaints } from "../../data/database/database-check.ts";
import { checkState } from "../../data/database/state-check.ts";
import { makeStateFolder, statePaths } from "../../data/files/state-folder.ts";
import { acquireStateLock } from "../../data/files/state-lock.ts";
import { InputError } from "../../engine/input-error.ts";
import { openBesideServer } from "../../src/commands/service/beside-server.ts";
import { fillAtRest, fillState } from "../support/filled-state.ts";
import { withFolder } from "../support/folders.ts";
import { NOON } from "./state.ts";

const PAGE_BYTES = 4_096;

/** A whole folder that nobody has open. */
function withState(use: (filled: ReturnType<typeof fillAtRest>, databasePath: string) => void): Promise<void> {
  return withFolder(async (root) => {
    const filled = fillAtRest(root);
    use(filled, join(filled.folder, "cupel.db"));
  });
}

/** What opening and checking says, as the server does both. */
function refusalOf(folder: string, mayLackFiles = false): string {
  try {
    const database = openDatabase(folder, NOON);
    try {
      checkState(database, folder, mayLackFiles);
    } finally {
      database.close();
    }
    return "none";
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return `${(error as InputError).code}: ${(error as InputError).message}`;
  }
}

describe("a damaged database", () => {
  test("of another kind of file is named, with the way back", () =>
    withState(({ folder }, path) => {
      writeFileSync(path, "this is no database ".repeat(1000));
      const refusal = refusalOf(folder);
      expect(refusal).toStartWith(`DATABASE_DAMAGED: The database ${path} is damaged`);
      expect(refusal).toContain(`cupel restore FILE --data '${folder}' --replace`);
      expect(refusal).toContain(`cupel doctor --data '${folder}'`);
    }));

  test("that was cut off is named", () =>
    withState(({ folder }, path) => {
      truncateSync(path, 5 * PAGE_BYTES);
      expect(refusalOf(folder)).toStartWith(`DATABASE_DAMAGED: The database ${path}`);
    }));

  test("is found wherever a page was overwritten", () =>
    withState(({ folder }, path) => {
      const whole = readFileSync(path);
      // The first page holds the header and the tables' names; any other is of a table, an index, or free.
      for (let page = 1; page < whole.length / PAGE_BYTES; page += 3) {
        const damaged = Buffer.from(whole).fill(0xff, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
        writeFileSync(path, damaged);
        expect([page, refusalOf(folder)]).toEqual([page, expect.stringMatching(/^DATABASE_DAMAGED/)]);
      }
    }));

  test("is one too where rows refer to nothing", () =>
    withState(({ folder }, path) => {
      const client = new Client(path);
      client.run("PRAGMA foreign_keys = OFF");
      client.run("DELETE FROM users");
      expect(databaseComplaints(client, path, "full")[0]).toMatch(/rows refer to rows that are not there/);
      client.close();
      expect(refusalOf(folder)).toStartWith("DATABASE_DAMAGED");
    }));

  test("that is a folder is named", () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, "cupel.db"));
      expect(refusalOf(folder)).toStartWith(`DATABASE_UNREACHABLE: The database ${join(folder, "cupel.db")}`);
    }));
});

describe("a folder that lacks files", () => {
  test("is refused with their names, unless it may lack them", () =>
    withState(({ folder, modelKey, state }) => {
      expect(refusalOf(folder)).toBe("none");
      const path = state.locate(statePaths.modelVersion(modelKey, 1));
      rmSync(path);
      const refusal = refusalOf(folder);
      expect(refusal).toStartWith("FILES_MISSING");
      expect(refusal).toContain(path);
      expect(refusal).toContain("--missing-files allow");
      expect(refusalOf(folder, true)).toBe("none");
    }));

  test("names few of many", () =>
    withState(({ folder, paths, state }) => {
      for (const path of paths) rmSync(state.locate(path));
      expect(refusalOf(folder)).toMatch(/\.csv, \S+, \S+ and \d+ more\. Is a disk not mounted\?/);
    }));
});

describe("what else may be damaged", () => {
  test("a journal that is no file is named", () =>
    withState(({ folder, jobKey, state }) => {
      const path = state.locate(statePaths.journal(jobKey));
      rmSync(path);
      mkdirSync(path);
      expect(refusalOf(folder)).toStartWith(`JOURNAL_UNREADABLE: The journal ${path}`);
    }));

  test("a lock that holds something is named", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "cupel.lock"), "no lock".repeat(1000));
      expect(() => acquireStateLock(folder)).toThrow(`${join(folder, "cupel.lock")} is damaged; it should be empty`);
    }));

  test("a state folder that is a file, or lies in one, is named", () =>
    withFolder(async (folder) => {
      const path = join(folder, "file");
      writeFileSync(path, "");
      for (const place of [path, join(path, "state")]) {
        expect(() => makeStateFolder(place)).toThrow(`The state folder ${place} cannot be made or used`);
      }
    }));
});

describe("beside the process that holds the lock", () => {
  test("a database of this form is opened, and none is made", () =>
    withState(({ folder }) => {
      const database = joinDatabase(folder);
      expect(database.client.query("SELECT count(*) FROM users").values()).toEqual([[1]]);
      database.close();
      rmSync(join(folder, "cupel.db"));
      expect(() => joinDatabase(folder)).toThrow(`There is no database ${join(folder, "cupel.db")}`);
    }));

  test("a database of an older form is neither opened nor migrated", () =>
    withFolder(async (folder) => {
      const path = join(folder, "cupel.db");
      const { paths: _, database } = fillState(join(folder, "newest"));
      const newest = database.client.query("PRAGMA user_version").values()[0]![0] as number;
      // As the server before left it, but for the tables that came since.
      database.client.run("VACUUM INTO ?", [path]);
      database.close();
      const older = new Client(path);
      older.run(`PRAGMA user_version = ${newest - 1}`);
      older.run("DELETE FROM migrations WHERE number = ?", [newest]);
      older.close();
      const before = readFileSync(path);
      const refusal = `has form ${newest - 1}, and this version of the program works with`;
      expect(() => joinDatabase(folder)).toThrow(refusal);
      const lock = acquireStateLock(folder);
      await expect(openBesideServer(folder)).rejects.toThrow(refusal);
      lock.release();
      expect(readFileSync(path).equals(before)).toBe(true);
    }));
});
