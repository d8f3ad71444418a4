// Names, labels and categories that try to steer a terminal or to forge lines on it: no command lets them.
import { beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const FORGED = "0 problems, 0 warnings.";
/** Ends a line in each way that a terminal knows, then says something as if Cupel said it. */
const HOSTILE = `\u001b]0;owned\u0007\u009b2J\u202e\u2066\n${FORGED}\r${FORGED}\u2028${FORGED}`;
const ROWS = 90;

const folder = testFolder();
const at = (name: string) => join(folder, name);

beforeAll(() => {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const cells = [row, row % 7, `${HOSTILE}${row % 3}`, `${HOSTILE}${row % 2}`, `${HOSTILE}${row % 2}`];
    return cells.map(quoted).join(",");
  });
  const header = ["size", "weight", "kind", "hint", "label"].map((name) => quoted(`${name}${HOSTILE}`)).join(",");
  writeFileSync(at("table.csv"), `${header}\n${rows.join("\n")}\n`);
  writeFileSync(at("other.csv"), `${quoted(`z${HOSTILE}`)},a\n1,2\n`);
  for (const [name, weight] of [
    ["shifted", "99"],
    ["odd", HOSTILE],
  ] as const) {
    const cells = (_: string, row: number) => [row + 900, weight, "new", "new", `${HOSTILE}9`].map(quoted).join(",");
    writeFileSync(at(`${name}.csv`), `${header}\n${rows.map(cells).join("\n")}\n`);
  }
  for (const [name, known] of [
    ["labels", 2],
    ["foreign", 0],
  ] as const) {
    const labels = rows.map((_, row) => quoted(`${HOSTILE}${row % 3 < known ? row % 2 : 8}`));
    writeFileSync(at(`${name}.csv`), `${quoted(`label${HOSTILE}`)}\n${labels.join("\n")}\n`);
  }
  writeFileSync(at("twice.csv"), `${quoted(`a${HOSTILE}`)},${quoted(`a${HOSTILE}`)},label\n1,2,x\n`);
});
function quoted(cell: string | number): string {
  return `"${cell}"`;
}

/** Runs a command; returns its exit code and what it printed. Nothing that it prints steers, or begins with the forged text. */
async function run(...args: string[]): Promise<{ code: number; printed: string }> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const printed = `${out}\n${err}`;
  const lines = printed.split("\n");
  expect([args, lines.filter((line) => STEERING.test(line) || line.trimStart().startsWith(FORGED))]).toEqual([
    args,
    [],
  ]);
  return { code: await child.exited, printed };
}

test("no command prints them as lines, and none lets them steer", async () => {
  const model = at("out/model.cupel");
  const hostile = `none${HOSTILE}`;
  const tuned = ["--scaling", "2", "--label", `label${HOSTILE}`];
  const asked: [exitCodes: number[], ...args: string[]][] = [
    [[0], "inspect", at("table.csv")],
    [[0], "inspect", at("table.csv"), "--json"],
    [[3], "inspect", at("table.csv"), "--label", hostile],
    [[3], "inspect", at("table.csv"), "--kind", `kind${HOSTILE}=number`],
    [[3], "inspect", at("table.csv"), "--kind", `${hostile}=number`],
    [[0, 3], "inspect", at("twice.csv")],
    [[0, 4], "run", at("table.csv"), ...tuned, "--out", at("out"), "--predict", at("table.csv"), "--no-refine"],
    [[0, 4], "run", at("table.csv"), ...tuned, "--out", at("costly"), "--cost", `${HOSTILE}0=5`],
    [[3], "run", at("table.csv"), ...tuned, "--out", at("none"), "--cost", `${hostile}=5`],
    [[0, 4], "run", at("table.csv"), ...tuned, "--out", at("json"), "--json", "--optimise", "f1"],
    [[3], "run", at("table.csv"), ...tuned, "--out", at("none"), "--group", hostile],
    [[0, 4], "refine", at("table.csv"), at("table.csv"), "--label", `label${HOSTILE}`, "--out", at("refined")],
    [[3], "refine", at("table.csv"), at("other.csv"), "--label", `label${HOSTILE}`, "--out", at("none")],
    [[0], "inspect", model],
    [[0], "inspect", model, "--json"],
    [[0], "predict", model, at("table.csv"), "--out", at("result.csv"), "--watch", at("counts.json"), "--reasons", "2"],
    [[0], "predict", model, at("shifted.csv"), "--out", at("later.csv"), "--watch", at("counts.json")],
    [[3], "predict", model, at("odd.csv"), "--out", at("none.csv")],
    [[3], "predict", model, at("other.csv"), "--out", at("none.csv")],
    [[3], "predict", model, at("table.csv"), "--out", at("none.csv"), "--only", quoted(hostile)],
    [[3], "predict", model, hostile, "--out", at("none.csv")],
    [[3], "watch", model, at("other.csv")],
    [[3], "watch", model, at("odd.csv")],
    [[0, 5], "watch", model, at("table.csv")],
    [[5], "watch", model, at("shifted.csv")],
    [[5], "watch", model, at("shifted.csv"), "--json"],
    [[0, 5], "watch", model, "--counts", at("counts.json")],
    [[0, 5], "watch", model, "--labels", at("labels.csv"), "--predicted", at("result.csv")],
    [[3], "watch", model, "--labels", at("foreign.csv"), "--predicted", at("result.csv")],
    [[3], "watch", model, "--labels", at("labels.csv"), "--predicted", at("result.csv"), "--key", hostile],
    ...["onnx", "python", "javascript", "java", "c"].map((target): [number[], ...string[]] => [
      [0],
      "export",
      model,
      "--to",
      target,
      "--out",
      at(`exported-${target}`),
    ]),
    [[0], "export", model, "--to", "sql", "--dialect", "duckdb", "--table", "rows", "--out", at("exported.sql")],
  ];
  for (const [codes, ...args] of asked) {
    const { code, printed } = await run(...args);
    expect({ args, code, printed, isExpected: codes.includes(code) }).toMatchObject({ isExpected: true });
    expect(printed.length).toBeGreaterThan(1);
  }
}, 300_000);

test("a report keeps them inside their elements", () => {
  for (const path of ["out/report.html", "refined/report.html"]) {
    const report = readFileSync(at(path), "utf8");
    expect(report).toContain(FORGED);
    const others = report.replace(/<bdi>[^<]*<\/bdi>/g, "");
    expect(others.split(/[\r\n\u2028]/).filter((line) => line.startsWith(FORGED))).toEqual([]);
  }
});
