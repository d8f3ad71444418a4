// Growing storage of a forest's nodes.
import type { GrownTree } from "./forest-kernel.ts";

const FIRST_CAPACITY = 1024;

/** Nodes of the trees so far. */
export class ForestNodes implements GrownTree {
  count = 0;
  features = new Uint16Array(FIRST_CAPACITY);
  thresholds = new Uint16Array(FIRST_CAPACITY);
  children = new Int32Array(FIRST_CAPACITY);

  /** Appends a copy of a tree's nodes. */
  add({ features, thresholds, children }: GrownTree): void {
    this.reserve(children.length);
    this.features.set(features, this.count);
    this.thresholds.set(thresholds, this.count);
    this.children.set(children, this.count);
    this.count += children.length;
  }

  /** A compact copy. */
  values(): GrownTree {
    const { count } = this;
    return {
      features: this.features.slice(0, count),
      thresholds: this.thresholds.slice(0, count),
      children: this.children.slice(0, count),
    };
  }

  /** Sees to it that so many further nodes have room. */
  reserve(added: number): void {
    const needed = this.count + added;
    if (needed <= this.children.length) return;
    const capacity = Math.max(needed, this.children.length * 2);
    this.features = enlarged(this.features, new Uint16Array(capacity));
    this.thresholds = enlarged(this.thresholds, new Uint16Array(capacity));
    this.children = enlarged(this.children, new Int32Array(capacity));
  }
}

function enlarged<T extends Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
