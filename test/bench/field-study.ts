// Does the figure hold in the field? Drawn tables of known truth: bun
// test/bench/field-study.ts [--draws N] [--looks] [--runs]
// --looks: how often the verdict fires, by how much random rows truly flatter. --runs: the confirmed figure and its
// interval beside the accuracy on rows from elsewhere, judged at random and as the table asks for. --tables FOLDER: how
// often the verdict fires on its CSV files, shuffled. --table FILE --group COLUMN (or --time COLUMN): one file, judged
// at random and as asked for, beside a fifth of its groups, or its newest fifth, that was kept away.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import Papa from "papaparse";
import { findLeaks } from "../../engine/leaks/leaks.ts";
import { Random, shuffle } from "../../engine/random.ts";
import { findDependence } from "../../engine/row-dependence/dependence.ts";
import { codeSample, sampleStretches } from "../../engine/row-dependence/sample.ts";
import { Trial } from "../../engine/row-dependence/trial.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { firstRows, selectTableRows } from "../../engine/table/table.ts";
import { type RunOptions, run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import {
  csvOf,
  drawCopies,
  drawDrift,
  drawGroups,
  drawLeak,
  drawSensor,
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
/** Looks are many more: each table in three forms. */
const LOOKED_AT_STRENGTHS = [0, 0.3, 1];
const LOOKED_AT_TURNS = [0, 0.8, 2.4];
/** Standard deviations a year. */
const SENSOR_DRIFTS = [0, 0.5, 1, 2];
const COPIED = [0.1, 0.3, 1];
/** By how much the log-odds of a label are lower, for 6% of the rows to have it. */
const RARITY = 7;
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
  LOOKED_AT_STRENGTHS.map((strength) => ({
    kind: `${count} groups, strength ${strength}`,
    draw: (seed: number) => drawGroups(count, ROWS / count, strength, seed),
  })),
);
const DRIFTS: Case[] = LOOKED_AT_TURNS.map((turn) => ({
  kind: `drift ${turn}`,
  draw: (seed) => drawDrift(ROWS, turn, seed),
}));

/** With enough rows from elsewhere that their accuracy is known better than an interval is wide. */
const RUN_ON = [
  ...GROUP_COUNTS.flatMap((count) =>
    STRENGTHS.map((strength) => ({
      kind: `${count} groups, strength ${strength}`,
      draw: (seed: number) => drawGroups(count, ROWS / count, strength, seed, count === 50 ? 1_000 : 2_000),
      options: { groupColumn: "group" },
    })),
  ),
  ...TURNS.map((turn) => ({
    kind: `drift ${turn}`,
    draw: (seed: number) => drawDrift(ROWS, turn, seed, 10),
    options: { timeColumn: "when" },
  })),
];

const SENSORS: Case[] = SENSOR_DRIFTS.map((drift) => ({
  kind: `sensor drift ${drift}`,
  draw: (seed) => drawSensor(ROWS, drift, seed),
}));

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
  ...SENSORS.map(({ kind, draw }) => ({ kind: `${kind}; in order, dated`, draw })),
  ...SENSORS.map(({ kind, draw }) => ({
    kind: `${kind}; shuffled, dated`,
    draw: (seed: number) => shuffled(draw(seed), seed),
  })),
  ...COPIED.map((share) => ({
    kind: `copies of ${100 * share}% of the rows`,
    draw: (seed: number) => drawCopies(ROWS, share, seed),
  })),
  { kind: "twins", draw: (seed) => drawTwins(ROWS, seed) },
  { kind: "independent", draw: (seed) => drawLeak(ROWS, null, seed) },
];

