// The evidence for refinement: on tables with known noise, what it and other
// selectors keep, and what that is worth on new rows.
// Usage: bun test/bench/refinement.ts --work FOLDER [--real FOLDER-OF-CSV-FILES] [--known SIGNALS.json] [--python PATH]
//   [--seeds 2] [--real-seeds 1] [--only TABLE,TABLE] [--skip-synthetic] [--skip-cupel] [--skip-peers] [--peer-seconds 300]
//   [--redo SELECTOR] [--threshold] [--runs] [--report]
// Finished work is in FOLDER/records.jsonl and not done again, unless --redo names its selector (Cupel, boruta…)
// or its judge (scikit-learn, "Cupel's models"): so do for both of Cupel's after a change of the engine.
// --threshold trains on what refinement kept, towards the threshold that it recommends; --runs
// goes through the whole plan of a training, on all columns and on the kept ones; --report only
// prints. SIGNALS.json: {"TABLE": ["informative column", …], …}.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { PerformanceRecord } from "../../data/database/records.ts";
import type { RefinementSummary } from "../../src/summary/refinement-summary.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { addNoise, openTable, type TableFiles, writeTable } from "./noisy-tables.ts";
import { readTable } from "./outer-split.ts";
import { ownJudge } from "./own-models.ts";
import type { Answers } from "./refinement-figures.ts";
import {
  ALL_COLUMNS,
  type Case,
  CUPEL,
  type JudgeName,
  Records,
  type RefineFigures,
  TRUE_COLUMNS,
} from "./refinement-records.ts";
import { reportGroup } from "./refinement-report.ts";
import { drawSynthetic, SYNTHETIC_KINDS, type SyntheticKind } from "./synthetic-tables.ts";

const PEERS = ["boruta", "rfecv", "mutual-information"];
const SELECTORS = [ALL_COLUMNS, TRUE_COLUMNS, CUPEL, ...PEERS];
const BUCKETS = 10;
const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const FAILURE_CHARACTERS = 300;
/** Of a real table, the rows are dealt and the noise is drawn anew with every seed. */
const FIRST_SEED = 1;

const { values: flags } = parseArgs({
  options: {
    work: { type: "string" },
    real: { type: "string" },
    known: { type: "string" },
    python: { type: "string", default: "python3" },
    seeds: { type: "string", default: "2" },
    "real-seeds": { type: "string", default: "1" },
    only: { type: "string" },
    redo: { type: "string" },
    "peer-seconds": { type: "string", default: "300" },
    "skip-synthetic": { type: "boolean", default: false },
    "skip-cupel": { type: "boolean", default: false },
    "skip-peers": { type: "boolean", default: false },
    threshold: { type: "boolean", default: false },
    runs: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
  },
});
if (flags.work === undefined) throw new Error("name a folder for the work: --work FOLDER");
const work = flags.work;
mkdirSync(work, { recursive: true });
const records = new Records(join(work, "records.jsonl"));

const synthetic = flags["skip-synthetic"] ? [] : casesOf(SYNTHETIC_KINDS, flags.seeds);
const realFiles = flags.real === undefined ? [] : readdirSync(flags.real).filter((file) => file.endsWith(".csv"));
const realNames = realFiles.map((file) => basename(file, ".csv")).sort();
const real = casesOf(realNames, flags["real-seeds"]);
if (!flags.report) for (const at of [...synthetic, ...real]) await workOn(at);
const groups = { "Drawn tables": synthetic, "Real tables with noise added": real };
for (const [title, cases] of Object.entries(groups)) {
  const opened = cases.flatMap(open);
  if (opened.length > 0) print(reportGroup(title, SELECTORS, opened, records));
}

function casesOf(tables: readonly string[], seeds: string): Case[] {
  const only = flags.only?.split(",");
  const wanted = tables.filter((table) => only === undefined || only.includes(table));
  return wanted.flatMap((table) =>
    Array.from({ length: Number(seeds) }, (_, index) => ({ table, seed: FIRST_SEED + index })),
  );
}

function open(at: Case): { at: Case; files: TableFiles }[] {
  const files = openTable(folderOf(at));
  return files === null ? [] : [{ at, files }];
}

