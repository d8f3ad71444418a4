// The result of a scoring: the input's cells unchanged, then the decision, its
// confidence, the probability of each label, reasons.

import { freeName, listNames, quotedName } from "../csv/header.ts";
import { sixDigits } from "../csv/six-digits.ts";
import type { CsvHeader, RecordBatch } from "../csv/types.ts";
import { type CsvDialect, formatCells, formatRecord, spreadsheetSafe } from "../csv/write.ts";
import { isPart, type Reason, type ReasonSource, reasonSources } from "../explain/reasons.ts";
import { InputError } from "../input-error.ts";
import type { ModelFile } from "../model/model-file.ts";
import type { Warning } from "../warning.ts";
import { filterColumns } from "./column-filter.ts";
import { Scorer, type Scores } from "./scorer.ts";

export interface ResultOptions {
  /** Keep the input's delimiter and line end; else comma and LF. */
  likeInput: boolean;
  /** Prefix text cells that a spreadsheet would run as a formula. */
  spreadsheetSafe: boolean;
  /**
   * Reasons of each decision, two columns each and one for each kind of detail; none by default, and no more than the
   * model has columns and differences.
   */
  reasonCount?: number;
  /** All columns of a refinement's file, where the input may still have those that it dropped; see `filterColumns`. */
  originalColumns?: readonly string[] | null;
  /** The columns of that file that the refinement kept; left out where the model needs all of them. */
  keptColumns?: readonly string[] | undefined;
  /** False where the input's first record is data; true by default. */
  hasHeader?: boolean;
  /** The header of an input whose first record is data: one line of CSV, in the input's delimiter. */
  inputHeader?: string | null;
  /** False leaves out the result's header; true by default. */
  hasOutputHeader?: boolean;
  /**
   * Write these columns of the answer alone, in this order, without the
   * input's cells; by default the input's, then all.
   */
  only?: readonly string[] | null;
  /** Read numbers as the training file wrote them, whatever the input looks like; by default the input decides. */
  asTrained?: boolean;
  /** Rows of the input whose cells and labels are counted, to compare it with the training rows; by default none. */
  countedRows?: number | null;
}

/** A column of a reason beside its name and effect. */
type ReasonDetail = "words" | "parts";

const RESULT_DIALECT: CsvDialect = { delimiter: ",", lineEnding: "\n" };

/** Turns records of one input file into lines of its result. */
export class ResultCsv {
  /** The first line of the result. */
  readonly headerLine: string;
  readonly scorer: Scorer;
  readonly dialect: CsvDialect;
  readonly labels: readonly string[];
  readonly reasonCount: number;
  private readonly details: readonly ReasonDetail[];
  readonly inputDelimiter: string;
  /** Whether plain cells of the input, and what stands between them, stay as they are. */
  readonly keepsCells: boolean;
  /** Whether the input's cells stand in front of the answer. */
  readonly hasInput: boolean;
  /** The columns of the answer that are written, by place among all of them. */
  readonly fields: readonly number[];
  /** The line of a record that could not be read. */
  readonly emptyLine: string;
  private readonly columnNames: readonly string[];
  private readonly safe: (cell: string) => string;
  private readonly filterWarnings: readonly Warning[];

  /**
   * @throws InputError where the input lacks a column that the model needs, and
   * UNKNOWN_ANSWER where `only` names none of the answer's
   */
  constructor(file: ModelFile, header: CsvHeader, options: ResultOptions) {
    const needed = file.columns.map(({ name }) => name);
    const { names, warnings } =
      options.originalColumns == null
        ? { names: header.names, warnings: [] }
        : filterColumns(header.names, options.originalColumns, needed, options.keptColumns);
    this.columnNames = needed;
    const { sources } = reasonSources(needed.length, file.features);
    this.reasonCount = Math.min(options.reasonCount ?? 0, sources.length);
    this.scorer = new Scorer(file, names, this.reasonCount, options.countedRows);
    this.filterWarnings = warnings;
    this.labels = file.labels;
    this.dialect = options.likeInput ? header : RESULT_DIALECT;
    this.inputDelimiter = header.delimiter;
    this.keepsCells = !options.spreadsheetSafe && header.delimiter === this.dialect.delimiter;
    this.safe = options.spreadsheetSafe ? spreadsheetSafe : (cell) => cell;
    this.details = detailsOf(file);
    const { only = null, hasOutputHeader = true } = options;
    const answers = answerNames(file.labels, this.reasonCount, this.details);
    this.hasInput = only === null;
    this.fields = only === null ? [...answers.keys()] : placesOf(only, answers);
    const written = only ?? [...header.cells, ...freeNames(answers, header.names)];
    this.headerLine = hasOutputHeader ? formatRecord(written.map(this.safe), this.dialect) : "";
    this.emptyLine = formatRecord(
      written.map(() => ""),
      this.dialect,
    );
  }

