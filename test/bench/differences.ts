// Measures what differences of columns bring: runs of two programs on the same rows, of which one does not learn from
// differences. Drawn tables come first: stays with the day or the time of admission and discharge, and two sensors. Rows
// that nobody chose on judge.
// Usage: bun test/bench/differences.ts SPLITS [FILE…] --cupel PROGRAM --before PROGRAM
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../../engine/random.ts";
import { dealRows, meanOf, printRow, programOf, readTable, runToEnd, writeTable } from "./outer-split.ts";

const DRAWN_ROWS = [400, 1_500, 6_000];
const NEW_ROWS = 3_000;
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cupel: { type: "string" }, before: { type: "string" } },
});
const [splits = "5", ...paths] = positionals;
const folder = mkdtempSync(join(tmpdir(), "cupel-differences-"));
printRow(["table", "rows", "without", "with differences", "gain by split"]);

type Draw = (amount: number, random: Random) => string[];

/** `amount`: a standard normal number that the label goes by. */
const DRAWS: Readonly<Record<string, Draw>> = {
  "stays, days": (amount, random) => {
    const from = Date.UTC(2020, 0, 1) + random.nextBelow(1_800) * DAY;
    const days = Math.max(1, Math.round(10 + 4 * amount));
    return [from, from + days * DAY].map((time) => new Date(time).toISOString().slice(0, 10));
  },
  "stays, minutes": (amount, random) => {
    const from = Date.UTC(2023, 0, 1) + random.nextBelow(576_000) * MINUTE;
    const minutes = Math.round(60 * Math.exp(3 + amount));
    return [from, from + minutes * MINUTE].map((time) => new Date(time).toISOString().slice(0, 16).replace("T", " "));
  },
  "two sensors": (amount, random) => {
    const first = 20 + 8 * normal(random);
    return [first, first + 0.05 * amount].map((value) => value.toFixed(3));
  },
};

for (const [name, draw] of Object.entries(DRAWS)) {
  for (const rowCount of DRAWN_ROWS) {
    const random = new Random(rowCount);
    const records = Array.from({ length: rowCount + NEW_ROWS }, () => drawRecord(draw, random));
    await compare(
      name,
      ["other", "place", "first", "second", "label"],
      [[records.slice(0, rowCount), records.slice(rowCount)]],
    );
  }
}
for (const path of paths) {
  const { header, records } = readTable(path);
  const parts = Array.from({ length: Number(splits) }, (_, split) => dealRows(records, split));
  await compare(basename(path, ".csv"), header, parts);
}
rmSync(folder, { recursive: true });

async function compare(name: string, header: readonly string[], parts: readonly [string[][], string[][]][]) {
  const [before, after]: [number[], number[]] = [[], []];
  for (const [learning, judging] of parts) {
    before.push(await accuracyOf(values.before, header, learning, judging));
    after.push(await accuracyOf(values.cupel, header, learning, judging));
  }
  const gains = after.map((accuracy, split) => (accuracy - before[split]!).toFixed(2));
  printRow([name, parts[0]![0].length, meanOf(before).toFixed(1), meanOf(after).toFixed(1), gains.join(", ")]);
}

/** In percent, of the rows that judge. */
async function accuracyOf(
  program: string | undefined,
  header: readonly string[],
  learning: string[][],
  judging: string[][],
): Promise<number> {
  const [trainPath, testPath, out] = ["train.csv", "test.csv", "out"].map((name) => join(folder, name));
  writeTable(trainPath!, header, learning);
  writeTable(testPath!, header, judging);
  await runToEnd([...programOf(program), "run", trainPath!, "--predict", testPath!, "--out", out!]);
  const { header: resultHeader, records } = readTable(join(out!, "predictions-test.csv"));
  const at = resultHeader.indexOf("prediction");
  rmSync(out!, { recursive: true });
  return (100 * records.filter((record, row) => record[at] === judging[row]!.at(-1)).length) / judging.length;
}

/** The label goes by the amount, another number and, a little, a place. */
function drawRecord(draw: Draw, random: Random): string[] {
  const [amount, other] = [normal(random), normal(random)];
  const place = "abcd"[random.nextBelow(4)]!;
  const score = 2.7 * amount + 1.2 * other + (place === "a" ? 0.9 : 0);
  const label = random.nextFloat() < 1 / (1 + Math.exp(-score)) ? "yes" : "no";
  return [other.toFixed(3), place, ...draw(amount, random), label];
}

/** A standard normal number (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.nextFloat())) * Math.cos(2 * Math.PI * random.nextFloat());
}
