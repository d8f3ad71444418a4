// The parts of two untyped npm packages that the library baselines use.
declare module "ml-naivebayes" {
  export class GaussianNB {
    /** Classes are 0 to n - 1, each with two rows at least. */
    train(rows: readonly (readonly number[])[], classes: readonly number[]): void;
    toJSON(): {
      /** By class and column. */
      means: readonly (readonly number[])[];
      /** By class: the log prior, then for each column 1 / (√(2π) s) and -2 s², s being the standard deviation. */
      calculateProbabilities: readonly (readonly [number, ...(readonly [number, number])[]])[];
    };
  }
}

declare module "ml-logistic-regression" {
  import type { Matrix } from "ml-matrix";

  // biome-ignore lint/style/noDefaultExport: the package has no other export.
  export default class LogisticRegression {
    /** One classifier per class, each telling all other classes from its own. */
    readonly classifiers: readonly { testScores(rows: Matrix): number[] }[];
    constructor(options: { numSteps: number; learningRate: number });
    /** `classes` is a column vector of 0 to n - 1. */
    train(rows: Matrix, classes: Matrix): void;
  }
}
