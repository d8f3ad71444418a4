// The recipes of docs/many-machines.md as they stand there, with GNU parallel,
// Dask and xargs: answers are the bytes of one process.
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { fixtureTable } from "../support/in-process.ts";
import { runProgramNow } from "../support/programs.ts";
import { examplesIn } from "../support/tools.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const MODEL = join(import.meta.dir, "..", "fixtures", "models", "penguins-stacked-logistic-regression.cupel");
const DOCUMENT = "docs/many-machines.md";
/** Debian's, whichever Python comes first in the path: its packages are Debian's too. */
const PYTHON = "/usr/bin/python3";
/** Times that the table's rows are repeated. */
const TIMES = 30;

const folder = testFolder();
let whole = "";
let environment: Record<string, string | undefined> = {};

const run = (...command: string[]) => runProgramNow(command, { folder, environment });

/** The one example that has the text in it. */
function example(language: string, text: string): string {
  const [found, ...more] = examplesIn(DOCUMENT, language, text);
  if (found === undefined || more.length > 0) throw new Error(`${DOCUMENT} has not one example with "${text}"`);
  return found;
}

function replaced(text: string, from: string, to: string): string {
  expect(text.split(from)).toHaveLength(2);
  return text.replace(from, to);
}

beforeAll(() => {
  const bin = join(folder, "cupel");
  // Each process leaves a line with the number of its arguments, so that a test can tell how many there were.
  writeFileSync(bin, `#!/bin/sh\necho $# >> "${join(folder, "started")}"\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(bin, 0o755);
  environment = { PATH: `${folder}:${process.env["PATH"]}`, PARALLEL: "-j 3", NO_COLOR: "1" };
  if (Bun.which("parallel") === null) throw new Error("GNU parallel is missing: apt-get install parallel");
  if (run(PYTHON, "-c", "import dask.bytes, fsspec").code !== 0)
    throw new Error(`Dask for ${PYTHON} is missing: apt-get install python3-dask python3-fsspec`);
  copyFileSync(MODEL, join(folder, "model.cupel"));
  const [header, ...rows] = readFileSync(fixtureTable("penguins"), "utf8").trimEnd().split("\n");
  writeFileSync(join(folder, "NEW.csv"), [header, ...Array(TIMES).fill(rows).flat(), ""].join("\n"));
  const { out } = run("cupel", "predict", "model.cupel", "NEW.csv");
  whole = out.slice(out.indexOf("\n") + 1);
  expect(whole.split("\n")).toHaveLength(344 * TIMES + 1);
});

describe("one table by many processes", () => {
  const processes = () => readFileSync(join(folder, "started"), "utf8").trimEnd().split("\n").length;

  test.each([
    ["GNU parallel, over files", "--cat", "{}"],
    ["GNU parallel, over pipes", "", "-"],
  ])("%s", (_, copy, input) => {
    rmSync(join(folder, "started"));
    const script = example("sh", "--pipe-part").replace("--cat", copy).replace("{}", input);
    const { code, err } = run("sh", "-ec", script);
    expect([code, err]).toEqual([0, expect.stringContaining("it was not used")]);
    expect(processes()).toBe(3);
    expect(readFileSync(join(folder, "answers.csv"), "utf8")).toBe(whole);
  });

  test("split and xargs", () => {
    rmSync(join(folder, "started"));
    const { code } = run("sh", "-ec", replaced(example("sh", "xargs"), "-l 250000", "-l 3000"));
    expect([code, processes()]).toEqual([0, 4]);
    expect(readFileSync(join(folder, "answers.csv"), "utf8")).toBe(whole);
  });

  test("Dask", () => {
    rmSync(join(folder, "started"));
    const { code, err } = run(PYTHON, "-c", replaced(example("python", "dask.delayed"), "64MiB", "100KiB"));
    expect([code, err]).toEqual([0, expect.stringContaining("it was not used")]);
    expect(processes()).toBeGreaterThan(2);
    expect(readFileSync(join(folder, "answers.csv"), "utf8")).toBe(whole);
  });

  test("a shard that cannot be read fails the whole, by GNU parallel, xargs and Dask", () => {
    const text = readFileSync(join(folder, "NEW.csv"), "utf8");
    writeFileSync(join(folder, "NEW.csv"), `${text}short,row\n`);
    expect(run("sh", "-ec", example("sh", "--pipe-part")).code).not.toBe(0);
    expect(run("sh", "-ec", replaced(example("sh", "xargs"), "-l 250000", "-l 3000")).code).not.toBe(0);
    const dask = run(PYTHON, "-c", replaced(example("python", "dask.delayed"), "64MiB", "100KiB"));
    expect([dask.code, dask.err]).toEqual([1, expect.stringContaining("exit status 3")]);
    writeFileSync(join(folder, "NEW.csv"), text);
  });
});

describe("a process that is held and asked line by line", () => {
  test("gives one line for each, whatever comes", () => {
    const held = example("python", "class Score")
      .replace("(MapFunction):  # pyflink.datastream", ":")
      .replace(/^/, "import subprocess, sys\n");
    const options = ["predict", "model.cupel", "-", "--no-output-header", "--as-trained", "--only", "prediction"];
    const asked = ["Torgersen,39.1,18.7,181,3750,male,Adelie", "torn", "", "Biscoe,47.5,14.2,209,4600,female,x"];
    const script = `${held}
header = open("NEW.csv").readline().strip()
command = ["cupel", *${JSON.stringify(options)}, "--input-header", header]
score = Score()
score.open(None)
print([score.map(row) for row in ${JSON.stringify(asked)}])
score.close()
print(score.cupel.returncode)`;
    const { out, err } = run(PYTHON, "-c", script);
    expect([out, err]).toEqual([`['Adelie', '""', '""', 'Gentoo']\n0\n`, expect.stringContaining("2 rows")]);
  });
});
