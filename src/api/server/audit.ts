// The audit trail, for administrators.

import { type Static, Type } from "@sinclair/typebox";
import { listAudit } from "../../../data/audit.ts";
import { AUDIT_ACTIONS } from "../../../data/database/audit-actions.ts";
import { requireAdministrator } from "../../auth/bearer.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { wrongField } from "../../http/problem.ts";
import { Instant, Key, named, oneOf, orNull, shown } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";

const Item = Type.Object({
  time: Instant,
  action: oneOf(AUDIT_ACTIONS),
  userKey: orNull(
    Type.String({
      description: "Who did it; for a refused login, the account that was tried. Null where there is none.",
    }),
  ),
  email: orNull(Type.String({ description: "The user's e-mail address at the time." })),
  apiKeyId: orNull(Type.String({ description: "The API key that was used; null for a login." })),
  objectKey: orNull(
    Type.String({
      description: "The object: the refinement of a file, the training job of a champion, the user or API key.",
    }),
  ),
  detail: orNull(
    Type.String({
      description:
        "The version, kind of file or source; the scopes of an API key; " +
        "the e-mail address of a user who was added or changed; the code of a limit that was hit.",
    }),
  ),
  address: orNull(Type.String({ description: "The client's address; null for the command line." })),
  requestId: orNull(
    Type.String({ description: "As in the `x-request-id` header and the log; null for the command line." }),
  ),
});
export type AuditItem = Static<typeof Item>;

named({ AuditEvent: Item });

const EXAMPLE = {
  time: EXAMPLES.createdOn,
  action: "MODEL_FILE_DOWNLOADED",
  userKey: EXAMPLES.userKey,
  email: "ada@example.org",
  apiKeyId: null,
  objectKey: EXAMPLES.modelKey,
  detail: "v1",
  address: "192.0.2.7",
  requestId: "4f6c8a0e-1b2d-4c3e-9f50-6a7b8c9d0e1f",
} as const;

const Moment = Type.Optional(Type.String({ format: "date-time" }));

export function auditRoutes({ database }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/audit",
      operationId: "listAudit",
      tag: "Server",
      summary: "Who did what",
      description:
        "Newest first: logins, changes of users and API keys, what was created, started, cancelled and deleted, " +
        "downloads, and limits that were hit (at most once a minute each). A decision of this product: " +
        "only the token of an administrator's login may read it. " +
        "An event is written in the same transaction as the change, or before the first byte of a download, " +
        "and kept 400 days unless `--keep-audit-days` says otherwise.",
      decisions: ["D24", "D53"],
      scopes: [],
      query: {
        ...pageQuery(),
        from: { ...Moment, description: "This point in time or later." },
        to: { ...Moment, description: "Before this point in time." },
        action: Type.Optional(oneOf(AUDIT_ACTIONS)),
        userKey: Type.Optional(Key),
      },
      answer: pageOf("events", Item, EXAMPLE, "A page of events."),
      handle: ({ query, caller }) => {
        requireAdministrator(caller);
        const { action, userKey } = query;
        const filter = { from: instantOf("from", query.from), to: instantOf("to", query.to), action, userKey };
        return pageAnswer("events", listAudit(database, filter, query), query, (event) => shown(Item, event));
      },
    }),
  ];
}

/** In the form of the database. @throws ApiError VALIDATION_FAILED for a date on no calendar */
function instantOf(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(text);
  if (!Number.isNaN(instant.getTime())) return instant.toISOString();
  throw wrongField(field, "OUT_OF_RANGE", `"${field}" must be a point in time.`);
}
