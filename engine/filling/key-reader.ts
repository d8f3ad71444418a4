// From the cells of the columns that --group and --time name to one group number and one time per row of the table.

import { DATE_FORMS, minutesOf, packDate, periodValue } from "../columns/dates.ts";
import { readNumber } from "../columns/numbers.ts";
import { type ColumnReading, missingTextsOf } from "../columns/reading.ts";
import { copyOf } from "../copy-text.ts";
import { quotedName } from "../csv/header.ts";
import type { RecordBatch } from "../csv/types.ts";
import { InputError } from "../input-error.ts";
import { NO_GROUP, type RowKeys } from "../splits/row-keys.ts";
import type { Warning } from "../warning.ts";
import { fileChanged } from "./table-filler.ts";

/** Above this share of rows without a group or a time, too little is left to judge by. */
const MOST_UNPLACED_SHARE = 0.2;
/** Cells that are no time count as missing up to this share of the filled ones, as in a column of dates. */
const MOST_UNREADABLE_SHARE = 0.05;
/** A column that is read for its keys. */
export interface KeyColumn {
  name: string;
  /** Position in a record, from 0. */
  position: number;
  reading: ColumnReading;
}

export interface KeySettings {
  group: KeyColumn | null;
  time: KeyColumn | null;
  markers: ReadonlySet<string>;
  /** Rows of the table, those of all files together. */
  rowCount: number;
  /** Why the time column was not read as dates or numbers, where its profile says so. */
  whyUnread?: Warning | undefined;
}

interface Unplaced {
  count: number;
  /** Physical line of the first; 0 where there is none. */
  line: number;
}

interface Without extends Record<"group" | "time", Unplaced> {
  /** Rows without a time whose cell holds a text that is none. */
  unreadableCount: number;
  /** The cell to name: the first that no order of day, month and year fits, else the first. */
  example: { text: string; line: number; isDate: boolean } | null;
}

/** Takes the records of a table's files in order; those that make no row are left out. */
export class KeyReader {
  private readonly settings: KeySettings;
  private readonly groups: Uint32Array | null;
  private readonly times: Float64Array | null;
  private readonly missingTexts: Readonly<Record<"group" | "time", ReadonlySet<string>>>;
  private readonly numberOf = new Map<string, number>();
  private without: Without = {
    group: { count: 0, line: 0 },
    time: { count: 0, line: 0 },
    unreadableCount: 0,
    example: null,
  };
  private row = 0;
  private timeReading: ColumnReading | null;
  /** How things stood before each file. */
  private readonly before: { row: number; without: Without }[] = [];

  constructor(settings: KeySettings) {
    const { rowCount, group, time, markers } = settings;
    this.settings = settings;
    const textsOf = (column: KeyColumn | null) => (column === null ? markers : missingTextsOf(column.reading, markers));
    this.timeReading = time?.reading ?? null;
    this.missingTexts = { group: textsOf(group), time: textsOf(time) };
    this.groups = group === null ? null : new Uint32Array(new SharedArrayBuffer(4 * rowCount));
    this.times = time === null ? null : new Float64Array(new SharedArrayBuffer(8 * rowCount));
  }

  /**
   * Call before the records of the file with this number, from 0; again where its header is tried again. `timeReading`:
   * how it writes times, where that is not as the column is read.
   */
  beginFile(file: number, timeReading: ColumnReading | null = null): void {
    this.timeReading = timeReading ?? this.settings.time?.reading ?? null;
    this.before[file] ??= { row: this.row, without: structuredClone(this.without) };
    const { row, without } = this.before[file];
    this.row = row;
    this.without = structuredClone(without);
  }

  /** `isRow`: whether a record makes a row of the table. Positions are those of the file at hand. */
  add({ records, lines }: RecordBatch, positions: { group: number; time: number }, isRow: (record: number) => boolean) {
    for (const [index, record] of records.entries()) {
      if (!isRow(index)) continue;
      if (this.row === this.settings.rowCount) throw fileChanged();
      const line = lines[index]!;
      if (this.groups !== null) this.groups[this.row] = this.groupOf(record[positions.group]!, line);
      if (this.times !== null) this.times[this.row] = this.timeOf(record[positions.time]!, line);
      this.row++;
    }
  }

