// Checks that a file holds a model: a forged or damaged file fails here, and not in the middle of scoring.

import type { StoredArray } from "../arrays/array-file.ts";
import { DATE_PARTS } from "../columns/dates.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { MODEL_FORMS } from "../families/algorithms.ts";
import { OBJECTIVES } from "../judging/objective.ts";
import { FIRST_CODE } from "../table/buckets.ts";
import { DIFFERENCE_PART } from "../table/table.ts";
import { isTextPart } from "../table/text-shape.ts";

export type Check = (value: unknown) => boolean;

/** Classes that a decision can tell apart. */
const MOST_CLASSES = 255;
const MOST_CODES = 65_535;

const isText: Check = (value) => typeof value === "string";
export const isNumber: Check = (value) => typeof value === "number";
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isOneOf =
  (...choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value);
const isWeight: Check = (value) => isNumber(value) && isBetween(value as number, 0, Number.MAX_VALUE);
export const isListOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return false;
    for (const one of value) if (!check(one)) return false;
    return true;
  };
export const isNullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const isAbsentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const isEither =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const hasShape = (shape: Readonly<Record<string, Check>>): Check => {
  const fields = Object.entries(shape);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    fields.every(([name, check]) => check((value as Record<string, unknown>)[name]));
};

/** Models of earlier builds have none, and of 1.0 none of categories. */
const missingTexts = isAbsentOr(isListOf(isText));
const units: Check = isAbsentOr(
  (value) =>
    typeof value === "object" && value !== null && Object.values(value).every((size) => isNumber(size) && size > 0),
);
const isReading = isEither(
  hasShape({
    kind: isOneOf("number"),
    missingTexts,
    form: hasShape({ decimal: isOneOf(".", ","), grouping: isOneOf("", ",", "."), affix: isText, units }),
  }),
  hasShape({ kind: isOneOf("date"), missingTexts, form: hasShape({ order: isOneOf("ymd", "dmy", "mdy", "unix") }) }),
  hasShape({ kind: isOneOf("category"), missingTexts }),
);
const isCodeCount: Check = (value) => isCount(value) && (value as number) <= MOST_CODES;
const isFeatureWith = (shape: Readonly<Record<string, Check>>): Check =>
  hasShape({ column: isCount, codeCount: isCodeCount, ...shape });
const isFeature = isEither(
  isFeatureWith({
    kind: isOneOf("number"),
    part: isEither(isOneOf(null, ...DATE_PARTS, DIFFERENCE_PART), isTextPart),
    minus: isAbsentOr(isCount),
  }),
  isFeatureWith({ kind: isOneOf("score"), part: isOneOf(null), bias: isNumber }),
  isFeatureWith({ kind: isOneOf("category"), part: isOneOf(null), names: isListOf(isText), codeOfOthers: isCount }),
);
/** The rest is checked by the form's `unpack`, whose errors count as damage. */
const isModel = hasShape({ kind: isOneOf(...MODEL_FORMS.keys()), classCount: isCount });
/** Whether the plain values of a file are those of a model; the fitted part and the arrays are checked later. */
export const isModelHead = hasShape({
  lineage: hasShape({}),
  label: isText,
  labels: (value) => isListOf(isText)(value) && isBetween((value as unknown[]).length, 2, MOST_CLASSES),
  positiveLabel: isNullOr(isText),
  missingMarkers: isListOf(isText),
  columns: isListOf(
    hasShape({
      ...{ name: isText, kind: isText, reading: isReading, missingCount: isCount },
      isWhole: isAbsentOr(isOneOf(true)),
    }),
  ),
  features: isListOf(isFeature),
  texts: isAbsentOr(isListOf(hasShape({ column: isCount, plainCount: isCount, shownCount: isCount }))),
  model: isModel,
  classWeights: isAbsentOr(isListOf(isWeight)),
  trainedClassWeights: isAbsentOr(isNullOr(isListOf(isWeight))),
  costs: isAbsentOr(isListOf(isListOf(isWeight))),
  temperature: isAbsentOr((value) => isNumber(value) && isBetween(value as number, 0.01, 100)),
});

