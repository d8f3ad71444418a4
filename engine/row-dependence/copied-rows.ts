// Rows that stand in a file more than once, as where an export was appended to itself. Equal rows come by chance too,
// where few columns of few values make many of them equal: then about as many differ in one cell alone.

import { mapped } from "../mapped.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { simpsonIndex } from "../statistics/simpson-index.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { levelCount, MISSING_LEVEL, type Table } from "../table/table.ts";

/** Rows whose hashes are sorted for each column; of more, those whose hash ends alike stand for all. */
const MOST_SORTED = 20_000;
const LEAST_PAIRS = 10;
/** Less of the rows cost too little accuracy to speak of. */
const LEAST_SHARE = 0.01;
/** Pairs of equal rows for each pair that differs in one cell alone. */
const LEAST_RATIO = 3;
/** Copies were appended where at most this share of the rows at the end, as many as there are copies, are no copies. */
const MOST_AMONG_COPIES = 0.1;
/** Some column must tell rows apart: two of its cells are equal by chance at most so often. */
const MOST_ALIKE = 0.05;
const FIRST_DRAW = 3;
const SECOND_DRAW = 4;
/** Hashes are sums of 52 bits, exact in a double. */
const HASH_END = 2 ** 52;

export interface CopiedRows {
  /** A number for each row: the same for rows that are equal in every cell but a running number, and in the label. */
  contents: Float64Array;
  /** One row of each content, ascending. */
  kept: Uint32Array;
}

/**
 * Returns null where equal rows are few or may be chance. A pair of rows is equal, or differs in one cell alone, by
 * hashes that lack that cell. Rows of texts are equal by what the features say of them. Where a whole number is another
 * one in every row, as where copies were numbered anew, rows are equal without it. O(rows × columns).
 *
 * @throws Cancelled, OutOfTime
 */
export function findCopiedRows(table: Table, stop: StopSignal): CopiedRows | null {
  const columns = hashedColumns(table);
  const found = copiesAmong(columns, table.rowCount, stop);
  if (found !== null) return found;
  const content = columns.filter((_, at) => !isRunningNumber(table, at));
  return content.length === columns.length ? null : copiesAmong(content, table.rowCount, stop);
}

function isRunningNumber({ features, levels, rowCount }: Table, at: number): boolean {
  const feature = features[at];
  if (feature?.kind !== "number" || feature.part !== null || !feature.values.every(Number.isInteger)) return false;
  const seenLevels = new Uint8Array(levelCount(feature));
  for (let row = 0; row < rowCount; row++) {
    const level = levels[at]![row]!;
    if (level === MISSING_LEVEL || seenLevels[level] === 1) return false;
    seenLevels[level] = 1;
  }
  return true;
}

function copiesAmong(columns: readonly HashedColumn[], rowCount: number, stop: StopSignal): CopiedRows | null {
  const contents = new Float64Array(rowCount);
  for (const { levels, hashes } of columns) {
    throwIfStopped(stop);
    for (let row = 0; row < contents.length; row++) {
      const sum = contents[row]! + hashes[levels[row]!]!;
      contents[row] = sum < HASH_END ? sum : sum - HASH_END;
    }
  }
  const thinning = Math.ceil(rowCount / MOST_SORTED);
  const equal = pairsOf(contents, thinning);
  if (equal < LEAST_PAIRS || !columns.some(tellsApart)) return null;
  let nearlyEqual = 0;
  const hashesOfOthers = new Float64Array(rowCount);
  for (const { levels, hashes } of columns) {
    throwIfStopped(stop);
    for (let row = 0; row < hashesOfOthers.length; row++) {
      const rest = contents[row]! - hashes[levels[row]!]!;
      hashesOfOthers[row] = rest < 0 ? rest + HASH_END : rest;
    }
    nearlyEqual += pairsOf(hashesOfOthers, thinning) - equal;
    if (equal < LEAST_RATIO * nearlyEqual) return null;
  }
  const kept = oneOfEach(contents, FIRST_DRAW);
  return contents.length - kept.length < LEAST_SHARE * contents.length ? null : { contents, kept };
}

interface HashedColumn {
  levels: ArrayLike<number>;
  /** By level. */
  hashes: Float64Array;
}

/** The features, and the label as one more. */
function hashedColumns({ features, levels, classes, labels }: Table): HashedColumn[] {
  const columns = features.map((feature, at) => ({ levels: levels[at]!, hashes: hashesOf(at, levelCount(feature)) }));
  return [...columns, { levels: classes, hashes: hashesOf(features.length, labels.length) }];
}

function hashesOf(column: number, levelCount: number): Float64Array {
  return mapped(Float64Array, { length: levelCount }, (_, level) => {
    const [low, high] = [deriveSeed(1, column, level), deriveSeed(2, column, level)];
    return (high & 0xfffff) * 2 ** 32 + (low >>> 0);
  });
}

/** Pairs of equal values, among those that stand for all. */
function pairsOf(values: Float64Array, thinning: number): number {
  const sorted = (thinning === 1 ? values.slice() : values.filter((value) => value % thinning === 0)).sort();
  let pairs = 0;
  for (let at = 1, run = 0; at < sorted.length; at++) {
    run = sorted[at] === sorted[at - 1] ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

function tellsApart({ levels, hashes }: HashedColumn): boolean {
  const counts = new Uint32Array(hashes.length);
  for (let row = 0; row < levels.length; row++) counts[levels[row]!]!++;
  return simpsonIndex(counts) <= MOST_ALIKE;
}

/** Draws one of each row's copies again: what only one of the two draws shows is chance. */
export function keptAgain({ contents }: CopiedRows): Uint32Array {
  return oneOfEach(contents, SECOND_DRAW);
}

/**
 * Where copies were appended, keeps the first of each: they are the file as it once was. Elsewhere it draws one: rows
 * that were copied most, such as those of a rare label, have their first copies near the start, so the order would tell
 * the label.
 */
function oneOfEach(contents: Float64Array, draw: number): Uint32Array {
  const order = rowsUpTo(contents.length);
  const firsts = firstOfEach(contents, order);
  const among = firsts.filter((row) => row >= firsts.length).length;
  if (among <= MOST_AMONG_COPIES * (contents.length - firsts.length)) return firsts;
  shuffle(order, new Random(deriveSeed(draw, contents.length)));
  return firstOfEach(contents, order).sort();
}

/** By open addressing: a `Set` of millions of doubles takes ten times the memory. */
function firstOfEach(contents: Float64Array, order: Uint32Array): Uint32Array {
  const mask = 2 ** Math.ceil(Math.log2(2 * contents.length)) - 1;
  const slots = new Int32Array(mask + 1).fill(-1);
  return Uint32Array.from(
    order.values().filter((row) => {
      let slot = contents[row]! & mask;
      while (slots[slot]! >= 0) {
        if (contents[slots[slot]!] === contents[row]) return false;
        slot = (slot + 1) & mask;
      }
      slots[slot] = row;
      return true;
    }),
  );
}
