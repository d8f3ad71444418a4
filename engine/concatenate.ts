// Typed arrays one after the other in one, and arrays that grow.

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

export function concatenate<A extends NumberArray>(type: new (length: number) => A, parts: readonly A[]): A {
  const joined = new type(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** A copy with room for `least` values, and for twice as many as before. */
export function enlarged<A extends NumberArray>(array: A, least = 0): A {
  const larger = new (array.constructor as new (length: number) => A)(Math.max(least, 2 * array.length));
  larger.set(array);
  return larger;
}
