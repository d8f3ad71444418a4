// The readers of model files, one for each language, as Cupel hands them out:
// beside a model they score rows without Cupel.
import java from "../readers/CupelModel.java" with { type: "text" };
import source from "../readers/cupel.c" with { type: "text" };
import header from "../readers/cupel.h" with { type: "text" };
import python from "../readers/cupel_reader.py" with { type: "text" };
import { javascriptReader } from "./javascript.ts";

interface ReaderFile {
  /** The name that it must have: languages ask for it. */
  fileName: string;
  text(): string | Promise<string>;
}

export const JAVA_READER = { fileName: "CupelModel.java", text: () => java };
/** C has two files: the source, and the header that it needs beside it. */
export const C_READER = [
  { fileName: "cupel.c", text: () => source },
  { fileName: "cupel.h", text: () => header },
] as const;

export const READERS = {
  python: { fileName: "cupel_reader.py", text: () => python },
  javascript: { fileName: "cupel_reader.mjs", text: javascriptReader },
  java: JAVA_READER,
  c: C_READER[0],
  "c-header": C_READER[1],
} as const satisfies Readonly<Record<string, ReaderFile>>;

export const READER_NAMES = Object.keys(READERS) as (keyof typeof READERS)[];
