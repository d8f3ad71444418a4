// Turns the cells of a file, as text or as bytes, into codes of a model's
// features; counts values that training did not have.

import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../columns/reading.ts";
import { cellText } from "../csv/cell-text.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch } from "../csv/types.ts";
import { isDifference, type ModelFeature } from "../model/model-file.ts";
import { type CodeArray, FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { isOfText, isPlacePart, partReader } from "../table/text-shape.ts";
import type { Warning } from "../warning.ts";
import type { CountedCells, CountedModel } from "../watch/file-counts.ts";
import { picksWithin, type RowPicks } from "../watch/row-picks.ts";
import { timeCode } from "../watch/time-cells.ts";
import { amountOf, DifferenceCoder } from "./difference-coder.ts";
import { type CellReader, cellReader, codeIn, isNew, type ValueCoder, valueCoder } from "./feature-coder.ts";
import { type OddCell, OddCells } from "./odd-cells.ts";
import { type QuickCoder, quickCoder } from "./quick-coder.ts";
import { isSameReading } from "./rewritten-cell.ts";
import { namesIn } from "./term-names.ts";
import { type TakenTexts, TextCoder } from "./text-coder.ts";

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

/** Where a part of a column's texts is counted. */
interface PartCells extends ColumnCells {
  read: NonNullable<ReturnType<typeof partReader>>;
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
  countedParts: readonly PartCells[];
  /** Codes cells of a kernel without their text; null where that cannot be. */
  quick: QuickCoder | null;
  /** Reads the cells' terms; null where the column is no text. Its features are not among `features`. */
  textCoder: TextCoder | null;
  /** Whether numbers or characters of its texts are read too, so that one without a known term says something. */
  readsPlaces: boolean;
}

/** Codes the cells of files whose columns stand in one order. */
export class CellCoder {
  private readonly model: CountedModel;
  private readonly columns: readonly CodedColumn[];
  private readonly odd: OddCells;
  private readonly differences: DifferenceCoder;
  /** Columns of the model itself; a label that is counted comes behind them. */
  private readonly usedCount: number;
  /** Cells without a value in each row that is being coded, the first of which has the code at `firstAt`. */
  private missingCells = new Uint32Array(0);
  private firstAt = 0;

  /**
   * `positions`: of each model column in a record. `keepsTexts`: whether `namesIn` will be asked. `usedCount`: how many
   * of the columns decide.
   */
  constructor(
    model: CountedModel,
    positions: readonly number[],
    keepsTexts = false,
    usedCount: number = model.columns.length,
  ) {
    this.model = model;
    this.usedCount = usedCount;
    const markers = missingMarkerSet(model.missingMarkers);
    this.odd = new OddCells(model.columns.length);
    const featuresOf = model.columns.map((): ColumnFeature[] => []);
    for (const [index, source] of model.features.entries()) {
      if (!isOfText(source) && !isDifference(source))
        featuresOf[source.column]!.push({ index, code: valueCoder(source), source });
    }
    this.differences = new DifferenceCoder(model.features);
    const cellsOf = (counted: CountedCells): ColumnCells => {
      return { ...counted, code: valueCoder(counted.feature), picks: model.counted!.picks };
    };
    const partsOfColumn = Map.groupBy(model.counted?.parts ?? [], ({ feature }) => feature.column);
    this.columns = model.columns.map(({ reading }, at) => {
      const text = model.texts?.find(({ column }) => column === at);
      const features = featuresOf[at]!;
      const countedColumn = model.counted?.columns[at];
      return {
        position: positions[at]!,
        reading,
        missingTexts: missingTextsOf(reading, markers),
        features,
        read: readerOf(features, reading),
        counted: countedColumn === undefined ? null : cellsOf(countedColumn),
        countedParts: (partsOfColumn.get(at) ?? []).map((part) => ({
          ...cellsOf(part),
          read: partReader(part.feature.part)!,
        })),
        quick: null,
        textCoder: text === undefined ? null : new TextCoder(text, model.features, keepsTexts),
        readsPlaces: model.features.some(({ column, part }) => column === at && isPlacePart(part)),
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

  /**
   * Writes the codes of records from place `at` on into the arrays, one for each feature. `lines`: where the records
   * stand in a file; null for rows of JSON.
   */
  codeRecords(
    records: readonly (readonly string[])[],
    codes: readonly CodeArray[],
    at: number,
    lines: ArrayLike<number> | null = null,
  ): void {
    this.odd.place = lines === null ? "row" : "line";
    this.startRows(records.length, at);
    for (const [index, column] of this.columns.entries()) {
      for (let row = 0; row < records.length; row++) {
        const line = lines === null ? row + 1 : lines[row]!;
        this.codeText(records[row]![column.position]!.trim(), index, codes, at + row, line);
      }
    }
    this.differences.code(codes, at);
  }

  /** The texts of the rows that were coded since the last call, in the order of the model's texts. */
  takeTexts(): TakenTexts[] {
    return (this.model.texts ?? []).map(({ column }) => this.columns[column]!.textCoder!.take());
  }

  /** How the words and pairs of a text of this column are shown, by the number of their term. */
  namesIn(text: string, column: number): Map<number, string> {
    return namesIn(text, this.columns[column]!.textCoder!);
  }

  /** Call before the first cells of this kernel come. */
  useKernel(kernel: ReadingKernel): void {
    for (const column of this.columns) {
      // The text of each cell is wanted anyway.
      if (column.textCoder !== null) continue;
      const sources = column.features.map(({ source }) => source);
      column.quick = quickCoder(kernel, sources, column.counted, column.reading, column.missingTexts);
    }
  }

  /** As `codeRecords`, for `count` records of a batch of cells from `first` on. */
  codeCells(batch: CellBatch, first: number, count: number, codes: readonly CodeArray[], at: number): void {
    const rows = { from: first, to: first + count, at };
    const { lines } = batch.kernel;
    this.odd.place = "line";
    this.startRows(count, at);
    const filePicks = this.model.counted?.picks ?? null;
    const picks = filePicks && picksWithin(filePicks, at, at + count);
    for (const [index, { position, features, quick }] of this.columns.entries()) {
      const codesOfColumn = features.map(({ index: feature }) => codes[feature]!);
      const left =
        quick?.code(batch, position, rows, codesOfColumn, picks, this.differences.amounts[index]) ??
        Int32Array.from({ length: count }, (_, row) => first + row);
      for (const row of left) {
        this.codeText(cellText(batch, row, position), index, codes, at + row - first, lines[row]!);
      }
    }
    this.differences.code(codes, at);
  }

  /** Sets the counts of the warnings back to 0; odd cells are listed from now on. */
  beginAnew(): OddCell[] {
    return this.odd.beginAnew();
  }

  /** Cells of a column whose category the training file did not have; `text`: the first, as it is written. */
  unseenIn(index: number): { count: number; text: string } {
    return this.odd.of(index, "UNSEEN_CATEGORY");
  }

  /** Warnings about cells unlike the training file so far, with counts. */
  warnings(): Warning[] {
    return this.odd.warnings(this.model.columns, (column) => knownNames(this.columns[column]!.features));
  }

  private startRows(count: number, at: number): void {
    this.missingCells = new Uint32Array(count);
    this.firstAt = at;
    this.differences.startRows(count);
  }

  /** Writes the codes of one trimmed text for all features of its column, and counts it. */
  private codeText(text: string, index: number, codes: readonly CodeArray[], at: number, line: number): void {
    const { features, missingTexts, textCoder, readsPlaces, read, counted, countedParts, reading } =
      this.columns[index]!;
    if (missingTexts.has(text)) {
      this.codeMissing(index, codes, at, line);
      return;
    }
    const hasTerms = textCoder?.add(text, codes, at) ?? true;
    const value = read === null ? Number.NaN : read(text);
    const amounts = this.differences.amounts[index];
    if (amounts !== undefined) amounts[at - this.firstAt] = amountOf(text, reading);
    let newCode: number | null = null;
    for (const { index: feature, code } of features) {
      const answer = code(value);
      if (isNew(answer)) newCode = codeIn(answer);
      codes[feature]![at] = codeIn(answer);
    }
    if (counted !== null) {
      countCell(counted, codeIn(counted.code(textCoder === null ? value : textCoder.characterCount)), at);
      const isKnown =
        counted.leastWords === 0 ? hasTerms : textCoder === null || textCoder.wordCount >= counted.leastWords;
      if (!isKnown) countCell(counted, UNSEEN_CODE, at);
      if (reading.kind === "date" && !Number.isNaN(value)) countCell(counted, timeCode(value), at);
    }
    if (textCoder !== null) countParts(countedParts, text, textCoder, at);
    if (!hasTerms && !readsPlaces) this.odd.note("NO_KNOWN_TERM", index, at, line, text);
    if (newCode === MISSING_CODE) this.odd.note("NOT_READ", index, at, line, text);
    // A new title is no new category where its words are read.
    else if (newCode !== null && textCoder === null) this.odd.note("UNSEEN_CATEGORY", index, at, line, text);
  }

  private codeMissing(index: number, codes: readonly CodeArray[], at: number, line: number): void {
    const { features, textCoder, counted, countedParts } = this.columns[index]!;
    textCoder?.add("", codes, at);
    for (const { index: feature } of features) codes[feature]![at] = MISSING_CODE;
    if (counted !== null) countCell(counted, MISSING_CODE, at);
    for (const part of countedParts) countCell(part, MISSING_CODE, at);
    const isEmptyRow = index < this.usedCount && ++this.missingCells[at - this.firstAt]! === this.usedCount;
    // A row of one cell says so by that cell.
    if (isEmptyRow && this.usedCount > 1) this.odd.noteEmptyRow(line);
    if (this.model.columns[index]!.missingCount === 0) this.odd.note("NEW_MISSING", index, at, line, "");
  }
}

function readerOf(features: readonly ColumnFeature[], reading: ColumnReading): CellReader | null {
  return features.length === 0 ? null : cellReader(features[0]!.source, reading);
}

function countCell({ counts, picks }: ColumnCells, code: number, at: number): void {
  if (picks.isPicked[at] === 1) counts[code]!++;
}

/** `coder`: of the text, which it has just read. */
function countParts(parts: readonly PartCells[], text: string, { scanner, numbers }: TextCoder, at: number): void {
  for (const part of parts) countCell(part, codeIn(part.code(part.read(text, scanner.wordCount, numbers))), at);
}

/** The categories that have a code of their own. */
function knownNames(features: readonly ColumnFeature[]): string[] {
  const source = features.map((feature) => feature.source).find(({ kind }) => kind === "category");
  if (source?.kind !== "category") return [];
  return source.names.filter((_, at) => source.codes[at]! >= FIRST_CODE);
}
