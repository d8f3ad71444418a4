// Texts as cells in the memory of a reading kernel, and what it finds in them.

import { type ReadingKernel, takeKernel } from "../../engine/csv/reading-kernel.ts";
import { TextCells } from "../../engine/csv/text-cells.ts";
import type { CellBatch, CellSink, RecordBatch } from "../../engine/csv/types.ts";
import { COUNTS_TEXTS, ENTERS_TEXTS, ODD_COUNT } from "../../engine/kernels/reading/layout.ts";
import { TextDictionary } from "../../engine/reading/text-dictionary.ts";

/** Hands records on as the reader does with lines that it cannot cut. */
export function takeRecords(sink: CellSink, batch: RecordBatch): void {
  const columnCount = batch.records[0]?.length ?? 1;
  for (const cells of new TextCells(sink.kernel, columnCount).batchesOf(batch)) sink.addCells(cells);
}

/** Texts as the only column of a few thousand records at most; text `i` stands in line `i`. */
export function cellsOf(kernel: ReadingKernel, texts: readonly string[]): CellBatch {
  const records = texts.map((text) => [text]);
  const [batch] = new TextCells(kernel, 1).batchesOf({ firstIndex: 0, records, lines: Uint32Array.from(texts.keys()) });
  return batch!;
}

/** An empty dictionary in a kernel of its own. */
export function emptyDictionary(texts: number, bytes = 100_000): TextDictionary {
  return new TextDictionary(takeKernel(), { texts, bytes });
}

/**
 * Finds texts in a dictionary; returns how many, with what the kernel has of each. `how`: of kernels/reading/layout.ts.
 */
export function findTexts({ kernel, at }: TextDictionary, texts: readonly string[], how: number) {
  const { stride } = cellsOf(kernel, texts);
  const count = kernel.exports.findCells(at, kernel.columnAt(0, stride), 0, texts.length, how);
  // Where all are texts, they have no values.
  const idOf = (row: number) => ((how & ENTERS_TEXTS) !== 0 ? kernel.ids[row]! : kernel.words[2 * row]!);
  const found = Array.from({ length: count }, (_, row) => ({ id: idOf(row), value: kernel.values[row]! }));
  return { count, found, odd: [...kernel.odd.subarray(0, kernel.outcome[ODD_COUNT])] };
}

/** Enters texts, and counts them. */
export function enterTexts(dictionary: TextDictionary, texts: readonly string[]): void {
  for (let from = 0; from < texts.length; from += 4096) {
    findTexts(dictionary, texts.slice(from, from + 4096), ENTERS_TEXTS | COUNTS_TEXTS);
  }
}
