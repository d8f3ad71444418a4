// The report of rows that could not be read: their lines and reasons, and none of their text.
import type { BadRecords } from "../csv/types.ts";
import { formatRecord } from "../csv/write.ts";
import type { Warning } from "../warning.ts";

const DIALECT = { delimiter: ",", lineEnding: "\n" };

/** Writes the report as CSV, line by line, its header at once. */
export class BadRows {
  private count = 0;
  private firstLine = 0;
  private readonly write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.write = write;
    write(formatRecord(["line", "reason"], DIALECT));
  }

  /** `lines`: of the batch that the records are from. */
  add(bad: BadRecords, lines: Uint32Array): void {
    if (this.count === 0) this.firstLine = lines[Math.min(...bad.keys())]!;
    this.count += bad.size;
    this.write([...bad].map(([at, reason]) => formatRecord([String(lines[at]), reason], DIALECT)).join(""));
  }

  /** BAD_ROWS if there are any. */
  warnings(): Warning[] {
    const { count, firstLine: line } = this;
    if (count === 0) return [];
    const [rows, answers] = count === 1 ? ["One row", "its answer is"] : [`${count} rows`, "their answers are"];
    const message = `${rows} could not be read, so ${answers} empty; the first at line ${line}.`;
    return [{ code: "BAD_ROWS", message, line, count }];
  }
}
