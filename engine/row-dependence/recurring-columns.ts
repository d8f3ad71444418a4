// Columns whose values recur together: rows of one patient, machine or customer repeat what stays the same between
// visits, though no column names whose rows they are.

import { mapped } from "../mapped.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { levelCount, rowsByLevel, type Table } from "../table/table.ts";
import { inStretches } from "./sample.ts";

/** Sets of columns are compared on so many rows at most; with many columns on fewer, by cells of pairs of columns. */
const MOST_ROWS = 4_000;
const MOST_CELLS = 4_000_000;
const FEWEST_ROWS = 1_000;
/** More columns are thinned. */
const MOST_COLUMNS = 60;
/** Pairs of columns that a search starts from: two that say the same may hide the others from one search. */
const MOST_STARTS = 4;
const MOST_STEPS = 20;
/** Below, two columns recur together by chance, with sixty of them. */
const LEAST_EXCESS = 10;
/** Most rows stand in combinations of two and more, and none holds above a tenth of the rows. */
const LEAST_COVERED = 0.85;
const LARGEST_SHARE = 0.1;
/** Pairs of rows that agree, over those that would if the columns were independent of each other. */
const LEAST_LIFT = 3;
/** Rows that are put into groups, at most: a `Map` of millions takes hundreds of megabytes. */
const MOST_GROUPED = 200_000;
/** A column names the groups if it has nearly as many values. */
const NAMING_SHARE = 0.9;
const MOST_FOUND = 2;

export interface RecurringColumns {
  /** Columns of the file, by position, ascending. */
  columns: number[];
  /** The one of them that tells nearly all of these rows apart by itself, such as a number of a patient, or null. */
  naming: number | null;
  /**
   * A number for each row of the table: the same for rows that agree in all of these columns. NaN for rows that others
   * stand for.
   */
  contents: Float64Array;
}

/** A set of columns, by their places in a list of hashes. */
interface Combined {
  places: readonly number[];
  /** Pairs of rows that agree in all of them, over those that would by chance. */
  lift: number;
  /** How far the pairs are beyond chance: the log-likelihood of so many over that of chance. */
  excess: number;
}

/**
 * The sets of two columns and more that rows repeat together far beyond chance, the least likely by chance first, two
 * at most. O(rows × columns), and columns² for some rows.
 *
 * The set that tells whose rows they are has the largest excess: each column that stays the same leaves the pairs of
 * rows of one patient and makes others rarer, and each other column parts these pairs too. @throws OutOfTime, Cancelled
 */
export function findRecurringColumns(table: Table, stop: StopSignal): RecurringColumns[] {
  const columns = recurring(table);
  if (columns.length < 2) return [];
  const mostRows = Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, Math.floor(MOST_CELLS / columns.length ** 2)));
  const search = new Search(hashColumns(inStretches(table, mostRows), columns), stop);
  const recurringSets: RecurringColumns[] = [];
  for (const { places } of search.best()) {
    const chosenColumns = places.map((place) => columns[place]!).sort((a, b) => a - b);
    const hashed = hashColumns(table, chosenColumns);
    const contents = sumRows(hashed);
    const rows = rowsThatStandForAll(contents);
    if (!areGroups(contents, rows)) continue;
    const distinct = (hashes: Uint32Array) => new Set(mapped(Uint32Array, rows, (row) => hashes[row]!)).size;
    const least = NAMING_SHARE * distinct(contents);
    const naming = chosenColumns.find((_, at) => distinct(hashed[at]!) >= least) ?? null;
    const ofGroups = new Float64Array(table.rowCount).fill(Number.NaN);
    for (const row of rows) ofGroups[row] = contents[row]!;
    recurringSets.push({ columns: chosenColumns, naming, contents: ofGroups });
    if (recurringSets.length === MOST_FOUND) break;
  }
  return recurringSets;
}

/** Columns of which most cells recur: all that stay the same within groups do. */
function recurring(table: Table): number[] {
  const { features, rowCount } = table;
  const recurs = new Set<number>();
  for (const [index, { column }] of features.entries()) {
    const counts = rowsByLevel(table, index);
    const single = counts.reduce((sum, count) => sum + (count === 1 ? 1 : 0), 0);
    if (single <= (1 - LEAST_COVERED) * rowCount && counts.every((count) => count < rowCount)) recurs.add(column);
  }
  const columns = [...recurs];
  const step = Math.ceil(columns.length / MOST_COLUMNS);
  return columns.filter((_, at) => at % step === 0);
}

