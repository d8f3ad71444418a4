// Drawn tables as the service reads them, and what their rows have in common.
import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDependence } from "../../engine/row-dependence/dependence.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { csvOf, type FieldTable } from "../bench/field-tables.ts";

/** A drawn table, read from a file. */
export function tableOf({ names, rows }: FieldTable) {
  const folder = mkdtempSync(join(tmpdir(), "cupel-look-"));
  try {
    const path = join(folder, "drawn.csv");
    writeFileSync(path, csvOf(names, rows));
    return readTable({ path, label: null, missingMarkers: null }, neverStop);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The ways in which rows belong together, each with the column that tells it. */
export function bondsOf(drawn: FieldTable): [string, string | null][] {
  const { table, columns } = tableOf(drawn);
  const { found, isWhole } = findDependence(table, 1, neverStop);
  expect(isWhole).toBeTrue();
  return found.map(({ bond, column }) => [bond, column === null ? null : columns[column]!.name]);
}