  /** Scores records and gives their lines, in the same order. */
  lines(records: readonly (readonly string[])[], { bad, lines }: Partial<Omit<RecordBatch, "records">> = {}): string {
    const isSound = (_: unknown, at: number) => !(bad?.has(at) ?? false);
    const scores = this.scorer.score(records.filter(isSound), lines?.filter(isSound) ?? null);
    let text = "";
    let row = 0;
    records.forEach((record, at) => {
      if (bad?.has(at)) text += this.emptyLine;
      else text += (this.hasInput ? this.recordText(record) : "") + this.answerText(scores, row++);
    });
    return text;
  }

  /** Warnings about rows unlike the training file so far. */
  warnings(): Warning[] {
    return [...this.filterWarnings, ...this.scorer.warnings()];
  }

  /** The input's cells of a line. */
  recordText(record: readonly string[]): string {
    return formatCells(record.map(this.safe), this.dialect.delimiter);
  }

  /** The answer's cells of a line. */
  answerText(scores: Scores, row: number): string {
    const { delimiter, lineEnding } = this.dialect;
    const { probabilities, decisions } = scores;
    const base = row * this.labels.length;
    const decided = decisions[row]!;
    const cells = [this.labels[decided]!, sixDigits(probabilities[base + decided]!)];
    for (let k = 0; k < this.labels.length; k++) cells.push(sixDigits(probabilities[base + k]!));
    for (let place = 0; place < this.reasonCount; place++) {
      const reason = scores.reasons[row]![place];
      if (reason === undefined) cells.push("", "");
      else cells.push(sourceText(reason, this.columnNames), sixDigits(reason.effect));
      for (const detail of this.details) cells.push(detailText(reason, detail));
    }
    const written = this.fields.map((field) => this.safe(cells[field]!));
    if (!this.hasInput) return formatRecord(written, this.dialect);
    return delimiter + formatCells(written, delimiter) + lineEnding;
  }

  /** A label as it stands in a line. */
  labelText(label: string): string {
    const isAlone = !this.hasInput && this.fields.length === 1;
    if (isAlone) return formatRecord([this.safe(label)], { ...this.dialect, lineEnding: "" });
    return formatCells([this.safe(label)], this.dialect.delimiter);
  }
}

/** The hyphen of every keyboard, since programs read it. */
function sourceText({ column, minus }: ReasonSource, names: readonly string[]): string {
  return minus === undefined ? names[column]! : `${names[column]} - ${names[minus]}`;
}

function detailsOf({ texts, features }: ModelFile): ReasonDetail[] {
  return [...(texts === undefined ? [] : ["words" as const]), ...(features.some(isPart) ? ["parts" as const] : [])];
}

/** Neither a word nor the name of a part nor a number holds a semicolon. */
function detailText(reason: Reason | undefined, detail: ReasonDetail): string {
  const named =
    detail === "words"
      ? reason?.words?.map(({ word, effect }) => [word, effect] as const)
      : reason?.parts?.map(({ part, effect }) => [part, effect] as const);
  return (named ?? []).map(([name, effect]) => `${name} ${sixDigits(effect)}`).join("; ");
}

/**
 * `prediction`, `confidence`, `probability_<label>`, and `reason_<place>` with
 * `reason_<place>_effect` and its details,
 * `reason_<place>_words` of a model that reads texts and `reason_<place>_parts` of one that reads parts of cells.
 */
function answerNames(labels: readonly string[], reasonCount: number, details: readonly ReasonDetail[]): string[] {
  const probabilities = labels.map((label) => `probability_${label}`);
  const reasons = Array.from({ length: reasonCount }, (_, place) => [
    `reason_${place + 1}`,
    `reason_${place + 1}_effect`,
    ...details.map((detail) => `reason_${place + 1}_${detail}`),
  ]);
  return ["prediction", "confidence", ...probabilities, ...reasons.flat()];
}

/** A name that is taken gets `_2`, `_3`, … */
function freeNames(names: readonly string[], others: readonly string[]): string[] {
  const takenNames = new Set(others);
  return names.map((name) => freeName(name, takenNames));
}

/** @throws InputError UNKNOWN_ANSWER */
function placesOf(only: readonly string[], answers: readonly string[]): number[] {
  return only.map((name) => {
    const place = answers.indexOf(name);
    if (place >= 0) return place;
    const listed = listNames(answers, answers.length);
    throw new InputError("UNKNOWN_ANSWER", `The answer has no column ${quotedName(name)}. It has ${listed}.`);
  });
}
