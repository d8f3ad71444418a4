// Texts of cells, decoded from the UTF-8 in a kernel's memory.
import { CELL_END, CELL_FIELDS, CELL_START } from "../kernels/reading/layout.ts";
import type { CellBatch } from "./types.ts";

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of one cell, without outer white space. */
export function cellText({ kernel: { cells, memory }, stride }: CellBatch, row: number, column: number): string {
  const at = (column * stride + row) * CELL_FIELDS;
  return decodeText(memory, cells[at + CELL_START]!, cells[at + CELL_END]!);
}

/** Decodes valid UTF-8. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}
