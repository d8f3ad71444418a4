// Copies among features and columns: the same information under other names,
// whole and row by row, over the rows of TRAIN.
import { DIFFERENCE_PART, type Feature, FIRST_LEVEL, type LevelArray, MISSING_LEVEL } from "../table/table.ts";
import { FIRST_START, fingerprintText, mixFirst, mixSecond, SECOND_START } from "./fingerprint.ts";

/** Numbers of more distinct values than this are copies by their order alone. */
const MOST_RENAMED_LEVELS = 255;
/** Rows that a level must have on average: any two columns of distinct values would be renamings of each other. */
const ROWS_PER_RENAMED_LEVEL = 2;

/**
 * How the levels of a feature are compared. "renamed" and "category": by first occurrence, so that any one-to-one
 * renaming agrees, the missing cell renamed like any other. "rank": by order among the rows present, in the direction
 * in which the first two rows that differ ascend, so that strictly monotone recodings of either direction agree;
 * missing cells stay missing. A "category" has too many levels to be a renamed number.
 */
type Comparison = "renamed" | "rank" | "category";

interface Canon {
  comparison: Comparison;
  /** Copies have the same codes in every row. */
  codeOfLevel: Uint32Array;
}

/**
 * Equal for copies; for others only by a chance of 2^-64: the way of comparing levels, and a fingerprint of the rows.
 * `levels`: the table's, or for a score those that a fit found. `rows` are those of TRAIN. O(rows).
 */
export function copySignature(feature: Feature, levels: LevelArray, rows: Uint32Array): string {
  const { comparison, codeOfLevel } = canonOf(feature, levels, rows);
  let first = FIRST_START;
  let second = SECOND_START;
  for (let i = 0; i < rows.length; i++) {
    const code = codeOfLevel[levels[rows[i]!]!]!;
    first = mixFirst(first, code);
    second = mixSecond(second, code);
  }
  return `${comparison} ${fingerprintText(first, second)}`;
}

/**
 * Exact, recoded or strictly monotone copies over the rows of TRAIN: feature index → index of the first feature that it
 * is a copy of, for those that have one. Only numbers of more distinct values than a table has levels (65,534) are
 * compared as coarsely as their levels are. `signatures`: one per feature of the table, as `copySignature` makes them.
 */
export function findCopies(signatures: readonly string[]): Map<number, number> {
  const firsts = new Map<string, number>();
  const copies = new Map<number, number>();
  signatures.forEach((signature, index) => {
    const first = firsts.get(signature);
    if (first === undefined) firsts.set(signature, index);
    else copies.set(index, first);
  });
  return copies;
}

/**
 * Copies among source columns: file position → position of the first column that it copies. A column of several
 * features (a date) is a copy of another if its features are copies of all features of that one, in their order.
 */
export function findColumnCopies(
  features: readonly Feature[],
  copies: ReadonlyMap<number, number>,
): Map<number, number> {
  const contents = new Map<number, number[]>();
  features.forEach(({ column, part }, index) => {
    if (part === DIFFERENCE_PART) return;
    const content = contents.get(column) ?? [];
    content.push(copies.get(index) ?? index);
    contents.set(column, content);
  });
  const firstColumns = new Map<string, number>();
  const columnCopies = new Map<number, number>();
  for (const column of [...contents.keys()].sort((a, b) => a - b)) {
    const content = contents.get(column)!.join(" ");
    const first = firstColumns.get(content);
    if (first === undefined) firstColumns.set(content, column);
    else columnCopies.set(column, first);
  }
  return columnCopies;
}

/**
 * Whether two codes divide the rows into the same groups, so that each renames
 * the other. Stops at the first row that differs.
 */
export function isRenaming(a: ArrayLike<number>, b: ArrayLike<number>, rows: Uint32Array): boolean {
  const bOfA = new Map<number, number>();
  const aOfB = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const codeA = a[row]!;
    const codeB = b[row]!;
    const knownB = bOfA.get(codeA);
    if (knownB === codeB) continue;
    if (knownB !== undefined || aOfB.has(codeB)) return false;
    bOfA.set(codeA, codeB);
    aOfB.set(codeB, codeA);
  }
  return true;
}

function canonOf(feature: Feature, levels: LevelArray, rows: Uint32Array): Canon {
  const { codeOfLevel, present } = renameByOccurrence(levels, rows);
  const isTold = present <= MOST_RENAMED_LEVELS && present * ROWS_PER_RENAMED_LEVEL <= rows.length;
  if (isTold) return { comparison: "renamed", codeOfLevel };
  if (feature.kind === "category") return { comparison: "category", codeOfLevel };
  return { comparison: "rank", codeOfLevel: rankLevels(levels, codeOfLevel, rows) };
}

/** Codes from 1 in order of first occurrence; 0 where a level does not occur. */
function renameByOccurrence(levels: LevelArray, rows: Uint32Array) {
  const highest = rows.reduce((most, row) => Math.max(most, levels[row]!), 0);
  const codeOfLevel = new Uint32Array(highest + 1);
  let present = 0;
  for (let i = 0; i < rows.length; i++) {
    const level = levels[rows[i]!]!;
    if (codeOfLevel[level] === 0) codeOfLevel[level] = ++present;
  }
  return { codeOfLevel, present };
}

/** Dense ranks from 1 of the levels that occur, in the canonical direction; 0 for missing cells. */
function rankLevels(levels: LevelArray, occurs: Uint32Array, rows: Uint32Array): Uint32Array {
  const rankOfLevel = new Uint32Array(occurs.length);
  let rankCount = 0;
  for (let level = FIRST_LEVEL; level < occurs.length; level++)
    if (occurs[level]! > 0) rankOfLevel[level] = ++rankCount;
  if (!beginsByFalling(levels, rows)) return rankOfLevel;
  return rankOfLevel.map((rank) => (rank === 0 ? 0 : rankCount + 1 - rank));
}

/** Whether the second distinct level among the rows present is lower than the first. */
function beginsByFalling(levels: LevelArray, rows: Uint32Array): boolean {
  let first = MISSING_LEVEL;
  for (let i = 0; i < rows.length; i++) {
    const level = levels[rows[i]!]!;
    if (level === MISSING_LEVEL || level === first) continue;
    if (first !== MISSING_LEVEL) return level < first;
    first = level;
  }
  return false;
}
