// WebAssembly modules from their text, compiled once a thread, and instances of them over memories of their own.

const PAGE_BYTES = 65_536;
/** The pages that 32-bit addresses reach: 4 GiB. */
const MOST_PAGES = 65_536;

/** A compiled kernel, when it is first asked for. `encoded` is the module's bytes in base64. */
export function lazyModule(encoded: string): () => WebAssembly.Module {
  let module: WebAssembly.Module | null = null;
  return () => {
    // Not `Uint8Array.fromBase64`, which older browsers and Node lack: readers score there.
    module ??= new WebAssembly.Module(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
    return module;
  };
}

export interface KernelInstance<Exports> {
  exports: Exports;
  /** After it has grown, `buffer` is another object. */
  memory: WebAssembly.Memory;
}

/**
 * The kernel given back last, until the collector takes it: making and first filling a memory takes as long as a fit of
 * few rows.
 */
export class Idle<Kernel extends object> {
  private kernel: WeakRef<Kernel> | null = null;

  /** Its memory holds what the last user left. */
  take(): Kernel | null {
    const kernel = this.kernel?.deref() ?? null;
    this.kernel = null;
    return kernel;
  }

  /** Call once, after the last use. */
  giveBack(kernel: Kernel): void {
    this.kernel = new WeakRef(kernel);
  }
}

/** Has a memory grow to `byteCount` bytes or more, which makes its `buffer` another one. */
export function growTo(memory: WebAssembly.Memory, byteCount: number): void {
  const lacking = byteCount - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE_BYTES));
}

/**
 * An instance with a memory of `byteCount` bytes, all 0, which grows at need and goes when nothing
 * holds the instance any more. `imports` are the functions that its sources declare, by source
 * file. Throws RangeError if there is not enough memory.
 */
export function instantiate<Exports>(
  module: WebAssembly.Module,
  byteCount: number,
  imports: Record<string, Record<string, () => boolean>>,
): KernelInstance<Exports> {
  const initial = Math.max(1, Math.ceil(byteCount / PAGE_BYTES));
  if (initial > MOST_PAGES) throw new RangeError(`a kernel of ${byteCount} bytes`);
  const memory = new WebAssembly.Memory({ initial, maximum: MOST_PAGES });
  const instance = new WebAssembly.Instance(module, { ...imports, env: { memory } });
  return { exports: instance.exports as Exports, memory };
}
