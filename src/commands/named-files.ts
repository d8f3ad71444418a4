// Puts the name of the file in front of what is wrong with it, where a command has several.
import { InputError } from "../../engine/input-error.ts";

const OF_MODELS: ReadonlySet<string> = new Set(["WRONG_FILE_TYPE", "FILE_TOO_NEW", "FILE_DAMAGED"]);
/** These are about options. */
const OF_OPTIONS: ReadonlySet<string> = new Set(["UNKNOWN_ANSWER", "BAD_HEADER"]);

interface NamedFiles {
  modelPath: string;
  /** "-" for standard input. */
  inputPath: string;
  /** Other files that an error may name itself. */
  others?: readonly (string | null)[];
}

/** Throws the error that stands for this one. */
export function throwNamed(error: unknown, { modelPath, inputPath, others = [] }: NamedFiles): never {
  if (!(error instanceof InputError) || OF_OPTIONS.has(error.code)) throw error;
  const { code, message, line, column } = error;
  const isNamed = [modelPath, inputPath, ...others].some(
    (path) => path !== null && path !== "-" && message.includes(path),
  );
  if (isNamed) throw error;
  const name = OF_MODELS.has(code) ? modelPath : inputPath === "-" ? "standard input" : inputPath;
  throw new InputError(code, `${name}: ${message}`, { line, column });
}
