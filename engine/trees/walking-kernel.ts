// The walking kernel: rows down trees by WebAssembly, in a memory that callers share in turn or in one of their own.
import encoded from "../kernels/walking.wasm.txt" with { type: "text" };
import { growTo, Idle, instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";

/** The exports of `kernels/walking.ts`; addresses are in bytes. */
export interface WalkingExports {
  walk(nodes: number, codes: number, stride: number, count: number, root: number, leaves: number): void;
  walkRow(nodes: number, codes: number, roots: number, count: number, leaves: number): void;
}

/** A page of WebAssembly memory. */
const PAGE_BYTES = 2 ** 16;
/** The kernel keeps nothing of its own in memory; address 0 stays unused. */
const NODES_AT = 16;
const NODE_BYTES = 8;

const walkingModule = /* @__PURE__ */ lazyModule(encoded);
const idle = new Idle<WalkingKernel>();

/** A kernel with a memory of its own. */
export function createWalking(byteCount: number): KernelInstance<WalkingExports> {
  return instantiate(walkingModule(), byteCount, {});
}

export class WalkingKernel {
  /** Two words a node. */
  nodes = new Int32Array(0);
  codes = new Uint16Array(0);
  leaves = new Uint32Array(0);
  private readonly kernel: KernelInstance<WalkingExports> = createWalking(PAGE_BYTES);

  /**
   * A kernel for trees and blocks of rows of these sizes. Its arrays hold what the last user left.
   */
  static take(nodeCount: number, codeCount: number, rowCount: number): WalkingKernel {
    const kernel = idle.take() ?? new WalkingKernel();
    kernel.makeRoom(nodeCount, codeCount, rowCount);
    return kernel;
  }

  /** Call once, after the last use of its arrays. */
  giveBack(): void {
    idle.giveBack(this);
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
    growTo(memory, codesAt + 2 * codeCount);
    this.nodes = new Int32Array(memory.buffer, NODES_AT, 2 * nodeCount);
    this.leaves = new Uint32Array(memory.buffer, leavesAt, rowCount);
    this.codes = new Uint16Array(memory.buffer, codesAt, codeCount);
  }
}
