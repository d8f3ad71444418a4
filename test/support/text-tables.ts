// Tables with a column of texts, read as the product reads them, but from memory.

import { TextReader, type TextSource } from "../../engine/filling/text-reader.ts";
import { Random } from "../../engine/random.ts";
import type { Table } from "../../engine/table/table.ts";
import { type Cells, makeTable } from "./tables.ts";

const EMPTY = new Set([""]);

/**
 * A table whose column `text` stands behind the others. `trainRowCount`: rows
 * that the vocabulary comes from, all by default.
 */
export function textTable(texts: readonly string[], labels: readonly string[], others: readonly Cells[] = []): Table {
  const source = { name: "text", column: others.length, missingTexts: EMPTY, texts };
  return withTexts(makeTable(others, labels), [source]);
}

/** A table of several columns of texts, in file order, which stand behind the others. */
export function tableOfTexts(
  columns: readonly (readonly string[])[],
  labels: readonly string[],
  others: readonly Cells[] = [],
): Table {
  const sources = columns.map((texts, at) => ({
    ...{ name: `text${at + 1}`, column: others.length + at, missingTexts: EMPTY },
    texts,
  }));
  return withTexts(makeTable(others, labels), sources);
}

function withTexts(table: Table, sources: readonly (TextSource & { texts: readonly string[] })[]): Table {
  const { rowCount } = table;
  const reader = new TextReader(sources, rowCount);
  const textsOf = (row: number) => sources.map(({ texts }) => texts[row]!);
  for (let row = 0; row < rowCount; row++) reader.countRow(textsOf(row));
  reader.beginWriting();
  reader.beginFile(0);
  for (let row = 0; row < rowCount; row++) reader.writeRow(textsOf(row));
  return reader.finish(table, rowCount);
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
