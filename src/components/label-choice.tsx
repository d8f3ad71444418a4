// Choosing the label of a dataset: the file is read again with another label column.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { datasets } from "../browser/api.ts";
import { html, type Markup, name } from "../charts/markup.ts";
import { table } from "../charts/pictures.ts";
import { Field } from "./field.tsx";
import { ErrorNote } from "./states.tsx";

/** Errors of a dataset that choosing another label may solve; see `errorCode` of the API. */
const LABEL_FAULTS: ReadonlySet<string> = new Set([
  "LABEL_NOT_FOUND",
  "POSITIVE_LABEL_NOT_FOUND",
  "ONE_CLASS",
  "TOO_MANY_CLASSES",
]);
const MOST_COLUMNS = 40;

export function isLabelFault(errorCode: string | null): boolean {
  return errorCode !== null && LABEL_FAULTS.has(errorCode);
}

interface LabelChoiceProps {
  datasetKey: string;
  /** Names in the order of the file. */
  columns: readonly string[];
  labelColumn: string | null;
  onChange(): void;
}

export function LabelChoice({ datasetKey, columns, labelColumn, onChange }: LabelChoiceProps) {
  // The label asked for may not be a column of the file.
  const [chosen, setChosen] = useState(() => columns.find((column) => column === labelColumn) ?? columns.at(-1) ?? "");
  const read = useAction(async () => {
    await datasets.relabel(datasetKey, chosen);
    onChange();
  });
  return (
    <form
      class="form label-choice"
      onSubmit={(event) => {
        event.preventDefault();
        read.run();
      }}
    >
      <Field label="Column to predict" help="The label: the answer that each row has, such as yes or no.">
        {(control) => (
          <span class="chooser">
            <select {...control} value={chosen} onChange={({ currentTarget: { value } }) => setChosen(value)}>
              {columns.map((column) => (
                <option key={column} value={column}>
                  {column}
                </option>
              ))}
            </select>
            {chosen !== labelColumn && (
              <button type="submit" class="primary" disabled={read.isRunning}>
                Use this column
              </button>
            )}
          </span>
        )}
      </Field>
      {read.problem !== null && <ErrorNote problem={read.problem} />}
    </form>
  );
}

/** The first rows as the file has them. */
export function firstRows(columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const beyond = columns.length - MOST_COLUMNS;
  const heads = columns.slice(0, MOST_COLUMNS).map((column) => html`<th scope="col">${name(column)}</th>`);
  const head = html`<tr>${heads}${beyond > 0 ? html`<th scope="col">and ${beyond} more</th>` : null}</tr>`;
  const body = rows.map(
    (row) =>
      html`<tr>${row.slice(0, MOST_COLUMNS).map((cell) => html`<td>${cell}</td>`)}${beyond > 0 ? html`<td>…</td>` : null}</tr>`,
  );
  return table("First rows of the file", head, body);
}
