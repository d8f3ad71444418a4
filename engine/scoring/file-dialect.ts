// How a file to be scored writes its numbers and dates, which need not be how
// the training file did: decided here, and nowhere else.
import { splitNumber } from "../columns/affixes.ts";
import { bareNumber } from "../columns/bare-number.ts";
import { type DateForm, dateBit, fittingDates } from "../columns/dates.ts";
import {
  BODY_FORMS,
  bodyBit,
  boundIn,
  FITS_ALL,
  FITS_DECIMAL_COMMA,
  FITS_PLAIN,
  fittingBodies,
  fittingParts,
  isSameForm,
  type NumberForm,
} from "../columns/numbers.ts";
import { type ColumnReading, holdNumber, missingMarkerSet, missingTextsOf } from "../columns/reading.ts";
import { copyOf } from "../copy-text.ts";
import { cellText } from "../csv/cell-text.ts";
import { quotedName } from "../csv/header.ts";
import { type ReadingKernel, takeKernel } from "../csv/reading-kernel.ts";
import type { CellBatch, CellSink, RecordBatch } from "../csv/types.ts";
import { InputError } from "../input-error.ts";
import { ODD_COUNT, READS_NUMBERS, SKIPS_LOOKUP } from "../kernels/reading/layout.ts";
import type { ModelColumn } from "../model/model-file.ts";
import { bodiesOf } from "../reading/number-shape.ts";
import { TextDictionary } from "../reading/text-dictionary.ts";
import type { Warning } from "../warning.ts";
import { contraryFits, dateFormInFile } from "./date-order.ts";
import { isSameReading, rewrittenCell } from "./rewritten-cell.ts";
import { exampleOf, isUnreadable, NAMES_LISTED, refuseUnreadable, type ValueReading } from "./unreadable-column.ts";

/** A text that is a number in no form: one that is none in the file's form might be one in another. */
const UNREADABLE = "unreadable";
/** Sets of ways to write digits: a text fits some of the four. The sets of orders of a date are fewer. */
const FIT_SETS = FITS_ALL + 1;

type Sign = "." | ",";

/** How a model's columns are read. */
export interface ReadColumns {
  columns: readonly Pick<ModelColumn, "name" | "reading" | "isWhole">[];
  missingMarkers: readonly string[];
}

/**
 * Takes in cells of the model's columns, and decides how each column of numbers is written:
 *
 * 1. In the notation in which most of its cells are numbers. Its percent sign or currency stays the model's.
 * 2. If several notations read equally many, as of cells like `1.234`: in the model's own, unless other columns show
 *    that this file has the other decimal sign. A column of whole numbers in the training file showed no sign, so it
 *    follows decimal commas of other columns, as in training.
 * 3. If the model's own is not among them: by the decimal sign that other columns show, else as plain numbers, else
 *    with a decimal comma rather than with commas between thousands (the other way round in a file whose delimiter is
 *    the comma), as in training.
 *
 * The rule for dates is that of `dateFormInFile`.
 */
export class FileDialect implements CellSink {
  /** True where columns are read as the training file was, whatever their cells look like. */
  isSettled = false;
  private readonly columns: ReadColumns["columns"];
  private readonly positions: readonly number[];
  private readonly delimiter: string | null;
  /** Texts that count as missing, by column. */
  private readonly missingTexts: readonly ReadonlySet<string>[];
  /** Whether a number may mean a missing cell, by column. */
  private readonly holdNumbers: readonly boolean[];
  /**
   * Cells with a value, and the line and text of the first, by column and by the set of
   * ways, or orders of a date, that they fit.
   */
  private readonly cells: Float64Array;
  private readonly firstLines: Float64Array;
  private readonly firstTexts: string[] = [];
  /** Lists no texts; made for the first cells. */
  private dictionary: TextDictionary | null = null;

