// The shapes of one column's texts: how long they are, what their characters are, their numbers and single characters.
import { LEAST_NAMES, MOST_CODES, RUNNING_NUMBER_SPREAD } from "../profile/kind.ts";
import { MOST_QUANTILES } from "../reading/number-levels.ts";
import { quantileLevels } from "../table/quantile-levels.ts";
import type { Feature, LevelArray, NumberFeature, TextPart } from "../table/table.ts";
import { LIST_PARTS, MOST_NUMBERS, partReader, SHAPE_PARTS } from "../table/text-shape.ts";
import { numbersInside } from "../text/numbers-inside.ts";
import type { CountedTexts } from "../text/text-profile.ts";

/** DNA about a place where genes are spliced. */
const MOST_CHARACTERS = 64;
/** Codes of several lengths have few places in common: those at their ends. */
const MOST_AT_ENDS = 4;
/** Texts with a median of more words are no codes. */
const MOST_CODE_WORDS = 2;
/** Nearly all lists have one length, so that the same place of each means the same. */
const ONE_LENGTH_SHARE = 0.95;
/** Characters of all rows and columns of a table: each place is a feature. */
const MOST_UNITS = 2 ** 24;
/** Where fewer texts have a number, it is no part of what each of them says. */
const NUMBER_SHARE = 0.5;
/** Running numbers differ in nearly all rows, and are in order or have a range of few more. */
const RUNNING_SHARE = 0.95;
/** Fewer numbers run by chance, such as those that one text has behind all others. */
const LEAST_RUNNING = 20;
/** In texts with a median of more words that are no numbers, the first number is any number. */
const MOST_WORDS_AROUND = 8;
/** In texts of more, as only sentences have, a place is any place: the address of a network card has six. */
const MOST_PLACED_WORDS = 6;

const SHAPE_READERS = SHAPE_PARTS.map((part) => partReader(part)!);
const LIST_READERS = LIST_PARTS.map((part) => partReader(part)!);

export interface FilledFeature {
  feature: Feature;
  levels: LevelArray;
}

export class ShapeWriter {
  private readonly shape: Columns;
  private readonly counts: Columns;
  private readonly numbers: Columns;
  private readonly lists: Columns;
  private readonly readsNumbers: boolean;
  private readonly hasOneLength: boolean;
  /** By place from the start, then by row: a UTF-16 unit and one more, 0 for none. */
  private readonly units: readonly Uint16Array[];
  /** By place from the end, then by row. */
  private readonly endings: readonly Uint16Array[];

  /** `columnCount`: text columns of the table. */
  constructor({ profile, hasOneLength }: Omit<CountedTexts, "vocabulary">, rowCount: number, columnCount: number) {
    this.hasOneLength = hasOneLength;
    this.shape = new Columns(rowCount);
    this.counts = new Columns(rowCount);
    this.numbers = new Columns(rowCount);
    this.lists = new Columns(rowCount);
    this.readsNumbers = profile.medianWords <= MOST_WORDS_AROUND + MOST_NUMBERS;
    const affordable = rowCount > MOST_CODES ? 0 : Math.floor(MOST_UNITS / (rowCount * columnCount));
    const areCodes = profile.medianWords <= MOST_CODE_WORDS && rowCount >= LEAST_NAMES;
    const atEnds = areCodes ? Math.min(MOST_AT_ENDS, affordable >> 1) : 0;
    const places = (length: number) => Array.from({ length }, () => new Uint16Array(rowCount));
    this.units = places(hasOneLength ? Math.min(MOST_CHARACTERS, affordable, profile.medianCharacters) : atEnds);
    this.endings = places(hasOneLength ? 0 : atEnds);
  }

  /** `text` holds something. */
  add(text: string, wordCount: number, row: number): void {
    const numbers = this.readsNumbers ? numbersInside(text) : [];
    for (const [at, read] of SHAPE_READERS.entries()) this.shape.set(at, row, read(text, wordCount, numbers));
    this.counts.set(0, row, numbers.length);
    for (const [at, number] of numbers.slice(0, MOST_NUMBERS).entries()) this.numbers.set(at, row, number);
    if (numbers.length > 0)
      for (const [at, read] of LIST_READERS.entries()) this.lists.set(at, row, read(text, wordCount, numbers));
    // Beyond the text that is 0 too.
    for (const [at, units] of this.units.entries()) units[row] = text.charCodeAt(at) + 1;
    for (const [at, units] of this.endings.entries()) units[row] = text.charCodeAt(text.length - 1 - at) + 1;
  }

