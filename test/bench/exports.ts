// Exports of models beside Cupel's own answers: size, time to export, differences, processor time a row.
// Usage: bun test/bench/exports.ts TABLE.csv … [--champions FOLDER] [--rows N]
// [--targets NAME,…] [--onnxruntime FOLDER] [--python PYTHON]
//   --champions    what `cupel run TABLE.csv --out FOLDER/TABLE` made; models that are not there are trained first, into this folder
//   --rows         10,000 by default: records of the table over and over, some cells empty, unseen or odd
//   --targets      of RUNNERS below, all by default
//   --onnxruntime  a folder with onnxruntime-node in its node_modules: native, by Node, rather than WebAssembly
// Each runner is a process that reads rows, as a check file has them, and writes {labels, probabilities, loadSeconds,
// seconds}, in seconds of processor time. To add a format, add its command to RUNNERS.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { answeredRows, type CheckFile } from "../../engine/export/check-file.ts";
import { checkRows } from "../../engine/export/check-rows.ts";
import { inputValues } from "../../engine/export/onnx/inputs.ts";
import { InputError } from "../../engine/input-error.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { Random } from "../../engine/random.ts";
import { exportModel } from "../../src/commands/export.ts";
import type { TargetName, TargetOptions } from "../../src/exporting/targets.ts";
import { testConsole } from "../support/in-process.ts";
import { FROM_SOURCE } from "../support/server.ts";
import { readTable } from "./outer-split.ts";

interface Runner {
  target: TargetName;
  options: TargetOptions;
  /** The name or folder of the export. */
  out: string;
  /** Scores the rows in `rows` by the export at `path` and writes the answers to `answers`. */
  command(path: string, rows: string, answers: string, model: string): readonly string[];
}

interface RunnerAnswers {
  labels: readonly string[];
  probabilities: readonly (readonly number[])[];
  loadSeconds: number;
  seconds: number;
}

/** Of a hundred cells, those that are empty, unseen, or odd as a check file has them. */
const [HOLES, UNSEEN, ODD] = [6, 3, 3];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    champions: { type: "string" },
    rows: { type: "string", default: "10000" },
    targets: { type: "string" },
    onnxruntime: { type: "string" },
    python: { type: "string", default: "python3" },
  },
});

const onnxCommand: Runner["command"] = (path, rows, answers) => [
  ...(flags.onnxruntime === undefined ? [process.execPath] : ["node"]),
  ...[join(import.meta.dir, "exports_onnx.mjs"), path, rows, answers],
  ...(flags.onnxruntime === undefined ? [] : [flags.onnxruntime]),
];

const sqlRunner = (dialect: string): Runner => ({
  target: "sql",
  options: { dialect },
  out: `${dialect}.sql`,
  command: (...paths) => [process.execPath, join(import.meta.dir, "exports_sql.ts"), ...paths, dialect],
});

const compiledRunner = (language: "java" | "c"): Runner => ({
  target: language,
  options: {},
  out: language,
  command: (...paths) => [process.execPath, join(import.meta.dir, "exports_compiled.ts"), ...paths, language],
});

const RUNNERS: Readonly<Record<string, Runner>> = {
  onnx: { target: "onnx", options: {}, out: "model.onnx", command: onnxCommand },
  "onnx-ml5": { target: "onnx", options: { onnxMl: "5" }, out: "model5.onnx", command: onnxCommand },
  python: {
    target: "python",
    options: {},
    out: "score.py",
    command: (...paths) => [flags.python, join(import.meta.dir, "exports_python.py"), ...paths],
  },
  javascript: {
    target: "javascript",
    options: {},
    out: "score.mjs",
    command: (...paths) => ["node", join(import.meta.dir, "exports_javascript.mjs"), ...paths],
  },
  java: compiledRunner("java"),
  c: compiledRunner("c"),
  duckdb: sqlRunner("duckdb"),
  postgres: sqlRunner("postgres"),
  sqlite: sqlRunner("sqlite"),
  mysql: sqlRunner("mysql"),
};

const folder = mkdtempSync(join(tmpdir(), "cupel-exports-"));
const champions = flags.champions ?? join(folder, "champions");

