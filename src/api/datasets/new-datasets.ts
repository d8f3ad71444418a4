// Creates a dataset: for a file that is sent to a signed address, or with the file in the request (D16).

import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { statePaths } from "../../../data/files/state-folder.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../../auth/signed-urls.ts";
import { formatByteLimit } from "../../common/format.ts";
import { DEFAULT_BUCKETS } from "../../common/limits.ts";
import { checkValue, readFields } from "../../http/fields.ts";
import { LEAST_UPLOAD_BYTES, MOST_DIRECT_FILE_BYTES, MOST_UPLOAD_BYTES } from "../../http/limits.ts";
import { CsvPart, named } from "../../http/schemas.ts";
import { readJson, requireContentType } from "../../receiving/bodies.ts";
import { FORM_PROBLEMS, withForm } from "../../receiving/multipart.ts";
import { type Call, type RawBody, type Route, route } from "../../routing/route.ts";
import { KEY_SETTINGS, keySettings, requireKnownColumns } from "../key-columns.ts";
import type { Services } from "../services.ts";
import { TABLE_SETTINGS, tableSettings } from "../table-settings.ts";
import { signedUploadPath } from "../uploads/upload-slots.ts";
import { UPLOAD_HEADERS } from "../uploads/uploads.ts";
import {
  ASKED_EXAMPLE,
  CREATED_EXAMPLE,
  CreatedDataset,
  DatasetBuckets,
  DatasetDescription,
  DatasetName,
  insertRequested,
  showCreated,
} from "./created-dataset.ts";
import { tryOpening } from "./dataset-preview.ts";

const NewDataset = Type.Object({
  name: DatasetName,
  description: Type.Optional(DatasetDescription),
  numberOfBuckets: Type.Integer({ ...DatasetBuckets, default: DEFAULT_BUCKETS, "x-decision": "D45, D81" }),
  ...TABLE_SETTINGS,
  ...KEY_SETTINGS,
});

export type NewDataset = Static<typeof NewDataset>;

const NewDatasetForm = Type.Object({ ...NewDataset.properties, file: CsvPart("The labelled CSV.") });
named({ NewDataset, NewDatasetForm });

const BODIES: readonly RawBody[] = [
  {
    contentType: "application/json",
    description: "JSON, for a file of up to 510 MiB that you then send to a signed address.",
    schema: NewDataset,
    example: ASKED_EXAMPLE,
  },
  {
    contentType: "multipart/form-data",
    filePart: "file",
    description:
      "A form of the same fields and the file, at most 32 MiB; a list is several parts of one name, those of `columnChoices` " +
      'as JSON: `{"name": "zip", "kind": "category"}`.',
    schema: NewDatasetForm,
  },
];

export function newDatasetRoute(services: Services): Route {
  return route({
    method: "POST",
    path: "/api/v1/datasets",
    operationId: "createDataset",
    tag: "Datasets",
    summary: "Create a dataset",
    description:
      "With a JSON body, the answer has the signed address to PUT the file to, with `Content-Type: " +
      "text/csv` and the extra headers; processing then begins by itself. " +
      "A form contains the file, at most 32 MiB, and the dataset is PROCESSING at once.",
    decisions: ["D11", "D16", "D17", "D28", "D38", "D39", "D40", "D48", "D57", "D81", "D93"],
    rawBodies: BODIES,
    answer: {
      status: 201,
      description: "The dataset: PENDING with `datasetUploadInfo`, or PROCESSING without.",
      schema: CreatedDataset,
      example: CREATED_EXAMPLE,
      headers: { location: "The dataset." },
    },
    problems: ["MALFORMED_JSON", "NAME_TAKEN", ...FORM_PROBLEMS],
    handle: (call) =>
      requireContentType(call.request, "application/json", "multipart/form-data") === "application/json"
        ? createForUpload(call, services)
        : createFromForm(call, services),
  });
}

async function createForUpload(call: Call, services: Services) {
  const { now, signedUrls } = services;
  const body = checkValue(NewDataset, await readJson(call.request));
  const expiresOn = new Date(now().getTime() + SIGNED_URL_LIFETIME_SECONDS * 1_000);
  return insertRequested(services, call, withSettings(body), { kind: "SIGNED_UPLOAD", expiresOn }, (dataset) => ({
    ...showCreated(call, dataset),
    datasetUploadInfo: {
      uploadUrl: call.url(signedUploadPath(signedUrls, dataset.key, "DATASET")),
      extraHeaders: UPLOAD_HEADERS,
    },
  }));
}

/** Keeps nothing of a refused form. */
async function createFromForm(call: Call, services: Services) {
  const { state, wake } = services;
  const path = statePaths.file(randomUUID());
  const shape = {
    filePart: "file",
    leastFileBytes: LEAST_UPLOAD_BYTES,
    mostFileBytes: MOST_DIRECT_FILE_BYTES,
    largerFiles:
      `Send a larger one, of up to ${formatByteLimit(MOST_UPLOAD_BYTES)}, to a signed address: ` +
      "create the dataset with the same fields as a JSON body, " +
      `then PUT the file to the \`uploadUrl\` of the answer's \`datasetUploadInfo\`.`,
    targetPath: state.locate(path),
  };
  const answer = await withForm(call, services, shape, (form) => {
    call.once.formIs(form);
    const { sizeBytes, sha256, fields } = form;
    const origin = { kind: "DIRECT_UPLOAD", file: { path, sizeBytes, sha256 } } as const;
    const body = withSettings(readForm(fields));
    const opening = tryOpening(form.path, body.hasHeader);
    if (opening !== null) requireKnownColumns(body, opening.columns, body.labelColumn);
    return insertRequested(services, call, body, origin);
  });
  wake();
  return answer;
}

const { missingValues, withoutColumns, columnChoices, ...SINGLE_FIELDS } = NewDataset.properties;
const LISTS = Type.Object({ missingValues, withoutColumns, columnChoices });

/** Gathers the parts of each list; any other name may occur once. */
function readForm(fields: readonly (readonly [string, string])[]): Static<typeof NewDataset> {
  const isOfList = ([name]: readonly [string, string]) => Object.hasOwn(LISTS.properties, name);
  const singleFields = readFields(
    SINGLE_FIELDS,
    fields.filter((field) => !isOfList(field)),
    "form",
  );
  const lists = Map.groupBy(fields.filter(isOfList), ([name]) => name);
  const values = [...lists].map(([name, parts]) => [
    name,
    parts.map(([, value]) => (name === "columnChoices" ? parsed(value) : value)),
  ]);
  return { ...singleFields, ...checkValue(LISTS, Object.fromEntries(values)) };
}

/** A text that is no JSON stays one, which its schema refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withSettings(body: Static<typeof NewDataset>) {
  const { name, description, numberOfBuckets } = body;
  return { name, description, numberOfBuckets, ...tableSettings(body), ...keySettings(body) };
}
