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
/** Beside x or y these tell a map: alone, they may be any two measurements, or places on a part. */
const OF_A_MAP = new Set([
  ...["km", "mi", "miles", "utm", "gps", "geo", "map", "wgs", "gk", "lambert", "epsg"],
  ...["coord", "coords", "coordinate", "koord", "koordinate", "coordonnée", "coordenada"],
]);
/** Fewer are sites, whose rows have all of their columns of the site in common. */
const LEAST_VALUES = 50;
/** Areas of as many rows: two to the power of this. */
const CUTS = 4;

export interface Places {
  /** Columns of the file, in its order. */
  columns: readonly [number, number];
  /** The area of each row. */
  areas: Uint32Array;
}

/** Null without exactly one pair of coordinates. O(rows log rows). */
export function findPlaces(table: Table): Places | null {
  const [north, east] = [coordinate(table, NORTH, "y"), coordinate(table, EAST, "x")];
  if (north === null || east === null) return null;
  const areas = new Uint32Array(table.rowCount);
  cut(rowsUpTo(table.rowCount), [columnValues(table, north), columnValues(table, east)], 0, areas);
  return { columns: [Math.min(north, east), Math.max(north, east)], areas };
}

/** `axis`: of a map, such as y in `y_km`. */
function coordinate({ features }: Table, names: ReadonlySet<string>, axis: string): number | null {
  const isNamed = (name: string) => {
    const words = name
      .normalize("NFC")
      .toLowerCase()
      .split(/[^\p{L}]+/u);
    return words.some((word) => names.has(word) || (word === axis && words.some((other) => OF_A_MAP.has(other))));
  };
  const coordinates = features.filter(
    (feature) =>
      feature.kind === "number" &&
      feature.part === null &&
      levelCount(feature) >= LEAST_VALUES &&
      isNamed(feature.name),
  );
  return coordinates.length === 1 ? coordinates[0]!.column : null;
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
