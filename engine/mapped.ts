// Typed arrays of what a function makes of items.
import type { NumberArray } from "./concatenate.ts";

/** Like `type.from(items, make)`, but ten times as fast: that first makes a list by the items' iterator. */
export function mapped<A extends NumberArray, T>(
  type: new (length: number) => A,
  items: ArrayLike<T>,
  make: (item: T, index: number) => number,
): A {
  const values = new type(items.length);
  for (let index = 0; index < values.length; index++) values[index] = make(items[index]!, index);
  return values;
}
