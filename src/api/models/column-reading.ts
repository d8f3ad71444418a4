// The schema of how a model reads a column's cells (D75).
import { Type } from "@sinclair/typebox";
import type { ColumnReading, ShownForm } from "../../../engine/columns/reading.ts";
import { oneOf, SCHEMA_NAME } from "../../http/schemas.ts";

const missingTexts = Type.Optional(
  Type.Array(Type.String(), {
    description:
      "Texts that count as missing in this column alone: " +
      "those that recur among its numbers or dates, or that were chosen; left out where there are none.",
    "x-decision": "D94, D112",
  }),
);
const NumberForm = Type.Object(
  {
    decimal: oneOf([".", ","]),
    grouping: oneOf(["", ",", "."]),
    affix: Type.String({
      description: "A unit, a currency sign or code, or how times of day are written; empty for none.",
    }),
    units: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description: "Where the column has several units: what each is worth in the affix, the unit of its values.",
        "x-decision": "D163",
      }),
    ),
  },
  { [SCHEMA_NAME]: "NumberForm" },
);
const DateForm = Type.Object({ order: oneOf(["ymd", "dmy", "mdy", "unix"]) }, { [SCHEMA_NAME]: "DateForm" });

/** How a column writes its numbers or dates where that is not the plain way. */
export const FORM = Type.Optional(
  Type.Unsafe<ShownForm>(
    Type.Union([NumberForm, DateForm], {
      description:
        "How its numbers or dates are written (`unix`: in seconds or milliseconds since 1970); " +
        "left out for plain numbers, dates with the year first, and other kinds.",
      "x-decision": "D176",
    }),
  ),
);

/** How a column writes its values. */
export const Reading = Type.Unsafe<ColumnReading>(
  Type.Union(
    [
      Type.Object(
        {
          kind: Type.Literal("number"),
          form: NumberForm,
          missingTexts,
        },
        { [SCHEMA_NAME]: "NumberReading" },
      ),
      Type.Object(
        {
          kind: Type.Literal("date"),
          form: DateForm,
          missingTexts,
        },
        { [SCHEMA_NAME]: "DateReading" },
      ),
      Type.Object({ kind: Type.Literal("category"), missingTexts }, { [SCHEMA_NAME]: "CategoryReading" }),
    ],
    {
      description:
        "How the training file writes the values; files to be predicted may write numbers and dates differently.",
      "x-decision": "D75",
    },
  ),
);