  /**
   * `positions`: of each model column in a record, negative where it is not there. `delimiter`: null for rows of JSON.
   * `kernel`: where cells come by one that somebody else holds; without it, one is taken for the first cells.
   */
  constructor(model: ReadColumns, positions: readonly number[], delimiter: string | null, kernel?: ReadingKernel) {
    this.columns = model.columns;
    this.positions = positions;
    this.delimiter = delimiter;
    const markers = missingMarkerSet(model.missingMarkers);
    this.missingTexts = model.columns.map(({ reading }) => missingTextsOf(reading, markers));
    this.holdNumbers = this.missingTexts.map(holdNumber);
    if (kernel !== undefined) this.dictionary = new TextDictionary(kernel, { texts: 0, bytes: 0 });
    this.cells = new Float64Array(FIT_SETS * model.columns.length);
    this.firstLines = new Float64Array(this.cells.length).fill(Number.POSITIVE_INFINITY);
  }

  add({ records, lines }: RecordBatch): void {
    this.columns.forEach(({ reading }, column) => {
      const position = this.positions[column]!;
      if (reading.kind === "category" || position < 0) return;
      for (let row = 0; row < records.length; row++) this.addText(column, records[row]![position]!, lines[row]!);
    });
  }

  get kernel(): ReadingKernel {
    this.dictionary ??= new TextDictionary(takeKernel(), { texts: 0, bytes: 0 });
    return this.dictionary.kernel;
  }

  /** Call where no further cells come. */
  giveBackKernel(): void {
    this.dictionary?.kernel.giveBack();
    this.dictionary = null;
  }

  addCells(batch: CellBatch): void {
    this.columns.forEach(({ reading }, column) => {
      if (reading.kind === "category" || this.positions[column]! < 0) return;
      const isPlainNumber = reading.kind === "number" && reading.form.affix === "" && !this.holdNumbers[column];
      const rows = isPlainNumber ? this.countNumbers(batch, column) : new Uint8Array(batch.recordCount).keys();
      for (const row of rows) {
        this.addText(column, cellText(batch, row, this.positions[column]!), batch.kernel.lines[row]!);
      }
    });
  }

  /** One cell of one of the model's columns, in a line or row from 1. */
  addText(column: number, cell: string, line: number): void {
    const text = cell.trim();
    const { reading } = this.columns[column]!;
    if (reading.kind === "category" || this.missingTexts[column]!.has(text)) return;
    const first = this.count(column, fitsOf(text, reading), line);
    if (first >= 0) this.firstTexts[first] = copyOf(text);
  }

  /** How each of the model's columns is read, by what was taken in so far. */
  readings(): ColumnReading[] {
    if (this.isSettled) return this.columns.map(({ reading }) => reading);
    const votes = this.columns.map((_, column) => this.voteOf(column));
    const commas = votes.reduce((sum, vote) => sum + vote, 0);
    const turned = votes.reduce((sum, vote, column) => sum + (this.hasComma(column) ? -vote : vote), 0);
    return this.columns.map(({ reading, isWhole = false }, column) => {
      if (reading.kind === "category") return reading;
      if (reading.kind === "date") return { ...reading, form: dateFormInFile(this.counterOf(column), reading.form) };
      const { form: trained } = reading;
      const shown = turned === 0 ? null : turned > 0 ? otherSign(trained.decimal) : trained.decimal;
      const sign = isWhole && commas > 0 ? "," : shown;
      return { ...reading, form: this.formOf(column, trained, sign) };
    });
  }

  /**
   * Writes the numbers and dates of a batch as the training file writes them, where this file
   * writes them otherwise; null where it writes all of them alike.
   */
  toModelForm(): ((batch: RecordBatch) => RecordBatch) | null {
    const changed = this.changedColumns();
    if (changed.length === 0) return null;
    return (batch) => ({
      ...batch,
      records: batch.records.map((record) => {
        const copy = [...record];
        for (const { column, from, to } of changed) {
          const position = this.positions[column]!;
          const text = record[position]!.trim();
          if (!this.missingTexts[column]!.has(text)) copy[position] = rewrittenCell(text, from, to) ?? UNREADABLE;
        }
        return copy;
      }),
    });
  }

