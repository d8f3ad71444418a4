// The reading kernel: cuts lines into cells, finds what cells are, turns numbers into levels.

import { allocateArray, reset } from "../memory.ts";
import { cutEnd, cutLines, isCutWide, openTable, prepareCutting } from "./cut-cells.ts";
import { prepareDictionary } from "./dictionary.ts";
import { countOdd, findCells, numberLines, prepareFinding, useBuffers } from "./find-cells.ts";
import { pickLevels } from "./level-values.ts";
import { layOutLevels, writeLevels } from "./nearest-levels.ts";
import { prepareForms } from "./number-forms.ts";
import { drawRows, sampleNumbers, sampleOne } from "./number-sample.ts";
import { powerMantissasAt, prepareNumbers } from "./plain-numbers.ts";
import { prepareDigits } from "./sixteen-digits.ts";

export {
  countOdd,
  cutEnd,
  cutLines,
  drawRows,
  findCells,
  isCutWide,
  layOutLevels,
  numberLines,
  openTable,
  pickLevels,
  powerMantissasAt,
  reset,
  sampleNumbers,
  sampleOne,
  useBuffers,
  writeLevels,
};

/** Call once for a memory. */
export function prepare(): void {
  prepareDigits();
  prepareCutting();
  prepareNumbers();
  prepareForms();
  prepareDictionary();
  prepareFinding();
}

/** Returns the address of bytes that are all 0. */
export function allocate(byteCount: usize): usize {
  return allocateArray<u8>(byteCount);
}
