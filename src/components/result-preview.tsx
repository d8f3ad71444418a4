// The first rows of a prediction's result: label, confidence, what decided, and the row itself with marks at cells that
// the model cannot use. Only the start of the file is fetched.
import type { PredictionRecord } from "../api/predictions/prediction-files.ts";
import type { ScoredRows } from "../api/predictions/prediction-rows.ts";
import { predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { type ResultRow, type ResultRows, readResultRows } from "../browser/result-rows.ts";
import { table } from "../charts/pictures.ts";
import { shareBar } from "../charts/share-bar.ts";
import { formatAmount, formatCount, formatEffect, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName, sourceName } from "../common/markup.ts";
import { Drawing } from "./drawing.tsx";
import { Await, Empty } from "./states.tsx";

/** Holds the rows of most files; files of very long rows get a second try. */
const FIRST_BYTES = 64 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_ROWS = 20;
const MOST_COLUMNS = 6;
const MOST_LABELS = 3;
/** Odd cells that are named of columns that are not shown. */
const MOST_HIDDEN = 3;
const LONGEST_CELL = 40;

type Answer = ScoredRows["predictions"][number];
type OddCell = NonNullable<Answer["oddCells"]>[number];

/**
 * The rows, and what the model says of each now; null where another model or
 * version predicts by now, or cannot explain them.
 */
interface Looked {
  rows: ResultRows;
  answers: readonly Answer[] | null;
}

interface PreviewProps {
  prediction: Pick<PredictionRecord, "predictionKey" | "modelKey" | "version">;
  rowCount: number;
}

export function ResultPreview({ prediction, rowCount }: PreviewProps) {
  const loaded = useLoad((signal) => lookAt(prediction, signal), [prediction.predictionKey]);
  if (rowCount === 0) return <Empty title="The file had a header and no rows" />;
  return (
    <Await loaded={loaded}>
      {(preview) =>
        preview === null ? (
          <Empty title="The rows are too long to be shown here">
            <p>Download the result to look at them.</p>
          </Empty>
        ) : (
          <>
            <Drawing markup={rowsTable(preview)} />
            <p class="note">
              {formatAmount(preview.rows.rows.length, "row")} of {formatCount(rowCount)}
              {preview.rows.names.length > MOST_COLUMNS &&
                `, the first ${MOST_COLUMNS} of ${formatAmount(preview.rows.names.length, "column")}`}
              . The file has all of them. Why: what columns added for the prediction against the next most probable
              label; below 0 they spoke against it.
            </p>
          </>
        )
      }
    </Await>
  );
}

async function lookAt(prediction: PreviewProps["prediction"], signal: AbortSignal): Promise<Looked | null> {
  for (const byteCount of [FIRST_BYTES, MOST_BYTES]) {
    const rows = readResultRows(await predictions.beginning(prediction.predictionKey, byteCount, signal), MOST_ROWS);
    if (rows !== null) return { rows, answers: await answersFor(rows, prediction, signal) };
  }
  return null;
}

/** Asks for the rows anew: a result file tells neither of odd cells nor, unless it was asked for, of reasons. */
async function answersFor(
  { names, rows }: ResultRows,
  { modelKey, version }: PreviewProps["prediction"],
  signal: AbortSignal,
): Promise<readonly Answer[] | null> {
  const sent = rows.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])));
  const scored = await predictions.scoreRows(modelKey, sent, { counted: false, signal }).catch(() => null);
  // A few rows may be read otherwise than the whole file: then they tell nothing of its decisions.
  // Another model may answer at the address by now.
  const isSame =
    scored?.modelKey === modelKey &&
    scored.version === version &&
    scored.predictions.every(({ label }, at) => label === rows[at]!.prediction);
  return isSame ? scored.predictions : null;
}

function rowsTable({ rows: { names, rows }, answers }: Looked): Markup {
  const hasReasons = answers !== null || rows.some(({ reasons }) => reasons.length > 0);
  const titles = ["Prediction", "Confidence", "Probabilities", ...(hasReasons ? ["Why"] : [])];
  const heads = titles.map((head) => html`<th scope="col">${head}</th>`);
  const more = names.slice(0, MOST_COLUMNS).map((each) => html`<th scope="col">${name(each, LONGEST_CELL)}</th>`);
  const drawn = rows.map((row, at) => rowOf(row, names, hasReasons, answers?.[at] ?? null));
  return table("The first rows of the result", html`<tr>${heads}${more}</tr>`, drawn, "preview");
}

function rowOf(row: ResultRow, names: readonly string[], hasReasons: boolean, answer: Answer | null): Markup {
  const { cells, prediction, confidence, probabilities } = row;
  const likely = probabilities.slice(0, MOST_LABELS);
  const more = probabilities.length - likely.length;
  const words = [
    ...likely.map(({ label, share }) => `${plainName(label, LONGEST_CELL)} ${formatPercent(share)}`),
    ...(more > 0 ? [`${formatCount(more)} more`] : []),
  ].join(" · ");
  const odd = new Map(answer?.oddCells?.map((cell) => [cell.column, cell]));
  const rowCells = cells
    .slice(0, MOST_COLUMNS)
    .map(
      (cell, at) =>
        html`<td>${cell === "" ? html`<span class="missing">none</span>` : name(cell, LONGEST_CELL)}${oddMark(odd.get(names[at]!))}</td>`,
    );
  const shown = new Set(names.slice(0, MOST_COLUMNS));
  const hidden = [...odd.values()].filter(({ column }) => !shown.has(column)).slice(0, MOST_HIDDEN);
  const marks = hidden.map((cell) => html` ${name(cell.column, LONGEST_CELL)}${oddMark(cell)}`);
  const why = hasReasons ? html`<td>${reasonWords(row, answer)}${marks}</td>` : null;
  return html`<tr><th scope="row">${name(prediction, LONGEST_CELL)}</th><td>${shareBar(confidence)}</td><td>${words}</td>${why}${rowCells}</tr>`;
}

function oddMark(odd: OddCell | undefined): Content {
  if (odd === undefined) return null;
  return html` <span class="chip early">${ODD_WORDS[odd.code]}</span>`;
}

const ODD_WORDS = {
  NOT_READ: "not read",
  UNSEEN_CATEGORY: "unknown",
  NO_KNOWN_TERM: "unknown words",
  NEW_MISSING: "never empty in training",
} as const satisfies Record<OddCell["code"], string>;

/** The file's own reasons, where it has any. */
function reasonWords({ reasons: ofFile }: ResultRow, answer: Answer | null): Content {
  const ofAnswer = answer?.reasons?.map(({ column, minus, effect }) => ({
    name: sourceName(column, minus, LONGEST_CELL),
    effect,
  }));
  const reasons = ofFile.length > 0 ? ofFile : (ofAnswer ?? []);
  return reasons.map(
    (reason, at) => html`${at > 0 ? " · " : null}${name(reason.name, 2 * LONGEST_CELL)} ${formatEffect(reason.effect)}`,
  );
}
