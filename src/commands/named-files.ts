// Puts the name of the file in front of what is wrong with it, where a command has several.
import { InputError } from "../../engine/input-error.ts";

const MODEL_CODES: ReadonlySet<string> = new Set(["WRONG_FILE_TYPE", "FILE_TOO_NEW", "FILE_DAMAGED"]);
/** These are about options. */
const OPTION_CODES: ReadonlySet<string> = new Set(["UNKNOWN_ANSWER", "BAD_HEADER"]);

interface NamedFiles {
  modelPath: string;
  /** "-" for standard input. */
  inputPath: string;
  /** Other files that an error may name itself. */
  others?: readonly (string | null)[];
}

/** Throws the error that stands for this one. */
export function throwNamed(error: unknown, { modelPath, inputPath, others = [] }: NamedFiles): never {
  if (!(error instanceof InputError) || OPTION_CODES.has(error.code)) throw error;
  const isNamed = [modelPath, ...others].some((path) => path !== null && path !== "-" && error.message.includes(path));
  if (isNamed) throw error;
  throwOfFile(error, MODEL_CODES.has(error.code) ? modelPath : inputPath);
}

/** Throws the error with the file's name in front, unless it has that. */
export function throwOfFile(error: unknown, path: string): never {
  if (!(error instanceof InputError) || (path !== "-" && error.message.includes(path))) throw error;
  const { code, message, line, column } = error;
  throw new InputError(code, `${path === "-" ? "standard input" : path}: ${message}`, { line, column });
}
