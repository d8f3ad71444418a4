// The first rows of a prediction's result: label, confidence and the row itself. Only the start of the file is fetched.
import { predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { type ResultRow, type ResultRows, readResultRows } from "../browser/result-rows.ts";
import { html, type Markup, name, plainName } from "../charts/markup.ts";
import { table } from "../charts/pictures.ts";
import { shareBar } from "../charts/share-bar.ts";
import { formatAmount, formatCount, formatPercent } from "../format.ts";
import { Drawing } from "./drawing.tsx";
import { Await, Empty } from "./states.tsx";

/** Holds the rows of most files; files of very long rows get a second try. */
const FIRST_BYTES = 64 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_ROWS = 20;
const MOST_COLUMNS = 6;
const MOST_LABELS = 3;
const LONGEST_CELL = 40;

export function ResultPreview({ predictionKey, rowCount }: { predictionKey: string; rowCount: number }) {
  const loaded = useLoad((signal) => loadRows(predictionKey, signal), [predictionKey]);
  if (rowCount === 0) return <Empty title="The file had a header and no rows" />;
  return (
    <Await loaded={loaded}>
      {(found) =>
        found === null ? (
          <Empty title="The rows are too long to be shown here">
            <p>Download the result to look at them.</p>
          </Empty>
        ) : (
          <>
            <Drawing markup={rowsTable(found)} />
            <p class="note">
              {formatAmount(found.rows.length, "row")} of {formatCount(rowCount)}
              {found.names.length > MOST_COLUMNS &&
                `, the first ${MOST_COLUMNS} of ${formatAmount(found.names.length, "column")}`}
              . The file has all of them.
            </p>
          </>
        )
      }
    </Await>
  );
}

async function loadRows(key: string, signal: AbortSignal): Promise<ResultRows | null> {
  for (const byteCount of [FIRST_BYTES, MOST_BYTES]) {
    const rows = readResultRows(await predictions.beginning(key, byteCount, signal), MOST_ROWS);
    if (rows !== null) return rows;
  }
  return null;
}

function rowsTable({ names, rows }: ResultRows): Markup {
  const heads = ["Prediction", "Confidence", "Probabilities"].map((head) => html`<th scope="col">${head}</th>`);
  const own = names.slice(0, MOST_COLUMNS).map((each) => html`<th scope="col">${name(each, LONGEST_CELL)}</th>`);
  return table("The first rows of the result", html`<tr>${heads}${own}</tr>`, rows.map(rowOf), "preview");
}

function rowOf({ cells, prediction, confidence, probabilities }: ResultRow): Markup {
  const likely = probabilities.slice(0, MOST_LABELS);
  const more = probabilities.length - likely.length;
  const words = [
    ...likely.map(({ label, share }) => `${plainName(label, LONGEST_CELL)} ${formatPercent(share)}`),
    ...(more > 0 ? [`${formatCount(more)} more`] : []),
  ].join(" · ");
  const own = cells
    .slice(0, MOST_COLUMNS)
    .map((cell) => html`<td>${cell === "" ? html`<span class="missing">none</span>` : name(cell, LONGEST_CELL)}</td>`);
  return html`<tr><th scope="row">${name(prediction, LONGEST_CELL)}</th><td>${shareBar(confidence)}</td><td>${words}</td>${own}</tr>`;
}
