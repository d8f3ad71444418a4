// Restoring: what comes back, what an interrupted one leaves, and what archives of strangers cannot do.
import { Database as Client } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createArchive } from "../../../data/backup/archive-writer.ts";
import {
  ABOUT,
  formatAbout,
  formatManifest,
  formatManifestHash,
  MANIFEST,
  MANIFEST_HASH,
} from "../../../data/backup/backup-format.ts";
import { type RestoreRequest, restoreBackup } from "../../../data/backup/restore-backup.ts";
import { beginSwap, settleRestore, swapSteps } from "../../../data/backup/restore-swap.ts";
import { takeBackup } from "../../../data/backup/take-backup.ts";
import { openDatabase } from "../../../data/database/database.ts";
import { copyDatabase, migrateDatabase } from "../../../data/database/migrate.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { acquireStateLock } from "../../../data/files/state-lock.ts";
import { listUsers } from "../../../data/users.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { fillState, placeFile } from "../../support/filled-state.ts";
import { withFolder } from "../../support/folders.ts";
import { ALL, addUser, later, NOON } from "../state.ts";

const never = new AbortController().signal;
const ASIDE = "before-restore-20310506-120000";

/** A folder with Ann's state, its backup, and then Bob in it too. */
function withBackup(use: (folder: string, file: string, root: string) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    const [folder, file] = [join(root, "state"), join(root, "a.backup")];
    const { database } = fillState(folder);
    await takeBackup({ folder, file, cupelVersion: "1.2.3", now: NOON, signal: never });
    addUser(database, "bob@example.com");
    database.close();
    await use(folder, file, root);
  });
}

function restore(file: string, folder: string, changes: Partial<RestoreRequest> = {}) {
  return restoreBackup({ file, folder, replace: true, now: NOON, signal: never, ...changes });
}

/** Who may log in to a folder that can be worked in. */
function usersOf(folder: string): string[] {
  const database = openDatabase(folder);
  try {
    return listUsers(database, ALL).items.map(({ email }) => email);
  } finally {
    database.close();
  }
}

const ANN = ["ann@example.com"];
const BOTH = ["ann@example.com", "bob@example.com"];

