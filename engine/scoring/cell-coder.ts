// Turns the cells of a file, as text or as bytes, into codes of a model's
// features; counts values that training did not have.
import { type CodeArray, MISSING_CODE } from "../buckets.ts";
import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../columns/reading.ts";
import { cellText } from "../csv/cell-text.ts";
import { quotedName } from "../csv/header.ts";
import type { CellBatch } from "../csv/types.ts";
import type { ModelFeature } from "../model/model-file.ts";
import type { ReadingKernel } from "../reading/reading-kernel.ts";
import { isOfText, type TakenTexts, TextCoder } from "../text/text-coder.ts";
import type { Warning } from "../warning.ts";
import type { CountedCells, CountedModel } from "../watch/file-counts.ts";
import { picksWithin, type RowPicks } from "../watch/row-picks.ts";
import { type CellReader, cellReader, codeIn, isNew, type ValueCoder, valueCoder } from "./feature-coder.ts";
import { type QuickCoder, quickCoder } from "./quick-coder.ts";
import { isSameReading } from "./rewritten-cell.ts";

type OddCode = "UNSEEN_CATEGORY" | "NOT_READ" | "NO_KNOWN_TERM" | "NEW_MISSING";

/** A cell that the model could not take as written: the codes are those of the warnings. */
export interface OddCell {
  /** Its row, numbered as the written codes are. */
  row: number;
  /** Index among the model's columns. */
  column: number;
  code: OddCode;
}

/** How many odd cells of each sort a column has. */
type OddCounts = Record<OddCode, number>;

const NO_COUNTS: Readonly<OddCounts> = { UNSEEN_CATEGORY: 0, NOT_READ: 0, NO_KNOWN_TERM: 0, NEW_MISSING: 0 };

interface ColumnFeature {
  index: number;
  code: ValueCoder;
  source: ModelFeature;
}

/** Where the cells of a column are counted. */
interface ColumnCells extends CountedCells {
  code: ValueCoder;
  picks: RowPicks;
}

/** A column of the model: where a record has its cell, and the features that are made of it. */
interface CodedColumn {
  position: number;
  reading: ColumnReading;
  /** Texts that count as missing. */
  missingTexts: ReadonlySet<string>;
  features: ColumnFeature[];
  /** Null where all features are made of a text. */
  read: CellReader | null;
  /** Null where nobody counts. */
  counted: ColumnCells | null;
  /** Codes cells of a kernel without their text; null where that cannot be. */
  quick: QuickCoder | null;
  /** Reads the cells' terms; null where the column is no text. Its features are not among `features`. */
  text: TextCoder | null;
}

/** Codes the cells of files whose columns stand in one order. */
export class CellCoder {
  private readonly file: CountedModel;
  private readonly columns: readonly CodedColumn[];
  private readonly counts: readonly OddCounts[];
  /** By column, the first text that is no category of the training file. */
  private readonly firstUnseen: (string | undefined)[] = [];
  /** Null where nobody asks for them. */
  private oddCells: OddCell[] | null = null;

  /** `positions`: of each model column in a record. `keepsTexts`: whether `namesIn` will be asked. */
  constructor(file: CountedModel, positions: readonly number[], keepsTexts = false) {
    this.file = file;
    const markers = missingMarkerSet(file.missingMarkers);
    this.counts = file.columns.map(() => ({ ...NO_COUNTS }));
    const featuresOf = file.columns.map((): ColumnFeature[] => []);
    for (const [index, source] of file.features.entries()) {
      if (!isOfText(source)) featuresOf[source.column]!.push({ index, code: valueCoder(source), source });
    }
    this.columns = file.columns.map(({ reading }, at) => {
      const text = file.texts?.find(({ column }) => column === at);
      const features = featuresOf[at]!;
      const counted = file.counted?.columns[at];
      return {
        position: positions[at]!,
        reading,
        missingTexts: missingTextsOf(reading, markers),
        features,
        read: readerOf(features, reading),
        counted:
          counted === undefined ? null : { ...counted, code: valueCoder(counted.feature), picks: file.counted!.picks },
        quick: null,
        text: text === undefined ? null : new TextCoder(text, file.features, keepsTexts),
      };
    });
  }

  /** Reads the model's columns in these ways from now on, instead of the training file's. Call before `useKernel`. */
  readAs(readings: readonly ColumnReading[]): void {
    for (const [at, column] of this.columns.entries()) {
      // The label's column, where it is one of these, is read in one way.
      const reading = readings[at] ?? column.reading;
      if (isSameReading(reading, column.reading)) continue;
      column.reading = reading;
      column.read = readerOf(column.features, reading);
    }
  }

  /** Writes the codes of records from place `at` on into the arrays, one for each feature. */
  codeRecords(records: readonly (readonly string[])[], codes: readonly CodeArray[], at: number): void {
    for (const [index, column] of this.columns.entries()) {
      for (let row = 0; row < records.length; row++) {
        this.codeText(records[row]![column.position]!.trim(), index, codes, at + row);
      }
    }
  }

