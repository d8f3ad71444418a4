// Why a model does not leave as ONNX, and what does instead.
import { quotedName } from "../../csv/header.ts";
import { InputError } from "../../input-error.ts";

const READERS = "a reader of model files (--to python, java or javascript)";

/** `why`: the half of a sentence. */
export function tooLarge(why: string): InputError {
  return new InputError(
    "TOO_LARGE_FOR_ONNX",
    `This model is too large for ONNX: ${why}. Use ${READERS}, or a smaller version of the model.`,
  );
}

export function readsTexts(columnName: string): InputError {
  return new InputError(
    "TEXT_NOT_IN_ONNX",
    `${quotedName(columnName)} is read as text, and ONNX has no operators for words in every script. ` +
      `Use ${READERS}, or train without the column (--without).`,
  );
}
