// The shelf that the parts of a model put their arrays on, and take them from.
import type { StoredArray } from "./array-file.ts";

/** The arrays of a file by name. Reading one that is not there, or of another element type, throws. */
export interface ArrayShelf {
  put(name: string, array: StoredArray): void;
  take<A extends StoredArray>(name: string): A;
}
