// Codes the differences of two columns, once the cells of both are read.

import { secondsOf } from "../columns/dates.ts";
import { readNumber } from "../columns/numbers.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { isDifference, type ModelFeature } from "../model/model-file.ts";
import { type CodeArray, codeOfNumber, MISSING_CODE } from "../table/buckets.ts";

/** The amount that differences are made of: a number, or a date in seconds; not finite where a text is neither. */
export function amountOf(text: string, reading: ColumnReading): number {
  if (reading.kind === "number") return readNumber(text, reading.form);
  return reading.kind === "date" ? secondsOf(text, reading.form) : Number.NaN;
}

export class DifferenceCoder {
  private readonly features: readonly ModelFeature[];
  /** By column that a difference is made of, then by row being coded; whoever reads the cells writes them here. */
  amounts: Float64Array[] = [];

  constructor(features: readonly ModelFeature[]) {
    this.features = features;
  }

  startRows(count: number): void {
    for (const feature of this.features) {
      if (!isDifference(feature)) continue;
      for (const column of [feature.column, feature.minus]) {
        this.amounts[column] = new Float64Array(count).fill(Number.NaN);
      }
    }
  }

  /** Writes the codes of the rows from place `at` on. */
  code(codes: readonly CodeArray[], at: number): void {
    for (const [index, feature] of this.features.entries()) {
      if (!isDifference(feature)) continue;
      const [ofFeature, amounts, others] = [codes[index]!, this.amounts[feature.column]!, this.amounts[feature.minus]!];
      // Not `entries`: its pairs would take longer than the subtraction.
      for (let row = 0; row < amounts.length; row++) {
        const difference = amounts[row]! - others[row]!;
        ofFeature[at + row] = Number.isFinite(difference) ? codeOfNumber(difference, feature.cutPoints) : MISSING_CODE;
      }
    }
  }
}
