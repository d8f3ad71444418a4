// Gradient boosting round by round, with the scores of rows that it learns from and of rows it does not.

import { concatenate } from "../concatenate.ts";
import { gatherClasses, startingScores } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { deriveSeed, Random } from "../random.ts";
import { NO_ROWS } from "../row-lists.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import type { CodeArray } from "../table/buckets.ts";
import { codeCountsOf, copyCodes, drawSample } from "../trees/forest-rows.ts";
import { type BoostedTree, type BoostedTrees, joinBoostedTrees } from "./boosted-trees.ts";
import { BoostingKernel } from "./boosting-kernel.ts";
import { binaryLoss, softmaxLoss, writeLogSums } from "./boosting-loss.ts";
import type { BoostingSettings } from "./boosting-settings.ts";
import { MAX_ROWS_PER_TREE, pairsByClass, pairsByLogOdds } from "./gradients.ts";
import { isThinned } from "./row-thinning.ts";

/** Second parts of seeds: for the rows of a round, and the features of a tree. */
const ROW_DRAW = 0;
const FEATURE_DRAW = 1;

/** A grower's state after some rounds. Another grower continues from it to the same bytes. The trees are kept apart. */
export interface GrowthState {
  roundCount: number;
  rowCount: number;
  /** Codes of the rows to learn from, then of the judged rows, feature by feature. */
  codes: CodeArray;
  codeCounts: Int32Array;
  /** One score per row, output after output. */
  scores: Float64Array;
}

export interface GrowthOptions {
  /** Further rows of the view, which are scored on the way but not learned from. */
  judging?: Uint32Array;
  /** The state of an earlier grower: the codes come from there rather than from the view. */
  state?: GrowthState | undefined;
  /** See `BoostingKernel`. */
  poolBytes?: number;
}

/**
 * Gradient boosting by Newton steps (Friedman, Hastie, Tibshirani 2000), each a tree on the rows' gradients and
 * hessians. Tree i depends only on the input and on i, and all sums over rows are exact: the same input gives the same
 * bytes.
 */
export class BoostingGrower {
  private readonly input: FitInput;
  private readonly settings: BoostingSettings;
  private readonly firstRound: number;
  private readonly kernel: BoostingKernel;
  /** Classes of the rows to learn from, then of the judged rows. */
  private readonly classes: Uint8Array;
  /** The trees of a round, one per output, stand together. */
  private readonly grown: BoostedTree[] = [];
  private readonly intercepts: Float64Array;
  private readonly givenCodes: CodeArray | undefined;
  /** Log of the sum of exp(score) for each row; empty for two classes. */
  private readonly logSums: Float64Array;
  /** Features that vary over the rows to learn from: only these can split. */
  private readonly varying: Int32Array;
  private readonly drawnFeatures: Int32Array;
  private readonly drawnRows: Int32Array;
  /** Matrix rows that the current round learns from, and all others. */
  private readonly sample: Int32Array;
  private readonly others: Int32Array;
  private sampleCount = 0;

  /** Codes are copied, so the view may go. */
  constructor(
    input: FitInput,
    settings: BoostingSettings,
    { judging = NO_ROWS, state, poolBytes }: GrowthOptions = {},
  ) {
    const { rows, classCount } = input;
    const everyRow = { ...input, rows: concatenate(Uint32Array, [rows, judging]) };
    const rowCount = everyRow.rows.length;
    this.input = input;
    this.settings = settings;
    this.firstRound = state?.roundCount ?? 0;
    this.givenCodes = state?.codes;
    this.intercepts = startingScores(input);
    const codeCounts = state?.codeCounts ?? codeCountsOf(input);
    this.kernel = new BoostingKernel(rowCount, codeCounts, this.intercepts.length, settings, poolBytes);
    const { codes, scores } = this.kernel;
    this.classes = gatherClasses(input.classes, everyRow.rows);
    if (state === undefined) copyCodes(everyRow, codes);
    else codes.set(state.codes);
    for (const [output, start] of scores.entries()) {
      if (state === undefined) start.fill(this.intercepts[output]!);
      else start.set(state.scores.subarray(output * rowCount, (output + 1) * rowCount));
    }
    this.logSums = new Float64Array(classCount === 2 ? 0 : rowCount);
    if (classCount > 2) writeLogSums(scores, this.logSums);
    this.varying = varyingFeatures(this.kernel, rows.length);
    this.drawnFeatures = new Int32Array(this.varying.length);
    this.drawnRows = new Int32Array(rows.length);
    this.sample = new Int32Array(rows.length);
    this.others = new Int32Array(rowCount);
  }

  get roundCount(): number {
    return this.firstRound + this.grown.length / this.intercepts.length;
  }

