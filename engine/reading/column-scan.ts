// One column during the first pass: a dictionary lists its texts while they fit;
// of further cells, numbers and evidence are kept.

import { type CellEvidence, createCellEvidence, noteText } from "../columns/cell-evidence.ts";
import { PLAIN_FORM, readNumber } from "../columns/numbers.ts";
import { countCells, isOtherText, type OtherText, OtherTexts } from "../columns/other-texts.ts";
import { hasLeadingZero, parsePlainNumber } from "../columns/plain-number.ts";
import { cellText } from "../csv/cell-text.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/types.ts";
import {
  COUNTS_TEXTS,
  ENTERS_TEXTS,
  FIRST_NUMBER_ROW,
  LISTED_COUNT,
  NUMBER_CHARS,
  NUMBER_COUNT,
  ODD_COUNT,
  READS_NUMBERS,
  SHAPES_SEEN,
  SKIPS_LOOKUP,
} from "../kernels/reading/layout.ts";
import type { ColumnCaps } from "./caps.ts";
import { CellLog, type LogBuffer } from "./cell-log.ts";
import { DistinctCounter } from "./distinct-counter.ts";
import { mayBeDate, noteNumberDates } from "./number-dates.ts";
import { NumberSample } from "./number-sample.ts";
import { noteNumbers } from "./number-shape.ts";
import { TextDictionary } from "./text-dictionary.ts";

/**
 * Values hardly recur if each has this many cells or fewer on average. If they are equally frequent, the column then
 * has about three times as many distinct values as were seen.
 */
const MOST_RECURRENCE = 1.2;
/** The bound for the first texts: a column that just reaches it has about sixty times `FIRST_TEXTS` distinct values. */
const MOST_FIRST_RECURRENCE = 1.008;
const NEARLY_ALL = 0.99;
/** Rows whose texts are remembered in their order. */
const FIRST_ROWS = 250;

/** Texts that count as missing. */
export interface MissingMarkers {
  texts: ReadonlySet<string>;
  /** Some marker is a plain number, such as -999, so that a number may be a marker. */
  holdNumbers: boolean;
}

/** How many distinct values a column has. */
export interface DistinctValues {
  /** Distinct texts in the dictionary. */
  listed: number;
  total: number;
  /** An upper bound: above `total` where that is an estimate. */
  most: number;
  /** True where `total` is a close estimate. */
  isEstimate: boolean;
  /** Texts that are neither numbers nor dates, which `total` counts and the evidence lacks, see other-texts.ts. */
  others: readonly OtherText[];
}

/** The cells that the dictionary does not hold. */
interface Overflow {
  further: DistinctCounter;
  sample: NumberSample;
  /** How `findCells` treats cells from now on: bits of kernels/reading/layout.ts. */
  how: number;
}

export class ColumnScan {
  readonly dictionary: TextDictionary;
  /** Null where no log is wanted. */
  log: CellLog | null;
  /**
   * Covers the dictionary's texts and the numbers only after `finish`, and texts
   * that are neither numbers nor dates after `settle`.
   */
  evidence: CellEvidence = createCellEvidence();
  private readonly others = new OtherTexts();
  missing = 0;
  /** Line of the first missing cell, Infinity where there is none. */
  firstMissing = Number.POSITIVE_INFINITY;
  /** Totals of the plain numbers, which become evidence in `finish`. */
  private readonly numbers = { count: 0, chars: 0, lowest: Infinity, highest: -Infinity, line: Infinity };
  private readonly shapes = new Set<number>();
  private readonly caps: ColumnCaps;
  readonly markers: MissingMarkers;
  /** The texts of the first rows, by their ids, as far as the dictionary holds them. */
  private readonly firstIds = new Uint16Array(FIRST_ROWS);
  private firstCount = 0;
  /** Null where the dictionary holds every cell. */
  private overflow: Overflow | null = null;

  constructor(kernel: ReadingKernel, caps: ColumnCaps, markers: MissingMarkers, logs: LogBuffer | null) {
    this.dictionary = new TextDictionary(kernel, caps);
    this.caps = caps;
    this.markers = markers;
    this.log = logs === null ? null : new CellLog(logs);
  }

  /** Returns how many bytes of the kernel's memory a column takes at first. */
  static bytesFor(caps: ColumnCaps): number {
    return TextDictionary.bytesFor(caps);
  }

  /** Sample of the number cells that the dictionary does not hold; null where it holds every text. */
  get sample(): NumberSample | null {
    const { overflow } = this;
    if (overflow === null) return null;
    // All cells that did not fit may have been missing markers.
    return overflow.sample.size > 0 || !overflow.further.isEmpty ? overflow.sample : null;
  }

