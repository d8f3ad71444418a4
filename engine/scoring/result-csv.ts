// The result of a scoring: the input's cells unchanged, then the decision, its confidence, the probability of each label, reasons.

import { sixDigits } from "../csv/six-digits.ts";
import type { CsvHeader } from "../csv/types.ts";
import { type CsvDialect, formatCells, formatRecord, spreadsheetSafe } from "../csv/write.ts";
import type { WordEffect } from "../explain/reasons.ts";
import { CONFIDENCE_BINS, confidenceBin } from "../judging/metrics.ts";
import type { ModelFile } from "../model/model-file.ts";
import type { Warning } from "../warning.ts";
import { filterColumns } from "./column-filter.ts";
import { Scorer, type Scores } from "./scorer.ts";

export interface ResultOptions {
  /** Keep the input's delimiter and line end; else comma and LF. */
  likeInput: boolean;
  /** Prefix text cells that a spreadsheet would run as a formula. */
  spreadsheetSafe: boolean;
  /** Reasons of each decision, two columns each, three where the model reads texts; none by default. */
  reasonCount?: number;
  /** All columns of a refinement's file, where the input may still have those that it dropped; see `filterColumns`. */
  originalColumns?: readonly string[] | null;
  /** Those of them that stand in its reduced file; left out where these are what the model needs. */
  keptColumns?: readonly string[] | undefined;
  /** False where the input's first record is data; true by default. */
  hasHeader?: boolean;
}

const RESULT_DIALECT: CsvDialect = { delimiter: ",", lineEnding: "\n" };

/** Turns records of one input file into lines of its result. */
export class ResultCsv {
  /** Records scored so far, and decisions by class code. */
  rowCount = 0;
  readonly decisionCounts: number[];
  /** Decisions by range of their confidence, see `confidenceBin`. */
  readonly confidenceCounts: number[] = new Array(CONFIDENCE_BINS).fill(0);
  /** The first line of the result. */
  readonly headerLine: string;
  readonly scorer: Scorer;
  readonly dialect: CsvDialect;
  readonly labels: readonly string[];
  readonly reasonCount: number;
  private readonly hasWords: boolean;
  readonly inputDelimiter: string;
  /** Whether plain cells of the input, and what stands between them, stay as they are. */
  readonly keepsCells: boolean;
  private readonly columnNames: readonly string[];
  private readonly safe: (cell: string) => string;
  private readonly filterWarnings: readonly Warning[];

  /** @throws InputError where the input lacks a column that the model needs. */
  constructor(file: ModelFile, header: CsvHeader, options: ResultOptions) {
    const needed = file.columns.map(({ name }) => name);
    const { names, warnings } =
      options.originalColumns == null
        ? { names: header.names, warnings: [] }
        : filterColumns(header.names, options.originalColumns, needed, options.keptColumns);
    this.columnNames = needed;
    this.reasonCount = options.reasonCount ?? 0;
    this.scorer = new Scorer(file, names, this.reasonCount);
    this.filterWarnings = warnings;
    this.labels = file.labels;
    this.decisionCounts = file.labels.map(() => 0);
    this.dialect = options.likeInput ? header : RESULT_DIALECT;
    this.inputDelimiter = header.delimiter;
    this.keepsCells = !options.spreadsheetSafe && header.delimiter === this.dialect.delimiter;
    this.safe = options.spreadsheetSafe ? spreadsheetSafe : (cell) => cell;
    this.hasWords = file.texts !== undefined;
    const added = addedNames(header, file.labels, this.reasonCount, this.hasWords);
    this.headerLine = formatRecord([...header.cells, ...added].map(this.safe), this.dialect);
  }

  /** Scores records and gives their lines, in the same order. */
  lines(records: readonly (readonly string[])[]): string {
    const scores = this.scorer.score(records);
    let text = "";
    records.forEach((record, row) => {
      text += this.recordText(record) + this.answerText(scores, row);
    });
    return text;
  }

  /** What was unlike the training file so far. */
  warnings(): Warning[] {
    return [...this.filterWarnings, ...this.scorer.warnings()];
  }

  /** The input's cells of a line. */
  recordText(record: readonly string[]): string {
    return formatCells(record.map(this.safe), this.dialect.delimiter);
  }

  /** The answer's cells of a line; counts the record. */
  answerText(scores: Scores, row: number): string {
    const { delimiter, lineEnding } = this.dialect;
    const confidence = this.count(scores, row);
    const base = row * this.labels.length;
    const cells = [this.labels[scores.decisions[row]!]!, sixDigits(confidence)];
    for (let k = 0; k < this.labels.length; k++) cells.push(sixDigits(scores.probabilities[base + k]!));
    for (let place = 0; place < this.reasonCount; place++) {
      const reason = scores.reasons[row]![place];
      if (reason === undefined) cells.push("", "");
      else cells.push(this.columnNames[reason.column]!, sixDigits(reason.effect));
      if (this.hasWords) cells.push((reason?.words ?? []).map(wordText).join("; "));
    }
    return delimiter + formatCells(cells.map(this.safe), delimiter) + lineEnding;
  }

  /** Counts a record's decision; its confidence. */
  count({ probabilities, decisions }: Scores, row: number): number {
    const decided = decisions[row]!;
    const confidence = probabilities[row * this.labels.length + decided]!;
    this.rowCount++;
    this.decisionCounts[decided]!++;
    this.confidenceCounts[confidenceBin(confidence)]!++;
    return confidence;
  }

  /** A label as it stands in the middle of a line. */
  labelText(label: string): string {
    return formatCells([this.safe(label)], this.dialect.delimiter);
  }
}

/** Neither a word nor a number holds a semicolon. */
function wordText({ word, effect }: WordEffect): string {
  return `${word} ${sixDigits(effect)}`;
}

/**
 * `prediction`, `confidence`, `probability_<label>`, and `reason_<place>` with `reason_<place>_effect` and, of a model that reads
 * texts, `reason_<place>_words`; a name that is taken gets `_2`, `_3`, …
 */
function addedNames(header: CsvHeader, labels: readonly string[], reasonCount: number, hasWords: boolean): string[] {
  const taken = new Set(header.names);
  const probabilities = labels.map((label) => `probability_${label}`);
  const reasons = Array.from({ length: reasonCount }, (_, place) => [
    `reason_${place + 1}`,
    `reason_${place + 1}_effect`,
    ...(hasWords ? [`reason_${place + 1}_words`] : []),
  ]);
  return ["prediction", "confidence", ...probabilities, ...reasons.flat()].map((name) => {
    let free = name;
    for (let suffix = 2; taken.has(free); suffix++) free = `${name}_${suffix}`;
    taken.add(free);
    return free;
  });
}
