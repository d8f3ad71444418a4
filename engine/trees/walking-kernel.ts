// The walking kernel: rows down trees by WebAssembly, over a memory that the next walker takes over or of one's own.
import encoded from "../kernels/walking.wasm.txt" with { type: "text" };
import { instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";

/** What kernels/walking.ts exports; addresses are in bytes. */
export interface WalkingExports {
  walk(nodes: number, codes: number, stride: number, count: number, root: number, leaves: number): void;
  walkRow(nodes: number, codes: number, roots: number, count: number, leaves: number): void;
}

const PAGE_BYTES = 2 ** 16;
/** Nothing of the kernel's own is in its memory, and address 0 is nobody's. */
const NODES_AT = 16;
const NODE_BYTES = 8;

const walkingModule = lazyModule(encoded);
/** One that its walker gave back, for as long as the collector leaves it: a memory is dear to make, and large. */
let idle: WeakRef<WalkingKernel> | null = null;

/** One of one's own. */
export function createWalking(byteCount: number): KernelInstance<WalkingExports> {
  return instantiate(walkingModule(), byteCount, {});
}

export class WalkingKernel {
  /** Two words a node. */
  nodes = new Int32Array(0);
  codes = new Uint16Array(0);
  leaves = new Uint32Array(0);
  private readonly kernel: KernelInstance<WalkingExports> = createWalking(PAGE_BYTES);

  /** One with room for trees of so many nodes, and blocks of so many codes and rows; what is there is somebody else's. */
  static take(nodeCount: number, codeCount: number, rowCount: number): WalkingKernel {
    const kernel = idle?.deref() ?? new WalkingKernel();
    idle = null;
    kernel.makeRoom(nodeCount, codeCount, rowCount);
    return kernel;
  }

  /** Call once, after the last use of its arrays. */
  giveBack(): void {
    idle = new WeakRef(this);
  }

  /** Writes the leaves of the first `count` rows, as nodes counted from `root`. `stride`: codes of each row. */
  walk(stride: number, count: number, root: number): void {
    const { nodes, codes, leaves, kernel } = this;
    kernel.exports.walk(nodes.byteOffset, codes.byteOffset, stride, count, root, leaves.byteOffset);
  }

  private makeRoom(nodeCount: number, codeCount: number, rowCount: number): void {
    const { memory } = this.kernel;
    const leavesAt = NODES_AT + NODE_BYTES * nodeCount;
    const codesAt = leavesAt + 4 * rowCount;
    const lacking = codesAt + 2 * codeCount - memory.buffer.byteLength;
    if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE_BYTES));
    this.nodes = new Int32Array(memory.buffer, NODES_AT, 2 * nodeCount);
    this.leaves = new Uint32Array(memory.buffer, leavesAt, rowCount);
    this.codes = new Uint16Array(memory.buffer, codesAt, codeCount);
  }
}
