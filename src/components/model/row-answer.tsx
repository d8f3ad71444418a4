// The answer for one row: what it rests on, the label with its probabilities, and what moved it.
import type { ScoredRows } from "../../api/predictions/prediction-rows.ts";
import { shareBar } from "../../charts/share-bar.ts";
import { formatAmount, formatCount, formatEffect, formatPercent } from "../../common/format.ts";
import { html, name, plainName, sourceName } from "../../common/markup.ts";
import { withReadersNumbers } from "../../common/numbers.ts";
import { partWords } from "../../words/part-words.ts";
import { SHAPE_WORDS } from "../../words/text-words.ts";
import { Drawing } from "../drawing.tsx";
import { Banner } from "../states.tsx";

const MOST_LABELS = 10;
const MOST_WARNINGS = 4;
const LONGEST_NAME = 60;

type Scored = ScoredRows["predictions"][number];
export type OddCell = NonNullable<Scored["oddCells"]>[number];

/** A row with its answer. */
export interface AnsweredRow {
  /** As it was sent. */
  row: Readonly<Record<string, string | null>>;
  scored: ScoredRows;
}

export function RowAnswer({ answered }: { answered: AnsweredRow | null }) {
  const [first] = answered?.scored.predictions ?? [];
  if (answered === null || first === undefined) return <p class="note">Your prediction appears here.</p>;
  const { row, scored } = answered;
  const probabilities = Object.entries(first.probabilities).sort(([, a], [, b]) => b - a);
  const labelsBeyond = probabilities.length - MOST_LABELS;
  const marked = new Set(first.oddCells?.map(({ column }) => column));
  const otherWarnings = scored.warnings.filter(({ column }) => column === undefined || !marked.has(column));
  const warningsBeyond = otherWarnings.length - MOST_WARNINGS;
  return (
    <>
      <RestsOn row={row} oddCells={first.oddCells ?? []} />
      <p class="note">v{scored.version} predicts</p>
      <p class="answer-label">
        <bdi>{first.label}</bdi>
      </p>
      <p>with a confidence of {formatPercent(first.confidence)}</p>
      <Drawing
        markup={html`<ul class="probabilities">${probabilities.slice(0, MOST_LABELS).map(([label, share]) => html`<li>${name(label)}${shareBar(share, label !== first.label)}</li>`)}</ul>`}
      />
      {labelsBeyond > 0 && <p class="note">and {formatAmount(labelsBeyond, "less probable label")}</p>}
      <Reasons reasons={first.reasons ?? []} marked={marked} />
      {otherWarnings.length > 0 && (
        <ul class="warnings">
          {otherWarnings.slice(0, MOST_WARNINGS).map(({ code, message }) => (
            <li key={`${code} ${message}`}>{withReadersNumbers(message)}</li>
          ))}
        </ul>
      )}
      {warningsBeyond > 0 && <p class="note">and {formatAmount(warningsBeyond, "more warning")}</p>}
    </>
  );
}

/** How many cells the model could use; nothing where it could use all of them. */
function RestsOn({ row, oddCells }: Pick<AnsweredRow, "row"> & { oddCells: readonly OddCell[] }) {
  const cells = Object.values(row);
  const emptyCount = cells.filter((cell) => cell === null).length;
  const oddCount = oddCells.filter(({ column }) => row[column] !== null).length;
  if (emptyCount + oddCount === 0) return null;
  const parts = [
    ...(emptyCount > 0 ? [`${formatAmount(emptyCount, "is", "are")} empty`] : []),
    ...(oddCount > 0 ? [`the model cannot use ${formatCount(oddCount)}`] : []),
  ];
  const said =
    `This answer rests on ${formatCount(cells.length - emptyCount - oddCount)} of ` +
    `${formatAmount(cells.length, "cell")}: ${parts.join(", ")}.`;
  return oddCells.length === 0 ? <p class="note">{said}</p> : <Banner tone="early" title={said} />;
}

/** Says what is wrong with a cell, beneath it. `kind`: of its column. */
export function oddCellWords({ code }: OddCell, kind: string): string {
  switch (code) {
    case "NOT_READ":
      return `This is no ${kind === "date" ? "date as the training file writes them" : kind}: taken as missing.`;
    case "UNSEEN_CATEGORY":
      return "The training file does not have this value.";
    case "NO_KNOWN_TERM":
      return "The model knows no word of this.";
    case "NEW_MISSING":
      return "Empty, as in no row of the training file.";
  }
}

/** Whether an effect is more than 0 with the digits that are shown. */
function isSeen({ effect }: { effect: number }): boolean {
  return Math.abs(effect) >= 0.005;
}

/** The columns that moved the decision, with the parts of dates and texts and the words of texts. */
function Reasons({ reasons, marked }: { reasons: NonNullable<Scored["reasons"]>; marked: ReadonlySet<string> }) {
  if (reasons.length === 0) return null;
  const hasShape = reasons.some(({ words = [] }) => words.some(({ word }) => word.includes("#")));
  return (
    <>
      <h2>Why</h2>
      <ul class="reasons">
        {reasons.map(({ column, minus, effect, parts = [], words = [] }) => (
          <li key={JSON.stringify([column, minus])}>
            <bdi>{sourceName(column, minus, LONGEST_NAME)}</bdi> <span class="num">{formatEffect(effect)}</span>
            {(marked.has(column) || (minus !== undefined && marked.has(minus))) && (
              <small>without a value that the model can use</small>
            )}
            {parts.length + words.length > 0 && (
              <small>
                {parts.filter(isSeen).map(({ part, effect }) => (
                  <span key={part}>
                    {partWords(part)} {formatEffect(effect)}{" "}
                  </span>
                ))}
                {words.filter(isSeen).map(({ word, effect }) => (
                  <span key={word}>
                    “<bdi>{plainName(word, LONGEST_NAME)}</bdi>” {formatEffect(effect)}{" "}
                  </span>
                ))}
              </small>
            )}
          </li>
        ))}
      </ul>
      <p class="note">
        Above 0 speaks for this answer against the next most probable one, below 0 against it.
        {hasShape && ` ${SHAPE_WORDS}`}
      </p>
    </>
  );
}
