// The reading kernel: its functions, and its memory, which holds bytes of a file,
// the cells cut from them and the tables of columns.

import { CELL_BYTES, CELL_FIELDS, HIGHEST, LOWEST, OUTCOME_FIELDS, SHAPE_COUNT } from "../kernels/reading/layout.ts";
import encoded from "../kernels/reading/reading.wasm.txt" with { type: "text" };
import { growTo, Idle, instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
import { CUT_CELLS, MAX_CELL_BYTES, MAX_COLUMNS, MOST_CUT_CELLS } from "./limits.ts";

/** The exports of kernels/reading/reading.ts. Addresses are in bytes. */
interface ReadingExports {
  prepare(): void;
  allocate(byteCount: number): number;
  reset(start: number): void;
  powerMantissasAt(): number;
  /** See kernels/reading/cut-cells.ts. */
  openTable(delimiter: number, columnCount: number, stride: number): void;
  cutLines(from: number, to: number, cells: number, most: number): number;
  cutEnd(): number;
  /** 1 or 0. */
  isCutWide(): number;
  /** See kernels/reading/find-cells.ts. */
  useBuffers(
    values: number,
    ids: number,
    shapes: number,
    odd: number,
    lines: number,
    hashes: number,
    drawn: number,
    seen: number,
    outcome: number,
  ): void;
  findCells(dictionary: number, cells: number, from: number, to: number, how: number): number;
  countOdd(dictionary: number, cells: number, row: number): void;
  numberLines(first: number, count: number): void;
  /** See kernels/reading/number-sample.ts. */
  drawRows(first: number, count: number): void;
  sampleNumbers(sample: number, from: number, to: number): void;
  sampleOne(sample: number, hash: number, value: number, form: number): void;
  /** See kernels/reading/level-values.ts. */
  pickLevels(
    values: number,
    size: number,
    listedCount: number,
    weight: number,
    most: number,
    shareCount: number,
  ): number;
  /** See kernels/reading/nearest-levels.ts. */
  layOutLevels(record: number): void;
  writeLevels(record: number, values: number, count: number, levels: number, odd: number): number;
}

type NumberArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

interface ArrayType<Numbers> {
  new (buffer: ArrayBuffer, at: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

type OwnArray = "bytes" | "lines" | "hashes" | "ids" | "shapes" | "levels" | "odd" | "seenShapes";

/** Bytes taken in at a time. */
export const PIECE_BYTES = 2 ** 22;
/** Bytes after those to cut that may be read too, see kernels/reading/stops.ts. */
export const BYTES_BEHIND = 4096 + 64;
/** The rest of a piece, which holds no line end, the next piece, and the bytes read after it. */
const FILE_BYTES = MAX_CELL_BYTES + PIECE_BYTES + BYTES_BEHIND;
/** `ByteReader` rounds the cells of a column up to an odd number. */
const CELL_COUNT = MOST_CUT_CELLS + MAX_COLUMNS;
/** Rows of a batch at most, which a table of one column has. */
export const MOST_ROWS = CUT_CELLS + 1;
/** The kernel's own tables. */
const OWN_BYTES = 2 ** 19 + 2 ** 17;
const ALIGNMENT = 16;
/** The memory grows by this share at least, because each time all arrays must be bound anew. */
const LEAST_GROWTH = 0.25;
const MOST_POWERS = 128;
const MANTISSA_BITS = 128n;

const readingModule = lazyModule(encoded);
let powers: BigUint64Array | null = null;

const idle = new Idle<ReadingKernel>();

/** Returns a kernel for one reading of a file. */
export function takeKernel(): ReadingKernel {
  return idle.take() ?? new ReadingKernel();
}

export class ReadingKernel {
  readonly exports: ReadingExports;
  /** The whole memory. This array and all others here are replaced when it grows. */
  memory = new Uint8Array(0);
  /** A buffer for bytes of the file. */
  bytes = new Uint8Array(0);
  readonly bytesAt: number;
  /** A buffer for the cells of a batch, column by column, `CELL_FIELDS` of kernels/reading/layout.ts each. */
  cells = new Int32Array(0);
  private readonly cellsAt: number;
  /** The same buffer, for other work while no batch is under way. */
  scratch = new Float64Array(0);
  /** The physical line of each record of a batch. */
  lines = new Uint32Array(0);
  /** Its hash, by which it is drawn for samples. */
  hashes = new Uint32Array(0);
  /** The results of `findCells`, see kernels/reading/find-cells.ts. `words`: the halves of `values`. */
  values = new Float64Array(0);
  words = new Int32Array(0);
  readonly valuesAt: number;
  ids = new Uint16Array(0);
  shapes = new Uint16Array(0);
  /** For the level of each row. */
  levels = new Uint16Array(0);
  readonly levelsAt: number;
  odd = new Int32Array(0);
  readonly oddAt: number;
  seenShapes = new Uint16Array(0);
  outcome = new Int32Array(0);
  private range = new Float64Array(0);
  private readonly kernel: KernelInstance<ReadingExports>;
  /** Make the arrays anew, which are detached when the memory grows. */
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
    this.cellsAt = this.place(Int32Array, CELL_FIELDS * CELL_COUNT, (view) => {
      this.cells = view;
      this.scratch = new Float64Array(view.buffer, view.byteOffset, view.length / 2);
      this.memory = new Uint8Array(view.buffer);
    });
    this.bytesAt = this.bound("bytes", Uint8Array, FILE_BYTES);
    const linesAt = this.bound("lines", Uint32Array, MOST_ROWS);
    const hashesAt = this.bound("hashes", Uint32Array, MOST_ROWS);
    const drawnAt = this.place(Int32Array, MOST_ROWS, () => undefined);
    this.valuesAt = this.place(Float64Array, MOST_ROWS, (view) => {
      this.values = view;
      this.words = new Int32Array(view.buffer, view.byteOffset, 2 * view.length);
    });
    const idsAt = this.bound("ids", Uint16Array, MOST_ROWS);
    const shapesAt = this.bound("shapes", Uint16Array, MOST_ROWS);
    this.levelsAt = this.bound("levels", Uint16Array, MOST_ROWS);
    this.oddAt = this.bound("odd", Int32Array, MOST_ROWS);
    const seenAt = this.bound("seenShapes", Uint16Array, SHAPE_COUNT);
    const outcomeAt = this.place(Int32Array, OUTCOME_FIELDS, (view) => {
      this.outcome = view;
      this.range = new Float64Array(view.buffer, view.byteOffset, OUTCOME_FIELDS / 2);
    });
    exports.useBuffers(this.valuesAt, idsAt, shapesAt, this.oddAt, linesAt, hashesAt, drawnAt, seenAt, outcomeAt);
    this.ownBindCount = this.binds.length;
    this.ownBytes = exports.allocate(0);
  }

  /** Returns the address of a column's cells. `stride`: as `CellBatch` has it. */
  columnAt(column: number, stride: number): number {
    return this.cellsAt + CELL_BYTES * column * stride;
  }

  /** The smallest number that `findCells` found. */
  get lowest(): number {
    return this.range[LOWEST]!;
  }

  /** The largest one. */
  get highest(): number {
    return this.range[HIGHEST]!;
  }

  /** Lets another file use this kernel. Call once nobody uses it or any table in it. */
  giveBack(): void {
    this.binds.length = this.ownBindCount;
    this.exports.reset(this.ownBytes);
    this.usedBytes = this.ownBytes;
    idle.giveBack(this);
  }

  /**
   * Allocates numbers, all 0, and returns their address. `bind` gets the array
   * now, and again whenever the memory has grown.
   */
  place<Numbers extends NumberArray>(type: ArrayType<Numbers>, length: number, bind: (view: Numbers) => void): number {
    const { exports, memory } = this.kernel;
    const byteCount = length * type.BYTES_PER_ELEMENT;
    this.makeRoom(byteCount + ALIGNMENT);
    const at = exports.allocate(byteCount);
    const bindAnew = () => bind(new type(memory.buffer, at, length));
    bindAnew();
    this.binds.push(bindAnew);
    return at;
  }

  /** Gives one of the kernel's own arrays its place. */
  private bound<Name extends OwnArray>(name: Name, type: ArrayType<ReadingKernel[Name]>, length: number): number {
    return this.place<ReadingKernel[Name]>(type, length, (view: ReadingKernel[Name]) => {
      const kernel: Pick<ReadingKernel, Name> = this;
      kernel[name] = view;
    });
  }

  /** Grows the memory so that `byteCount` bytes can be placed without growing it again. */
  reserve(byteCount: number): void {
    const used = this.usedBytes;
    this.makeRoom(byteCount);
    this.usedBytes = used;
  }

  private makeRoom(byteCount: number): void {
    const { memory } = this.kernel;
    const heldBytes = memory.buffer.byteLength;
    this.usedBytes += byteCount;
    if (this.usedBytes <= heldBytes) return;
    growTo(memory, Math.max(this.usedBytes, (1 + LEAST_GROWTH) * heldBytes));
    for (const bind of this.binds) bind();
  }
}

/**
 * Returns the first 128 bits, truncated, of the powers of ten from -128 to 127: the lower and the upper half of each.
 */
function powerMantissas(): BigUint64Array {
  const halves = new BigUint64Array(4 * MOST_POWERS);
  for (let power = -MOST_POWERS; power < MOST_POWERS; power++) {
    const ten = 10n ** BigInt(Math.abs(power));
    // A quotient with more bits than are needed.
    const bits = power < 0 ? (1n << 1024n) / ten : ten << MANTISSA_BITS;
    const mantissa = bits >> (BigInt(bits.toString(2).length) - MANTISSA_BITS);
    const at = 2 * (power + MOST_POWERS);
    halves[at] = BigInt.asUintN(64, mantissa);
    halves[at + 1] = mantissa >> 64n;
  }
  return halves;
}
