// Samples the numbers of columns by row: of each column the rows whose hash lies below a threshold.

import { at, put } from "../memory.ts";
import { mixed } from "./cell-key.ts";
import { Found } from "./find-cells.ts";
import { SAMPLE_CAPACITY, SAMPLE_DEPTH, SAMPLE_FORMS, SAMPLE_HASHES, SAMPLE_SIZE, SAMPLE_VALUES } from "./layout.ts";

const SEED: u32 = 0x43757065;

/** The rows of the current batch that were drawn at a depth: those whose hash begins with `depth` zero bits. */
class Draw {
  static rowCount: i32 = 0;
  /** -1 where no rows are listed. */
  static depth: i32 = -1;
  static size: i32 = 0;
}

/** Turns to the next batch: hashes its rows as `deriveSeed(SEED, row)` of engine/random.ts does. */
export function drawRows(first: u32, count: i32): void {
  const seed = mixed(SEED);
  for (let row = 0; row < count; row++) {
    put<u32>(Found.hashes, row, mixed((seed ^ ((first + u32(row)) * 0x85eb_ca6b)) + 0x9e37_79b9));
  }
  Draw.rowCount = count;
  Draw.depth = -1;
}

/** Adds the numbers that `findCells` left in the rows `[from, to)` to the sample of this record. */
export function sampleNumbers(sample: usize, from: i32, to: i32): void {
  const depth = at<i32>(sample, SAMPLE_DEPTH);
  if (depth !== Draw.depth) listRows(depth);
  for (let place = 0; place < Draw.size; place++) {
    const row = at<i32>(Found.drawn, place);
    const shape = at<u16>(Found.shapes, row);
    if (row < from || row >= to || shape === 0) continue;
    sampleOne(sample, at<u32>(Found.hashes, row), at<f64>(Found.values, row), shape);
  }
}

/**
 * Adds one number unless its row is not in the sample. Where there is no room, the threshold is halved until there is.
 */
export function sampleOne(sample: usize, hash: u32, value: f64, form: u32): void {
  const capacity = at<i32>(sample, SAMPLE_CAPACITY);
  while (at<i32>(sample, SAMPLE_SIZE) === capacity && hash <= thresholdOf(sample)) halve(sample);
  if (hash > thresholdOf(sample)) return;
  const size = at<i32>(sample, SAMPLE_SIZE);
  write(sample, size, hash, value, form);
  put<i32>(sample, SAMPLE_SIZE, size + 1);
}

/** Rows are drawn for many columns, whose samples mostly have the same depth. */
function listRows(depth: i32): void {
  const threshold: u32 = 0xffff_ffff >> depth;
  let size = 0;
  for (let row = 0; row < Draw.rowCount; row++) {
    put<i32>(Found.drawn, size, row);
    size += i32(at<u32>(Found.hashes, row) <= threshold);
  }
  Draw.depth = depth;
  Draw.size = size;
}

function thresholdOf(sample: usize): u32 {
  return 0xffff_ffff >> at<i32>(sample, SAMPLE_DEPTH);
}

function halve(sample: usize): void {
  const size = at<i32>(sample, SAMPLE_SIZE);
  put<i32>(sample, SAMPLE_DEPTH, at<i32>(sample, SAMPLE_DEPTH) + 1);
  const threshold = thresholdOf(sample);
  let kept = 0;
  for (let place = 0; place < size; place++) {
    const hash = at<u32>(at<u32>(sample, SAMPLE_HASHES), place);
    const value = at<f64>(at<u32>(sample, SAMPLE_VALUES), place);
    write(sample, kept, hash, value, at<u16>(at<u32>(sample, SAMPLE_FORMS), place));
    kept += i32(hash <= threshold);
  }
  put<i32>(sample, SAMPLE_SIZE, kept);
}

function write(sample: usize, place: i32, hash: u32, value: f64, form: u32): void {
  put<u32>(at<u32>(sample, SAMPLE_HASHES), place, hash);
  put<f64>(at<u32>(sample, SAMPLE_VALUES), place, value);
  put<u16>(at<u32>(sample, SAMPLE_FORMS), place, u16(form));
}
