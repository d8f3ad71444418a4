// Allocates linear memory from the front. Nothing is freed alone, because a memory
// is dropped, or reset, with the work it was made for.

const PAGE_BYTES: usize = 65_536;
const ALIGNMENT: usize = 16;
/** The address of the first array. */
export const FIRST_ADDRESS: usize = ALIGNMENT;

/** Never address 0, which stands for none. */
let end: usize = ALIGNMENT;

/** Returns the address of bytes that are all 0. Traps where the machine has no more memory. */
function allocate(byteCount: usize): usize {
  const start = end;
  const behind = (start + byteCount + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  const held = usize(memory.size()) * PAGE_BYTES;
  if (behind > held) {
    if (memory.grow(i32((behind - held + PAGE_BYTES - 1) / PAGE_BYTES)) < 0) unreachable();
    // Recursion keeps the compiler from inlining this at some eighty calls.
    return allocate(byteCount);
  }
  end = behind;
  return start;
}

/** Frees all memory from an address on. */
export function reset(start: usize): void {
  memory.fill(start, 0, end - start);
  end = start;
}

/** Allocates `count` numbers of one type. */
export function allocateArray<T>(count: usize): usize {
  return allocate(count * sizeof<T>());
}

export function at<T>(array: usize, index: i32): T {
  return load<T>(array + usize(index) * sizeof<T>());
}

export function put<T>(array: usize, index: i32, value: T): void {
  store<T>(array + usize(index) * sizeof<T>(), value);
}

const LINE_BYTES: usize = 64;

/** Loads a table into the caches in order, in a fraction of the time that its lines take one by one. */
export function touch(table: usize, byteCount: usize): u32 {
  let sum: u32 = 0;
  for (let next = table; next < table + byteCount; next += LINE_BYTES) sum += load<u32>(next);
  return sum;
}
