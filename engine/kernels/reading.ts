// What the reading kernel offers: lines cut into cells, cells to numbers and texts of dictionaries, numbers to levels.
import { cutEnd, cutLines, isCutWide, openTable, prepareCutting } from "./cut-cells.ts";
import { prepareDictionary } from "./dictionary.ts";
import { countOdd, findCells, prepareFinding, useBuffers } from "./find-cells.ts";
import { allocateArray, reset } from "./memory.ts";
import { openLevels, writeLevels } from "./nearest-levels.ts";
import { prepareForms } from "./number-forms.ts";
import { powerMantissasAt, prepareNumbers } from "./plain-numbers.ts";
import { prepareDigits } from "./sixteen-digits.ts";

export {
  countOdd,
  cutEnd,
  cutLines,
  findCells,
  isCutWide,
  openLevels,
  openTable,
  powerMantissasAt,
  reset,
  useBuffers,
  writeLevels,
};

/** Once in the life of a memory. */
export function prepare(): void {
  prepareDigits();
  prepareCutting();
  prepareNumbers();
  prepareForms();
  prepareDictionary();
  prepareFinding();
}

/** Bytes that are all 0. */
export function allocate(byteCount: usize): usize {
  return allocateArray<u8>(byteCount);
}
