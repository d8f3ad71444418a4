// Does the figure hold in the field? Drawn tables of known truth: bun test/bench/field-study.ts [--draws N] [--looks] [--runs]
// --looks: how often the verdict fires, by how much random rows truly flatter. --runs: the confirmed figure and its interval
// beside the accuracy on rows from elsewhere, judged at random and as the table asks for.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findLeaks } from "../../engine/row-dependence/leaks.ts";
import { lookForDependence } from "../../engine/row-dependence/look.ts";
import { sampleStretches } from "../../engine/row-dependence/sample.ts";
import { Trial } from "../../engine/row-dependence/trial.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { firstRows } from "../../engine/table.ts";
import { type RunOptions, run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary.ts";
import { readTable } from "../../workers/read-table.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import {
  csvOf,
  drawDrift,
  drawGroups,
  drawLeak,
  drawTwins,
  type FieldTable,
  LEAKS,
  shuffled,
  withoutKey,
} from "./field-tables.ts";

const ROWS = 4_000;
const GROUP_COUNTS = [50, 160, 1_000];
const STRENGTHS = [0, 0.3, 0.6, 1];
const TURNS = [0, 0.8, 1.6, 2.4];
/** True flattery by which draws are counted apart. */
const BINS = [
  { from: 0.1, to: Number.POSITIVE_INFINITY, words: "10 points and more" },
  { from: 0.05, to: 0.1, words: "5 to 10 points" },
  { from: 0.02, to: 0.05, words: "2 to 5 points" },
  { from: Number.NEGATIVE_INFINITY, to: 0.02, words: "less than 2 points" },
];

interface Case {
  kind: string;
  draw(seed: number): FieldTable;
}

const GROUPS: Case[] = GROUP_COUNTS.flatMap((count) =>
  STRENGTHS.map((strength) => ({
    kind: `${count} groups, strength ${strength}`,
    draw: (seed: number) => drawGroups(count, ROWS / count, strength, seed),
  })),
);
const DRIFTS: Case[] = TURNS.map((turn) => ({ kind: `drift ${turn}`, draw: (seed) => drawDrift(ROWS, turn, seed) }));

const LOOKED_AT: Case[] = [
  ...GROUPS.map(({ kind, draw }) => ({ kind: `${kind}; in order, named`, draw })),
  ...GROUPS.map(({ kind, draw }) => ({ kind: `${kind}; in order`, draw: (seed: number) => withoutKey(draw(seed)) })),
  ...GROUPS.map(({ kind, draw }) => ({
    kind: `${kind}; shuffled, named`,
    draw: (seed: number) => shuffled(draw(seed), seed),
  })),
  ...DRIFTS.map(({ kind, draw }) => ({ kind: `${kind}; in order, dated`, draw })),
  ...DRIFTS.map(({ kind, draw }) => ({ kind: `${kind}; in order`, draw: (seed: number) => withoutKey(draw(seed)) })),
  ...DRIFTS.map(({ kind, draw }) => ({
    kind: `${kind}; shuffled, dated`,
    draw: (seed: number) => shuffled(draw(seed), seed),
  })),
  { kind: "twins", draw: (seed) => drawTwins(ROWS, seed) },
  { kind: "independent", draw: (seed) => drawLeak(ROWS, null, seed) },
];

const { values } = parseArgs({
  options: { draws: { type: "string", default: "20" }, looks: { type: "boolean" }, runs: { type: "boolean" } },
});
const draws = Number(values.draws);
const folder = mkdtempSync(join(tmpdir(), "cupel-field-"));
const tell = (line: string) => process.stdout.write(`${line}\n`);
try {
  if (values.looks === true || values.runs !== true) studyLooks();
  if (values.runs === true || values.looks !== true) await studyRuns();
} finally {
  rmSync(folder, { recursive: true });
}

