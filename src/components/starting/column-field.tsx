// A field that takes the name of a column: chosen where the columns are known, else typed.
import { useId } from "preact/hooks";
import { Field, type LabelProps, SelectField } from "../field.tsx";

/** The columns that a form may ask for. */
export interface FormColumns {
  /** The columns of the file; null where they are not known. */
  names: readonly string[] | null;
  /** Offered while a name is typed. */
  likely?: readonly string[];
}

interface ColumnFieldProps extends LabelProps {
  /** The choice of no column. */
  none: string;
  /** The same for one that types: "Leave it empty for …". */
  emptyFor: string;
  columns: FormColumns;
  value: string;
  onValue(value: string): void;
}

export function ColumnField({ label, help, error, none, emptyFor, columns, value, onValue }: ColumnFieldProps) {
  const { names } = columns;
  if (names === null) {
    return (
      <Field label={label} help={`${help} Leave it empty for ${emptyFor}.`} error={error}>
        {(control) => <SuggestingInput {...control} likely={columns.likely} value={value} onValue={onValue} />}
      </Field>
    );
  }
  return (
    <SelectField label={label} help={help} error={error} value={value} onValue={onValue}>
      <option value="">{none}</option>
      <Options names={names} chosen={value} />
    </SelectField>
  );
}

/** The column to predict; the last one where none is named. */
export function LabelField(props: Omit<ColumnFieldProps, "label" | "none" | "emptyFor">) {
  const last = props.columns.names?.at(-1);
  return <ColumnField {...props} label="Label column" none={`The last one: ${last}`} emptyFor="the last one" />;
}

/** The columns but the label, as `LabelField` asks for it. */
export function featuresBeside(label: string, { names, likely = [] }: FormColumns): FormColumns {
  const beside = (all: readonly string[]) => all.filter((name) => name !== (label.trim() || all.at(-1)));
  return { names: names === null ? null : beside(names), likely: beside(likely) };
}

/** A chosen name stays a choice, even if the file has no such column: the server says so. */
export function Options({ names, chosen = "" }: { names: readonly string[]; chosen?: string }) {
  const all = chosen === "" || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
}

interface SuggestingInputProps {
  id: string;
  placeholder?: string;
  autocomplete?: "off";
  inputMode?: "decimal";
  likely: readonly string[] | undefined;
  value: string;
  onValue(value: string): void;
}

/** Takes any text; offers the likely ones. */
export function SuggestingInput({ likely = [], value, onValue, ...control }: SuggestingInputProps) {
  const listId = useId();
  return (
    <>
      <input
        {...control}
        type="text"
        {...(likely.length > 0 && { list: listId })}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {likely.length > 0 && (
        <datalist id={listId}>
          <Options names={likely} />
        </datalist>
      )}
    </>
  );
}
