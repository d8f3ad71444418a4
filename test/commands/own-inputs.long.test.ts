// No command writes over what it reads, by whatever name it is given: the
// program as a process, on real files and links.
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { refuseOwnInputs, refuseResults } from "../../src/commands/own-inputs.ts";
import { run } from "../../src/commands/run.ts";
import { testFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const INPUTS = ["learn.csv", "judge.csv", "new.csv", "model.cupel", "out/predictions-new.csv", "out/report.html"];

const made = testFolder();
const copies = testFolder();
let folder: string;

beforeAll(async () => {
  const table = fixtureTable("penguins");
  for (const name of ["learn.csv", "judge.csv", "new.csv"]) cpSync(table, join(made, name));
  await run(
    runOptions(table, join(made, "out"), { predictPaths: [join(made, "new.csv")] }),
    testConsole(),
    spawnWorker,
  );
  cpSync(join(made, "out", "model.cupel"), join(made, "model.cupel"));
  // As a person might keep them: the reduced names are those that a refinement writes.
  mkdirSync(join(made, "pair"));
  for (const name of ["train.csv", "test.csv"]) cpSync(table, join(made, "pair", name));
});

beforeEach(() => {
  folder = join(mkdtempSync(join(copies, "copy-")), "work");
  cpSync(made, folder, { recursive: true });
  symlinkSync("new.csv", join(folder, "symbolic.csv"));
  linkSync(join(folder, "new.csv"), join(folder, "hard.csv"));
  symlinkSync(".", join(folder, "here"));
});

async function cupel(command: string) {
  const script = `${process.execPath} ${MAIN} ${command}`;
  const child = Bun.spawn(["sh", "-c", script], { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [err, code] = await Promise.all([child.stderr.text(), child.exited]);
  return { err, code };
}

const contents = () =>
  [...INPUTS, "pair/train.csv", "pair/test.csv"].map((name) => String(Bun.hash(readFileSync(join(folder, name)))));

describe("an output that is an input is refused", () => {
  test.each([
    "predict model.cupel new.csv --out new.csv",
    "predict model.cupel new.csv --out out/../new.csv",
    "predict model.cupel new.csv --out here/here/new.csv",
    "predict model.cupel new.csv --out symbolic.csv",
    "predict model.cupel new.csv --out hard.csv",
    "predict model.cupel symbolic.csv --out hard.csv",
    "predict model.cupel new.csv --out model.cupel",
    "predict model.cupel - --out new.csv < new.csv",
    "predict model.cupel /dev/stdin --out new.csv < new.csv",
    "predict model.cupel new.csv >> new.csv",
    "inspect new.csv >> hard.csv",
    "run learn.csv --json >> learn.csv",
    "run learn.csv --out learn.csv",
    "run learn.csv --predict out/predictions-new.csv --out out",
    "run out/predictions-new.csv --out here/out",
    "run out/report.html --out out",
    "refine pair/train.csv judge.csv --out pair",
    "refine learn.csv pair/test.csv --out out/../pair",
    "backup new.csv --data out",
  ])("cupel %s", async (command) => {
    const before = contents();
    const { err, code } = await cupel(command);
    expect(code).toBe(3);
    expect(err).toMatch(
      /cupel: .*(would be overwritten\. (Name another|Send it)|is there already and is not overwritten)/,
    );
    expect(contents()).toEqual(before);
  });
});

describe("a folder in a result's place is refused before the work", () => {
  test.each([
    ["model.cupel", "run learn.csv --out made"],
    ["report.html", "run learn.csv --out made"],
    ["predictions-new.csv", "run learn.csv --predict new.csv --out made"],
    ["train.csv", "refine learn.csv judge.csv --out made"],
    [".refinement-journal", "refine learn.csv judge.csv --out made"],
  ])("%s: cupel %s", async (name, command) => {
    mkdirSync(join(folder, "made", name), { recursive: true });
    const { err, code } = await cupel(command);
    const refusal = `made/${name} is a folder, but a result has that name. Move it away, or name another folder with --out.`;
    expect([err.trimEnd().split("\n").at(-1), code]).toEqual([`cupel: ${refusal}`, 3]);
    expect(readdirSync(join(folder, "made"))).toEqual([name]);
  });

  test("but not a link to one, which the result replaces", () => {
    mkdirSync(join(folder, "made"));
    symlinkSync("..", join(folder, "made", "model.cupel"));
    expect(() => refuseResults([join(folder, "learn.csv")], join(folder, "made"), ["model.cupel"])).not.toThrow();
  });
});

describe("what is no input is not refused", () => {
  test("a new name, the result of before, an empty place, a device", () => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("result.csv"), "of before");
    const outputs = [at("result.csv"), at("absent.csv"), at("absent/none.csv"), at("out"), "/dev/null"];
    expect(() => refuseOwnInputs([at("new.csv"), at("model.cupel"), "/dev/null"], outputs)).not.toThrow();
  });
});
