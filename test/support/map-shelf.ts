// A shelf for the arrays of a model, on a map that a test may look into and spoil.
import type { StoredArray } from "../../engine/arrays/array-file.ts";
import type { ArrayShelf } from "../../engine/arrays/array-shelf.ts";

export function shelfOf(arrays: Map<string, StoredArray>): ArrayShelf {
  return {
    put: (name, array) => {
      arrays.set(name, array);
    },
    take: <A extends StoredArray>(name: string) => arrays.get(name) as A,
  };
}
