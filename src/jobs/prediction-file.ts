// A look at the header of a file to be scored and at its model, before anybody waits for its prediction.

import { statSync } from "node:fs";
import { filterColumns } from "../../engine/column-filter.ts";
import { readCsv } from "../../engine/csv/read.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelSize } from "../../engine/memory-need.ts";
import { type ModelFile, modelHeadLength, readModelColumns } from "../../engine/model-file.ts";
import { requireColumns } from "../../engine/scorer.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { fileChunks, withParts } from "../../workers/file-chunks.ts";

/**
 * `originalColumns`: those of the refinement that the model's dataset came from, null where it came from none;
 * `strip`: whether the file may still have those that the refinement dropped. Blocks for the time of reading the first
 * megabyte at most.
 *
 * @throws ColumnMismatch (an InputError COLUMN_MISMATCH) where the columns do not fit, InputError FILTER_NOT_APPLICABLE
 * where there is nothing to strip by, and what `readCsv` throws up to the header
 */
export function checkPredictionFile(
  path: string,
  model: Pick<ModelFile, "columns">,
  originalColumns: readonly string[] | null,
  strip: boolean,
): void {
  const needed = model.columns.map(({ name }) => name);
  if (!strip) {
    requireColumns(needed, headerNames(path));
    return;
  }
  if (originalColumns === null) {
    const message = "The model's dataset did not come from a refinement, so there are no columns to filter by.";
    throw new InputError("FILTER_NOT_APPLICABLE", message);
  }
  requireColumns(needed, filterColumns(headerNames(path), originalColumns, needed).names);
}

/** The columns of a stored model, without the rest of it. Throws InputError where there is no model at the path. */
export function modelColumns(path: string): Pick<ModelFile, "columns"> {
  return { columns: withParts(path, readModelColumns) };
}

/** What a prediction by a stored model has to hold. */
export function modelSize(path: string): ModelSize {
  return { sizeBytes: statSync(path).size, headBytes: withParts(path, modelHeadLength) };
}

/** Leaves the reader as soon as it has a header: the one that scoring will begin with. */
class HeaderFound extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super("header found");
    this.names = names;
  }
}

function headerNames(path: string): readonly string[] {
  try {
    const { header } = readCsv(
      (tally) => fileChunks(path, neverStop, tally),
      ({ names }) => {
        throw new HeaderFound(names);
      },
    );
    return header.names;
  } catch (error) {
    if (error instanceof HeaderFound) return error.names;
    throw error;
  }
}
