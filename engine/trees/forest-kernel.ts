// The forest kernel: trees grown by WebAssembly over a memory of their own, which goes with the kernel.
import type { CodeArray } from "../buckets.ts";
import encoded from "../kernels/forest.wasm.txt" with { type: "text" };
import type { Random } from "../random.ts";
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
import type { GrownTree } from "./grown-trees.ts";

/** What `kernels/forest.ts` exports; addresses are in bytes. */
interface ForestExports {
  prepare(rowCount: number, featureCount: number, classCount: number, mostCodes: number, isWide: boolean): void;
  setSettings(isRandomCut: boolean, featuresPerSplit: number, minLeafRows: number, maxDepth: number): void;
  setRandom(a: number, b: number, c: number, d: number): void;
  drawBootstrap(drawCount: number): void;
  drawSample(count: number): void;
  grow(takesVotes: boolean): number;
  leafCount(): number;
  dropLeavesFrom(count: number): void;
  leafSharesAt(): number;
  codesAt(): number;
  codeCountsAt(): number;
  classesAt(): number;
  drawnAt(): number;
  gainsAt(): number;
  featuresAt(): number;
  thresholdsAt(): number;
  childrenAt(): number;
  leafOfOtherAt(): number;
}

export interface ForestShape {
  rowCount: number;
  classCount: number;
  /** Exclusive upper bound of each feature's codes. */
  codeCounts: Int32Array;
}

/** As in the settings of a forest, with every limit a number. */
export interface TreeSettings {
  isRandomCut: boolean;
  featuresPerSplit: number;
  minLeafRows: number;
  maxDepth: number;
}

/** The largest code that fits a byte is 255. */
const BYTE_CODES = 256;
const MOST_INT32 = 0x7fff_ffff;
/** Of a row, beside its codes: items and others twice, class, draws, leaf, two nodes. */
const ROW_BYTES = 2 * 8 + 2 * 4 + 1 + 4 + 4 + 2 * 8;

const forestModule = lazyModule(encoded);

/** All arrays but `nodes` are views of the kernel's memory: they hold until the next tree. */
export class ForestKernel {
  private readonly kernel: KernelInstance<ForestExports>;
  private readonly shape: ForestShape;
  private readonly isWide: boolean;

  /** `shouldStop` is asked after every millisecond or so of growth; where it is true, the tree is dropped. It may throw. */
  constructor(shape: ForestShape, settings: TreeSettings, shouldStop: () => boolean) {
    const { rowCount, classCount, codeCounts } = shape;
    const featureCount = codeCounts.length;
    const mostCodes = codeCounts.reduce((most, count) => Math.max(most, count), 1);
    this.shape = shape;
    this.isWide = mostCodes > BYTE_CODES;
    const byteCount = rowCount * (featureCount * (this.isWide ? 2 : 1) + ROW_BYTES);
    this.kernel = instantiate(forestModule(), byteCount, { tree: { shouldStop } });
    const { exports } = this.kernel;
    const { isRandomCut, featuresPerSplit, minLeafRows, maxDepth } = settings;
    exports.setSettings(isRandomCut, atMost(featuresPerSplit), atMost(minLeafRows), atMost(maxDepth));
    exports.prepare(rowCount, featureCount, classCount, mostCodes, this.isWide);
    new Int32Array(this.buffer, exports.codeCountsAt(), featureCount).set(codeCounts);
  }

  /** Codes feature by feature, for the caller to fill in: 0 stands for every code that tells nothing. */
  codes(): CodeArray {
    const { rowCount, codeCounts } = this.shape;
    const start = this.kernel.exports.codesAt();
    const length = rowCount * codeCounts.length;
    return this.isWide ? new Uint16Array(this.buffer, start, length) : new Uint8Array(this.buffer, start, length);
  }

  /** Classes of the rows, for the caller to fill in. */
  classes(): Uint8Array {
    return new Uint8Array(this.buffer, this.kernel.exports.classesAt(), this.shape.rowCount);
  }

  /** Takes over a generator, which must not be used any more. */
  setRandom(random: Random): void {
    this.kernel.exports.setRandom(...random.state());
  }

  /** Draws rows for the next tree with replacement. */
  drawBootstrap(drawCount: number): void {
    this.kernel.exports.drawBootstrap(drawCount);
  }

  /** Chooses `count` rows for the next tree, at least one. */
  drawSample(count: number): void {
    this.kernel.exports.drawSample(count);
  }

  /** How often each row is drawn for the next tree, at least one of them. */
  drawn(): Int32Array {
    return new Int32Array(this.buffer, this.kernel.exports.drawnAt(), this.shape.rowCount);
  }

  /**
   * Grows a tree on the drawn rows and returns its number of nodes, or -1 if it was dropped. With `takesVotes`, `leafOfOther`
   * then holds the leaves of the other rows.
   */
  grow(takesVotes: boolean): number {
    const { exports } = this.kernel;
    const leafCount = exports.leafCount();
    const nodeCount = exports.grow(takesVotes);
    if (nodeCount < 0) exports.dropLeavesFrom(leafCount);
    return nodeCount;
  }

  /** A copy of the nodes of the last tree. */
  nodes(count: number): GrownTree {
    const { buffer } = this;
    const { exports } = this.kernel;
    return {
      features: new Uint16Array(buffer, exports.featuresAt(), count).slice(),
      thresholds: new Uint16Array(buffer, exports.thresholdsAt(), count).slice(),
      children: new Int32Array(buffer, exports.childrenAt(), count).slice(),
    };
  }

  /** Gini decrease by feature of the splits of the last tree, in rows. */
  gains(): Float64Array {
    return new Float64Array(this.buffer, this.kernel.exports.gainsAt(), this.shape.codeCounts.length);
  }

  /** The leaf of the last tree that each row that was not drawn ends in; without meaning for the others. */
  leafOfOther(): Int32Array {
    return new Int32Array(this.buffer, this.kernel.exports.leafOfOtherAt(), this.shape.rowCount);
  }

  /** Class shares of all leaves so far, `classCount` each; equal ones are stored once. */
  leafShares(): Float32Array {
    const { exports } = this.kernel;
    return new Float32Array(this.buffer, exports.leafSharesAt(), exports.leafCount() * this.shape.classCount);
  }

  get leafCount(): number {
    return this.kernel.exports.leafCount();
  }

  /** Forgets the leaves from `count` on. */
  dropLeavesFrom(count: number): void {
    this.kernel.exports.dropLeavesFrom(count);
  }

  private get buffer(): ArrayBuffer {
    return this.kernel.memory.buffer as ArrayBuffer;
  }
}

function atMost(limit: number): number {
  return Math.min(limit, MOST_INT32);
}
