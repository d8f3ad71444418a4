// Typed values as the cells that a file would have of them.
import { numberText } from "../columns/number-text.ts";
import type { ColumnReading } from "../columns/reading.ts";

/** A finite number, a text as in a file, a truth value, or null for a missing value. */
export type TypedCell = string | number | boolean | null;

/** The cell as a file would contain it. `categories`: of the column. */
export function typedCellText(
  value: TypedCell | undefined,
  reading: ColumnReading,
  categories: readonly string[],
): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (reading.kind === "number") return numberText(Number(value), reading.form);
  const plain = String(value);
  return typeof value === "number" ? plain : truthName(plain, categories);
}

/** A truth value, `true` or `false`, as the training data wrote it, such as "TRUE". */
export function truthName(plain: string, categories: readonly string[]): string {
  return categories.find((category) => category.toLowerCase() === plain) ?? plain;
}
