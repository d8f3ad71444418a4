// One column during the first pass: a dictionary of its texts while they fit, and evidence cell by cell beyond it.

import { hashOfKey, hasNeedlessZero, secondHashOfKey } from "../csv/cell-key.ts";
import { decodeCell } from "../csv/cell-text.ts";
import { CELL_FIELDS } from "../csv/cut-cells.ts";
import type { CellBatch } from "../csv/shapes.ts";
import type { ColumnCaps } from "./caps.ts";
import { noteDecimal } from "./decimal-evidence.ts";
import { DistinctCounter } from "./distinct-counter.ts";
import { createEvidence, type Evidence, noteText } from "./evidence.ts";
import { NumberSample } from "./number-sample.ts";
import { trimCell } from "./reading.ts";
import {
  createDictionary,
  findCell,
  findText,
  hashText,
  insertCell,
  insertText,
  mayHold,
  type TextDictionary,
  textAt,
  textFilter,
} from "./text-dictionary.ts";

/** What is known of a column's cells; `finishScan` brings the texts of the dictionary into the evidence. */
export interface ColumnScan {
  readonly caps: ColumnCaps;
  dictionary: TextDictionary;
  /** `textFilter` of the dictionary once it is full and cells are looked up by bytes; null before, and after `finishScan`. */
  filter: Uint8Array | null;
  /** Counts the distinct texts that the dictionary does not hold; null before the first of them, and after `finishScan`. */
  further: DistinctCounter | null;
  /** Sample of the number cells that the dictionary does not hold; null where it holds every text. */
  sample: NumberSample | null;
  evidence: Evidence;
  missing: number;
  /** Line of the first missing cell, Infinity where there is none. */
  firstMissing: number;
}

/** Texts that count as missing. */
export interface MissingMarkers {
  texts: ReadonlySet<string>;
  /** Some marker is a short decimal, such as -999. */
  holdDecimals: boolean;
}

/** How many distinct values a column has. */
export interface DistinctValues {
  /** In the dictionary. */
  listed: number;
  total: number;
  /** `total` is a close estimate. */
  isEstimate: boolean;
}

