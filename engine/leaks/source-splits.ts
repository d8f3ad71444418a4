// Rows of two sources that write several columns otherwise, as "M" and "ja" beside "male" and "yes": each of these
// columns tells where a row is from, so leaving one out hides nothing.

import { DisjointSets } from "../disjoint-sets.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { FIRST_LEVEL, type LevelArray, levelCount, type Table } from "../table/table.ts";
import type { RowPattern } from "./row-patterns.ts";

/** Categories compared with each other, at most, and their values. */
const MOST_COLUMNS = 40;
const MOST_VALUES = 50;
/** Either source writes so many values of a column: with one it is a category, such as a country beside its cities. */
const LEAST_VALUES = 2;
/** Values go together in this share of the rows of the rarer one: fewer are mistakes. */
const LEAST_TOGETHER = 0.05;
/** Rows whose values are of different sources, at most, and rows of the smaller source. */
const MOST_MIXED = 0.02;
const LEAST_SHARE = 0.05;

/** One for each set of columns whose values come in the same two sets. O(rows × columns²). @throws Cancelled */
export function sourceSplits(table: Table, stop: StopSignal): RowPattern[] {
  const candidates = [...table.features.keys()]
    .filter((index) => {
      const { kind, part } = table.features[index]!;
      const valueCount = levelCount(table.features[index]!) - FIRST_LEVEL;
      return kind === "category" && part === null && valueCount >= 2 * LEAST_VALUES && valueCount <= MOST_VALUES;
    })
    .slice(0, MOST_COLUMNS);
  const patterns: RowPattern[] = [];
  const isTaken = new Set<number>();
  for (const [at, first] of candidates.entries()) {
    throwIfCancelled(stop);
    if (isTaken.has(first)) continue;
    let ofFirst: Uint8Array | null = null;
    const together = candidates.slice(at + 1).filter((other) => {
      const sides = isTaken.has(other) ? null : sidesOf(table, first, other);
      ofFirst ??= sides;
      return sides !== null;
    });
    if (ofFirst === null) continue;
    for (const other of together) isTaken.add(other);
    patterns.push(patternOf(table, [first, ...together], ofFirst));
  }
  return patterns;
}

function patternOf({ features, levels, rowCount }: Table, indices: number[], sides: Uint8Array): RowPattern {
  const ofFirst = levels[indices[0]!]!;
  const isMarked = (row: number) => sides[ofFirst[row]!] === 1;
  let count = 0;
  for (let row = 0; row < rowCount; row++) if (isMarked(row)) count++;
  const columns = indices.map((index) => features[index]!.column).sort((a, b) => a - b);
  return { columns, features: indices, rowCount: count, isMarked };
}

/** Whether each level of the first is of the second source, if the values of both come in the same two sets. */
function sidesOf({ features, levels, rowCount }: Table, first: number, second: number): Uint8Array | null {
  const [a, b] = [levelCount(features[first]!), levelCount(features[second]!)];
  const counts = countPairs(levels[first]!, levels[second]!, b, a * b);
  const ofA = new Uint32Array(a);
  const ofB = new Uint32Array(b);
  eachPair(counts, b, (x, y, count) => {
    ofA[x] = ofA[x]! + count;
    ofB[y] = ofB[y]! + count;
  });
  const sets = new DisjointSets(a + b);
  eachPair(counts, b, (x, y, count) => {
    if (count > LEAST_TOGETHER * Math.min(ofA[x]!, ofB[y]!)) sets.join(x, a + y);
  });
  const roots = new Map<number, { values: [number, number]; rows: number }>();
  const add = (level: number, side: 0 | 1, rows: number) => {
    if (rows === 0) return;
    const set = roots.get(sets.rootOf(level)) ?? { values: [0, 0], rows: 0 };
    set.values[side]++;
    if (side === 0) set.rows += rows;
    roots.set(sets.rootOf(level), set);
  };
  for (let x = 0; x < a; x++) add(x, 0, ofA[x]!);
  for (let y = 0; y < b; y++) add(a + y, 1, ofB[y]!);
  if (roots.size !== 2) return null;
  const isSource = ({ values, rows }: { values: [number, number]; rows: number }) =>
    Math.min(...values) >= LEAST_VALUES && rows >= LEAST_SHARE * rowCount;
  if (![...roots.values()].every(isSource)) return null;
  let mixed = 0;
  eachPair(counts, b, (x, y, count) => {
    if (sets.rootOf(x) !== sets.rootOf(a + y)) mixed += count;
  });
  if (mixed > MOST_MIXED * rowCount) return null;
  const [, other] = [...roots.keys()];
  return Uint8Array.from({ length: a }, (_, x) => (sets.rootOf(x) === other ? 1 : 0));
}

function countPairs(first: LevelArray, second: LevelArray, width: number, length: number): Uint32Array {
  const counts = new Uint32Array(length);
  for (let row = 0; row < first.length; row++) {
    const [x, y] = [first[row]!, second[row]!];
    if (x < FIRST_LEVEL || y < FIRST_LEVEL) continue;
    counts[x * width + y] = counts[x * width + y]! + 1;
  }
  return counts;
}

function eachPair(counts: Uint32Array, width: number, visit: (x: number, y: number, count: number) => void): void {
  for (const [at, count] of counts.entries()) if (count > 0) visit(Math.floor(at / width), at % width, count);
}