  /**
   * Adds a round: one tree per output. When time is up it drops the round and returns false; the
   * scores of judged rows are then meaningless. Throws `Cancelled`.
   */
  addRound(): boolean {
    const { input, grown, kernel } = this;
    throwIfCancelled(input.stop);
    if (input.stop.timeIsUp()) return false;
    const round = this.roundCount;
    this.drawRows(round);
    for (let output = 0; output < this.intercepts.length; output++) {
      const features = this.drawFeatures(round, output);
      const learningCount = this.computePairs(output);
      const nodeCount = kernel.grow(features, learningCount, kernel.rowCount - learningCount, input.stop);
      if (nodeCount < 0) {
        grown.length = (round - this.firstRound) * this.intercepts.length;
        return false;
      }
      grown.push(kernel.tree(nodeCount));
      kernel.addToScores(output);
    }
    if (this.intercepts.length > 1) writeLogSums(kernel.scores, this.logSums);
    return true;
  }

  /** The sum of -ln p(own class) over the judged rows. */
  judgedLoss(): number {
    const { classes, logSums, kernel } = this;
    const { scores } = kernel;
    const from = this.input.rows.length;
    if (scores.length === 1) return binaryLoss(scores[0]!, classes, from);
    return softmaxLoss(scores, logSums, classes, from);
  }

  /** A copy of the state; codes that came with an earlier state are not copied again. */
  state(): GrowthState {
    const { kernel, roundCount, givenCodes } = this;
    const { rowCount, codeCounts, scores } = kernel;
    const codes = givenCodes ?? kernel.codes.slice();
    return { roundCount, rowCount, codes, codeCounts, scores: concatenate(Float64Array, scores) };
  }

  /** A copy of the first rounds that it added itself, by default of all. */
  trees(roundCount = Number.POSITIVE_INFINITY): BoostedTrees {
    const { input, intercepts, grown } = this;
    const { classCount, view } = input;
    const head = { classCount, featureCount: view.features.length, outputCount: intercepts.length, intercepts };
    return joinBoostedTrees(head, grown.slice(0, roundCount * intercepts.length));
  }

  /** Lists the rows that the round learns from: all of them if the settings and their number allow. */
  private drawRows(round: number): void {
    const { input, settings, kernel, drawnRows, sample, others } = this;
    const rowCount = drawnRows.length;
    const wanted = Math.max(1, Math.min(MAX_ROWS_PER_TREE, Math.round(settings.rowShare * rowCount)));
    // If all rows are listed, the list never changes.
    if (wanted === rowCount && this.sampleCount === rowCount) return;
    drawSample(drawnRows, wanted, new Random(deriveSeed(input.seed, ROW_DRAW, round)));
    let count = 0;
    for (let row = 0; row < rowCount; row++) {
      if (drawnRows[row]! > 0) sample[count++] = row;
      else others[row - count] = row;
    }
    for (let row = rowCount; row < kernel.rowCount; row++) others[row - count] = row;
    this.sampleCount = count;
  }

  /** The features that a tree may use, ascending. */
  private drawFeatures(round: number, output: number): Int32Array {
    const { input, settings, varying, drawnFeatures } = this;
    const wanted = Math.max(1, Math.round(settings.featureShare * varying.length));
    drawSample(drawnFeatures, wanted, new Random(deriveSeed(input.seed, FEATURE_DRAW, round, output)));
    return varying.filter((_, index) => drawnFeatures[index]! > 0);
  }

  /**
   * Gives the kernel the round's rows and their gradient pairs for one output; returns how many of the rows, the first
   * ones, the tree learns from.
   */
  private computePairs(output: number): number {
    const { classes, kernel, sample, others, sampleCount, logSums } = this;
    const { rows, others: otherRows, pairs, rowCount } = kernel;
    const outputCount = this.intercepts.length;
    const scores = kernel.scores[output]!;
    rows.set(sample);
    otherRows.set(others);
    if (outputCount === 1) {
      pairsByLogOdds(pairs, scores, classes, rows, sampleCount);
      return sampleCount;
    }
    const thinning = isThinned(outputCount, sampleCount)
      ? {
          others: otherRows,
          otherCount: rowCount - sampleCount,
          offset: this.firstRound * outputCount + this.grown.length,
        }
      : null;
    return pairsByClass(pairs, scores, logSums, classes, output, rows, sampleCount, thinning);
  }
}

function varyingFeatures({ codes, codeCounts, rowCount }: BoostingKernel, learningCount: number): Int32Array {
  const varying: number[] = [];
  for (let feature = 0; feature < codeCounts.length; feature++) {
    const base = feature * rowCount;
    let row = 1;
    while (row < learningCount && codes[base + row] === codes[base]) row++;
    if (row < learningCount) varying.push(feature);
  }
  return Int32Array.from(varying);
}
