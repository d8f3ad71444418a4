// The readers of model files, one for each language, as they are handed out: beside a model they score rows without Cupel.
import java from "./CupelModel.java" with { type: "text" };
import source from "./cupel.c" with { type: "text" };
import header from "./cupel.h" with { type: "text" };
import python from "./cupel_reader.py" with { type: "text" };

interface ReaderFile {
  /** The name that it must have: languages ask for it. */
  fileName: string;
  text: string;
}

/** C has two files: the source, and the header that it needs beside it. */
export const READERS = {
  python: { fileName: "cupel_reader.py", text: python },
  java: { fileName: "CupelModel.java", text: java },
  c: { fileName: "cupel.c", text: source },
  "c-header": { fileName: "cupel.h", text: header },
} as const satisfies Readonly<Record<string, ReaderFile>>;

export type ReaderName = keyof typeof READERS;

export const READER_NAMES = Object.keys(READERS) as ReaderName[];
