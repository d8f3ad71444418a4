// Checks the reference counts of a model file, which may be made up: they must fit its columns, features and labels.
import { packDate, YEAR_FIRST } from "../columns/dates.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { CONFIDENCE_BINS } from "../judging/metrics.ts";
import { MOST_RANGES, type ReliabilityMap } from "../judging/reliability.ts";
import { sumOf } from "../sums.ts";
import { isTextPart } from "../table/text-shape.ts";
import {
  type Check,
  hasShape,
  isAbsentOr,
  isCount,
  isEither,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
} from "./model-check.ts";
import { type HeldOutCounts, MOST_CELLS, MOST_PARTS, type ReferenceColumn } from "./reference-counts.ts";

const isDay: Check = (value) => typeof value === "string" && packDate(value, YEAR_FIRST) >= 0;

/** Made where they are asked for: a program that only scores holds none of them. */
function countChecks() {
  const numberShape = {
    range: isNullOr(hasShape({ low: isNumber, high: isNumber })),
    ...{ cutPoints: isListOf(isNumber), counts: isListOf(isCount), missing: isCount },
  };
  const isReference = isListOf(
    isEither(
      hasShape({
        ...{ kind: isOneOf("number", "text"), ...numberShape },
        words: isAbsentOr(hasShape({ least: isCount, fewer: isCount })),
        parts: isAbsentOr(isListOf(hasShape({ kind: isOneOf("number"), part: isTextPart, ...numberShape }))),
      }),
      hasShape({
        kind: isOneOf("category"),
        ...{ frequent: isListOf(isCount), counts: isListOf(isCount), unseen: isCount, missing: isCount },
      }),
      hasShape({
        ...{ kind: isOneOf("date"), range: isAbsentOr(hasShape({ from: isDay, to: isDay })) },
        ...{ counts: isListOf(isCount), missing: isCount },
      }),
    ),
  );
  return {
    isReference,
    isHeldOut: hasShape({ decisions: isListOf(isCount), confidence: isListOf(isCount) }),
    isReliability: hasShape({ cutPoints: isListOf(isNumber), rows: isListOf(isCount), right: isListOf(isCount) }),
  };
}

interface Counted {
  reference?: readonly ReferenceColumn[];
  heldOut?: HeldOutCounts;
  reliability?: ReliabilityMap;
  columns: readonly { reading: ColumnReading }[];
  labels: readonly string[];
  texts?: readonly { column: number }[];
}

type Feature = { column: number } & ({ kind: "number" | "score" } | { kind: "category"; names: readonly string[] });

/** True also where there are none. */
export function areSoundCounts(
  { reference, heldOut, reliability, columns, labels, texts = [] }: Counted,
  features: readonly Feature[],
): boolean {
  const { isReference, isHeldOut, isReliability } = countChecks();
  if (heldOut !== undefined) {
    if (!isHeldOut(heldOut) || heldOut.decisions.length !== labels.length) return false;
    if (heldOut.confidence.length !== CONFIDENCE_BINS) return false;
  }
  if (reliability !== undefined && !(isReliability(reliability) && isSoundMap(reliability))) return false;
  if (reference === undefined) return true;
  if (!isReference(reference) || reference.length !== columns.length) return false;
  const isText = new Set(texts.map(({ column }) => column));
  return reference.every((column, at) => {
    if (column.kind === "text" || isText.has(at))
      return column.kind === "text" && isText.has(at) && isSoundNumber(column);
    if (column.kind === "number") return columns[at]!.reading.kind === "number" && isSoundNumber(column);
    if (column.kind === "date") return columns[at]!.reading.kind === "date" && column.counts.length === 1;
    const category = features.find((feature) => feature.column === at && feature.kind === "category");
    return (
      column.kind === "category" && category?.kind === "category" && isSoundCategory(column, category.names.length)
    );
  });
}

function isSoundMap({ cutPoints, rows, right }: ReliabilityMap): boolean {
  if (rows.length > MOST_RANGES || rows.length !== cutPoints.length + 1 || right.length !== rows.length) return false;
  return cutPoints.every(isAscending) && rows.every((count, range) => right[range]! <= count);
}

function isAscending(value: number, at: number, all: readonly number[]): boolean {
  return at === 0 || all[at - 1]! <= value;
}

type NumberColumn = Extract<ReferenceColumn, { kind: "number" | "text" }>;
type CategoryColumn = Extract<ReferenceColumn, { kind: "category" }>;

function isSoundNumber({ range, cutPoints, counts, words, parts = [] }: NumberColumn): boolean {
  if (parts.length > MOST_PARTS || !parts.every(isSoundNumber)) return false;
  if (words !== undefined && words.fewer > sumOf(counts)) return false;
  if (counts.length > MOST_CELLS || counts.length !== cutPoints.length + 1) return false;
  const ends = range === null ? [] : [range.low, ...cutPoints, range.high];
  return ends.every(isAscending);
}

function isSoundCategory({ frequent, counts }: CategoryColumn, nameCount: number): boolean {
  return (
    counts.length <= MOST_CELLS && counts.length === frequent.length + 1 && frequent.every((name) => name < nameCount)
  );
}
