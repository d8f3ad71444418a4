// Cells of a file to the codes that a model's features have for them, whether they come as text or as bytes; counts what is new to it.
import { type CodeArray, codeOfNumber, FIRST_CODE, MISSING_CODE } from "./buckets.ts";
import { datePart, packDate } from "./columns/dates.ts";
import { canonicalNumberText, isSameForm, PLAIN_FORM, readNumber } from "./columns/numbers.ts";
import { type ColumnReading, holdNumber, missingMarkerSet, trimCell } from "./columns/reading.ts";
import { createDictionary, findCell, hashText, insertText, type TextDictionary } from "./columns/text-dictionary.ts";
import { decimalValue } from "./csv/cell-key.ts";
import { decodeCell } from "./csv/cell-text.ts";
import { quotedName } from "./csv/header.ts";
import { CELL_FIELDS } from "./csv/reading-kernel.ts";
import type { CellBatch } from "./csv/shapes.ts";
import type { ModelFeature, ModelFile } from "./model-file.ts";
import type { Warning } from "./warning.ts";

/** What a file held that the training rows did not, by column. */
interface ColumnCounts {
  unseen: number;
  newMissing: number;
  notRead: number;
}

const NO_COUNTS: Readonly<ColumnCounts> = { unseen: 0, newMissing: 0, notRead: 0 };

/** A column of the model: where a record has its cell, and the features that are made of it. */
interface CodedColumn {
  position: number;
  reading: ColumnReading;
  features: { index: number; code: FeatureCoder; source: ModelFeature }[];
  /** How its cells of bytes are coded without their text, made when the first come; null where that cannot be. */
  quick: QuickCoder | null | undefined;
}

/** Of a column of one feature: short decimals by their value, or categories by a dictionary of those that have a code. */
type QuickCoder =
  | { kind: "number"; cutPoints: Float64Array }
  | { kind: "category"; dictionary: TextDictionary; codeOfText: Uint16Array };

/** Codes the cells of files whose columns stand in one order. */
export class CellCoder {
  private readonly file: ModelFile;
  private readonly columns: readonly CodedColumn[];
  private readonly missingMarkers: ReadonlySet<string>;
  private readonly counts: readonly ColumnCounts[];

  /** `positions`: of each model column in a record. */
  constructor(file: ModelFile, positions: readonly number[]) {
    this.file = file;
    this.missingMarkers = missingMarkerSet(file.missingMarkers);
    this.counts = file.columns.map(() => ({ ...NO_COUNTS }));
    this.columns = file.columns.map(({ reading }, at) => ({
      position: positions[at]!,
      reading,
      features: file.features.flatMap((source, index) =>
        source.column === at ? [{ index, code: featureCoder(source, reading), source }] : [],
      ),
      quick: undefined,
    }));
  }

  /** Reads each of the model's columns so from now on; before, as the training file was read. */
  readAs(readings: readonly ColumnReading[]): void {
    for (const [at, column] of this.columns.entries()) {
      const reading = readings[at]!;
      if (isSameReading(reading, column.reading)) continue;
      column.reading = reading;
      for (const feature of column.features) feature.code = featureCoder(feature.source, reading);
      column.quick = undefined;
    }
  }

  /** Writes the codes of records from place `at` on into the arrays, one for each feature. */
  codeRecords(records: readonly (readonly string[])[], codes: readonly CodeArray[], at: number): void {
    for (const [index, column] of this.columns.entries()) {
      for (let row = 0; row < records.length; row++) {
        this.codeText(trimCell(records[row]![column.position]!), index, codes, at + row);
      }
    }
  }

  /** The same of `count` records of a batch of bytes, from `first` on. */
  codeCells(batch: CellBatch, first: number, count: number, codes: readonly CodeArray[], at: number): void {
    for (const [index, column] of this.columns.entries()) {
      if (column.quick === undefined) column.quick = quickCoder(column, this.missingMarkers);
      const field = (column.position * batch.stride + first) * CELL_FIELDS;
      if (column.quick === null) this.codeTexts(index, batch, field, count, codes, at);
      else this.codeQuickly(index, column.quick, batch, field, count, codes, at);
    }
  }

  /** Begins the counts of the warnings anew. */
  forgetCounts(): void {
    for (const counts of this.counts) Object.assign(counts, NO_COUNTS);
  }

  /** What was unlike the training file so far, with counts. */
  warnings(): Warning[] {
    return this.file.columns.flatMap(({ name, missingCount }, index) => {
      const { unseen, newMissing, notRead } = this.counts[index]!;
      const found: Warning[] = [];
      const add = (code: string, count: number, what: string) => {
        if (count > 0) found.push({ code, message: `Column ${quotedName(name)}: ${what}`, column: name, count });
      };
      add("UNSEEN_CATEGORY", unseen, `${cells(unseen)} a category that the training file did not have.`);
      add("NOT_READ", notRead, `${cells(notRead)} text that cannot be read as the training file's; taken as missing.`);
      if (missingCount === 0) {
        add("NEW_MISSING", newMissing, `${cells(newMissing)} no value, which no training row had.`);
      }
      return found;
    });
  }

