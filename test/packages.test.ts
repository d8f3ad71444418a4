// What others' packages may do here: nothing when they are installed, and nothing
// in another version than the one that was looked at.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json";

const LIFECYCLE = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

test("no package runs a script when it is installed", () => {
  // Left out, the list would be Bun's own, which has packages that report
  // home (@scarf/scarf comes with swagger-ui-dist).
  expect(manifest.trustedDependencies).toEqual([]);
  expect(Object.keys(manifest.scripts).filter((name) => LIFECYCLE.includes(name))).toEqual([]);
});

test("every package has one version, and comes from the registry with its hash", () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  // DuckDB's packages number their builds of a version; a second version of a package has a name of its own.
  const isOne = /^(npm:[\w-]+@)?\d+\.\d+\.\d+(-r\.\d+)?$/;
  expect(versions.filter(([, version]) => !isOne.test(version))).toEqual([]);
  const lock = readFileSync(join(import.meta.dir, "../bun.lock"), "utf8");
  const entries = [...lock.matchAll(/^ {4}"[^"]+": \[(.*)\],$/gm)].map(([, entry]) => entry!);
  expect(entries.length).toBeGreaterThan(versions.length);
  expect(entries.filter((entry) => !/^"[^"]+@\d[^"/:]*", "", .*"sha512-[\w+/]{86}=="$/.test(entry))).toEqual([]);
});
