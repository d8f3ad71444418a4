// The rows that the look at dependence works on: stretches of the file in
// file order, coded without a look at the label.

import { mapped } from "../mapped.ts";
import { evenlySpaced } from "../row-lists.ts";
import { sumOf } from "../sums.ts";
import { type CodedFeature, type CodedView, FIRST_CODE, MISSING_CODE } from "../table/buckets.ts";
import { FIRST_LEVEL, levelCount, MISSING_LEVEL, rowsByLevel, selectTableRows, type Table } from "../table/table.ts";
import type { TextColumn } from "../text/term-rows.ts";

/** Rows and cells at most: ten stretches of the file, since rows thinned at random have lost their neighbours. */
const MOST_ROWS = 4_000;
const MOST_CELLS = 400_000;
const FEWEST_ROWS = 1_000;
const STRETCHES = 10;
/** Codes of a feature at most, beside the two reserved ones: they fit in a byte. */
const MOST_CODES = 250;

/** Rows in file order. */
export interface RowSample {
  /** The rows alone. */
  table: Table;
  view: CodedView;
}

/** The sample of a table whose rows stand in the order of its file. O(rows × features). */
export function sampleStretches(table: Table): RowSample {
  return codeSample(inStretches(table, rowsFor(table)));
}

/** The table, or ten stretches of its rows where it has more than `mostRows`. */
export function inStretches(table: Table, mostRows: number): Table {
  return table.rowCount <= mostRows ? table : selectTableRows(table, stretches(table.rowCount, mostRows));
}

/** These texts of all rows as a sample. */
export function textSample(table: Table, texts: readonly TextColumn[]): RowSample {
  return { table, view: { rowCount: table.rowCount, features: [], texts } };
}

/** The sample itself where it has all rows, else as many spread over the file: stretches leave out whole months. */
export function spreadOver(table: Table, sample: RowSample): RowSample {
  const { rowCount } = sample.view;
  if (rowCount === table.rowCount) return sample;
  return codeSample(selectTableRows(table, evenlySpaced(table.rowCount, rowCount)));
}

/** All rows of a small table as a sample. */
export function codeSample(table: Table): RowSample {
  const features = table.features.map((_, feature) => codeFeature(table, feature));
  return { table, view: { rowCount: table.rowCount, features } };
}

function rowsFor({ features }: Table): number {
  return Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(MOST_CELLS / features.length)));
}

function stretches(rowCount: number, mostRows: number): Uint32Array {
  const length = Math.floor(mostRows / STRETCHES);
  return mapped(Uint32Array, { length: length * STRETCHES }, (_, at) => {
    const start = Math.floor((Math.floor(at / length) * rowCount) / STRETCHES);
    return start + (at % length);
  });
}

/** Numbers in quantiles; categories one by one, those beyond the most of them together with others. */
function codeFeature(table: Table, index: number): CodedFeature {
  const feature = table.features[index]!;
  const levels = table.levels[index]!;
  const codeOfLevel = feature.kind === "number" ? quantiles(rowsByLevel(table, index)) : residues(levelCount(feature));
  const codes = mapped(Uint8Array, levels, (level) => codeOfLevel[level]!);
  const codeCount = FIRST_CODE + MOST_CODES;
  return {
    kind: feature.kind === "category" ? "category" : "number",
    codes,
    codeCount,
    centres: new Float64Array(codeCount),
  };
}

function quantiles(counts: Uint32Array): Uint8Array {
  const present = sumOf(counts) - counts[MISSING_LEVEL]!;
  const codeOfLevel = new Uint8Array(counts.length).fill(MISSING_CODE);
  let before = 0;
  for (let level = FIRST_LEVEL; level < counts.length; level++) {
    codeOfLevel[level] = FIRST_CODE + Math.floor((before * MOST_CODES) / Math.max(1, present));
    before += counts[level]!;
  }
  return codeOfLevel;
}

function residues(count: number): Uint8Array {
  return mapped(Uint8Array, { length: count }, (_, level) =>
    level < FIRST_LEVEL ? level : FIRST_CODE + ((level - FIRST_LEVEL) % MOST_CODES),
  );
}
