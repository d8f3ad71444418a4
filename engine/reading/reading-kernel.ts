// The reading kernel: a memory with the bytes of a file, the cells cut from them and the tables of columns, and the functions over it.

import { CUT_CELLS, MAX_CELL_BYTES, MAX_COLUMNS, MOST_CUT_CELLS } from "../csv/limits.ts";
import { CELL_BYTES, CELL_FIELDS, HIGHEST, LOWEST, OUTCOME_FIELDS, SHAPE_COUNT } from "../kernels/layout.ts";
import encoded from "../kernels/reading.wasm.txt" with { type: "text" };
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";

/** What kernels/reading.ts exports; addresses are in bytes. */
interface ReadingExports {
  prepare(): void;
  allocate(byteCount: number): number;
  reset(start: number): void;
  powerMantissasAt(): number;
  /** See kernels/cut-cells.ts. */
  openTable(delimiter: number, columnCount: number, stride: number): void;
  cutLines(from: number, to: number, cells: number, most: number): number;
  cutEnd(): number;
  /** 1 or 0. */
  isCutWide(): number;
  /** See kernels/find-cells.ts. */
  useBuffers(
    values: number,
    ids: number,
    shapes: number,
    odd: number,
    lines: number,
    seen: number,
    outcome: number,
  ): void;
  findCells(dictionary: number, cells: number, from: number, to: number, how: number): number;
  countOdd(dictionary: number, cells: number, row: number): void;
  /** See kernels/nearest-levels.ts. */
  openLevels(midpoints: number, count: number, before: number): void;
  writeLevels(values: number, count: number, levels: number, odd: number): number;
}

type NumberArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

