// Coordinates are known by their names, areas hold about as many rows each, and what they cost is told.
import { describe, expect, test } from "bun:test";
import { findPlaces, type Places } from "../../../engine/row-dependence/places.ts";
import { drawPlaces, type FieldTable } from "../../bench/field-tables.ts";
import { bondsOf, tableOf } from "../../support/drawn-tables.ts";

const drawn = drawPlaces(60, 20, 3, 1);

function placesOf(change: Partial<FieldTable>): Places | null {
  return findPlaces(tableOf({ ...drawn, ...change }).table);
}

function named(north: string, east: string): readonly string[] {
  return [north, east, ...drawn.names.slice(2)];
}

test.each([
  ["lat", "lon"],
  ["Latitude", "Longitude"],
  ["gps.lat", "GPS LNG"],
  ["Breitengrad", "L\u00e4ngengrad"],
  ["Breitengrad", "La\u0308ngengrad"],
  ["easting_m", "northing_m"],
  ["x_km", "y_km"],
  ["UTM X (m)", "UTM Y (m)"],
  ["coord.y", "coord.x"],
])("%s and %s are coordinates", (first, second) => {
  expect(placesOf({ names: named(first, second) })!.columns).toEqual([0, 1]);
});

test.each([
  ["flat", "balloon"],
  ["lat", "x"],
  ["x", "y"],
  ["x_mm", "y_mm"],
  ["x_km", "x2_km"],
])("%s and %s are none", (first, second) => {
  expect(placesOf({ names: named(first, second) })).toBeNull();
});

test("two pairs are not told apart, and few places are sites", () => {
  expect(placesOf({ names: ["lat", "lon", "to_lat", "to_lon", ...drawn.names.slice(4)] })).toBeNull();
  const rows = drawn.rows.map(([lat, lon, ...others]) => [Number(lat).toFixed(1), Number(lon).toFixed(0), ...others]);
  expect(placesOf({ rows })).toBeNull();
});

test("areas hold the rows that are near, about as many each; a missing coordinate is an area's, too", () => {
  const rows = drawn.rows.map((row, at) => (at % 50 === 0 ? ["", ...row.slice(1)] : row));
  const { areas } = placesOf({ rows })!;
  const sizes = Map.groupBy(areas, (area) => area)
    .values()
    .map((own) => own.length)
    .toArray();
  expect([sizes.length, Math.min(...sizes), Math.max(...sizes)]).toEqual([16, 75, 75]);
  const ofArea = (area: number) => drawn.rows.filter((_, row) => areas[row] === area && row % 50 !== 0);
  const spread = (cells: string[]) => Math.max(...cells.map(Number)) - Math.min(...cells.map(Number));
  const areaSpreads = [...new Set(areas)].map((area) => spread(ofArea(area).map(([, lon]) => lon!)));
  expect(Math.min(...areaSpreads)).toBeLessThan(2);
});

describe("what rows of other places cost", () => {
  test.each([1, 2, 3])("is told where the label goes by the place: draw %d", (seed) => {
    expect(bondsOf(drawPlaces(60, 20, 3, seed)).map(([bond]) => bond)).toContain("places");
  });

  test.each([1, 2, 3])("is not told where it does not: draw %d", (seed) => {
    expect(bondsOf(drawPlaces(60, 20, 0, seed))).toEqual([]);
  });
});
