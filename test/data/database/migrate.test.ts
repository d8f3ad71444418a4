// The migrator: from an empty folder, from an older form, and every way in which it refuses or undoes.
import { Database as Client } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { openDatabase } from "../../../data/database/database.ts";
import { type Migration, migrateDatabase } from "../../../data/database/migrate.ts";
import * as schema from "../../../data/database/schema.ts";
import * as successorSchema from "../../../data/database/successor-schema.ts";
import * as uploadSchema from "../../../data/database/upload-schema.ts";
import * as watchSchema from "../../../data/database/watch-schema.ts";
import { countUsers } from "../../../data/users.ts";
import { withFolder } from "../../support/folders.ts";
import { addUser, NOON } from "../state.ts";

const FIRST: Migration = {
  name: "0001-first",
  sql: `CREATE TABLE parents (key TEXT PRIMARY KEY);
    CREATE TABLE children (parentKey TEXT REFERENCES parents (key) ON DELETE CASCADE);
    INSERT INTO parents VALUES ('a');
    INSERT INTO children VALUES ('a');`,
};
const REBUILD: Migration = {
  name: "0002-rebuild",
  sql: `CREATE TABLE newParents (key TEXT PRIMARY KEY, size INTEGER NOT NULL DEFAULT 1);
    INSERT INTO newParents (key) SELECT key FROM parents;
    DROP TABLE parents;
    ALTER TABLE newParents RENAME TO parents;`,
};
const COLUMN: Migration = { name: "0003-column", sql: "ALTER TABLE children ADD COLUMN note TEXT;" };

async function withClient(use: (client: Client, path: string, folder: string) => void): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, "cupel.db");
    const client = new Client(path);
    client.run("PRAGMA foreign_keys = ON");
    try {
      use(client, path, folder);
    } finally {
      client.close();
    }
  });
}

const count = (client: Client, table: string) =>
  client.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()!.count;
const versionOf = (client: Client) =>
  client.query<{ user_version: number }, []>("PRAGMA user_version").get()!.user_version;
const areKeysEnforced = (client: Client) =>
  client.query<{ foreign_keys: number }, []>("PRAGMA foreign_keys").get()!.foreign_keys === 1;

describe("migrating", () => {
  test("an empty folder makes no copy; a second start changes nothing", () =>
    withFolder(async (folder) => {
      const first = openDatabase(folder, NOON);
      addUser(first, "ann@example.com");
      first.close();
      const second = openDatabase(folder, NOON);
      expect(countUsers(second)).toBe(1);
      expect(count(second.client, "migrations")).toBe(versionOf(second.client));
      second.close();
      expect(readdirSync(folder).filter((name) => name.startsWith("cupel-before"))).toEqual([]);
    }));

  test("gives the tables that drizzle knows, column by column", () =>
    withFolder(async (folder) => {
      const database = openDatabase(folder, NOON);
      const tables = Object.values({ ...schema, ...uploadSchema, ...watchSchema, ...successorSchema }) as SQLiteTable[];
      expect(tables).toHaveLength(22);
      for (const table of tables) {
        const { name, columns } = getTableConfig(table);
        const real = database.client
          .query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
            'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
          )
          .all(name);
        const seen = real.map((column) => [
          column.name,
          column.type.toLowerCase(),
          column.notnull === 1 || column.pk > 0,
        ]);
        expect(seen).toEqual(columns.map((column) => [column.name, column.getSQLType(), column.notNull]));
      }
      database.close();
    }));

  test("an older form gets what is missing, keeps its rows, and leaves a copy that only its owner may read", () =>
    withClient((client, path, folder) => {
      migrateDatabase(client, path, NOON, [FIRST]);
      migrateDatabase(client, path, NOON, [FIRST, REBUILD, COLUMN]);
      expect(versionOf(client)).toBe(3);
      expect(count(client, "children")).toBe(1);
      expect(areKeysEnforced(client)).toBe(true);
      expect(() => client.run("INSERT INTO children (parentKey) VALUES ('z')")).toThrow("FOREIGN KEY");
      const copyPath = join(folder, "cupel-before-2.db");
      expect(statSync(copyPath).mode & 0o777).toBe(0o600);
      const copy = new Client(copyPath, { readonly: true });
      expect([versionOf(copy), count(copy, "children")]).toEqual([1, 1]);
      copy.close();
      expect(existsSync(join(folder, "cupel-before-3.db"))).toBe(false);
    }));

  test("that fails half-way is undone whole, and the next try begins anew", () =>
    withClient((client, path, folder) => {
      const broken: Migration = { ...COLUMN, sql: `${COLUMN.sql} INSERT INTO nowhere VALUES (1);` };
      migrateDatabase(client, path, NOON, [FIRST]);
      expect(() => migrateDatabase(client, path, NOON, [FIRST, REBUILD, broken])).toThrow("nowhere");
      expect(versionOf(client)).toBe(1);
      expect(areKeysEnforced(client)).toBe(true);
      migrateDatabase(client, path, NOON, [FIRST, REBUILD, COLUMN]);
      expect(versionOf(client)).toBe(3);
      expect(existsSync(join(folder, "cupel-before-2.db"))).toBe(true);
    }));

  test("that leaves rows without what they refer to is undone", () =>
    withClient((client, path) => {
      migrateDatabase(client, path, NOON, [FIRST]);
      const orphaning: Migration = { name: "0002-orphans", sql: "DELETE FROM parents;" };
      expect(() => migrateDatabase(client, path, NOON, [FIRST, orphaning])).toThrow("(children)");
      expect([versionOf(client), count(client, "parents")]).toEqual([1, 1]);
    }));

  test("replaces the copy of an earlier try", () =>
    withClient((client, path, folder) => {
      const broken: Migration = { name: "0002-broken", sql: "NO SQL" };
      migrateDatabase(client, path, NOON, [FIRST]);
      expect(() => migrateDatabase(client, path, NOON, [FIRST, broken])).toThrow();
      client.run("INSERT INTO children VALUES ('a')");
      expect(() => migrateDatabase(client, path, NOON, [FIRST, broken])).toThrow();
      const copy = new Client(join(folder, "cupel-before-2.db"), { readonly: true });
      expect(count(copy, "children")).toBe(2);
      copy.close();
      expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    }));

  test("refuses a database of a newer program", () =>
    withClient((client, path) => {
      migrateDatabase(client, path, NOON, [FIRST, REBUILD]);
      expect(() => migrateDatabase(client, path, NOON, [FIRST])).toThrow("newer version of this program (form 2");
    }));

  test("refuses a database made by an altered migration, whatever its line ends", () =>
    withClient((client, path) => {
      migrateDatabase(client, path, NOON, [FIRST]);
      migrateDatabase(client, path, NOON, [{ ...FIRST, sql: FIRST.sql.replaceAll("\n", "\r\n") }]);
      const altered = { ...FIRST, sql: `${FIRST.sql} ` };
      expect(() => migrateDatabase(client, path, NOON, [altered])).toThrow("another form of migration 0001-first");
    }));

  test("refuses a database of another program", () =>
    withClient((client, path) => {
      client.run("CREATE TABLE things (name TEXT)");
      expect(() => migrateDatabase(client, path, NOON, [FIRST])).toThrow("another program");
      expect(count(client, "sqlite_schema")).toBe(1);
    }));
});
