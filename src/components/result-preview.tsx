// The first rows of a prediction: what was decided, how sure the model was, and what the rows were. Only the beginning is fetched.
import { predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { type ResultRow, type ResultRows, readResultRows } from "../browser/result-rows.ts";
import { plainName } from "../charts/markup.ts";
import { formatAmount, formatCount, formatPercent } from "../format.ts";
import { ShareBar } from "./share-bar.tsx";
import { Await, Empty } from "./states.tsx";

/** Enough for the rows of most files. */
const FIRST_BYTES = 64 * 1024;
/** For files of very long rows. */
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
      {(rows) =>
        rows === null ? (
          <Empty title="The rows are too long to be shown here">
            <p>Download the result to look at them.</p>
          </Empty>
        ) : (
          <Rows {...rows} rowCount={rowCount} />
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

function Rows({ names, rows, rowCount }: ResultRows & { rowCount: number }) {
  const shown = names.slice(0, MOST_COLUMNS);
  const more = names.length - shown.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard must be able to scroll it. */}
      <section class="scroll preview" aria-label="The first rows" tabIndex={0}>
        <table>
          <caption class="unseen">The first rows of the result</caption>
          <thead>
            <tr>
              <th scope="col">Prediction</th>
              <th scope="col">Confidence</th>
              <th scope="col">Probabilities</th>
              {shown.map((name) => (
                <th key={name} scope="col">
                  <bdi>{plainName(name, LONGEST_CELL)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <Row key={String(at)} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">
        {formatAmount(rows.length, "row")} of {formatCount(rowCount)}
        {more > 0 && `, the first ${MOST_COLUMNS} of ${formatAmount(names.length, "column")}`}. The file has all of
        them.
      </p>
    </>
  );
}

function Row({ row: { cells, prediction, confidence, probabilities } }: { row: ResultRow }) {
  const likely = probabilities.slice(0, MOST_LABELS);
  const more = probabilities.length - likely.length;
  return (
    <tr>
      <th scope="row">
        <bdi>{plainName(prediction, LONGEST_CELL)}</bdi>
      </th>
      <td>
        <ShareBar share={confidence} />
      </td>
      <td>
        {likely.map(({ label, share }) => `${plainName(label, LONGEST_CELL)} ${formatPercent(share)}`).join(" · ")}
        {more > 0 && ` · ${formatCount(more)} more`}
      </td>
      {cells.slice(0, MOST_COLUMNS).map((cell, at) => (
        <td key={String(at)}>
          {cell === "" ? <span class="missing">none</span> : <bdi>{plainName(cell, LONGEST_CELL)}</bdi>}
        </td>
      ))}
    </tr>
  );
}
