// Choosing which column of a dataset is the label: it is read again with another one.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { datasets } from "../browser/api.ts";
import { Field } from "./field.tsx";
import { ErrorNote } from "./states.tsx";

/** Errors of a dataset that another label may mend; see `errorCode` of the API. */
const LABEL_FAULTS: ReadonlySet<string> = new Set([
  "LABEL_NOT_FOUND",
  "POSITIVE_LABEL_NOT_FOUND",
  "ONE_CLASS",
  "TOO_MANY_CLASSES",
]);

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
  // The label that was asked for may be none of the file's.
  const [chosen, setChosen] = useState(() => columns.find((name) => name === labelColumn) ?? columns.at(-1) ?? "");
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
      <Field label="Column to predict" help="The label: what each row is, such as yes and no.">
        {(control) => (
          <span class="chooser">
            <select {...control} value={chosen} onChange={({ currentTarget: { value } }) => setChosen(value)}>
              {columns.map((name) => (
                <option key={name} value={name}>
                  {name}
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

/** The first rows as they stand in the file. */
export function FirstRows({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly string[])[] }) {
  const shown = columns.slice(0, MOST_COLUMNS);
  const beyond = columns.length - shown.length;
  return (
    // What scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="scroll" aria-label="First rows of the file" tabIndex={0}>
      <table>
        <caption class="unseen">First rows of the file</caption>
        <thead>
          <tr>
            {shown.map((name) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
            {beyond > 0 && <th scope="col">and {beyond} more</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {shown.map((name, column) => (
                <td key={name}>{row[column]}</td>
              ))}
              {beyond > 0 && <td>…</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MOST_COLUMNS = 40;
