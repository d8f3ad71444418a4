// Files that a person named: what cannot be read twice is refused before anything waits for it.
import { describe, expect, test } from "bun:test";
import { closeSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openForReading } from "../../../workers/reading/file-chunks.ts";
import { testFolder } from "../../support/folders.ts";
import { describeWithTools } from "../../support/tools.ts";

const folder = testFolder();
describeWithTools("a named pipe", { needed: ["mkfifo"] }, () => {
  test("is refused without being opened, also by another name", () => {
    const path = join(folder, "feed");
    Bun.spawnSync(["mkfifo", path]);
    symlinkSync(path, join(folder, "link"));
    for (const name of ["feed", "link"]) {
      expect(() => openForReading(join(folder, name))).toThrow(
        `"${join(folder, name)}" is a named pipe, which can be read once only. Save it to a file first.`,
      );
    }
  });
});

describe("other files", () => {
  test("are opened, but for folders and those that are not there", () => {
    closeSync(openForReading(import.meta.path));
    expect(() => openForReading(folder)).toThrow(`"${folder}" is a folder. Name a file in it.`);
    expect(() => openForReading(join(folder, "none"))).toThrow(`There is no file "${join(folder, "none")}".`);
  });
});