export function createScan(caps: ColumnCaps): ColumnScan {
  return {
    caps,
    dictionary: createDictionary(caps.texts, caps.chars),
    filter: null,
    further: null,
    sample: null,
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
  markers: ReadonlySet<string>,
): void {
  const { dictionary } = scan;
  const text = trimCell(cell);
  const hash = hashText(text);
  let id = findText(dictionary, text, hash);
  if (id < 0 && !dictionary.full) id = insertText(dictionary, text, hash, line);
  if (id >= 0) dictionary.counts[id]!++;
  else noteOverflow(scan, text, hash, rowIndex, line, markers);
}

/** Room for what is known of the records of a batch, for one column after the other. */
export interface ScanRoom {
  /** `rowHashOf` each record. */
  rowHashes: Uint32Array;
  /** Records whose texts the dictionary does not hold. */
  others: Int32Array;
  /** Of their short decimals: two hashes each. */
  hashes: Uint32Array;
  secondHashes: Uint32Array;
}

export function createRoom(recordCount: number): ScanRoom {
  return {
    rowHashes: new Uint32Array(recordCount),
    others: new Int32Array(recordCount),
    hashes: new Uint32Array(recordCount),
    secondHashes: new Uint32Array(recordCount),
  };
}

/** Takes in one column of a batch. */
export function scanCells(
  scan: ColumnScan,
  batch: CellBatch,
  column: number,
  room: ScanRoom,
  markers: MissingMarkers,
): void {
  const { rowHashes, others, hashes, secondHashes } = room;
  const otherCount = scan.dictionary.full
    ? countFull(scan, batch, column, room)
    : countListed(scan.dictionary, batch, column, room);
  const { cells, bytes, firstIndex, firstLine, stride } = batch;
  const { evidence } = scan;
  let decimalCount = 0;
  for (let i = 0; i < otherCount; i++) {
    const row = others[i]!;
    const at = (column * stride + row) * CELL_FIELDS;
    const low = cells[at + 2]!;
    const meta = cells[at + 3]!;
    if (meta >= 0 && !markers.holdDecimals && !hasNeedlessZero(low, meta)) {
      scan.sample ??= new NumberSample(scan.caps.sampleCells);
      noteDecimal(evidence, low, meta, 1, firstLine + row);
      scan.sample.addDecimal(rowHashes[row]!, low, meta, evidence.bodies);
      hashes[decimalCount] = hashOfKey(low, meta);
      secondHashes[decimalCount++] = secondHashOfKey(low, meta);
    } else {
      const text = decodeCell(bytes, cells[at]!, cells[at + 1]!);
      noteOverflow(scan, text, hashOfKey(low, meta), firstIndex + row, firstLine + row, markers.texts);
    }
  }
  if (decimalCount === 0) return;
  scan.further ??= new DistinctCounter(scan.caps.distinctSlots);
  scan.further.addHashes(hashes, secondHashes, decimalCount);
}

/** Counts the cells whose texts the dictionary holds or takes; lists the records of the others and returns how many these are. */
function countListed(dictionary: TextDictionary, batch: CellBatch, column: number, { others }: ScanRoom): number {
  const { cells, bytes, firstLine, recordCount, stride } = batch;
  let otherCount = 0;
  for (let row = 0, at = column * stride * CELL_FIELDS; row < recordCount; row++, at += CELL_FIELDS) {
    const low = cells[at + 2]!;
    const meta = cells[at + 3]!;
    let id = findCell(dictionary, low, meta, bytes, cells[at]!, cells[at + 1]!);
    if (id < 0) id = insertCell(dictionary, low, meta, bytes, cells[at]!, cells[at + 1]!, firstLine + row);
    if (id >= 0) dictionary.counts[id]!++;
    else others[otherCount++] = row;
  }
  return otherCount;
}

/** The same with a dictionary that takes no more: mostly a large one that lacks most texts, so a filter is asked first. */
function countFull(scan: ColumnScan, batch: CellBatch, column: number, { others }: ScanRoom): number {
  const { dictionary } = scan;
  const { cells, bytes, recordCount, stride } = batch;
  const { counts } = dictionary;
  scan.filter ??= textFilter(dictionary);
  const { filter } = scan;
  let otherCount = 0;
  for (let row = 0, at = column * stride * CELL_FIELDS; row < recordCount; row++, at += CELL_FIELDS) {
    const low = cells[at + 2]!;
    const meta = cells[at + 3]!;
    let id = -1;
    if (mayHold(filter, hashOfKey(low, meta))) id = findCell(dictionary, low, meta, bytes, cells[at]!, cells[at + 1]!);
    if (id >= 0) counts[id]!++;
    else others[otherCount++] = row;
  }
  return otherCount;
}

function noteOverflow(
  scan: ColumnScan,
  text: string,
  hash: number,
  rowIndex: number,
  line: number,
  markers: ReadonlySet<string>,
): void {
  if (markers.has(text)) {
    scan.missing++;
    scan.firstMissing = Math.min(scan.firstMissing, line);
    return;
  }
  scan.further ??= new DistinctCounter(scan.caps.distinctSlots);
  scan.sample ??= new NumberSample(scan.caps.sampleCells);
  scan.further.add(text, hash);
  noteText(scan.evidence, text, 1, line);
  scan.sample.add(rowIndex, text, scan.evidence.bodies);
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
    if (meta >= 0 && !markers.holdDecimals && !hasNeedlessZero(low, meta)) {
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
  // The counter can be large, and the second pass has no use for either.
  scan.further = null;
  scan.filter = null;
  const total = Math.min(listed + (further?.count ?? 0), evidence.cells);
  return { listed, total, isEstimate: further?.isEstimate ?? false };
}
