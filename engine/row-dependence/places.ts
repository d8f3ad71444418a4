// Rows near each other on the map: soil, weather, prices and accidents resemble those of the next street, and say less
// of another town. Coordinates are known by their names.

import { mapped } from "../mapped.ts";
import { rowsUpTo } from "../row-lists.ts";
import { levelCount, type Table } from "../table/table.ts";
import { columnValues } from "./order-columns.ts";

const NORTH = new Set(["lat", "latitude", "latitud", "breitengrad", "northing", "hochwert"]);
const EAST = new Set([
  "lon",
  "lng",
  "long",
  "longitude",
  "longitud",
  "längengrad",
  "laengengrad",
  "easting",
  "rechtswert",
]);
/** Fewer are sites, whose rows have all of their columns of the site in common. */
const LEAST_VALUES = 50;
/** Areas of as many rows: two to the power of this. */
const CUTS = 4;

export interface Places {
  /** Columns of the file. */
  columns: readonly [number, number];
  /** The area of each row. */
  areas: Uint32Array;
}

/** Null without exactly one pair of coordinates. O(rows log rows). */
export function findPlaces(table: Table): Places | null {
  const [north, east] = [coordinate(table, NORTH), coordinate(table, EAST)];
  if (north === null || east === null) return null;
  const areas = new Uint32Array(table.rowCount);
  cut(rowsUpTo(table.rowCount), [columnValues(table, north), columnValues(table, east)], 0, areas);
  return { columns: [north, east], areas };
}

function coordinate({ features }: Table, names: ReadonlySet<string>): number | null {
  const found = features.filter(
    (feature) =>
      feature.kind === "number" &&
      feature.part === null &&
      levelCount(feature) >= LEAST_VALUES &&
      feature.name
        .normalize("NFC")
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .some((word) => names.has(word)),
  );
  return found.length === 1 ? found[0]!.column : null;
}

/** Halves the rows by the one coordinate and the other in turn; missing ones are the last. */
function cut(
  rows: Uint32Array,
  [first, second]: readonly [Float64Array, Float64Array],
  depth: number,
  areas: Uint32Array,
): void {
  if (depth === CUTS) {
    const area = rows[0] ?? 0;
    for (const row of rows) areas[row] = area;
    return;
  }
  const keys = mapped(Float64Array, rows, (row) =>
    Number.isNaN(first[row]!) ? Number.POSITIVE_INFINITY : first[row]!,
  );
  const order = rowsUpTo(rows.length).sort((a, b) => keys[a]! - keys[b]! || a - b);
  const ordered = order.map((at) => rows[at]!);
  const middle = ordered.length >> 1;
  cut(ordered.subarray(0, middle), [second, first], depth + 1, areas);
  cut(ordered.subarray(middle), [second, first], depth + 1, areas);
}
