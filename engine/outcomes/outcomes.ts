// Labels that come later, beside what was predicted: read in the rows' order
// or by a key, and counted by label and decision.

import { meantName } from "../columns/near-miss.ts";
import { enlarged } from "../concatenate.ts";
import { copyOf } from "../copy-text.ts";
import { listNames, quotedName } from "../csv/header.ts";
import type { CsvHeader, RecordBatch } from "../csv/types.ts";
import { InputError } from "../input-error.ts";
import { type Estimate, emptyConfusion, rightCount, wilsonInterval } from "../judging/metrics.ts";
import type { ModelFile } from "../model/model-file.ts";
import { CellCoder } from "../scoring/cell-coder.ts";
import { shellWord } from "../shell-word.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE, MISSING_CODE } from "../table/buckets.ts";
import { classFeature, labelColumn } from "../watch/file-counts.ts";
import { addFirstRows, columnOutOfOrder, type FirstRows } from "../watch/row-order.ts";
import { unknownLabelWords } from "../watch/unknown-labels.ts";

/** The parts of a model that reading labels needs. */
export type LabelledModel = Pick<ModelFile, "label" | "labels" | "missingMarkers">;

export interface OutcomeCounts {
  /** By actual label, then by decision. */
  confusion: number[][];
  /** Rows whose label the model does not know: each decision was wrong. */
  unknownLabels: number;
  /** Predicted rows without a label so far. */
  withoutLabel: number;
  /** Those of them that were answered, by decision; left out of counts of earlier versions. */
  withoutLabelBy?: number[];
  /** Labels whose key no predicted row has. */
  unmatched: number;
}

/** How the labels lie in their file. */
export interface OutcomeColumns {
  /** Null for the one named as the model's label, or the only one beside the key. */
  labelColumn: string | null;
  /** A column of both files; null where the rows stand in the order of the predicted ones. */
  keyColumn: string | null;
}

/** Keys are kept in memory: some 150 bytes each. */
const MOST_KEYED_ROWS = 2_000_000;
const MOST_KEY_CHARACTERS = 200;
const PREDICTION_NAME = /^prediction(?:_\d{1,6})?$/;

/** Takes the records of a file of labels: first `begin`, then `add` for each batch. */
export class OutcomeLabels {
  private readonly model: LabelledModel;
  private readonly columns: OutcomeColumns;
  private coder: CellCoder | null = null;
  private keyAt = -1;
  /** By row: MISSING_CODE, UNSEEN_CODE, or FIRST_CODE and the class. */
  private codes = new Uint16Array(1 << 12);
  rowCount = 0;
  /** The row of each key; null in the rows' order. */
  readonly rowOfKey: Map<string, number> | null;
  /** Kept in the rows' order alone. */
  firstRows: FirstRows = { names: [], records: [] };

  constructor(model: LabelledModel, columns: OutcomeColumns) {
    this.model = model;
    this.columns = columns;
    this.rowOfKey = columns.keyColumn === null ? null : new Map();
  }

  /** The reader may begin again. @throws InputError COLUMN_NOT_FOUND, NO_LABEL_COLUMN */
  begin({ names }: Pick<CsvHeader, "names">): void {
    this.rowCount = 0;
    this.firstRows = { names, records: [] };
    this.rowOfKey?.clear();
    const { keyColumn, labelColumn: wanted } = this.columns;
    this.keyAt = keyColumn === null ? -1 : placeOf(keyColumn, names, "the file of labels");
    const labelAt = wanted === null ? this.onlyLabel(names) : placeOf(wanted, names, "the file of labels");
    const { label, labels, missingMarkers } = this.model;
    const model = { columns: [labelColumn({ label })], features: [classFeature(labels, 0)], missingMarkers };
    this.coder = new CellCoder(model, [labelAt]);
  }

  /** @throws InputError DUPLICATE_KEY, KEY_TOO_LONG, TOO_MANY_KEYS */
  add({ records, lines }: Pick<RecordBatch, "records" | "lines">): void {
    const end = this.rowCount + records.length;
    if (end > this.codes.length) this.codes = enlarged(this.codes, end);
    this.coder!.codeRecords(records, [this.codes], this.rowCount);
    if (this.rowOfKey === null) addFirstRows(this.firstRows, records);
    const { rowOfKey, keyAt } = this;
    if (rowOfKey !== null) {
      for (const [at, record] of records.entries())
        this.addKey(rowOfKey, record[keyAt]!, this.rowCount + at, lines[at]!);
    }
    this.rowCount = end;
  }

  /** The first label that the model does not know; empty where it knows all. */
  get firstUnknown(): string {
    return this.coder!.unseenIn(0).text;
  }

  codeOf(row: number): number {
    return this.codes[row]!;
  }

