// The first pass over a table: takes batches of records, and makes the profile of every column and of the label.

import { type ColumnChoice, choicesByColumn } from "../columns/choices.ts";
import { DATE_PARTS, partValues } from "../columns/dates.ts";
import { type NumberForm, PLAIN_FORM } from "../columns/numbers.ts";
import { type ColumnReading, DEFAULT_MISSING_MARKERS, holdNumber, missingMarkerSet } from "../columns/reading.ts";
import { type ReadingKernel, takeKernel } from "../csv/reading-kernel.ts";
import type { CellBatch, CellSink } from "../csv/types.ts";
import { alikeNumbersWarning } from "../reading/alike-numbers.ts";
import { type ColumnCaps, columnCaps, labelCaps } from "../reading/caps.ts";
import { LogBuffer } from "../reading/cell-log.ts";
import { ColumnScan, type DistinctValues, type MissingMarkers } from "../reading/column-scan.ts";
import type { Warning } from "../warning.ts";
import { alikeCategoriesWarning, type SpelledColumn } from "./alike-texts.ts";
import { HEADER_REPEATED, headerWarning, repeatedText } from "./header-check.ts";
import type { KindDecision } from "./kind.ts";
import { findLabel, labelClasses, labelWarnings, loneColumnWarning, missingLabelTexts } from "./label.ts";
import { mergedCellsWarning } from "./merged-cells.ts";
import type { ColumnProfile, LabelProfile, TableProfile } from "./profile.ts";
import { quotedCellsWarning } from "./quoted-cells.ts";
import {
  decideAsMeant,
  decideAsWritten,
  decideTogether,
  foundKindOf,
  lineAboveNumbers,
  type MeantDecision,
} from "./read-as-meant.ts";
import { sentinelDateHints, sentinelHints } from "./sentinel-hints.ts";
import { totalWarnings } from "./total-rows.ts";
import { unixTimesWarning, unreadValuesWarning } from "./unread-values.ts";

/** Distinct texts that tell whether a column of texts holds numbers. */
const TEXTS_LOOKED_AT = 1_000;
/** Distinct texts that tell whether all are in quotes. */
const QUOTES_LOOKED_AT = 20;

export interface ProfilerOptions {
  /** The file's delimiter. Where it is a comma, no comma is a decimal comma. */
  delimiter: string;
  /** Name of the label column; null for the last one. */
  label: string | null;
  missingMarkers?: readonly string[];
  /** The user's choices for single columns; none by default. */
  choices?: readonly ColumnChoice[];
  /** False where the names were made up; true by default. */
  hasHeader?: boolean;
  /** The bounds of each feature column; by default its share of the whole. */
  caps?: ColumnCaps;
  /** Bytes for the logs of all cells, which spare the second pass; none by default. */
  logBytes?: number;
}

/** A column as its own cells show it. */
interface DecidedColumn {
  distinct: DistinctValues;
  decision: MeantDecision;
  /** Null where nobody chose a kind. */
  foundKind: ColumnProfile["kind"] | null;
  /** See `lineAboveNumbers`. */
  lineAbove: number | null;
}

/** Takes all records of a file in order, in batches of any size, and keeps memory within the caps. */
export class TableProfiler implements CellSink {
  private readonly names: readonly string[];
  private readonly delimiter: string;
  private readonly hasHeader: boolean;
  private readonly labelColumn: number;
  private readonly markers: MissingMarkers;
  /** Null where the user chose nothing. */
  private readonly choices: readonly (ColumnChoice | null)[];
  private readonly scans: readonly ColumnScan[];
  readonly kernel: ReadingKernel = takeKernel();
  private rowCount = 0;

  /** @throws InputError LABEL_NOT_FOUND, or about a choice for what is no feature column */
  constructor(names: readonly string[], options: ProfilerOptions) {
    this.names = names;
    this.delimiter = options.delimiter;
    this.hasHeader = options.hasHeader ?? true;
    this.labelColumn = findLabel(names, options.label);
    const texts = missingMarkerSet(options.missingMarkers ?? DEFAULT_MISSING_MARKERS);
    this.markers = { texts, holdNumbers: holdNumber(texts) };
    this.choices = choicesByColumn(names, this.labelColumn, options.choices ?? []);
    const caps = options.caps ?? columnCaps(names.length);
    const logs = (options.logBytes ?? 0) > 0 ? new LogBuffer(options.logBytes!) : null;
    const { kernel, labelColumn } = this;
    const capsOf = names.map((_, column) => (column === labelColumn ? labelCaps(caps) : caps));
    kernel.reserve(capsOf.reduce((sum, caps) => sum + ColumnScan.bytesFor(caps), 0));
    this.scans = capsOf.map((caps, column) => new ColumnScan(kernel, caps, this.markersOf(column), logs));
  }

  addCells(batch: CellBatch): void {
    const { kernel, scans } = this;
    kernel.exports.drawRows(batch.firstIndex, batch.recordCount);
    for (let column = 0; column < scans.length; column++) scans[column]!.take(batch, column);
    this.rowCount += batch.recordCount;
  }

