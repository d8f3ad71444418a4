// Drawn tables of any shape for the scale curves: as a CSV file, as levels, and as
// codes. The label follows four columns, half of it chance.
import { closeSync, openSync, writeSync } from "node:fs";
import { Random } from "../../engine/random.ts";
import { type CodedFeature, type CodedView, FIRST_CODE, newCodes } from "../../engine/table/buckets.ts";
import { type Feature, FIRST_LEVEL, levelCount, MAX_LEVELS, type Table } from "../../engine/table/table.ts";
import type { Shape } from "./scale-plan.ts";

const SEED = 1;
const SIGNAL_COLUMNS = 4;
const BLOCK_BYTES = 2 ** 20;
const NEW_LINE = 10;
const COMMA = 44;
const POINT = 46;
const DIGIT_0 = 48;
const LETTER_C = 99;

/** Of each five columns three are numbers, two are categories of so many values. */
const CATEGORY_SIZES = [3, 50];

function isNumber(column: number): boolean {
  return column % 5 < 3;
}

function categorySize(column: number): number {
  return CATEGORY_SIZES[(column % 5) - 3]!;
}

/** Half of the classes follow the mean of the first columns, half are drawn. */
function classOf(random: Random, signal: number, classes: number): number {
  const drawn = random.nextFloat() < 0.5 ? random.nextFloat() : signal;
  // A sum that was rounded may be 1.
  return Math.min(classes - 1, Math.floor(drawn * classes));
}

/**
 * Numbers of six digits, four of them decimals, and categories. Written as bytes,
 * since 100 million cells as strings take minutes.
 */
export function writeScaleCsv(path: string, { rows, columns, classes }: Shape): void {
  const random = new Random(SEED);
  const widest = columns * 8 + 8;
  const block = new Uint8Array(BLOCK_BYTES + widest);
  const file = openSync(path, "w");
  writeSync(file, `${Array.from({ length: columns }, (_, at) => `x${at}`).join(",")},label\n`);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    let signal = 0;
    for (let column = 0; column < columns; column++) {
      const value = random.nextFloat();
      if (column < SIGNAL_COLUMNS) signal += value / SIGNAL_COLUMNS;
      at = isNumber(column)
        ? putNumber(block, at, 100_000 + Math.floor(value * 900_000))
        : putName(block, at, Math.floor(value * categorySize(column)));
      block[at++] = COMMA;
    }
    at = putName(block, at, classOf(random, signal, classes));
    block[at++] = NEW_LINE;
    if (at < BLOCK_BYTES) continue;
    writeSync(file, block, 0, at);
    at = 0;
  }
  writeSync(file, block, 0, at);
  closeSync(file);
}

/** "12.3456" of 123456. */
function putNumber(block: Uint8Array, at: number, value: number): number {
  for (let place = at + 6, rest = value; place >= at; place--) {
    if (place === at + 2) {
      block[place] = POINT;
      continue;
    }
    block[place] = DIGIT_0 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return at + 7;
}

/** "c07" of 7. */
function putName(block: Uint8Array, at: number, value: number): number {
  block[at] = LETTER_C;
  block[at + 1] = DIGIT_0 + Math.floor(value / 10);
  block[at + 2] = DIGIT_0 + (value % 10);
  return at + 3;
}

/** The same columns as a reader would have laid them out: numbers have as many values as rows or as levels allow. */
export function drawTable({ rows, columns, classes }: Shape): Table {
  const random = new Random(SEED);
  const signals = new Float32Array(rows);
  const features = Array.from({ length: columns }, (_, column): Feature => featureOf(column, rows));
  const levels = features.map((feature, column) => {
    const count = levelCount(feature) - FIRST_LEVEL;
    const drawn = newCodes(FIRST_LEVEL + count, rows);
    for (let row = 0; row < rows; row++) {
      const value = random.nextFloat();
      if (column < SIGNAL_COLUMNS) signals[row] = signals[row]! + value / SIGNAL_COLUMNS;
      drawn[row] = FIRST_LEVEL + Math.floor(value * count);
    }
    return drawn;
  });
  const labels = Array.from({ length: classes }, (_, code) => `class ${code}`);
  return { rowCount: rows, features, levels, labels, classes: drawClasses(random, signals, classes) };
}

function featureOf(column: number, rows: number): Feature {
  const shared = { name: `x${column}`, column, part: null };
  if (isNumber(column)) {
    const values = Float64Array.from({ length: Math.min(rows, MAX_LEVELS) }, (_, index) => index);
    return { kind: "number", ...shared, values };
  }
  const names = Array.from({ length: categorySize(column) }, (_, index) => `c${index}`);
  return { kind: "category", ...shared, names };
}

/** Columns of numbers in buckets of equal share, as fits look at them. */
export function drawView({ rows, columns, classes, buckets }: Shape): { view: CodedView; classes: Uint8Array } {
  const random = new Random(SEED);
  const signals = new Float32Array(rows);
  const codeCount = FIRST_CODE + buckets;
  const centres = Float64Array.from({ length: codeCount }, (_, code) => Math.max(0, code - FIRST_CODE));
  const features = Array.from({ length: columns }, (_, column): CodedFeature => {
    const codes = newCodes(codeCount, rows);
    for (let row = 0; row < rows; row++) {
      const value = random.nextFloat();
      if (column < SIGNAL_COLUMNS) signals[row] = signals[row]! + value / SIGNAL_COLUMNS;
      codes[row] = FIRST_CODE + Math.floor(value * buckets);
    }
    return { kind: "number", codes, codeCount, centres };
  });
  return { view: { rowCount: rows, features }, classes: drawClasses(random, signals, classes) };
}

function drawClasses(random: Random, signals: Float32Array, classes: number): Uint8Array {
  return Uint8Array.from(signals, (signal) => classOf(random, signal, classes));
}