function folderOf({ table, seed }: Case): string {
  return join(work, "tables", `${table.replaceAll(" ", "-")}-${seed}`);
}

async function workOn(at: Case): Promise<void> {
  const files = prepare(at);
  for (const selector of SELECTORS) {
    const isSkipped = selector === CUPEL ? flags["skip-cupel"] : PEERS.includes(selector) && flags["skip-peers"];
    const isDone = records.selection(at, selector) !== undefined && flags.redo !== selector;
    if (isSkipped || isDone) continue;
    note(`${at.table} ${at.seed}: ${selector}`);
    await select(at, files, selector);
  }
  await judgeAll(at, files);
  const kept = records.selection(at, CUPEL)?.kept ?? null;
  const threshold = records.selection(at, CUPEL)?.refine?.recommendedThreshold ?? null;
  if (flags.threshold && kept !== null && threshold !== null) await train(at, files, kept, threshold);
  if (flags.runs && kept !== null) {
    await train(at, files, kept, null);
    await train(at, files, files.columns, null);
  }
}

function prepare(at: Case): TableFiles {
  const folder = folderOf(at);
  const known = openTable(folder);
  if (known !== null) return known;
  if (synthetic.includes(at)) writeTable(folder, drawSynthetic(at.table as SyntheticKind, at.seed));
  else {
    const { header: names, records: rows } = readTable(join(flags.real!, `${at.table}.csv`));
    const signals: Record<string, string[]> =
      flags.known === undefined ? {} : JSON.parse(readFileSync(flags.known, "utf8"));
    writeTable(folder, addNoise(names, rows, at.seed, signals[at.table] ?? null));
  }
  return openTable(folder)!;
}

async function select(at: Case, files: TableFiles, selector: string): Promise<void> {
  const { columns, truth } = files;
  const start = performance.now();
  const add = (kept: readonly string[] | null, failure: string | null, refine: RefineFigures | null) => {
    const ordered = kept === null ? null : columns.filter((name) => kept.includes(name));
    const seconds = (performance.now() - start) / 1000;
    records.add({ kind: "selection", ...at, selector, kept: ordered, failure, seconds, refine });
  };
  if (selector === ALL_COLUMNS) add(columns, null, null);
  else if (selector === TRUE_COLUMNS) add([...truth.signal, ...truth.given], null, null);
  else if (selector === CUPEL) {
    const found = await refine(at, files);
    if (typeof found === "string") add(null, found, null);
    else add(found.kept, null, found.figures);
  } else {
    const script = join(import.meta.dir, "refinement_peers.py");
    const limit = { timeout: 1000 * Number(flags["peer-seconds"]) };
    const child = runPython([script, selector, files.train, String(at.seed)], limit);
    if (child.exitCode === 0) add(JSON.parse(child.stdout.toString()).kept, null, null);
    else add(null, child.signalCode === undefined ? tail(child.stderr.toString()) : "out of time", null);
  }
}

/** Gives the words of the failure where there is no result. */
async function refine(at: Case, files: TableFiles): Promise<string | { kept: string[]; figures: RefineFigures }> {
  const out = join(folderOf(at), "refined");
  rmSync(out, { recursive: true, force: true });
  const settings = ["--seed", String(at.seed), "--buckets", String(BUCKETS), "--out", out, "--json"];
  const { failure, megabytes } = await runCupel(["refine", files.train, files.test, ...settings]);
  const path = join(out, "refinement.json");
  if (!existsSync(path)) return failure;
  const summary: RefinementSummary = JSON.parse(readFileSync(path, "utf8"));
  const [before, after] = [bestRow(summary.baselineTopPerformances), bestRow(summary.currentTopPerformances)];
  if (before === undefined || after === undefined) return `${summary.state}: ${summary.stateReason}`;
  const figures: RefineFigures = {
    state: summary.state,
    baselineAccuracy: before.accuracy!,
    baselineFamily: before.family,
    currentAccuracy: after.accuracy!,
    currentFamily: after.family,
    acceptedCheckpoints: summary.checkpoints.filter(({ accepted }) => accepted).length,
    holdoutMean: summary.holdoutEstimate?.mean ?? null,
    recommendedThreshold: summary.recommendedThreshold,
    peakMegabytes: megabytes,
  };
  return { kept: [...summary.keptColumns], figures };
}

