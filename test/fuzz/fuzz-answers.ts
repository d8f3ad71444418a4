// What every answer to a drawn request has to be: declared, as it is
// described, and without anything that is not the caller's.
import { PROBLEMS, type ProblemCode } from "../../src/http/problem-codes.ts";
import { type ApiDocument, type DeclaredAnswer, type Json, misfitOf, type Operation } from "./api-document.ts";
import type { FuzzRequest } from "./fuzz-requests.ts";
import { type FuzzWorld, MARKER } from "./fuzz-world.ts";

/** Faults that a server may have and must have declared: no room, or not ready. */
const DECLARED_FAULTS = [503, 507];

export interface FuzzAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** What is wrong with an answer, in words. */
export function faultsOf(
  world: FuzzWorld,
  document: ApiDocument,
  operation: Operation,
  request: FuzzRequest,
  answer: FuzzAnswer,
): string[] {
  const { status, headers, text } = answer;
  // Of the server beneath the app, which takes no more than 16 KiB of address and headers.
  if (status === 431) return [];
  const faults: string[] = [];
  const isDeclared = operation.answers.has(status) && DECLARED_FAULTS.includes(status);
  if (status >= 500 && !isDeclared) faults.push(`answers ${status}: ${text}`);
  if (!headers.has("x-request-id")) faults.push("has no x-request-id");
  faults.push(
    ...leaksIn(world, (PROGRAMS.includes(operation.id) && status === 200 ? "" : text) + [...headers].join("\n")),
  );
  if (request.isElsewhere) {
    if (status >= 400 && text !== "") faults.push(...problemFaults(document, null, answer));
    return faults;
  }
  const declared = operation.answers.get(status);
  if (declared === undefined) faults.push(`answers ${status}, which is not declared`);
  if (status >= 400) return [...faults, ...problemFaults(document, declared ?? null, answer)];
  return declared === undefined ? faults : [...faults, ...answerFaults(declared, answer)];
}

/** `declared` is null where the document says nothing of the status. */
function problemFaults(
  { problem }: ApiDocument,
  declared: DeclaredAnswer | null,
  { status, headers, text }: FuzzAnswer,
): string[] {
  if (headers.get("content-type") !== "application/problem+json") return [`answers ${status} without a problem`];
  const body = parsed(text) as Json | null;
  if (body === null) return [`answers ${status} with what is no JSON`];
  const misfit = misfitOf(problem, body);
  if (misfit !== null) return [`has a problem that is not as described: ${misfit}`];
  const code = body["code"] as ProblemCode;
  if (!Object.hasOwn(PROBLEMS, code) || PROBLEMS[code].status !== status)
    return [`has the code ${code} with ${status}`];
  if (body["requestId"] !== headers.get("x-request-id")) return ["has two request ids"];
  return declared === null || declared.codes.includes(code) ? [] : [`answers ${code}, which is not declared`];
}

function answerFaults({ schemas }: DeclaredAnswer, { headers, text }: FuzzAnswer): string[] {
  if (schemas.size === 0) return text === "" ? [] : ["has a body where none is declared"];
  const type = (headers.get("content-type") ?? "").split(";")[0]!;
  const schema = schemas.get(type);
  if (schema === undefined) return [`answers with ${type}, which is not declared`];
  if (type !== "application/json") return [];
  const body = parsed(text);
  const misfit = body === null ? "no JSON" : misfitOf(schema, body);
  return misfit === null ? [] : [`gives an answer that is not as described: ${misfit}`];
}

/** Clients and readers of models are programs, which name errors and are the same for everyone. */
const PROGRAMS = ["getClient", "getReader"];

/** Of the inside: a stack trace, a file of ours, a fault of SQLite, of the language or of the system. */
const TRACES = [/\n\s+at \S/, /\/(?:src|engine|data|workers)\/[\w-]+\.ts/];
const INSIDE = ["node_modules", "SQLITE_", "SQLiteError", "TypeError", "ENOENT"];

function leaksIn({ api }: FuzzWorld, text: string): string[] {
  const faults: string[] = [];
  if (text.includes(MARKER)) faults.push("shows what is ada's");
  if (text.includes(api.state.path) || text.includes(process.cwd())) faults.push("shows a path of the server");
  const traces = TRACES.flatMap((trace) => trace.exec(text)?.[0] ?? []);
  const inside = [...traces, ...INSIDE.filter((word) => text.includes(word))];
  if (inside.length > 0) faults.push(`shows the inside: ${inside.join(", ")}`);
  return faults;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
