// Errors of the API: one class to throw, and one place that turns anything thrown into an RFC 9457 problem (D26).
import { type Static, Type } from "@sinclair/typebox";
import { InputError } from "../../engine/input-error.ts";
import { MemoryExceeded } from "../common/memory-budget.ts";
import { QuotaExceeded } from "../storage/quotas.ts";
import { STORAGE_WORDS, storageFault } from "../storage/storage-fault.ts";
import { PROBLEMS, type ProblemCode } from "./problem-codes.ts";
import { named } from "./schemas.ts";

/** One field, part or place of a request that is wrong. */
const FieldError = Type.Object({
  field: Type.String({ description: "Path of the field, such as `name` or `columns.0`; `body` for the whole." }),
  code: Type.String({ description: "What is wrong, as a stable code." }),
  message: Type.String({ description: "What is wrong, as a sentence." }),
  line: Type.Optional(Type.Integer({ description: "Physical line of the file, from 1." })),
  column: Type.Optional(Type.String({ description: "Column of the file, by name." })),
});
export type FieldError = Static<typeof FieldError>;

named({ FieldError });

/** The schema of every error answer. */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: "Where the code is documented, relative to this server." }),
    title: Type.String({ description: "The same for every problem of a code." }),
    status: Type.Integer({ description: "The HTTP status." }),
    detail: Type.String({ description: "What is wrong with this request, as a sentence." }),
    instance: Type.String({ description: "The path that was asked for." }),
    code: Type.String({ description: "Stable: what programs should look at." }),
    requestId: Type.String({ description: "The same as in the `x-request-id` header and in the server's log." }),
    errors: Type.Optional(Type.Array(FieldError)),
  },
  { description: "A problem as in RFC 9457.", "x-decision": "D26" },
);

named({ Problem: ProblemBody });

export type ProblemBody = Static<typeof ProblemBody>;

export interface ProblemExtras {
  errors?: readonly FieldError[];
  headers?: Readonly<Record<string, string>>;
}

/**
 * Thrown by a handler to refuse a request. The status follows from the code (problem-codes.ts); `detail` is one or two
 * sentences for the sender and tells nothing of the server's inside.
 *
 *     throw new ApiError("NAME_TAKEN", `There is a dataset named "${name}" already.`);
 */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, { errors = [], headers = {} }: ProblemExtras = {}) {
    super(detail);
    this.name = "ApiError";
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** A refusal for what one field is. `message` is the detail as well as the field's error. */
export function wrongField(
  field: string,
  code: string,
  message: string,
  problem: ProblemCode = "VALIDATION_FAILED",
): ApiError {
  return new ApiError(problem, message, { errors: [{ field, code, message }] });
}

/**
 * The 404 for an unknown key and for somebody else's alike (D31). `what` follows "There is no": "model".
 */
export function noSuch(what: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no ${what} with this key.`);
}

/** Throws within an expression: `insert(…) ?? refuse(nameTaken(…))`. */
export function refuse(error: ApiError): never {
  throw error;
}

/** Returns the thing that a look-up found. @throws ApiError NOT_FOUND */
export function found<T>(what: string, thing: T | null): T {
  if (thing === null) throw noSuch(what);
  return thing;
}

/** Input errors about the server's own files, whose messages contain their paths. */
const OWN_FILE_CODES: readonly string[] = [
  "FILE_NOT_FOUND",
  "FILE_NOT_READABLE",
  "NOT_A_FILE",
  "FILE_CHANGED",
  "FILE_DAMAGED",
  "FILE_TOO_NEW",
  "WRONG_FILE_TYPE",
];

/**
 * The error answer for anything thrown: 400 for an InputError, with line and column; 507 for a quota or a full disk;
 * 503 for any other fault of the disk; else a 500 that tells nothing of the inside.
 */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof MemoryExceeded) return new ApiError("MEMORY_BUDGET", thrown.message);
  if (thrown instanceof InputError && !OWN_FILE_CODES.includes(thrown.code)) return unusableFile(thrown);
  if (thrown instanceof QuotaExceeded) return new ApiError("QUOTA_EXCEEDED", thrown.message);
  const fault = storageFault(thrown);
  if (fault === "STORAGE_FULL") return new ApiError(fault, "The server has no room left; nothing was kept.");
  if (fault !== null) {
    return new ApiError("UNAVAILABLE", STORAGE_WORDS[fault], {
      errors: [{ field: "disk", code: fault, message: STORAGE_WORDS[fault] }],
      headers: { "retry-after": "60" },
    });
  }
  return new ApiError("INTERNAL", "The server could not answer. Its log has the cause under this request id.");
}

export interface ProblemPlace {
  requestId: string;
  /** As the client sees it, without the query: that may hold a signature. */
  path: string;
  basePath: string;
}

/** The response of an error. The caller adds the headers that all responses have. */
export function problemResponse(error: ApiError, { requestId, path, basePath }: ProblemPlace): Response {
  const { code, status, message, errors, headers } = error;
  const body: Static<typeof ProblemBody> = {
    type: `${basePath}/docs/problems#${code}`,
    title: PROBLEMS[code].title,
    status,
    detail: message,
    instance: path,
    code,
    requestId,
    ...(errors.length > 0 && { errors: [...errors] }),
  };
  return Response.json(body, { status, headers: { ...headers, "content-type": "application/problem+json" } });
}

/** A code of the engine that is also an API code, such as COLUMN_MISMATCH, is kept. */
function unusableFile({ code, message, line, column }: InputError): ApiError {
  const isOwnCode = Object.hasOwn(PROBLEMS, code) && PROBLEMS[code as ProblemCode].status === 400;
  const where = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return new ApiError(isOwnCode ? (code as ProblemCode) : "FILE_UNUSABLE", message, {
    errors: [{ field: "file", code, message, ...where }],
  });
}