try {
  tell(`${flags.rows} rows; times in seconds of processor time`);
  tell(
    "| table | model | format | size | s to export | s to load | µs a row | worst abs Δp | labels that differ (ties) |",
  );
  tell("|---|---|---|---|---|---|---|---|---|");
  for (const table of positionals) await measure(table);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(table: string): Promise<void> {
  const name = basename(table, ".csv");
  const modelPath = join(champions, name, "model.cupel");
  if (!existsSync(modelPath)) Bun.spawnSync([...FROM_SOURCE, "run", table, "--out", join(champions, name)]);
  const file = unpackModel(readFileSync(modelPath));
  const rows = drawnRows(table, file, Number(flags.rows));
  const known = answeredRows(file, rows);
  const rowsPath = join(folder, "rows.json");
  const inputs = file.texts === undefined ? inputValues(file, rows) : null;
  writeFileSync(rowsPath, JSON.stringify({ columns: known.columns, rows, inputs, label: file.label }));
  const model = `${file.lineage.algorithm}, ${megabytes(statSync(modelPath).size)} MB`;
  const asked = flags.targets?.split(",") ?? Object.keys(RUNNERS);
  for (const [title, runner] of Object.entries(RUNNERS)) {
    if (!asked.includes(title)) continue;
    const home = join(folder, `${name}-${runner.out}`);
    mkdirSync(home);
    const figures = await figuresOf(runner, home, modelPath, rowsPath, known);
    tell(`| ${[name, model, title, ...figures].join(" | ")} |`);
  }
}

async function figuresOf(runner: Runner, home: string, modelPath: string, rows: string, known: CheckFile) {
  const path = join(home, runner.out);
  const begun = process.cpuUsage();
  try {
    const options = { ...runner.options, modelPath, target: runner.target, outPath: path };
    await exportModel(options, testConsole());
  } catch (error) {
    if (error instanceof InputError) return [error.message];
    throw error;
  }
  const { user, system } = process.cpuUsage(begun);
  const size = `${megabytes(sizeOf(path))} MB`;
  const answersPath = join(home, "answers.json");
  const { exitCode, stderr } = Bun.spawnSync([...runner.command(path, rows, answersPath, modelPath)]);
  if (exitCode !== 0) return [`failed: ${stderr.toString().trim().split("\n").at(-1)}`];
  const found: RunnerAnswers = JSON.parse(readFileSync(answersPath, "utf8"));
  const differing = known.labels.flatMap((label, row) => (label === found.labels[row] ? [] : [row]));
  return [
    size,
    ((user + system) / 1e6).toFixed(2),
    found.loadSeconds.toFixed(2),
    ((1e6 * found.seconds) / known.labels.length).toFixed(0),
    worstOf(known, found).toExponential(1),
    `${differing.length} (${differing.filter((row) => isTie(known.probabilities[row]!)).length})`,
  ];
}

/** Records over and over, in the order of the model's columns. */
function drawnRows(table: string, file: ModelFile, count: number): string[][] {
  const { header, records } = readTable(table);
  const places = file.columns.map(({ name }) => header.indexOf(name));
  const odd = checkRows(file);
  const random = new Random(1);
  return Array.from({ length: count }, (_, row) =>
    places.map((place, column) => {
      const draw = random.nextBelow(100);
      if (draw < HOLES) return "";
      if (draw < HOLES + UNSEEN) return "never seen";
      if (draw < HOLES + UNSEEN + ODD) return odd[random.nextBelow(odd.length)]![column]!;
      return records[row % records.length]![place]!;
    }),
  );
}

function worstOf({ probabilities }: CheckFile, found: RunnerAnswers): number {
  let worst = 0;
  for (const [row, own] of probabilities.entries()) {
    for (const [k, share] of own.entries()) worst = Math.max(worst, Math.abs(share - found.probabilities[row]![k]!));
  }
  return worst;
}

/** Whether rounding may choose between the two most probable labels. */
function isTie(probabilities: readonly number[]): boolean {
  const [first, second] = probabilities.toSorted((a, b) => b - a);
  return first! - second! < 1e-12;
}

function sizeOf(path: string): number {
  const { size } = statSync(path);
  if (!statSync(path).isDirectory()) return size;
  const files = [...new Bun.Glob("**/*").scanSync(path)];
  return files.reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
