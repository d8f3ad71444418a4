// The rows that trees learn from, copied to one compact matrix of codes, and the draws of rows for each tree.

import type { FitInput } from "../fitting/family.ts";
import type { Random } from "../random.ts";
import { type CodeArray, FIRST_CODE } from "../table/buckets.ts";

/** Exclusive upper bound of each feature's codes. */
export function codeCountsOf({ view }: FitInput): Int32Array {
  return Int32Array.from(view.features, (feature) => feature.codeCount);
}

/** Copies the codes and classes of `input.rows` feature by feature; 0 stands for missing and unseen. */
export function copyRows(input: FitInput, toCodes: CodeArray, toClasses: Uint8Array): void {
  const { rows, classes } = input;
  copyCodes(input, toCodes);
  for (let row = 0; row < rows.length; row++) toClasses[row] = classes[rows[row]!]!;
}

/** Copies the codes of the rows feature by feature; 0 stands for missing and unseen. */
export function copyCodes({ view, rows }: Pick<FitInput, "view" | "rows">, to: CodeArray): void {
  for (const [feature, { codes }] of view.features.entries()) copyFeature(codes, rows, to, feature * rows.length);
}

function copyFeature(from: CodeArray, rows: Uint32Array, to: CodeArray, start: number): void {
  for (let row = 0; row < rows.length; row++) {
    const code = from[rows[row]!]!;
    to[start + row] = code < FIRST_CODE ? 0 : code;
  }
}

/** Draws rows with replacement: `drawn[row]` becomes how often the row was drawn. */
export function drawBootstrap(drawn: Int32Array, drawCount: number, random: Random): void {
  drawn.fill(0);
  for (let draw = 0; draw < drawCount; draw++) drawn[random.nextBelow(drawn.length)]!++;
}

/** Chooses `count` rows without replacement (Knuth's selection sampling): `drawn[row]` becomes 1 or 0. */
export function drawSample(drawn: Int32Array, count: number, random: Random): void {
  const rowCount = drawn.length;
  if (count >= rowCount) {
    drawn.fill(1);
    return;
  }
  let needed = count;
  for (let row = 0; row < rowCount; row++) {
    const taken = random.nextBelow(rowCount - row) < needed ? 1 : 0;
    drawn[row] = taken;
    needed -= taken;
  }
}
