// Drawn tables as the service reads them, and what their rows have in common.
import { expect } from "bun:test";
import { findDependence } from "../../engine/row-dependence/dependence.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { csvOf, type FieldTable } from "../bench/field-tables.ts";
import { readCsvText } from "./csv-table.ts";

/** A drawn table, read from a file. */
export function tableOf({ names, rows }: FieldTable) {
  return readCsvText(csvOf(names, rows));
}

/** The ways in which rows belong together, each with the column that tells it. */
export function bondsOf(drawn: FieldTable): [string, string | null][] {
  const { table, columns } = tableOf(drawn);
  const { found, isWhole } = findDependence(table, 1, neverStop);
  expect(isWhole).toBeTrue();
  return found.map(({ bond, column }) => [bond, column === null ? null : columns[column]!.name]);
}
