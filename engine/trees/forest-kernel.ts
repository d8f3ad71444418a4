// The forest kernel: trees grown by WebAssembly, in a memory that forests may take one after the other.
import type { FitInput } from "../fitting/family.ts";
import encoded from "../kernels/forest.wasm.txt" with { type: "text" };
import type { Random } from "../random.ts";
import { Idle, instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
import type { ForestSettings } from "./forest.ts";
import { codeCountsOf, copyRows } from "./forest-rows.ts";
import type { GrownTree } from "./grown-trees.ts";

/** The exports of `kernels/forest.ts`; addresses are in bytes. */
interface ForestExports {
  prepare(rowCount: number, featureCount: number, classCount: number, mostCodes: number, isWide: boolean): void;
  setSettings(isRandomCut: boolean, featuresPerSplit: number, minLeafRows: number, maxDepth: number): void;
  setRandom(a: number, b: number, c: number, d: number): void;
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

/** Codes that fit a byte. */
const BYTE_CODES = 256;
const MOST_INT32 = 0x7fff_ffff;
/** Bytes of a row beside its codes: items and others twice, class, draws, leaf, two nodes. */
const ROW_BYTES = 2 * 8 + 2 * 4 + 1 + 4 + 4 + 2 * 8;

const forestModule = /* @__PURE__ */ lazyModule(encoded);

/** An instance, and what it asks whether to stop. */
interface Room extends KernelInstance<ForestExports> {
  user: { shouldStop(): boolean };
}

const idle = new Idle<Room>();

/** All arrays but `nodes` are views of the kernel's memory: they hold until the next tree. */
export class ForestKernel {
  private readonly kernel: Room;
  private readonly rowCount: number;
  private readonly featureCount: number;
  private readonly classCount: number;

  /**
   * Copies the codes and classes of `input.rows`. `shouldStop` is called about once a millisecond of growth; if it
   * returns true, the tree is dropped. It may throw.
   */
  constructor(input: FitInput, settings: ForestSettings, shouldStop: () => boolean) {
    const codeCounts = codeCountsOf(input);
    const [rowCount, featureCount] = [input.rows.length, codeCounts.length];
    const mostCodes = codeCounts.reduce((most, count) => Math.max(most, count), 1);
    const isWide = mostCodes > BYTE_CODES;
    this.rowCount = rowCount;
    this.featureCount = featureCount;
    this.classCount = input.classCount;
    const byteCount = rowCount * (featureCount * (isWide ? 2 : 1) + ROW_BYTES);
    this.kernel = idle.take() ?? createRoom(byteCount);
    this.kernel.user = { shouldStop };
    const { exports } = this.kernel;
    const { variant, featuresPerSplit, minLeafRows, maxDepth } = settings;
    exports.setSettings(
      variant === "extra-trees",
      Math.min(featuresPerSplit, MOST_INT32),
      Math.min(minLeafRows, MOST_INT32),
      Math.min(maxDepth ?? MOST_INT32, MOST_INT32),
    );
    exports.prepare(rowCount, featureCount, input.classCount, mostCodes, isWide);
    new Int32Array(this.buffer, exports.codeCountsAt(), featureCount).set(codeCounts);
    const codes = new (isWide ? Uint16Array : Uint8Array)(this.buffer, exports.codesAt(), rowCount * featureCount);
    copyRows(input, codes, this.classes());
  }

  /** Classes of the rows. */
  classes(): Uint8Array {
    return new Uint8Array(this.buffer, this.kernel.exports.classesAt(), this.rowCount);
  }

  /** How often each row is drawn for the next tree, at least one of them. */
  drawn(): Int32Array {
    return new Int32Array(this.buffer, this.kernel.exports.drawnAt(), this.rowCount);
  }

  /**
   * Grows a tree on the drawn rows and returns its number of nodes, or -1 if it was dropped.
   * The kernel goes on with `random`, which must not be used afterwards. With `takesVotes`,
   * `leafOfOther` then holds the leaves of the other rows.
   */
  grow(random: Random, takesVotes: boolean): number {
    const { exports } = this.kernel;
    exports.setRandom(...random.state());
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
    return new Float64Array(this.buffer, this.kernel.exports.gainsAt(), this.featureCount);
  }

  /** The leaf of the last tree for each row that was not drawn; meaningless for drawn rows. */
  leafOfOther(): Int32Array {
    return new Int32Array(this.buffer, this.kernel.exports.leafOfOtherAt(), this.rowCount);
  }

  /** Class shares of all leaves so far, `classCount` each; equal ones are stored once. */
  leafShares(): Float32Array {
    const { exports } = this.kernel;
    return new Float32Array(this.buffer, exports.leafSharesAt(), exports.leafCount() * this.classCount);
  }

  get leafCount(): number {
    return this.kernel.exports.leafCount();
  }

  /** Forgets the leaves from `count` on. */
  dropLeavesFrom(count: number): void {
    this.kernel.exports.dropLeavesFrom(count);
  }

  /** Leaves the memory to the next forest. Call once, after the last use of the kernel. */
  giveBack(): void {
    idle.giveBack(this.kernel);
  }

  private get buffer(): ArrayBuffer {
    return this.kernel.memory.buffer as ArrayBuffer;
  }
}

function createRoom(byteCount: number): Room {
  const user = { shouldStop: () => false };
  const room: Room = Object.assign(
    instantiate<ForestExports>(forestModule(), byteCount, { tree: { shouldStop: () => room.user.shouldStop() } }),
    { user },
  );
  return room;
}