  /** Call once, after the last batch. @throws InputError KIND_UNREADABLE where a column cannot be of the chosen kind */
  finish(): TableProfile {
    const warnings: Warning[] = [];
    const found = this.names.map((_, column) => this.decide(column));
    const features = found.map(({ decision }, column) => (column === this.labelColumn ? null : decision));
    const meant = decideTogether(this.names, features);
    const columns = found.map((facts, column) =>
      this.finishColumn(column, { ...facts, decision: meant[column] ?? facts.decision }, warnings),
    );
    const header = this.hasHeader ? this.headerWarning(columns, found) : null;
    if (header !== null) warnings.push(header);
    const repeated = header?.code === HEADER_REPEATED ? { line: header.line!, count: header.count! } : null;
    warnings.push(...alikeCategoriesWarning(columns.flatMap((column) => this.spelledColumn(column))));
    const written = columns.filter(({ kind }) => kind !== "number" && kind !== "date");
    const textsOf = (column: number) => firstTexts(this.scans[column]!, QUOTES_LOOKED_AT);
    warnings.push(...quotedCellsWarning(written.map(({ name, index }) => ({ name, texts: textsOf(index) }))));
    const merged = columns.filter(({ missing }) => 2 * missing >= this.rowCount);
    for (const { name, index, missing } of merged) {
      warnings.push(...mergedCellsWarning(name, this.scans[index]!.firstValues(), missing));
    }
    warnings.push(...totalWarnings(columns, this.rowCount, (column, text) => this.scans[column]!.find(text)));
    const label = this.finishLabel(columns[this.labelColumn]!, repeated?.count ?? 0);
    const firstLineWithout = Math.min(
      this.scans[this.labelColumn]!.firstMissing,
      repeated?.line ?? Number.POSITIVE_INFINITY,
    );
    warnings.push(...labelWarnings(label, this.rowCount, this.markers.texts, firstLineWithout));
    if (columns.length === 1) warnings.push(loneColumnWarning(label.name));
    return { rowCount: this.rowCount, columns, label, missingMarkers: this.markers.texts, warnings };
  }

  /** Decides what the column is by its own cells. */
  private decide(index: number): DecidedColumn {
    const name = this.names[index]!;
    const scan = this.scans[index]!;
    const distinct = scan.finish();
    const { listed, total, most: mostDistinct, others } = distinct;
    const isZeroOne = total === 2 && listed === 2 && holdsZeroOne(scan);
    const { delimiter, rowCount } = this;
    const { evidence } = scan;
    const facts = { name, evidence, distinct: total, mostDistinct, rowCount, isZeroOne, delimiter };
    const choosing = { ...facts, choice: this.choices[index]! };
    const isLabel = index === this.labelColumn;
    const decision = isLabel ? decideAsWritten(facts, others) : decideAsMeant(choosing, others);
    const lineAbove = lineAboveNumbers(facts, others);
    return { distinct, decision, foundKind: foundKindOf(choosing, others), lineAbove };
  }

  private finishColumn(index: number, decided: DecidedColumn, warnings: Warning[]): ColumnProfile {
    const name = this.names[index]!;
    const scan = this.scans[index]!;
    const isLabel = index === this.labelColumn;
    const { decision, foundKind } = decided;
    const { total, isEstimate: isDistinctEstimated } = decided.distinct;
    scan.settle(decision.evidence, decision.missing);
    if (!isLabel) warnings.push(...decision.warnings, ...useWarnings(name, decision, scan));
    if (!isLabel) warnings.push(...this.hints(index, decision, scan));
    const unusedReason = isLabel ? "label: what the model learns to predict" : reasonUnused(decision, scan);
    const isRead = isLabel || unusedReason === null;
    const { kind, reading, hasTerms } = decision;
    return {
      name,
      index,
      kind,
      ...(foundKind !== null && { foundKind }),
      hasTerms: hasTerms && !isLabel,
      missing: scan.missing,
      distinct: total - decision.missing.length,
      isDistinctEstimated,
      isInteger: decision.evidence.allIntegers,
      reading,
      unusedReason,
      scan: isRead ? scan : null,
    };
  }

  private hints(index: number, { reading }: KindDecision, scan: ColumnScan): Warning[] {
    const name = this.names[index]!;
    if (reading.kind === "category") return [];
    const { missingTexts = [] } = reading;
    if (reading.kind === "date") return sentinelDateHints(name, scan, reading.form, missingTexts);
    const hints = sentinelHints(name, scan, reading.form, missingTexts);
    if (this.choices[index]?.kind !== undefined) return hints;
    const alike = alikeNumbersWarning(name, scan, reading.form, this.scans[this.labelColumn]!, this.names.length);
    const isPlain = reading.form.affix === "";
    const times = isPlain
      ? unixTimesWarning(name, scan.evidence, scan.sample === null ? scan.dictionary.size : Infinity)
      : null;
    return [...hints, ...[alike, times].filter((warning) => warning !== null)];
  }

