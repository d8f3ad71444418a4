// The rows' numbers as columns of a matrix. With few rows, multiplying them costs less than looking up tables that are
// lines.

import encoded from "../kernels/columns.wasm.txt" with { type: "text" };
import { FIRST_CODE, MISSING_CODE } from "../table/buckets.ts";
import { instantiate, lazyModule } from "../webassembly.ts";
import { isLine, type TableBasis } from "./table-basis.ts";

/** The exports of `kernels/columns.ts`. */
interface ColumnsExports {
  addColumns(at: number, columnBytes: number, count: number, weights: number, scores: number, pairs: number): void;
  sumColumns(at: number, columnBytes: number, count: number, residuals: number, sums: number, pairs: number): void;
}

/** Numbers at most: 16 MiB. */
const MAX_CELLS = 2 ** 21;
/** Columns of one pass of the kernel. */
const STRIDE = 4;
/** Rows of one step of the kernel. */
const PAIR = 2;
const NUMBER_BYTES = 8;
/** Address 0 stays unused. */
const SCORES_AT = 16;

const columnsModule = /* @__PURE__ */ lazyModule(encoded);

/** The parts that are columns rather than tables: lines of few rows. */
export function linesOfFewRows(parts: readonly TableBasis[], rowCount: number): TableBasis[] {
  const lines = parts.filter(isLine);
  return (2 * lines.length + STRIDE) * (rowCount + PAIR) <= MAX_CELLS ? lines : [];
}

/** A matrix in the kernel's memory, and the scores of a block of rows. */
export class NumberColumns {
  /** Scores, then residuals, of a block: `blockRows` for each output. */
  readonly scores: Float64Array;
  private readonly kernel: ColumnsExports;
  /** The parameter that each column multiplies, within those of one output. */
  private readonly parameters: number[];
  /** By column: its parameter in one output, or the gradient by that. */
  private readonly sums: Float64Array;
  private readonly columnsAt: number;
  private readonly columnBytes: number;

  /**
   * A part has a column of its numbers and, where some rows lack it, one that says which; without such rows that
   * parameter stays 0. `codesOf`: the rows' codes of one part, in an array that the next call may overwrite. Blocks
   * begin at even rows.
   */
  constructor(
    parts: readonly TableBasis[],
    rowCount: number,
    codesOf: (part: TableBasis) => Uint16Array,
    scoreCount: number,
  ) {
    const most = STRIDE * Math.ceil((2 * parts.length) / STRIDE);
    const stride = PAIR * Math.ceil(rowCount / PAIR);
    const sumsAt = SCORES_AT + NUMBER_BYTES * PAIR * Math.ceil(scoreCount / PAIR);
    this.columnsAt = sumsAt + NUMBER_BYTES * most;
    this.columnBytes = NUMBER_BYTES * stride;
    const { exports, memory } = instantiate<ColumnsExports>(
      columnsModule(),
      this.columnsAt + most * this.columnBytes,
      {},
    );
    this.kernel = exports;
    this.scores = new Float64Array(memory.buffer, SCORES_AT, scoreCount);
    const values = new Float64Array(memory.buffer, this.columnsAt, most * stride);
    const parameters: number[] = [];
    for (const part of parts) {
      const codes = codesOf(part);
      if (codes.includes(MISSING_CODE)) {
        const from = parameters.length * stride;
        for (let i = 0; i < rowCount; i++) values[from + i] = codes[i] === MISSING_CODE ? 1 : 0;
        parameters.push(part.thetaOffset);
      }
      const from = parameters.length * stride;
      for (let i = 0; i < rowCount; i++) {
        const code = codes[i]!;
        values[from + i] = code < FIRST_CODE ? 0 : part.slopeScale * part.centres[code]!;
      }
      parameters.push(part.thetaOffset + 1);
    }
    this.parameters = parameters;
    // Columns of zeros fill the last pass.
    this.sums = new Float64Array(memory.buffer, sumsAt, STRIDE * Math.ceil(parameters.length / STRIDE));
  }

  /** Adds to one output's scores of `count` rows from `start` on; its parameters are `theta[base..]`. */
  addScores(theta: Float64Array, base: number, start: number, count: number, scoreOffset: number): void {
    const { kernel, parameters, sums } = this;
    for (let column = 0; column < parameters.length; column++) sums[column] = theta[base + parameters[column]!]!;
    sums.fill(0, parameters.length);
    kernel.addColumns(...this.placesOf(start), sums.byteOffset, this.scoreAt(scoreOffset), Math.ceil(count / PAIR));
  }

  /** Adds the gradient by one output's parameters. Its residuals are where its scores were. */
  pullGradient(gradient: Float64Array, base: number, start: number, count: number, scoreOffset: number): void {
    const { kernel, parameters, sums } = this;
    // The row that makes an odd count even has no number; its score may be anything.
    if (count % PAIR !== 0) this.scores[scoreOffset + count] = 0;
    kernel.sumColumns(...this.placesOf(start), this.scoreAt(scoreOffset), sums.byteOffset, Math.ceil(count / PAIR));
    for (let column = 0; column < parameters.length; column++) {
      const to = base + parameters[column]!;
      gradient[to] = gradient[to]! + sums[column]!;
    }
  }

  private placesOf(start: number): [at: number, columnBytes: number, columnCount: number] {
    return [this.columnsAt + NUMBER_BYTES * start, this.columnBytes, this.sums.length];
  }

  private scoreAt(scoreOffset: number): number {
    return SCORES_AT + NUMBER_BYTES * scoreOffset;
  }
}
