// How a table that is sent is to be read: its label column, its positive label, its missing values.
import { type Static, Type } from "@sinclair/typebox";

export const MOST_NAME_CHARACTERS = 1_000;
const MOST_MISSING_VALUES = 50;
const MOST_MISSING_VALUE_CHARACTERS = 100;

export const LabelColumn = Type.String({
  minLength: 1,
  maxLength: MOST_NAME_CHARACTERS,
  description: "Name of the column with the label; left out, the last column has it.",
  "x-decision": "D38",
});

export const HasHeader = Type.Boolean({
  default: true,
  description: "False where the first row is data: the columns are then called `column_1`, `column_2`, …",
  "x-decision": "D76",
});

/** Optional fields of whatever brings a table: for `Type.Object({ …, ...TABLE_SETTINGS })`. */
export const TABLE_SETTINGS = {
  labelColumn: Type.Optional(LabelColumn),
  positiveLabel: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MOST_NAME_CHARACTERS,
      description:
        "The label of two that precision, recall and F1 are about; left out, the last in sort order (`1`, `true`, `yes`).",
      "x-decision": "D39",
    }),
  ),
  missingValues: Type.Optional(
    Type.Array(Type.String({ maxLength: MOST_MISSING_VALUE_CHARACTERS }), {
      maxItems: MOST_MISSING_VALUES,
      description:
        "Texts that stand for a missing value, beside the empty cell; left out, the usual ones such as `NA` and `?`.",
      "x-decision": "D38",
    }),
  ),
  hasHeader: HasHeader,
};

const TableSettings = Type.Object(TABLE_SETTINGS);

/** What was left out is null. */
export function tableSettings(asked: Static<typeof TableSettings>) {
  const { labelColumn = null, positiveLabel = null, missingValues = null, hasHeader } = asked;
  return { labelColumn, positiveLabel, missingValues, hasHeader };
}