  /**
   * @throws InputError UNREADABLE_COLUMN where nearly no value of a column of numbers or dates can be read, or where
   * dates show that day and month may be exchanged in others
   */
  requireReadable(): void {
    const place = this.delimiter === null ? "row" : "line";
    const readings = this.readings();
    const columns = this.columns.flatMap(({ name, reading }, column) => {
      const now = readings[column]!;
      if (now.kind === "category" || reading.kind === "category") return [];
      const bit = now.kind === "number" ? bodyBit(now.form) : dateBit(now.form);
      const total = this.sum(column, () => true);
      const first = this.firstCell(column, (fits) => (fits & bit) === 0);
      const unread = first === null ? { firstUnread: 0 } : { firstUnread: first.line, firstText: first.text };
      return [{ name, reading, total, read: this.readableCount(column, bit), ...unread }];
    });
    refuseUnreadable(columns.filter(isUnreadable), place);
    readings.forEach((now, column) => {
      if (now.kind === "date") this.requireOneOrder(column, now.form, place);
    });
  }

  /** NUMBER_FORM and DATE_FORM: which columns are read otherwise than the training file was. */
  warnings(): Warning[] {
    return (["number", "date"] as const).flatMap((kind) => {
      const changed = this.changedColumns().filter(({ from }) => from.kind === kind);
      const count = changed.length;
      if (count === 0) return [];
      const listed = changed
        .slice(0, NAMES_LISTED)
        .map(({ name, from }) => `${quotedName(name)} as ${exampleOf(from)}`)
        .join(", ");
      const columns = count === 1 ? "One column is" : `${count} columns are`;
      const message = `${columns} read as this file writes ${kind}s, which is not as the training file did: ${listed}${count > NAMES_LISTED ? ", …" : ""}.`;
      return [{ code: kind === "number" ? "NUMBER_FORM" : "DATE_FORM", message, count }];
    });
  }

  /** The columns that this file writes otherwise: how it does, and how the training file did. */
  private changedColumns(): { name: string; column: number; from: ValueReading; to: ColumnReading }[] {
    const readings = this.readings();
    return this.columns.flatMap(({ name, reading }, column) => {
      const now = readings[column]!;
      if (now.kind === "category" || isSameReading(now, reading)) return [];
      return [{ name, column, from: now, to: reading }];
    });
  }

  /** Gives the rows that are no plain numbers, or none that the kernel reads. */
  private countNumbers(batch: CellBatch, column: number): Int32Array {
    const { kernel, recordCount, stride } = batch;
    const position = this.positions[column]!;
    const cellsAt = kernel.columnAt(position, stride);
    kernel.exports.findCells(this.dictionary!.at, cellsAt, 0, recordCount, READS_NUMBERS | SKIPS_LOOKUP);
    const { values, shapes, lines, odd, outcome } = kernel;
    for (let row = 0; row < recordCount; row++) {
      if (Number.isNaN(values[row]!)) continue;
      const first = this.count(column, bodiesOf(shapes[row]!), lines[row]!);
      if (first >= 0) this.firstTexts[first] = cellText(batch, row, position);
    }
    return odd.slice(0, outcome[ODD_COUNT]);
  }

  /** Gives the place where the text of this cell is kept; -1 where an earlier one's is. */
  private count(column: number, fits: number, line: number): number {
    const at = FIT_SETS * column + fits;
    this.cells[at]!++;
    if (line >= this.firstLines[at]!) return -1;
    this.firstLines[at] = line;
    return at;
  }

  /** 1 where the column shows decimal commas, -1 where it shows decimal points. */
  private voteOf(column: number): number {
    if (this.columns[column]!.reading.kind !== "number") return 0;
    const best = (sign: Sign) =>
      Math.max(
        ...BODY_FORMS.filter(({ decimal }) => decimal === sign).map((form) =>
          this.readableCount(column, bodyBit(form)),
        ),
      );
    return Math.sign(best(",") - best("."));
  }

  private hasComma(column: number): boolean {
    const { reading } = this.columns[column]!;
    return reading.kind === "number" && reading.form.decimal === ",";
  }

