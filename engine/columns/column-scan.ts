// One column during the first pass: a dictionary of its texts while they fit, and evidence cell by cell beyond it.

import type { ColumnCaps } from "./caps.ts";
import { DistinctCounter } from "./distinct-counter.ts";
import { createEvidence, type Evidence, noteText } from "./evidence.ts";
import { NumberSample } from "./number-sample.ts";
import { trimCell } from "./reading.ts";
import { createDictionary, findText, hashText, insertText, type TextDictionary, textAt } from "./text-dictionary.ts";

/** What is known of a column's cells; `finishScan` brings the texts of the dictionary into the evidence. */
export interface ColumnScan {
  readonly caps: ColumnCaps;
  dictionary: TextDictionary;
  /** Counts the distinct texts that the dictionary does not hold; null before the first of them, and after `finishScan`. */
  further: DistinctCounter | null;
  /** Sample of the number cells that the dictionary does not hold; null where it holds every text. */
  sample: NumberSample | null;
  evidence: Evidence;
  missing: number;
  /** Line of the first missing cell, Infinity where there is none. */
  firstMissing: number;
}

/** How many distinct values a column has. */
export interface DistinctValues {
  /** In the dictionary. */
  listed: number;
  total: number;
  /** `total` is a close estimate. */
  isEstimate: boolean;
}

export function createScan(caps: ColumnCaps): ColumnScan {
  return {
    caps,
    dictionary: createDictionary(caps.texts, caps.chars),
    further: null,
    sample: null,
    evidence: createEvidence(),
    missing: 0,
    firstMissing: Number.POSITIVE_INFINITY,
  };
}

/** Takes in one cell. */
export function scanCell(
  scan: ColumnScan,
  cell: string,
  rowIndex: number,
  line: number,
  markers: ReadonlySet<string>,
): void {
  const { dictionary } = scan;
  const text = trimCell(cell);
  const hash = hashText(text);
  let id = findText(dictionary, text, hash);
  if (id < 0 && !dictionary.full) id = insertText(dictionary, text, hash, line);
  if (id >= 0) dictionary.counts[id]!++;
  else noteOverflow(scan, text, hash, rowIndex, line, markers);
}

function noteOverflow(
  scan: ColumnScan,
  text: string,
  hash: number,
  rowIndex: number,
  line: number,
  markers: ReadonlySet<string>,
): void {
  if (markers.has(text)) {
    scan.missing++;
    scan.firstMissing = Math.min(scan.firstMissing, line);
    return;
  }
  scan.further ??= new DistinctCounter(scan.caps.distinctSlots);
  scan.sample ??= new NumberSample(scan.caps.sampleCells);
  scan.further.add(text, hash);
  noteText(scan.evidence, text, 1, line);
  scan.sample.add(rowIndex, text, scan.evidence.bodies);
}

/** Analyses every text of the dictionary once, and counts the values: what is no missing marker. */
export function finishScan(scan: ColumnScan, markers: ReadonlySet<string>): DistinctValues {
  const { dictionary, evidence, further } = scan;
  let listed = 0;
  for (let id = 0; id < dictionary.size; id++) {
    const text = textAt(dictionary, id);
    const count = dictionary.counts[id]!;
    const line = dictionary.firstLines[id]!;
    if (markers.has(text)) {
      scan.missing += count;
      scan.firstMissing = Math.min(scan.firstMissing, line);
    } else {
      noteText(evidence, text, count, line);
      listed++;
    }
  }
  // The counter can be large, and the second pass has no use for it.
  scan.further = null;
  const total = Math.min(listed + (further?.count ?? 0), evidence.cells);
  return { listed, total, isEstimate: further?.isEstimate ?? false };
}