  /** The texts of the rows that were coded since the last call, in the order of the model's texts. */
  takeTexts(): TakenTexts[] {
    return (this.file.texts ?? []).map(({ column }) => this.columns[column]!.text!.take());
  }

  /** How the words and pairs of a text of this column are shown, by the number of their term. */
  namesIn(text: string, column: number): Map<number, string> {
    return this.columns[column]!.text!.namesIn(text);
  }

  /** Call before the first cells of this kernel come. */
  useKernel(kernel: ReadingKernel): void {
    for (const column of this.columns) {
      // The text of each cell is wanted anyway.
      if (column.text !== null) continue;
      const sources = column.features.map(({ source }) => source);
      column.quick = quickCoder(kernel, sources, column.counted, column.reading, column.missingTexts);
    }
  }

  /** As `codeRecords`, for `count` records of a batch of cells from `first` on. */
  codeCells(batch: CellBatch, first: number, count: number, codes: readonly CodeArray[], at: number): void {
    const end = first + count;
    const all = this.file.counted?.picks ?? null;
    const picks = all && picksWithin(all, at, at + count);
    for (const [index, { position, features, quick }] of this.columns.entries()) {
      const rows =
        quick?.code(
          batch,
          position,
          first,
          end,
          features.map(({ index: feature }) => codes[feature]!),
          at,
          picks,
        ) ?? Int32Array.from({ length: count }, (_, row) => first + row);
      for (const row of rows) this.codeText(cellText(batch, row, position), index, codes, at + row - first);
    }
  }

  /** Sets the counts of the warnings back to 0; odd cells are listed from now on. */
  beginAnew(): OddCell[] {
    for (const counts of this.counts) Object.assign(counts, NO_COUNTS);
    this.oddCells = [];
    return this.oddCells;
  }

  /** Cells of a column whose category the training file did not have; `first`: as it is written. */
  unseenIn(index: number): { count: number; first: string } {
    return { count: this.counts[index]!.UNSEEN_CATEGORY, first: this.firstUnseen[index] ?? "" };
  }

  /** Warnings about cells unlike the training file so far, with counts. */
  warnings(): Warning[] {
    return this.file.columns.flatMap(({ name }, index) => {
      const counts = this.counts[index]!;
      const found: Warning[] = [];
      const add = (code: OddCode, what: string) => {
        const count = counts[code];
        const message = `Column ${quotedName(name)}: ${cells(count)} ${what}`;
        if (count > 0) found.push({ code, message, column: name, count });
      };
      add("UNSEEN_CATEGORY", "a category that the training file did not have.");
      add("NOT_READ", "text that does not fit the column's form; taken as missing.");
      add("NO_KNOWN_TERM", "a text without a word that the model knows.");
      add("NEW_MISSING", "no value, which no training row had.");
      return found;
    });
  }

  /** Writes the codes of one trimmed text for all features of its column, and counts it. */
  private codeText(text: string, index: number, codes: readonly CodeArray[], at: number): void {
    const { features, missingTexts, text: coder, read, counted } = this.columns[index]!;
    if (missingTexts.has(text)) {
      this.codeMissing(index, codes, at);
      return;
    }
    const hasTerms = coder?.add(text, codes, at) ?? true;
    const value = read === null ? Number.NaN : read(text);
    let newCode: number | null = null;
    for (const { index: feature, code } of features) {
      const answer = code(value);
      if (isNew(answer)) newCode = codeIn(answer);
      codes[feature]![at] = codeIn(answer);
    }
    if (counted !== null) countCell(counted, codeIn(counted.code(coder === null ? value : coder.characterCount)), at);
    if (!hasTerms) this.note("NO_KNOWN_TERM", index, at);
    if (newCode === MISSING_CODE) this.note("NOT_READ", index, at);
    // A new title is no new category where its words are read.
    else if (newCode !== null && coder === null) {
      this.firstUnseen[index] ??= text;
      this.note("UNSEEN_CATEGORY", index, at);
    }
  }

  private codeMissing(index: number, codes: readonly CodeArray[], at: number): void {
    const { features, text: coder, counted } = this.columns[index]!;
    coder?.add("", codes, at);
    for (const { index: feature } of features) codes[feature]![at] = MISSING_CODE;
    if (counted !== null) countCell(counted, MISSING_CODE, at);
    if (this.file.columns[index]!.missingCount === 0) this.note("NEW_MISSING", index, at);
  }

  /** Counts an odd cell, and lists it where somebody asks for that. */
  private note(code: OddCode, column: number, row: number): void {
    this.counts[column]![code]++;
    this.oddCells?.push({ row, column, code });
  }
}

function readerOf(features: readonly ColumnFeature[], reading: ColumnReading): CellReader | null {
  return features.length === 0 ? null : cellReader(features[0]!.source, reading);
}

function countCell({ counts, picks }: ColumnCells, code: number, at: number): void {
  if (picks.isPicked[at] === 1) counts[code]!++;
}

function cells(count: number): string {
  return count === 1 ? "1 cell has" : `${count} cells have`;
}
