// The reading kernel: a memory for the tables of columns, with the functions over it, and one batch of cells at a time.
import type { CellBatch } from "../csv/shapes.ts";
import encoded from "../kernels/reading.wasm.txt" with { type: "text" };
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";

/** What kernels/reading.ts exports; addresses are in bytes. */
interface ReadingExports {
  prepare(): void;
  allocate(byteCount: number): number;
  powerMantissasAt(): number;
  /** See kernels/overflow.ts. */
  scan(record: number, cells: number, bytes: number, rowHashes: number, from: number, to: number): number;
  writeByteLevels: LevelFunction;
  writeWideLevels: LevelFunction;
}

/** See kernels/nearest-levels.ts. */
type LevelFunction = (grid: number, cells: number, bytes: number, count: number, found: number, odd: number) => number;

type NumberArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

interface ArrayType<Numbers> {
  new (buffer: ArrayBuffer, at: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

/** Bytes of a batch that the kernel holds: four whole lines at least. */
const WINDOW_BYTES = 2 ** 22;
/** Four numbers of four bytes. */
const CELL_BYTES = 16;
/** Tables of the kernel itself. */
const OWN_BYTES = 2 ** 15;
const PAGE_BYTES = 2 ** 16;
const ALIGNMENT = 16;
/** By this share at least the memory grows, for each time all arrays have to be bound anew. */
const LEAST_GROWTH = 0.25;
const MOST_POWERS = 128;
const MANTISSA_BITS = 128n;

const readingModule = lazyModule(encoded);
let powers: BigUint64Array | null = null;

export class ReadingKernel {
  readonly exports: ReadingExports;
  /** Where the cells of one column are, and 4 bytes for each row. */
  readonly cellsAt: number;
  readonly rowHashesAt: number;
  /** Where the batch's bytes count from. */
  bytesAt = 0;
  private readonly kernel: KernelInstance<ReadingExports>;
  private readonly windowAt: number;
  private window = new Uint8Array(0);
  private cells = new Int32Array(0);
  private rowHashes = new Uint32Array(0);
  /** Make all arrays anew: those of a memory are lost when it grows. */
  private readonly binds: (() => void)[] = [];
  private usedBytes = OWN_BYTES;

  /** `rowCount`: records of a batch at most. */
  constructor(rowCount: number) {
    this.kernel = instantiate(readingModule(), OWN_BYTES + WINDOW_BYTES + (CELL_BYTES + 4) * rowCount, {});
    const { exports, memory } = this.kernel;
    this.exports = exports;
    exports.prepare();
    powers ??= powerMantissas();
    new BigUint64Array(memory.buffer, exports.powerMantissasAt(), powers.length).set(powers);
    this.windowAt = this.place(Uint8Array, WINDOW_BYTES, (own) => {
      this.window = own;
    });
    this.cellsAt = this.place(Int32Array, (CELL_BYTES / 4) * rowCount, (own) => {
      this.cells = own;
    });
    this.rowHashesAt = this.place(Uint32Array, rowCount, (own) => {
      this.rowHashes = own;
    });
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
  move<Numbers extends NumberArray>(
    type: ArrayType<Numbers>,
    numbers: Numbers,
    bind: (own: Numbers) => void = () => undefined,
  ): number {
    const at = this.place(type, numbers.length, bind);
    new type(this.kernel.memory.buffer, at, numbers.length).set(numbers);
    return at;
  }

  /** The bytes of a batch, as `windowsOf` gives it. */
  takeBytes(batch: CellBatch): void {
    const { from, to } = bytesOf(batch);
    this.window.set(batch.bytes.subarray(from, to));
    this.bytesAt = this.windowAt - from;
  }

  takeRowHashes({ firstIndex, recordCount }: CellBatch, rowHashOf: (rowIndex: number) => number): void {
    for (let row = 0; row < recordCount; row++) this.rowHashes[row] = rowHashOf(firstIndex + row);
  }

  /** The cells of one column of the batch whose bytes are here. */
  takeCells({ cells, recordCount, stride }: CellBatch, column: number): void {
    const fields = CELL_BYTES / 4;
    const first = column * stride * fields;
    this.cells.set(cells.subarray(first, first + recordCount * fields));
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

/** The bytes that hold all texts of a batch; more than `WINDOW_BYTES` of them the kernel does not take. */
function bytesOf({ cells, recordCount, columnCount, stride }: CellBatch): { from: number; to: number } {
  const last = ((columnCount - 1) * stride + recordCount - 1) * (CELL_BYTES / 4);
  return { from: cells[0]!, to: cells[last + 1]! };
}

/** A batch as one or more whose bytes fit the kernel. */
export function* windowsOf(batch: CellBatch): Generator<CellBatch> {
  const { from, to } = bytesOf(batch);
  if (to - from <= WINDOW_BYTES) {
    yield batch;
    return;
  }
  const { cells, recordCount, firstIndex, firstLine } = batch;
  const half = recordCount >> 1;
  yield* windowsOf({ ...batch, recordCount: half });
  yield* windowsOf({
    ...batch,
    recordCount: recordCount - half,
    cells: cells.subarray(half * (CELL_BYTES / 4)),
    firstIndex: firstIndex + half,
    firstLine: firstLine + half,
  });
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
