// Whether a chosen file has the columns that a model needs: read here, as the server will read it, before anything is sent.
import { nearestName } from "../../engine/columns/near-miss.ts";
import { InputError } from "../../engine/input-error.ts";
import { FileDialect, type ReadColumns } from "../../engine/scoring/file-dialect.ts";
import { lookAtBeginning } from "../../engine/scoring/scoring-look.ts";

export interface ColumnCheck {
  /** Columns that the model needs and the file lacks, each with the file's name that is most like it. */
  missing: readonly { name: string; near: string | null }[];
  /** Columns of the file that the model does not know. */
  extra: readonly string[];
}

/** What is looked at. */
const BEGINNING_BYTES = 1024 * 1024;
/** Missing columns for which the most alike is looked for. */
const MOST_LIKENESSES = 40;

/** @throws InputError where the file has no header that can be read, or has a column of which nearly no value can be read */
export async function checkColumns(file: Blob, model: ReadColumns, hasHeader = true): Promise<ColumnCheck> {
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
