// A file or setting that cannot be used: says what, where and what to do.

/**
 * Thrown for bad input; its message is meant for the person who gave the
 * input. Anything else thrown is a fault of ours.
 */
export class InputError extends Error {
  readonly code: string;
  /** Physical line of the file, from 1. */
  readonly line: number | undefined;
  readonly column: string | undefined;

  constructor(code: string, message: string, where: { line?: number | undefined; column?: string | undefined } = {}) {
    super(message);
    this.name = "InputError";
    this.code = code;
    this.line = where.line;
    this.column = where.column;
  }
}