interface ArrayType<Numbers> {
  new (buffer: ArrayBuffer, at: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

/** Bytes taken in at a time. */
export const PIECE_BYTES = 2 ** 22;
/** What the cutter may read behind the bytes that it cuts: kernels/stops.ts. */
export const BYTES_BEHIND = 4096 + 64;
/** What is left of a piece without a line end, the next piece, and what is read behind it. */
const FILE_BYTES = MAX_CELL_BYTES + PIECE_BYTES + BYTES_BEHIND;
/** A column has one place more than its share, see `ByteReader`. */
const CELL_COUNT = MOST_CUT_CELLS + MAX_COLUMNS;
/** Rows of a batch: with one column, as many as cells are cut at a time. */
export const MOST_ROWS = CUT_CELLS + 1;
/** For tables of the kernel itself. */
const OWN_BYTES = 2 ** 19 + 2 ** 17;
const PAGE_BYTES = 2 ** 16;
const ALIGNMENT = 16;
/** By this share at least the memory grows, for each time all arrays have to be bound anew. */
const LEAST_GROWTH = 0.25;
const MOST_POWERS = 128;
const MANTISSA_BITS = 128n;

const readingModule = lazyModule(encoded);
let powers: BigUint64Array | null = null;

/** One that its reader gave back, for as long as the collector leaves it. */
let idle: WeakRef<ReadingKernel> | null = null;

/** A kernel for one reading of a file. */
export function takeKernel(): ReadingKernel {
  const kernel = idle?.deref() ?? new ReadingKernel();
  idle = null;
  return kernel;
}

export class ReadingKernel {
  readonly exports: ReadingExports;
  /** The whole memory. Another array after it has grown, as all others here. */
  memory = new Uint8Array(0);
  /** Room for bytes of the file. */
  bytes = new Uint8Array(0);
  readonly bytesAt: number;
  /** Room for the cells of a batch: `CELL_FIELDS` of kernels/layout.ts each, column by column. */
  cells = new Int32Array(0);
  private readonly cellsAt: number;
  /** Of each record of a batch: its physical line. */
  lines = new Uint32Array(0);
  /** What `findCells` found, see kernels/find-cells.ts; `words` are the halves of `values`. */
  values = new Float64Array(0);
  words = new Int32Array(0);
  readonly valuesAt: number;
  ids = new Uint16Array(0);
  readonly idsAt: number;
  shapes = new Uint16Array(0);
  odd = new Int32Array(0);
  readonly oddAt: number;
  seenShapes = new Uint16Array(0);
  outcome = new Int32Array(0);
  private range = new Float64Array(0);
  private readonly kernel: KernelInstance<ReadingExports>;
  /** Make all arrays anew: those of a memory are lost when it grows. */
  private readonly binds: (() => void)[] = [];
  private readonly ownBindCount: number;
  private readonly ownBytes: number;
  private usedBytes: number;

  constructor() {
    this.kernel = instantiate(readingModule(), OWN_BYTES + FILE_BYTES + CELL_BYTES * CELL_COUNT, {});
    const { exports, memory } = this.kernel;
    this.exports = exports;
    exports.prepare();
    this.usedBytes = exports.allocate(0);
    powers ??= powerMantissas();
    new BigUint64Array(memory.buffer, exports.powerMantissasAt(), powers.length).set(powers);
    this.cellsAt = this.place(Int32Array, CELL_FIELDS * CELL_COUNT, (own) => {
      this.cells = own;
      this.memory = new Uint8Array(own.buffer);
    });
    this.bytesAt = this.place(Uint8Array, FILE_BYTES, (own) => {
      this.bytes = own;
    });
    const linesAt = this.place(Uint32Array, MOST_ROWS, (own) => {
      this.lines = own;
    });
    this.valuesAt = this.place(Float64Array, MOST_ROWS, (own) => {
      this.values = own;
      this.words = new Int32Array(own.buffer, own.byteOffset, 2 * own.length);
    });
    this.idsAt = this.place(Uint16Array, MOST_ROWS, (own) => {
      this.ids = own;
    });
    const shapesAt = this.place(Uint16Array, MOST_ROWS, (own) => {
      this.shapes = own;
    });
    this.oddAt = this.place(Int32Array, MOST_ROWS, (own) => {
      this.odd = own;
    });
    const seenAt = this.place(Uint16Array, SHAPE_COUNT, (own) => {
      this.seenShapes = own;
    });
    const outcomeAt = this.place(Int32Array, OUTCOME_FIELDS, (own) => {
      this.outcome = own;
      this.range = new Float64Array(own.buffer, own.byteOffset, OUTCOME_FIELDS / 2);
    });
    exports.useBuffers(this.valuesAt, this.idsAt, shapesAt, this.oddAt, linesAt, seenAt, outcomeAt);
    this.ownBindCount = this.binds.length;
    this.ownBytes = exports.allocate(0);
  }

  /** Where the cells of a column are; `stride`: as `CellBatch` has it. */
  columnAt(column: number, stride: number): number {
    return this.cellsAt + CELL_BYTES * column * stride;
  }

  /** The least and the largest number that `findCells` found. */
  get lowest(): number {
    return this.range[LOWEST]!;
  }

  get highest(): number {
    return this.range[HIGHEST]!;
  }

  /** Call once nobody reads by it any more, nor looks at any table placed in it: it can serve another file then. */
  giveBack(): void {
    this.binds.length = this.ownBindCount;
    this.exports.reset(this.ownBytes);
    this.usedBytes = this.ownBytes;
    idle = new WeakRef(this);
  }

  /** Room for numbers, which are 0; `bind` is given them now and again whenever the memory has grown. Returns their address. */
  place<Numbers extends NumberArray>(type: ArrayType<Numbers>, length: number, bind: (own: Numbers) => void): number {
    const { exports, memory } = this.kernel;
    const byteCount = length * type.BYTES_PER_ELEMENT;
    this.makeRoom(byteCount + ALIGNMENT);
    const at = exports.allocate(byteCount);
    const bindAnew = () => bind(new type(memory.buffer, at, length));
    bindAnew();
    this.binds.push(bindAnew);
    return at;
  }

  /** Sees to it that so many bytes can be placed without the memory growing again. */
  reserve(byteCount: number): void {
    const used = this.usedBytes;
    this.makeRoom(byteCount);
    this.usedBytes = used;
  }

  private makeRoom(byteCount: number): void {
    const { memory } = this.kernel;
    const held = memory.buffer.byteLength;
    this.usedBytes += byteCount;
    if (this.usedBytes <= held) return;
    memory.grow(Math.ceil(Math.max(this.usedBytes - held, LEAST_GROWTH * held) / PAGE_BYTES));
    for (const bind of this.binds) bind();
  }
}

/** The first 128 bits of the powers of ten from -128 to 127, truncated: the lower half and the upper half of each. */
function powerMantissas(): BigUint64Array {
  const halves = new BigUint64Array(4 * MOST_POWERS);
  for (let power = -MOST_POWERS; power < MOST_POWERS; power++) {
    const ten = 10n ** BigInt(Math.abs(power));
    // A quotient of more than enough bits.
    const bits = power < 0 ? (1n << 1024n) / ten : ten << MANTISSA_BITS;
    const mantissa = bits >> (BigInt(bits.toString(2).length) - MANTISSA_BITS);
    const at = 2 * (power + MOST_POWERS);
    halves[at] = BigInt.asUintN(64, mantissa);
    halves[at + 1] = mantissa >> 64n;
  }
  return halves;
}
