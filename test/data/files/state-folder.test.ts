// The state folder and what keeps it private: its modes, its paths, its lock.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openStateFolder, statePaths } from "../../../data/files/state-folder.ts";
import { acquireStateLock } from "../../../data/files/state-lock.ts";
import { withFolder } from "../../support/folders.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("the state folder", () => {
  test("is made with its folders, for its owner's eyes only", () =>
    withFolder(async (folder) => {
      const { path, locate, freeBytes } = openStateFolder(join(folder, "deep", "state"));
      expect(readdirSync(path).sort()).toEqual(["files", "journals", "models", "results", "unfinished", "uploads"]);
      for (const name of [".", ...readdirSync(path)]) expect(modeOf(join(path, name))).toBe(0o700);
      const key = randomUUID();
      expect(locate(statePaths.file(key))).toBe(join(path, "files", `${key}.csv`));
      expect(freeBytes()).toBeGreaterThan(0);
    }));

  test("forgets uploads under way and keeps all else", () =>
    withFolder(async (folder) => {
      const { locate } = openStateFolder(folder);
      const key = randomUUID();
      writeFileSync(locate(`uploads/${key}.part`), "half");
      writeFileSync(locate(statePaths.file(key)), "whole");
      writeFileSync(locate(statePaths.unfinished(key)), "some");
      mkdirSync(locate(statePaths.modelFolder(key)));
      chmodSync(folder, 0o755);
      openStateFolder(folder);
      expect(existsSync(locate(`uploads/${key}.part`))).toBe(false);
      expect(existsSync(locate(statePaths.file(key)))).toBe(true);
      expect(existsSync(locate(statePaths.unfinished(key)))).toBe(true);
      expect(existsSync(locate(statePaths.modelFolder(key)))).toBe(true);
      expect(modeOf(folder)).toBe(0o700);
    }));

  test("has a place for every file, made from keys alone", () => {
    const key = "0b0f1c9e-5a3c-4a53-9d55-0a7a4b7d2f11";
    expect(Object.values(statePaths).map((make) => make(key, 2))).toEqual([
      `files/${key}.csv`,
      `results/${key}.csv`,
      `models/${key}`,
      `models/${key}/v2.cupel`,
      `models/${key}/summary.json`,
      `models/${key}/report.html`,
      `journals/${key}`,
      `unfinished/${key}`,
    ]);
    const strange = fc.oneof(
      fc.string(),
      fc.constantFrom("../../etc/passwd", `${key}/..`, ` ${key}`, `${key}\n`, key.toUpperCase(), `${key}\0`),
    );
    fc.assert(
      fc.property(strange, (text) => {
        for (const make of Object.values(statePaths)) expect(() => make(text, 1)).toThrow(RangeError);
      }),
    );
    for (const version of [0, 4, 1.5, Number.NaN]) {
      expect(() => statePaths.modelVersion(key, version)).toThrow(RangeError);
    }
  });
});

const HOLDER = `
  import { acquireStateLock } from ${JSON.stringify(join(import.meta.dir, "../../../data/files/state-lock.ts"))};
  try {
    acquireStateLock(process.argv[1]);
    console.log("held");
    setInterval(() => undefined, 1000);
  } catch (error) {
    console.log(error.code);
  }
`;

/** Another process that tries to take the lock; gives its first line. */
async function startHolder(folder: string) {
  const child = Bun.spawn([process.execPath, "-e", HOLDER, folder], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  return { child, line: new TextDecoder().decode(value).trim() };
}

describe("the lock on the state folder", () => {
  test("refuses a second holder in this process until it is released, and names the folder", () =>
    withFolder(async (folder) => {
      const lock = acquireStateLock(folder);
      expect(() => acquireStateLock(folder)).toThrow(`Another process works in the state folder ${folder}`);
      // The refused try has not loosened the lock.
      expect((await startHolder(folder)).line).toBe("STATE_FOLDER_IN_USE");
      lock.release();
      lock.release();
      acquireStateLock(folder).release();
      expect(modeOf(join(folder, "cupel.lock"))).toBe(0o600);
    }));

  test("is held by another process until that one is killed", () =>
    withFolder(async (folder) => {
      const { child, line } = await startHolder(folder);
      expect(line).toBe("held");
      expect(() => acquireStateLock(folder)).toThrow(folder);
      child.kill("SIGKILL");
      await child.exited;
      acquireStateLock(folder).release();
    }));
});