  private addKey(rowOfKey: Map<string, number>, cell: string, row: number, line: number): void {
    const key = cell.trim();
    if (key === "") return;
    const where = { line, column: this.columns.keyColumn! };
    if (key.length > MOST_KEY_CHARACTERS) {
      const message = `Line ${line}: the key has ${key.length} characters; it may have at most ${MOST_KEY_CHARACTERS}.`;
      throw new InputError("KEY_TOO_LONG", message, where);
    }
    if (rowOfKey.has(key)) throw duplicateKey("labels", where);
    if (rowOfKey.size >= MOST_KEYED_ROWS) {
      const message = `More than ${MOST_KEYED_ROWS} keys cannot be matched at once. Send labels in the rows' order, or predict in parts.`;
      throw new InputError("TOO_MANY_KEYS", message, where);
    }
    rowOfKey.set(copyOf(key), row);
  }

  private onlyLabel(names: readonly string[]): number {
    const labelAt = names.indexOf(this.model.label);
    if (labelAt >= 0 && labelAt !== this.keyAt) return labelAt;
    const others = [...names.keys()].filter((at) => at !== this.keyAt);
    if (others.length === 1) return others[0]!;
    throw new InputError(
      "NO_LABEL_COLUMN",
      `The file of labels has no column ${quotedName(this.model.label)}, which the model predicts. Name the column of the labels: --label or, in the API, labelColumn. It has ${listNames(names)}.`,
      { line: 1 },
    );
  }
}

/** Takes the records of a prediction's result and counts them beside the labels. Call `begin`, `add`, then `end`. */
export class OutcomeMatch {
  private readonly model: LabelledModel;
  private readonly labels: OutcomeLabels;
  private readonly keyColumn: string | null;
  private readonly classOf: ReadonlyMap<string, number>;
  /** Rows that were answered and have no label, by decision. */
  private unlabelled: number[] = [];
  private keyAt = -1;
  private predictionAt = 0;
  private rowCount = 0;
  private used = new Uint8Array(0);
  private firstRows: FirstRows = { names: [], records: [] };
  private counts: OutcomeCounts;

  constructor(model: LabelledModel, labels: OutcomeLabels, { keyColumn }: Pick<OutcomeColumns, "keyColumn">) {
    this.model = model;
    this.labels = labels;
    this.keyColumn = keyColumn;
    this.classOf = new Map(model.labels.map((label, code) => [label.trim(), code]));
    this.counts = noOutcomes(model.labels.length);
  }

  /** The reader may begin again. @throws InputError COLUMN_NOT_FOUND, NO_PREDICTION */
  begin({ names }: Pick<CsvHeader, "names">): void {
    this.counts = noOutcomes(this.model.labels.length);
    this.unlabelled = this.model.labels.map(() => 0);
    this.rowCount = 0;
    this.used = new Uint8Array(this.labels.rowOfKey === null ? 0 : this.labels.rowCount);
    this.keyAt = this.keyColumn === null ? -1 : placeOf(this.keyColumn, names, "the predicted file");
    this.firstRows = { names, records: [] };
    // Answers stand after the input's columns, and are numbered where these have their names.
    this.predictionAt = names.findLastIndex((name) => PREDICTION_NAME.test(name));
    if (this.predictionAt < 0) {
      const message =
        'The predicted file has no column "prediction". Name the result that predict wrote, with its header.';
      throw new InputError("NO_PREDICTION", message, { line: 1 });
    }
  }

  /** @throws InputError DUPLICATE_KEY, OTHER_MODEL */
  add({ records, lines }: Pick<RecordBatch, "records" | "lines">): void {
    if (this.labels.rowOfKey === null) addFirstRows(this.firstRows, records);
    for (const [at, record] of records.entries()) {
      const row = this.rowOf(record, lines[at]!);
      this.rowCount++;
      const code = row === undefined ? MISSING_CODE : this.labels.codeOf(row);
      const decision = record[this.predictionAt]!.trim();
      // Rows that could not be read were not answered.
      if (code === MISSING_CODE || decision === "") this.addUnlabelled(decision);
      else if (code < FIRST_CODE) this.counts.unknownLabels++;
      else this.counts.confusion[code - FIRST_CODE]![this.classOfDecision(decision, lines[at]!)]!++;
    }
  }

  /** @throws InputError ROW_COUNT, ROW_ORDER, NO_COMMON_KEY, NO_LABELS, UNKNOWN_LABELS */
  end(): OutcomeCounts {
    const { labels, counts } = this;
    if (labels.rowOfKey === null) {
      if (labels.rowCount !== this.rowCount) throw otherRowCount(labels.rowCount, this.rowCount);
      const answers = this.firstRows.names.slice(this.predictionAt);
      const moved = columnOutOfOrder(labels.firstRows, this.firstRows, new Set([this.model.label, ...answers]));
      if (moved !== null) throw otherOrder(moved);
    } else {
      const matched = sumOf(this.used);
      counts.unmatched = labels.rowCount - matched;
      if (matched === 0) throw noCommonKey(this.keyColumn!);
    }
    const rowCount = judgedCount(counts);
    if (rowCount === 0) {
      throw new InputError("NO_LABELS", "No row has a label: each is empty or means that there is no value.");
    }
    // Labels in another coding would all count as wrong.
    if (counts.unknownLabels === rowCount) throw unknownLabels(rowCount, labels.firstUnknown, this.model);
    return { ...counts, withoutLabelBy: this.unlabelled };
  }

