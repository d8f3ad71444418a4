// Tables with a column of texts, read as the product reads them, but from memory.
import { Random } from "../../engine/random.ts";
import type { Table } from "../../engine/table.ts";
import { TextReader } from "../../engine/text/text-reader.ts";
import { type Cells, makeTable } from "./tables.ts";

/** A table whose column `text` stands behind the others. `trainRowCount`: rows that the vocabulary comes from, all by default. */
export function textTable(
  texts: readonly string[],
  labels: readonly string[],
  others: readonly Cells[] = [],
  trainRowCount: number = texts.length,
): Table {
  const reader = new TextReader([{ name: "text", column: others.length }], new Set([""]), texts.length);
  for (const text of texts.slice(0, trainRowCount)) reader.countRow([text]);
  reader.beginWriting();
  reader.beginFile(0);
  for (const text of texts) reader.writeRow([text]);
  return reader.finish(makeTable(others, labels), trainRowCount);
}

const FILLERS = "the a of to and in it is was for on with as at by this that from an are were be".split(" ");

export interface DrawnTexts {
  texts: string[];
  labels: string[];
}

/** Letters alone: numbers have terms of their own. */
function ownWord(label: string, which: number): string {
  return [...label.slice(-2), String(which)].map((digit) => "qwertyuiop"[Number(digit)]).join("");
}

/** Texts of filler words in which each class has ten words of its own, one or two of which come in a text as a rule. */
export function drawTexts(rowCount: number, classCount: number, seed: number): DrawnTexts {
  const random = new Random(seed);
  const labels = Array.from(
    { length: rowCount },
    () => `class ${String(random.nextBelow(classCount)).padStart(2, "0")}`,
  );
  const texts = labels.map((label) => {
    const words = Array.from({ length: 4 + random.nextBelow(12) }, () => FILLERS[random.nextBelow(FILLERS.length)]!);
    for (let count = random.nextBelow(3); count > 0; count--) {
      words.splice(random.nextBelow(words.length), 0, ownWord(label, random.nextBelow(10)));
    }
    return words.join(" ");
  });
  return { texts, labels };
}

/** A table of several columns of texts and nothing else, in file order. */
export function tableOfTexts(columns: readonly (readonly string[])[], labels: readonly string[]): Table {
  const sources = columns.map((_, column) => ({ name: `text${column + 1}`, column }));
  const reader = new TextReader(sources, new Set([""]), labels.length);
  const rows = labels.map((_, row) => columns.map((texts) => texts[row]!));
  for (const row of rows) reader.countRow(row);
  reader.beginWriting();
  reader.beginFile(0);
  for (const row of rows) reader.writeRow(row);
  return reader.finish(makeTable([], labels), labels.length);
}
