// The part of a form that asks how new rows are related to those of the table: groups, time, and columns to leave out.
import { useState } from "preact/hooks";
import { type Related, relatedInWords } from "../browser/related.ts";
import { Choice, Field, TextField } from "./field.tsx";

interface RelatedRowsProps {
  related: Related;
  onChange(changes: Partial<Related>): void;
  /** Names of the columns to choose from; null where no file is known yet. */
  columns: readonly string[] | null;
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
          ? "Usually not at all: each row is a case of its own. Choose below if it is otherwise, or the accuracy will look better than it is."
          : words}
      </p>
      <ColumnField
        label="Rows that belong together"
        help="If the model will meet other machines, patients or customers than these, choose the column that names them. All rows of one are then learned from, or all are tested on."
        none="None: each row stands for itself"
        columns={columns}
        value={groupColumn}
        error={errorOf("groupColumn")}
        onValue={(value) => onChange({ groupColumn: value })}
      />
      <ColumnField
        label="When a row was recorded"
        help="If the model is to answer for later rows, choose the column with the date or time. It then learns from older rows and is tested on the newest."
        none="None: it does not matter when"
        columns={columns}
        value={timeColumn}
        error={errorOf("timeColumn")}
        onValue={(value) => onChange({ timeColumn: value })}
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

interface ColumnFieldProps {
  label: string;
  help: string;
  /** The choice of no column. */
  none: string;
  columns: readonly string[] | null;
  value: string | null;
  error: string | undefined;
  onValue(value: string | null): void;
}

function ColumnField({ label, help, none, columns, value, error, onValue }: ColumnFieldProps) {
  const change = (name: string) => onValue(name === "" ? null : name);
  if (columns === null) {
    return (
      <TextField
        label={label}
        help={`${help} Leave it empty for none.`}
        error={error}
        value={value ?? ""}
        onValue={change}
      />
    );
  }
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <select {...control} value={value ?? ""} onChange={({ currentTarget }) => change(currentTarget.value)}>
          <option value="">{none}</option>
          <Options names={columns} chosen={value} />
        </select>
      )}
    </Field>
  );
}

/** A chosen name stays a choice, even if the file has no such column: the server says so. */
function Options({ names, chosen = null }: { names: readonly string[]; chosen?: string | null }) {
  const all = chosen === null || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
}

interface LeftOutProps {
  columns: readonly string[] | null;
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
          columns === null ? (
            <span class="chooser">
              <input
                {...control}
                type="text"
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
              <button type="button" disabled={typed.trim() === ""} onClick={() => add(typed.trim())}>
                Leave out
              </button>
            </span>
          ) : (
            <select {...control} value="" onChange={({ currentTarget }) => add(currentTarget.value)}>
              <option value="">{names.length === 0 ? "None: use every column" : "Leave out another one"}</option>
              <Options names={columns.filter((name) => !names.includes(name))} />
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
