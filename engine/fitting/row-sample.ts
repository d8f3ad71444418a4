// A seeded sample of rows that keeps the class shares.
import { Random } from "../random.ts";
import { sumOf } from "../sums.ts";
import type { LabelledRows } from "../table/table.ts";
import { countClasses } from "./class-counts.ts";

/**
 * About `limit` of the rows, ascending; all rows if there are no more. Each class
 * gets its share, rounded up, so that none is lost.
 */
export function sampleRows(from: LabelledRows, limit: number, seed: number): Uint32Array {
  const { rows, classes } = from;
  if (rows.length <= limit) return rows;
  const leftOfClass = countClasses(from);
  const wantedOfClass = leftOfClass.map((count) => Math.ceil((count * limit) / rows.length));
  const total = sumOf(wantedOfClass);
  const sample = new Uint32Array(total);
  const random = new Random(seed);
  let takenCount = 0;
  // Selection sampling (Knuth, TAOCP 3.4.2, algorithm S), class by class at once.
  for (const row of rows) {
    const k = classes[row]!;
    if (random.nextFloat() * leftOfClass[k]! < wantedOfClass[k]!) {
      sample[takenCount++] = row;
      wantedOfClass[k] = wantedOfClass[k]! - 1;
    }
    leftOfClass[k] = leftOfClass[k]! - 1;
  }
  return sample;
}