describe("restoring", () => {
  test("into a new folder gives all of it, for its owner's eyes only", () =>
    withBackup(async (folder, file, root) => {
      const fresh = join(root, "deep", "new");
      const { about, asideFolder, faultyFiles, settled, fileCount } = await restore(file, fresh, { replace: false });
      expect(about).toEqual({ cupelVersion: "1.2.3", createdOn: NOON });
      expect([asideFolder, faultyFiles, settled]).toEqual([null, [], null]);
      expect(usersOf(fresh)).toEqual(ANN);
      expect(readFileSync(join(fresh, "secret.key"))).toEqual(readFileSync(join(folder, "secret.key")));
      let count = 2;
      for (const name of ["files", "results", "models", "journals"]) {
        const copied = readdirSync(join(fresh, name), { recursive: true, withFileTypes: true });
        expect(copied.map((entry) => entry.name)).toEqual(
          readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).map((entry) => entry.name),
        );
        for (const entry of copied.filter((each) => each.isFile())) {
          const path = join(entry.parentPath, entry.name);
          expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600]);
          expect(readFileSync(path)).toEqual(readFileSync(path.replace(fresh, folder)));
          count++;
        }
      }
      expect(count).toBe(fileCount);
      expect(statSync(fresh).mode & 0o777).toBe(0o700);
    }));

  test("moves the earlier state aside, whole, and only where it is told to", () =>
    withBackup(async (folder, file) => {
      await expect(restore(file, folder, { replace: false })).rejects.toThrow("has a state already");
      expect(usersOf(folder)).toEqual(BOTH);
      const { asideFolder } = await restore(file, folder);
      expect(asideFolder).toBe(join(folder, ASIDE));
      expect(usersOf(folder)).toEqual(ANN);
      expect(usersOf(asideFolder!)).toEqual(BOTH);
      expect(readdirSync(join(asideFolder!, "files"))).toHaveLength(6);
      await restore(file, folder);
      const asides = readdirSync(folder).filter((name) => name.startsWith(ASIDE));
      expect(asides.sort()).toEqual([ASIDE, `${ASIDE}-2`]);
    }));

  test("is refused while somebody works in the folder", () =>
    withBackup(async (folder, file) => {
      const lock = acquireStateLock(folder);
      await expect(restore(file, folder)).rejects.toThrow("Another process works in the state folder");
      lock.release();
      expect(usersOf(folder)).toEqual(BOTH);
    }));

  test("of a damaged backup, or one that is cancelled, changes nothing and leaves nothing", () =>
    withBackup(async (folder, file, root) => {
      acquireStateLock(folder).release();
      const before = readdirSync(folder).sort();
      const bytes = readFileSync(file);
      const damaged = join(root, "damaged");
      bytes[bytes.length / 2] = bytes[bytes.length / 2]! ^ 8;
      writeFileSync(damaged, bytes);
      await expect(restore(damaged, folder)).rejects.toThrow("is damaged");
      await expect(restore(damaged, join(root, "new"))).rejects.toThrow("is damaged");
      const cancelled = { signal: AbortSignal.abort(new Cancelled()) };
      await expect(restore(file, folder, cancelled)).rejects.toThrow(Cancelled);
      expect(readdirSync(folder).sort()).toEqual(before);
      expect(existsSync(join(root, "new"))).toBe(false);
      expect(usersOf(folder)).toEqual(BOTH);
    }));

  test("tells of files that the backup lacks", () =>
    withFolder(async (root) => {
      const [folder, file] = [join(root, "state"), join(root, "a.backup")];
      const { database, modelKey, state } = fillState(folder);
      rmSync(state.locate(statePaths.modelVersion(modelKey, 3)));
      await takeBackup({ folder, file, cupelVersion: "1.2.3", now: NOON, signal: never });
      database.close();
      const { faultyFiles } = await restore(file, join(root, "new"));
      expect(faultyFiles).toEqual([statePaths.modelVersion(modelKey, 3)]);
    }));

  test("of a backup of the first form gives that form, which the next start migrates", () =>
    withFolder(async (root) => {
      const [folder, file, fresh] = ["old", "old.backup", "new"].map((name) => join(root, name)) as [
        string,
        string,
        string,
      ];
      const { state, database } = fillState(folder);
      database.close();
      const { path, sizeBytes, sha256 } = placeFile(state, statePaths.file(randomUUID()), "x,y\n1,no\n");
      for (const name of ["cupel.db", "cupel.db-wal", "cupel.db-shm"]) rmSync(join(folder, name), { force: true });
      const sql = readFileSync(join(import.meta.dir, "../../../data/migrations/0001-first.sql"), "utf8");
      const client = new Client(join(folder, "cupel.db"));
      migrateDatabase(client, join(folder, "cupel.db"), NOON, [{ name: "0001-first", sql }]);
      client.run(
        "INSERT INTO users (key, email, passwordHash, role, createdOn) VALUES ('u', 'eve@example.com', '', 'user', '')",
      );
      client.run(
        `INSERT INTO datasets (key, userKey, name, status, numberOfBuckets, source, filePath, sizeBytes, sha256, createdOn,
           warnings, claimed, restarts) VALUES ('d', 'u', 'old', 'COMPLETED', 20, 'UPLOAD', ?, ?, ?, '', '[]', 0, 0)`,
        [path, sizeBytes, sha256],
      );
      client.close();
      await takeBackup({ folder, file, cupelVersion: "1.0.0", now: NOON, signal: never });
      const { faultyFiles, fileCount } = await restore(file, fresh);
      expect([faultyFiles, fileCount]).toEqual([[], 3]);
      const restored = new Client(join(fresh, "cupel.db"), { readonly: true });
      expect(restored.query("PRAGMA user_version").values()).toEqual([[1]]);
      restored.close();
      expect(usersOf(fresh)).toEqual(["eve@example.com"]);
      expect(readFileSync(join(fresh, path), "utf8")).toBe("x,y\n1,no\n");
    }));

  test("leaves what is no state where it is", () =>
    withBackup(async (folder, file) => {
      writeFileSync(join(folder, "notes.txt"), "of the operator");
      await restore(file, folder);
      expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("of the operator");
    }));
});

