// A look at the header of a file to be scored and at its model, before anybody waits for its prediction.

import { statSync } from "node:fs";
import type { ChunkTaker } from "../../engine/csv/shapes.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelSize } from "../../engine/memory-need.ts";
import { modelHeadLength, readModelColumns } from "../../engine/model/model-file.ts";
import { filterColumns } from "../../engine/scoring/column-filter.ts";
import { FileDialect, type ReadColumns } from "../../engine/scoring/file-dialect.ts";
import { requireColumns } from "../../engine/scoring/scorer.ts";
import { lookAtBeginning } from "../../engine/scoring/scoring-look.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { fileChunks, withParts } from "../../workers/file-chunks.ts";

/** Read at a time until the header is known. */
const PIECE_BYTES = 1 << 20;

/**
 * `originalColumns`: those of the refinement that the model's dataset came from, null where it came from none;
 * `strip`: whether the file may still have those that the refinement dropped. Blocks for the time of reading the first
 * megabyte at most.
 *
 * @throws ColumnMismatch (an InputError COLUMN_MISMATCH) where the columns do not fit, InputError FILTER_NOT_APPLICABLE
 * where there is nothing to strip by, UNREADABLE_COLUMN where the first megabyte has nearly no value of a column that can be
 * read, and what `readCsv` throws up to the header
 */
export function checkPredictionFile(
  path: string,
  model: ReadColumns,
  originalColumns: readonly string[] | null,
  { strip, hasHeader }: { strip: boolean; hasHeader: boolean },
): void {
  if (strip && originalColumns === null) {
    const message = "The model's dataset did not come from a refinement, so there are no columns to filter by.";
    throw new InputError("FILTER_NOT_APPLICABLE", message);
  }
  const needed = model.columns.map(({ name }) => name);
  const dialect = lookAtBeginning(
    (taker) => piecesOf(path, taker),
    ({ names: own, delimiter }) => {
      const names = strip ? filterColumns(own, originalColumns!, needed).names : own;
      return new FileDialect(model, requireColumns(needed, names), delimiter);
    },
    hasHeader,
  );
  dialect.requireReadable();
}

function* piecesOf(path: string, taker: ChunkTaker): Generator<Uint8Array> {
  for (const chunk of fileChunks(path, neverStop, taker)) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** The columns of a stored model, without the rest of it. Throws InputError where there is no model at the path. */
export function modelColumns(path: string): ReadColumns {
  return withParts(path, readModelColumns);
}

/** What a prediction by a stored model has to hold. */
export function modelSize(path: string): ModelSize {
  return { sizeBytes: statSync(path).size, headBytes: withParts(path, modelHeadLength) };
}
