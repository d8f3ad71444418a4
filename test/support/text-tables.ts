// Tables with a column of texts, read as the product reads them, but from memory.
import type { RecordBatch } from "../../engine/csv/types.ts";
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
  const batch: RecordBatch = {
    firstIndex: 0,
    records: texts.map((text) => [text]),
    lines: new Uint32Array(texts.length),
  };
  reader.count(batch, [0], (record) => record < trainRowCount);
  reader.beginWriting();
  reader.beginFile(0);
  reader.write(batch, [0], () => true);
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
