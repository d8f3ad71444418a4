// Backups of real state folders: what is in them, that they are of one moment, and what they refuse.
import { Database as Client } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statePathOf } from "../../../data/backup/backup-format.ts";
import { readBackup } from "../../../data/backup/read-backup.ts";
import { restoreBackup } from "../../../data/backup/restore-backup.ts";
import { beginSwap } from "../../../data/backup/restore-swap.ts";
import { type BackupOutcome, takeBackup } from "../../../data/backup/take-backup.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { deletePrediction } from "../../../data/predictions.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { fillState, placeFile } from "../../support/filled-state.ts";
import { withFolder } from "../../support/folders.ts";
import { addUser, NOON } from "../state.ts";

const never = new AbortController().signal;

function backup(folder: string, file: string, signal = never): Promise<BackupOutcome> {
  return takeBackup({ folder, file, cupelVersion: "1.2.3", now: NOON, signal });
}

/** Every file of the folder below, by its path. */
function contentsOf(folder: string, below = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) for (const [name, content] of contentsOf(folder, path)) found.set(name, content);
    else found.set(path, readFileSync(join(folder, path), "latin1"));
  }
  return found;
}

async function unpack(file: string, folder: string): Promise<void> {
  const child = Bun.spawn(["tar", "-xf", file], { cwd: folder, stderr: "ignore" });
  expect(await child.exited).toBe(0);
}

/** Gives a state folder beside a place for backups. */
function withState(use: (folder: string, target: string) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    const [folder, target] = [join(root, "state"), join(root, "backups")];
    mkdirSync(target);
    await use(folder, target);
  });
}

describe("a backup", () => {
  test("holds the secret, a sound copy of the database and every file it names, while it is open elsewhere", () =>
    withState(async (folder, target) => {
      const { database, paths } = fillState(folder);
      placeFile({ locate: (path) => join(folder, path) }, statePaths.file(randomUUID()), "named by no row");
      const file = join(target, "a.backup");
      const outcome = await backup(folder, file);
      expect(outcome).toEqual({ fileCount: paths.length + 2, sizeBytes: statSync(file).size, faultyFiles: [] });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readdirSync(target)).toEqual(["a.backup"]);
      database.close();

      await unpack(file, target);
      const [live, copied] = [contentsOf(folder), contentsOf(join(target, "state"))];
      expect([...copied.keys()].sort()).toEqual([...paths, "cupel.db", "secret.key"].sort());
      for (const path of [...paths, "secret.key"]) expect([path, copied.get(path)]).toEqual([path, live.get(path)!]);
      const copy = new Client(join(target, "state", "cupel.db"), { readonly: true });
      expect(copy.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
      expect(copy.query("SELECT email FROM users").values()).toEqual([["ann@example.com"]]);
      copy.close();
    }));

  test("can be checked without this program", () =>
    withState(async (folder, target) => {
      fillState(folder).database.close();
      const file = join(target, "a.backup");
      await backup(folder, file);
      await unpack(file, target);
      const sum = Bun.spawn(["sha256sum", "--check", "manifest.sha256"], { cwd: target, stdout: "ignore" });
      expect(await sum.exited).toBe(0);
      const { files } = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8")) as {
        files: { path: string; sizeBytes: number; sha256: string }[];
      };
      for (const { path, sizeBytes, sha256 } of files) {
        const content = readFileSync(join(target, path));
        expect([content.length, createHash("sha256").update(content).digest("hex")]).toEqual([sizeBytes, sha256]);
      }
    }));

  test("says of when and by what it was made", () =>
    withState(async (folder, target) => {
      fillState(folder).database.close();
      await backup(folder, join(target, "a.backup"));
      const { about, files } = await readBackup(join(target, "a.backup"), never);
      expect(about).toEqual({ cupelVersion: "1.2.3", createdOn: NOON });
      expect(files.has("secret.key")).toBe(true);
    }));

  test("does not lack a file that is removed while it is made: it is of a moment after that", () =>
    withState(async (folder, target) => {
      const { database, ann, predictionKey, state } = fillState(folder);
      // As the API deletes it, at the instant when the backup asks for the first time whether it should go on.
      let isDeleted = false;
      const signal = Object.assign(new AbortController().signal, {
        throwIfAborted: () => {
          if (isDeleted) return;
          isDeleted = true;
          queueMicrotask(() => {
            deletePrediction(database, ann, predictionKey, NOON);
            rmSync(state.locate(statePaths.file(predictionKey)));
            rmSync(state.locate(statePaths.result(predictionKey)));
          });
        },
      });
      const file = join(target, "a.backup");
      expect((await backup(folder, file, signal)).faultyFiles).toEqual([]);
      database.close();
      const restored = join(target, "restored");
      await restoreBackup({ file, folder: restored, replace: false, now: NOON, signal: never });
      const copy = new Client(join(restored, "cupel.db"), { readonly: true });
      const left = copy.query("SELECT count(*) FROM predictions WHERE deletedOn IS NULL").values();
      copy.close();
      expect(left).toEqual([[0]]);
      // One of its files may have been copied before it was removed; it does not come back.
      expect(existsSync(join(restored, statePaths.file(predictionKey)))).toBe(false);
      expect(existsSync(join(restored, statePaths.result(predictionKey)))).toBe(false);
    }));

  test("of a folder that lacks files, or has altered ones, is made and says which", () =>
    withState(async (folder, target) => {
      const { database, modelKey, paths, state } = fillState(folder);
      database.close();
      const [altered] = paths;
      writeFileSync(state.locate(altered!), "something else");
      rmSync(state.locate(statePaths.modelVersion(modelKey, 2)));
      const { faultyFiles } = await backup(folder, join(target, "a.backup"));
      expect(faultyFiles).toEqual([statePaths.modelVersion(modelKey, 2), altered!]);
      await readBackup(join(target, "a.backup"), never);
    }));

  test("is not written over a file, into no folder, or where the database is damaged", () =>
    withState(async (folder, target) => {
      fillState(folder).database.close();
      writeFileSync(join(target, "taken"), "mine");
      await expect(backup(folder, join(target, "taken"))).rejects.toThrow("is there already and is not overwritten");
      await expect(backup(folder, join(target, "none", "a"))).rejects.toThrow("There is no folder");
      const path = join(folder, "cupel.db");
      const bytes = readFileSync(path);
      // The content of a page in the middle: b-trees do not hold this.
      bytes.fill(0xff, 4096 * 10, 4096 * 11);
      writeFileSync(path, bytes);
      await expect(backup(folder, join(target, "a.backup"))).rejects.toThrow(`The database ${path} is damaged`);
      expect(readdirSync(target)).toEqual(["taken"]);
      expect(readFileSync(join(target, "taken"), "utf8")).toBe("mine");
    }));

  test("takes no file from outside of the folder, whatever a row says", () =>
    withState(async (folder, target) => {
      const { database } = fillState(folder);
      database.client.run("UPDATE datasets SET filePath = '../backups/secret.txt'");
      database.close();
      writeFileSync(join(target, "secret.txt"), "of somebody else");
      await expect(backup(folder, join(target, "a.backup"))).rejects.toThrow(
        "a row names a file outside of the folder",
      );
      expect(readdirSync(target)).toEqual(["secret.txt"]);
    }));

  test("is not made of a folder in which a restore stopped half-way", () =>
    withState(async (folder, target) => {
      fillState(folder).database.close();
      beginSwap(folder, NOON);
      await expect(backup(folder, join(target, "a.backup"))).rejects.toThrow("was interrupted");
    }));

  test("that is cancelled leaves nothing", () =>
    withState(async (folder, target) => {
      fillState(folder).database.close();
      await expect(backup(folder, join(target, "a.backup"), AbortSignal.abort(new Cancelled()))).rejects.toThrow(
        Cancelled,
      );
      expect(readdirSync(target)).toEqual([]);
    }));

  test("is whole while rows and files come and go", () =>
    withState(async (folder, target) => {
      const { database, state, ann } = fillState(folder);
      let isOver = false;
      const working = (async () => {
        for (let number = 0; !isOver; number++) {
          addUser(database, `user${number}@example.com`);
          const file = placeFile(state, statePaths.file(randomUUID()), "x".repeat(10_000));
          await Bun.sleep(0);
          rmSync(state.locate(file.path));
        }
      })();
      for (const name of ["a", "b", "c"]) await backup(folder, join(target, name));
      isOver = true;
      await working;
      expect(ann).toBeString();
      for (const name of ["a", "b", "c"]) await readBackup(join(target, name), never);
      database.close();
    }));
});