  /** The parts that vary on the given rows, from which their levels come. */
  features({ name, column }: { name: string; column: number }, rows: Uint32Array): FilledFeature[] {
    const made: FilledFeature[] = [];
    const make = (part: TextPart, values: Float64Array, mostValues?: number) => {
      const levels = new Uint16Array(new SharedArrayBuffer(2 * values.length));
      const distinct = quantileLevels(values, rows, levels, mostValues);
      if (distinct.length <= 1) return;
      const feature: NumberFeature = { kind: "number", name: `${name}.${part}`, column, part, values: distinct };
      made.push({ feature, levels });
    };
    for (const [at, values] of this.shape.all.entries()) make(SHAPE_PARTS[at]!, values);
    const [, words] = this.shape.all;
    const [counts] = this.counts.all;
    if (words === undefined || counts === undefined) return made;
    const wordsAround = medianOf(rows, (row) => words[row]! - counts[row]!);
    if (wordsAround > MOST_WORDS_AROUND) return made;
    const running = this.numbers.all.filter((numbers) => areRunning(numbers, rows));
    const leastCount = NUMBER_SHARE * countNumbers(counts, rows);
    for (const [at, numbers] of this.numbers.all.entries()) {
      if (running.includes(numbers) || countNumbers(numbers, rows) < leastCount) continue;
      // As many as a column of numbers has, so that leaks are found alike.
      make(`number${at + 1}`, numbers, MOST_QUANTILES);
    }
    // Digits and means of running numbers say the place of a row too.
    if (running.length > 0) return made;
    if (!this.hasOneLength && areListsOfSeveralLengths(counts, rows))
      for (const [at, values] of this.lists.all.entries()) make(LIST_PARTS[at]!, values, MOST_QUANTILES);
    if (wordsAround > MOST_PLACED_WORDS) return made;
    for (const [at, units] of this.units.entries()) make(`character${at + 1}`, valuesOf(units));
    for (const [at, units] of this.endings.entries()) make(`ending${at + 1}`, valuesOf(units));
    return made;
  }
}

/** NaN for no unit. */
function valuesOf(units: Uint16Array): Float64Array {
  return Float64Array.from(units, (unit) => (unit === 0 ? Number.NaN : unit - 1));
}

/** Columns of numbers by row, NaN where none was set; made when the first is. */
class Columns {
  readonly all: Float64Array[] = [];
  private readonly rowCount: number;

  constructor(rowCount: number) {
    this.rowCount = rowCount;
  }

  /** Columns are first set in their order. */
  set(column: number, row: number, value: number): void {
    this.all[column] ??= new Float64Array(this.rowCount).fill(Number.NaN);
    this.all[column][row] = value;
  }
}

function countNumbers(numbers: Float64Array, rows: Uint32Array): number {
  return rows.reduce((count, row) => count + (Number.isNaN(numbers[row]!) ? 0 : 1), 0);
}

/** The upper median over the rows that have a value; 0 without one. */
function medianOf(rows: Uint32Array, valueAt: (row: number) => number): number {
  const values = Float64Array.from(rows, valueAt).filter((value) => !Number.isNaN(value));
  return values.sort()[values.length >> 1] ?? 0;
}

/** Half of the texts hold two numbers or more, and texts with numbers hold different counts of them. */
function areListsOfSeveralLengths(counts: Float64Array, rows: Uint32Array): boolean {
  const sizes = Array.from(rows, (row) => counts[row]!).filter((count) => !Number.isNaN(count));
  const filled = sizes.filter((count) => count > 0);
  const lists = filled.filter((count) => count > 1);
  const ofEach = Map.groupBy(filled, (count) => count);
  const most = Math.max(0, ...ofEach.values().map(({ length }) => length));
  return lists.length >= NUMBER_SHARE * sizes.length && most < ONE_LENGTH_SHARE * filled.length;
}

/** Whether the numbers say the place of a row in the file: nearly all differ, and they rise or leave few gaps. */
function areRunning(numbers: Float64Array, rows: Uint32Array): boolean {
  const present = Float64Array.from(rows, (row) => numbers[row]!).filter((number) => !Number.isNaN(number));
  const distinct = new Set(present).size;
  if (present.length < LEAST_RUNNING || !present.every(Number.isInteger) || distinct <= RUNNING_SHARE * present.length)
    return false;
  const rises = present.reduce((count, number, at) => count + (at > 0 && number > present[at - 1]! ? 1 : 0), 0);
  const sorted = present.toSorted();
  const isOrdered = Math.max(rises, present.length - rises) > RUNNING_SHARE * present.length;
  return isOrdered || sorted.at(-1)! - sorted[0]! < RUNNING_NUMBER_SPREAD * present.length;
}
