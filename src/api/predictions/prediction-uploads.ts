// Asks for a signed address for a file to predict; the prediction begins once the file is there (D116).
import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { insertPredictionUpload } from "../../../data/resumable-uploads.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../../auth/signed-urls.ts";
import { sentFileName } from "../../http/file-names.ts";
import { MOST_FILE_NAME_CHARACTERS } from "../../http/limits.ts";
import { Key, named } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { created } from "../audited.ts";
import type { Services } from "../services.ts";
import { PredictionStatus } from "../statuses.ts";
import { HasHeader } from "../table-settings.ts";
import { signedUploadPath } from "../uploads/upload-slots.ts";
import { exampleUploadUrl, UPLOAD_HEADERS } from "../uploads/uploads.ts";
import { requireAnswering } from "./checked-prediction.ts";
import { REASONS_QUERY } from "./new-predictions.ts";
import { PREDICTION_EXAMPLE } from "./prediction-files.ts";

const UploadFields = Type.Object({
  fileName: Type.Optional(
    Type.String({
      maxLength: MOST_FILE_NAME_CHARACTERS,
      description: "The file's name, for lists and the result's download.",
    }),
  ),
  hasHeader: HasHeader,
  ...REASONS_QUERY,
  filterColumns: Type.Boolean({
    default: false,
    description: "Strip the columns that the refinement dropped, as in `POST /api/v1/predictions`.",
    "x-decision": "D23, D43",
  }),
});

const Prepared = Type.Object({
  predictionKey: Key,
  status: PredictionStatus,
  predictionCreationProgressUrl: Type.String({ description: "Where to poll, once the file is there." }),
  predictionUploadInfo: Type.Object({
    uploadUrl: Type.String({ description: "Where the file goes, within the hour and without another credential." }),
    extraHeaders: Type.Record(Type.String(), Type.String(), { description: "Headers that a PUT must carry." }),
  }),
});

named({ PredictionUpload: UploadFields, PreparedPrediction: Prepared });
export type PreparedPrediction = Static<typeof Prepared>;

const EXAMPLE = {
  predictionKey: PREDICTION_EXAMPLE.predictionKey,
  status: "PENDING",
  predictionCreationProgressUrl: `https://cupel.example.org/api/v1/predictions/${PREDICTION_EXAMPLE.predictionKey}/progress`,
  predictionUploadInfo: {
    uploadUrl: exampleUploadUrl(PREDICTION_EXAMPLE.predictionKey, "PREDICTION"),
    extraHeaders: UPLOAD_HEADERS,
  },
} as const satisfies PreparedPrediction;

export function predictionUploadRoutes(services: Services): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/predictions/models/{modelKey}/uploads",
      operationId: "preparePrediction",
      tag: "Predictions",
      summary: "Ask for an address for a large file to predict",
      description:
        "The address takes the file whole, by PUT, or in pieces, as that of a dataset does. " +
        "Its columns are checked once it is there: the last request is refused where they do not fit. " +
        "Until then there is no prediction under the key.",
      decisions: ["D116"],
      scopes: ["predict"],
      body: UploadFields,
      bodyExample: { fileName: "customers.csv", hasHeader: true, reasons: 0, filterColumns: false },
      answer: {
        status: 201,
        description: "The address.",
        schema: Prepared,
        example: EXAMPLE,
        headers: { location: "The prediction, once its file is there." },
      },
      problems: ["NOT_FOUND", "FILTER_NOT_APPLICABLE", "MEMORY_BUDGET", "STORAGE_FULL"],
      handle: (call) => {
        const { modelKey } = call.params;
        const { userKey, apiKeyId } = call.caller;
        const { body, headers, url } = call;
        const { database, now, signedUrls } = services;
        const { hasHeader, reasons, filterColumns } = body;
        const fileName = sentFileName(body.fileName ?? "", "fileName");
        requireAnswering(services, { userKey, modelKey, filterColumns, reasons });
        const key = randomUUID();
        const expiresOn = new Date(now().getTime() + SIGNED_URL_LIFETIME_SECONDS * 1_000);
        const upload = {
          key,
          userKey,
          apiKeyId,
          modelKey,
          filterColumns,
          hasHeader,
          reasonCount: reasons,
          fileName,
          expiresOn,
        };
        const uploadUrl = url(signedUploadPath(signedUrls, key, "PREDICTION"));
        const location = url(`/api/v1/predictions/${key}`);
        const answer: PreparedPrediction = {
          predictionKey: key,
          status: "PENDING",
          predictionCreationProgressUrl: `${location}/progress`,
          predictionUploadInfo: { uploadUrl, extraHeaders: UPLOAD_HEADERS },
        };
        headers.set("location", location);
        return created(
          services,
          call,
          () => insertPredictionUpload(database, upload),
          () => null,
          () => answer,
        );
      },
    }),
  ];
}
