// The forms in which a model leaves for other programs, in words.
import { readsTexts, takesNoTexts } from "../../engine/export/text-refusals.ts";

interface OtherForm {
  about: string;
  /** The options that it needs. */
  options?: string;
}

/** By the word after --to. ONNX has a button of its own. */
export const OTHER_FORMS: Readonly<Record<string, OtherForm>> = {
  python: { about: "a program for Python 3.9 and later, nothing else to install" },
  java: { about: "a class for Java 11 and later" },
  javascript: { about: "a module for Node and browsers" },
  c: { about: "C99 for small devices" },
  sql: {
    about:
      "a query for a database, whose dialect is duckdb, postgres, sqlite, mysql, spark or bigquery; " +
      "refused where the model is too large for one",
    options: " --dialect duckdb",
  },
};

/** `fileName`: as the model file is saved. */
export function exportCommand(fileName: string, form: string): string {
  return `cupel export ${fileName} --to ${form}${OTHER_FORMS[form]?.options ?? ""}`;
}

/**
 * Why `cupel export` refuses a model with these columns in a form, in its words; null where it does not. Whether a
 * model is too large for a form is known only once it is made.
 */
export function refusalOf(
  form: string,
  columns: readonly { name: string; text?: object | undefined }[],
): string | null {
  const read = columns.flatMap(({ name, text }) => (text === undefined ? [] : [name]));
  return read.length === 0 || !takesNoTexts(form) ? null : readsTexts(form, read).message;
}
