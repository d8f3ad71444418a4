// Why a model that reads texts does not leave in some forms, and what does instead.
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import type { ModelFile } from "../model/model-file.ts";
import { shellWord } from "../shell-word.ts";

/** By form: why it takes no texts, and the forms that do. */
const WORDS = {
  onnx: {
    why: "ONNX has no operators for words in every script",
    instead: "Use a reader of model files (--to python, java or javascript)",
  },
  c: { why: "the reader for C takes none", instead: "Export to python, java or javascript" },
  sql: {
    why: "SQL cannot take texts apart as the model does",
    instead: "Use a reader of model files (--to python, java or javascript)",
  },
} as const;

type TextlessForm = keyof typeof WORDS;

export function takesNoTexts(form: string): form is TextlessForm {
  return Object.hasOwn(WORDS, form);
}

/** The names of the columns that a model reads as text. */
export function textNames({ columns, texts = [] }: Pick<ModelFile, "columns" | "texts">): string[] {
  return texts.map(({ column }) => columns[column]!.name);
}

/** `names`: of all columns that are read as text, so that one more training is enough. */
export function readsTexts(form: TextlessForm, names: readonly string[]): InputError {
  const { why, instead } = WORDS[form];
  const all = names.map(quotedName).join(", ");
  const kinds = names.map((name) => `--kind ${shellWord(name)}=category`).join(" ");
  const without = names.map((name) => `--without ${shellWord(name)}`).join(" ");
  return new InputError(
    `TEXT_NOT_IN_${form.toUpperCase()}`,
    `${all} ${names.length === 1 ? "is" : "are"} read as text, and ${why}. ${instead}, ` +
      `or train again without the words (${kinds}) or without the column${names.length === 1 ? "" : "s"} (${without}).`,
  );
}
