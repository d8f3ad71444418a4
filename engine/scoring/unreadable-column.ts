// The refusal of a file with a column of numbers or dates of which nearly no value can be read (D75).
import { isClockAffix } from "../columns/clock-times.ts";
import type { NumberForm } from "../columns/numbers.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import { shownCell } from "./shown-cell.ts";

/**
 * A column is refused if it has this many values or more and so few can be
 * read; with fewer, each is missing, with a warning.
 */
export const LEAST_VALUES = 10;
const READABLE_SHARE = 0.05;
/** Columns named in a message. */
export const NAMES_LISTED = 10;

/** How a column of numbers or dates is read. */
export type ValueReading = Exclude<ColumnReading, { kind: "category" }>;

/** A column's cells with a value, as they were seen. */
export interface ReadCells {
  name: string;
  /** How the model reads it. */
  reading: ValueReading;
  total: number;
  read: number;
  /** The line of the first that could not be read. */
  firstUnread: number;
  /** The text of that cell; left out where that is not known. */
  firstText?: string;
}

export function isUnreadable({ total, read }: Pick<ReadCells, "total" | "read">): boolean {
  return total >= LEAST_VALUES && read <= READABLE_SHARE * total;
}

/** `place`: what lines are called. @throws InputError UNREADABLE_COLUMN where there are such columns */
export function refuseUnreadable(columns: readonly ReadCells[], place: "line" | "row"): void {
  const [first, ...more] = columns;
  if (first === undefined) return;
  const { name, reading, total, read, firstUnread: line, firstText } = first;
  const others = more.slice(0, NAMES_LISTED - 1).map((other) => quotedName(other.name));
  const also =
    others.length === 0 ? "" : ` So it is with ${others.join(", ")}${more.length > others.length ? ", …" : ""}.`;
  const cell = firstText === undefined ? null : shownCell(firstText);
  const shown = cell === null ? "" : ` It is ${cell}.`;
  const message =
    `${total - read} of the ${total} values in column ${quotedName(name)} cannot be read as ${exampleOf(reading)}, the first in ${place} ${line}.${shown}${also} ` +
    "Write them so, or correct the names of the columns; where there is no value, leave the cell empty.";
  throw new InputError("UNREADABLE_COLUMN", message, { column: name, ...(place === "line" && { line }) });
}

const DATE_EXAMPLES = {
  ymd: "dates such as 2024-12-31",
  dmy: "dates with the day first, such as 31.12.2024 or 31/12/2024",
  mdy: "dates with the month first, such as 12/31/2024",
  unix: "times since 1970, such as 1735689599",
};

/** How values of a column look. */
export function exampleOf(reading: ValueReading): string {
  return reading.kind === "date" ? DATE_EXAMPLES[reading.form.order] : numberExample(reading.form);
}

function numberExample({ decimal, grouping, affix }: NumberForm): string {
  if (isClockAffix(affix)) return `times such as ${affix === "h:mm" ? "14:05" : "1:02:03"}`;
  return `numbers such as 1${grouping}234${decimal}5${affix}`;
}
