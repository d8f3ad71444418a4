// Whether a chosen file has the columns that a model needs: read here, as the server will read it, before anything is sent.
import { nearestName } from "../../engine/columns/near-miss.ts";
import { readCsv } from "../../engine/csv/read.ts";
import { InputError } from "../../engine/input-error.ts";

export interface ColumnCheck {
  /** Columns that the model needs and the file lacks, each with the file's name that is most like it. */
  missing: readonly { name: string; near: string | null }[];
  /** Columns of the file that the model does not know. */
  extra: readonly string[];
}

/** What a header may take of the file. */
const HEADER_BYTES = 1024 * 1024;
/** Missing columns for which the most alike is looked for. */
const MOST_LIKENESSES = 40;

/** @throws InputError where the file has no header that can be read */
export async function checkColumns(file: Blob, needed: readonly string[]): Promise<ColumnCheck> {
  const names = headerNames(new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()));
  const isThere = new Set(names);
  const isNeeded = new Set(needed);
  const extra = names.filter((name) => !isNeeded.has(name));
  const missing = needed
    .filter((name) => !isThere.has(name))
    .map((name, index) => ({ name, near: index < MOST_LIKENESSES ? nearestName(name, extra) : null }));
  return { missing, extra };
}

/** Leaves the reader as soon as it has the header. */
class HeaderFound extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super("header found");
    this.names = names;
  }
}

function headerNames(beginning: Uint8Array): readonly string[] {
  try {
    const { header } = readCsv(
      () => [beginning],
      ({ names }) => {
        throw new HeaderFound(names);
      },
    );
    return header.names;
  } catch (error) {
    if (error instanceof HeaderFound) return error.names;
    if (error instanceof InputError) throw error;
    throw new InputError("NOT_TEXT", "The file cannot be read as a table.");
  }
}
