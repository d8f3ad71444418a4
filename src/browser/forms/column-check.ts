// Checks in the browser, before anything is sent, whether a file has the columns that a model needs.

import { nearestName } from "../../../engine/columns/near-miss.ts";
import { InputError } from "../../../engine/input-error.ts";
import { FileDialect, type ReadColumns } from "../../../engine/scoring/file-dialect.ts";
import { lookAtBeginning } from "../../../engine/scoring/scoring-look.ts";
import { BEGINNING_BYTES } from "./file-columns.ts";

export interface FileCheck {
  /** Columns that the file lacks, each with the most similar name in the file. */
  missing: readonly { name: string; near: string | null }[];
  /** Columns of the file that the model does not use. */
  extra: readonly string[];
}

/** Missing columns that get a similar name; finding one compares all names. */
const MOST_LIKENESSES = 40;

/** @throws InputError if the header cannot be read, or nearly no value of a needed column can */
export async function checkFileColumns(file: Blob, model: ReadColumns, hasHeader = true): Promise<FileCheck> {
  const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  const needed = model.columns.map(({ name }) => name);
  let fileNames: readonly string[] = [];
  const dialect = orNoTable(() =>
    lookAtBeginning(
      () => [beginning],
      ({ names, delimiter }) => {
        fileNames = names;
        const positions = needed.map((name) => names.indexOf(name));
        return new FileDialect(model, positions, delimiter);
      },
      hasHeader,
    ),
  );
  const isThere = new Set(fileNames);
  const isNeeded = new Set(needed);
  const extra = fileNames.filter((name) => !isNeeded.has(name));
  const missing = needed
    .filter((name) => !isThere.has(name))
    .map((name, index) => ({ name, near: index < MOST_LIKENESSES ? nearestName(name, extra) : null }));
  if (missing.length === 0) dialect.requireReadable();
  return { missing, extra };
}

function orNoTable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("NOT_TEXT", "The file cannot be read as a table.");
  }
}
