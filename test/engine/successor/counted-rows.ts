// Rows that two models decided, counted as a comparison counts them.
import { emptyConfusion } from "../../../engine/judging/metrics.ts";
import type { PairedDecisions } from "../../../engine/successor/paired-decisions.ts";

/** The actual label and both decisions, by place. */
export type Row = readonly [actual: number, champion: number, challenger: number];

export function counted(rows: readonly Row[], labels: readonly string[]): PairedDecisions {
  const [champion, challenger] = [emptyConfusion(labels.length), emptyConfusion(labels.length)];
  for (const [actual, one, other] of rows) {
    champion[actual]![one]!++;
    challenger[actual]![other]!++;
  }
  return {
    ...{ labels, champion, challenger },
    championAlone: rows.filter(([actual, one, other]) => one === actual && other !== actual).length,
    challengerAlone: rows.filter(([actual, one, other]) => one !== actual && other === actual).length,
    differing: rows.filter(([, one, other]) => one !== other).map((row) => [...row, 1] as const),
  };
}
