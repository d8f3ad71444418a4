// The kernel of boosted trees: grown by WebAssembly, in one memory for all
// growers that take turns on equally many rows.
import type { CodeArray } from "../buckets.ts";
import encoded from "../kernels/boosting.wasm.txt" with { type: "text" };
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import type { GrownTree } from "../trees/grown-trees.ts";
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
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

/** A grower's own buffers in the kernel's memory. */
export interface BoostingPlace {
  rowCount: number;
  /** Exclusive upper bound of each feature's codes. */
  codeCounts: Int32Array;
  isWide: boolean;
  codesAt: number;
  codeCountsAt: number;
  scoresAt: number;
}

/** See `BoostedTrees` for what the arrays hold. */
export interface BoostedTree extends GrownTree {
  values: Float32Array;
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

/**
 * All arrays but those of `tree` are views of the kernel's memory: they hold
 * until the next grower gets its buffers there.
 */
export class BoostingKernel {
  private readonly kernel: KernelInstance<BoostingExports>;
  private readonly rowCount: number;
  private readonly poolBytes: number;
  private stop: StopSignal | null = null;

  /** For growers of `rowCount` rows at most. */
  constructor(rowCount: number, poolBytes: number = POOL_BYTES) {
    this.rowCount = rowCount;
    this.poolBytes = poolBytes;
    this.kernel = instantiate(boostingModule(), rowCount * SCRATCH_ROW_BYTES, {
      "boosting-tree": { shouldStop: () => this.shouldStop() },
    });
    this.kernel.exports.prepareScratch(rowCount);
  }

  /** Allocates a grower's buffers: the caller fills in the codes; the scores are 0. */
  place(rowCount: number, codeCounts: Int32Array, outputCount: number, maxLeaves: number): BoostingPlace {
    const { exports } = this.kernel;
    const featureCount = codeCounts.length;
    const mostCodes = codeCounts.reduce((most, count) => Math.max(most, count), 1);
    const isWide = mostCodes > BYTE_CODES;
    const histogramBytes = CELL_BYTES * codeCounts.reduce((sum, count) => sum + count, 0);
    exports.reserve(featureCount, mostCodes, maxLeaves, Math.min(this.poolBytes, (maxLeaves + 1) * histogramBytes));
    const codesAt = exports.allocateBytes(rowCount * featureCount * (isWide ? 2 : 1));
    const codeCountsAt = exports.allocateBytes(4 * featureCount);
    const scoresAt = exports.allocateBytes(8 * rowCount * outputCount);
    new Int32Array(this.buffer, codeCountsAt, featureCount).set(codeCounts);
    return { rowCount, codeCounts, isWide, codesAt, codeCountsAt, scoresAt };
  }

  /** Codes feature by feature: 0 stands for missing and unseen. */
  codes({ isWide, codesAt, codeCounts, rowCount }: BoostingPlace): CodeArray {
    const count = rowCount * codeCounts.length;
    return isWide ? new Uint16Array(this.buffer, codesAt, count) : new Uint8Array(this.buffer, codesAt, count);
  }

  /** The scores of all rows for one output. */
  scores({ scoresAt, rowCount }: BoostingPlace, output: number): Float64Array {
    return new Float64Array(this.buffer, scoresAt + 8 * rowCount * output, rowCount);
  }

  /** Rows to learn from and other rows, for the caller to fill in before every tree. */
  rows(): Int32Array {
    return new Int32Array(this.buffer, this.kernel.exports.rowsAt(), this.rowCount);
  }

  others(): Int32Array {
    return new Int32Array(this.buffer, this.kernel.exports.othersAt(), this.rowCount);
  }

  /** Gradient pairs, each at its row's place, for the caller to fill in before every tree. */
  pairs(): GradientPairs {
    const { exports } = this.kernel;
    const gradients = new Float64Array(this.buffer, exports.gradientsAt(), this.rowCount);
    const hessians = new Float64Array(this.buffer, exports.hessiansAt(), this.rowCount);
    return pairsOver(gradients, hessians);
  }

  /**
   * Grows a tree with `features`, ascending, on the first `rowCount` rows, which have
   * pairs; takes the first `otherCount` others along. Returns its number of nodes, or -1
   * where the time was up and it was dropped. Throws `Cancelled`.
   */
  grow(
    place: BoostingPlace,
    settings: BoostingSettings,
    stepShare: number,
    features: Int32Array,
    pairs: GradientPairs,
    rowCount: number,
    otherCount: number,
    stop: StopSignal,
  ): number {
    const { exports } = this.kernel;
    const { maxDepth, maxLeaves, minLeafRows, l2 } = settings;
    const isBestFirst = maxDepth === null || maxLeaves < 2 ** maxDepth;
    this.stop = stop;
    exports.useMatrix(place.codesAt, place.codeCountsAt, place.rowCount, place.isWide);
    exports.setSettings(maxDepth ?? MOST_INT32, maxLeaves, minLeafRows, isBestFirst, l2, stepShare, GRADIENT_UNIT);
    exports.setUnits(pairs.countSpan, pairs.hessianUnit);
    this.layOut(features, place.codeCounts);
    return exports.grow(rowCount, otherCount, pairs.gradientSum, pairs.hessianSum);
  }

  /** Adds the values of the last tree's leaves to the scores of all its rows, for one output. */
  addToScores({ scoresAt, rowCount }: BoostingPlace, output: number): void {
    this.kernel.exports.addToScores(scoresAt + 8 * rowCount * output);
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

  private layOut(features: Int32Array, codeCounts: Int32Array): void {
    const { exports } = this.kernel;
    const starts = new Int32Array(this.buffer, exports.layoutStartsAt(), features.length);
    new Int32Array(this.buffer, exports.layoutFeaturesAt(), features.length).set(features);
    let cellCount = 0;
    for (let index = 0; index < features.length; index++) {
      starts[index] = cellCount;
      cellCount += codeCounts[features[index]!]!;
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
