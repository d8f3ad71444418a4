// Room in the reading kernel for the rows of one batch, for all columns in turn.
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/shapes.ts";
import { rowHashOf } from "./number-sample.ts";

/** What is found is written four rows at a time. */
const ROWS_BEHIND = 3;

export class BatchRoom {
  readonly kernel: ReadingKernel;
  /** Of each row that was counted in its column's dictionary: the number of its text. */
  ids = new Uint16Array(0);
  readonly idsAt: number;
  /** Of each row that was taken in without: as `LoggedCells` has values. */
  values = new Float64Array(0);
  readonly valuesAt: number;
  readonly hashesAt: number;
  /** The same packed, as kernels/decimals.ts has it. */
  packed = new Int32Array(0);
  readonly packedAt: number;
  private hashes = new Uint32Array(0);
  private hashedIndex = -1;

  /** For a file whose batches are no larger than this one. */
  constructor({ kernel, stride }: Pick<CellBatch, "kernel" | "stride">) {
    this.kernel = kernel;
    this.idsAt = kernel.place(Uint16Array, stride, (own) => {
      this.ids = own;
    });
    this.valuesAt = kernel.place(Float64Array, stride + ROWS_BEHIND, (own) => {
      this.values = own;
    });
    this.packedAt = kernel.place(Int32Array, stride + ROWS_BEHIND, (own) => {
      this.packed = own;
    });
    this.hashesAt = kernel.place(Uint32Array, stride, (own) => {
      this.hashes = own;
    });
  }

  /** Has the `rowHashOf` of each record, by which it is sampled, at `hashesAt`. */
  hashRows({ firstIndex, recordCount }: CellBatch): void {
    if (this.hashedIndex === firstIndex) return;
    this.hashedIndex = firstIndex;
    const { hashes } = this;
    for (let row = 0; row < recordCount; row++) hashes[row] = rowHashOf(firstIndex + row);
  }

  /** Packs the values of some rows as decimals of that power; false where they are none. */
  pack(from: number, to: number, power: number): boolean {
    const { kernel, valuesAt, packedAt } = this;
    return kernel.exports.packDecimals(valuesAt + 8 * from, to - from, power, packedAt + 4 * from) === 1;
  }
}
