// The result of scoring a whole file, as bytes: plain lines are copied as they
// stand, thousands of rows are scored at a time.

import { enlarged } from "../concatenate.ts";
import { splitCells } from "../csv/cells.ts";
import { type ReadingKernel, takeKernel } from "../csv/reading-kernel.ts";
import { MOST_NUMBER_BYTES, writeSixDigits } from "../csv/six-digits.ts";
import type { CellBatch, CellSink, RecordBatch } from "../csv/types.ts";
import { CELL_END, CELL_FIELDS, CELL_START } from "../kernels/reading/layout.ts";
import type { CodedFeature } from "../table/buckets.ts";
import { MOST_ROWS_TOGETHER } from "../watch/row-picks.ts";
import type { BadRows } from "./bad-rows.ts";
import type { ResultCsv } from "./result-csv.ts";
import type { Scores } from "./scorer.ts";

/** Codes of the rows together, and their probabilities, at most; but of one row at least. */
const MOST_CODES = 1 << 21;
const MOST_PROBABILITIES = 1 << 19;
/** Bytes of lines that are kept until they are scored; the last lines may exceed it. */
const MOST_LINE_BYTES = 1 << 23;
/** The same where texts are read: the terms of a line take many times its bytes. */
const MOST_TEXT_LINE_BYTES = 1 << 20;
/** Lines that are decoded together where one of them may have to be written otherwise. */
const RUN_LINES = 256;

const LF = 10;
const CR = 13;
const QUOTE = 34;
/** The first byte of a byte order mark in UTF-8. */
const MARK = 0xef;

/** Takes the records of one file in order; call `end` once, after the last one. */
export class ResultFile implements CellSink {
  readonly kernel: ReadingKernel = takeKernel();
  private readonly result: ResultCsv;
  private readonly write: (bytes: Uint8Array) => void;
  private readonly features: readonly CodedFeature[];
  private readonly codes: readonly CodedFeature["codes"][];
  private readonly capacity: number;
  private readonly mostLineBytes: number;
  private readonly answers: AnswerWriter | null;
  /**
   * Rows coded and not yet scored, and the bytes of their lines as far as the
   * input's cells go: row `i` ends at `lineEnds[i]`.
   */
  private rowCount = 0;
  private readonly lineEnds: Uint32Array;
  private readonly lines = new ByteList();
  private readonly output = new ByteList();
  private readonly bad: BadRows | null;
  /** For each bad row among those rows: how many of them stand before it. */
  private badPlaces: number[] = [];

  /**
   * `write`: takes the bytes after the header's line, piece by piece; they are
   * valid until it returns. `bad`: is told of bad rows.
   */
  constructor(result: ResultCsv, write: (bytes: Uint8Array) => void, bad: BadRows | null = null) {
    this.bad = bad;
    const { scorer, labels } = result;
    this.result = result;
    this.write = write;
    const fitting = Math.min(MOST_CODES / Math.max(1, scorer.featureCount), MOST_PROBABILITIES / labels.length);
    this.capacity = Math.max(1, Math.min(MOST_ROWS_TOGETHER, Math.floor(fitting)));
    this.mostLineBytes = scorer.readsTexts ? MOST_TEXT_LINE_BYTES : MOST_LINE_BYTES;
    this.features = scorer.roomFor(this.capacity);
    this.codes = this.features.map(({ codes }) => codes);
    this.lineEnds = new Uint32Array(this.capacity);
    scorer.coder.useKernel(this.kernel);
    this.answers = answersArePlain(result) ? new AnswerWriter(result) : null;
  }

  addCells(batch: CellBatch): void {
    const { records } = batch;
    const ends = records === null ? lineEndsOf(batch) : null;
    const badRows = batch.bad === undefined ? [] : [...batch.bad.keys()];
    if (batch.bad !== undefined) this.bad?.add(batch.bad, batch.kernel.lines);
    for (let first = 0, nextBad = 0; first < batch.recordCount; ) {
      const soundEnd = badRows[nextBad] ?? batch.recordCount;
      if (first === soundEnd) {
        this.badPlaces.push(this.rowCount);
        this.scoreIfFull();
        nextBad++;
        first++;
        continue;
      }
      const end = Math.min(soundEnd, first + this.capacity - this.rowCount);
      this.result.scorer.coder.codeCells(batch, first, end - first, this.codes, this.rowCount);
      if (ends === null) this.takeTexts(records!.slice(first, end));
      else {
        for (let from = first; from < end; from += RUN_LINES) {
          this.takeLines(batch, ends, from, Math.min(from + RUN_LINES, end));
        }
      }
      first = end;
      this.scoreIfFull();
    }
  }

  /** Call once, after the last record. */
  end(): void {
    this.scoreRows();
    this.kernel.giveBack();
  }

  private takeTexts(records: RecordBatch["records"]): void {
    for (const record of records) {
      this.lines.addText(this.result.recordText(record));
      this.lineEnds[this.rowCount++] = this.lines.length;
    }
  }

