// The fields that say how to read a table: its label column, positive label, missing values and header.
import { type Static, Type } from "@sinclair/typebox";
import { ApiError } from "../http/problem.ts";

export const MOST_NAME_CHARACTERS = 1_000;
export const MOST_MISSING_VALUES = 50;
export const MOST_MISSING_VALUE_CHARACTERS = 100;

export const LabelColumn = Type.String({
  minLength: 1,
  maxLength: MOST_NAME_CHARACTERS,
  description: "Name of the label column; by default the last one.",
  "x-decision": "D38",
});

/** For requests that begin work on a dataset: another request may have changed its label meanwhile. */
export const EXPECTED_LABEL = {
  labelColumn: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MOST_NAME_CHARACTERS,
      description:
        "The label column that you expect the dataset to have. With another one the request is refused. " +
        "Left out, any will do.",
      "x-decision": "D107",
    }),
  ),
};

/** @throws ApiError LABEL_CHANGED */
export function requireExpectedLabel(dataset: { labelColumn: string | null }, expected: string | undefined): void {
  if (expected === undefined || expected === dataset.labelColumn) return;
  throw new ApiError(
    "LABEL_CHANGED",
    `The dataset's label is now "${dataset.labelColumn ?? ""}", not "${expected}": somebody chose another one.`,
  );
}

export const HasHeader = Type.Boolean({
  default: true,
  description: "False if the first row is data: the columns are then called `column_1`, `column_2`, …",
  "x-decision": "D76",
});

export const PositiveLabel = Type.String({
  minLength: 1,
  maxLength: MOST_NAME_CHARACTERS,
  description:
    "With two classes, the label that precision, recall and F1 are for; " +
    "by default the last in sort order (`1`, `true`, `yes`).",
  "x-decision": "D39",
});

export const MissingValues = Type.Array(Type.String({ maxLength: MOST_MISSING_VALUE_CHARACTERS }), {
  maxItems: MOST_MISSING_VALUES,
  description:
    "Texts that stand for a missing value, besides the empty cell; by default the usual ones such as `NA` and `?`.",
  "x-decision": "D38",
});

/** Optional fields of requests with a table. */
export const TABLE_SETTINGS = {
  labelColumn: Type.Optional(LabelColumn),
  positiveLabel: Type.Optional(PositiveLabel),
  missingValues: Type.Optional(MissingValues),
  hasHeader: HasHeader,
};

const TableSettings = Type.Object(TABLE_SETTINGS);

/** Turns fields that were left out into null. */
export function tableSettings(fields: Static<typeof TableSettings>) {
  const { labelColumn = null, positiveLabel = null, missingValues = null, hasHeader } = fields;
  return { labelColumn, positiveLabel, missingValues, hasHeader };
}
