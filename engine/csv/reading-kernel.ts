// The reading kernel: a memory with the bytes of a file, the cells cut from them and the tables of columns, and the functions over it.
import encoded from "../kernels/reading.wasm.txt" with { type: "text" };
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
import { MAX_CELL_BYTES, MAX_COLUMNS, MOST_CUT_CELLS } from "./limits.ts";

/** What kernels/reading.ts exports; addresses are in bytes. */
interface ReadingExports {
  prepare(): void;
  allocate(byteCount: number): number;
  powerMantissasAt(): number;
  /** See kernels/cut-cells.ts. */
  openTable(delimiter: number, columnCount: number, stride: number): void;
  cutLines(bytes: number, from: number, to: number, cells: number, most: number): number;
  cutEnd(): number;
  /** 1 or 0. */
  isCutWide(): number;
  /** See kernels/count-cells.ts. */
  countCells(
    record: number,
    cells: number,
    bytes: number,
    from: number,
    to: number,
    firstLine: number,
    ids: number,
  ): number;
  findIds(record: number, cells: number, bytes: number, count: number, ids: number): void;
  /** See kernels/overflow.ts. */
  scan(
    record: number,
    dictionary: number,
    cells: number,
    bytes: number,
    rowHashes: number,
    found: number,
    packed: number,
    from: number,
    to: number,
  ): number;
  /** See kernels/nearest-levels.ts. */
  writeLevels(grid: number, cells: number, bytes: number, count: number, found: number, odd: number): number;
  writeLevelsOf(grid: number, values: number, count: number, found: number, odd: number): number;
  /** See kernels/decimal-levels.ts. */
  openDecimals(midpoints: number, count: number, power: number, list: number, before: number): void;
  writeLevelsOfDecimals(packed: number, count: number, found: number, odd: number): number;
  /** See kernels/number-levels.ts. */
  writeNumberLevels(
    values: number,
    weights: number,
    count: number,
    maxLevels: number,
    mostQuantiles: number,
    room: number,
    levels: number,
  ): number;
  /** See kernels/decimals.ts. 1 or 0. */
  packDecimals(values: number, count: number, power: number, packed: number): number;
}

type NumberArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

interface ArrayType<Numbers> {
  new (buffer: ArrayBuffer, at: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

/** Numbers of four bytes that a cell has, see `CellBatch`. */
export const CELL_FIELDS = 4;
/** Bytes taken in at a time. */
export const PIECE_BYTES = 2 ** 22;
/** What is left of a piece without a line end, the next piece, and what the cutter may read behind it: kernels/stops.ts. */
const TEXT_BYTES = MAX_CELL_BYTES + PIECE_BYTES + 4096 + 64;
/** A column has one place more than its share, see `CellCutter`. */
const CELL_COUNT = MOST_CUT_CELLS + MAX_COLUMNS;
/** For tables of the kernel itself. */
const OWN_BYTES = 2 ** 19 + 2 ** 16;
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
  /** Text, not all of it of this file. Another array after the memory has grown, as all that lie in it. */
  bytes = new Uint8Array(0);
  readonly bytesAt: number;
  /** Room for the cells of a batch. */
  cells = new Int32Array(0);
  readonly cellsAt: number;
  private readonly kernel: KernelInstance<ReadingExports>;
  /** Make all arrays anew: those of a memory are lost when it grows. */
  private readonly binds: (() => void)[] = [];
  private readonly ownBindCount: number;
  private usedBytes: number;

  constructor() {
    this.kernel = instantiate(
      readingModule(),
      OWN_BYTES + TEXT_BYTES + 4 * CELL_FIELDS * CELL_COUNT + 2 * ALIGNMENT,
      {},
    );
    const { exports, memory } = this.kernel;
    this.exports = exports;
    exports.prepare();
    this.usedBytes = exports.allocate(0);
    powers ??= powerMantissas();
    new BigUint64Array(memory.buffer, exports.powerMantissasAt(), powers.length).set(powers);
    this.cellsAt = this.place(Int32Array, CELL_FIELDS * CELL_COUNT, (own) => {
      this.cells = own;
    });
    this.bytesAt = this.place(Uint8Array, TEXT_BYTES, (own) => {
      this.bytes = own;
    });
    this.ownBindCount = this.binds.length;
  }

  /** Where the cells of a column are; `stride`: as `CellBatch` has it. */
  columnAt(column: number, stride: number): number {
    return this.cellsAt + 4 * CELL_FIELDS * column * stride;
  }

  /** Call once nobody reads by it any more. It can serve another file, but where others have tables in it. */
  giveBack(): void {
    if (this.binds.length === this.ownBindCount) idle = new WeakRef(this);
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

  /** The same for numbers that are there already. */
  move<Numbers extends NumberArray>(type: ArrayType<Numbers>, numbers: Numbers): number {
    return this.extend(type, numbers, numbers.length, () => undefined);
  }

  /** The same with room for more of them. */
  extend<Numbers extends NumberArray>(
    type: ArrayType<Numbers>,
    numbers: Numbers,
    length: number,
    bind: (own: Numbers) => void,
  ): number {
    const at = this.place(type, length, bind);
    new type(this.kernel.memory.buffer, at, numbers.length).set(numbers);
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
