// `cupel watch`: holds a new file against the rows that a model was trained on.
import { closeSync, fstatSync } from "node:fs";
import { dayOf } from "../../data/watch-counts.ts";
import { InputError } from "../../engine/input-error.ts";
import { unpackModel, type WatchedModel } from "../../engine/model/model-file.ts";
import { scoreCsv } from "../../engine/scoring/score-csv.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { hasAlarm, hasOneTime, type WatchReport } from "../../engine/watch/watch-report.ts";
import { fileChunks, openForReading, readWhole } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../common/exit-codes.ts";
import { formatCount, formatFigure, formatPercent } from "../common/format.ts";
import { printable } from "../common/printable.ts";
import { expectedSentence } from "../words/health-words.ts";
import { columnVerdict, columnWords, confidenceWords, VERDICT_WORDS, watchSentence } from "../words/watch-words.ts";
import type { Console } from "./console.ts";
import { throwNamed } from "./named-files.ts";
import { isWorse, outcomeLines, type ToldLabels, toldLabels } from "./told-labels.ts";

export interface WatchOptions {
  modelPath: string;
  inputPath: string;
  hasHeader: boolean;
  json: boolean;
}

/** Columns named on the terminal at most, beside those that shifted. */
const MOST_ALIKE_SHOWN = 10;

/**
 * Exit code 5 where something shifted, or the file's labels say that the model is worse than promised.
 *
 * @throws InputError where the model or the file cannot be used
 */
export function watch(options: WatchOptions, console: Console, now: Date = new Date()): number {
  const { json } = options;
  const { model, report, warnings } = compared(options);
  const otherWarnings = warnings.filter(({ code }) => code !== "SHIFTED" && code !== "LABEL_IGNORED");
  const unknown = otherWarnings.find(({ code }) => code === "UNKNOWN_LABELS");
  for (const warning of otherWarnings)
    if (json || warning !== unknown) console.progress.note(`warning: ${warning.message}`);
  console.progress.finish();
  const labelledRows = labelsOf(report, unknown?.count ?? 0, model, now);
  if (json)
    console.print(
      JSON.stringify({ shifted: hasAlarm(report), ...report, warnings: otherWarnings, outcomes: labelledRows }),
    );
  else {
    const labels = unknown === undefined ? [] : ["", `Labels             ${printable(unknown.message)}`];
    console.print(
      ...watchLines(report),
      ...(labelledRows === null ? [] : ["", ...outcomeLines(labelledRows)]),
      ...labels,
    );
  }
  return hasAlarm(report) || (labelledRows !== null && isWorse(labelledRows)) ? EXIT.shifted : EXIT.done;
}

/** @throws InputError that names the file at fault */
function compared({ modelPath, inputPath, hasHeader }: WatchOptions) {
  try {
    requireFile(inputPath);
    const model = unpackModel(readWhole(modelPath));
    const { watch: report, warnings } = scoreCsv(
      model,
      (taker) => fileChunks(inputPath, neverStop, taker, model.texts !== undefined),
      { likeInput: false, spreadsheetSafe: false, hasHeader },
      () => undefined,
    );
    return { model, report, warnings };
  } catch (error) {
    return throwNamed(error, { modelPath, inputPath });
  }
}

/** A file is read twice. */
function requireFile(path: string): void {
  const isFile = path !== "-" && isPlainFile(path);
  if (!isFile) {
    throw new InputError("NO_FILE", `${path} is read twice, which a pipe does not allow. Save it to a file first.`);
  }
}

function isPlainFile(path: string): boolean {
  const file = openForReading(path);
  try {
    return fstatSync(file).isFile();
  } finally {
    closeSync(file);
  }
}

/** The file's labels judged as those that come later are; null where it has none that the model knows. */
function labelsOf(report: WatchReport, unknownLabels: number, model: WatchedModel, now: Date): ToldLabels | null {
  const { labelled, rowCount } = report;
  if (labelled === null) return null;
  const withoutLabel = rowCount - labelled.rowCount - unknownLabels;
  const { confusion, withoutLabelBy = [] } = labelled;
  const counts = { confusion, unknownLabels, withoutLabel, withoutLabelBy, unmatched: 0 };
  return toldLabels(model, [{ day: dayOf(now), counts }]);
}

function watchLines(report: WatchReport): string[] {
  const columns = report.columns?.map((column) => ({ ...column, difference: columnWords(column) })) ?? null;
  return [watchSentence({ ...report, columns }), ...columnLines(report), ...answerLines(report)];
}

/** Lines about the columns that shifted, then about the next ones, up to a number. */
export function columnLines({ columns }: Pick<WatchReport, "columns">): string[] {
  if (columns === null) return [];
  const isNamed = ({ verdict }: (typeof columns)[number]) => verdict === "SHIFTED" || verdict === "SLIGHT";
  const named = columns.filter(isNamed);
  const shownColumns = [...named, ...columns.slice(named.length, Math.max(named.length, MOST_ALIKE_SHOWN))].map(
    (column) => ({
      ...column,
      name: printable(column.name),
      difference: printable(columnWords(column)),
    }),
  );
  const widest = Math.min(40, Math.max(6, ...shownColumns.map(({ name }) => name.length)));
  const hiddenCount = columns.length - shownColumns.length;
  return [
    "",
    `${"column".padEnd(widest)}  index  missing  ${"verdict".padEnd(20)}  what is different`,
    ...shownColumns.map((column) =>
      [
        column.name.padEnd(widest),
        formatFigure(column.index).padStart(5),
        formatPercent(column.missing.file).padStart(7),
        columnVerdict(column).padEnd(20),
        column.difference,
      ]
        .join("  ")
        .trimEnd(),
    ),
    ...(hiddenCount > 0 ? [`${formatCount(hiddenCount)} more as in training`] : []),
  ];
}

type Answers = Pick<WatchReport, "columns" | "decisions" | "confidence" | "expected"> &
  Partial<Pick<WatchReport, "labelled">>;

export function answerLines(report: Answers): string[] {
  const { decisions, confidence, labelled = null } = report;
  const expected = expectedSentence(report);
  const lines = [
    ...(decisions === null
      ? []
      : [`Predicted labels   ${VERDICT_WORDS[decisions.verdict]}, index ${formatFigure(decisions.index)}`]),
    ...(confidence === null
      ? []
      : [`Confidence         ${confidenceWords(confidence)}, index ${formatFigure(confidence.index)}`]),
  ];
  if (expected !== null) lines.push(`Accuracy           ${expected}`);
  else if ((hasAlarm(report) || hasOneTime(report)) && labelled === null)
    lines.push("Accuracy           unknown without labels: these rows are not like the training rows");
  return lines.length === 0 ? [] : ["", ...lines];
}
