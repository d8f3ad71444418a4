// `cupel inspect`: shows what a table contains, or what a model is.
import { closeSync, fstatSync, readSync } from "node:fs";
import { hasMagic } from "../../engine/arrays/array-file.ts";
import { InputError } from "../../engine/input-error.ts";
import { isLineage } from "../../engine/model/model-check.ts";
import { MODEL_FORMAT, type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { thresholdOf } from "../../engine/model/model-threshold.ts";
import { inspectTable, type TableReport } from "../../engine/profile/inspect.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { openForReading, readWhole } from "../../workers/reading/file-chunks.ts";
import { profileFile, type ReadTableRequest } from "../../workers/reading/profile-file.ts";
import { profileTexts } from "../../workers/reading/read-texts.ts";
import { EXIT } from "../common/exit-codes.ts";
import { formatAmount, formatCount, formatEstimate, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import { printable } from "../common/printable.ts";
import { JUDGED_AT_RANDOM } from "../summary/verdict.ts";
import { costWords, scoreFigure, scoreWords } from "../words/objective-words.ts";
import { formInWords } from "../words/reading-words.ts";
import { textInWords } from "../words/text-words.ts";
import { heldOutAmount } from "../words/verdict-words.ts";
import { doubtLines } from "./closing-lines.ts";
import type { Console } from "./console.ts";
import { throwOfFile } from "./named-files.ts";
import { refuseOwnInputs } from "./own-inputs.ts";

/** Stands for the table's hash, which would take time and is not shown. */
const NO_HASH = "";
/** Enough for a few million rows; larger files are shown without the warning that needs them (ALIKE_NUMBERS). */
const LOG_BYTES = 2 ** 26;

export interface InspectOptions extends ReadTableRequest {
  json: boolean;
}

/** Shows a table or a model. @throws InputError where the file is neither */
export function inspect(options: InspectOptions, console: Console): number {
  refuseOwnInputs([options.path], ["-"]);
  try {
    show(options, console);
  } catch (error) {
    throwOfFile(error, options.path);
  }
  return EXIT.done;
}

function show(options: InspectOptions, console: Console): void {
  if (isModel(options.path)) {
    const file = unpackModel(readWhole(options.path));
    if (!isLineage(file.lineage)) {
      throw new InputError(
        "FILE_DAMAGED",
        "This Cupel model lacks its lineage, so the file is damaged. Copy it again.",
      );
    }
    console.print(...(options.json ? [JSON.stringify(modelJson(file))] : modelLines(file)));
  } else {
    const { profile, report } = profileFile({ ...options, sha256: NO_HASH }, neverStop, LOG_BYTES);
    const texts = profileTexts(profile, { hasHeader: true, ...options }, neverStop);
    const shown = inspectTable(profile, { ...report.header, warnings: report.warnings }, texts);
    const reading = `delimiter ${JSON.stringify(shown.delimiter)}, ${shown.encoding}`;
    console.print(...(options.json ? [JSON.stringify(shown)] : tableLines(shown, reading)));
  }
}

/** @throws InputError where the file is a model */
export function requireTable(path: string): void {
  if (!isModel(path)) return;
  throw new InputError(
    "MODEL_FILE",
    `${path} is a model, not a table. cupel inspect shows it, cupel predict scores with it.`,
  );
}

export function isModel(path: string): boolean {
  const file = openForReading(path);
  try {
    // A pipe cannot be read twice.
    if (!fstatSync(file).isFile()) return false;
    const start = new Uint8Array(MODEL_FORMAT.magic.length);
    readSync(file, start, 0, start.length, 0);
    return hasMagic(MODEL_FORMAT, start);
  } finally {
    closeSync(file);
  }
}

function modelJson(file: ModelFile) {
  const { lineage, label, labels, positiveLabel, missingMarkers, columns, temperature = 1, classWeights = null } = file;
  const { costs = null } = file;
  const { threshold = null, trainedThreshold = null } = thresholdOf(file) ?? {};
  const shownColumns = columns.map(({ name, kind, missingCount }, at) => {
    const terms = termCountOf(file, at);
    const column = { name, kind, missing: missingCount };
    return terms === null ? column : { ...column, terms };
  });
  return {
    ...lineage,
    label,
    labels,
    positiveLabel,
    temperature,
    classWeights,
    costs,
    threshold,
    trainedThreshold,
    missingMarkers,
    columns: shownColumns,
  };
}

/** Terms that the model knows of a column; null where it reads none. */
function termCountOf({ texts = [] }: ModelFile, at: number): number | null {
  const text = texts.find(({ column }) => column === at);
  return text === undefined ? null : text.keys.length / 2;
}

function modelLines(file: ModelFile): string[] {
  const { lineage, label, labels, columns } = file;
  const { performance, trainedOn, verdict } = lineage;
  const judgedBy = verdict?.judgedBy ?? JUDGED_AT_RANDOM;
  return [
    `Cupel model v${lineage.version}: ${lineage.algorithm}, made by Cupel ${lineage.cupelVersion}`,
    `Predicts    ${label}: ${labels.join(", ")}`,
    `Trained on  ${trainedOn.name}, ${formatAmount(lineage.rowCount, "row")} (SHA-256 ${trainedOn.sha256})`,
    `Accuracy    ${formatPercent(performance.testPerformance)} on ` +
      `${heldOutAmount(judgedBy, performance.holdoutRowCount)}, ${formatCount(performance.falseDecisions)} wrong; ` +
      `confirmed ${formatEstimate(performance.confirmedPerformance)}`,
    ...(verdict?.doubts ?? []).flatMap(doubtLines),
    ...optimisedLines(performance.optimised, labels),
    ...thresholdLines(file),
    `Needs       ${formatAmount(columns.length, "column")}:`,
    ...columns.map(({ name, kind }, at) => {
      const terms = termCountOf(file, at);
      return `  ${name} (${kind}${terms === null ? "" : `, ${formatAmount(terms, "term")}`})`;
    }),
  ];
}

/** Only models of two labels have a threshold. */
function thresholdLines(file: ModelFile): string[] {
  const found = thresholdOf(file);
  if (found === null) return [];
  const { positiveLabel, threshold, trainedThreshold } = found;
  const since =
    threshold === trainedThreshold ? "" : ` (chosen since; the training found ${formatPercent(trainedThreshold)})`;
  return [`Threshold   ${inQuotes(positiveLabel)} above ${formatPercent(threshold)}${since}`];
}

type Optimised = ModelFile["lineage"]["performance"]["optimised"];

function optimisedLines(optimised: Optimised, labels: readonly string[]): string[] {
  if (optimised === undefined) return [];
  const { objective, score, costs, confirmed } = optimised;
  const again = confirmed === undefined ? "" : `; confirmed ${scoreFigure(objective, confirmed)}`;
  const line = `Optimised   ${scoreWords(objective, score)} on the held-out rows${again}`;
  return costs === undefined ? [line] : [line, `Costs       ${costWords(labels, costs)}`];
}

export type ShownTable = Omit<TableReport, "delimiter" | "encoding">;

/** `reading`: how the file itself was read. */
export function tableLines(report: ShownTable, reading: string): string[] {
  const { classes, warnings } = report;
  const columns = report.columns.map((column) => ({ ...column, name: printable(column.name) }));
  const widest = Math.min(40, Math.max(6, ...columns.map(({ name }) => name.length)));
  return [
    `${formatAmount(report.rows, "row")}, ${formatAmount(columns.length, "column")}, ${reading}`,
    "",
    `${"column".padEnd(widest)}  ${"kind".padEnd(10)} ${"missing".padStart(10)} ${"distinct".padStart(15)}`,
    ...columns.map(
      ({ name, kind, missing, distinct, isDistinctEstimated, role, form }) =>
        `${name.padEnd(widest)}  ${kind.padEnd(10)} ${formatCount(missing).padStart(10)} ` +
        `${`${isDistinctEstimated ? "about " : ""}${formatCount(distinct)}`.padStart(15)}` +
        `${role === "label" ? "  label" : ""}${form === undefined ? "" : `  ${formInWords(form)}`}`,
    ),
    ...textLines(columns),
    "",
    `${report.label}: ${classes.map(({ label, count }) => `${label} (${formatCount(count)})`).join(", ")}`,
    ...warnings.map(({ message }) => `warning: ${message}`),
  ];
}

/** Describes columns of texts, one line each. */
function textLines(columns: TableReport["columns"]): string[] {
  const lines = columns.flatMap(({ name, text }) =>
    text === undefined ? [] : [`${name}: ${textInWords(text)}; ${formatPercent(text.shareEmpty)} empty`],
  );
  return lines.length === 0 ? [] : ["", ...lines];
}
