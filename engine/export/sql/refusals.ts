// Why a model does not leave as SQL, and what does instead.
import { quotedName } from "../../csv/header.ts";
import { InputError } from "../../input-error.ts";

const READERS = "a reader of model files (--to python, java or javascript)";

/** The code of `tooLarge`, whose advice names a smaller version where one is at hand. */
export const TOO_LARGE = "TOO_LARGE_FOR_SQL";

/** `why`: the half of a sentence. */
export function tooLarge(why: string): InputError {
  return new InputError(
    TOO_LARGE,
    `This model is too large for SQL: ${why}. Use a smaller version of the same model, or --to onnx.`,
  );
}

export function holdsNul(text: string, database: string): InputError {
  return new InputError(
    "NUL_NOT_IN_SQL",
    `${quotedName(text)} holds a NUL, which no name and no text of ${database} can. Use ${READERS}.`,
  );
}

/** A name that is too long, or has characters that no column's name has. */
export function noName(name: string, database: string): InputError {
  return new InputError(
    "NAME_NOT_IN_SQL",
    `No column of ${database} can have the name ${quotedName(name)}. ` +
      `Rename the column in the training file and train again, or use ${READERS}.`,
  );
}

/** Two columns of the model whose names a database takes for one: it would read one column for both. */
export function sameName(first: string, second: string, database: string): InputError {
  return new InputError(
    "SAME_NAME_IN_SQL",
    `${quotedName(first)} and ${quotedName(second)} are the same name to ${database}. ` +
      `Rename one of these columns in the training file and train again, or use ${READERS}.`,
  );
}
