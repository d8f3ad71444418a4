// Creates a refinement, with two signed addresses for its files (contract 2.1, 2.2).

import { randomBytes, randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import type { FileKind as KindOfFile } from "../../../data/database/schema.ts";
import { FILE_KINDS } from "../../../data/database/states.ts";
import {
  insertRefinement,
  isRefinementNameTaken,
  type NewRefinement,
  type Refinement,
} from "../../../data/refinements/refinements.ts";
import type { SignedUrls } from "../../auth/signed-urls.ts";
import { DEFAULT_BUCKETS, REFINEMENT_BUCKETS, SEED } from "../../common/limits.ts";
import { MOST_FILE_NAME_CHARACTERS } from "../../http/limits.ts";
import { nameTaken, trimmedName } from "../../http/names.ts";
import { Key, named, oneOf } from "../../http/schemas.ts";
import { type Call, type Route, route } from "../../routing/route.ts";
import { created } from "../audited.ts";
import { EXAMPLE_SERVER } from "../examples.ts";
import { KEY_SETTINGS, keySettings } from "../key-columns.ts";
import type { Services } from "../services.ts";
import { FileKind } from "../statuses.ts";
import { TABLE_SETTINGS, tableSettings } from "../table-settings.ts";
import { signedUploadPath } from "../uploads/upload-slots.ts";
import { exampleUploadUrl, UPLOAD_HEADER_LINE } from "../uploads/uploads.ts";
import { EXAMPLE_KEY, RefinementState, refinementPath } from "./refinement-state.ts";

const FileName = (kind: KindOfFile) =>
  Type.String({ maxLength: MOST_FILE_NAME_CHARACTERS, description: `Your name for the ${kind} file; only echoed.` });

export const RefinementName = Type.Optional(
  Type.String({
    pattern: "^[A-Za-z0-9 _-]{1,100}$",
    "x-must-be": "1 to 100 letters, digits, blanks, hyphens or underscores",
    description: "Unique among your runs. The default is made from the time: `refinement-20270115-093000-3f9a`.",
    "x-decision": "D13",
  }),
);

const NewRun = Type.Object({
  name: RefinementName,
  trainFileName: Type.Optional(FileName("TRAIN")),
  testFileName: Type.Optional(FileName("TEST")),
  numberOfBuckets: oneOf(REFINEMENT_BUCKETS, {
    default: DEFAULT_BUCKETS,
    description: "Granularity; 10 is a good start. More buckets can be more accurate and take longer.",
  }),
  ...TABLE_SETTINGS,
  ...KEY_SETTINGS,
  removeLeaks: Type.Boolean({
    default: false,
    description: "Remove columns that nearly give the label away, instead of keeping them with a warning.",
    "x-decision": "D01",
  }),
});

named({ NewRefinement: NewRun });

export type NewRun = Static<typeof NewRun>;

const UploadTarget = Type.Object({
  kind: FileKind,
  url: Type.String({ description: "PUT the CSV file here, within the hour and without another credential." }),
  requiredHeader: Type.String({
    description: "A header that the upload must carry, as a whole line.",
    "x-decision": "D40",
  }),
});
named({ UploadTarget });

const CreatedRun = Type.Object({
  featureRefinementKey: Key,
  status: RefinementState,
  uploadTargets: Type.Array(UploadTarget),
  startUrl: Type.String({ description: "POST here once both files are uploaded." }),
  progressUrl: Type.String({ description: "GET it until the state is terminal." }),
});

named({ CreatedRefinement: CreatedRun });

export type CreatedRun = Static<typeof CreatedRun>;

const EXAMPLE = {
  featureRefinementKey: EXAMPLE_KEY,
  status: "PENDING",
  uploadTargets: FILE_KINDS.map((kind) => ({
    kind,
    url: exampleUploadUrl(EXAMPLE_KEY, kind),
    requiredHeader: UPLOAD_HEADER_LINE,
  })),
  startUrl: EXAMPLE_SERVER + refinementPath(EXAMPLE_KEY, "start"),
  progressUrl: EXAMPLE_SERVER + refinementPath(EXAMPLE_KEY, "progress"),
} satisfies Static<typeof CreatedRun>;

export function createRefinementRoute(services: Services): Route {
  const { database, now, signedUrls } = services;
  return route({
    method: "POST",
    path: "/api/v1/feature-refinery",
    operationId: "createRefinement",
    tag: "Feature refinement",
    summary: "Create a refinement",
    description:
      "Returns two signed addresses. PUT the labelled TRAIN and TEST files there, " +
      "each with the required header, then start the run and poll its progress.",
    decisions: ["D13", "D28", "D38", "D39", "D40", "D48", "D93"],
    body: NewRun,
    bodyExample: {
      name: "churn-2027",
      trainFileName: "train.csv",
      testFileName: "test.csv",
      numberOfBuckets: 10,
      removeLeaks: false,
      hasHeader: true,
    },
    answer: {
      status: 201,
      description: "The run, waiting for its files.",
      schema: CreatedRun,
      example: EXAMPLE,
      headers: { location: "The run's progress." },
    },
    problems: ["NAME_TAKEN"],
    handle: (call) => {
      const { body } = call;
      const { userKey } = call.caller;
      const { name, trainFileName = null, testFileName = null, numberOfBuckets, removeLeaks } = body;
      const key = randomUUID();
      const refinement = {
        ...tableSettings(body),
        ...keySettings(body),
        ...{ key, userKey, trainFileName, testFileName, numberOfBuckets, removeLeaks, seed: SEED },
      };
      return created(
        services,
        call,
        () => insertNamed(database, refinement, name ?? unusedName(database, userKey, now()), now()),
        () => ({ action: "REFINEMENT_CREATED", objectKey: key }),
        (run) => showCreated(call, signedUrls, run),
      );
    },
  });
}

function showCreated(
  { headers, url }: Pick<Call, "headers" | "url">,
  signedUrls: SignedUrls,
  { key, state }: Refinement,
): CreatedRun {
  const progressUrl = url(refinementPath(key, "progress"));
  headers.set("location", progressUrl);
  return {
    featureRefinementKey: key,
    status: state,
    uploadTargets: FILE_KINDS.map((kind) => ({
      kind,
      url: url(signedUploadPath(signedUrls, key, kind)),
      requiredHeader: UPLOAD_HEADER_LINE,
    })),
    startUrl: url(refinementPath(key, "start")),
    progressUrl,
  };
}

function insertNamed(database: Database, refinement: Omit<NewRefinement, "name">, name: string, now: Date): Refinement {
  const run = insertRefinement(database, { ...refinement, name: trimmedName(name, 1) }, now);
  if (run === null) throw nameTaken("refinement", name.trim());
  return run;
}

/** Call it inside the write that uses the name. */
export function unusedName(database: Database, userKey: string, now: Date): string {
  const [day, time] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").split("T");
  for (;;) {
    // Runs of one second differ in the last four digits.
    const name = `refinement-${day}-${time}-${randomBytes(2).toString("hex")}`;
    if (!isRefinementNameTaken(database, userKey, name)) return name;
  }
}