  /** `shown`: the decimal sign that the file's columns show; null where they show none. */
  private formOf(column: number, trained: NumberForm, shown: Sign | null): NumberForm {
    const counts = BODY_FORMS.map((form) => this.readableCount(column, bodyBit(form)));
    const most = Math.max(...counts);
    const best = BODY_FORMS.filter((_, at) => counts[at] === most);
    const [plain, decimalComma, commaGroups, pointGroups] = BODY_FORMS;
    const usual = this.delimiter === "," ? [plain, commaGroups, decimalComma, pointGroups] : BODY_FORMS;
    // Whole numbers are the same with either sign.
    const sign = this.holdsSeparators(column) ? shown : null;
    const ownBody = { ...trained, affix: "" };
    const ofSign = usual.filter(({ decimal }) => decimal === sign);
    const order = sign === null || sign === trained.decimal ? [ownBody, ...ofSign] : [...ofSign, ownBody];
    const form = [...order, ...usual].find((wanted) => best.some((found) => isSameForm(found, wanted)))!;
    return { ...trained, decimal: form.decimal, grouping: form.grouping };
  }

  /** Whether some number is read differently, or not at all, with the other decimal sign. */
  private holdsSeparators(column: number): boolean {
    const whole = FITS_PLAIN | FITS_DECIMAL_COMMA;
    return this.sum(column, (fits) => fits !== 0 && (fits & whole) !== whole) > 0;
  }

  private readableCount(column: number, bit: number): number {
    return this.sum(column, (fits) => (fits & bit) !== 0);
  }

  private sum(column: number, isCounted: (fits: number) => boolean): number {
    let sum = 0;
    for (let fits = 0; fits < FIT_SETS; fits++) if (isCounted(fits)) sum += this.cells[FIT_SETS * column + fits]!;
    return sum;
  }

  private requireOneOrder(column: number, form: DateForm, place: "line" | "row"): void {
    const fits = contraryFits(this.counterOf(column), form);
    if (fits === null) return;
    const { name } = this.columns[column]!;
    const isContrary = (fitting: number) => fitting === fits;
    const { line } = this.firstCell(column, isContrary)!;
    const count = `${this.sum(column, isContrary)} of the ${this.sum(column, () => true)} values`;
    const [shown, trained] = form.order === "dmy" ? ["month", "day"] : ["day", "month"];
    const message =
      `${count} in column ${quotedName(name)} are dates only with the ${shown} first, the first in ${place} ${line}; ` +
      `the training file has the ${trained} first. So 05/06/2024 may be either day. ` +
      "Write the dates as YYYY-MM-DD.";
    throw new InputError("UNREADABLE_COLUMN", message, { column: name, ...(place === "line" && { line }) });
  }

  private counterOf(column: number): (isCounted: (fits: number) => boolean) => number {
    return (isCounted) => this.sum(column, isCounted);
  }

  private firstCell(column: number, isMeant: (fits: number) => boolean): { line: number; text: string } | null {
    let first = -1;
    for (let fits = 0, at = FIT_SETS * column; fits < FIT_SETS; fits++, at++) {
      if (isMeant(fits) && this.cells[at]! > 0 && (first < 0 || this.firstLines[at]! < this.firstLines[first]!))
        first = at;
    }
    return first < 0 ? null : { line: this.firstLines[first]!, text: this.firstTexts[first]! };
  }
}

/** Bits of the ways in which a trimmed text with a value is one of a column's; 0 where it is none. */
function fitsOf(text: string, reading: ValueReading): number {
  if (reading.kind === "date") return fittingDates(text);
  const number = bareNumber(boundIn(text)?.number ?? text);
  const { affix, units = { [affix]: 1 } } = reading.form;
  if (affix === "") return fittingBodies(number, FITS_ALL);
  const parts = splitNumber(number);
  if (parts.some((part) => !Object.hasOwn(units, part.affix))) return 0;
  return parts.reduce((fits, part) => fittingParts(part, fits), FITS_ALL);
}

function otherSign(sign: Sign): Sign {
  return sign === "." ? "," : ".";
}
