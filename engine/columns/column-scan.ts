// One column during the first pass: a dictionary of its texts while they fit, and evidence cell by cell beyond it.

import { type CellKey, decimalValue, hashOfKey, hasNeedlessZero, readTextKey } from "../csv/cell-key.ts";
import { decodeCell } from "../csv/cell-text.ts";
import { CELL_FIELDS, type ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/shapes.ts";
import type { BatchRoom } from "./batch-room.ts";
import type { ColumnCaps } from "./caps.ts";
import { CellLog, type LogRoom } from "./cell-log.ts";
import { noteDecimal } from "./decimal-evidence.ts";
import { DistinctCounter } from "./distinct-counter.ts";
import { createEvidence, type Evidence, noteText } from "./evidence.ts";
import { FrozenColumn } from "./frozen-column.ts";
import { KernelDictionary } from "./kernel-dictionary.ts";
import { NumberSample, rowHashOf } from "./number-sample.ts";
import { parsePlainNumber } from "./plain-number.ts";
import { trimCell } from "./reading.ts";
import {
  createDictionary,
  findCell,
  findText,
  insertCell,
  insertText,
  isAtLimit,
  type TextDictionary,
  textAt,
} from "./text-dictionary.ts";

/** Cells of a value in the mean, of values that hardly recur: were all equally frequent, there would be three times as many. */
const MOST_RECURRENCE = 1.2;
/** The same among the first texts: of `FIRST_TEXTS`, sixty times as many. */
const MOST_FIRST_RECURRENCE = 1.008;
const NEARLY_ALL = 0.99;
const KEY: CellKey = { low: 0, meta: 0 };

/** What is known of a column's cells; `finishScan` brings the texts of the dictionary into the evidence. */
export interface ColumnScan {
  readonly caps: ColumnCaps;
  dictionary: TextDictionary;
  /** Of the file's batches; null while there was none as cells, and after `finishScan`. */
  kernel: ReadingKernel | null;
  /** The dictionary in the reading kernel; null before it is there. */
  listed: KernelDictionary | null;
  /** Where the dictionary is full and cells come as bytes, all else in the reading kernel too; null before, and after `finishScan`. */
  frozen: FrozenColumn | null;
  /**
   * Short decimals without needless zeros hardly recur, as was found when the dictionary was full: the further ones are numbers like
   * those that it does not hold, but that they are not counted among these.
   */
  skipsNumbers: boolean;
  /** Counts the distinct texts that the dictionary does not hold; null before the first of them, and after `finishScan`. */
  further: DistinctCounter | null;
  /** Sample of the number cells that the dictionary does not hold; null where it holds every text. */
  sample: NumberSample | null;
  /** What was found in each cell; null where nobody is to read that. */
  log: CellLog | null;
  evidence: Evidence;
  missing: number;
  /** Line of the first missing cell, Infinity where there is none. */
  firstMissing: number;
}

/** Texts that count as missing. */
export interface MissingMarkers {
  texts: ReadonlySet<string>;
  /** Some marker is a plain number, such as -999. */
  holdNumbers: boolean;
}

/** How many distinct values a column has. */
export interface DistinctValues {
  /** In the dictionary. */
  listed: number;
  total: number;
  /** What `total` hardly ever exceeds: more than it where that is an estimate. */
  most: number;
  /** `total` is a close estimate. */
  isEstimate: boolean;
}

export function createScan(caps: ColumnCaps, logs: LogRoom | null): ColumnScan {
  const dictionary = createDictionary(caps.texts, caps.chars, caps.firstTexts);
  return {
    caps,
    dictionary,
    kernel: null,
    listed: null,
    frozen: null,
    skipsNumbers: false,
    further: null,
    sample: null,
    log: logs === null ? null : new CellLog(logs, dictionary),
    evidence: createEvidence(),
    missing: 0,
    firstMissing: Number.POSITIVE_INFINITY,
  };
}

/** Takes in one cell. */
export function scanCell(
  scan: ColumnScan,
  cell: string,
  rowIndex: number,
  line: number,
  markers: MissingMarkers,
): void {
  const { dictionary } = scan;
  const text = trimCell(cell);
  readTextKey(text, KEY);
  const { low, meta } = KEY;
  const hash = hashOfKey(low, meta);
  let id = findText(dictionary, text, hash);
  if (id < 0 && mayTake(dictionary, markers)) id = insertText(dictionary, text, hash, line);
  if (id >= 0 && !isSkipped(scan, id, markers)) countText(scan, id);
  else if (isDecimal(low, meta, markers)) noteFurtherDecimal(scan, low, meta, id, rowIndex, line, markers);
  else noteOverflow(scan, text, hash, id, rowIndex, line, markers);
}

function countText({ dictionary, log }: ColumnScan, id: number): void {
  dictionary.counts[id]!++;
  log?.addText(id);
}

/** Has the dictionaries counted by the kernel from now on. */
export function listInKernel(scans: readonly ColumnScan[], kernel: ReadingKernel): void {
  const missing = scans.filter(({ listed }) => listed === null);
  kernel.reserve(missing.reduce((sum, { dictionary }) => sum + KernelDictionary.bytesFor(dictionary), 0));
  for (const scan of missing) scan.listed = new KernelDictionary(kernel, scan.dictionary);
}

/** Takes in one column of a batch. `room`: of all columns of the file; asked for where the kernel takes in cells. */
export function scanCells(
  scan: ColumnScan,
  batch: CellBatch,
  column: number,
  room: () => BatchRoom,
  markers: MissingMarkers,
): void {
  const { recordCount } = batch;
  let row = 0;
  let stretch = 1;
  scan.kernel = batch.kernel;
  if (scan.frozen === null && !markers.holdNumbers) freeze(scan, room);
  while (row < recordCount) {
    const from = row;
    row = scanMany(scan, batch, column, row, room);
    // What is odd seldom comes alone: where it comes often, most of it goes another way in few long stretches.
    stretch = row - from < stretch ? 2 * stretch : 1;
    for (const to = Math.min(row + stretch, recordCount); row < to; ) row = scanRow(scan, batch, column, row, markers);
    if (scan.frozen === null && !markers.holdNumbers) freeze(scan, room);
  }
}

/** Takes in cells from a row on, up to the first that is none for the way that the column goes: returns its row. */
function scanMany(scan: ColumnScan, batch: CellBatch, column: number, from: number, room: () => BatchRoom): number {
  const { frozen, listed, evidence, log } = scan;
  if (frozen !== null) {
    if (!mayScanFrozen(scan)) return from;
    const row = frozen.scan(evidence, batch, column, from, log?.packedDigits ?? -1);
    log?.addRows(room(), from, row, frozen.isPacked);
    return row;
  }
  if (listed === null) return countListed(scan, batch, column, from);
  const row = listed.count(batch, column, from, room());
  log?.addTexts(room().ids.subarray(from, row));
  return row;
}

/** Moves all of a column whose dictionary is full into the kernel. */
function freeze(scan: ColumnScan, room: () => BatchRoom): void {
  const { further, sample } = scan;
  if (further === null || sample === null) return;
  const own = room();
  listInKernel([scan], own.kernel);
  scan.frozen = new FrozenColumn(own, scan.listed!, { further, sample }, scan.skipsNumbers);
}

/** Counts the cells from `from` on up to the first whose text the dictionary neither holds nor takes: returns its row. */
function countListed(scan: ColumnScan, batch: CellBatch, column: number, from: number): number {
  const { dictionary } = scan;
  const { cells, bytes, firstLine, recordCount, stride } = batch;
  let at = (column * stride + from) * CELL_FIELDS;
  for (let row = from; row < recordCount; row++, at += CELL_FIELDS) {
    const low = cells[at + 2]!;
    const meta = cells[at + 3]!;
    let id = findCell(dictionary, low, meta, bytes, cells[at]!, cells[at + 1]!);
    if (id < 0) id = insertCell(dictionary, low, meta, bytes, cells[at]!, cells[at + 1]!, firstLine + row);
    if (id < 0) return row;
    countText(scan, id);
  }
  return recordCount;
}

/** Takes in one cell, and returns the next row. */
function scanRow(scan: ColumnScan, batch: CellBatch, column: number, row: number, markers: MissingMarkers): number {
  const { cells, bytes, firstIndex, firstLine, stride } = batch;
  const { dictionary } = scan;
  const at = (column * stride + row) * CELL_FIELDS;
  const start = cells[at]!;
  const end = cells[at + 1]!;
  const low = cells[at + 2]!;
  const meta = cells[at + 3]!;
  let id = findCell(dictionary, low, meta, bytes, start, end);
  if (id < 0 && mayTake(dictionary, markers)) {
    id = insertCell(dictionary, low, meta, bytes, start, end, firstLine + row);
  }
  if (id >= 0 && !isSkipped(scan, id, markers)) countText(scan, id);
  else if (isDecimal(low, meta, markers)) {
    noteFurtherDecimal(scan, low, meta, id, firstIndex + row, firstLine + row, markers);
  } else {
    const text = decodeCell(bytes, start, end);
    noteOverflow(scan, text, hashOfKey(low, meta), id, firstIndex + row, firstLine + row, markers);
  }
  return row + 1;
}

/** Whether a key is that of a short decimal which is a number whatever the column. */
function isDecimal(low: number, meta: number, markers: MissingMarkers): boolean {
  return meta >= 0 && !markers.holdNumbers && !hasNeedlessZero(low, meta);
}

/** Whether a text of the dictionary is no longer counted there. */
function isSkipped({ skipsNumbers, dictionary }: ColumnScan, id: number, markers: MissingMarkers): boolean {
  return skipsNumbers && isDecimal(dictionary.lows[id]!, dictionary.metas[id]!, markers);
}

/** Whether a number now has no affix to disagree with. */
function mayScanFrozen({ evidence }: ColumnScan): boolean {
  return evidence.affix === "" || evidence.bodies === 0;
}

/** Takes in a short decimal that the dictionary does not count. `id`: its number there, or -1. */
function noteFurtherDecimal(
  scan: ColumnScan,
  low: number,
  meta: number,
  id: number,
  rowIndex: number,
  line: number,
  markers: MissingMarkers,
): void {
  const { further, sample } = openOverflow(scan, markers);
  noteDecimal(scan.evidence, low, meta, 1, line);
  sample.addDecimal(rowHashOf(rowIndex), low, meta, scan.evidence.bodies);
  scan.log?.addValue(decimalValue(low, meta));
  if (id < 0) further.addDecimal(low, meta);
}

/** The same of any other text. */
function noteOverflow(
  scan: ColumnScan,
  text: string,
  hash: number,
  id: number,
  rowIndex: number,
  line: number,
  markers: MissingMarkers,
): void {
  if (markers.texts.has(text)) {
    scan.missing++;
    scan.firstMissing = Math.min(scan.firstMissing, line);
    scan.log?.addValue(Number.NaN);
    return;
  }
  const { further, sample } = openOverflow(scan, markers);
  if (id < 0) further.add(text, hash);
  noteText(scan.evidence, text, 1, line);
  sample.add(rowIndex, text, scan.evidence.bodies);
  scan.log?.addValue(parsePlainNumber(text));
}

/** The counter and the sample of what the dictionary does not hold. */
function openOverflow(scan: ColumnScan, markers: MissingMarkers): { further: DistinctCounter; sample: NumberSample } {
  if (scan.further === null) scan.skipsNumbers = hardlyRecur(scan.dictionary, markers);
  scan.further ??= new DistinctCounter(scan.caps.distinctSlots, scan.dictionary, scan.kernel);
  scan.sample ??= new NumberSample(scan.caps.sampleCells, scan.kernel);
  return { further: scan.further, sample: scan.sample };
}

/** Whether the dictionary may take a further text. At its limit that depends on what it holds so far: now it is settled. */
function mayTake(dictionary: TextDictionary, markers: MissingMarkers): boolean {
  if (isAtLimit(dictionary)) {
    if (areRareNumbers(dictionary, markers)) dictionary.full = true;
    else dictionary.limit = dictionary.maxTexts;
  }
  return !dictionary.full;
}

/** Whether nearly all texts are plain numbers, and these have seldom come twice. */
function areRareNumbers(dictionary: TextDictionary, markers: MissingMarkers): boolean {
  if (markers.holdNumbers) return false;
  const { size, lows, metas, counts } = dictionary;
  let texts = 0;
  let cells = 0;
  for (let id = 0; id < size; id++) {
    const isShort = isDecimal(lows[id]!, metas[id]!, markers);
    if (!isShort && (metas[id]! >= 0 || Number.isNaN(parsePlainNumber(textAt(dictionary, id))))) continue;
    texts++;
    cells += counts[id]!;
  }
  return texts >= NEARLY_ALL * size && cells <= MOST_FIRST_RECURRENCE * texts;
}

/** Whether the short decimals among the texts have seldom come twice. */
function hardlyRecur({ size, lows, metas, counts }: TextDictionary, markers: MissingMarkers): boolean {
  let texts = 0;
  let cells = 0;
  for (let id = 0; id < size; id++) {
    if (!isDecimal(lows[id]!, metas[id]!, markers)) continue;
    texts++;
    cells += counts[id]!;
  }
  return texts > 0 && cells <= MOST_RECURRENCE * texts;
}

/** Analyses every text of the dictionary once, and counts the values: what is no missing marker. */
export function finishScan(scan: ColumnScan, markers: MissingMarkers): DistinctValues {
  const { dictionary, evidence, further } = scan;
  let listed = 0;
  for (let id = 0; id < dictionary.size; id++) {
    const count = dictionary.counts[id]!;
    const line = dictionary.firstLines[id]!;
    const low = dictionary.lows[id]!;
    const meta = dictionary.metas[id]!;
    if (isDecimal(low, meta, markers)) {
      noteDecimal(evidence, low, meta, count, line);
      listed++;
      continue;
    }
    const text = textAt(dictionary, id);
    if (markers.texts.has(text)) {
      scan.missing += count;
      scan.firstMissing = Math.min(scan.firstMissing, line);
    } else {
      noteText(evidence, text, count, line);
      listed++;
    }
  }
  const found = further?.total(listed) ?? listed;
  const total = Math.min(found, evidence.cells);
  const most = Math.min(further?.mostOf(found) ?? found, evidence.cells);
  // The counter can be large, and nobody has further use for these.
  scan.kernel = null;
  scan.frozen = null;
  scan.further = null;
  return { listed, total, most, isEstimate: further?.isEstimate ?? false };
}
