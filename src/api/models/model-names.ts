// Names that users give a model or one of its versions, and their notes on it (D113).

import { type Static, Type } from "@sinclair/typebox";
import { type Naming, nameModel } from "../../../data/models.ts";
import { LONGEST_MODEL_NAME, LONGEST_NOTE } from "../../common/limits.ts";
import { trimmedText } from "../../http/names.ts";
import { noSuch } from "../../http/problem.ts";
import { named, ONE_LINE, orNull, PLAIN_TEXT } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import type { Services } from "../services.ts";
import { findVersion, VersionParam } from "./model-files.ts";
import { MODEL_EXAMPLE, ModelDetail, showModel } from "./models.ts";

const NewNames = Type.Object({
  name: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_MODEL_NAME,
        pattern: ONE_LINE,
        "x-must-be": `1 to ${LONGEST_MODEL_NAME} characters in one line`,
        description: "One line, need not be unique; blanks around it are removed. Null removes the name.",
      }),
    ),
  ),
  note: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_NOTE,
        pattern: PLAIN_TEXT,
        "x-must-be": `1 to ${LONGEST_NOTE.toLocaleString("en")} characters without control characters but line ends and tabs`,
        description: "Plain text; blanks around it are removed. Null removes the note.",
      }),
    ),
  ),
});
named({ NameAndNote: NewNames });
type NewNames = Static<typeof NewNames>;

const EXAMPLE = { name: "churn, spring", note: "Without the columns of the survey." };
const WHAT_STAYS = "What is left out stays as it is.";
const DECISIONS = ["D31", "D113"];

export function modelNameRoutes(services: Services): Route[] {
  return [
    route({
      method: "PATCH",
      path: "/api/v1/models/{modelKey}",
      operationId: "nameModel",
      tag: "Models",
      summary: "Name a model, and note why it was made",
      description: WHAT_STAYS,
      decisions: DECISIONS,
      body: NewNames,
      bodyExample: EXAMPLE,
      answer: {
        status: 200,
        description: "The model.",
        schema: ModelDetail,
        example: { ...MODEL_EXAMPLE, ...EXAMPLE },
      },
      problems: ["NOT_FOUND"],
      handle: (call) => rename(services, call, { modelKey: call.params.modelKey, version: null }, call.body),
    }),
    route({
      method: "PATCH",
      path: "/api/v1/models/{modelKey}/versions/{version}",
      params: { version: VersionParam },
      operationId: "nameVersion",
      tag: "Models",
      summary: "Name a version of a model, and note what it is for",
      description: WHAT_STAYS,
      decisions: DECISIONS,
      body: NewNames,
      bodyExample: EXAMPLE,
      answer: { status: 200, description: "The model.", schema: ModelDetail, example: MODEL_EXAMPLE },
      problems: ["NOT_FOUND"],
      handle: (call) => rename(services, call, call.params, call.body),
    }),
  ];
}

function rename(
  services: Services,
  call: Parameters<typeof audited>[1] & { caller: { userKey: string } },
  named: { modelKey: string; version: number | null },
  body: NewNames,
): Static<typeof ModelDetail> {
  const naming: Naming = {
    ...(body.name !== undefined && { name: body.name === null ? null : trimmedText("name", body.name) }),
    ...(body.note !== undefined && { note: body.note === null ? null : trimmedText("note", body.note) }),
  };
  if (named.version !== null) findVersion(services.database, call.caller.userKey, named.modelKey, named.version);
  const event = { action: "MODEL_NAMED", objectKey: named.modelKey, detail: words(named, naming) } as const;
  const detail = audited(
    services,
    call,
    () => nameModel(services.database, call.caller.userKey, named, naming),
    (changed) => (changed === null || Object.keys(naming).length === 0 ? null : event),
  );
  if (detail === null) throw noSuch("model");
  return showModel(detail);
}

/** Which texts changed, for the audit trail: none of them is in it. */
function words({ version }: { version: number | null }, naming: Naming): string {
  const changes = Object.entries(naming).map(([field, text]) => (text === null ? `${field} removed` : field));
  return [...(version === null ? [] : [`v${version}`]), ...changes].join(" ");
}
