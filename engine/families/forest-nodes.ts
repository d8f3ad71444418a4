// Growing storage of a forest's nodes and of its leaf class shares, each distinct vector of shares stored once.
import type { Forest } from "./forest.ts";

/** Nodes of the trees so far. */
export interface NodeStore {
  count: number;
  features: Uint16Array;
  thresholds: Uint16Array;
  children: Int32Array;
}

function newNodeStore(): NodeStore {
  const capacity = 1024;
  return {
    count: 0,
    features: new Uint16Array(capacity),
    thresholds: new Uint16Array(capacity),
    children: new Int32Array(capacity),
  };
}

/** Makes room for `added` nodes more. */
export function reserveNodes(store: NodeStore, added: number): void {
  const needed = store.count + added;
  if (needed <= store.children.length) return;
  const capacity = Math.max(needed, store.children.length * 2);
  store.features = enlarged(store.features, new Uint16Array(capacity));
  store.thresholds = enlarged(store.thresholds, new Uint16Array(capacity));
  store.children = enlarged(store.children, new Int32Array(capacity));
}

function enlarged<T extends Uint16Array | Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Distinct class-share vectors and an open-addressing table of their indexes. */
class LeafDistributions {
  private readonly classCount: number;
  private held = 0;
  private shares: Float32Array;
  /** The bits of `shares`, for hashing. */
  private bits: Int32Array;
  /** Distribution index + 1, or 0 where free; at most half full. */
  private table = new Int32Array(256);

  constructor(classCount: number) {
    this.classCount = classCount;
    this.shares = new Float32Array(128 * classCount);
    this.bits = new Int32Array(this.shares.buffer);
  }

  /** How many distinct vectors there are. */
  get count(): number {
    return this.held;
  }

  /** The index of the shares `totals / weight`, rounded to single precision. */
  indexOf(totals: Float64Array, weight: number): number {
    const { classCount } = this;
    if ((this.held + 1) * 2 > this.table.length) this.enlarge();
    const start = this.held * classCount;
    for (let k = 0; k < classCount; k++) this.shares[start + k] = totals[k]! / weight;
    const mask = this.table.length - 1;
    let slot = this.hash(start) & mask;
    for (;;) {
      const entry = this.table[slot]!;
      if (entry === 0) break;
      if (this.equal((entry - 1) * classCount, start)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    this.held++;
    this.table[slot] = this.held;
    return this.held - 1;
  }

  /** Adds one vector of shares to `sums` from `start` on. */
  addTo(sums: Float64Array, start: number, index: number): void {
    const { classCount, shares } = this;
    const from = index * classCount;
    for (let k = 0; k < classCount; k++) sums[start + k]! += shares[from + k]!;
  }

  /** A copy of the shares found so far. */
  values(): Float32Array {
    return this.shares.slice(0, this.held * this.classCount);
  }

  private hash(start: number): number {
    let state = 0x9e3779b9 | 0;
    for (let k = 0; k < this.classCount; k++) {
      state = Math.imul(state ^ this.bits[start + k]!, 0x85ebca6b);
      state ^= state >>> 15;
    }
    return state;
  }

  private equal(left: number, right: number): boolean {
    for (let k = 0; k < this.classCount; k++) if (this.bits[left + k] !== this.bits[right + k]) return false;
    return true;
  }

  /** Drops all vectors from `count` on. */
  dropFrom(count: number): void {
    if (count === this.held) return;
    this.held = count;
    this.fillTable();
  }

  /** Doubles the table and the room for shares: one vector more than half the table fits. */
  private enlarge(): void {
    const size = this.table.length * 2;
    this.shares = enlarged(this.shares, new Float32Array((size / 2) * this.classCount));
    this.bits = new Int32Array(this.shares.buffer);
    this.table = new Int32Array(size);
    this.fillTable();
  }

  private fillTable(): void {
    const mask = this.table.length - 1;
    this.table.fill(0);
    for (let index = 0; index < this.held; index++) {
      let slot = this.hash(index * this.classCount) & mask;
      while (this.table[slot] !== 0) slot = (slot + 1) & mask;
      this.table[slot] = index + 1;
    }
  }
}

/** What growing adds to: nodes and leaf shares. */
export interface Trees {
  nodes: NodeStore;
  leaves: LeafDistributions;
}

export function noTrees(classCount: number): Trees {
  return { nodes: newNodeStore(), leaves: new LeafDistributions(classCount) };
}

/** A compact copy of everything grown so far. */
export function packForest(trees: Trees, roots: readonly number[], featureCount: number, classCount: number): Forest {
  const { nodes, leaves } = trees;
  return {
    kind: "forest",
    classCount,
    featureCount,
    roots: Uint32Array.from(roots),
    features: nodes.features.slice(0, nodes.count),
    thresholds: nodes.thresholds.slice(0, nodes.count),
    children: nodes.children.slice(0, nodes.count),
    distributions: leaves.values(),
  };
}
