// Small tables for tests of the engine, made by hand or drawn with a seed.
import { Random } from "../../engine/random.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import { type Feature, FIRST_LEVEL, MISSING_LEVEL, type Table } from "../../engine/table/table.ts";

/** A column's cells: numbers and nulls make a number feature, texts and nulls a category. */
export type Cells = readonly (number | string | null)[];

/** A table of the given columns, named a, b, c…; the labels are the sorted distinct ones. */
export function makeTable(columns: readonly Cells[], labels: readonly string[]): Table {
  const sorted = [...new Set(labels)].sort();
  const made = columns.map((cells, column) => makeFeature(cells, column));
  return {
    rowCount: labels.length,
    features: made.map(({ feature }) => feature),
    levels: made.map(({ levels }) => levels),
    labels: sorted,
    classes: Uint8Array.from(labels, (label) => sorted.indexOf(label)),
  };
}

function makeFeature(cells: Cells, column: number): { feature: Feature; levels: Uint16Array } {
  const name = String.fromCharCode(97 + column);
  const present = [...new Set(cells.filter((cell) => cell !== null))];
  const isNumber = present.every((cell) => typeof cell === "number");
  const values = isNumber ? present.map(Number).sort((a, b) => a - b) : [];
  const names = isNumber ? [] : present.map(String).sort();
  const levels = Uint16Array.from(cells, (cell) => {
    if (cell === null) return MISSING_LEVEL;
    return FIRST_LEVEL + (isNumber ? values.indexOf(Number(cell)) : names.indexOf(String(cell)));
  });
  return isNumber
    ? { feature: { kind: "number", name, column, part: null, values: Float64Array.from(values) }, levels }
    : { feature: { kind: "category", name, column, part: null, names }, levels };
}

/** All rows of a table or a view. */
export function everyRow({ rowCount }: { rowCount: number }): Uint32Array {
  return rowsUpTo(rowCount);
}

/**
 * A table whose label depends on two numbers and a category, with noise columns, missing cells and noise in the label.
 */
export function drawTable(rowCount: number, classCount: number, seed: number): Table {
  const random = new Random(seed);
  const signal = Array.from({ length: rowCount }, () => random.nextFloat());
  const other = Array.from({ length: rowCount }, () => Math.round(random.nextFloat() * 40) / 4);
  const group = Array.from({ length: rowCount }, () => "pqrst"[random.nextBelow(5)]!);
  const labels = signal.map((value, row) => {
    const score = value + other[row]! / 20 + (group[row] === "q" ? 0.4 : 0) + 0.3 * random.nextFloat();
    return `class ${Math.max(0, Math.min(classCount - 1, Math.floor((score / 2.2) * classCount)))}`;
  });
  const holed = signal.map((value) => (random.nextFloat() < 0.05 ? null : value));
  const noise = Array.from({ length: rowCount }, () => random.nextFloat());
  return makeTable([holed, other, group, noise], labels);
}
