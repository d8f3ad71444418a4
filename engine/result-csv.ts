// The result of a scoring: the input's cells unchanged, then the decision, its confidence, the probability of each label, reasons.
import { filterColumns } from "./column-filter.ts";
import type { CsvHeader } from "./csv/shapes.ts";
import { type CsvDialect, formatRecord, spreadsheetSafe } from "./csv/write.ts";
import { CONFIDENCE_BINS, confidenceBin } from "./metrics.ts";
import type { ModelFile } from "./model-file.ts";
import { Scorer, type Scores } from "./scorer.ts";
import type { Warning } from "./warning.ts";

export interface ResultOptions {
  /** Keep the input's delimiter and line end; else comma and LF. */
  likeInput: boolean;
  /** Prefix text cells that a spreadsheet would run as a formula. */
  spreadsheetSafe: boolean;
  /** Reasons of each decision, two columns each; none by default. */
  reasonCount?: number;
  /** All columns of a refinement's file, where the input may still have those that it dropped; see `filterColumns`. */
  originalColumns?: readonly string[] | null;
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
  private readonly labels: readonly string[];
  private readonly columnNames: readonly string[];
  private readonly reasonCount: number;
  private readonly scorer: Scorer;
  private readonly dialect: CsvDialect;
  private readonly safe: (cell: string) => string;
  private readonly filterWarnings: readonly Warning[];

  /** @throws InputError where the input lacks a column that the model needs. */
  constructor(file: ModelFile, header: CsvHeader, options: ResultOptions) {
    const needed = file.columns.map(({ name }) => name);
    const { names, warnings } =
      options.originalColumns == null
        ? { names: header.names, warnings: [] }
        : filterColumns(header.names, options.originalColumns, needed);
    this.columnNames = needed;
    this.reasonCount = options.reasonCount ?? 0;
    this.scorer = new Scorer(file, names, this.reasonCount);
    this.filterWarnings = warnings;
    this.labels = file.labels;
    this.decisionCounts = file.labels.map(() => 0);
    this.dialect = options.likeInput ? header : RESULT_DIALECT;
    this.safe = options.spreadsheetSafe ? spreadsheetSafe : (cell) => cell;
    this.headerLine = this.line([...header.cells, ...addedNames(header, file.labels, this.reasonCount)]);
  }

  /** Scores records and gives their lines, in the same order. */
  lines(records: readonly (readonly string[])[]): string {
    const scores = this.scorer.score(records);
    this.rowCount += records.length;
    let text = "";
    records.forEach((record, row) => {
      text += this.line([...record, ...this.answer(scores, row)]);
    });
    return text;
  }

  /** What was unlike the training file so far. */
  warnings(): Warning[] {
    return [...this.filterWarnings, ...this.scorer.warnings()];
  }

  private line(cells: readonly string[]): string {
    return formatRecord(cells.map(this.safe), this.dialect);
  }

  private answer({ probabilities, decisions, reasons }: Scores, row: number): string[] {
    const base = row * this.labels.length;
    const decided = decisions[row]!;
    this.decisionCounts[decided]!++;
    const confidence = probabilities[base + decided]!;
    this.confidenceCounts[confidenceBin(confidence)]!++;
    const cells = [this.labels[decided]!, sixDigits(confidence)];
    for (let k = 0; k < this.labels.length; k++) cells.push(sixDigits(probabilities[base + k]!));
    for (let place = 0; place < this.reasonCount; place++) {
      const reason = reasons[row]![place];
      if (reason === undefined) cells.push("", "");
      else cells.push(this.columnNames[reason.column]!, sixDigits(reason.effect));
    }
    return cells;
  }
}

/**
 * `prediction`, `confidence`, `probability_<label>`, and `reason_<place>` with `reason_<place>_effect`; a name that is taken
 * gets `_2`, `_3`, …
 */
function addedNames(header: CsvHeader, labels: readonly string[], reasonCount: number): string[] {
  const taken = new Set(header.names);
  const probabilities = labels.map((label) => `probability_${label}`);
  const reasons = Array.from({ length: reasonCount }, (_, place) => [
    `reason_${place + 1}`,
    `reason_${place + 1}_effect`,
  ]);
  return ["prediction", "confidence", ...probabilities, ...reasons.flat()].map((name) => {
    let free = name;
    for (let suffix = 2; taken.has(free); suffix++) free = `${name}_${suffix}`;
    taken.add(free);
    return free;
  });
}

function sixDigits(value: number): string {
  return String(Number(value.toPrecision(6)));
}
