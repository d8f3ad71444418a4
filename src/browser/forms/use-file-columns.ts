// A form's look at the columns of a file that was chosen and not sent yet.

import { useLoad } from "../loading.ts";
import { columnsOfFile } from "./file-columns.ts";

/** Null until they are known, and where there is no file or no header that can be read: then names have to be typed. */
export function useFileColumns(file: File | null, hasHeader: boolean): readonly string[] | null {
  const about = [file?.name, file?.size, file?.lastModified, hasHeader];
  const { value } = useLoad(async () => ({ file, names: await columnsOfFile(file, hasHeader) }), about);
  // The names of the file before stand until those of this one are known.
  return value?.file === file ? value.names : null;
}
