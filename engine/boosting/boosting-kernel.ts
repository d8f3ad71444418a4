// The kernel of boosted trees, in WebAssembly. Each fit has a memory of its own.

import encoded from "../kernels/boosting.wasm.txt" with { type: "text" };
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import type { CodeArray } from "../table/buckets.ts";
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
import type { BoostedTree } from "./boosted-trees.ts";
import type { BoostingSettings } from "./boosting-settings.ts";
import { GRADIENT_UNIT, type GradientPairs, pairsOver } from "./gradients.ts";

/** The exports of `kernels/boosting.ts`; addresses are in bytes. */
interface BoostingExports {
  prepareScratch(rowCount: number): void;
  allocateBytes(count: number): number;
  reserve(featureCount: number, mostCodes: number, maxLeaves: number, poolBytes: number): void;
  useMatrix(codes: number, codeCounts: number, rowCount: number, isWide: boolean): void;
  setSettings(
    maxDepth: number,
    maxLeaves: number,
    minLeafRows: number,
    isBestFirst: boolean,
    l2: number,
    stepShare: number,
    gradientUnit: number,
  ): void;
  setUnits(countSpan: number, hessianUnit: number): void;
  setLayout(count: number, cellCount: number): void;
  grow(rowCount: number, otherCount: number, gradientSum: number, hessianSum: number): number;
  addToScores(scores: number): void;
  layoutFeaturesAt(): number;
  layoutStartsAt(): number;
  gradientsAt(): number;
  hessiansAt(): number;
  rowsAt(): number;
  othersAt(): number;
  featuresAt(): number;
  thresholdsAt(): number;
  childrenAt(): number;
  valuesAt(): number;
}

/** Memory that the histograms of open nodes may take together. */
const POOL_BYTES = 2 ** 26;
/** Gradient and hessian of one code. */
const CELL_BYTES = 16;
/** Bytes of a row: gradient pair, gathered pair, and rows and other rows twice each. */
const SCRATCH_ROW_BYTES = 2 * 8 + 16 + 4 * 4;
const BYTE_CODES = 256;
const MOST_INT32 = 0x7fff_ffff;

const boostingModule = /* @__PURE__ */ lazyModule(encoded);

/** The arrays are views of the kernel's memory, which the caller fills in. */
export class BoostingKernel {
  readonly rowCount: number;
  /** Exclusive upper bound of each feature's codes. */
  readonly codeCounts: Int32Array;
  /** Codes feature by feature: 0 stands for missing and unseen. */
  readonly codes: CodeArray;
  /** One array per output: the scores of all rows, 0 at first. */
  readonly scores: readonly Float64Array[];
  /** Rows to learn from, and other rows, of the next tree. */
  readonly rows: Int32Array;
  readonly others: Int32Array;
  /** Gradient pairs for the next tree, each at its row's place. */
  readonly pairs: GradientPairs;
  private readonly kernel: KernelInstance<BoostingExports>;
  private stop: StopSignal | null = null;

