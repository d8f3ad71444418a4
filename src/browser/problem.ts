// What goes wrong when the API is asked, in words for a person: what happened, and what to do about it.
import type { FieldError, ProblemBody } from "../http/problem.ts";
import { PROBLEMS } from "../http/problem-codes.ts";

/** A refusal of the API, or of the way to it. */
export class Problem extends Error {
  /** 0 where the server was not reached. */
  readonly status: number;
  /** A code of the API, or UNREACHABLE, or CANCELLED. */
  readonly code: string;
  readonly remedy: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | null;
  /** Seconds that the server asks to wait. */
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

  /** What is said of one field of a form; undefined where nothing is. */
  errorOf(field: string): string | undefined {
    return this.errors.find((error) => error.field === field)?.message;
  }
}

const SEVERAL_FIELDS = "Several fields are not as they should be.";

/** The problem that a refused request's body describes. */
export function problemOf(status: number, body: string, retryAfter: string | null): Problem {
  const said = parsed(body);
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter) || null;
  if (said === null) {
    return new Problem({
      status,
      code: "NOT_UNDERSTOOD",
      detail: `The server, or something before it, answered ${status}.`,
      remedy: "Try again; where it stays so, ask whoever runs the server to look at its log.",
      retryAfterSeconds,
    });
  }
  const { code, requestId } = said;
  // With several, the API's sentence is the first of them and how many more there are: here all are listed.
  const isOfSeveral = code === "VALIDATION_FAILED" && (said.errors?.length ?? 0) > 1;
  const detail = isOfSeveral ? SEVERAL_FIELDS : said.detail;
  const remedy = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS].remedy : "";
  return new Problem({ status, code, detail, remedy, errors: said.errors ?? [], requestId, retryAfterSeconds });
}

/** Whatever was thrown, as a problem. */
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
