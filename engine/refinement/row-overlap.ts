// How many rows of the blind test also stand in TRAIN, cell by cell and with the same label.
import type { LevelArray } from "../table.ts";
import { FIRST_START, mixFirst, mixSecond, SECOND_START } from "./fingerprint.ts";
import type { RefinementTask } from "./task.ts";
import { trainRows } from "./train-rows.ts";

const EMPTY = 0xffffffff;

/** The fingerprints of all rows, 64 bits in two halves, and what they are taken of. */
interface RowSet {
  columns: readonly (LevelArray | Uint8Array)[];
  first: Int32Array;
  second: Int32Array;
}

/**
 * Share of TEST rows, 0 to 1, whose levels of all features and whose class a TRAIN row has as well; 0 without TEST rows.
 * A number in TEST counts as the nearest one of TRAIN, and columns that make no feature are not looked at, so the share is
 * an upper bound, and high in tables of few distinct rows. O(rows × features).
 */
export function rowOverlap(task: RefinementTask): number {
  const { table, test } = task;
  if (test.length === 0) return 0;
  const train = trainRows(task);
  const set = fingerprintRows([...table.levels, table.classes], table.rowCount);
  const size = 2 ** Math.ceil(Math.log2(2 * train.length + 2));
  const slots = new Uint32Array(size).fill(EMPTY);
  for (let i = 0; i < train.length; i++) {
    const row = train[i]!;
    const slot = findSlot(slots, set, row);
    if (slots[slot] === EMPTY) slots[slot] = row;
  }
  let shared = 0;
  for (let i = 0; i < test.length; i++) if (slots[findSlot(slots, set, test[i]!)] !== EMPTY) shared++;
  return shared / test.length;
}

/** Column by column, as the levels lie in memory. */
function fingerprintRows(columns: RowSet["columns"], rowCount: number): RowSet {
  const first = new Int32Array(rowCount).fill(FIRST_START);
  const second = new Int32Array(rowCount).fill(SECOND_START);
  for (const levels of columns) {
    for (let row = 0; row < rowCount; row++) {
      first[row] = mixFirst(first[row]!, levels[row]!);
      second[row] = mixSecond(second[row]!, levels[row]!);
    }
  }
  return { columns, first, second };
}

/** The slot that holds an equal row, else the free one where this row belongs. Linear probing; `slots` is never full. */
function findSlot(slots: Uint32Array, set: RowSet, row: number): number {
  const { first, second } = set;
  const mask = slots.length - 1;
  // The last step of a hash spreads its high bits into the low ones, which choose the slot.
  const start = Math.imul(first[row]! ^ (first[row]! >>> 16), 0x85ebca6b);
  for (let slot = (start ^ (start >>> 13)) & mask; ; slot = (slot + 1) & mask) {
    const other = slots[slot]!;
    if (other === EMPTY) return slot;
    if (first[other] === first[row] && second[other] === second[row] && areEqual(set.columns, other, row)) return slot;
  }
}

function areEqual(columns: RowSet["columns"], a: number, b: number): boolean {
  for (let at = 0; at < columns.length; at++) if (columns[at]![a] !== columns[at]![b]) return false;
  return true;
}
