// Cuts of the obvious slow trees, and on which side of one a row lies.
import { type CodedView, FIRST_CODE } from "../../../engine/table/buckets.ts";

/** Right of no code: it parts the present cells from the missing ones. */
export const PRESENT_LEFT = 0x7fff;

export interface Cut {
  score: number;
  feature: number;
  threshold: number;
  missingRight: boolean;
}

export function everyCut(codes: number[], hasMissing: boolean): { threshold: number; missingRight: boolean }[] {
  const cuts: { threshold: number; missingRight: boolean }[] = [];
  for (let i = 1; i < codes.length; i++) {
    const threshold = Math.floor((codes[i - 1]! + codes[i]!) / 2);
    cuts.push({ threshold, missingRight: true });
    if (hasMissing) cuts.push({ threshold, missingRight: false });
  }
  if (hasMissing && codes.length > 0) cuts.push({ threshold: PRESENT_LEFT, missingRight: true });
  return cuts;
}

/** Null where the cell is missing. */
export function presentCode(view: CodedView, row: number, feature: number): number | null {
  const code = view.features[feature]!.codes[row]!;
  return code < FIRST_CODE ? null : code;
}

export function isRight(
  view: CodedView,
  row: number,
  feature: number,
  threshold: number,
  missingRight: boolean,
): boolean {
  const code = presentCode(view, row, feature);
  return code === null ? missingRight : code > threshold;
}
