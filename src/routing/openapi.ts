// The OpenAPI 3.1 document, made from the routes themselves.
import type { TSchema } from "@sinclair/typebox";
import { capitalised } from "../common/format.ts";
import { MOST_JSON_BYTES } from "../http/limits.ts";
import { ProblemBody } from "../http/problem.ts";
import { codeSamples } from "./code-samples.ts";
import { answersOf, type Components, HEADERS } from "./openapi-answers.ts";
import { fieldsInOpenApi, inOpenApi, withDecisions } from "./openapi-schema.ts";
import { isCreating, type Route } from "./route.ts";

export interface OpenApiAbout {
  /** The version of the program; the API has one of its own. */
  programVersion: string;
  /** Prefix of every path: the public address, or the base path. */
  serverUrl: string;
  /** The groups of operations, in the order shown. */
  tags: readonly { name: string; description: string }[];
}

type Json = Record<string, unknown>;

/** The version of the contract (section 9): clients are written for it, whichever program answers. */
const API_VERSION = "1.0.0";

const IDEMPOTENCY_KEY_PARAMETER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  ...withDecisions(
    "A text of your choice, such as a UUID. A repeat of the request with it within a day gets the first answer, with " +
      "`Idempotency-Replayed: true`, and makes nothing.",
    "D115",
  ),
  schema: { type: "string", pattern: '^(?:"[!#-\\[\\]-~]{1,255}"|[!#-\\[\\]-~]{1,255})$' },
} as const;

const DESCRIPTION = `Labelled CSV files in, classification models and predictions out; everything is asynchronous and polled: no job calls back
([D25](docs/decisions#D25)).

Programs take a [client](docs/clients), one file that this server hands out: [cupel.py](clients/cupel.py), or [cupel.js](clients/cupel.js)
with its types, [cupel.d.ts](clients/cupel.d.ts).

Parts marked \`x-decision\` are this product's [own decisions](docs/decisions) where the service description is silent.
Every response carries \`x-request-id\`. Errors are \`application/problem+json\` (RFC 9457); look at their \`code\`, which is stable.
Requests are refused where they have a field that is not described; answers may get more fields. Lengths of texts count Unicode code points.`;

export function openApiDocument(allRoutes: readonly Route[], { programVersion, serverUrl, tags }: OpenApiAbout): Json {
  const routes = allRoutes.filter(({ isHidden }) => !isHidden);
  const components: Components = { schemas: {}, responses: {} };
  inOpenApi(ProblemBody, { direction: "answer", name: "Problem", components: components.schemas });
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  const usedTags = new Set(routes.map(({ tag }) => tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Cupel: datasets, feature refinement, training and predictions",
      version: API_VERSION,
      "x-program-version": programVersion,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl === "" ? "/" : serverUrl }],
    tags: tags.filter(({ name }) => usedTags.has(name)),
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
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY_PARAMETER },
      headers: HEADERS,
      schemas: sortedByName(components.schemas),
      responses: sortedByName(components.responses),
    },
  };
}

function operationOf(route: Route, components: Components): Json {
  const parameters = [
    ...parametersOf(route.params, "path", components),
    ...parametersOf(route.query, "query", components),
    ...Object.entries(route.requestHeaders).map(([name, description]) => headerParameter(name, description)),
    ...(isCreating(route) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
  const requestBody = requestBodyOf(route, components);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...withDecisions(route.description, route.decisions.join(", ")),
    ...(route.isOpen && { security: [] }),
    ...(!route.isOpen && { "x-api-key-scopes": route.scopes }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== null && { requestBody }),
    responses: answersOf(route, components),
    "x-codeSamples": codeSamples(route),
  };
}

function parametersOf(
  properties: Readonly<Record<string, TSchema>>,
  place: "path" | "query",
  components: Components,
): Json[] {
  const fields = { direction: "request", name: "Parameter", components: components.schemas } as const;
  const { properties: schemas, required } = fieldsInOpenApi(properties, fields);
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

function requestBodyOf(asked: Route, { schemas }: Components): Json | null {
  const { operationId, body, bodyExample, rawBodies, needsBody } = asked;
  const jsonBody = {
    contentType: "application/json",
    description: `At most ${MOST_JSON_BYTES} bytes.`,
    schema: body!,
    example: bodyExample,
  };
  const bodies = body === null ? rawBodies : [jsonBody];
  if (bodies.length === 0) return null;
  const content = bodies.map(({ contentType, schema, example }) => {
    const place = { direction: "request", name: `${capitalised(operationId)}Request`, components: schemas } as const;
    return [contentType, { schema: inOpenApi(schema, place), ...(example !== undefined && { example }) }];
  });
  const description = bodies.map((each) => each.description).join(" ");
  return { required: needsBody, description, content: Object.fromEntries(content) };
}

function sortedByName<T>(parts: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
