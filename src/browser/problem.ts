// A failed request in words for a person: what happened, and what to do about it.
import type { FieldError, ProblemBody } from "../http/problem.ts";
import { PROBLEMS } from "../http/problem-codes.ts";

/** A refusal by the API, or a failure to reach it. */
export class Problem extends Error {
  /** HTTP status; 0 if the server was not reached. */
  readonly status: number;
  /** A code of the API, or NOT_UNDERSTOOD, UNREACHABLE, CANCELLED or SIGNED_OUT. */
  readonly code: string;
  readonly remedy: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | null;
  /** Seconds to wait, if the server asks for that. */
  readonly retryAfterSeconds: number | null;

  constructor(facts: {
    status: number;
    code: string;
    detail: string;
    remedy: string;
    errors?: readonly FieldError[];
    requestId?: string | null;
    retryAfterSeconds?: number | null;
  }) {
    super(facts.detail);
    this.name = "Problem";
    this.status = facts.status;
    this.code = facts.code;
    this.remedy = facts.remedy;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }

  /** The error of one form field, if it has one. */
  errorOf(field: string): string | undefined {
    return this.errors.find((error) => error.field === field)?.message;
  }
}

/** Reads the problem from the body of a refused request. */
export function problemOf(status: number, body: string, retryAfter: string | null): Problem {
  const said = parsed(body);
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter) || null;
  if (said === null) {
    return new Problem({
      status,
      code: "NOT_UNDERSTOOD",
      detail: `The server, or a proxy before it, answered ${status}.`,
      remedy: "Try again. If it happens again, ask whoever runs the server to look at its log.",
      retryAfterSeconds,
    });
  }
  const { code, requestId } = said;
  // The API's sentence names only the first of several errors; the page lists them all.
  const isOfSeveral = code === "VALIDATION_FAILED" && (said.errors?.length ?? 0) > 1;
  const detail = isOfSeveral ? "Several fields need a correction." : said.detail;
  const remedy = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS].remedy : "";
  return new Problem({ status, code, detail, remedy, errors: said.errors ?? [], requestId, retryAfterSeconds });
}

/** Fetches an answer and reads it. @throws Problem */
export async function fetched<T>(
  address: URL,
  request: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    const response = await fetch(address, request);
    if (response.ok) return await read(response);
    throw problemOf(response.status, await response.text(), response.headers.get("retry-after"));
  } catch (error) {
    throw asProblem(error);
  }
}

/** Turns whatever was thrown into a problem. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof DOMException && thrown.name === "AbortError") return cancelled();
  return new Problem({
    status: 0,
    code: "UNREACHABLE",
    detail: "The server cannot be reached.",
    remedy: "Check the connection; what you typed is still here.",
  });
}

export function cancelled(): Problem {
  return new Problem({ status: 0, code: "CANCELLED", detail: "It was cancelled.", remedy: "" });
}

function parsed(body: string): ProblemBody | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && "code" in value && "detail" in value
      ? (value as ProblemBody)
      : null;
  } catch {
    return null;
  }
}