  /** @throws InputError where too many rows have no group or no time, or where they are no basis for judging */
  finish(): { keys: RowKeys; groupCount: number; warnings: Warning[] } {
    if (this.row !== this.settings.rowCount) throw fileChanged();
    const { group, time } = this.settings;
    if (time !== null) this.requireReadable(time.name);
    const warnings = [
      ...(group === null ? [] : this.unplaced("group", group.name)),
      ...(time === null ? [] : this.unplaced("time", time.name)),
    ];
    const groupCount = new Set(this.groups ?? []).size - (this.without.group.count > 0 ? 1 : 0);
    return { keys: { groups: this.groups, times: this.times }, groupCount, warnings };
  }

  private groupOf(cell: string, line: number): number {
    const text = cell.trim();
    if (this.missingTexts.group.has(text)) {
      note(this.without.group, line);
      return NO_GROUP;
    }
    const known = this.numberOf.get(text);
    if (known !== undefined) return known;
    const fresh = this.numberOf.size;
    this.numberOf.set(copyOf(text), fresh);
    return fresh;
  }

  private timeOf(cell: string, line: number): number {
    const text = cell.trim();
    if (this.missingTexts.time.has(text)) {
      note(this.without.time, line);
      return Number.NaN;
    }
    const value = timeValue(text, this.timeReading!);
    if (Number.isFinite(value)) return value;
    note(this.without.time, line);
    this.noteUnreadable(text, line);
    return Number.NaN;
  }

  private noteUnreadable(text: string, line: number): void {
    const { without } = this;
    without.unreadableCount++;
    if (without.example?.isDate === false) return;
    const isDate = DATE_FORMS.some((form) => packDate(text, form) >= 0);
    if (without.example === null || !isDate) without.example = { text: copyOf(text), line, isDate };
  }

  private requireReadable(column: string): void {
    const { time, unreadableCount, example } = this.without;
    const filledCount = this.row - time.count + unreadableCount;
    if (example === null || unreadableCount <= MOST_UNREADABLE_SHARE * filledCount) return;
    const { message, line = example.line } = this.settings.whyUnread ?? {
      message:
        `Line ${example.line}: ${quotedName(example.text)} in column ${quotedName(column)} is no time, ` +
        `and more than ${100 * MOST_UNREADABLE_SHARE}% of its filled cells cannot be read as one. ` +
        "Write times as YYYY-MM-DD, with hh:mm:ss behind it where needed, " +
        "or as numbers that grow, and leave cells without a time empty.",
    };
    throw new InputError("UNREADABLE_TIME", message, { line, column });
  }

  private unplaced(what: "group" | "time", column: string): Warning[] {
    const { count, line } = this.without[what];
    if (count === 0) return [];
    const { unreadableCount } = this.without;
    const rows = count === 1 ? "1 row has" : `${count} rows have`;
    const texts = what === "time" && unreadableCount > 0 ? ` (${unreadableCount} with a text that is none)` : "";
    const found = `${rows} no ${what} in column ${quotedName(column)}${texts}, the first in line ${line}`;
    if (count > MOST_UNPLACED_SHARE * this.row) {
      const share = `more than ${100 * MOST_UNPLACED_SHARE}% of the rows`;
      const message = `${found}: ${share}, too many to judge by it. Fill the column in, or leave the option out.`;
      throw new InputError("TOO_MANY_WITHOUT_KEY", message, { line, column });
    }
    const message = `${found}; they are left out while models are compared, and the final models learn from them.`;
    return [{ code: "ROWS_WITHOUT_KEY", message, line, column, count }];
  }
}

function note(unplaced: Unplaced, line: number): void {
  if (unplaced.count++ === 0) unplaced.line = line;
}

/**
 * A time as a number that grows with it: minutes of the calendar for dates (as written, zones are not applied), months
 * for periods such as 2024-03 and 2024Q1, else the number itself. NaN where the text is no time.
 */
export function timeValue(text: string, reading: ColumnReading): number {
  if (reading.kind === "date") return minutesOf(text, reading.form);
  if (reading.kind === "number") return readNumber(text, reading.form);
  const period = periodValue(text);
  if (!Number.isNaN(period)) return period;
  const number = Number(text);
  return text === "" ? Number.NaN : number;
}
