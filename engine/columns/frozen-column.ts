// A column of the first pass whose dictionary takes no further text, in the memory of the reading kernel.
import type { CellBatch } from "../csv/shapes.ts";
import type { BatchRoom } from "./batch-room.ts";
import type { DistinctCounter } from "./distinct-counter.ts";
import type { Evidence } from "./evidence.ts";
import type { KernelDictionary } from "./kernel-dictionary.ts";
import type { NumberSample } from "./number-sample.ts";

/** Fields of a column's record, 4 bytes each: those of kernels/overflow.ts, in its order. */
const FIELD_COUNT = 28;
const DISTINCT_SIZE = 2;
const SAMPLE_SIZE = 8;
const SAMPLE_DEPTH = 9;
const BODIES = 11;
const SEPARATORS = 12;
const CELL_COUNT = 13;
const CHAR_COUNT = 14;
const ALL_INTEGERS = 15;
const ALL_YEARS = 16;
const HEX_DIGITS = 17;
const FIRST_ROW = 18;
const SKIPS_NUMBERS = 19;
const CHOSEN_BY = 24;
const IS_SKETCHED = 25;
const PACKED_DIGITS = 26;
/** 8 bytes each. */
const LOWEST = 10;
const HIGHEST = 11;
/** What moves into the kernel. */
export interface FrozenTables {
  further: DistinctCounter;
  sample: NumberSample;
}

/** Looks up, counts and samples plain numbers, and gathers their evidence: all as `scanCells` does without a kernel. */
export class FrozenColumn {
  private readonly room: BatchRoom;
  private readonly dictionary: KernelDictionary;
  private readonly tables: FrozenTables;
  private readonly recordAt: number;
  /** The record, in four bytes and in eight. */
  private fields = new Int32Array(0);
  private numbers = new Float64Array(0);

  /**
   * Has all arrays of the tables lie in the kernel's memory from now on, which they keep alive. `dictionary`: takes no further text;
   * `skipsNumbers`: see `ColumnScan`.
   */
  constructor(room: BatchRoom, dictionary: KernelDictionary, tables: FrozenTables, skipsNumbers: boolean) {
    const { kernel } = room;
    this.room = room;
    this.dictionary = dictionary;
    dictionary.close();
    this.tables = tables;
    const { further, sample } = tables;
    const counted = further.moveTo(kernel);
    const sampled = sample.moveTo(kernel);
    const fields = [
      ...[counted.slots, further.slots.length - 1, 0, further.mostKeys, counted.registers],
      ...[sampled.rowHashes, sampled.values, sampled.readings, 0, 0, sample.values.length],
    ];
    this.recordAt = kernel.place(Float64Array, FIELD_COUNT / 2, (own) => {
      this.numbers = own;
      this.fields = new Int32Array(own.buffer, own.byteOffset, FIELD_COUNT);
    });
    this.fields.set(fields);
    this.fields[SKIPS_NUMBERS] = Number(skipsNumbers);
    this.fields[CHOSEN_BY] = Math.log2(further.registers.length);
  }

  /**
   * Takes in the rows of one column from `from` on, up to the first that is none for the kernel: returns that row. The room has what
   * was found: values, or all packed with so many `digits` behind the point where these are no -1 and `isPacked` is true afterwards.
   */
  scan(evidence: Evidence, batch: CellBatch, column: number, from: number, digits: number): number {
    const { fields, recordAt, room, dictionary } = this;
    const { firstLine, recordCount, kernel, stride } = batch;
    const { further, sample } = this.tables;
    this.open(evidence);
    fields[PACKED_DIGITS] = digits;
    room.hashRows(batch);
    const cellsAt = kernel.columnAt(column, stride);
    const row = kernel.exports.scan(
      recordAt,
      dictionary.recordAt,
      cellsAt,
      kernel.bytesAt,
      room.hashesAt,
      room.valuesAt,
      room.packedAt,
      from,
      recordCount,
    );
    sample.size = fields[SAMPLE_SIZE]!;
    sample.depth = fields[SAMPLE_DEPTH]!;
    further.size = fields[DISTINCT_SIZE]!;
    further.isEstimate = fields[IS_SKETCHED] === 1;
    if (fields[CELL_COUNT]! > 0) this.note(evidence, firstLine);
    return row;
  }

  /** Of the rows taken in last. */
  get isPacked(): boolean {
    return this.fields[PACKED_DIGITS]! >= 0;
  }

  private open(evidence: Evidence): void {
    const { fields, numbers } = this;
    const { further, sample } = this.tables;
    fields[DISTINCT_SIZE] = further.size;
    fields[IS_SKETCHED] = Number(further.isEstimate);
    fields[SAMPLE_SIZE] = sample.size;
    fields[SAMPLE_DEPTH] = sample.depth;
    fields[BODIES] = evidence.bodies;
    fields[SEPARATORS] = evidence.separators;
    fields[ALL_INTEGERS] = Number(evidence.allIntegers);
    fields[ALL_YEARS] = Number(evidence.allYears);
    fields[HEX_DIGITS] = evidence.hexDigits;
    numbers[LOWEST] = evidence.lowest;
    numbers[HIGHEST] = evidence.highest;
  }

  private note(evidence: Evidence, firstLine: number): void {
    const { fields, numbers } = this;
    const cellCount = fields[CELL_COUNT]!;
    evidence.cells += cellCount;
    evidence.charCount += fields[CHAR_COUNT]!;
    evidence.wordCount += cellCount;
    evidence.plain += cellCount;
    evidence.bodies = fields[BODIES]!;
    evidence.separators = fields[SEPARATORS]!;
    evidence.allIntegers = fields[ALL_INTEGERS] === 1;
    evidence.allYears = fields[ALL_YEARS] === 1;
    evidence.hexDigits = fields[HEX_DIGITS]!;
    evidence.allUuids = false;
    evidence.lowest = numbers[LOWEST]!;
    evidence.highest = numbers[HIGHEST]!;
    const line = firstLine + fields[FIRST_ROW]!;
    for (const tally of Object.values(evidence.dates)) tally.firstMisfit = Math.min(tally.firstMisfit, line);
  }
}