const { values } = parseArgs({
  options: {
    draws: { type: "string", default: "20" },
    looks: { type: "boolean", default: false },
    runs: { type: "boolean", default: false },
    tables: { type: "string" },
    table: { type: "string" },
    group: { type: "string" },
    time: { type: "string" },
  },
});
const draws = Number(values.draws);
const folder = mkdtempSync(join(tmpdir(), "cupel-field-"));
const tell = (line: string) => process.stdout.write(`${line}\n`);
try {
  if (values.table !== undefined) await studyTable(values.table);
  else if (values.tables !== undefined) lookAtShuffled(values.tables);
  else {
    if (values.looks || !values.runs) studyLooks();
    if (values.runs || !values.looks) await studyRuns();
  }
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
  tell("\n| rare label | group named |\n|---|---|");
  for (const count of [50, 160]) {
    for (const strength of [0, 0.3]) {
      const named = Array.from({ length: draws }, (_, seed) => {
        const drawn = drawGroups(count, ROWS / count, strength, seed + 1, 0, RARITY);
        const { table } = readDrawn(shuffled(drawn, seed + 1), []);
        return findDependence(table, seed + 1, neverStop).found.some(({ column }) => column === 0);
      });
      tell(`| ${count} groups, strength ${strength} | ${named.filter(Boolean).length} of ${draws} |`);
    }
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
  const { found } = findDependence(own, seed, neverStop);
  const trial = new Trial(sampleStretches(own), { seed, stop: neverStop, measure: "accuracy" });
  const random = mean([...trial.atRandom(0).right]);
  if (drawn.elsewhere.length === 0) return { flattery: 0, isFired: found.length > 0 };
  const whole = new Trial(codeSample(table), { seed, stop: neverStop, measure: "accuracy" });
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  const { right } = whole.learnedFrom([
    { learning: rows.slice(0, drawn.rows.length), judging: rows.slice(drawn.rows.length) },
  ]);
  return { flattery: random - mean([...right].filter((each) => !Number.isNaN(each))), isFired: found.length > 0 };
}

function readDrawn({ names, rows }: FieldTable, more: readonly (readonly string[])[]) {
  const path = join(folder, "drawn.csv");
  writeFileSync(path, csvOf(names, [...rows, ...more]));
  return readTable({ path, label: null, missingMarkers: null }, neverStop);
}

/** How often independent rows, or rows in drawn order without a name, are told to belong together. */
function lookAtShuffled(tables: string): void {
  tell("\n| table, shuffled | verdict fires |\n|---|---|");
  for (const file of readdirSync(tables).filter((name) => name.endsWith(".csv"))) {
    const { table } = readTable({ path: join(tables, file), label: null, missingMarkers: null }, neverStop);
    const fired = Array.from({ length: draws }, (_, draw) => {
      const order = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
      shuffle(order, new Random(draw + 1));
      return findDependence(selectTableRows(table, order), draw + 1, neverStop).found.length > 0;
    });
    tell(`| ${basename(file, ".csv")} | ${fired.filter(Boolean).length} of ${draws} |`);
  }
}

async function studyRuns(): Promise<void> {
  const headings = ["table", "elsewhere", "confirmed at random", "held out as asked for", "confirmed as asked for"];
  const more = ["mean error", "interval covers", "its width", "own time"];
  tell(`\n| ${[...headings, ...more].join(" | ")} |\n|---${"|---".repeat(headings.length + more.length - 1)}|`);
  for (const { kind, draw, options } of RUN_ON) {
    const asked: Outcome[] = [];
    const atRandom: Outcome[] = [];
    for (let seed = 1; seed <= draws; seed++) {
      const drawn = draw(seed);
      asked.push(await runOn(drawn, seed, options));
      atRandom.push(await runOn(drawn, seed, {}));
    }
    const covered = asked.filter(({ elsewhere, low, high }) => elsewhere >= low && elsewhere <= high).length;
    const errors = asked.map(({ confirmed, elsewhere }) => 100 * (confirmed - elsewhere));
    const cells = [
      percent(mean(asked.map(({ elsewhere }) => elsewhere))),
      percent(mean(atRandom.map(({ confirmed }) => confirmed))),
      percent(mean(asked.map(({ held }) => held))),
      percent(mean(asked.map(({ confirmed }) => confirmed))),
      `${mean(errors).toFixed(1)} ± ${standardError(errors).toFixed(1)}`,
      `${covered} of ${draws}`,
      (100 * mean(asked.map(({ low, high }) => high - low))).toFixed(1),
      asked[0]!.ownTime === null ? "" : percent(mean(asked.map(({ ownTime }) => ownTime!))),
    ];
    tell(`| ${kind} | ${cells.join(" | ")} |`);
  }
}

/**
 * One file: a fifth of its groups, or its newest fifth, is kept for the truth,
 * and the rest judged at random and as asked for.
 */
async function studyTable(path: string): Promise<void> {
  const { data } = Papa.parse<string[]>(readFileSync(path, "utf8"), { skipEmptyLines: true });
  const [names, ...rows] = data as [string[], ...string[][]];
  const { group, time } = values;
  const at = names.indexOf((group ?? time)!);
  const isElsewhere = group === undefined ? newestFifth(rows, at) : drawnFifth(rows, at);
  const drawn = {
    names: names.map((name) => `"${name}"`),
    rows: rows.filter((_, row) => !isElsewhere(row)),
    elsewhere: rows.filter((_, row) => isElsewhere(row)),
  };
  const options = group === undefined ? { timeColumn: time! } : { groupColumn: group };
  const asked = await runOn(drawn, 1, { ...options, timeLimitSeconds: 1_800 });
  const atRandom = await runOn(drawn, 1, { timeLimitSeconds: 1_800 });
  const shown = ({ confirmed, low, high }: Outcome) => `${percent(confirmed)} [${percent(low)}, ${percent(high)}]`;
  const cells = [
    shown(atRandom),
    percent(atRandom.elsewhere),
    percent(asked.held),
    shown(asked),
    percent(asked.elsewhere),
  ];
  tell(
    `| ${basename(path, ".csv")} | --${group === undefined ? `time ${time}` : `group ${group}`} | ${cells.join(" | ")} |`,
  );
}

function newestFifth(rows: readonly string[][], at: number): (row: number) => boolean {
  const times = rows.map((cells) => Number(cells[at]));
  const cut = times.toSorted((a, b) => a - b)[Math.floor(0.8 * rows.length)]!;
  return (row) => times[row]! >= cut;
}

function drawnFifth(rows: readonly string[][], at: number): (row: number) => boolean {
  const groups = [...new Set(rows.map((cells) => cells[at]!))];
  const order = Uint32Array.from(groups.keys());
  shuffle(order, new Random(1));
  const drawn = new Set(Array.from(order.subarray(0, Math.ceil(groups.length / 5)), (place) => groups[place]!));
  return (row) => drawn.has(rows[row]![at]!);
}

interface Outcome {
  held: number;
  confirmed: number;
  low: number;
  high: number;
  /** Accuracy of the champion on rows from elsewhere, and on others of the newest fifth's time. */
  elsewhere: number;
  ownTime: number | null;
}

async function runOn(
  { names, rows, elsewhere, ownTime = [] }: FieldTable,
  seed: number,
  options: Partial<RunOptions>,
): Promise<Outcome> {
  const out = join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  const pathOf = (name: string, own: readonly (readonly string[])[]) => {
    writeFileSync(join(folder, name), own.length === 0 ? "" : csvOf(names, own));
    return join(folder, name);
  };
  const judged = [elsewhere, ownTime].filter((own) => own.length > 0);
  const predictPaths = judged.map((own, index) => pathOf(`new${index}.csv`, own));
  const settings = runOptions(pathOf("train.csv", rows), out, { ...options, predictPaths, seed, workers: 2 });
  await run(settings, testConsole(), spawnWorker);
  const { versions, predictions } = JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as RunSummary;
  const accuracies = judged.map((own, index) => accuracyOf(join(out, predictions[index]!.file), own));
  const { confirmedPerformance, heldOutPerformance } = versions[0]!;
  const { mean: confirmed, low, high } = confirmedPerformance!;
  return {
    held: heldOutPerformance.mean,
    confirmed,
    low,
    high,
    elsewhere: accuracies[0]!,
    ownTime: accuracies[1] ?? null,
  };
}

function accuracyOf(path: string, rows: readonly (readonly string[])[]): number {
  const { data } = Papa.parse<string[]>(readFileSync(path, "utf8"), { skipEmptyLines: true });
  const [header, ...lines] = data as [string[], ...string[][]];
  const at = header.indexOf("prediction");
  return lines.filter((cells, row) => cells[at] === rows[row]!.at(-1)).length / lines.length;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function standardError(numbers: readonly number[]): number {
  const centre = mean(numbers);
  const squares = numbers.reduce((sum, each) => sum + (each - centre) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, numbers.length - 1) / numbers.length);
}

function points(share: number): string {
  return `${(100 * share).toFixed(1)} points`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
