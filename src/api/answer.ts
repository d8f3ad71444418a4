// One request through its route: who calls, what was sent, the handler, the answer. Nothing thrown on the way gets past here.
import { type Caller, hasScope, INVALID_TOKEN_CHALLENGE } from "../auth/bearer.ts";
import { preferredForm } from "./accept.ts";
import { readJson } from "./bodies.ts";
import { checkValue, misfit, readFields } from "./fields.ts";
import { completeHeaders } from "./headers.ts";
import { MOST_JSON_BYTES } from "./limits.ts";
import { ApiError, asApiError, problemResponse } from "./problem.ts";
import type { Call, Route } from "./route.ts";

/** What is known of a request that was answered, for logs. */
export interface Answered {
  requestId: string;
  method: string;
  /** The route's pattern, so that a log holds no keys; the path itself where no route has it. */
  path: string;
  status: number;
  elapsedMs: number;
  userKey: string | null;
}

/** What every route needs from the server. */
export interface Surroundings {
  /** The caller by the `Authorization` header; null for none, or one that is not valid. */
  identify(authorization: string | null): Promise<Caller | null>;
  /** Hears of every fault of ours (5xx) before it is hidden from the client. */
  /** Counts a request of a credential; the seconds to wait where it asks too often, else null. */
  admit(authorization: string): number | null;
  onFault(fault: unknown, request: Answered): void;
  onAnswer(request: Answered): void;
  /** Before every path that clients see: empty, or `/cupel`. */
  basePath: string;
  /** Where clients reach the base path, such as `https://cupel.example.org/ml`; null to go by the request. */
  publicUrl: string | null;
  /** Refuses answers of ours that do not fit their schema: for tests. */
  checkAnswers: boolean;
}

/** The connection a request came on. */
export interface Connection {
  clientAddress(request: Request): string | null;
  keepAlive(request: Request, seconds: number): void;
}

/** What Elysia found in the path: null for what it could not decode, nothing at all for a path without parameters. */
type PathParts = Readonly<Record<string, string | null>> | undefined;

/** The response to a request for a route, whatever happens. `params` are the parts of the path that the route names. */
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
  const facts = (status: number) => ({
    requestId,
    method: request.method,
    path: route.path,
    status,
    elapsedMs: performance.now() - startMs,
    userKey: caller?.userKey ?? null,
  });
  try {
    // Before anything of the body is read: whoever may not call can make us hold nothing.
    if (!route.isOpen) caller = await authorise(route, request, surroundings);
    response = await callHandler(route, request, params, { surroundings, connection, requestId, caller });
  } catch (thrown) {
    const error = asApiError(thrown);
    if (error.status >= 500) surroundings.onFault(thrown, facts(error.status));
    response = refusal(error, request, requestId, surroundings.basePath);
  }
  completeHeaders(response.headers, requestId);
  surroundings.onAnswer(facts(response.status));
  return response;
}

/** The response to a request that no route has. */
export function answerError(error: ApiError, request: Request, surroundings: Surroundings): Response {
  const requestId = crypto.randomUUID();
  const response = refusal(error, request, requestId, surroundings.basePath);
  completeHeaders(response.headers, requestId);
  const { method } = request;
  surroundings.onAnswer({
    requestId,
    method,
    path: pathOf(request),
    status: response.status,
    elapsedMs: 0,
    userKey: null,
  });
  return response;
}

function refusal(error: ApiError, request: Request, requestId: string, basePath: string): Response {
  const response = problemResponse(error, { requestId, path: pathOf(request), basePath });
  if (mayHaveUnreadBody(request)) response.headers.set("connection", "close");
  return response;
}

/** Also of a request whose address is none, since it named no host. */
function pathOf({ url }: Request): string {
  return URL.parse(url, "http://localhost")?.pathname ?? "/";
}

/** What no percent-decoding yields is no key. */
function pathFields(params: PathParts): [string, string][] {
  return Object.entries(params ?? {}).map(([name, text]) => [name, text ?? ""]);
}

/** What is left of a large body is not worth reading: the connection ends instead. */
function mayHaveUnreadBody({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > MOST_JSON_BYTES;
}

async function authorise(route: Route, request: Request, { identify, admit }: Surroundings): Promise<Caller> {
  const authorization = request.headers.get("authorization");
  const caller = await identify(authorization);
  if (caller === null) {
    throw new ApiError("INVALID_TOKEN", "The request carries no valid access token or API key.", {
      headers: { "www-authenticate": INVALID_TOKEN_CHALLENGE },
    });
  }
  const waitSeconds = admit(authorization ?? "");
  if (waitSeconds !== null) {
    throw new ApiError("TOO_MANY_REQUESTS", `This credential asks too often; wait ${waitSeconds} s.`, {
      headers: { "retry-after": String(waitSeconds) },
    });
  }
  if (hasScope(caller, ...route.scopes)) return caller;
  const wanted =
    route.scopes.length === 0 ? "a login's token" : `an API key with the scope ${route.scopes.join(" or ")}`;
  throw new ApiError("FORBIDDEN", `This needs ${wanted}.`);
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
  const { status, schema, forms = ["application/json"] } = route.answer;
  const form = preferredForm(request.headers.get("accept"), forms);
  if (form === null) throw new ApiError("NOT_ACCEPTABLE", `The answer can be ${forms.join(" or ")}.`);
  const address = new URL(request.url);
  const headers = new Headers();
  const call: Call<unknown, unknown, unknown, Caller | null> = {
    params: readFields(route.params, pathFields(params), "path"),
    query: route.readsQuery ? readFields(route.query, address.searchParams, "query") : {},
    body: route.body === null ? undefined : checkValue(route.body, await readJson(request)),
    caller,
    request,
    requestId,
    headers,
    form,
    url: (path) => `${surroundings.publicUrl ?? address.origin + surroundings.basePath}${path}`,
    clientAddress: connection.clientAddress(request),
    keepAlive: (seconds) => connection.keepAlive(request, seconds),
  };
  const given = await route.handle(call);
  if (given instanceof Response) {
    for (const [name, value] of headers) given.headers.set(name, value);
    return given;
  }
  if (given === undefined || schema === undefined) return new Response(null, { status, headers });
  if (surroundings.checkAnswers) {
    const fault = misfit(schema, given);
    if (fault !== null)
      throw new Error(`${route.method} ${route.path} gave an answer that is not as described: ${fault}`);
  }
  return Response.json(given, { status, headers });
}
