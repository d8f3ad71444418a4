// Why a model that reads texts does not leave in some forms, and what does instead.
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";

const OR_TRAIN = "or train without its words (--kind COLUMN=category) or without the column (--without).";
const BY_READERS = `Use a reader of model files (--to python, java or javascript), ${OR_TRAIN}`;

/** By form: the rest of a sentence that begins with the name of the column. */
const WORDS = {
  onnx: `is read as text, and ONNX has no operators for words in every script. ${BY_READERS}`,
  c: `is read as text, which the reader for C does not. Export to python, java or javascript, ${OR_TRAIN}`,
  sql: `is read as text, which SQL cannot take apart as the model does. ${BY_READERS}`,
} as const;

type TextlessForm = keyof typeof WORDS;

export function takesNoTexts(form: string): form is TextlessForm {
  return Object.hasOwn(WORDS, form);
}

export function readsTexts(form: TextlessForm, columnName: string): InputError {
  return new InputError(`TEXT_NOT_IN_${form.toUpperCase()}`, `${quotedName(columnName)} ${WORDS[form]}`);
}
