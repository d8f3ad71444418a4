// What others' packages may do here: nothing when they are installed, and nothing
// in another version than the one that was looked at.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
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

test("every test file is one of those that `check` or `check:long` runs", () => {
  const optionsOf = (script: string) => script.slice(script.lastIndexOf("bun test ")).split(" ");
  const quick = optionsOf(manifest.scripts.check);
  const long = optionsOf(manifest.scripts["check:long"]).filter((word) => word.startsWith("test/"));
  const left = quick
    .filter((_, index) => quick[index - 1] === "--path-ignore-patterns")
    .map((pattern) => new Glob(pattern.replaceAll("'", "")));
  expect([left.length > 0, long.length > 0]).toEqual([true, true]);
  const files = [...new Glob("test/**/*.test.ts").scanSync(join(import.meta.dir, ".."))];
  const isLeft = (file: string) => left.some((pattern) => pattern.match(file));
  expect(files.filter((file) => isLeft(file) && !long.some((place) => file.startsWith(place)))).toEqual([]);
  for (const place of long) expect(files.filter((file) => file.startsWith(place) && isLeft(file))).not.toBeEmpty();
});
