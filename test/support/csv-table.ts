// A table of a CSV text, read from a file as training reads it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { neverStop } from "../../engine/stop-signal.ts";
import type { ReadTableRequest } from "../../workers/reading/profile-file.ts";
import { readTable, type TableAnswer } from "../../workers/reading/read-table.ts";

/** The last column is the label, unless `asked` names another. */
export function readCsvText(csv: string, asked: Partial<ReadTableRequest> = {}): TableAnswer {
  const folder = mkdtempSync(join(tmpdir(), "cupel-test-"));
  try {
    const path = join(folder, "table.csv");
    writeFileSync(path, csv);
    return readTable({ label: null, missingMarkers: null, ...asked, path }, neverStop);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
