// One type for what the server refused, and for why it could not be asked.

/** One field, part or place of a request that is wrong. */
export interface FieldProblem {
  field: string;
  code: string;
  message: string;
  /** Physical line of the file, from 1. */
  line?: number;
  /** Column of the file, by name. */
  column?: string;
}

interface ProblemFacts {
  code: string;
  status: number;
  title: string;
  detail: string;
  errors?: readonly FieldProblem[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/**
 * A request that was refused or failed. `code` is stable: programs should look at it. The server's codes are listed at
 * `/docs/problems`; the client's own have status 0: `UNREACHABLE` (no answer, after all retries), `NO_CUPEL`
 * (the answer is none of Cupel's), `DATASET_FAILED`, `REFINEMENT_FAILED`, `TRAINING_FAILED`,
 * `PREDICTION_FAILED`, `SUCCESSOR_FAILED`, `NO_CREDENTIAL`, `UNUSABLE_TABLE`, `NOT_HERE`.
 */
export class CupelProblem extends Error {
  readonly code: string;
  /** The HTTP status; 0 where there was no answer of the server. */
  readonly status: number;
  /** The same for every problem of a code. */
  readonly title: string;
  /** Says what is wrong with this request, as a sentence. */
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
  /** The id of the request in the server's log. */
  readonly requestId: string | null;
  /** After how many seconds the server asked to be asked again. */
  readonly retryAfterSeconds: number | null;
  /** The place of the first error; null where it names none. */
  readonly field: string | null;
  readonly line: number | null;
  readonly column: string | null;

  /** @internal */
  constructor({ errors = [], requestId = null, retryAfterSeconds = null, cause, ...facts }: ProblemFacts) {
    super(facts.detail, cause === undefined ? {} : { cause });
    this.name = "CupelProblem";
    this.code = facts.code;
    this.status = facts.status;
    this.title = facts.title;
    this.detail = facts.detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    const [first] = errors;
    this.field = first?.field ?? null;
    this.line = first?.line ?? null;
    this.column = first?.column ?? null;
  }
}

/** A problem that the client found itself. */
export function ownProblem(code: string, title: string, detail: string, cause?: unknown): CupelProblem {
  return new CupelProblem({ code, status: 0, title, detail, cause });
}

/** The problem of an answer; a proxy's page and the like has the code `NO_CUPEL`, with the status. */
export function problemOf(status: number, text: string, retryAfter: string | null): CupelProblem {
  const retryAfterSeconds = secondsOf(retryAfter);
  const body = objectOf(text);
  if (typeof body["code"] === "string" && typeof body["detail"] === "string") {
    const { code, detail, title = "", requestId = null, errors = [] } = body as unknown as ProblemFacts;
    return new CupelProblem({ code, status, title, detail, errors, requestId, retryAfterSeconds });
  }
  return new CupelProblem({
    code: "NO_CUPEL",
    status,
    title: "The answer is none of Cupel's",
    detail:
      `The answer has the status ${status} and is none of Cupel's. ` +
      "Check the address, and the proxy in front of the server.",
    retryAfterSeconds,
  });
}

/** `Retry-After` has seconds or a date. */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - Date.now()) / 1_000);
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