function bestRow(rows: readonly PerformanceRecord[]): PerformanceRecord | undefined {
  return rows.find(({ best }) => best);
}

/** Has every list of columns that some selector kept judged once by both judges. */
async function judgeAll(at: Case, { train, outer }: TableFiles): Promise<void> {
  const lists = new Map<string, string[]>();
  for (const selector of SELECTORS) {
    const kept = records.selection(at, selector)?.kept;
    if (kept !== null && kept !== undefined) lists.set(JSON.stringify(kept), kept);
  }
  const missing = (judge: JudgeName) =>
    [...lists.values()].filter((kept) => flags.redo === judge || records.judgement(at, judge, kept) === undefined);

  const forPython = missing("scikit-learn");
  if (forPython.length > 0) {
    note(`${at.table} ${at.seed}: judging ${forPython.length} lists of columns`);
    const input = Buffer.from(JSON.stringify(forPython));
    const child = runPython([join(import.meta.dir, "refinement_judge.py"), train, outer], { stdin: input });
    if (child.exitCode !== 0) throw new Error(child.stderr.toString());
    const lines = child.stdout.toString().trimEnd().split("\n");
    lines.forEach((line, index) => {
      const answers: Answers = JSON.parse(line);
      records.add({ kind: "judgement", ...at, judge: "scikit-learn", kept: forPython[index]!, answers });
    });
  }
  const forCupel = missing("Cupel's models");
  if (forCupel.length === 0) return;
  const judge = ownJudge(train, outer, BUCKETS, at.seed);
  for (const kept of forCupel) {
    records.add({ kind: "judgement", ...at, judge: "Cupel's models", kept, answers: judge(kept) });
  }
}

/** Trains by `cupel run` on TRAIN with these columns only, and scores OUTER. */
async function train(at: Case, files: TableFiles, kept: readonly string[], target: number | null): Promise<void> {
  if (records.training(at, kept, target) !== undefined) return;
  note(`${at.table} ${at.seed}: training on ${kept.length} columns`);
  const folder = join(folderOf(at), "training");
  const start = performance.now();
  const isWhole = kept.length === files.columns.length;
  const path = isWhole ? files.train : join(folderOf(at), "refined", "train.csv");
  const out = ["--out", folder, "--no-refine", "--seed", String(at.seed), "--buckets", String(BUCKETS)];
  const goal = target === null ? [] : ["--target", String(target)];
  rmSync(folder, { recursive: true, force: true });
  const { failure } = await runCupel(["run", path, "--predict", files.outer, ...out, ...goal]);
  if (!existsSync(join(folder, "summary.json"))) throw new Error(`the training on ${path} failed: ${failure}`);
  const summary: RunSummary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  const decided = readTable(join(folder, "predictions-outer.csv")).records;
  const labelIndex = files.columns.length;
  const right = decided.map((record) => (record[labelIndex + 1] === record[labelIndex] ? "1" : "0")).join("");
  const seconds = (performance.now() - start) / 1000;
  records.add({
    kind: "training",
    ...at,
    kept: [...kept],
    target,
    achieved: summary.achievedPerformance,
    right,
    seconds,
  });
}

async function runCupel(command: readonly string[]): Promise<{ failure: string; megabytes: number }> {
  const child = Bun.spawn([process.execPath, MAIN, ...command], { stdout: "ignore", stderr: "pipe" });
  const words = await new Response(child.stderr).text();
  const exitCode = await child.exited;
  return { failure: `exit code ${exitCode}: ${tail(words)}`, megabytes: (child.resourceUsage()?.maxRSS ?? 0) / 1e6 };
}

/** On one core, as all peers are. */
function runPython(command: readonly string[], options: { timeout?: number; stdin?: Buffer }) {
  const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
  return Bun.spawnSync([flags.python, ...command], { env, ...options });
}

function tail(words: string): string {
  return words.trim().slice(-FAILURE_CHARACTERS);
}

function note(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n\n`);
}
