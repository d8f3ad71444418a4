// The part of a form that asks how new rows are related to those of the table: groups, time, and columns to leave out.
import { useState } from "preact/hooks";
import { type Related, relatedInWords } from "../../browser/forms/related.ts";
import { Choice, Field } from "../field.tsx";
import { ColumnField, type FormColumns, Options, SuggestingInput } from "./column-field.tsx";

interface RelatedRowsProps {
  related: Related;
  onChange(changes: Partial<Related>): void;
  columns: FormColumns;
  errorOf(field: string): string | undefined;
  isOpen?: boolean;
}

/** Folded, unless something is chosen: most tables need none of it. */
export function RelatedRows({ related, onChange, columns, errorOf, isOpen = false }: RelatedRowsProps) {
  const words = relatedInWords(related);
  const [wasOpen] = useState(isOpen || words !== "");
  const { groupColumn, timeColumn, keepKeyColumns } = related;
  return (
    <details class="related" open={wasOpen}>
      <summary>How are new rows related to these?</summary>
      <p class="help">
        {words === ""
          ? "Usually not at all: each row is a case of its own. " +
            "Choose below if it is otherwise, or the accuracy will look better than it is."
          : words}
      </p>
      <ColumnField
        label="Rows that belong together"
        help="If the model will meet other machines, patients or customers than these, choose the column that names them. All rows of one are then learned from, or all are tested on."
        none="None: each row stands for itself"
        emptyFor="none"
        columns={columns}
        value={groupColumn ?? ""}
        error={errorOf("groupColumn")}
        onValue={(value) => onChange({ groupColumn: value === "" ? null : value })}
      />
      <ColumnField
        label="When a row was recorded"
        help="If the model is to answer for later rows, choose the column with the date or time. It then learns from older rows and is tested on the newest."
        none="None: it does not matter when"
        emptyFor="none"
        columns={columns}
        value={timeColumn ?? ""}
        error={errorOf("timeColumn")}
        onValue={(value) => onChange({ timeColumn: value === "" ? null : value })}
      />
      {(groupColumn !== null || timeColumn !== null) && (
        <Choice checked={keepKeyColumns} onChange={(isKept) => onChange({ keepKeyColumns: isKept })}>
          Learn from these columns too. Without this they only decide which rows are tested on.
        </Choice>
      )}
      <LeftOut
        columns={columns}
        names={related.withoutColumns}
        error={errorOf("withoutColumns") ?? errorOf("withoutColumns.0")}
        onNames={(names) => onChange({ withoutColumns: names })}
      />
    </details>
  );
}

interface LeftOutProps {
  columns: FormColumns;
  names: readonly string[];
  error: string | undefined;
  onNames(names: string[]): void;
}

function LeftOut({ columns, names, error, onNames }: LeftOutProps) {
  const [typed, setTyped] = useState("");
  const add = (name: string) => {
    setTyped("");
    if (name !== "" && !names.includes(name)) onNames([...names, name]);
  };
  return (
    <>
      <Field
        label="Columns to leave out"
        help="Such as a column that is only filled in once the answer is known: new rows will not have it."
        error={error}
      >
        {(control) =>
          columns.names === null ? (
            <span class="chooser">
              <SuggestingInput {...control} likely={columns.likely} value={typed} onValue={setTyped} />
              <button type="button" disabled={typed.trim() === ""} onClick={() => add(typed.trim())}>
                Leave out
              </button>
            </span>
          ) : (
            <select {...control} value="" onChange={({ currentTarget }) => add(currentTarget.value)}>
              <option value="">{names.length === 0 ? "None: use every column" : "Leave out another one"}</option>
              <Options names={columns.names.filter((name) => !names.includes(name))} />
            </select>
          )
        }
      </Field>
      {names.length > 0 && (
        <ul class="left-out" aria-label="Columns that are left out">
          {names.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
              <button type="button" class="link" onClick={() => onNames(names.filter((each) => each !== name))}>
                <span>
                  Use<span class="unseen"> {name}</span> again
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