  /** Takes one column of a batch, whose rows the kernel has drawn. */
  take(batch: CellBatch, column: number): void {
    const { kernel, recordCount, stride } = batch;
    const cellsAt = kernel.columnAt(column, stride);
    for (let from = 0; from < recordCount; ) {
      const how = this.overflow?.how ?? ENTERS_TEXTS | COUNTS_TEXTS;
      const to = kernel.exports.findCells(this.dictionary.at, cellsAt, from, recordCount, how);
      if (this.overflow === null && this.firstCount < FIRST_ROWS) this.rememberFirst(kernel.ids.subarray(from, to));
      this.takeFound(batch, column, from, to);
      if (to < recordCount) this.settleUnlisted();
      from = to;
    }
  }

  /**
   * Takes every text of the dictionary into the evidence, and counts the distinct
   * values, which are the texts that are no missing markers.
   */
  finish(): DistinctValues {
    const { dictionary, evidence, overflow, markers } = this;
    let listed = 0;
    for (let id = 0; id < dictionary.size; id++) {
      const isRead = !markers.holdNumbers && dictionary.shapeOf(id) !== 0 && !mayBeDate(dictionary.valueOf(id));
      const shape = isRead ? dictionary.shapeOf(id) : 0;
      const count = dictionary.countOf(id);
      const line = dictionary.firstLineOf(id);
      if (shape !== 0) {
        const value = dictionary.valueOf(id);
        this.noteNumbers(count, count * dictionary.byteCountOf(id), value, value, line);
        this.shapes.add(shape);
        listed++;
        continue;
      }
      const text = dictionary.textOf(id);
      if (markers.texts.has(text)) {
        this.noteMissing(count, line);
        continue;
      }
      if (isOtherText(text)) this.others.add(text, count, line);
      else noteText(evidence, text, count, line);
      listed++;
    }
    const dateOrders = overflow === null ? [] : noteNumberDates(evidence, this.numbers, this.shapes, overflow.sample);
    noteNumbers(evidence, { ...this.numbers, shapes: this.shapes, dateOrders });
    const further = overflow?.further;
    const found = further?.total(listed) ?? listed;
    const others = this.others.list();
    const cells = evidence.cells + countCells(others);
    const total = Math.min(found, cells);
    const most = Math.min(further?.mostOf(found) ?? found, cells);
    return { listed, total, most, isEstimate: further?.isEstimate ?? false, others };
  }

  /** Returns the text's first line and count, null where it is not listed. Call it after `finish`. */
  find(text: string): OtherText | null {
    const { dictionary } = this;
    const id = dictionary.find(text);
    if (id < 0) return this.others.find(text);
    return { text, count: dictionary.countOf(id), line: dictionary.firstLineOf(id) };
  }

  /** The values of the first rows; of all rows where the dictionary holds them all, and each comes once. */
  firstValues(): { values: string[]; rowCount: number; isFirstFilled: boolean } {
    const { dictionary } = this;
    const texts = dictionary.allTexts();
    const empty = texts.indexOf("");
    const emptyCount = empty < 0 ? 0 : dictionary.countOf(empty);
    const isEachOnce = this.overflow === null && texts.every((_, id) => id === empty || dictionary.countOf(id) === 1);
    const first = Array.from(this.firstIds.subarray(0, this.firstCount), (id) => texts[id]!);
    const [inOrder, rowCount] = isEachOnce
      ? [texts, texts.length - Math.sign(emptyCount) + emptyCount]
      : [first, first.length];
    return { values: inOrder.filter((text) => text !== ""), rowCount, isFirstFilled: empty !== 0 };
  }

  /** Takes the evidence that the column's kind was decided by, and these texts as missing cells. */
  settle(evidence: CellEvidence, missing: readonly OtherText[]): void {
    this.evidence = evidence;
    for (const { count, line } of missing) this.noteMissing(count, line);
  }

  private rememberFirst(ids: Uint16Array): void {
    const taken = ids.subarray(0, FIRST_ROWS - this.firstCount);
    this.firstIds.set(taken, this.firstCount);
    this.firstCount += taken.length;
  }

