// Choosing the label of a dataset: each choice is stored at once, and the file read again with it.
import type { Choosing } from "../choosing/choosing.ts";
import { SelectField } from "../field.tsx";
import { ErrorNote } from "../states.tsx";
import { Options } from "./column-field.tsx";

/** Errors of a dataset that choosing another label may solve; see `errorCode` of the API. */
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
  /** Names in the order of the file. */
  columns: readonly string[];
  choosing: Choosing;
}

export function LabelChoice({ columns, choosing: { shown, problem, change } }: LabelChoiceProps) {
  const { labelColumn } = shown;
  // The label asked for may not be a column of the file.
  const chosenLabel = labelColumn !== null && columns.includes(labelColumn) ? labelColumn : "";
  return (
    <div class="form label-choice">
      <SelectField
        label="Column to predict"
        help="The label: the answer that each row has, such as yes or no."
        value={chosenLabel}
        onValue={(column) => change({ labelColumn: column })}
      >
        {chosenLabel === "" && (
          <option value="" disabled>
            Choose a column
          </option>
        )}
        <Options names={columns} />
      </SelectField>
      {problem !== null && <ErrorNote problem={problem} />}
    </div>
  );
}
