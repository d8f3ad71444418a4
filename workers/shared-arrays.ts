// Copies values into shared memory, so that messages to threads copy no typed array.
import type { StoredArray } from "../engine/arrays/array-file.ts";

/** A copy of a value made of plain objects, lists, texts, numbers and typed arrays; what is shared already stays. */
export function onSharedMemory<T>(value: T): T {
  if (ArrayBuffer.isView(value)) return sharedCopy(value as unknown as StoredArray) as unknown as T;
  if (Array.isArray(value)) return value.map(onSharedMemory) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, onSharedMemory(part)])) as T;
}

function sharedCopy(array: StoredArray): StoredArray {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const ofType = array.constructor as new (buffer: SharedArrayBuffer) => StoredArray;
  const copy = new ofType(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