  /** Takes the rows `[from, to)` as `findCells` left them. */
  private takeFound(batch: CellBatch, column: number, from: number, to: number): void {
    if (from === to) return;
    const { kernel } = batch;
    const { outcome, ids, values } = kernel;
    const { overflow } = this;
    if (overflow !== null) {
      const oddCount = outcome[ODD_COUNT]!;
      const count = outcome[NUMBER_COUNT]!;
      if (count > 0) {
        const line = kernel.lines[outcome[FIRST_NUMBER_ROW]!]!;
        this.noteNumbers(count, outcome[NUMBER_CHARS]!, kernel.lowest, kernel.highest, line);
        for (let at = 0; at < outcome[SHAPES_SEEN]!; at++) this.shapes.add(kernel.seenShapes[at]!);
        kernel.exports.sampleNumbers(overflow.sample.at, from, to);
      }
      for (let at = 0; at < oddCount; at++) this.takeOdd(batch, column, kernel.odd[at]!, overflow);
    }
    const areTexts = outcome[LISTED_COUNT] === to - from;
    this.log?.add(ids.subarray(from, to), values.subarray(from, to), areTexts, this.dictionary.size);
  }

  /** Takes a text that is neither in the dictionary nor a number that the kernel reads. */
  private takeOdd(batch: CellBatch, column: number, row: number, { sample }: Overflow): void {
    const { kernel, stride } = batch;
    const { evidence, dictionary } = this;
    const text = cellText(batch, row, column);
    const line = kernel.lines[row]!;
    if (this.markers.texts.has(text)) {
      this.noteMissing(1, line);
      return;
    }
    kernel.exports.countOdd(dictionary.at, kernel.columnAt(column, stride), row);
    if (!this.others.takeOdd(text, line)) noteText(evidence, text, 1, line);
    sample.add(kernel.hashes[row]!, text, evidence);
    const value = readNumber(text, PLAIN_FORM);
    if (Number.isFinite(value)) kernel.values[row] = value;
  }

  /** Called where the dictionary took no more texts: lets it take more, or decides how further texts are treated. */
  private settleUnlisted(): void {
    const { dictionary, markers, caps } = this;
    if (dictionary.isAtLimit) {
      if (areRareNumbers(dictionary, markers)) dictionary.close();
      else dictionary.raiseLimit();
      return;
    }
    const reads = markers.holdNumbers ? COUNTS_TEXTS : COUNTS_TEXTS | READS_NUMBERS;
    this.overflow = {
      further: new DistinctCounter(dictionary, caps.distinctSlots),
      sample: new NumberSample(dictionary.kernel, caps.sampleCells),
      how: hardlyRecur(dictionary, markers) ? reads | SKIPS_LOOKUP : reads,
    };
  }

  private noteNumbers(count: number, chars: number, lowest: number, highest: number, line: number): void {
    const { numbers } = this;
    numbers.count += count;
    numbers.chars += chars;
    numbers.lowest = Math.min(numbers.lowest, lowest);
    numbers.highest = Math.max(numbers.highest, highest);
    numbers.line = Math.min(numbers.line, line);
  }

  private noteMissing(count: number, line: number): void {
    this.missing += count;
    this.firstMissing = Math.min(this.firstMissing, line);
  }
}

/** Tells whether nearly all texts are plain numbers that seldom came twice. */
function areRareNumbers(dictionary: TextDictionary, { holdNumbers }: MissingMarkers): boolean {
  if (holdNumbers) return false;
  const { texts, cells } = tally(dictionary, (id) => dictionary.shapeOf(id) !== 0 || isOtherNumber(dictionary, id));
  return texts >= NEARLY_ALL * dictionary.size && cells <= MOST_FIRST_RECURRENCE * texts;
}

/** Tells whether a text is a plain number that the kernel does not read. */
function isOtherNumber(dictionary: TextDictionary, id: number): boolean {
  const text = dictionary.textOf(id);
  return !hasLeadingZero(text) && !Number.isNaN(parsePlainNumber(text));
}

/** Tells whether the short decimals among the texts seldom came twice. */
function hardlyRecur(dictionary: TextDictionary, { holdNumbers }: MissingMarkers): boolean {
  if (holdNumbers) return false;
  const { texts, cells } = tally(dictionary, (id) => dictionary.shapeOf(id) !== 0 && dictionary.isShortDecimal(id));
  return texts > 0 && cells <= MOST_RECURRENCE * texts;
}

/** How many texts are counted, and how many cells hold them. */
function tally(dictionary: TextDictionary, isCounted: (id: number) => boolean): { texts: number; cells: number } {
  let texts = 0;
  let cells = 0;
  for (let id = 0; id < dictionary.size; id++) {
    if (!isCounted(id)) continue;
    texts++;
    cells += dictionary.countOf(id);
  }
  return { texts, cells };
}
