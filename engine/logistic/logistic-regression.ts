// Logistic regression over tables: ridge-penalised, one table per feature, solved by L-BFGS.

import { chooseFeatures, countRowsByCode, startingScores } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { outputCountOf, type ScoreTables } from "../fitting/score-tables.ts";
import { MISSING_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { minimise } from "./lbfgs.ts";
import { gatherLogisticData, type LogisticData, logisticLoss } from "./logistic-objective.ts";
import {
  buildTable,
  formOf,
  type LogisticBasis,
  layOutTables,
  parameterCount,
  type TableForms,
} from "./table-basis.ts";

export interface LogisticSettings {
  basis: LogisticBasis;
  /** Ridge on the sum over rows: l2 / 2 times the squared parameters. Intercepts go free. */
  l2: number;
  /** Stopping early is part of the regularisation: 60 to 150. */
  maxIterations: number;
}

/**
 * Parameters of one problem at most, for which the solver holds some 300 MiB. Only the most informative features enter.
 */
export const MAX_PARAMETERS = 2_000_000;
/** Codes (rows × features) at most, two bytes each. */
const MAX_CODES = 2 ** 27;
/** Per row: when no entry of the gradient exceeds it, the fit is done. */
const GRADIENT_TOLERANCE = 1e-5;
const RELATIVE_TOLERANCE = 1e-5;

/**
 * One fit from a cold start. The problem is convex, so any machine ends near the same optimum; the same input gives the
 * same bytes. When the time is up it returns the best model so far, at the least the class frequencies.
 */
export function fitLogisticRegression(input: FitInput, settings: LogisticSettings): ScoreTables {
  return new LogisticProblem(input, settings.basis).solve(settings.l2, settings.maxIterations);
}

/** The gathered rows of one fit and its last solution, from which another fit can start. */
export class LogisticProblem {
  private readonly data: LogisticData;
  private theta: Float64Array;

  /** `offsets`: scores that the rows start from, `rows.length` per output; the model then adds to them. */
  constructor(input: FitInput, forms: TableForms, offsets: Float64Array | null = null) {
    const { view, rows, classCount } = input;
    const outputCount = outputCountOf(classCount);
    // One budget for both limits: a feature costs the larger of its shares in them.
    const codesPerParameter = MAX_CODES / MAX_PARAMETERS;
    const countOf = (index: number) => parameterCount(view.features[index]!, formOf(forms, index));
    const chosen = chooseFeatures(input, MAX_PARAMETERS, (_, index) =>
      Math.max(countOf(index) * outputCount, rows.length / codesPerParameter),
    );
    const parts = layOutTables(view.features, chosen, forms);
    const last = parts.at(-1);
    const thetaSize = last ? last.thetaOffset + countOf(last.featureIndex) : 1;
    this.data = gatherLogisticData(input, parts, thetaSize, offsets);
    this.theta = new Float64Array(outputCount * thetaSize);
    if (offsets !== null) return;
    for (const [k, score] of startingScores(input).entries()) this.theta[k * thetaSize] = score;
  }

  /**
   * Starts from another problem's last solution: its intercepts, and its parameters of the features that both have. A
   * fit with more features then begins where one with fewer ended. Shared features must have the same form and codes.
   */
  continueFrom({ data: from, theta }: LogisticProblem): void {
    const { allParts, outputCount, thetaSize } = this.data;
    const startOf = (index: number) => from.allParts[index]?.thetaOffset ?? from.thetaSize;
    const known = new Map(from.allParts.map(({ featureIndex }, index) => [featureIndex, index]));
    for (let k = 0; k < outputCount; k++) {
      this.theta[k * thetaSize] = theta[k * from.thetaSize]!;
      for (const part of allParts) {
        const index = known.get(part.featureIndex);
        if (index === undefined) continue;
        const featureTheta = theta.subarray(
          k * from.thetaSize + startOf(index),
          k * from.thetaSize + startOf(index + 1),
        );
        this.theta.set(featureTheta, k * thetaSize + part.thetaOffset);
      }
    }
  }

  /** Starts from the last solution. */
  solve(l2: number, maxIterations: number): ScoreTables {
    const { data } = this;
    this.theta = minimise((theta, gradient) => logisticLoss(data, l2, theta, gradient), this.theta, {
      maxIterations,
      gradientTolerance: GRADIENT_TOLERANCE * data.input.rows.length,
      relativeTolerance: RELATIVE_TOLERANCE,
      stop: data.input.stop,
    });
    return toModel(data, this.theta);
  }
}

/**
 * A missing or unseen cell contributes what the fit rows' cells do in the mean, if no fit row has one. A table that
 * rises from 0 is far above 0 in the mean, so with 0 the columns of an empty row would add up to a sure answer.
 */
function fillUnknown(table: Float64Array, counts: Uint32Array, rowCount: number): void {
  const mean = counts.reduce((sum, count, code) => sum + count * table[code]!, 0) / rowCount;
  for (const code of [MISSING_CODE, UNSEEN_CODE]) if (counts[code] === 0) table[code] = mean;
}

function toModel(data: LogisticData, theta: Float64Array): ScoreTables {
  const { allParts, outputCount, thetaSize, input } = data;
  const { rows, view } = input;
  const tables: (Float64Array | null)[] = view.features.map(() => null);
  for (const part of allParts) {
    const { featureIndex, codeCount } = part;
    const counts = countRowsByCode(view.features[featureIndex]!.codes, codeCount, rows);
    const table = new Float64Array(codeCount * outputCount);
    const centred = new Float64Array(codeCount);
    for (let k = 0; k < outputCount; k++) {
      buildTable({ ...part, tableOffset: 0 }, theta, k * thetaSize, centred);
      fillUnknown(centred, counts, rows.length);
      for (let code = 0; code < codeCount; code++) table[code * outputCount + k] = centred[code]!;
    }
    tables[featureIndex] = table;
  }
  const intercepts = Float64Array.from({ length: outputCount }, (_, k) => theta[k * thetaSize]!);
  return { kind: "additive", classCount: input.classCount, outputCount, intercepts, tables };
}
