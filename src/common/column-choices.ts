// Choices for single columns as they are typed: `COLUMN=category`, `COLUMN=unknown`. Names of columns may hold an `=`.
import { CHOSEN_KINDS, type ChosenKind, type ColumnChoice } from "../../engine/columns/choices.ts";

/** A column's name, and what stands after the last `=`. */
export interface ColumnText {
  name: string;
  text: string;
}

/** Null where there is no name. */
export function readColumnText(text: string): ColumnText | null {
  const at = text.lastIndexOf("=");
  return at < 1 ? null : { name: text.slice(0, at), text: text.slice(at + 1).trim() };
}

export function isChosenKind(text: string): text is ChosenKind {
  return (CHOSEN_KINDS as readonly string[]).includes(text);
}

/** One choice for each column that is named; of several kinds the last. An empty text names the column, but no text. */
export function columnChoicesOf(kinds: readonly ColumnText[], missing: readonly ColumnText[]): ColumnChoice[] {
  const choices = new Map<string, ColumnChoice>();
  const add = (name: string, choice: Omit<ColumnChoice, "name">) =>
    choices.set(name, { ...choices.get(name), name, ...choice });
  for (const { name, text } of kinds) if (isChosenKind(text)) add(name, { kind: text });
  for (const { name, text } of missing) {
    const earlier = choices.get(name)?.missingTexts ?? [];
    add(name, { missingTexts: text === "" ? earlier : [...earlier, text] });
  }
  return [...choices.values()];
}