  private headerWarning(columns: readonly ColumnProfile[], found: readonly DecidedColumn[]): Warning | null {
    const named = columns.map(({ name, kind, distinct, index }) => {
      const scan = this.scans[index]!;
      const { lineAbove } = found[index]!;
      const find = (text: string) => scan.find(text);
      return { name, kind, distinct, listsAll: scan.sample === null, lineAbove, find };
    });
    return this.rowCount === 0 ? null : headerWarning(named, this.labelColumn);
  }

  /** Categories that are learned one by one, unless the user said that they are; of many, spellings are no trouble. */
  private spelledColumn({ name, index, kind, reading, hasTerms }: ColumnProfile): SpelledColumn[] {
    const { dictionary, sample, markers } = this.scans[index]!;
    const isSpelled = kind === "category" && reading.kind === "category" && !hasTerms && sample === null;
    const isOwnWord = index === this.labelColumn || this.choices[index]?.kind !== undefined;
    if (!isSpelled || isOwnWord || dictionary.size > TEXTS_LOOKED_AT) return [];
    const texts = Array.from({ length: dictionary.size }, (_, id) => ({
      text: dictionary.textOf(id),
      count: dictionary.countOf(id),
    }));
    return [{ name, texts: texts.filter(({ text }) => !markers.texts.has(text)) }];
  }

  /** Chosen texts are markers of their column from the start, so that nothing is decided by them. */
  private markersOf(column: number): MissingMarkers {
    const chosen = this.choices[column]?.missingTexts ?? [];
    if (chosen.length === 0) return this.markers;
    const texts = new Set([...this.markers.texts, ...chosen]);
    return { texts, holdNumbers: holdNumber(texts) };
  }

  /** `headerCount`: records that repeat the header, which have no label. */
  private finishLabel(column: ColumnProfile, headerCount: number): LabelProfile {
    const scan = this.scans[column.index]!;
    const { evidence } = scan;
    const header = headerCount === 0 ? null : repeatedText(column.name, (text) => scan.find(text));
    return {
      column: column.index,
      name: column.name,
      classes: labelClasses(scan, this.markers.texts).filter(({ label }) => label !== header),
      classCount: column.distinct - (header === null ? 0 : 1),
      rowsWithoutLabel: column.missing + (header === null ? 0 : headerCount),
      missingTexts: missingLabelTexts(scan, this.markers.texts),
      numberForm: numberFormOf(column.reading, !evidence.hasDigitCode && evidence.plain > 0.99 * evidence.cells),
    };
  }
}

function holdsZeroOne({ dictionary, markers }: ColumnScan): boolean {
  for (let id = 0; id < dictionary.size; id++) {
    const text = dictionary.textOf(id);
    if (text !== "0" && text !== "1" && !markers.texts.has(text)) return false;
  }
  return true;
}

function numberFormOf(reading: ColumnReading, isPlain: boolean): NumberForm | null {
  if (reading.kind === "number") return reading.form;
  return isPlain ? PLAIN_FORM : null;
}

function reasonUnused({ kind, reading, hasTerms }: KindDecision, scan: ColumnScan): string | null {
  if (kind === "identifier" && !hasTerms) return "identifier: nearly every row has its own value";
  if (kind === "constant") {
    if (scan.evidence.cells === 0) return "constant: every cell is missing";
    // Whether the one value is there or missing may tell something.
    return scan.missing === 0 ? "constant: the same value in every row" : null;
  }
  if (reading.kind === "date") {
    const { values } = scan.evidence.dates[reading.form.order];
    const varies = values !== null && DATE_PARTS.some((part) => partValues(values, part).length > 1);
    return varies ? null : "date: year, month, day, weekday and hour are the same in every row";
  }
  return null;
}

/** Its first distinct texts, without those that count as missing. */
function firstTexts({ dictionary, markers }: ColumnScan, most: number): string[] {
  const count = Math.min(dictionary.size, most);
  return Array.from({ length: count }, (_, id) => dictionary.textOf(id)).filter((text) => !markers.texts.has(text));
}

function useWarnings(name: string, decision: KindDecision, scan: ColumnScan): Warning[] {
  const { kind, warnings } = decision;
  if (kind !== "identifier" && kind !== "category") return [];
  const texts = firstTexts(scan, TEXTS_LOOKED_AT);
  // Another warning already says why they are no numbers.
  const unread = warnings.length > 0 ? null : unreadValuesWarning(name, decision, texts, (text) => scan.find(text));
  if (unread !== null) return [unread];
  if (kind === "identifier") {
    const { allIntegers, allUuids } = scan.evidence;
    const use = decision.hasTerms ? "only parts of its values are read" : "it is not used";
    const advice =
      decision.hasTerms || allIntegers || allUuids
        ? ""
        : " If parts of its values may tell something, such as the domains of mail addresses, choose the kind text for it.";
    const message = `Column "${name}" looks like an identifier, with its own value in nearly every row; ${use}.${advice}`;
    return [{ code: "IDENTIFIER_COLUMN", message, column: name }];
  }
  if (scan.sample === null) return [];
  const count = scan.dictionary.size;
  const message =
    `Column "${name}" holds too many distinct texts: ` +
    `the first ${count} are kept apart, all others count as one category.`;
  return [{ code: "MANY_CATEGORIES", message, column: name, count }];
}