describe("a restore that is killed", () => {
  test(
    "after any step is ended by whoever comes next, with either state whole",
    () =>
      withBackup(async (folder, file, root) => {
        // What the steps begin with: all unpacked, nothing moved.
        const prepare = async (name: string) => {
          const place = join(root, name);
          const waiting = join(place, "restoring");
          mkdirSync(place);
          Bun.spawnSync(["cp", "-a", `${folder}/.`, place]);
          await restore(file, join(root, `${name}-unpacked`));
          rmSync(join(root, `${name}-unpacked`, "cupel.lock"));
          Bun.spawnSync(["mv", join(root, `${name}-unpacked`), waiting]);
          return place;
        };
        const counted = await prepare("counted");
        beginSwap(counted, NOON);
        const stepCount = [...swapSteps(counted)].length;
        expect(stepCount).toBeGreaterThan(10);
        for (let stopAfter = 0; stopAfter <= stepCount; stopAfter++) {
          const place = await prepare(`stopped-${stopAfter}`);
          beginSwap(place, NOON);
          const steps = swapSteps(place);
          for (let step = 0; step < stopAfter; step++) steps.next();
          // Killed here.
          expect(settleRestore(place)).toEqual({ outcome: "finished", aside: ASIDE });
          expect([stopAfter, usersOf(place)]).toEqual([stopAfter, ANN]);
          expect([stopAfter, usersOf(join(place, ASIDE))]).toEqual([stopAfter, BOTH]);
          expect(readdirSync(place).filter((name) => /restor(e\.|ing)/.test(name))).toEqual([]);
          expect(settleRestore(place)).toBeNull();
          rmSync(place, { recursive: true });
        }
      }),
    300_000,
  );

  test("before it counts leaves the state as it was, and what it unpacked is cleared away", () =>
    withBackup(async (folder, file) => {
      mkdirSync(join(folder, "restoring", "files"), { recursive: true });
      writeFileSync(join(folder, "restoring", "cupel.db"), "half");
      expect(settleRestore(folder)).toEqual({ outcome: "cleared", aside: null });
      expect(usersOf(folder)).toEqual(BOTH);
      mkdirSync(join(folder, "restoring"));
      const { settled } = await restore(file, folder);
      expect(settled).toEqual({ outcome: "cleared", aside: null });
      expect(usersOf(folder)).toEqual(ANN);
    }));

  test("does not replace what somebody made in the state's place meanwhile, though empty folders give way", () =>
    withBackup(async (folder) => {
      mkdirSync(join(folder, "restoring", "results"), { recursive: true });
      writeFileSync(join(folder, "restoring", "cupel.db"), "restored");
      beginSwap(folder, NOON);
      const steps = swapSteps(folder);
      while (readdirSync(folder).some((name) => name === "secret.key")) steps.next();
      while (!readFileSync(join(folder, "restore.json"), "utf8").includes('"in"')) steps.next();
      mkdirSync(join(folder, "results"));
      writeFileSync(join(folder, "cupel.db"), "of somebody");
      expect(() => settleRestore(folder)).toThrow("somebody made");
      expect(readFileSync(join(folder, "cupel.db"), "utf8")).toBe("of somebody");
    }));

  test("is not ended where its note is not its own", () =>
    withFolder(async (folder) => {
      for (const note of [
        "",
        "{}",
        '{"phase":"out","aside":"../elsewhere"}',
        '{"phase":"up","aside":"before-restore-1"}',
      ]) {
        writeFileSync(join(folder, "restore.json"), note);
        expect(() => settleRestore(folder)).toThrow("was not written by this program");
      }
    }));
});

