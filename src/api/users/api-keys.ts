// API keys: make, list, revoke. Only for logins: a key can make no other.

import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { type ApiKey, insertApiKey, listApiKeys, revokeApiKey } from "../../../data/api-keys.ts";
import { isScope, makeApiKey, SCOPES } from "../../auth/api-key.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { ApiError, noSuch, wrongField } from "../../http/problem.ts";
import { Instant, Key, named, oneOf, orNull, shown } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited, created } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";

const ApiKeyScope = oneOf(SCOPES);
named({ ApiKeyScope });
const ScopeList = Type.Array(ApiKeyScope, {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description:
    "`read`: every GET. `write`: create, start, cancel, change and delete refinements, datasets, " +
    "training jobs and models. `predict`: create predictions, read predictions and models. `metrics`: " +
    "read `/metrics`, as a key of an administrator. None includes another.",
});

const NewApiKey = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: /^\S(?:.*\S)?$/.source,
    "x-must-be": "1 to 100 characters in one line, without a blank at either end",
    description: "What uses the key, or where.",
  }),
  scopes: ScopeList,
  expiresOn: Type.Optional(orNull(Instant)),
});

const fields = {
  apiKeyId: Key,
  name: Type.String(),
  scopes: Type.Array(ApiKeyScope),
  createdOn: Instant,
  expiresOn: orNull(Instant),
};
const CreatedApiKey = Type.Object({
  ...fields,
  apiKey: Type.String({ description: "The secret. It is shown this once and is not stored." }),
});
const ApiKeyItem = Type.Object({
  ...fields,
  lastUsedOn: orNull(Type.String({ format: "date-time", description: "To the minute." })),
  revokedOn: orNull(Instant),
});

named({ NewApiKey, CreatedApiKey, ApiKey: ApiKeyItem });

export type CreatedApiKey = Static<typeof CreatedApiKey>;
export type ApiKeyItem = Static<typeof ApiKeyItem>;
export type NewApiKey = Static<typeof NewApiKey>;

const EXAMPLE = {
  apiKeyId: EXAMPLES.userKey,
  name: "Nightly scoring",
  scopes: ["predict" as const],
  createdOn: EXAMPLES.createdOn,
  expiresOn: "2028-01-15T00:00:00.000Z",
};

const ITEM_EXAMPLE = { ...EXAMPLE, lastUsedOn: "2027-01-16T02:00:00.000Z", revokedOn: null };

export function apiKeyRoutes(services: Services): Route[] {
  return [createRoute(services), listRoute(services), revokeRoute(services)];
}

function createRoute(services: Services): Route {
  const { database, now } = services;
  return route({
    method: "POST",
    path: "/api/v1/api-keys",
    operationId: "createApiKey",
    tag: "Login",
    summary: "Make an API key",
    description:
      "For programs: used like an access token, but not limited to an hour. It acts in your name within " +
      "its scopes, until it is revoked or expires, or your account ends. Needs a login's token.",
    decisions: ["D32", "D48"],
    scopes: [],
    body: NewApiKey,
    bodyExample: { name: EXAMPLE.name, scopes: EXAMPLE.scopes, expiresOn: EXAMPLE.expiresOn },
    answer: {
      status: 201,
      description: "The key, with its secret.",
      schema: CreatedApiKey,
      example: { ...EXAMPLE, apiKey: "cupel_…" },
      headers: { location: "The key, which DELETE revokes." },
      isSecret: true,
    },
    handle: (call) => {
      const { name, scopes, expiresOn = null } = call.body;
      const { userKey } = call.caller;
      const { apiKey, tokenHash } = makeApiKey();
      const end = expiresOn === null ? null : laterThan(now(), expiresOn);
      const newKey = { key: randomUUID(), userKey, name, tokenHash, scopes, expiresOn: end };
      return created(
        services,
        call,
        () => insertApiKey(database, newKey, now()),
        ({ key }) => ({ action: "API_KEY_CREATED", objectKey: key, detail: scopes.join(" ") }),
        (row) => {
          call.headers.set("location", call.url(`/api/v1/api-keys/${row.key}`));
          return shown(CreatedApiKey, { ...heldOf(row), apiKey });
        },
      );
    },
  });
}

function listRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/api-keys",
    operationId: "listApiKeys",
    tag: "Login",
    summary: "List your API keys",
    description: "Newest first, revoked and expired ones too, without their secrets. Needs a login's token.",
    decisions: ["D24"],
    scopes: [],
    query: pageQuery(),
    answer: pageOf("apiKeys", ApiKeyItem, ITEM_EXAMPLE, "A page of keys."),
    handle: ({ query, caller: { userKey } }) =>
      pageAnswer("apiKeys", listApiKeys(database, userKey, query), query, (row) => shown(ApiKeyItem, heldOf(row))),
  });
}

function revokeRoute(services: Services): Route {
  const { database, now } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/api-keys/{apiKeyId}",
    operationId: "revokeApiKey",
    tag: "Login",
    summary: "Revoke an API key",
    description:
      "Requests with it fail from now on. Revoking it again succeeds. Needs a login's token, or the key itself: " +
      "a program may give its own key back.",
    decisions: ["D31", "D48", "D119"],
    scopes: SCOPES,
    answer: { status: 204, description: "The key is revoked." },
    problems: ["NOT_FOUND"],
    handle: (call) => {
      const { apiKeyId } = call.params;
      const { apiKeyId: callersKey } = call.caller;
      if (callersKey !== null && callersKey !== apiKeyId) {
        throw new ApiError("FORBIDDEN", "A key revokes no key but itself: other keys need a login's token.");
      }
      const isRevoked = audited(
        services,
        call,
        () => revokeApiKey(database, call.caller.userKey, apiKeyId, now()),
        (done) => (done ? { action: "API_KEY_REVOKED", objectKey: apiKeyId } : null),
      );
      if (!isRevoked) throw noSuch("API key");
      return undefined;
    },
  });
}

/** In the form of the database. @throws ApiError VALIDATION_FAILED for a past instant or a date on no calendar */
function laterThan(now: Date, text: string): string {
  const instant = new Date(text);
  if (instant.getTime() > now.getTime()) return instant.toISOString();
  throw wrongField("expiresOn", "OUT_OF_RANGE", '"expiresOn" must be a point in time to come.');
}

function heldOf(row: ApiKey) {
  return { ...row, apiKeyId: row.key, scopes: row.scopes.filter(isScope) };
}
