// The shapes of one column's texts: how long they are, what their characters are, their first numbers and characters.
import { MOST_CODES, RUNNING_NUMBER_SPREAD } from "../profile/kind.ts";
import { MOST_QUANTILES } from "../reading/number-levels.ts";
import { sumOf } from "../sums.ts";
import { quantileLevels } from "../table/quantile-levels.ts";
import type { Feature, LevelArray, NumberFeature, TextPart } from "../table/table.ts";
import { MOST_NUMBERS, partReader, SHAPE_PARTS } from "../table/text-shape.ts";
import { numbersInside } from "../text/numbers-inside.ts";
import type { CountedTexts } from "../text/text-profile.ts";

/** DNA about a place where genes are spliced. */
const MOST_CHARACTERS = 64;
/** Characters of all rows and columns of a table: each place is a feature. */
const MOST_UNITS = 2 ** 24;
/** Where fewer texts have a number, it is no part of what each of them says. */
const NUMBER_SHARE = 0.5;
/** Running numbers differ in nearly all rows, and are in order or have a range of few more. */
const RUNNING_SHARE = 0.95;
/** In texts with a median of more words that are no numbers, the first number is any number, a place any place. */
const MOST_WORDS_AROUND = 8;

const SHAPE_READERS = SHAPE_PARTS.map((part) => partReader(part)!);

export interface FilledFeature {
  feature: Feature;
  levels: LevelArray;
}

export class ShapeWriter {
  private readonly shape: Columns;
  private readonly numbers: Columns;
  private readonly numberCount: number;
  /** By place, then by row: a UTF-16 unit and one more, 0 for none. */
  private readonly units: readonly Uint16Array[];

  /** `columnCount`: text columns of the table. */
  constructor({ profile, hasOneLength }: Omit<CountedTexts, "vocabulary">, rowCount: number, columnCount: number) {
    this.shape = new Columns(rowCount);
    this.numbers = new Columns(rowCount);
    this.numberCount = profile.medianWords > MOST_WORDS_AROUND + MOST_NUMBERS ? 0 : MOST_NUMBERS;
    const affordable = Math.floor(MOST_UNITS / (rowCount * columnCount));
    const unitCount =
      hasOneLength && rowCount <= MOST_CODES ? Math.min(MOST_CHARACTERS, affordable, profile.medianCharacters) : 0;
    this.units = Array.from({ length: unitCount }, () => new Uint16Array(rowCount));
  }

  /** `text` holds something. */
  add(text: string, wordCount: number, row: number): void {
    for (const [at, read] of SHAPE_READERS.entries()) this.shape.set(at, row, read(text, wordCount, []));
    for (const [at, number] of numbersInside(text, this.numberCount).entries()) this.numbers.set(at, row, number);
    // Beyond the end of the text that is 0 too.
    for (const [at, units] of this.units.entries()) units[row] = text.charCodeAt(at) + 1;
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
    const [lengths, words] = this.shape.all;
    for (const [at, values] of this.shape.all.entries()) make(SHAPE_PARTS[at]!, values);
    if (lengths === undefined || words === undefined) return made;
    if (this.medianWordsAround(words, rows) > MOST_WORDS_AROUND) return made;
    const running = this.numbers.all.filter((numbers) => areRunning(numbers, rows));
    const leastCount = NUMBER_SHARE * countNumbers(lengths, rows);
    for (const [at, numbers] of this.numbers.all.entries()) {
      if (running.includes(numbers) || countNumbers(numbers, rows) < leastCount) continue;
      // As many as a column of numbers has, so that leaks are found alike.
      make(`number${at + 1}`, numbers, MOST_QUANTILES);
    }
    // The digits of a running number say the place of a row too.
    if (running.length > 0) return made;
    for (const [at, units] of this.units.entries()) {
      make(
        `character${at + 1}`,
        Float64Array.from(units, (unit) => (unit === 0 ? Number.NaN : unit - 1)),
      );
    }
    return made;
  }

  /** Words that are no numbers. */
  private medianWordsAround(words: Float64Array, rows: Uint32Array): number {
    const numberCount = (row: number) =>
      sumOf(this.numbers.all.map((numbers) => (Number.isNaN(numbers[row]!) ? 0 : 1)));
    const around = Float64Array.from(rows, (row) => words[row]! - numberCount(row));
    const sorted = around.filter((count) => !Number.isNaN(count)).sort();
    return sorted[sorted.length >> 1] ?? 0;
  }
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

/** Whether the numbers say the place of a row in the file: nearly all differ, and they rise or leave few gaps. */
function areRunning(numbers: Float64Array, rows: Uint32Array): boolean {
  const present = Float64Array.from(rows, (row) => numbers[row]!).filter((number) => !Number.isNaN(number));
  const distinct = new Set(present).size;
  if (!present.every(Number.isInteger) || distinct <= RUNNING_SHARE * present.length) return false;
  const rises = present.reduce((count, number, at) => count + (at > 0 && number > present[at - 1]! ? 1 : 0), 0);
  const sorted = present.toSorted();
  const isOrdered = Math.max(rises, present.length - rises) > RUNNING_SHARE * present.length;
  return isOrdered || sorted.at(-1)! - sorted[0]! < RUNNING_NUMBER_SPREAD * present.length;
}
