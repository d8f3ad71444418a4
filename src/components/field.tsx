// Parts of forms: a field with its label, help and error, and a place to drop a file.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { formatBytes } from "../format.ts";

/** What the control of a field is given. */
interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
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

interface InputProps {
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

/** `<TextField label="Name" value={name} onValue={setName} required maxLength={30} />`, with what else an input takes. */
export function TextField({
  label,
  help,
  error,
  value,
  onValue,
  type = "text",
  ...input
}: Omit<FieldProps, "children"> & InputProps & { value: string; onValue(value: string): void }) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <input
          {...input}
          {...control}
          // Preact's types have an element for each type, and none for several.
          type={type as "text"}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface FileDropProps {
  label: string;
  help?: ComponentChildren;
  error?: string | undefined;
  file: File | null;
  onFile(file: File | null): void;
}

/** One file, dropped or chosen. */
export function FileDrop({ label, help, error, file, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        // The input lies over all of it, so that dropping, clicking and the keyboard are the browser's own.
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