/** All features of a column are hashed together, such as the parts of a date. */
function hashColumns({ features, levels, rowCount }: Table, columns: readonly number[]): Uint32Array[] {
  return columns.map((column) => {
    const places = features.flatMap((feature, at) => (feature.column === column ? [at] : []));
    const featureHashes = places.map((at) => {
      const ofLevel = mapped(Uint32Array, { length: levelCount(features[at]!) }, (_, level) => deriveSeed(at, level));
      return mapped(Uint32Array, { length: rowCount }, (_, row) => ofLevel[levels[at]![row]!]!);
    });
    return sumRows(featureHashes);
  });
}

/** Sums of 32 bits, row by row. */
function sumRows(hashes: readonly Uint32Array[]): Uint32Array {
  const sums = new Uint32Array(hashes[0]!.length);
  for (const hash of hashes) for (let row = 0; row < sums.length; row++) sums[row]! += hash[row]!;
  return sums;
}

class Search {
  private readonly hashed: readonly Uint32Array[];
  private readonly stop: StopSignal;
  private readonly pairCount: number;
  /** By column: how often two rows agree in it. */
  private readonly chances: Float64Array;
  private readonly slots: Uint32Array;
  private readonly counts: Uint32Array;
  private readonly known = new Map<string, Combined>();

  constructor(hashed: readonly Uint32Array[], stop: StopSignal) {
    const rowCount = hashed[0]!.length;
    const slotCount = 2 ** Math.ceil(Math.log2(2 * rowCount));
    this.hashed = hashed;
    this.stop = stop;
    this.pairCount = (rowCount * (rowCount - 1)) / 2;
    this.slots = new Uint32Array(slotCount);
    this.counts = new Uint32Array(slotCount);
    this.chances = Float64Array.from(hashed, (hashes) => this.pairsOf(hashes) / this.pairCount);
  }

  /** Sets that no column more or less makes less likely by chance, the least likely first. */
  best(): Combined[] {
    const places = [...this.hashed.keys()];
    const starts = places.flatMap((a) => places.slice(a + 1).map((b) => this.combine([a, b])));
    const found = new Set(
      mostBeyondChance(starts)
        .slice(0, MOST_STARTS)
        .map((start) => this.climb(start)),
    );
    return [...found].filter(({ lift }) => lift >= LEAST_LIFT).sort((a, b) => b.lift - a.lift);
  }

  private climb(start: Combined): Combined {
    let best = start;
    for (let step = 0; step < MOST_STEPS; step++) {
      const others = [...this.hashed.keys()].flatMap((place) => {
        const without = best.places.filter((other) => other !== place);
        if (without.length === best.places.length) return [this.combine([...best.places, place].sort((a, b) => a - b))];
        return without.length < 2 ? [] : [this.combine(without)];
      });
      const [next] = mostBeyondChance(others);
      if (next === undefined || next.excess <= best.excess) break;
      best = next;
    }
    return best;
  }

  /** `places`: ascending. */
  private combine(places: readonly number[]): Combined {
    const key = places.join(" ");
    const combined = this.known.get(key) ?? this.counted(places);
    this.known.set(key, combined);
    return combined;
  }

  private counted(places: readonly number[]): Combined {
    throwIfStopped(this.stop);
    const pairs = this.pairsOf(sumRows(places.map((place) => this.hashed[place]!)));
    const expected = places.reduce((product, place) => product * this.chances[place]!, this.pairCount);
    const lift = pairs / expected;
    return { places, lift, excess: lift > 1 ? pairs * Math.log(lift) - (pairs - expected) : 0 };
  }

  /** Pairs of equal values, by open addressing. */
  private pairsOf(values: Uint32Array): number {
    const { slots, counts } = this;
    const mask = slots.length - 1;
    counts.fill(0);
    let pairs = 0;
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!;
      let slot = value & mask;
      while (counts[slot]! > 0 && slots[slot] !== value) slot = (slot + 1) & mask;
      slots[slot] = value;
      pairs += counts[slot]!++;
    }
    return pairs;
  }
}

function mostBeyondChance(all: Combined[]): Combined[] {
  return all.filter(({ excess }) => excess >= LEAST_EXCESS).sort((a, b) => b.excess - a.excess);
}

/** All rows of some combinations where there are very many rows, by how their hash ends. */
function rowsThatStandForAll(contents: Uint32Array): Uint32Array {
  const thinning = Math.ceil(contents.length / MOST_GROUPED);
  return rowsUpTo(contents.length).filter((row) => contents[row]! % thinning === 0);
}

function areGroups(contents: Uint32Array, rows: Uint32Array): boolean {
  const sizes = new Map<number, number>();
  for (const row of rows) sizes.set(contents[row]!, (sizes.get(contents[row]!) ?? 0) + 1);
  const single = sizes.values().reduce((sum, size) => sum + (size === 1 ? 1 : 0), 0);
  const largest = sizes.values().reduce((most, size) => Math.max(most, size), 0);
  return single <= (1 - LEAST_COVERED) * rows.length && largest <= LARGEST_SHARE * contents.length;
}
