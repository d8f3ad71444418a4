// A CSV file that is written from its start: UTF-8 with LF, in the
// delimiter of another file where a reader can guess it.
import { ftruncateSync } from "node:fs";
import { GUESSED_DELIMITERS } from "../engine/csv/delimiter.ts";
import { type CsvDialect, formatRecord } from "../engine/csv/write.ts";
import { writeAt } from "./reading/file-chunks.ts";

export class CsvOutput {
  sizeBytes = 0;
  private readonly file: number;
  private readonly dialect: CsvDialect;
  private readonly hash = new Bun.CryptoHasher("sha256");

  /**
   * Empties the open file and writes the header. `delimiter`: of the input, kept where it can be guessed, because with
   * commas as the delimiter no comma would be read as a decimal one.
   */
  constructor(file: number, names: readonly string[], delimiter: string) {
    this.file = file;
    const isGuessed = names.length > 1 && GUESSED_DELIMITERS.includes(delimiter);
    this.dialect = { delimiter: isGuessed ? delimiter : ",", lineEnding: "\n" };
    ftruncateSync(file, 0);
    this.write(headerLine(names, this.dialect));
  }

  add(records: readonly (readonly string[])[]): void {
    this.write(records.map((record) => formatRecord(record, this.dialect)).join(""));
  }

  /** Returns the hash in hexadecimal. Write nothing afterwards. */
  sha256(): string {
    return this.hash.digest("hex");
  }

  private write(text: string): void {
    const bytes = new TextEncoder().encode(text);
    writeAt(this.file, bytes, this.sizeBytes);
    this.hash.update(bytes);
    this.sizeBytes += bytes.length;
  }
}

/**
 * Quotes all names if one of them holds another delimiter that a reader might guess. Under that delimiter text would
 * follow a closing quote, so the reader must reject it.
 */
function headerLine(names: readonly string[], dialect: CsvDialect): string {
  const rivals = GUESSED_DELIMITERS.filter((rival) => rival !== dialect.delimiter);
  if (!names.some((name) => rivals.some((rival) => name.includes(rival)))) return formatRecord(names, dialect);
  return `${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(dialect.delimiter)}\n`;
}
