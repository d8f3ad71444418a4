// The columns of a file, from its beginning, for forms that ask for some of them.
import { firstRecords } from "../../../engine/columns/first-look.ts";

/** How much of the file is read. */
export const BEGINNING_BYTES = 1024 * 1024;

/** Null where there is no header that can be read; the server says what is wrong with it. */
export async function columnsOfFile(file: Blob | null, hasHeader: boolean): Promise<readonly string[] | null> {
  if (file === null) return null;
  try {
    const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
    return firstRecords(beginning, file.size, 0, hasHeader).names;
  } catch {
    return null;
  }
}