describe("reading a backup", () => {
  test.each([
    ["an empty file", ""],
    ["a text", "x,y\n1,2\n".repeat(1000)],
    ["zeros", "\0".repeat(4096)],
    ["a database", "SQLite format 3\0".padEnd(8192, "\0")],
  ])("refuses %s as no backup", (_, content) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "file"), content);
      await expect(readBackup(join(folder, "file"), never)).rejects.toThrow("is no backup");
    }),
  );

  test("refuses one that is not there, or may not be read", () =>
    withFolder(async (folder) => {
      await expect(readBackup(join(folder, "file"), never)).rejects.toThrow("cannot be read (ENOENT)");
      await expect(readBackup(folder, never)).rejects.toThrow("cannot be read (it is no file)");
    }));

  test(
    "refuses one in which any bit was flipped or any byte is missing",
    () =>
      withState(async (folder, target) => {
        fillState(folder).database.close();
        const file = join(target, "a.backup");
        await backup(folder, file);
        chmodSync(file, 0o600);
        const whole = readFileSync(file);
        for (let at = 0; at < whole.length; at += 4_001) {
          const altered = Buffer.from(whole);
          altered[at] = altered[at]! ^ (1 << (at % 8));
          writeFileSync(file, altered);
          const refusal = await readBackup(file, never).then(
            () => "read",
            (error: { code: string }) => error.code,
          );
          expect([at, refusal]).toEqual([at, at < 512 ? "NO_BACKUP" : "BACKUP_DAMAGED"]);
          writeFileSync(file, whole.subarray(0, at));
          await expect(readBackup(file, never)).rejects.toThrow(/is no backup|is damaged/);
        }
      }),
    300_000,
  );

  test.each([
    "state/../cupel.db",
    "/etc/passwd",
    "state//etc/passwd",
    "state/files/../../x",
    "state/files/x.csv",
    "state/cupel.lock",
    "state/uploads/0b0f1c9e-5a3c-4a53-9d55-0a7a4b7d2f11.part",
    "state/models/0b0f1c9e-5a3c-4a53-9d55-0a7a4b7d2f11/v4.cupel",
    "cupel.db",
    "",
  ])("knows no path like %j", (path) => {
    expect(statePathOf(path)).toBeNull();
  });
});