function studyLooks(): void {
  const drawn: { kind: string; flattery: number; isFired: boolean }[] = [];
  tell("| table | true flattery | verdict fires |\n|---|---|---|");
  for (const { kind, draw } of LOOKED_AT) {
    const own = Array.from({ length: draws }, (_, seed) => ({ kind, ...lookAt(draw(seed + 1), seed + 1) }));
    drawn.push(...own);
    const flattery = mean(own.map((each) => each.flattery));
    tell(`| ${kind} | ${points(flattery)} | ${own.filter(({ isFired }) => isFired).length} of ${own.length} |`);
  }
  tell("\n| true flattery | draws | verdict fires |\n|---|---|---|");
  for (const { from, to, words } of BINS) {
    const own = drawn.filter(({ flattery }) => flattery >= from && flattery < to);
    const fired = own.filter(({ isFired }) => isFired).length;
    tell(`| ${words} | ${own.length} | ${((100 * fired) / Math.max(1, own.length)).toFixed(0)}% |`);
  }
  tell("\n| leak | named |\n|---|---|");
  for (const leak of [...LEAKS, null]) {
    const found = Array.from({ length: draws }, (_, seed) => {
      const { table } = readDrawn(drawLeak(ROWS, leak, seed + 1), []);
      return findLeaks(table, neverStop).length > 0;
    });
    tell(`| ${leak ?? "none"} | ${found.filter(Boolean).length} of ${draws} |`);
  }
}

/** True flattery: what the fast model reaches at random, less what it reaches on rows from elsewhere. */
function lookAt(drawn: FieldTable, seed: number) {
  const { table } = readDrawn(drawn, drawn.elsewhere);
  const own = firstRows(table, drawn.rows.length);
  const { found } = lookForDependence(own, seed, neverStop);
  const trial = new Trial(sampleStretches(own).view, own.classes, own.labels.length, seed, neverStop);
  const random = mean([...trial.atRandom()]);
  if (drawn.elsewhere.length === 0) return { flattery: 0, isFired: found.length > 0 };
  const whole = new Trial(
    sampleStretches(table, table.rowCount).view,
    table.classes,
    table.labels.length,
    seed,
    neverStop,
  );
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  const right = whole.learnedFrom(rows.slice(0, drawn.rows.length), rows.slice(drawn.rows.length));
  return { flattery: random - mean([...right].filter((each) => !Number.isNaN(each))), isFired: found.length > 0 };
}

function readDrawn({ names, rows }: FieldTable, more: readonly (readonly string[])[]) {
  const path = join(folder, "drawn.csv");
  writeFileSync(path, csvOf(names, [...rows, ...more]));
  return readTable({ path, label: null, missingMarkers: null }, neverStop);
}

async function studyRuns(): Promise<void> {
  tell(
    "\n| table | elsewhere | confirmed at random | confirmed as asked for | interval covers |\n|---|---|---|---|---|",
  );
  const cases = [
    ...GROUPS.map((each) => ({ ...each, options: { groupColumn: "group" } })),
    ...DRIFTS.map((each) => ({ ...each, options: { timeColumn: "when" } })),
  ];
  for (const { kind, draw, options } of cases) {
    const asked: Outcome[] = [];
    const atRandom: Outcome[] = [];
    for (let seed = 1; seed <= draws; seed++) {
      const drawn = draw(seed);
      asked.push(await runOn(drawn, seed, options));
      atRandom.push(await runOn(drawn, seed, {}));
    }
    const covered = asked.filter(({ elsewhere, low, high }) => elsewhere >= low && elsewhere <= high).length;
    const cells = [
      percent(mean(asked.map(({ elsewhere }) => elsewhere))),
      percent(mean(atRandom.map(({ confirmed }) => confirmed))),
      percent(mean(asked.map(({ confirmed }) => confirmed))),
      `${covered} of ${draws}`,
    ];
    tell(`| ${kind} | ${cells.join(" | ")} |`);
  }
}

interface Outcome {
  confirmed: number;
  low: number;
  high: number;
  /** Accuracy of the champion on rows from elsewhere. */
  elsewhere: number;
}

async function runOn(
  { names, rows, elsewhere }: FieldTable,
  seed: number,
  options: Partial<RunOptions>,
): Promise<Outcome> {
  const trainPath = join(folder, "train.csv");
  const newPath = join(folder, "new.csv");
  const out = join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  writeFileSync(trainPath, csvOf(names, rows));
  writeFileSync(newPath, csvOf(names, elsewhere));
  const predictPaths = [newPath];
  await run(runOptions(trainPath, out, { ...options, predictPaths, seed, workers: 2 }), testConsole(), spawnWorker);
  const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as RunSummary;
  const { mean: confirmed, low, high } = summary.versions[0]!.confirmedPerformance!;
  const [header, ...lines] = readFileSync(join(out, summary.predictions[0]!.file), "utf8").trimEnd().split("\n");
  const at = header!.split(",").indexOf("prediction");
  const right = lines.filter((line, row) => line.split(",")[at] === elsewhere[row]!.at(-1)).length;
  return { confirmed, low, high, elsewhere: right / lines.length };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function points(share: number): string {
  return `${(100 * share).toFixed(1)} points`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
