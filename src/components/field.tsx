// Forms and their fields: labels, help and errors, check boxes, and a place to drop a file.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Action } from "../browser/action.ts";
import { formatBytes } from "../common/format.ts";
import { ErrorNote } from "./states.tsx";

interface FormProps {
  /** Runs when the form is sent; its problem is shown above the buttons. */
  action: Pick<Action<[]>, "isRunning" | "problem"> & { run(): unknown };
  /** The word on the button that sends it. */
  submit: string;
  /** The word while it runs. */
  submitting?: string;
  /** False while something needed is missing. */
  isReady?: boolean;
  /** Set in dialogs: adds a Cancel button. */
  onCancel?: () => void;
  class?: string;
  /** Stands beside the button. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}

export function Form(props: FormProps) {
  const { action, submit, submitting = submit, isReady = true, onCancel, beside, children } = props;
  return (
    <form
      class={props.class ?? "form"}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) action.run();
      }}
    >
      {children}
      {action.problem !== null && <ErrorNote problem={action.problem} />}
      <div class={onCancel === undefined ? "actions" : "actions end"}>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class="primary" disabled={action.isRunning || !isReady}>
          {action.isRunning ? submitting : submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

/** The properties that a field gives to its control. */
interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export interface FieldProps {
  label: string;
  help?: ComponentChildren;
  error?: string | undefined;
  children: (control: ControlProps) => ComponentChildren;
}

/** `<Field label="Name">{(control) => <input {...control} … />}</Field>` */
export function Field({ label, help, error, children }: FieldProps) {
  const id = useId();
  const described = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described.length > 0 && { "aria-describedby": described.join(" ") }),
        ...(error !== undefined && { "aria-invalid": true }),
      })}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** A field without its control. */
export type LabelProps = Omit<FieldProps, "children">;

interface TextProps extends LabelProps {
  value: string;
  onValue(value: string): void;
}

interface InputProps extends TextProps {
  type?: "text" | "password" | "number" | "date";
  inputMode?: "email" | "decimal";
  autocomplete?: "username" | "current-password" | "new-password";
  required?: boolean;
  readOnly?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | "any";
}

/** `<TextField label="Name" value={name} onValue={setName} required maxLength={30} />` */
export function TextField({ label, help, error, value, onValue, type = "text", ...input }: InputProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <input
          {...input}
          {...control}
          // Preact types each kind of input separately.
          type={type as "text"}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends TextProps {
  rows: number;
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
}

/** `<TextAreaField label="Note" rows={5} value={note} onValue={setNote} />` */
export function TextAreaField({ label, help, error, value, onValue, ...area }: TextAreaProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <textarea {...control} {...area} value={value} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
      )}
    </Field>
  );
}

interface SelectFieldProps extends LabelProps {
  value: string | number;
  onValue(value: string): void;
  /** The options. */
  children: ComponentChildren;
}

/** `<SelectField label="Role" value={role} onValue={setRole}><option value="user">User</option></SelectField>` */
export function SelectField({ value, onValue, children, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          {children}
        </select>
      )}
    </Field>
  );
}

interface ChoiceProps {
  /** Radio buttons of one name exclude each other; without a name it is a check box. */
  name?: string;
  checked: boolean;
  onChange(checked: boolean): void;
  children: ComponentChildren;
}

/** A check box or radio button with its words. */
export function Choice({ name, checked, onChange, children }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        {...(name === undefined ? { type: "checkbox" } : { type: "radio", name })}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

/** Whether a file begins with the names of its columns. */
export function HeaderChoice({ hasHeader, onChange }: { hasHeader: boolean; onChange(hasHeader: boolean): void }) {
  return (
    <Choice checked={hasHeader} onChange={onChange}>
      The first row is the header
    </Choice>
  );
}

interface FileDropProps extends LabelProps {
  file: File | null;
  onFile(file: File | null): void;
}

/** Takes one file, dropped or chosen. */
export function FileDrop({ label, help, error, file, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        // An invisible input covers the area, so the browser handles dropping, clicking and the keyboard.
        <div class={isOver ? "drop over" : "drop"}>
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onDragEnter={() => setOver(true)}
            onDragLeave={() => setOver(false)}
            onDrop={() => setOver(false)}
            onChange={({ currentTarget: { files } }) => onFile(files?.[0] ?? null)}
          />
          {file === null ? (
            <span aria-hidden="true">
              Drop a CSV file here, or <u>choose one</u>
            </span>
          ) : (
            <span>
              <strong>
                <bdi>{file.name}</bdi>
              </strong>{" "}
              <span class="num">{formatBytes(file.size)}</span>
            </span>
          )}
        </div>
      )}
    </Field>
  );
}
