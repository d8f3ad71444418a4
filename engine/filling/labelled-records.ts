// Counts the records of a second file that can be judged: those with a label that TRAIN has.

import { meantName } from "../columns/near-miss.ts";
import { cellText } from "../csv/cell-text.ts";
import { listNames, quotedName } from "../csv/header.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch, CellSink } from "../csv/types.ts";
import { InputError } from "../input-error.ts";
import type { Warning } from "../warning.ts";
import { type ClassCoder, NO_LABEL } from "./class-coder.ts";

/** Records left out for one reason. */
interface LeftOut {
  count: number;
  /** Line of the first; 0 where there is none. */
  firstLine: number;
}

/** Takes all records of a file in order. */
export class LabelledRecords implements CellSink {
  recordCount = 0;
  /** Records with a known label. */
  rowCount = 0;
  private readonly classes: ClassCoder;
  private readonly position: number;
  private readonly name: string;
  private readonly unlabelled: LeftOut = { count: 0, firstLine: 0 };
  private readonly unknown: LeftOut = { count: 0, firstLine: 0 };
  private firstUnknown = "";

  /** `position`: the label's place in a record. `name`: its column's name. */
  constructor(classes: ClassCoder, position: number, name: string) {
    this.classes = classes;
    this.position = position;
    this.name = name;
  }

  get kernel(): ReadingKernel {
    return this.classes.dictionary.kernel;
  }

  addCells(batch: CellBatch): void {
    const { classes, position } = this;
    const codes = classes.codesOf(batch, position);
    for (let record = 0; record < codes.length; record++) {
      const code = codes[record]!;
      if (code >= 0) {
        this.rowCount++;
        continue;
      }
      const leftOut = code === NO_LABEL ? this.unlabelled : this.unknown;
      if (leftOut.count++ > 0) continue;
      leftOut.firstLine = batch.kernel.lines[record]!;
      if (code !== NO_LABEL) this.firstUnknown = cellText(batch, record, position);
    }
    this.recordCount += batch.recordCount;
  }

  /** Returns ROWS_WITHOUT_LABEL and UNKNOWN_LABEL where there are such records. */
  warnings(): Warning[] {
    const column = this.name;
    const inColumn = `in column ${quotedName(column)}`;
    const warnings: Warning[] = [];
    const warn = (code: string, { count, firstLine }: LeftOut, one: string, many: string, first: string) => {
      if (count === 0) return;
      const what = count === 1 ? `1 row ${one}` : `${count} rows ${many}`;
      const message = `${what}, the first in line ${firstLine}${first}; ${count === 1 ? "it is" : "they are"} left out.`;
      warnings.push({ code, message, line: firstLine, column, count });
    };
    const { unlabelled, unknown, firstUnknown } = this;
    const foreign = `a label ${inColumn} that TRAIN does not have`;
    warn("ROWS_WITHOUT_LABEL", unlabelled, `has no label ${inColumn}`, `have no label ${inColumn}`, "");
    warn("UNKNOWN_LABEL", unknown, `has ${foreign}`, `have ${foreign}`, ` (${quotedName(firstUnknown)})`);
    return warnings;
  }

  /**
   * @throws InputError TOO_FEW_ROWS where fewer than `leastRows` records
   * have a known label; it says what the others have
   */
  require(leastRows: number, labels: readonly string[]): void {
    if (this.rowCount >= leastRows) return;
    const { unlabelled, unknown, firstUnknown, name } = this;
    const found = `${this.rowCount === 1 ? "1 row has" : `${this.rowCount} rows have`} a label that TRAIN has`;
    const parts = [`Only ${found}; at least ${leastRows} are needed.`];
    const areLeft = (count: number) => (count === 1 ? "is left out" : "are left out");
    if (unlabelled.count > 0) parts.push(`${unlabelled.count} without a label ${areLeft(unlabelled.count)}.`);
    if (unknown.count > 0) {
      const where = `in line ${unknown.firstLine}: ${quotedName(firstUnknown)}`;
      parts.push(`${unknown.count} with another label ${areLeft(unknown.count)}, the first ${where}.`);
      parts.push(meantName(firstUnknown, labels, `TRAIN has the labels ${listNames(labels)}.`));
    }
    parts.push(`Add rows with a label in column ${quotedName(name)}.`);
    const line = unknown.count > 0 ? unknown.firstLine : undefined;
    throw new InputError("TOO_FEW_ROWS", parts.join(" "), { line, column: name });
  }
}