  /** Of one trimmed text, in all features of its column. */
  private codeText(text: string, index: number, codes: readonly CodeArray[], at: number): void {
    const { features } = this.columns[index]!;
    const counts = this.counts[index]!;
    if (this.missingMarkers.has(text)) {
      counts.newMissing++;
      for (const { index: feature } of features) codes[feature]![at] = MISSING_CODE;
      return;
    }
    let outcome = KNOWN;
    for (const { index: feature, code } of features) {
      const answer = code(text);
      codes[feature]![at] = answer < 0 ? ~answer : answer;
      if (answer < 0) outcome = ~answer === MISSING_CODE ? NOT_READ : UNSEEN;
    }
    if (outcome === UNSEEN) counts.unseen++;
    else if (outcome === NOT_READ) counts.notRead++;
  }

  private codeTexts(
    index: number,
    { cells, bytes }: CellBatch,
    firstField: number,
    count: number,
    codes: readonly CodeArray[],
    at: number,
  ): void {
    for (let row = 0, field = firstField; row < count; row++, field += CELL_FIELDS) {
      this.codeText(decodeCell(bytes, cells[field]!, cells[field + 1]!), index, codes, at + row);
    }
  }

  private codeQuickly(
    index: number,
    quick: QuickCoder,
    { cells, bytes }: CellBatch,
    firstField: number,
    count: number,
    codes: readonly CodeArray[],
    at: number,
  ): void {
    const own = codes[this.columns[index]!.features[0]!.index]!;
    for (let row = 0, field = firstField; row < count; row++, field += CELL_FIELDS) {
      const start = cells[field]!;
      const end = cells[field + 1]!;
      const low = cells[field + 2]!;
      const meta = cells[field + 3]!;
      if (quick.kind === "number") {
        if (meta >= 0) {
          own[at + row] = codeOfNumber(decimalValue(low, meta), quick.cutPoints);
          continue;
        }
      } else {
        const id = findCell(quick.dictionary, low, meta, bytes, start, end);
        if (id >= 0) {
          own[at + row] = quick.codeOfText[id]!;
          continue;
        }
      }
      this.codeText(start === end ? "" : decodeCell(bytes, start, end), index, codes, at + row);
    }
  }
}

const KNOWN = 0;
const UNSEEN = 1;
const NOT_READ = 2;

/** The code of a trimmed text that is not missing; the complement (~) of the code where the text was new to the model. */
type FeatureCoder = (text: string) => number;

function featureCoder(feature: ModelFeature, reading: ColumnReading): FeatureCoder {
  if (feature.kind === "category") return categoryCoder(feature);
  const { cutPoints, part } = feature;
  if (reading.kind === "number") {
    const { form } = reading;
    return (text) => {
      const value = readNumber(text, form);
      return Number.isFinite(value) ? codeOfNumber(value, cutPoints) : ~MISSING_CODE;
    };
  }
  if (reading.kind !== "date" || part === null) throw new Error(`feature of a ${reading.kind} column without its part`);
  const { form } = reading;
  return (text) => {
    const date = packDate(text, form);
    return date < 0 ? ~MISSING_CODE : codeOfNumber(datePart(date, part), cutPoints);
  };
}

/** Texts are compared exactly; where every category is a plain number, `1.0` is also read as the category `1`. */
function categoryCoder(feature: Extract<ModelFeature, { kind: "category" }>): FeatureCoder {
  const codeOf = new Map(feature.names.map((name, index) => [name, feature.codes[index]!]));
  const allNumbers = feature.names.length > 0 && feature.names.every((name) => canonicalNumberText(name) === name);
  const others = ~feature.codeOfOthers;
  return (text) => {
    const code = codeOf.get(text);
    if (code !== undefined) return code >= FIRST_CODE ? code : others;
    const alias = allNumbers ? canonicalNumberText(text) : null;
    return (alias === null ? undefined : codeOf.get(alias)) ?? others;
  };
}

/** What it does not know by its key goes the way of text. */
function quickCoder({ features, reading }: CodedColumn, markers: ReadonlySet<string>): QuickCoder | null {
  const source = features[0]?.source;
  if (source === undefined || features.length > 1) return null;
  if (source.kind === "number") {
    const isPlain = reading.kind === "number" && isSameForm(reading.form, PLAIN_FORM) && !holdNumber(markers);
    return isPlain ? { kind: "number", cutPoints: source.cutPoints } : null;
  }
  const { names, codes } = source;
  const known = [...names.keys()].filter((index) => codes[index]! >= FIRST_CODE && !markers.has(names[index]!));
  const charCount = known.reduce((sum, index) => sum + names[index]!.length, 0);
  const dictionary = createDictionary(known.length, charCount);
  // The last of equal names counts, as in a map.
  const codeOfName = new Map(known.map((index) => [names[index]!, codes[index]!]));
  const codeOfText = Uint16Array.from(codeOfName.values());
  for (const name of codeOfName.keys()) insertText(dictionary, name, hashText(name), 0);
  return { kind: "category", dictionary, codeOfText };
}

function cells(count: number): string {
  return count === 1 ? "1 cell has" : `${count} cells have`;
}

function isSameReading(a: ColumnReading, b: ColumnReading): boolean {
  return a === b || (a.kind === "number" && b.kind === "number" && isSameForm(a.form, b.form));
}
