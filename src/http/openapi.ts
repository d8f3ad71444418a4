// The OpenAPI 3.1 document, made from the routes themselves.
import type { TSchema } from "@sinclair/typebox";
import { fieldsInOpenApi, inOpenApi, type OpenApiSchema, withDecisions } from "./openapi-schema.ts";
import { ProblemBody } from "./problem.ts";
import { PROBLEMS, type ProblemCode } from "./problem-codes.ts";
import type { Route } from "./route.ts";

export interface OpenApiAbout {
  version: string;
  /** Prefix of every path: the public address, or the base path. */
  serverUrl: string;
  /** The groups of operations, in the order shown. */
  tags: readonly { name: string; description: string }[];
}

type Json = Record<string, unknown>;

const DESCRIPTION = `Labelled CSV files in, classification models and predictions out; everything is asynchronous and polled: there are no webhooks
([D25](docs/decisions#D25)).

Parts marked \`x-decision\` are this product's [own decisions](docs/decisions) where the service description is silent.
Every response carries \`x-request-id\`. Errors are \`application/problem+json\` (RFC 9457); look at their \`code\`, which is stable.`;

export function openApiDocument(allRoutes: readonly Route[], { version, serverUrl, tags }: OpenApiAbout): Json {
  const routes = allRoutes.filter(({ isHidden }) => !isHidden);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const used = new Set(routes.map(({ tag }) => tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Cupel: datasets, feature refinement, training and predictions",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl === "" ? "/" : serverUrl }],
    tags: tags.filter(({ name }) => used.has(name)),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The `access_token` of `POST /api/login`, or an API key.",
        },
      },
      schemas: { Problem: inOpenApi(ProblemBody, "answer") },
      headers: {
        RequestId: {
          description: "The id of this request in the server's log.",
          schema: { type: "string", format: "uuid" },
        },
      },
    },
  };
}

function operationOf(route: Route): Json {
  const parameters = [
    ...parametersOf(route.params, "path"),
    ...parametersOf(route.query, "query"),
    ...Object.entries(route.requestHeaders).map(([name, description]) => headerParameter(name, description)),
  ];
  const requestBody = requestBodyOf(route);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...withDecisions(route.description, route.decisions.join(", ")),
    ...(route.isOpen && { security: [] }),
    ...(!route.isOpen && { "x-api-key-scopes": route.scopes }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== null && { requestBody }),
    responses: { ...successOf(route), ...refusalsOf(route) },
  };
}

function parametersOf(properties: Readonly<Record<string, TSchema>>, place: "path" | "query"): Json[] {
  const { properties: schemas, required } = fieldsInOpenApi(properties, "request");
  return Object.entries(schemas).map(([name, { description, "x-decision": decision, ...schema }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    ...(decision !== undefined && { "x-decision": decision }),
    schema,
  }));
}

function headerParameter(name: string, description: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}

function requestBodyOf({ body, bodyExample, rawBodies, needsBody }: Route): Json | null {
  const content: Record<string, Json> = {};
  if (body !== null) {
    const example = bodyExample === undefined ? {} : { example: bodyExample };
    content["application/json"] = { schema: inOpenApi(body, "request"), ...example };
  }
  for (const { contentType, schema } of rawBodies) content[contentType] = { schema };
  if (Object.keys(content).length === 0) return null;
  const description = rawBodies.map((raw) => raw.description).join(" ");
  return { required: needsBody, ...(description !== "" && { description }), content };
}

function successOf({ answer }: Route): Json {
  const { status, description, schema, example, forms = ["application/json"], headers = {} } = answer;
  const contentOf = (form: string) => {
    if (form !== "application/json") return { schema: { type: "string" } };
    if (schema === undefined) return { schema: { type: "object" } };
    return { schema: inOpenApi(schema, "answer"), ...(example !== undefined && { example }) };
  };
  const hasBody = schema !== undefined || answer.forms !== undefined;
  const named = Object.entries(headers).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: "string" } },
  ]);
  return {
    [status]: {
      description,
      headers: { ...Object.fromEntries(named), ...REQUEST_ID },
      ...(hasBody && { content: Object.fromEntries(forms.map((form) => [form, contentOf(form)])) }),
    },
    ...("accept-ranges" in headers && partsOf(forms.filter((form) => form !== "application/json"))),
  };
}

/** The answers of a file route to `Range` and `If-None-Match`. */
function partsOf(forms: readonly string[]): Json {
  const content = Object.fromEntries(forms.map((form) => [form, { schema: { type: "string" } }]));
  return {
    206: { description: "The range that was asked for.", headers: REQUEST_ID, content },
    304: { description: "Nothing changed since the `etag` of `If-None-Match`.", headers: REQUEST_ID },
  };
}

const REQUEST_ID = { "x-request-id": { $ref: "#/components/headers/RequestId" } } as const;

/** One response per status, with an example per code. */
function refusalsOf(route: Route): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...impliedProblems(route), ...route.problems])) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [status, refusal(codes)]));
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
function impliedProblems({ isOpen, method, params, readsQuery, body, rawBodies }: Route): ProblemCode[] {
  // A route that reads its query refuses unknown fields, even if it has none.
  const hasFields = readsQuery || Object.keys(params).length > 0;
  const takesNoBody = method !== "GET" && body === null && rawBodies.length === 0;
  return [
    ...(takesNoBody ? NO_BODY_PROBLEMS : []),
    ...(hasFields || body !== null ? (["VALIDATION_FAILED"] as const) : []),
    ...(body === null ? [] : (["MALFORMED_JSON", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
    ...(rawBodies.length > 0 ? (["UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...(isOpen ? [] : (["INVALID_TOKEN", "FORBIDDEN", "TOO_MANY_REQUESTS"] as const)),
    "NOT_ACCEPTABLE",
    "INTERNAL",
  ];
}
