// Files that no row names: where they go, when they come back, and when they are removed.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bringBack, listAsides, removeAsides, setAside } from "../../../data/files/set-aside.ts";
import { withFolder } from "../../support/folders.ts";

const at = (day: string) => new Date(`${day}T12:00:00.000Z`);

function put(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

test("a file moves into the folder of the day and back, and the latest one comes back", () =>
  withFolder(async (folder) => {
    const path = "models/one/v1.cupel";
    put(folder, path, "early");
    setAside(folder, path, at("2031-05-06"));
    expect(existsSync(join(folder, "models/one"))).toBeFalse();
    put(folder, path, "late");
    setAside(folder, path, at("2031-05-07"));
    put(folder, "files/kept.csv", "kept");
    bringBack(folder, [path, "files/kept.csv", "files/unknown.csv"]);
    expect(readFileSync(join(folder, path), "utf8")).toBe("late");
    expect(readFileSync(join(folder, "files/kept.csv"), "utf8")).toBe("kept");
    expect(existsSync(join(folder, "unnamed-20310506", path))).toBeTrue();
  }));

test("only folders of earlier days are removed, and nothing of another name", () =>
  withFolder(async (folder) => {
    for (const day of ["2031-05-06", "2031-05-07"]) {
      put(folder, "files/a.csv", day);
      setAside(folder, "files/a.csv", at(day));
    }
    mkdirSync(join(folder, "unnamed-notes"));
    removeAsides(folder, at("2031-05-06"));
    expect(listAsides(folder)).toEqual(["unnamed-20310506", "unnamed-20310507"]);
    removeAsides(folder, at("2031-05-07"));
    expect(listAsides(folder)).toEqual(["unnamed-20310507"]);
    expect(existsSync(join(folder, "unnamed-notes"))).toBeTrue();
  }));
