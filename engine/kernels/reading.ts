// What the reading kernel offers: room, the cutting of lines, a column of the first pass over a table, its levels, and those of its cells.

import { countCells, findIds, prepareCounting } from "./count-cells.ts";
import { cutEnd, cutLines, isCutWide, openTable, prepareCutting } from "./cut-cells.ts";
import { openDecimals, writeLevelsOfDecimals } from "./decimal-levels.ts";
import { packDecimals } from "./decimals.ts";
import { prepareDictionary } from "./dictionary.ts";
import { allocateArray } from "./memory.ts";
import { prepareLevels, writeLevels, writeLevelsOf } from "./nearest-levels.ts";
import { prepareNumberLevels, writeNumberLevels } from "./number-levels.ts";
import { prepareOverflow, scan } from "./overflow.ts";
import { powerMantissasAt, prepareNumbers } from "./plain-numbers.ts";
import { prepareDigits } from "./sixteen-digits.ts";

export {
  countCells,
  cutEnd,
  cutLines,
  findIds,
  isCutWide,
  openDecimals,
  openTable,
  packDecimals,
  powerMantissasAt,
  scan,
  writeLevels,
  writeLevelsOf,
  writeLevelsOfDecimals,
  writeNumberLevels,
};

/** Once in the life of a memory. */
export function prepare(): void {
  prepareDigits();
  prepareCutting();
  prepareNumbers();
  prepareDictionary();
  prepareCounting();
  prepareOverflow();
  prepareLevels();
  prepareNumberLevels();
}

/** Bytes that are all 0. */
export function allocate(byteCount: usize): usize {
  return allocateArray<u8>(byteCount);
}
