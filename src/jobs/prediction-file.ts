// Checks the header of a file to be scored against its model, before the prediction is queued.

import { statSync } from "node:fs";
import { readChecksum } from "../../engine/arrays/array-file.ts";
import { listNames, quotedName } from "../../engine/csv/header.ts";
import type { ChunkTaker, CsvHeader } from "../../engine/csv/types.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelSize } from "../../engine/memory/sizes.ts";
import { readModelColumns, readModelHead } from "../../engine/model/model-file.ts";
import { type ModelThreshold, readThreshold } from "../../engine/model/model-threshold.ts";
import { filterColumns } from "../../engine/scoring/column-filter.ts";
import { FileDialect, type ReadColumns } from "../../engine/scoring/file-dialect.ts";
import { namingHeaderLine } from "../../engine/scoring/header-line.ts";
import { requireColumns } from "../../engine/scoring/scorer.ts";
import { lookAtBeginning } from "../../engine/scoring/scoring-look.ts";
import { smallChunks, withParts } from "../../workers/reading/file-chunks.ts";

interface PredictionFileSettings {
  hasHeader: boolean;
  /** Columns of a refinement, where the file may still have those that it dropped. */
  originalColumns?: readonly string[] | null;
  /** Those of them that stand in the refinement's reduced file; by default what the model needs. */
  keptColumns?: readonly string[] | undefined;
  keyColumn?: string | null;
}

/**
 * Blocks while it reads at most the first megabyte.
 *
 * @throws ColumnMismatch (an InputError COLUMN_MISMATCH) where the columns do not fit, InputError COLUMN_NOT_FOUND
 * where the file lacks the column of the keys, UNREADABLE_COLUMN where the first megabyte has hardly a readable value
 * in a column, and what `readCsv` throws up to the header
 */
export function checkPredictionFile(
  path: string,
  model: ReadColumns,
  { hasHeader, originalColumns = null, keptColumns, keyColumn = null }: PredictionFileSettings,
): void {
  const needed = model.columns.map(({ name }) => name);
  let fileNames: readonly string[] = [];
  const openPieces = (taker: ChunkTaker) => smallChunks(path, taker);
  const start = ({ names: allNames, delimiter }: CsvHeader) => {
    fileNames = allNames;
    const names =
      originalColumns === null ? allNames : filterColumns(allNames, originalColumns, needed, keptColumns).names;
    return new FileDialect(model, requireColumns(needed, names), delimiter);
  };
  const dialect = namingHeaderLine(openPieces, hasHeader, () => lookAtBeginning(openPieces, start, hasHeader));
  dialect.requireReadable();
  if (keyColumn !== null && !fileNames.includes(keyColumn)) {
    const message = `The file has no column ${quotedName(keyColumn)} to find its rows by. It has ${listNames(fileNames)}.`;
    throw new InputError("COLUMN_NOT_FOUND", message, { line: 1, column: keyColumn });
  }
}

/** Reads only the columns of a stored model. @throws InputError where there is no model at the path */
export function modelColumns(path: string): ReadColumns {
  return withParts(path, readModelColumns);
}

/** How a stored model decides, where it has two classes. @throws InputError where there is no model at the path */
export function modelThreshold(path: string): ModelThreshold | null {
  return withParts(path, readThreshold);
}

/** The checksum of a stored model's content. */
export function modelChecksum(path: string): string {
  return String(withParts(path, (readAt) => readChecksum(readAt, statSync(path).size)));
}

/** The memory that a stored model needs for predictions. */
export function modelSize(path: string): ModelSize {
  return { sizeBytes: statSync(path).size, ...withParts(path, readModelHead) };
}
