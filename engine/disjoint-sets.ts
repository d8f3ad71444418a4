// Disjoint sets of rows: union and find.

/** Disjoint sets with their sizes. */
export class DisjointSets {
  private readonly parent: Int32Array;
  private readonly size: Int32Array;

  constructor(count: number) {
    this.parent = Int32Array.from({ length: count }, (_, row) => row);
    this.size = new Int32Array(count).fill(1);
  }

  rootOf(row: number): number {
    let root = row;
    while (this.parent[root] !== root) {
      this.parent[root] = this.parent[this.parent[root]!]!;
      root = this.parent[root]!;
    }
    return root;
  }

  sizeOf(row: number): number {
    return this.size[this.rootOf(row)]!;
  }

  /** The size of the joined set. */
  join(a: number, b: number): number {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (rootA !== rootB) {
      this.parent[rootB] = rootA;
      this.size[rootA]! += this.size[rootB]!;
    }
    return this.size[rootA]!;
  }
}