describe("an archive of a stranger", () => {
  /** A backup in form whose files are these. */
  async function makeBackup(
    file: string,
    files: readonly (readonly [string, string])[],
    listed = files,
  ): Promise<void> {
    const archive = await createArchive(file, NOON);
    await archive.addText(ABOUT, formatAbout({ cupelVersion: "1.2.3", createdOn: NOON }));
    const archived = [];
    for (const [path, content] of files) archived.push(await archive.addText(path, content));
    const names = listed.map(([path]) => path);
    const manifest = formatManifest(archived.filter(({ path }) => names.includes(path)));
    await archive.addText(MANIFEST, manifest);
    await archive.addText(MANIFEST_HASH, formatManifestHash(manifest));
    await archive.finish();
    await archive.close();
  }

  const key = randomUUID();

  test.each<[string, [string, string][]]>([
    ["outside", [["state/../../evil", "x"]]],
    ["absolute", [["/tmp/evil", "x"]]],
    ["beside the state", [["evil", "x"]]],
    ["the lock", [["state/cupel.lock", "x"]]],
    ["a marker", [["state/restore.json", "x"]]],
    [
      "twice",
      [
        [`state/files/${key}.csv`, "x"],
        [`state/files/${key}.csv`, "y"],
      ],
    ],
    ["a folder", [["state/files/", ""]]],
  ])("with a file %s is refused before anything is written", (_, files) =>
    withFolder(async (root) => {
      await makeBackup(join(root, "evil.backup"), files);
      await expect(restore(join(root, "evil.backup"), join(root, "state"))).rejects.toThrow("is damaged: it holds");
      expect(readdirSync(root)).toEqual(["evil.backup"]);
    }),
  );

  test("with files that its manifest does not list is refused", () =>
    withFolder(async (root) => {
      const file = [`state/files/${key}.csv`, "x"] as const;
      await makeBackup(join(root, "evil.backup"), [["state/secret.key", "y"], file], [file]);
      await expect(restore(join(root, "evil.backup"), join(root, "state"))).rejects.toThrow("does not list");
    }));

  /** A backup whose database was changed after it was made, as only a stranger would. */
  async function withRows(sql: string, use: (file: string, root: string) => Promise<void>): Promise<void> {
    await withFolder(async (root) => {
      const folder = join(root, "made");
      const { database } = fillState(folder);
      const altered = join(root, "altered.db");
      copyDatabase(database.client, altered);
      database.close();
      const client = new Client(altered);
      client.run("PRAGMA foreign_keys = OFF");
      client.run(sql);
      client.close();
      const archive = await createArchive(join(root, "evil.backup"), NOON);
      await archive.addText(ABOUT, formatAbout({ cupelVersion: "1.2.3", createdOn: NOON }));
      const manifest = formatManifest([await archive.addFile("state/cupel.db", altered, never)]);
      await archive.addText(MANIFEST, manifest);
      await archive.addText(MANIFEST_HASH, formatManifestHash(manifest));
      await archive.finish();
      await archive.close();
      await use(join(root, "evil.backup"), root);
    });
  }

  test.each([
    ["a path that leads out of the folder", "UPDATE datasets SET filePath = '../../etc/passwd'", "names files that no"],
    ["an absolute path", "UPDATE predictions SET inputPath = '/etc/passwd'", "names files that no"],
    ["a key that is none", "UPDATE models SET key = '../..'", "refer to rows|names files that no|damaged"],
    ["a newer form", "PRAGMA user_version = 1000", "a newer version of this program"],
    ["rows that refer to nothing", "DELETE FROM users", "its database is damaged"],
    ["other migrations", "UPDATE migrations SET sha256 = 'x'", "never released"],
  ])("with %s in its rows is refused, and the state is as it was", (_, sql, message) =>
    withRows(sql, async (file, root) => {
      const folder = join(root, "mine");
      fillState(folder).database.close();
      await expect(restore(file, folder, { now: later(60) })).rejects.toThrow(new RegExp(message));
      expect(usersOf(folder)).toEqual(ANN);
      expect(readdirSync(folder)).not.toContain("restoring");
    }),
  );

  test("without a database, or with a text in its place, is refused", () =>
    withFolder(async (root) => {
      await makeBackup(join(root, "a.backup"), [["state/secret.key", "x"]]);
      await expect(restore(join(root, "a.backup"), join(root, "state"))).rejects.toThrow("it holds no database");
      await makeBackup(join(root, "b.backup"), [["state/cupel.db", "no database".repeat(1000)]]);
      await expect(restore(join(root, "b.backup"), join(root, "state"))).rejects.toThrow("its database is damaged");
      await makeBackup(join(root, "c.backup"), [["state/cupel.db", ""]]);
      await expect(restore(join(root, "c.backup"), join(root, "state"))).rejects.toThrow("its database is empty");
    }));
});
