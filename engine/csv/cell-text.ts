// Texts of cells, decoded from the UTF-8 in a kernel's memory.
import { CELL_END, CELL_FIELDS, CELL_START } from "../kernels/layout.ts";
import type { CellBatch } from "./types.ts";

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
/** Up to so many bytes, joining characters one by one costs less than a call of the decoder. */
const FEW_BYTES = 16;

/** The text of one cell, without outer white space. */
export function cellText({ kernel: { cells, memory }, stride }: CellBatch, row: number, column: number): string {
  const at = (column * stride + row) * CELL_FIELDS;
  return decodeText(memory, cells[at + CELL_START]!, cells[at + CELL_END]!);
}

/** Decodes valid UTF-8. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > FEW_BYTES) return decodeUtf8(bytes, start, end);
  let text = "";
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) return decodeUtf8(bytes, start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}
