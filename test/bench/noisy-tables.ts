// Tables for judging selectors of columns: TRAIN, TEST and OUTER rows, with it known which columns are noise or copies.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatRecord } from "../../engine/csv/write.ts";
import { deriveSeed, Random, shuffle } from "../../engine/random.ts";
import { assignParts } from "../../engine/splits/holdout.ts";

const TEST_PART = 0;
const OUTER_PART = 1;
/** Real tables are cut to these, stratified, so that a whole campaign ends. */
const MOST_TRAIN_ROWS = 6_000;
const MOST_TEST_ROWS = 2_000;
const MOST_OUTER_ROWS = 6_000;
/** Shuffled copies of real columns, and as many columns of pure noise. */
const MOST_SHUFFLED = 20;
/** Columns of up to so many values are recoded by renaming the values, numbers above it by doubling. */
const MOST_RENAMED = 50;
/** A class needs a row in every fifth. */
const LEAST_CLASS_ROWS = 5;
const COMMA = { delimiter: ",", lineEnding: "\n" };
const TRUTH_FILE = "truth.json";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

export const NOISE_KINDS = ["uniform", "binary", "five levels", "ten levels", "heavy tail"] as const;
export type NoiseKind = (typeof NOISE_KINDS)[number];

/** What is known of the columns, each of which is on one list. */
export interface Truth {
  /** The label was drawn from these. */
  signal: readonly string[];
  /** Independent of the label by construction. */
  noise: readonly string[];
  /** Exact, recoded or near copies, each of a column on another list. */
  copies: readonly { name: string; of: string }[];
  /** Columns of a real table, of which nothing is known. */
  given: readonly string[];
}

/** Label last; records hold one cell per name. */
export interface NoisyTable {
  names: readonly string[];
  train: readonly (readonly string[])[];
  test: readonly (readonly string[])[];
  outer: readonly (readonly string[])[];
  truth: Truth;
}

/** A table on disk. */
export interface TableFiles {
  train: string;
  test: string;
  outer: string;
  /** In the order of the file, without the label. */
  columns: readonly string[];
  truth: Truth;
}

/** One column on its way into a table. */
export interface Draft {
  name: string;
  cells: readonly string[];
  role: "signal" | "noise" | "given";
  /** The column that this is a copy of. */
  of: Draft | null;
}

/**
 * Adds to a real table: shuffled copies of up to 20 of its columns, as many columns of pure noise, an
 * exact duplicate and a recoded copy. The columns are mixed; rows are dealt 60 / 20 / 20, stratified
 * by label. Classes of under 5 rows are dropped. `knownSignal` names the informative columns where
 * the table's makers told them; its other columns are then noise.
 */
export function addNoise(
  names: readonly string[],
  records: readonly (readonly string[])[],
  seed: number,
  knownSignal: readonly string[] | null = null,
): NoisyTable {
  const rows = rowsOfSharedClasses(records);
  const labels = rows.map((row) => row.at(-1)!);
  const random = new Random(deriveSeed(seed, 1));
  const given = names.slice(0, -1).map((name, column): Draft => {
    const role = knownSignal === null ? "given" : knownSignal.includes(name) ? "signal" : "noise";
    return { name, cells: rows.map((row) => row[column]!), role, of: null };
  });
  const chosen = mixed(given, random).slice(0, MOST_SHUFFLED);
  const shuffled = chosen.map(
    ({ name, cells }): Draft => ({ name: `${name}__shuffled`, cells: mixed(cells, random), role: "noise", of: null }),
  );
  const pure = chosen.map((_, index): Draft => {
    const kind = NOISE_KINDS[index % NOISE_KINDS.length]!;
    const name = `noise ${index + 1} (${kind})`;
    return { name, cells: drawNoise(kind, rows.length, random), role: "noise", of: null };
  });
  const [duplicated, recoded] = mixed(given, random) as [Draft, Draft | undefined];
  const copies = [{ ...duplicated, name: `${duplicated.name}__duplicate`, of: duplicated }];
  if (recoded !== undefined) {
    copies.push({ ...recoded, name: `${recoded.name}__recoded`, cells: recode(recoded.cells, random), of: recoded });
  }
  const drafts = mixed([...given, ...shuffled, ...pure, ...copies], random);
  const parts = dealRows(labels, deriveSeed(seed, 2));
  return assemble(drafts, names.at(-1)!, labels, parts);
}

/** Puts columns and label together; `parts` are row numbers. */
export function assemble(
  drafts: readonly Draft[],
  labelName: string,
  labels: readonly string[],
  parts: { train: readonly number[]; test: readonly number[]; outer: readonly number[] },
): NoisyTable {
  const pick = (rows: readonly number[]) =>
    rows.map((row) => [...drafts.map(({ cells }) => cells[row]!), labels[row]!]);
  const originals = drafts.filter(({ of }) => of === null);
  const named = (role: Draft["role"]) => originals.filter((draft) => draft.role === role).map(({ name }) => name);
  return {
    names: [...drafts.map(({ name }) => name), labelName],
    train: pick(parts.train),
    test: pick(parts.test),
    outer: pick(parts.outer),
    truth: {
      signal: named("signal"),
      noise: named("noise"),
      copies: drafts.flatMap(({ name, of }) => (of === null ? [] : [{ name, of: of.name }])),
      given: named("given"),
    },
  };
}

