// The fields about single columns: group and time, those to leave out, and how
// others are read; and their check (D93, D95, D112).
import { type Static, Type } from "@sinclair/typebox";
import type { ColumnSettings } from "../../data/database/records.ts";
import type { Dataset } from "../../data/datasets.ts";
import { choicesByColumn } from "../../engine/columns/choices.ts";
import { InputError } from "../../engine/input-error.ts";
import { findKeys } from "../../workers/reading/read-keys.ts";
import { ApiError, type FieldError } from "../http/problem.ts";
import { orNull } from "../http/schemas.ts";
import { CHANGED_CHOICES, CHOICES, CHOICES_ANSWER, OWN_CHOICES, storedChoices } from "./column-choices.ts";
import { MOST_NAME_CHARACTERS } from "./table-settings.ts";

const MOST_LEFT_OUT = 1_000;

const Name = (description: string) =>
  orNull(Type.String({ minLength: 1, maxLength: MOST_NAME_CHARACTERS, description, "x-decision": "D93" }));

const GROUP =
  "Name of the column that says which rows belong together: those of one machine, patient or customer. " +
  "Every split keeps all rows of a value on one side, so that the figures hold for new values.";
const TIME =
  "Name of the column that says when a row was recorded. " +
  "The newest fifth of the rows is held out, and only older rows teach.";
const KEEP = "Whether models may learn from the group and time columns too.";
const WITHOUT =
  "Names of columns that nothing is learned from, such as one that is filled in after the label is known.";
const NONE = "Null or left out for none.";
const EMPTY = "Left out for none.";

const LeftOut = (description: string, about: { default?: string[] } = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: MOST_NAME_CHARACTERS }), {
    ...about,
    maxItems: MOST_LEFT_OUT,
    description,
    "x-decision": "D93",
  });

/** Optional fields of requests with a table. */
export const KEY_SETTINGS = {
  groupColumn: Type.Optional(Name(`${GROUP} ${NONE}`)),
  timeColumn: Type.Optional(Name(`${TIME} ${NONE}`)),
  keepKeyColumns: Type.Optional(Type.Boolean({ default: false, description: KEEP, "x-decision": "D93" })),
  withoutColumns: Type.Optional(LeftOut(`${WITHOUT} ${EMPTY}`, { default: [] })),
  columnChoices: Type.Optional(CHOICES),
};

/** The same for requests that change a dataset: what is left out stays, and null undoes. */
export const CHANGED_KEY_SETTINGS = {
  groupColumn: Type.Optional(Name(`${GROUP} Null for none.`)),
  timeColumn: Type.Optional(Name(`${TIME} Null for none.`)),
  keepKeyColumns: Type.Optional(orNull(Type.Boolean({ description: KEEP, "x-decision": "D93" }))),
  withoutColumns: Type.Optional(orNull(LeftOut(`${WITHOUT} The whole list; null for none.`))),
  columnChoices: Type.Optional(CHANGED_CHOICES),
};

/** The same for requests about a dataset, which has its own. */
const OWN = "Left out, it is the dataset's.";
export const OWN_KEY_SETTINGS = {
  groupColumn: Type.Optional(Name(`${GROUP} ${OWN} Null for none.`)),
  timeColumn: Type.Optional(Name(`${TIME} ${OWN} Null for none.`)),
  keepKeyColumns: Type.Optional(Type.Boolean({ description: `${KEEP} ${OWN}`, "x-decision": "D95" })),
  withoutColumns: Type.Optional(LeftOut(`${WITHOUT} ${OWN}`)),
  columnChoices: Type.Optional(OWN_CHOICES),
};

/** The fields as answers have them. */
export const KEY_ANSWER = {
  groupColumn: orNull(Type.String({ description: "The column that says which rows belong together; null for none." })),
  timeColumn: orNull(Type.String({ description: "The column that says when a row was recorded; null for none." })),
  keepKeyColumns: Type.Boolean({ description: KEEP }),
  withoutColumns: Type.Array(Type.String(), { description: "Columns that nothing is learned from." }),
  columnChoices: CHOICES_ANSWER,
};

export const NO_KEYS = {
  groupColumn: null,
  timeColumn: null,
  keepKeyColumns: false,
  withoutColumns: [],
  columnChoices: [],
};

const KeyFields = Type.Object(OWN_KEY_SETTINGS);

/**
 * The settings; what was left out comes from `otherwise`. @throws ApiError
 * VALIDATION_FAILED where a column has two choices
 */
export function keySettings(fields: Static<typeof KeyFields>, otherwise: ColumnSettings = NO_KEYS): ColumnSettings {
  const { groupColumn = otherwise.groupColumn, timeColumn = otherwise.timeColumn } = fields;
  const { keepKeyColumns = otherwise.keepKeyColumns, withoutColumns = otherwise.withoutColumns } = fields;
  const columnChoices =
    fields.columnChoices === undefined ? otherwise.columnChoices : storedChoices(fields.columnChoices);
  return { groupColumn, timeColumn, keepKeyColumns, withoutColumns, columnChoices };
}

/** As `requireKnownColumns`, once the dataset is processed. @throws ApiError VALIDATION_FAILED */
export function requireColumnsOf(
  { columns, labelColumn }: Pick<Dataset, "columns" | "labelColumn">,
  settings: ColumnSettings,
) {
  if (columns === null) return;
  const names = columns.map(({ name }) => name);
  requireKnownColumns(settings, names, labelColumn);
}

/**
 * Refuses columns that are not among `names`, and the label as group or time column, left out or with
 * a choice of its own. `label`: its name, null for the last column.
 *
 * @throws ApiError VALIDATION_FAILED with one error per field
 */
export function requireKnownColumns(
  settings: ColumnSettings,
  names: readonly string[],
  label: string | null,
  fieldOfChoice = (_name: string, at: number) => `columnChoices.${at}.name`,
): void {
  const reading = { kind: "category" } as const;
  const columns = names.map((name) => ({ name, reading }));
  // An unknown label is refused by processing.
  const labelAt = label === null ? names.length - 1 : names.indexOf(label);
  const table = { columns, label: { column: labelAt < 0 ? names.length : labelAt } };
  const { groupColumn, timeColumn, withoutColumns, columnChoices } = settings;
  const fields: [string, () => void][] = [
    ["groupColumn", () => findKeys({ groupColumn }, table)],
    ["timeColumn", () => findKeys({ timeColumn }, table)],
    ...withoutColumns.map((name, at): [string, () => void] => [
      `withoutColumns.${at}`,
      () => findKeys({ withoutColumns: [name] }, table),
    ]),
    ...columnChoices.map((choice, at): [string, () => void] => [
      fieldOfChoice(choice.name, at),
      () => choicesByColumn(names, table.label.column, [choice]),
    ]),
  ];
  const errors = fields.flatMap(([field, check]): FieldError[] => {
    try {
      check();
      return [];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return [{ field, code: error.code, message: error.message }];
    }
  });
  if (errors.length > 0) throw new ApiError("VALIDATION_FAILED", errors[0]!.message, { errors });
}
