// The value of a JSON body, or where and why it is none.
import { findJsonFault, nestsDeeper } from "./json-syntax.ts";

/** In a larger body the place of a fault is not looked for: it would take seconds. */
const MOST_SEARCHED_CHARACTERS = 1024 * 1024;

/** A part of a body that is wrong, as the API shows it. */
export interface BodyError {
  field: string;
  code: string;
  message: string;
  line?: number;
  column?: string;
}

/** The body is not JSON; `errors` has the place where it is known. */
export class MalformedJson extends Error {
  readonly errors: readonly BodyError[];

  constructor(message: string, errors: readonly BodyError[] = []) {
    super(message);
    this.name = "MalformedJson";
    this.errors = errors;
  }
}

/**
 * The value of UTF-8 bytes. Of a name that stands twice in an object the last value counts, and `__proto__` is a name
 * like any other. Blocks: 10 to 50 ms a megabyte, whatever it holds.
 *
 * @throws MalformedJson
 */
export function parseJson(bytes: Uint8Array, mostLevels: number): unknown {
  const text = decode(bytes);
  if (nestsDeeper(text, mostLevels)) throw new MalformedJson(`The body nests more than ${mostLevels} levels deep.`);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(text);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedJson("The body is not UTF-8 text.");
  }
}

function malformed(text: string): MalformedJson {
  if (text.trim() === "") return new MalformedJson("The body is empty; send a JSON object.");
  const fault = text.length > MOST_SEARCHED_CHARACTERS ? null : findJsonFault(text);
  if (fault === null) return new MalformedJson("The body is not JSON.");
  const { line, column, expected } = fault;
  const message = `At line ${line}, column ${column} of the body ${expected} was expected.`;
  return new MalformedJson(message, [{ field: "body", code: "MALFORMED_JSON", message, line, column: String(column) }]);
}
