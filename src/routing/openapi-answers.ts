// The answers of operations in the OpenAPI document: of success, and one for each status of a refusal.
import { capitalised } from "../common/format.ts";
import { PROBLEMS, type ProblemCode } from "../http/problem-codes.ts";
import { inOpenApi, type OpenApiSchema } from "./openapi-schema.ts";
import { isCreating, type Route } from "./route.ts";

type Json = Record<string, unknown>;

/** Parts that operations share, filled while they are described. */
export interface Components {
  schemas: Record<string, OpenApiSchema>;
  responses: Record<string, Json>;
}

export const HEADERS = {
  RequestId: {
    description: "The id of this request in the server's log.",
    schema: { type: "string", format: "uuid" },
  },
  IdempotencyReplayed: {
    description: "`true` for a repeat, which made nothing; else absent.",
    schema: { type: "string", enum: ["true"] },
  },
} as const;

const REQUEST_ID = { "x-request-id": { $ref: "#/components/headers/RequestId" } } as const;
const UNCHANGED = { description: "Nothing changed since the `etag` of `If-None-Match`.", headers: REQUEST_ID } as const;
const REPLAYED = { "idempotency-replayed": { $ref: "#/components/headers/IdempotencyReplayed" } } as const;

/** From the HTTP server below the routes, which answers before any of them is found. */
const HEADERS_TOO_LARGE = { description: "The address and the headers together are longer than 16 KiB. No body." };

export function answersOf(route: Route, { schemas, responses }: Components): Json {
  responses["HeadersTooLarge"] = HEADERS_TOO_LARGE;
  return {
    ...successOf(route, schemas),
    ...refusalsOf(route, responses),
    431: { $ref: "#/components/responses/HeadersTooLarge" },
  };
}

function successOf(route: Route, components: Components["schemas"]): Json {
  const { answer, operationId } = route;
  const { status, description, schema, example, forms = ["application/json"], headers = {} } = answer;
  const contentOf = (form: string) => {
    if (form !== "application/json") return { schema: { type: "string" } };
    if (schema === undefined) return { schema: { type: "object" } };
    const place = { direction: "answer", name: `${capitalised(operationId)}Answer`, components } as const;
    return { schema: inOpenApi(schema, place), ...(example !== undefined && { example }) };
  };
  const hasBody = schema !== undefined || answer.forms !== undefined;
  const headerEntries = Object.entries(headers).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: "string" } },
  ]);
  return {
    [status]: {
      description,
      headers: { ...Object.fromEntries(headerEntries), ...REQUEST_ID, ...(isCreating(route) && REPLAYED) },
      ...(hasBody && { content: Object.fromEntries(forms.map((form) => [form, contentOf(form)])) }),
    },
    ...("etag" in headers && { 304: UNCHANGED }),
    ...("accept-ranges" in headers && partsOf(forms.filter((form) => form !== "application/json"))),
  };
}

/** The answer of a file route to `Range`. */
function partsOf(forms: readonly string[]): Json {
  const content = Object.fromEntries(forms.map((form) => [form, { schema: { type: "string" } }]));
  return {
    206: { description: "The range that was asked for.", headers: REQUEST_ID, content },
  };
}

/** One response per status, with an example per code. Operations that refuse alike share it. */
function refusalsOf(route: Route, responses: Components["responses"]): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...impliedProblems(route), ...route.problems])) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [status, shared(route, codes.sort(), responses)]));
}

const MOST_CODES_IN_NAME = 3;

function shared({ operationId }: Route, codes: readonly ProblemCode[], responses: Components["responses"]): Json {
  const response = refusal(codes);
  const text = JSON.stringify(response);
  const known = Object.keys(responses).find((name) => JSON.stringify(responses[name]) === text);
  const listed = codes.map(inPascalCase).join("Or");
  const [first] = codes;
  const name =
    known ??
    (codes.length <= MOST_CODES_IN_NAME ? listed : `${capitalised(operationId)}Refused${PROBLEMS[first!].status}`);
  responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function inPascalCase(code: string): string {
  return code
    .split("_")
    .map((word) => capitalised(word.toLowerCase()))
    .join("");
}

function refusal(codes: readonly ProblemCode[]): Json {
  const examples = codes.map((code) => {
    const { status, title, remedy } = PROBLEMS[code];
    const value = {
      type: `/docs/problems#${code}`,
      title,
      status,
      detail: remedy,
      instance: "/api/v1/…",
      code,
      requestId: "…",
    };
    return [code, { summary: title, value }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
    headers: REQUEST_ID,
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" } satisfies OpenApiSchema,
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** A body that is sent all the same must have no field. */
const NO_BODY_PROBLEMS = ["VALIDATION_FAILED", "MALFORMED_JSON", "BODY_TOO_LARGE"] as const;

/** Problems that follow from the other fields of a route. */
function impliedProblems(route: Route): ProblemCode[] {
  const { isOpen, method, params, readsQuery, body, rawBodies } = route;
  // A route that reads its query refuses unknown fields, even if it has none.
  const hasFields = readsQuery || Object.keys(params).length > 0;
  const takesNoBody = method !== "GET" && body === null && rawBodies.length === 0;
  return [
    ...(takesNoBody ? NO_BODY_PROBLEMS : []),
    ...(hasFields || body !== null ? (["VALIDATION_FAILED"] as const) : []),
    ...(body === null ? [] : (["MALFORMED_JSON", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
    ...(rawBodies.length > 0 ? (["UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...(isCreating(route) ? (["VALIDATION_FAILED", "KEY_REUSED", "REQUEST_UNDER_WAY"] as const) : []),
    ...(route.answer.isSecret === true ? (["ANSWER_NOT_KEPT"] as const) : []),
    ...(isOpen ? [] : (["INVALID_TOKEN", "TOKEN_EXPIRED", "FORBIDDEN", "TOO_MANY_REQUESTS"] as const)),
    // These may answer any path and method: the document names them where a client may meet them.
    ...(["METHOD_NOT_ALLOWED", "HOST_NOT_ALLOWED"] as const),
    "NOT_ACCEPTABLE",
    "INTERNAL",
  ];
}
