// Coded rows as the plain numbers that the npm packages take.

import type { FitInput } from "../fitting/family.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { type CodedView, FIRST_CODE } from "../table/buckets.ts";

/** Features, and one-hot columns of categories, that a package is given at most. */
const MAX_FEATURES = 50;
const MAX_ONE_HOT = 50;
/** Second parts of seeds: for the features and the rows. */
const FEATURE_DRAW = 0;
const ROW_DRAW = 1;

/** One input column: a number's bucket centre, a category's code number, or whether a category's code is `code`. */
export interface LibraryColumn {
  feature: number;
  encoding: "centre" | "code" | "one-hot";
  code: number;
}

/** The rows that a package learns from. It does not know classes without a row. */
export interface LibrarySample {
  rows: Uint32Array;
  /** Class code of each class that the package knows. */
  knownClasses: number[];
  /** Index into `knownClasses` of each row. */
  classes: number[];
}

/** About `limit` of the input's rows, with the class shares kept. */
export function librarySample(input: FitInput, limit: number): LibrarySample {
  const { classes } = input;
  const rows = sampleRows(input, limit, deriveSeed(input.seed, ROW_DRAW));
  const knownClasses = [...new Set(Array.from(rows, (row) => classes[row]!))].sort((a, b) => a - b);
  const indexOf = new Map(knownClasses.map((code, index) => [code, index]));
  return { rows, knownClasses, classes: Array.from(rows, (row) => indexOf.get(classes[row]!)!) };
}

/** Every drawn feature as one column: for trees. */
export function orderedColumns(input: FitInput): LibraryColumn[] {
  return drawFeatures(input).map((feature) => {
    const encoding = input.view.features[feature]!.kind === "number" ? "centre" : "code";
    return { feature, encoding, code: 0 };
  });
}

/** Drawn numbers as one column each, and one column for each of the most frequent codes of drawn categories. */
export function oneHotColumns(input: FitInput, rows: Uint32Array): LibraryColumn[] {
  const columns: LibraryColumn[] = [];
  const oneHot: { column: LibraryColumn; count: number }[] = [];
  for (const feature of drawFeatures(input)) {
    const { kind, codes, codeCount } = input.view.features[feature]!;
    if (kind === "number") {
      columns.push({ feature, encoding: "centre", code: 0 });
      continue;
    }
    const counts = new Uint32Array(codeCount);
    for (const row of rows) counts[codes[row]!] = counts[codes[row]!]! + 1;
    for (let code = FIRST_CODE; code < codeCount; code++) {
      if (counts[code]! > 0) oneHot.push({ column: { feature, encoding: "one-hot", code }, count: counts[code]! });
    }
  }
  oneHot.sort((a, b) => b.count - a.count);
  return [...columns, ...oneHot.slice(0, MAX_ONE_HOT).map(({ column }) => column)];
}

/** The numbers of some rows; missing and unseen cells are 0. */
export function encodeRows(view: CodedView, rows: Uint32Array, columns: readonly LibraryColumn[]): number[][] {
  return Array.from(rows, (row) =>
    columns.map(({ feature, encoding, code }) => {
      const { codes, centres } = view.features[feature]!;
      const rowCode = codes[row]!;
      if (encoding === "one-hot") return rowCode === code ? 1 : 0;
      if (rowCode < FIRST_CODE) return 0;
      return encoding === "centre" ? centres[rowCode]! : rowCode;
    }),
  );
}

/** Feature indexes, ascending: all, or a seeded draw where they are many. */
function drawFeatures(input: FitInput): number[] {
  const order = Uint32Array.from(input.view.features, (_, feature) => feature);
  if (order.length > MAX_FEATURES) shuffle(order, new Random(deriveSeed(input.seed, FEATURE_DRAW)));
  return [...order.subarray(0, MAX_FEATURES)].sort((a, b) => a - b);
}
