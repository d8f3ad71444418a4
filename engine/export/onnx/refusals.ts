// Why a model is too large to leave as ONNX, and what does instead.
import { InputError } from "../../input-error.ts";

/** `why`: the half of a sentence. */
export function tooLarge(why: string): InputError {
  return new InputError(
    "TOO_LARGE_FOR_ONNX",
    `This model is too large for ONNX: ${why}. ` +
      "Use a reader of model files (--to python, java or javascript), or a smaller version of the model.",
  );
}