  /** Histograms of open nodes may take `poolBytes` together. */
  constructor(
    rowCount: number,
    codeCounts: Int32Array,
    outputCount: number,
    settings: BoostingSettings,
    poolBytes: number = POOL_BYTES,
  ) {
    this.rowCount = rowCount;
    this.codeCounts = codeCounts;
    this.kernel = instantiate(boostingModule(), rowCount * SCRATCH_ROW_BYTES, {
      "boosting-tree": { shouldStop: () => this.shouldStop() },
    });
    const { exports } = this.kernel;
    const { maxDepth, maxLeaves, minLeafRows, l2, learningRate } = settings;
    const featureCount = codeCounts.length;
    const mostCodes = codeCounts.reduce((most, count) => Math.max(most, count), 1);
    const isWide = mostCodes > BYTE_CODES;
    const histogramBytes = CELL_BYTES * sumOf(codeCounts);
    exports.prepareScratch(rowCount);
    exports.reserve(featureCount, mostCodes, maxLeaves, Math.min(poolBytes, (maxLeaves + 1) * histogramBytes));
    const codesAt = exports.allocateBytes(rowCount * featureCount * (isWide ? 2 : 1));
    const codeCountsAt = exports.allocateBytes(4 * featureCount);
    const scoresAt = exports.allocateBytes(8 * rowCount * outputCount);
    exports.useMatrix(codesAt, codeCountsAt, rowCount, isWide);
    const isBestFirst = maxDepth === null || maxLeaves < 2 ** maxDepth;
    const stepShare = learningRate * (outputCount === 1 ? 1 : (outputCount - 1) / outputCount);
    exports.setSettings(maxDepth ?? MOST_INT32, maxLeaves, minLeafRows, isBestFirst, l2, stepShare, GRADIENT_UNIT);
    // Made only now: the memory has another buffer after it has grown.
    const { buffer } = this;
    new Int32Array(buffer, codeCountsAt, featureCount).set(codeCounts);
    this.codes = new (isWide ? Uint16Array : Uint8Array)(buffer, codesAt, rowCount * featureCount);
    this.scores = Array.from(
      { length: outputCount },
      (_, output) => new Float64Array(buffer, scoresAt + 8 * rowCount * output, rowCount),
    );
    this.rows = new Int32Array(buffer, exports.rowsAt(), rowCount);
    this.others = new Int32Array(buffer, exports.othersAt(), rowCount);
    const gradients = new Float64Array(buffer, exports.gradientsAt(), rowCount);
    this.pairs = pairsOver(gradients, new Float64Array(buffer, exports.hessiansAt(), rowCount));
  }

  /**
   * Grows a tree with `features`, ascending, on the first `rowCount` rows, which have
   * pairs; takes the first `otherCount` others along. Returns its number of nodes, or -1
   * where the time was up and it was dropped. Throws `Cancelled`.
   */
  grow(features: Int32Array, rowCount: number, otherCount: number, stop: StopSignal): number {
    const { exports } = this.kernel;
    const { countSpan, hessianUnit, gradientSum, hessianSum } = this.pairs;
    this.stop = stop;
    exports.setUnits(countSpan, hessianUnit);
    this.layOut(features);
    return exports.grow(rowCount, otherCount, gradientSum, hessianSum);
  }

  /** Adds the values of the last tree's leaves to the scores of all its rows, for one output. */
  addToScores(output: number): void {
    this.kernel.exports.addToScores(this.scores[output]!.byteOffset);
  }

  /** A copy of the last tree. */
  tree(nodeCount: number): BoostedTree {
    const { buffer } = this;
    const { exports } = this.kernel;
    return {
      features: new Uint16Array(buffer, exports.featuresAt(), nodeCount).slice(),
      thresholds: new Uint16Array(buffer, exports.thresholdsAt(), nodeCount).slice(),
      children: new Int32Array(buffer, exports.childrenAt(), nodeCount).slice(),
      values: new Float32Array(buffer, exports.valuesAt(), nodeCount).slice(),
    };
  }

  private layOut(features: Int32Array): void {
    const { exports } = this.kernel;
    const starts = new Int32Array(this.buffer, exports.layoutStartsAt(), features.length);
    new Int32Array(this.buffer, exports.layoutFeaturesAt(), features.length).set(features);
    let cellCount = 0;
    for (let index = 0; index < features.length; index++) {
      starts[index] = cellCount;
      cellCount += this.codeCounts[features[index]!]!;
    }
    exports.setLayout(features.length, cellCount);
  }

  private shouldStop(): boolean {
    if (this.stop === null) return false;
    throwIfCancelled(this.stop);
    return this.stop.timeIsUp();
  }

  private get buffer(): ArrayBuffer {
    return this.kernel.memory.buffer as ArrayBuffer;
  }
}
