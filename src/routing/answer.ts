// Takes one request through its route: caller, input, handler, answer. No error escapes from here.
import { type Caller, hasScope, INVALID_TOKEN_CHALLENGE } from "../auth/bearer.ts";
import { preferredForm } from "../http/accept.ts";
import { checkValue, misfit, readFields } from "../http/fields.ts";
import { completeHeaders } from "../http/headers.ts";
import { ApiError, asApiError, problemResponse } from "../http/problem.ts";
import type { ProblemCode } from "../http/problem-codes.ts";
import { readJson, refuseEncoded, refuseFields } from "../receiving/bodies.ts";
import { QuotaExceeded } from "../storage/quotas.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Call, Route } from "./route.ts";

/** The facts of an answered request, for the log and the metrics. */
export interface Answered {
  requestId: string;
  method: string;
  /** The pattern of its path, without keys; null if there is no such path or method. */
  route: string | null;
  status: number;
  /** Why it was refused; null if it was not. */
  code: ProblemCode | null;
  /** Time until the answer begins; sending a file takes longer. */
  elapsedMs: number;
  /** Null if no credential was needed, or none was valid. */
  caller: Caller | null;
  /** The client's address if the request was refused, else null. */
  address: string | null;
}

/** The server's parts that every route needs. */
export interface Surroundings {
  /** The caller by the `Authorization` header; null for none, or one that is not valid. */
  identify(authorization: string | null): Promise<Caller | null>;
  /** Counts a request of a credential; returns the seconds to wait if there were too many, else null. */
  admit(credentialKey: string): number | null;
  idempotency: Idempotency;
  /** Called with every fault of ours (5xx) before it is hidden from the client. */
  onFault(fault: unknown, request: Answered): void;
  onAnswer(request: Answered): void;
  /** Prefix of every path that clients see: empty, or `/cupel`. */
  basePath: string;
  /** The address of the base path for clients, such as `https://cupel.example.org/ml`; null to use the request's. */
  publicUrl: string | null;
  /** Refuses our own answers if they do not fit their schema: for tests. */
  checkAnswers: boolean;
}

/** The connection a request came on. */
export interface Connection {
  clientAddress(request: Request): string | null;
  keepAlive(request: Request, seconds: number): void;
}

/** Path parameters from Elysia: null for one that it could not decode, undefined for a path without any. */
type PathParts = Readonly<Record<string, string | null>> | undefined;

/** The response to a request for a route, whatever happens. */
export async function answerRoute(
  route: Route,
  request: Request,
  params: PathParts,
  surroundings: Surroundings,
  connection: Connection,
): Promise<Response> {
  const requestId = crypto.randomUUID();
  const startMs = performance.now();
  let caller: Caller | null = null;
  let response: Response;
  let refused: ApiError | null = null;
  const facts = (status: number): Answered => ({
    requestId,
    method: request.method,
    route: route.path,
    status,
    code: refused?.code ?? null,
    elapsedMs: performance.now() - startMs,
    caller,
    address: refused === null ? null : connection.clientAddress(request),
  });
  try {
    // Before the body is read: a caller without rights must not cost memory.
    if (!route.isOpen) {
      caller = await identify(request, surroundings);
      admit(caller, route, surroundings);
    }
    response = await callHandler(route, request, params, { surroundings, connection, requestId, caller });
  } catch (thrown) {
    refused = asApiError(thrown);
    // An exceeded quota is no fault of ours though its status is 507 (RFC 4331), nor is a busy server. A refusal
    // without a cause, such as a failed probe's, has nothing to tell beyond the request's own line.
    const isRefusal = thrown instanceof QuotaExceeded || (thrown instanceof ApiError && thrown.cause === undefined);
    const isOurs = refused.status >= 500 && !isRefusal;
    if (isOurs) surroundings.onFault(thrown, facts(refused.status));
    response = refusal(refused, request, requestId, surroundings.basePath);
  }
  for (const [name, value] of Object.entries(route.everyAnswer)) response.headers.set(name, value);
  completeHeaders(response.headers, requestId);
  surroundings.onAnswer(facts(response.status));
  return response;
}