/** A column that knows nothing of any other. */
export function drawNoise(kind: NoiseKind, rowCount: number, random: Random): string[] {
  const draw: Record<NoiseKind, () => string> = {
    uniform: () => random.nextFloat().toFixed(4),
    binary: () => String(random.nextBelow(2)),
    "five levels": () => LETTERS[random.nextBelow(5)]!,
    "ten levels": () => LETTERS[random.nextBelow(10)]!,
    "heavy tail": () => Math.exp(2 * drawNormal(random)).toFixed(3),
  };
  return Array.from({ length: rowCount }, draw[kind]);
}

/** A standard normal number (Box and Muller 1958). */
export function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.nextFloat()));
  return radius * Math.cos(2 * Math.PI * random.nextFloat());
}

/** The values in a drawn order; the given ones stay as they are. */
export function mixed<T>(values: readonly T[], random: Random): T[] {
  const order = Uint32Array.from(values, (_, index) => index);
  shuffle(order, random);
  return Array.from(order, (index) => values[index]!);
}

/** Writes train.csv, test.csv and outer.csv, and last truth.json: a folder that has it is whole. */
export function writeTable(folder: string, { names, train, test, outer, truth }: NoisyTable): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, records] of Object.entries({ train, test, outer })) {
    const lines = [names, ...records].map((record) => formatRecord(record, COMMA));
    writeFileSync(join(folder, `${name}.csv`), lines.join(""));
  }
  writeFileSync(join(folder, TRUTH_FILE), `${JSON.stringify({ columns: names.slice(0, -1), truth }, null, 2)}\n`);
}

/** What `writeTable` left in the folder; null where it did not finish. */
export function openTable(folder: string): TableFiles | null {
  const path = join(folder, TRUTH_FILE);
  if (!existsSync(path)) return null;
  const { columns, truth }: Pick<TableFiles, "columns" | "truth"> = JSON.parse(readFileSync(path, "utf8"));
  const at = (name: string) => join(folder, name);
  return { train: at("train.csv"), test: at("test.csv"), outer: at("outer.csv"), columns, truth };
}

function rowsOfSharedClasses(records: readonly (readonly string[])[]): (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const record of records) counts.set(record.at(-1)!, (counts.get(record.at(-1)!) ?? 0) + 1);
  return records.filter((record) => record.at(-1) !== "" && counts.get(record.at(-1)!)! >= LEAST_CLASS_ROWS);
}

/**
 * Other cells that tell the same: renamed values, doubled numbers, or texts
 * with a letter in front. Empty cells stay empty.
 */
function recode(cells: readonly string[], random: Random): string[] {
  const values = [...new Set(cells)].filter((cell) => cell !== "");
  if (values.length <= MOST_RENAMED) {
    const codes = mixed(values, random);
    const renamed = new Map(codes.map((value, code) => [value, `v${code}`]));
    return cells.map((cell) => renamed.get(cell) ?? "");
  }
  const areNumbers = values.every((cell) => Number.isFinite(Number(cell)));
  return cells.map((cell) => (cell === "" ? "" : areNumbers ? String(2 * Number(cell)) : `r${cell}`));
}

function dealRows(labels: readonly string[], seed: number) {
  const classes = [...new Set(labels)].sort();
  const codes = Uint8Array.from(labels, (label) => classes.indexOf(label));
  const parts = assignParts(codes, classes.length, seed).dealt!;
  const train: number[] = [];
  const test: number[] = [];
  const outer: number[] = [];
  parts.forEach((part, row) => {
    (part === TEST_PART ? test : part === OUTER_PART ? outer : train).push(row);
  });
  return {
    train: thin(train, codes, MOST_TRAIN_ROWS, deriveSeed(seed, 1)),
    test: thin(test, codes, MOST_TEST_ROWS, deriveSeed(seed, 2)),
    outer: thin(outer, codes, MOST_OUTER_ROWS, deriveSeed(seed, 3)),
  };
}

/**
 * At most so many of the rows, ascending, each class with its share: evenly spaced draws from the rows in class order.
 */
function thin(rows: readonly number[], classes: Uint8Array, most: number, seed: number): number[] {
  if (rows.length <= most) return [...rows];
  const ordered = mixed(rows, new Random(seed)).sort((a, b) => classes[a]! - classes[b]!);
  const step = ordered.length / most;
  return Array.from({ length: most }, (_, index) => ordered[Math.floor((index + 0.5) * step)]!).sort((a, b) => a - b);
}
