// The user's choices for single columns before they are read: the kind, and the texts that mean "no value".
import { listNames, quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import { meantName } from "./near-miss.ts";

export const CHOSEN_KINDS = ["number", "date", "category", "text"] as const;
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

export interface ColumnChoice {
  name: string;
  /** Left out, the cells decide. */
  kind?: ChosenKind;
  /**
   * Texts that mean "no value" in this column, beside those of the whole table. If given, the reader does not look
   * for further ones by itself.
   */
  missingTexts?: readonly string[];
}

/**
 * Returns the choices by column, with trimmed texts; null where there is none.
 * @throws InputError about a name that is no feature's
 */
export function choicesByColumn(
  names: readonly string[],
  labelColumn: number,
  choices: readonly ColumnChoice[],
): (ColumnChoice | null)[] {
  const byColumn: (ColumnChoice | null)[] = names.map(() => null);
  for (const { name, kind, missingTexts } of choices) {
    const column = names.indexOf(name);
    if (column < 0) throw unknownColumn(name, names);
    if (column === labelColumn) {
      throw new InputError(
        "CHOICE_FOR_LABEL",
        `${quotedName(name)} is the label, whose texts are the classes: ` +
          "choose kind and missing texts for other columns only. " +
          "Which texts mean that a row has no label is said for all columns: --missing or, in the API, missingValues.",
        { column: name },
      );
    }
    if (byColumn[column] !== null) {
      throw new InputError("CHOSEN_TWICE", `Column ${quotedName(name)} is named twice: choose once for each column.`, {
        column: name,
      });
    }
    byColumn[column] = {
      name,
      ...(kind !== undefined && { kind }),
      ...(missingTexts !== undefined && { missingTexts: missingTexts.map((text) => text.trim()).filter(Boolean) }),
    };
  }
  return byColumn;
}

function unknownColumn(name: string, names: readonly string[]): InputError {
  const hint = meantName(name, names, `The columns are ${listNames(names)}.`);
  return new InputError("COLUMN_NOT_FOUND", `The file has no column ${quotedName(name)} to choose for. ${hint}`, {
    line: 1,
    column: name,
  });
}
