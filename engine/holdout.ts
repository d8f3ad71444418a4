// Which rows learn and which judge: the stratified fifths of a table, and the stratified folds inside the learning rows.
import { deriveSeed, Random, shuffle } from "./random.ts";

/** A table is cut into fifths: one is the holdout, two more confirm the kept versions, so that no row serves twice. */
export const PART_COUNT = 5;
/** The fifth that is held out: 20% of the rows (D44). */
export const HOLDOUT_PART = 0;
/** The fifths that serve as the holdout of the two further re-splits (D47). */
export const CONFIRMING_PARTS: readonly number[] = [1, 2];

/** Up to this many learning rows four folds, above it three: more rows need less of the averaging. */
const MANY_LEARNING_ROWS = 5_000;
export const MOST_FOLDS = 4;
const FOLDS_OF_MANY_ROWS = 3;

const PART_DRAW = 1;
const FOLD_DRAW = 2;

/** Learning and judging rows, ascending, together all rows of the table. */
export interface Split {
  learning: Uint32Array;
  judging: Uint32Array;
}

/**
 * Assigns every row to one of five parts of nearly equal size, each with about the same share of every class.
 * A class of one row lies in the last part, which never judges.
 */
export function assignParts(classes: Uint8Array, classCount: number, seed: number): Uint8Array {
  const everyRow = Uint32Array.from(classes, (_, row) => row);
  const parts = dealByClass(everyRow, classes, classCount, PART_COUNT, deriveSeed(seed, PART_DRAW));
  const counts = new Uint32Array(classCount);
  for (const code of classes) counts[code]!++;
  for (let row = 0; row < parts.length; row++) if (counts[classes[row]!] === 1) parts[row] = PART_COUNT - 1;
  return parts;
}

/** The split whose judging rows are one of the parts. */
export function splitByPart(parts: Uint8Array, judgingPart: number): Split {
  const judgingCount = parts.reduce((count, part) => count + (part === judgingPart ? 1 : 0), 0);
  const judging = new Uint32Array(judgingCount);
  const learning = new Uint32Array(parts.length - judgingCount);
  for (let row = 0, judged = 0, learned = 0; row < parts.length; row++) {
    if (parts[row] === judgingPart) judging[judged++] = row;
    else learning[learned++] = row;
  }
  return { learning, judging };
}

/** Stratified folds over some rows: the splits of those rows alone, one per fold. */
export function foldSplits(rows: Uint32Array, classes: Uint8Array, classCount: number, seed: number): Split[] {
  const foldCount = rows.length <= MANY_LEARNING_ROWS ? MOST_FOLDS : FOLDS_OF_MANY_ROWS;
  const folds = dealByClass(rows, classes, classCount, foldCount, deriveSeed(seed, FOLD_DRAW));
  return Array.from({ length: foldCount }, (_, fold) => ({
    learning: rows.filter((_, index) => folds[index] !== fold),
    judging: rows.filter((_, index) => folds[index] === fold),
  }));
}

/** Deals shuffled rows of one class after the other to hands in turn, as cards: the hands differ by one row at most. */
function dealByClass(
  rows: Uint32Array,
  classes: Uint8Array,
  classCount: number,
  hands: number,
  seed: number,
): Uint8Array {
  const byClass: number[][] = Array.from({ length: classCount }, () => []);
  rows.forEach((row, index) => {
    byClass[classes[row]!]!.push(index);
  });
  const random = new Random(seed);
  const hand = new Uint8Array(rows.length);
  let dealt = 0;
  for (const members of byClass) {
    const indexes = Uint32Array.from(members);
    shuffle(indexes, random);
    for (const index of indexes) hand[index] = dealt++ % hands;
  }
  return hand;
}