  /** `ends`: where the bytes of each line end, the first entry being where the first line starts. */
  private takeLines({ kernel: { memory: bytes } }: CellBatch, ends: Uint32Array, from: number, to: number): void {
    const run = bytes.subarray(ends[from]!, ends[to]!);
    const { keepsCells, hasInput } = this.result;
    if (hasInput && (!keepsCells || run.includes(QUOTE) || run.includes(MARK))) {
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(run).replaceAll("\r\n", "\n");
      this.takeTexts(splitCells(text, this.result.inputDelimiter));
      return;
    }
    for (let line = from; line < to; line++) {
      const end = ends[line + 1]! - 1;
      this.lines.addBytes(bytes, ends[line]!, bytes[end - 1] === CR ? end - 1 : end);
      this.lineEnds[this.rowCount++] = this.lines.length;
    }
  }

  private scoreIfFull(): void {
    const isFull = this.rowCount === this.capacity || this.lines.length > this.mostLineBytes;
    if (isFull || this.badPlaces.length === MOST_ROWS_TOGETHER) this.scoreRows();
  }

  private scoreRows(): void {
    const { result, rowCount, lines, lineEnds, output, answers, badPlaces } = this;
    if (rowCount === 0 && badPlaces.length === 0) return;
    const scores = result.scorer.scoreCodes(this.features, rowCount);
    output.length = 0;
    let nextBad = 0;
    for (let row = 0, start = 0; row < rowCount; row++) {
      for (; badPlaces[nextBad] === row; nextBad++) output.addText(result.emptyLine);
      const end = lineEnds[row]!;
      if (result.hasInput) output.addBytes(lines.bytes, start, end);
      start = end;
      if (answers === null) output.addText(result.answerText(scores, row));
      else answers.add(scores, row, output);
    }
    for (; nextBad < badPlaces.length; nextBad++) output.addText(result.emptyLine);
    this.rowCount = 0;
    this.badPlaces = [];
    lines.length = 0;
    this.write(output.bytes.subarray(0, output.length));
  }
}

/** Whether numbers can stand in a line as they are, and no reasons are asked for. */
function answersArePlain({ reasonCount, dialect }: ResultCsv): boolean {
  return reasonCount === 0 && !/[\d.e+-]/.test(dialect.delimiter);
}

/** Where the first line of a batch starts in the kernel's memory, then where each line ends, its line feed included. */
function lineEndsOf({ kernel, stride, recordCount, columnCount }: CellBatch): Uint32Array {
  const { memory, cells, bytesAt } = kernel;
  const ends = new Uint32Array(recordCount + 1);
  let start = cells[CELL_START]!;
  // In front of a trimmed cell there is white space or a quote.
  while (start > bytesAt && memory[start - 1] !== LF) start--;
  ends[0] = start;
  const last = (columnCount - 1) * stride * CELL_FIELDS + CELL_END;
  for (let record = 0; record < recordCount; record++) {
    let at = cells[last + record * CELL_FIELDS]!;
    while (memory[at] !== LF) at++;
    ends[record + 1] = at + 1;
  }
  return ends;
}

/** Writes answers without a string. */
class AnswerWriter {
  private readonly labels: readonly Uint8Array[];
  private readonly delimiter: Uint8Array;
  private readonly lineEnding: Uint8Array;
  private readonly mostBytes: number;
  private readonly fields: readonly number[];
  private readonly startsLine: boolean;

  constructor(result: ResultCsv) {
    const encoder = new TextEncoder();
    const { labels, dialect, fields, hasInput } = result;
    this.delimiter = encoder.encode(dialect.delimiter);
    this.lineEnding = encoder.encode(dialect.lineEnding);
    this.labels = labels.map((label) => encoder.encode(result.labelText(label)));
    const longest = Math.max(...this.labels.map(({ length }) => length));
    this.mostBytes = fields.length * (Math.max(longest, MOST_NUMBER_BYTES) + this.delimiter.length) + 2;
    this.fields = fields;
    this.startsLine = !hasInput;
  }

  add(scores: Scores, row: number, output: ByteList): void {
    const { delimiter, lineEnding, labels, fields } = this;
    const { probabilities, decisions } = scores;
    output.makeRoom(this.mostBytes);
    const { bytes } = output;
    let at = output.length;
    const decided = decisions[row]!;
    const first = row * labels.length;
    for (let place = 0; place < fields.length; place++) {
      const field = fields[place]!;
      if (place > 0 || !this.startsLine) at = put(delimiter, bytes, at);
      if (field === 0) at = put(labels[decided]!, bytes, at);
      // After the label and its confidence come the probabilities.
      else at = writeSixDigits(probabilities[first + (field === 1 ? decided : field - 2)]!, bytes, at);
    }
    output.length = put(lineEnding, bytes, at);
  }
}

function put(source: Uint8Array, target: Uint8Array, at: number): number {
  for (let i = 0; i < source.length; i++) target[at + i] = source[i]!;
  return at + source.length;
}

/** Bytes one after the other, in an array that grows. */
class ByteList {
  bytes = new Uint8Array(1 << 16);
  length = 0;

  makeRoom(count: number): void {
    const needed = this.length + count;
    if (needed > this.bytes.length) this.bytes = enlarged(this.bytes, needed);
  }

  addBytes(source: Uint8Array, start: number, end: number): void {
    this.makeRoom(end - start);
    const { bytes, length } = this;
    bytes.set(source.subarray(start, end), length);
    this.length = length + end - start;
  }

  addText(text: string): void {
    // A UTF-16 code unit takes at most three bytes.
    this.makeRoom(3 * text.length);
    this.length += new TextEncoder().encodeInto(text, this.bytes.subarray(this.length)).written;
  }
}
