// Files that are whole or not there.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, placeWhole, writeWhole } from "../../../data/files/file-store.ts";
import { withFolder } from "../../support/folders.ts";

describe("the file store", () => {
  test("writes a file, or replaces one, and leaves nothing beside it", () =>
    withFolder(async (folder) => {
      await writeWhole(join(folder, "a"), "first");
      await writeWhole(join(folder, "a"), Uint8Array.of(50, 51));
      expect(readFileSync(join(folder, "a"), "utf8")).toBe("23");
      expect(readdirSync(folder)).toEqual(["a"]);
    }));

  test("a write that fails leaves the old file and no part of the new one", () =>
    withFolder(async (folder) => {
      await writeWhole(join(folder, "a"), "old");
      const failing = placeWhole(join(folder, "a"), async (temporary) => {
        writeFileSync(temporary, "half");
        throw new Error("disk full");
      });
      await expect(failing).rejects.toThrow("disk full");
      expect(readFileSync(join(folder, "a"), "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["a"]);
    }));

  test("makes folders below folders", () =>
    withFolder(async (folder) => {
      await makeFolder(join(folder, "b", "c"));
      await makeFolder(join(folder, "b", "c"));
      expect(readdirSync(join(folder, "b"))).toEqual(["c"]);
    }));
});
