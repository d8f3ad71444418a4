// Counts the training rows, column by column: what new files are held against.

import { goodmanKruskalTau, groupRows } from "../explain/association.ts";
import { midpoint } from "../midpoints.ts";
import { sourceColumnsOf } from "../model/model-features.ts";
import {
  MOST_CELLS,
  MOST_PARTS,
  type NumberReference,
  type PartReference,
  type ReferenceColumn,
} from "../model/reference-counts.ts";
import { sumOf } from "../sums.ts";
import { countLevels, quantileGroups } from "../table/buckets.ts";
import {
  type CategoryFeature,
  type DatePart,
  type Feature,
  FIRST_LEVEL,
  levelCount,
  MISSING_LEVEL,
  type NumberFeature,
  type Table,
  type TextPart,
  UNLISTED_LEVEL,
} from "../table/table.ts";
import { isCharacterPart, isPlacePart, SHAPE_PARTS } from "../table/text-shape.ts";
import type { TextColumn } from "../text/term-rows.ts";
import { countWords } from "./unknown-texts.ts";

/** One entry for each column of the model, in its order. O(rows × columns). */
export function countTable(table: Table, rows: Uint32Array): ReferenceColumn[] {
  const texts = new Map((table.texts ?? []).map((text) => [text.column, text]));
  return sourceColumnsOf(table).map((column): ReferenceColumn => {
    const parts = [...table.features.keys()].filter((index) => table.features[index]!.column === column);
    const countsOf = (index: number) => countLevels(table.levels[index]!, levelCount(table.features[index]!), rows);
    const text = texts.get(column);
    if (text !== undefined) return textReference(table, text, parts, rows);
    const feature = table.features[parts[0]!]!;
    if (feature.kind === "category") return categoryReference(feature, countsOf(parts[0]!));
    if (feature.part === null) return numberReference("number", feature as NumberFeature, countsOf(parts[0]!));
    // The hour alone is missing where a date comes without a time.
    const missing = Math.min(...parts.map((index) => countsOf(index)[MISSING_LEVEL]!));
    const range = dateRange(table, parts, rows);
    return { kind: "date", ...(range !== null && { range }), counts: [rows.length - missing], missing };
  });
}

/**
 * `parts`: the column's features. A text has each part of its shape, so any of them tells whether it is missing, even
 * where all have one length, and so does the first character that varies. Nothing tells where they are alike in all.
 */
function textReference(table: Table, text: TextColumn, parts: readonly number[], rows: Uint32Array): ReferenceColumn {
  const findPart = (isOne: (part: Feature["part"]) => boolean) =>
    parts.find((index) => isOne(table.features[index]!.part));
  const counted = countedParts(table, parts, rows);
  const place =
    findPart((part) => part === "characters") ??
    findPart((part) => SHAPE_PARTS.includes(part as TextPart)) ??
    findPart(isCharacterPart);
  if (place === undefined) return { kind: "text", range: null, cutPoints: [], counts: [0], missing: 0, ...counted };
  const levels = table.levels[place]!;
  const words = countWords(text, rows, (row) => levels[row] !== MISSING_LEVEL);
  const feature = table.features[place] as NumberFeature;
  const own = numberReference("text", feature, countLevels(levels, levelCount(feature), rows));
  if (feature.part === "characters") return { ...own, words, ...counted };
  return { ...own, range: null, cutPoints: [], counts: [sumOf(own.counts)], words, ...counted };
}

/** The numbers and characters of a text's places that tell the most of the label. `parts`: its features. */
function countedParts(table: Table, parts: readonly number[], rows: Uint32Array): { parts?: PartReference[] } {
  const { features, levels, classes, labels } = table;
  const label = { groups: classes, groupCount: labels.length };
  const told = parts
    .filter((index) => isPlacePart(features[index]!.part))
    .map((index) => {
      const codeCount = levelCount(features[index]!);
      return { index, tau: goodmanKruskalTau(label, groupRows({ kind: "number", codes: levels[index]!, codeCount })) };
    })
    .sort((a, b) => b.tau - a.tau || a.index - b.index);
  const counted = told.slice(0, MOST_PARTS).map(({ index }): PartReference => {
    const feature = features[index] as NumberFeature;
    const own = numberReference("number", feature, countLevels(levels[index]!, levelCount(feature), rows));
    return { ...own, kind: "number", part: feature.part as TextPart };
  });
  return counted.length === 0 ? {} : { parts: counted };
}

/** `parts`: the column's features. */
function dateRange(table: Table, parts: readonly number[], rows: Uint32Array): { from: string; to: string } | null {
  const features = parts.map((index) => table.features[index] as NumberFeature);
  const partOf = (part: DatePart, row: number): number => {
    const at = features.findIndex((feature) => feature.part === part);
    if (at < 0) return features[0]!.common?.[part] ?? Number.NaN;
    return features[at]!.values[table.levels[parts[at]!]![row]! - FIRST_LEVEL] ?? Number.NaN;
  };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const day = partOf("year", row) * 10_000 + partOf("month", row) * 100 + partOf("day", row);
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const write = (day: number) =>
    String(day)
      .padStart(8, "0")
      .replace(/(\d{2})(\d{2})$/, "-$1-$2");
  return first > last ? null : { from: write(first), to: write(last) };
}

function numberReference(kind: "number" | "text", { values }: NumberFeature, levels: Uint32Array): NumberReference {
  const missing = levels[MISSING_LEVEL]!;
  const present = [...values.keys()].filter((at) => levels[FIRST_LEVEL + at]! > 0);
  if (present.length === 0) return { kind, range: null, cutPoints: [], counts: [0], missing };
  const counts = Float64Array.from(present, (at) => levels[FIRST_LEVEL + at]!);
  const lasts = quantileGroups(counts, MOST_CELLS);
  const starts = [0, ...lasts.map((last) => last + 1)];
  return {
    kind,
    range: { low: values[present[0]!]!, high: values[present.at(-1)!]! },
    cutPoints: lasts.slice(0, -1).map((last) => midpoint(values[present[last]!]!, values[present[last + 1]!]!)),
    counts: lasts.map((last, group) => sumOf(counts.subarray(starts[group]!, last + 1))),
    missing,
  };
}

/**
 * A row that is the only one of its category counts as unseen: the same share of new rows is expected to be unseen
 * (Good 1953, after Turing).
 */
function categoryReference({ names }: CategoryFeature, levels: Uint32Array): ReferenceColumn {
  const rowsOf = names.map((_, at) => levels[FIRST_LEVEL + at]!);
  const frequent = [...rowsOf.keys()]
    .filter((at) => rowsOf[at]! > 0)
    .sort((a, b) => rowsOf[b]! - rowsOf[a]! || a - b)
    .slice(0, MOST_CELLS - 1);
  const single = rowsOf.filter((count) => count === 1).length;
  const seenAgain = rowsOf.reduce((sum, count) => sum + (count > 1 ? count : 0), 0);
  const counts = frequent.map((at) => (rowsOf[at]! > 1 ? rowsOf[at]! : 0));
  const others = seenAgain - sumOf(counts);
  return {
    kind: "category",
    frequent,
    counts: [...counts, others],
    unseen: single + levels[UNLISTED_LEVEL]!,
    missing: levels[MISSING_LEVEL]!,
  };
}
