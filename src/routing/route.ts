// A route of the API: where it is, who may call it, what it takes and gives, and the function that does it.
//
// To add a resource, write one file that makes its routes, as test/support/colours.ts does, and name it in app.ts. The
// OpenAPI document, authentication, validation, 405, 406, 415 and the error answers follow from it.
//
// A route is closed unless it is made with `openRoute`; those are few, and a test lists them.
import type { Static, TObject, TProperties, TSchema } from "@sinclair/typebox";
import type { Scope } from "../auth/api-key.ts";
import type { Caller } from "../auth/bearer.ts";
import type { ProblemCode } from "../http/problem-codes.ts";
import { Key } from "../http/schemas.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** The argument of a handler. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, Who = Caller> {
  params: Params;
  /** Validated; absent fields have their defaults. */
  query: Query;
  /** Validated JSON; undefined where the route declares none. */
  body: Body;
  caller: Who;
  request: Request;
  requestId: string;
  /** Headers for the answer, such as `retry-after` or `location`. */
  headers: Headers;
  /**
   * The absolute address of a path of this server, for links in answers: `/api/…` becomes `https://host/base/api/…`.
   */
  url(path: `/${string}`): string;
  /** The content type among the answer's `forms` that the client prefers. */
  form: string;
  /** The client's address, also behind trusted proxies; null where there is no connection. */
  clientAddress: string | null;
  /** Answers repeats under the same `Idempotency-Key`; does nothing without such a header. */
  once: Once;
  /** Keeps the connection open for this many more seconds; call it while a large body arrives. */
  keepAlive(seconds: number): void;
}

/** For operations that make something (D115). `created` (api/audited.ts) uses it. */
export interface Once {
  /** Says what a form that was read contains. */
  formIs(form: { fields: readonly (readonly [string, string])[]; fileName: string; sha256: string }): void;
  /** Keeps the answer. For use inside the write that makes what the answer tells. */
  answerIs(headers: Headers, body: unknown): void;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** A field that a path names is a key unless `params` has a schema for it. */
type ParamsOf<Path extends string, Params> = {
  [Name in NamesIn<Path>]: Name extends keyof Params
    ? Params[Name] extends TSchema
      ? Static<Params[Name]>
      : never
    : string;
};
type QueryOf<Query extends TProperties> = Static<TObject<Query>>;

/** The answer of success. */
interface Answer<Schema extends TSchema = TSchema> {
  status: 200 | 201 | 202 | 204;
  description: string;
  /** The JSON; left out if there is no body or the handler returns a Response. */
  schema?: Schema;
  example?: Static<Schema>;
  /** It has a secret that is shown once: it is not kept for repeats. */
  isSecret?: true;
  /** Content types of the answer, the default first. Left out, it is JSON. */
  forms?: readonly [string, ...string[]];
  /** Names and meanings of headers. */
  headers?: Readonly<Record<string, string>>;
}

/** A body that the handler reads from the request itself: a file, or a form with one. */
export interface RawBody {
  contentType: string;
  description: string;
  /** Name of the file's part in a form. */
  filePart?: string;
  /** For the OpenAPI document alone. */
  schema: TSchema;
  example?: unknown;
}

interface Shape<
  Path extends string,
  Params extends Partial<Record<NamesIn<Path>, TSchema>>,
  Query extends TProperties,
  Body extends TSchema,
  Given extends TSchema,
  Who,
> {
  method: Method;
  /** Without the base path; parameters in braces. */
  path: Path;
  /** Unique; the name of the function in generated clients. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** A part of a page, which the OpenAPI document leaves out. */
  hidden?: true;
  /** Decisions behind the operation. */
  decisions?: readonly string[];
  params?: Params;
  /** Fields of the query string; absent ones take the schema's `default`. */
  query?: Query;
  /** The handler reads the query string itself: it is a signature. */
  ownQuery?: true;
  /** Unusual request headers for the OpenAPI document: name and meaning. */
  requestHeaders?: Readonly<Record<string, string>>;
  /** JSON body: nothing is coerced, and unknown fields are refused. */
  body?: Body;
  bodyExample?: Static<Body>;
  /** Where the handler reads the body itself. */
  rawBodies?: readonly RawBody[];
  /** False where the body may be left out. */
  needsBody?: boolean;
  /** API keys with one of these may call. By default `read` for GET and `write` for the rest; [] allows logins only. */
  scopes?: readonly Scope[];
  answer: Answer<Given>;
  /** Headers of every answer, refusals too. */
  everyAnswer?: Readonly<Record<string, string>>;
  /** Refusals besides those that follow from the fields above. */
  problems?: readonly ProblemCode[];
  handle(
    call: Call<ParamsOf<Path, Params>, QueryOf<Query>, Static<Body>, Who>,
  ): Static<Given> | Response | undefined | Promise<Static<Given> | Response | undefined>;
}

/** A route with all defaults, for the server, the OpenAPI document and the tests. */
export interface Route
  extends Readonly<
    Required<Omit<AnyShape, "description" | "hidden" | "ownQuery" | "body" | "bodyExample" | "handle">>
  > {
  readonly isOpen: boolean;
  readonly isHidden: boolean;
  readonly readsQuery: boolean;
  readonly description: string | undefined;
  readonly body: TSchema | null;
  readonly bodyExample: unknown;
  handle(call: Call<unknown, unknown, unknown, Caller | null>): unknown;
}

/** Whether a request makes something, so that repeats are told apart by `Idempotency-Key`. */
export function isCreating({ method, isOpen, answer: { status } }: Route): boolean {
  return method === "POST" && !isOpen && (status === 201 || status === 202);
}

/** A route for callers with a valid credential. */
export const route = maker<Caller>(false);

/** A route for everybody, without a caller. */
export const openRoute = maker<null>(true);

function maker<Who extends Caller | null>(isOpen: boolean) {
  return <
    const Path extends `/${string}`,
    Params extends Partial<Record<NamesIn<Path>, TSchema>> = Record<never, never>,
    Query extends TProperties = Record<never, never>,
    Body extends TSchema = TSchema,
    Given extends TSchema = TSchema,
  >(
    shape: Shape<Path, Params, Query, Body, Given, Who>,
  ): Route => asRoute(shape as unknown as AnyShape, isOpen);
}

type AnyShape = Shape<string, Record<string, TSchema>, TProperties, TSchema, TSchema, Caller | null>;

function asRoute(shape: AnyShape, isOpen: boolean): Route {
  const { method, path, params = {}, query = {}, body = null } = shape;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return {
    ...shape,
    isOpen,
    isHidden: shape.hidden === true,
    params: Object.fromEntries(names.map((name) => [name, params[name] ?? Key])),
    query,
    readsQuery: shape.ownQuery !== true,
    body,
    description: shape.description,
    decisions: shape.decisions ?? [],
    requestHeaders: shape.requestHeaders ?? {},
    bodyExample: shape.bodyExample,
    rawBodies: shape.rawBodies ?? [],
    needsBody: shape.needsBody !== false,
    everyAnswer: shape.everyAnswer ?? {},
    scopes: shape.scopes ?? (method === "GET" ? ["read"] : ["write"]),
    problems: shape.problems ?? [],
    handle: (call) => shape.handle(call as Parameters<AnyShape["handle"]>[0]),
  };
}