/** The response to a request that reached no route. */
export function answerError(thrown: unknown, request: Request, surroundings: Surroundings): Response {
  const requestId = crypto.randomUUID();
  const error = asApiError(thrown);
  const response = refusal(error, request, requestId, surroundings.basePath);
  completeHeaders(response.headers, requestId);
  const { method } = request;
  const { status, code } = error;
  const facts = { requestId, method, route: null, status, code, elapsedMs: 0, caller: null, address: null };
  if (status >= 500) surroundings.onFault(thrown, facts);
  surroundings.onAnswer(facts);
  return response;
}

function refusal(error: ApiError, request: Request, requestId: string, basePath: string): Response {
  return problemResponse(error, { requestId, path: pathOf(request), basePath });
}

/** `/` if the URL cannot be parsed: a request may name no host. */
function pathOf({ url }: Request): string {
  return URL.parse(url, "http://localhost")?.pathname ?? "/";
}

/** A parameter that could not be decoded becomes an empty text, which is no key. */
function pathFields(params: PathParts): [string, string][] {
  return Object.entries(params ?? {}).map(([name, text]) => [name, text ?? ""]);
}

async function identify(request: Request, surroundings: Surroundings): Promise<Caller> {
  const caller = await surroundings.identify(request.headers.get("authorization"));
  if (caller !== null) return caller;
  throw new ApiError("INVALID_TOKEN", "The request carries no valid access token or API key.", {
    headers: { "www-authenticate": INVALID_TOKEN_CHALLENGE },
  });
}

function admit(caller: Caller, route: Route, surroundings: Surroundings): void {
  // Not by the header: one token has many spellings, and a user many tokens.
  const waitSeconds = surroundings.admit(caller.apiKeyId ?? caller.userKey);
  if (waitSeconds !== null) {
    throw new ApiError("TOO_MANY_REQUESTS", `This credential asks too often; wait ${waitSeconds} s.`, {
      headers: { "retry-after": String(waitSeconds) },
    });
  }
  if (hasScope(caller, ...route.scopes)) return;
  const wanted =
    route.scopes.length === 0 ? "a login's token" : `an API key with the scope ${route.scopes.join(" or ")}`;
  throw new ApiError("FORBIDDEN", `This needs ${wanted}.`);
}

function takesBody({ body, rawBodies }: Route): boolean {
  return body !== null || rawBodies.length > 0;
}

interface Circumstances {
  surroundings: Surroundings;
  connection: Connection;
  requestId: string;
  caller: Caller | null;
}

async function callHandler(
  route: Route,
  request: Request,
  params: PathParts,
  { surroundings, connection, requestId, caller }: Circumstances,
): Promise<Response> {
  const { forms = ["application/json"] } = route.answer;
  const form = preferredForm(request.headers.get("accept"), forms);
  if (form === null) throw new ApiError("NOT_ACCEPTABLE", `The answer can be ${forms.join(" or ")}.`);
  if (takesBody(route)) refuseEncoded(request);
  else if (route.method !== "GET") await refuseFields(request);
  const keepAlive = (seconds: number) => connection.keepAlive(request, seconds);
  return surroundings.idempotency({ route, request, caller, keepAlive }, async (unread, once) => {
    const call: Call<unknown, unknown, unknown, Caller | null> = {
      params: readFields(route.params, pathFields(params), "path"),
      query: route.readsQuery ? readFields(route.query, new URL(request.url).searchParams, "query") : {},
      body: route.body === null ? undefined : checkValue(route.body, await readJson(unread)),
      caller,
      request: unread,
      requestId,
      headers: new Headers(),
      form,
      url: (path) => `${surroundings.publicUrl ?? new URL(request.url).origin + surroundings.basePath}${path}`,
      get clientAddress() {
        return connection.clientAddress(request);
      },
      once,
      keepAlive,
    };
    return responseOf(route, call, await route.handle(call), surroundings.checkAnswers);
  });
}

function responseOf(
  { method, path, answer: { status, schema } }: Route,
  { headers }: Pick<Call, "headers">,
  answer: unknown,
  checkAnswers: boolean,
): Response {
  if (answer instanceof Response) {
    for (const [name, value] of headers) answer.headers.set(name, value);
    return answer;
  }
  if (checkAnswers && status === 201 && !headers.has("location"))
    throw new Error(`${method} ${path} does not say where what it made is`);
  if (answer === undefined || schema === undefined) return new Response(null, { status, headers });
  if (checkAnswers) {
    const fault = misfit(schema, answer);
    if (fault !== null) throw new Error(`${method} ${path} gave an answer that is not as described: ${fault}`);
  }
  return Response.json(answer, { status, headers });
}
