// Well-known npm packages as baselines: each learns from a bounded sample, so that it answers within seconds.
import LogisticRegression from "ml-logistic-regression";
import { Matrix } from "ml-matrix";
import { GaussianNB } from "ml-naivebayes";
import { RandomForestClassifier } from "ml-random-forest";
import type { FitInput } from "../fitting/family.ts";
import { deriveSeed } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import type { CodedView } from "../table/buckets.ts";
import {
  encodeRows,
  type LibraryColumn,
  type LibrarySample,
  librarySample,
  oneHotColumns,
  orderedColumns,
} from "./library-inputs.ts";

export const LIBRARY_BASELINES = ["ml-random-forest", "ml-naivebayes", "ml-logistic-regression"] as const;
/** The name of the package. */
export type LibraryBaseline = (typeof LIBRARY_BASELINES)[number];

export interface FittedBaseline {
  /** How many rows the package learned from. */
  sampleRowCount: number;
  /**
   * Writes `classCount` probabilities for each of `rows` into `out`: shares of tree votes (ml-random-forest),
   * posteriors (ml-naivebayes), normalised probabilities of one against the rest (ml-logistic-regression).
   */
  score(view: CodedView, rows: Uint32Array, out: Float64Array): void;
}

/** Rows that a package learns from at most. */
const MAX_ROWS = 1000;
/** ml-random-forest takes up to 30 ns for each of rows² · columns · classes cells of a tree: some 8 ms. */
const CELLS_PER_TREE = 250_000;
const TREE_COUNT = 5;
/**
 * Columns that each tree draws (Ho 1998), and its levels: such trees decide as well as whole ones of all columns (ten
 * of each: 67.7 and 67.8% right on 13 tables), in two fifths of the time.
 */
const COLUMN_SHARE = 0.5;
const MAX_DEPTH = 5;
/** ml-logistic-regression touches rows · columns · classes cells for a step, some 10 ns each: 30 ms. */
const CELLS_FOR_STEPS = 3e6;
const MAX_STEPS = 300;
const POWER_ITERATIONS = 20;
/** Added to and taken from every value, because ml-naivebayes fails on a column without spread in a class. */
const LEAST_SPREAD = 0.25;
/** Second part of the seeds of trees. */
const TREE_DRAW = 2;

/**
 * Fits one package. Takes a few seconds at most; looks at `input.stop` where the package lets it. Throws `Cancelled`.
 */
export function fitLibraryBaseline(which: LibraryBaseline, input: FitInput): FittedBaseline {
  throwIfCancelled(input.stop);
  switch (which) {
    case "ml-random-forest":
      return fitRandomForest(input);
    case "ml-naivebayes":
      return fitNaiveBayes(input);
    case "ml-logistic-regression":
      return fitLogisticRegression(input);
  }
}

/**
 * For each tree, the class that it gives to each of the rows, by its place in the sample's classes. One tree per call
 * of the package, so that it can be stopped between trees. Without `noOOB` the package throws.
 */
function voteOfTrees(
  input: FitInput,
  sample: LibrarySample,
  columns: readonly LibraryColumn[],
  judging: Uint32Array,
): number[][] {
  if (columns.length === 0 || judging.length === 0) return [];
  const cells = encodeRows(input.view, sample.rows, columns);
  const judgedRows = encodeRows(input.view, judging, columns);
  const votes: number[][] = [];
  for (let tree = 0; tree < TREE_COUNT; tree++) {
    throwIfCancelled(input.stop);
    if (tree > 0 && input.stop.timeIsUp()) break;
    const forest = new RandomForestClassifier({
      nEstimators: 1,
      seed: deriveSeed(input.seed, TREE_DRAW, tree),
      noOOB: true,
      maxFeatures: columnsPerTree(columns),
      replacement: false,
      treeOptions: { maxDepth: MAX_DEPTH },
    });
    forest.train(cells, sample.classes);
    votes.push(forest.predict(judgedRows));
  }
  return votes;
}

function columnsPerTree(columns: readonly LibraryColumn[]): number {
  return Math.max(1, Math.round(COLUMN_SHARE * columns.length));
}