  private addUnlabelled(decision: string): void {
    this.counts.withoutLabel++;
    const code = this.classOf.get(decision);
    if (code !== undefined) this.unlabelled[code]!++;
  }

  private rowOf(record: readonly string[], line: number): number | undefined {
    const { rowOfKey, rowCount } = this.labels;
    if (rowOfKey === null) return this.rowCount < rowCount ? this.rowCount : undefined;
    const row = rowOfKey.get(record[this.keyAt]!.trim());
    if (row === undefined) return undefined;
    if (this.used[row] === 1) throw duplicateKey("predicted", { line, column: this.keyColumn! });
    this.used[row] = 1;
    return row;
  }

  private classOfDecision(decision: string, line: number): number {
    const code = this.classOf.get(decision);
    if (code !== undefined) return code;
    const message = `Line ${line} of the predicted file has a prediction that the model does not know. Name a result of this model.`;
    throw new InputError("OTHER_MODEL", message, { line, column: "prediction" });
  }
}

/** Rows with a label, whether the model knows it or not. */
export function judgedCount({ confusion, unknownLabels }: OutcomeCounts): number {
  return confusion.flat().reduce((sum, count) => sum + count, unknownLabels);
}

/** With Wilson's interval; null without a label. */
export function accuracyOfOutcomes(counts: OutcomeCounts): Estimate | null {
  const rowCount = judgedCount(counts);
  return rowCount === 0 ? null : wilsonInterval(rightCount(counts.confusion), rowCount);
}

/** Adds counts of the same model to others. */
export function addOutcomes(sum: OutcomeCounts, more: OutcomeCounts): void {
  for (const [label, row] of more.confusion.entries()) {
    for (const [decision, count] of row.entries()) sum.confusion[label]![decision]! += count;
  }
  sum.unknownLabels += more.unknownLabels;
  sum.withoutLabel += more.withoutLabel;
  if (more.withoutLabelBy !== undefined) {
    sum.withoutLabelBy ??= more.withoutLabelBy.map(() => 0);
    for (const [decision, count] of more.withoutLabelBy.entries()) sum.withoutLabelBy[decision]! += count;
  }
  sum.unmatched += more.unmatched;
}

export function noOutcomes(classCount: number): OutcomeCounts {
  return { confusion: emptyConfusion(classCount), unknownLabels: 0, withoutLabel: 0, unmatched: 0 };
}

/** Whether a value that was read from a file has the form of counts. */
export function isOutcomeCounts(value: unknown): value is OutcomeCounts {
  const { confusion, unknownLabels, withoutLabel, unmatched, withoutLabelBy } = (value ?? {}) as Partial<OutcomeCounts>;
  const isSquare = Array.isArray(confusion) && confusion.every((row) => row?.length === confusion.length);
  if (!isSquare || (withoutLabelBy !== undefined && withoutLabelBy.length !== confusion.length)) return false;
  const counts = [...confusion.flat(), ...(withoutLabelBy ?? []), unknownLabels, withoutLabel, unmatched];
  return counts.every(isCount);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function placeOf(name: string, names: readonly string[], what: string): number {
  const place = names.indexOf(name);
  if (place >= 0) return place;
  const hint = meantName(name, names, `It has ${listNames(names)}.`);
  const message = `${what[0]!.toUpperCase()}${what.slice(1)} has no column ${quotedName(name)}. ${hint}`;
  throw new InputError("COLUMN_NOT_FOUND", message, { line: 1, column: name });
}

function duplicateKey(which: "labels" | "predicted", where: { line: number; column: string }): InputError {
  const file = which === "labels" ? "file of labels" : "predicted file";
  const message = `Line ${where.line} of the ${file} has a key in ${quotedName(where.column)} that an earlier line has. Each key must stand once.`;
  return new InputError("DUPLICATE_KEY", message, where);
}

function otherRowCount(labelled: number, predicted: number): InputError {
  const message =
    `The file of labels has ${labelled} ${labelled === 1 ? "row" : "rows"}; the prediction has ${predicted}. Send one row for each, in the same order, with an ` +
    'empty label ("" where it is the only column) where it is not known yet, or match the rows by a column of both ' +
    "files that names each row: --key or, in the API, keyColumn.";
  return new InputError("ROW_COUNT", message);
}

function otherOrder(column: string): InputError {
  const message =
    `The file of labels and the prediction both have ${quotedName(column)}, with the same cells in other rows: the rows ` +
    `stand in another order. If it names each row, match the rows by it: --key=${shellWord(column)} or, in the API, ` +
    "keyColumn. If it does not tell rows apart, leave it out.";
  return new InputError("ROW_ORDER", message, { column });
}

function unknownLabels(rowCount: number, first: string, model: LabelledModel): InputError {
  const words = unknownLabelWords({ count: rowCount, text: first }, rowCount, model);
  return new InputError("UNKNOWN_LABELS", `${words} Write them as the training file does.`, { column: model.label });
}

function noCommonKey(keyColumn: string): InputError {
  const message = `No key in ${quotedName(keyColumn)} of the file of labels stands in the predicted file. Send the labels of these rows.`;
  return new InputError("NO_COMMON_KEY", message, { column: keyColumn });
}
