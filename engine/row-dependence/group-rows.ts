// Rows of whole groups, drawn from all rows: a thinner sample of small groups would have lost their other rows.
import { mapped } from "../mapped.ts";
import { Random, shuffled } from "../random.ts";

/** Groups that share the rows, at least: of larger ones only some rows are taken. */
const SHARING_GROUPS = 50;

/**
 * Positions, ascending, of about `mostRows` rows whose values were drawn: all rows of a value, but of a frequent one at
 * most a fiftieth of `mostRows` (or an even share, with fewer values), spread over it. Without NaN. O(rows).
 */
export function drawWholeGroups(values: Float64Array, mostRows: number, seed: number): Uint32Array {
  const sizes = new Map<number, number>();
  for (const value of values) if (!Number.isNaN(value)) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const names = Float64Array.from(sizes.keys());
  const share = Math.ceil(mostRows / Math.min(SHARING_GROUPS, names.length));
  const drawnGroups = new Map<number, { size: number; most: number; seen: number }>();
  let rowCount = 0;
  for (const place of shuffled(names.keys(), new Random(seed))) {
    if (rowCount >= mostRows) break;
    const size = sizes.get(names[place]!)!;
    const most = Math.min(size, share);
    drawnGroups.set(names[place]!, { size, most, seen: 0 });
    rowCount += most;
  }
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    const group = drawnGroups.get(values[row]!);
    if (group === undefined) continue;
    const before = Math.floor((group.seen * group.most) / group.size);
    group.seen++;
    if (Math.floor((group.seen * group.most) / group.size) > before) rows[count++] = row;
  }
  return rows;
}

/** Numbers of groups; a missing cell is a group of its own. */
export function groupsOf(values: Float64Array): Uint32Array {
  const numbers = new Map<number, number>();
  return mapped(Uint32Array, values, (value, row) => {
    const key = Number.isNaN(value) ? -1 - row : value;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
}
