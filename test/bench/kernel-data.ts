// The drawn table that every kernel and every peer is timed on: numbers, and a class that six of the columns bear on.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { Random } from "../../engine/random.ts";
import { type CodedFeature, type CodedView, FIRST_CODE } from "../../engine/table/buckets.ts";

export interface KernelData {
  trainRows: number;
  testRows: number;
  featureCount: number;
  bucketCount: number;
}

const SEED = 1;

/**
 * Writes numbers from 0 to 1 column after column, four bytes each, then the
 * classes, one byte each: training rows first.
 */
export function writeKernelData(path: string, { trainRows, testRows, featureCount }: KernelData): void {
  const random = new Random(SEED);
  const rowCount = trainRows + testRows;
  const columns = Array.from({ length: featureCount }, () =>
    // Not quite 1, also once it is rounded to four bytes.
    Float32Array.from({ length: rowCount }, () => Math.min(random.nextFloat(), 0.999999)),
  );
  const classes = Uint8Array.from({ length: rowCount }, (_, row) => {
    const value = (column: number) => columns[column]![row]!;
    const gate = value(4) > 0.4 ? value(5) : 0;
    const score = 4 * value(0) + 4 * value(1) * value(2) + Math.sin(8 * value(3)) + gate - 3.5;
    return random.nextFloat() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
  });
  const file = openSync(path, "w");
  for (const part of [...columns, classes]) writeSync(file, part);
  closeSync(file);
}

/**
 * Codes the data as the engine does, in buckets of equal width, which are quantiles of these numbers; names the rows that learn.
 */
export function readKernelData(
  path: string,
  { trainRows, testRows, featureCount, bucketCount }: KernelData,
): { view: CodedView; classes: Uint8Array; train: Uint32Array; test: Uint32Array } {
  const bytes = readFileSync(path);
  const rowCount = trainRows + testRows;
  const column = (index: number) => new Float32Array(bytes.buffer, bytes.byteOffset + 4 * index * rowCount, rowCount);
  const features = Array.from(
    { length: featureCount },
    (_, index): CodedFeature => ({
      kind: "number",
      codes: Uint8Array.from(column(index), (value) => FIRST_CODE + Math.floor(value * bucketCount)),
      codeCount: FIRST_CODE + bucketCount,
      centres: Float64Array.from({ length: FIRST_CODE + bucketCount }, (_, code) => code - FIRST_CODE),
    }),
  );
  return {
    view: { rowCount, features },
    classes: Uint8Array.from(bytes.subarray(4 * featureCount * rowCount)),
    train: Uint32Array.from({ length: trainRows }, (_, row) => row),
    test: Uint32Array.from({ length: testRows }, (_, row) => trainRows + row),
  };
}