/** Grows its trees anew each time it scores rows. */
function fitRandomForest(input: FitInput): FittedBaseline {
  const columns = orderedColumns(input);
  const rowLimit = Math.floor(Math.sqrt(CELLS_PER_TREE / (columnsPerTree(columns) * input.classCount)));
  const sample = librarySample(input, Math.min(MAX_ROWS, rowLimit));
  return {
    sampleRowCount: sample.rows.length,
    score(view, rows, out) {
      const trees = voteOfTrees({ ...input, view }, sample, columns, rows);
      const votes = () => {
        const shares = Array.from(rows, () => sample.knownClasses.map(() => 0));
        for (const tree of trees)
          for (const [row, decided] of tree.entries()) shares[row]![decided]! += 1 / trees.length;
        return shares;
      };
      baselineOf(input, sample, columns, votes).score(view, rows, out);
    },
  };
}

/**
 * Every row enters twice, a little to either side: that keeps the means and gives each column
 * some spread in each class. The package's own `predict` (4.0.0) reads the first two columns
 * only, so the posterior is formed here from what it has fitted.
 */
function fitNaiveBayes(input: FitInput): FittedBaseline {
  const sample = librarySample(input, MAX_ROWS);
  const columns = oneHotColumns(input, sample.rows);
  const cells = encodeRows(input.view, sample.rows, columns);
  const shifted = (by: number) => cells.map((row) => row.map((cell) => cell + by));
  const model = new GaussianNB();
  model.train([...shifted(LEAST_SPREAD), ...shifted(-LEAST_SPREAD)], [...sample.classes, ...sample.classes]);
  const { means, calculateProbabilities } = model.toJSON();
  return baselineOf(input, sample, columns, (rows) =>
    rows.map((row) => {
      const logs = calculateProbabilities.map(([logPrior, ...densities], known) =>
        densities.reduce((sum, [peak, width], column) => {
          return sum + Math.log(peak) + (row[column]! - means[known]![column]!) ** 2 / width;
        }, logPrior),
      );
      const most = Math.max(...logs);
      return normalised(logs.map((log) => Math.exp(log - most)));
    }),
  );
}

/**
 * The package has neither an intercept nor a step size of its own: a column of ones, and the largest step that is safe.
 */
function fitLogisticRegression(input: FitInput): FittedBaseline {
  const sample = librarySample(input, MAX_ROWS);
  const columns = oneHotColumns(input, sample.rows);
  const withOne = (rows: number[][]) => new Matrix(rows.map((row) => [...row, 1]));
  const cells = withOne(encodeRows(input.view, sample.rows, columns));
  const cellsPerStep = cells.rows * cells.columns * sample.knownClasses.length;
  const numSteps = Math.max(1, Math.min(MAX_STEPS, Math.floor(CELLS_FOR_STEPS / cellsPerStep)));
  const model = new LogisticRegression({ numSteps, learningRate: 2 / largestCurvature(cells) });
  model.train(cells, Matrix.columnVector(sample.classes));
  return baselineOf(input, sample, columns, (rows) => {
    const matrix = withOne(rows);
    const others = model.classifiers.map((classifier) => classifier.testScores(matrix));
    return rows.map((_, row) => normalised(others.map((scores) => 1 - scores[row]!)));
  });
}

function normalised(scores: number[]): number[] {
  const total = sumOf(scores);
  return scores.map((score) => score / total);
}

/** The largest eigenvalue of X'X by power iteration: four times the largest curvature of the logistic loss. */
function largestCurvature(cells: Matrix): number {
  const transposed = cells.transpose();
  let vector = Matrix.ones(cells.columns, 1);
  let length = 0;
  for (let iteration = 0; iteration < POWER_ITERATIONS; iteration++) {
    vector = transposed.mmul(cells.mmul(vector));
    length = vector.norm();
    vector.div(length);
  }
  return length;
}

/**
 * Puts a package's probabilities into the classes of the input; without columns, gives the class shares of the sample.
 */
function baselineOf(
  input: FitInput,
  sample: LibrarySample,
  columns: readonly LibraryColumn[],
  probabilitiesOf: (rows: number[][]) => number[][],
): FittedBaseline {
  const { classCount } = input;
  const { knownClasses, classes } = sample;
  const shares = knownClasses.map((_, known) => classes.filter((code) => code === known).length / classes.length);
  return {
    sampleRowCount: sample.rows.length,
    score(view, rows, out) {
      out.fill(0, 0, rows.length * classCount);
      const cells = encodeRows(view, rows, columns);
      const probabilities = columns.length > 0 && rows.length > 0 ? probabilitiesOf(cells) : cells.map(() => shares);
      for (const [row, ofRow] of probabilities.entries()) {
        for (const [known, probability] of ofRow.entries()) out[row * classCount + knownClasses[known]!] = probability;
      }
    },
  };
}
