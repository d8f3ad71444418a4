// The open database: its settings, its transactions, its file.
import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../data/database/database.ts";
import { countUsers } from "../../../data/users.ts";
import { withFolder } from "../../support/folders.ts";
import { addRefinement, addUser, NOON, openTestState } from "../state.ts";

describe("the database", () => {
  test("has the settings that keep data safe", () =>
    withFolder(async (folder) => {
      const database = openDatabase(folder, NOON);
      const pragma = (name: string) => Object.values(database.client.query(`PRAGMA ${name}`).get() as object)[0];
      expect(["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map(pragma)).toEqual(["wal", 2, 1, 5000]);
      expect(() => addRefinement(database, "nobody")).toThrow("FOREIGN KEY");
      database.close();
    }));

  test("is for its owner's eyes only, its companions too", () => {
    const { folder, close } = openTestState();
    for (const name of ["cupel.db", "cupel.db-wal", "cupel.db-shm"]) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    close();
  });

  test("undoes a write that throws, and all of a write within a write", () => {
    const { database, close } = openTestState();
    const fail = () =>
      database.write(() => {
        database.write(() => addUser(database, "carla@example.com"));
        expect(countUsers(database)).toBe(3);
        throw new Error("on purpose");
      });
    expect(fail).toThrow("on purpose");
    expect(countUsers(database)).toBe(2);
    expect(database.client.inTransaction).toBe(false);
    close();
  });

  test("is one file after it was closed", () =>
    withFolder(async (folder) => {
      const database = openDatabase(folder, NOON);
      addUser(database, "ann@example.com");
      database.close();
      const wal = join(folder, "cupel.db-wal");
      expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
      const again = openDatabase(folder, NOON);
      expect(countUsers(again)).toBe(1);
      again.close();
    }));
});