/** Whether the part of a head that is only displayed is sound. */
export const isLineage = hasShape({
  ...{ cupelVersion: isText, version: isCount, algorithm: isText, rowCount: isCount },
  trainedOn: hasShape({ name: isText, sha256: isText }),
  performance: hasShape({
    ...{ testPerformance: isNumber, falseDecisions: isCount, holdoutRowCount: isCount },
    confirmedPerformance: isNullOr(hasShape({ mean: isNumber, low: isNumber, high: isNumber })),
    optimised: isAbsentOr(
      hasShape({
        ...{ objective: isOneOf(...OBJECTIVES), score: isNumber },
        confirmed: isAbsentOr(
          hasShape({ mean: isNumber, low: isNumber, high: isNumber, confusion: isListOf(isListOf(isCount)) }),
        ),
      }),
    ),
  }),
  verdict: isAbsentOr(
    hasShape({
      judgedBy: hasShape({
        kind: isOneOf("random", "groups", "time", "groups and time"),
        ...{ groupColumn: isNullOr(isText), timeColumn: isNullOr(isText), groupCount: isCount },
      }),
      doubts: isListOf(hasShape({ message: isText, remedy: isText })),
    }),
  ),
});

type Feature = { column: number; codeCount: number } & (
  | { kind: "number"; part: string | null; minus?: number; cutPoints: Float64Array }
  | { kind: "score"; cutPoints: Float64Array; scoreWeights: Float32Array }
  | { kind: "category"; names: readonly string[]; codes: Uint16Array; codeOfOthers: number }
);

/** Whether each feature and text reads an existing column, and gives no code beyond its count. */
export function areSoundFeatures(
  features: readonly Feature[],
  columns: readonly { reading: ColumnReading }[],
  texts: readonly { column: number; plainCount: number; shownCount: number; keys: Int32Array }[],
): boolean {
  const termCountOf = new Map(texts.map(({ column, keys }) => [column, keys.length / 2]));
  const areSoundTexts = texts.every(
    ({ column, plainCount, shownCount, keys }) =>
      columns[column] !== undefined &&
      keys.length % 2 === 0 &&
      shownCount <= plainCount &&
      plainCount <= keys.length / 2,
  );
  if (!areSoundTexts || termCountOf.size < texts.length) return false;
  return features.every((feature) => {
    const reading = columns[feature.column]?.reading;
    if (reading === undefined) return false;
    if (feature.kind === "score") {
      const termCount = termCountOf.get(feature.column);
      const fits = FIRST_CODE + feature.cutPoints.length < feature.codeCount;
      return fits && termCount !== undefined && feature.scoreWeights.length <= termCount;
    }
    if (feature.kind === "number") {
      const { column, part, minus = column } = feature;
      const isOfPart =
        (minus === column) === (part !== DIFFERENCE_PART) && columns[minus]?.reading.kind === reading.kind;
      const isRead = isTextPart(part)
        ? termCountOf.has(column)
        : reading.kind === "number" || (reading.kind === "date" && part !== null);
      return isOfPart && isRead && FIRST_CODE + feature.cutPoints.length < feature.codeCount;
    }
    const { names, codes, codeOfOthers, codeCount } = feature;
    return codes.length === names.length && codeOfOthers < codeCount && codes.every((code) => code < codeCount);
  });
}

/** The element type of every array of a model file, by the last word of its name that is no number. */
const ARRAY_TYPES: Readonly<Record<string, new (length: number) => StoredArray>> = Object.assign(
  { cutPoints: Float64Array, codes: Uint16Array, scoreWeights: Float32Array, keys: Int32Array },
  ...[...MODEL_FORMS.values()].map(({ arrays }) => arrays),
);

/** Whether an array of this name has the expected element type. */
export function hasArrayType(name: string, array: StoredArray): boolean {
  const parts = name.split(".");
  const word = parts.findLast((part, at) => at === 0 || !/^\d+$/.test(part))!;
  return Object.hasOwn(ARRAY_TYPES, word) && array instanceof ARRAY_TYPES[word]!;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
