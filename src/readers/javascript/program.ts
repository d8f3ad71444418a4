// The command line of the JavaScript reader: scores a CSV file in constant memory, or compares with a check file.
import { freeName, repairNames } from "../../../engine/csv/header.ts";
import { sixDigits } from "../../../engine/csv/six-digits.ts";
import { CellCheck } from "./cell-check.ts";
import { listed, loadModel, type Model } from "./model.ts";
import { csvLine, FileCutter, type Record } from "./records.ts";

const BAD_INPUT = 3;
const BAD_USE = 2;
/** Records scored together: their trees are walked in one go. */
const ROWS_TOGETHER = 2048;
const MOST_DIFFERENCE = 1e-9;

/** `inside`: the model that this program holds; null where the first argument names one. Returns the exit code. */
export async function runProgram(args: readonly string[], inside: Model | null): Promise<number> {
  const options = parseArguments(args, inside === null);
  if (options === null) {
    const model = inside === null ? "MODEL.cupel " : "";
    process.stderr.write(
      `usage: node score.mjs ${model}FILE.csv [--out RESULT.csv]\n       node score.mjs ` +
        `${model}--check CHECK.json\nFILE may be - for standard input.\n`,
    );
    return BAD_USE;
  }
  const { readFileSync } = await import("node:fs");
  try {
    const model = inside ?? loadModel(readFileSync(options.model!));
    if (options.check !== null) return compare(model, JSON.parse(readFileSync(options.check, "utf8")), options.check);
    if (options.out === null) await scoreTo(model, options.file!, toStandardOutput());
    else await scoreToFile(model, options.file!, options.out);
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return BAD_INPUT;
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return BAD_INPUT;
  }
}

interface Options {
  model: string | null;
  file: string | null;
  out: string | null;
  check: string | null;
}

/** Null where they make no sense. */
function parseArguments(args: readonly string[], needsModel: boolean): Options | null {
  const named: { [name: string]: string } = {};
  const plain: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const name = args[at]!;
    if (name !== "--out" && name !== "--check") {
      if (name.startsWith("--")) return null;
      plain.push(name);
    } else if (args[at + 1] === undefined || named[name] !== undefined) return null;
    else named[name] = args[++at]!;
  }
  const model = needsModel ? (plain.shift() ?? null) : null;
  const file = plain.shift() ?? null;
  const { "--out": out = null, "--check": check = null } = named;
  const isWhole = plain.length === 0 && (model !== null || !needsModel) && (file === null) !== (check === null);
  return isWhole && (check === null || out === null) ? { model, file, out, check } : null;
}

type Write = (text: string) => Promise<void> | void;

function toStandardOutput(): Write {
  return (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
}

/** A result that is asked for by name appears whole or not at all. */
async function scoreToFile(model: Model, path: string, out: string): Promise<void> {
  const { closeSync, existsSync, openSync, renameSync, unlinkSync, writeSync } = await import("node:fs");
  if (existsSync(out)) throw new Error(`${out} exists already. Name another file or remove it.`);
  const part = `${out}.${process.pid}.part`;
  const file = openSync(part, "wx");
  try {
    await scoreTo(model, path, (text) => {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
    closeSync(file);
    renameSync(part, out);
  } catch (error) {
    unlinkSync(part);
    throw error;
  }
}

async function scoreTo(model: Model, path: string, write: Write): Promise<void> {
  const { createReadStream } = await import("node:fs");
  const source: AsyncIterable<Uint8Array> = path === "-" ? process.stdin : createReadStream(path);
  let scoring: FileScoring | null = null;
  for await (const records of recordsOf(source, new Set(model.columns), path)) {
    for (const record of records) {
      if (scoring === null) {
        scoring = new FileScoring(model, record.cells);
        await write(scoring.headerLine);
      } else scoring.add(record);
    }
    if (scoring !== null) for (const text of scoring.lines()) await write(text);
  }
  if (scoring === null) throw new Error(`${path} is empty. It needs a line of column names.`);
  scoring.check.require();
}

/** The records of a file, piece by piece, its header first. */
async function* recordsOf(
  source: AsyncIterable<Uint8Array>,
  names: ReadonlySet<string>,
  path: string,
): AsyncGenerator<Record[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const textOf = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new Error(`${path} is not UTF-8. Save it as UTF-8.`);
    }
  };
  const cutter = new FileCutter(names);
  for await (const bytes of source) yield cutter.cut(textOf(bytes), false);
  yield cutter.cut(textOf(), true);
}

/** The records of one file to the lines of its result. */
class FileScoring {
  readonly headerLine: string;
  readonly check: CellCheck;
  private readonly model: Model;
  private readonly places: readonly number[];
  private readonly count: number;
  private records: Record[] = [];

  constructor(model: Model, header: readonly string[]) {
    const { names } = repairNames(header);
    const missing = model.columns.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      throw new Error(
        `The file lacks ${listed(missing)} of the ${model.columns.length} columns that the model needs. Names must match exactly.`,
      );
    }
    this.model = model;
    this.check = new CellCheck(model.file);
    this.count = header.length;
    this.places = model.columns.map((name) => names.indexOf(name));
    const added = ["prediction", "confidence", ...model.labels.map((label) => `probability_${label}`)];
    const taken = new Set(names);
    this.headerLine = csvLine([...header, ...added.map((name) => freeName(name, taken))]);
  }

  add(record: Record): void {
    const { cells, line } = record;
    if (cells.length !== this.count) {
      throw new Error(
        `Line ${line} has ${cells.length} cells where the header has ${this.count} columns. Correct the line.`,
      );
    }
    this.records.push(record);
  }

  /** The lines of the records since the last call. */
  *lines(): Generator<string> {
    const { labels } = this.model;
    const all = this.records;
    this.records = [];
    for (let from = 0; from < all.length; from += ROWS_TOGETHER) {
      const records = all.slice(from, from + ROWS_TOGETHER);
      const cells = records.map((record) => this.places.map((place) => record.cells[place]!));
      for (const [row, { line }] of records.entries()) this.check.add(cells[row]!, line);
      const { probabilities, decisions } = this.model.scoreCells(cells);
      yield records
        .map((record, row) => {
          const ofRow = Array.from(probabilities.subarray(row * labels.length, (row + 1) * labels.length));
          const decided = decisions[row]!;
          return csvLine([...record.cells, labels[decided]!, sixDigits(ofRow[decided]!), ...ofRow.map(sixDigits)]);
        })
        .join("");
    }
  }
}

interface CheckFile {
  columns: string[];
  rows: string[][];
  labels: string[];
  probabilities: number[][];
}

/** Says how many labels differ from a check file's, and by how much probabilities do at most. */
function compare(model: Model, check: CheckFile, path: string): number {
  if (JSON.stringify(check.columns) !== JSON.stringify(model.columns)) {
    throw new Error(`${path} is of another model: its columns differ.`);
  }
  const { probabilities, decisions } = model.scoreCells(check.rows);
  const wrong = check.labels.filter((label, row) => label !== model.labels[decisions[row]!]).length;
  const largest = check.probabilities
    .flat()
    .reduce((most, own, at) => Math.max(most, Math.abs(own - probabilities[at]!)), 0);
  process.stdout.write(
    `${check.rows.length} rows: ${wrong} labels differ, probabilities by ${largest.toExponential(1)} at most.\n`,
  );
  return wrong === 0 && largest <= MOST_DIFFERENCE ? 0 : BAD_INPUT;
}
