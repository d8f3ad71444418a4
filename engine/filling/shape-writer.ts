// The shapes of one column's texts: how long they are, what their characters are, and their first numbers.
import { RUNNING_NUMBER_SPREAD } from "../profile/kind.ts";
import { MOST_QUANTILES } from "../reading/number-levels.ts";
import { quantileLevels } from "../table/quantile-levels.ts";
import type { Feature, LevelArray, NumberFeature } from "../table/table.ts";
import { isNumberPart, TEXT_PARTS, textShape } from "../table/text-shape.ts";

/** Where fewer texts have a number, it is no part of what each of them says. */
const NUMBER_SHARE = 0.5;
/** Running numbers differ in nearly all rows, and are in order or have a range of few more. */
const RUNNING_SHARE = 0.95;
/** In texts with a median of more words that are no numbers, the first number is any number. */
const MOST_WORDS_AROUND = 8;
const WORDS = TEXT_PARTS.indexOf("words");

export interface FilledFeature {
  feature: Feature;
  levels: LevelArray;
}

export class ShapeWriter {
  private readonly rowCount: number;
  /** By part, then by row: NaN where there is no text or no such number; without the parts that no text has. */
  private readonly shapes: (Float64Array | undefined)[] = TEXT_PARTS.map(() => undefined);

  constructor(rowCount: number) {
    this.rowCount = rowCount;
  }

  /** `text` holds something. */
  add(text: string, wordCount: number, row: number): void {
    for (const [part, value] of textShape(text, wordCount).entries()) {
      this.shapes[part] ??= new Float64Array(this.rowCount).fill(Number.NaN);
      this.shapes[part][row] = value;
    }
  }

  /** The parts that vary on the given rows, from which their levels come. */
  features({ name, column }: { name: string; column: number }, rows: Uint32Array): FilledFeature[] {
    const features: FilledFeature[] = [];
    const leastNumbers = NUMBER_SHARE * countNumbers(this.shapes[WORDS], rows);
    const mayTell = this.medianWordsAround(rows) <= MOST_WORDS_AROUND;
    for (const [part, numbers] of this.shapes.entries()) {
      if (numbers === undefined) continue;
      const shape = TEXT_PARTS[part]!;
      const isNumber = isNumberPart(shape);
      if (isNumber && (!mayTell || countNumbers(numbers, rows) < leastNumbers || areRunning(numbers, rows))) continue;
      const levels = new Uint16Array(new SharedArrayBuffer(2 * numbers.length));
      // As many as a column of numbers has, so that leaks are found alike.
      const values = quantileLevels(numbers, rows, levels, isNumber ? MOST_QUANTILES : undefined);
      if (values.length <= 1) continue;
      const feature: NumberFeature = { kind: "number", name: `${name}.${shape}`, column, part: shape, values };
      features.push({ feature, levels });
    }
    return features;
  }

  /** Words beside the numbers. */
  private medianWordsAround(rows: Uint32Array): number {
    const numbers = this.shapes.filter((_, part) => isNumberPart(TEXT_PARTS[part]!));
    const around = Float64Array.from(rows, (row) => {
      const numberCount = numbers.reduce((count, ofPart) => count + (isNumberAt(ofPart, row) ? 1 : 0), 0);
      return (this.shapes[WORDS]?.[row] ?? Number.NaN) - numberCount;
    });
    const sorted = around.filter((count) => !Number.isNaN(count)).sort();
    return sorted[sorted.length >> 1] ?? 0;
  }
}

function isNumberAt(numbers: Float64Array | undefined, row: number): boolean {
  return numbers !== undefined && !Number.isNaN(numbers[row]!);
}

function countNumbers(numbers: Float64Array | undefined, rows: Uint32Array): number {
  return rows.reduce((count, row) => count + (isNumberAt(numbers, row) ? 1 : 0), 0);
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
