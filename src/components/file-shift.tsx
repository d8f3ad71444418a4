// A prediction's file beside the training rows: what shifted, worst first, and what its labels say of the decisions.
import type { PredictionShift } from "../api/predictions/prediction-shift.ts";
import { predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { confusionFigure } from "../charts/confusion.ts";
import { formatAmount, formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { expectedSentence } from "../words/health-words.ts";
import { columnVerdict, confidenceWords, VERDICT_WORDS, watchSentence } from "../words/watch-words.ts";
import { Drawing } from "./drawing.tsx";
import { Section } from "./page.tsx";
import { Table } from "./table.tsx";

const FEW = 8;

type Column = NonNullable<PredictionShift["columns"]>[number];

/** Nothing until it is known. */
export function FileShift({ predictionKey }: { predictionKey: string }) {
  const { value: shift } = useLoad((signal) => predictions.shift(predictionKey, signal), [predictionKey]);
  if (shift === null) return null;
  const { columns, labelled } = shift;
  const expected = expectedSentence(shift);
  return (
    <>
      {columns !== null && (
        <Section title="Beside the training rows">
          <p>
            {watchSentence({ ...shift, columns })} {answerWords(shift)}
          </p>
          {expected !== null && <p>Without looking at labels: {expected}.</p>}
          <Columns columns={columns} />
        </Section>
      )}
      {labelled !== null && (
        <Section title="Right or wrong">
          <p>
            The file has labels: {formatEstimate(labelled.accuracy)} of {formatAmount(labelled.rowCount, "row")} are
            predicted right.
          </p>
          <Drawing markup={confusionFigure({ confusion: labelled.confusion, of: "this file" }, labelled.labels)} />
        </Section>
      )}
    </>
  );
}

/** Shows the columns that shifted and some to compare with; folds the others. */
function Columns({ columns }: { columns: readonly Column[] }) {
  const changed = columns.filter(({ verdict }) => verdict === "SHIFTED" || verdict === "SLIGHT").length;
  const shown = Math.max(FEW, changed);
  const foldedColumns = columns.slice(shown);
  return (
    <>
      <ShiftTable caption="Columns, those that shifted the most first" columns={columns.slice(0, shown)} />
      {foldedColumns.length > 0 && (
        <details>
          <summary>{formatAmount(foldedColumns.length, "more column")}</summary>
          <ShiftTable caption="Further columns" columns={foldedColumns} />
        </details>
      )}
    </>
  );
}

function ShiftTable({ caption, columns }: { caption: string; columns: readonly Column[] }) {
  return (
    <Table
      caption={caption}
      rows={columns}
      keyOf={({ name }) => name}
      columns={[
        { head: "Column", cell: ({ name }) => <bdi>{name}</bdi> },
        { head: "Beside training", cell: (column) => columnVerdict(column) },
        { head: "Difference", cell: ({ difference }) => withReadersNumbers(difference) || "–" },
        { head: "Missing", isNumber: true, cell: ({ missing }) => formatPercent(missing.file) },
        { head: "Shift index", isNumber: true, cell: ({ index }) => formatFigure(index) },
      ]}
    />
  );
}

function answerWords({ decisions, confidence }: PredictionShift): string {
  if (decisions === null || confidence === null) return "";
  return (
    `Predicted labels: ${VERDICT_WORDS[decisions.verdict]}. ` +
    `The model is ${confidence.verdict === "ALIKE" ? "as sure as on held-out rows" : confidenceWords(confidence)}.`
  );
}
