// Renews the signed address of a file that has not come yet (D115).
import { type Static, Type } from "@sinclair/typebox";
import { renewDatasetUpload } from "../../../data/datasets.ts";
import { takesRefinementUpload } from "../../../data/refinements/refinement-files.ts";
import { findOwnedRefinement } from "../../../data/refinements/refinements.ts";
import { renewPredictionUpload } from "../../../data/resumable-uploads.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../../auth/signed-urls.ts";
import { found, noSuch } from "../../http/problem.ts";
import { Instant, Key, named } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { signedUploadPath, uploadClosed } from "./upload-slots.ts";
import { exampleUploadUrl, UPLOAD_HEADER_LINE, UPLOAD_HEADERS, UploadKind } from "./uploads.ts";

const RenewedUpload = Type.Object({
  key: Key,
  kind: UploadKind,
  url: Type.String({ description: "PUT the CSV file here, within the hour and without another credential." }),
  requiredHeader: Type.String({ description: "The header that the upload must carry, as a whole line." }),
  extraHeaders: Type.Record(Type.String(), Type.String(), { description: "The same header by its name." }),
  expiresOn: Instant,
});
named({ RenewedUpload });
type RenewedUpload = Static<typeof RenewedUpload>;

const EXAMPLE = {
  key: EXAMPLES.datasetKey,
  kind: "DATASET",
  url: exampleUploadUrl(EXAMPLES.datasetKey, "DATASET"),
  requiredHeader: UPLOAD_HEADER_LINE,
  extraHeaders: UPLOAD_HEADERS,
  expiresOn: EXAMPLES.createdOn,
} as const satisfies RenewedUpload;

export function uploadRenewalRoute(services: Services): Route {
  const { now, signedUrls } = services;
  return route({
    method: "POST",
    path: "/api/v1/uploads/{key}/{kind}/renewal",
    params: { kind: UploadKind },
    operationId: "renewUpload",
    tag: "Uploads",
    summary: "Renew an upload address",
    description:
      "A fresh signed address for an hour, for a refinement that was not started, " +
      "a dataset or a prediction whose file has not come. " +
      "A dataset that is FAILED because its address expired is PENDING again. " +
      "Earlier addresses stay valid for their own hour. No body.",
    decisions: ["D11", "D31", "D33", "D115"],
    answer: { status: 200, description: "The address.", schema: RenewedUpload, example: EXAMPLE },
    problems: ["NOT_FOUND", "UPLOAD_CLOSED"],
    handle: ({ params: { key, kind }, caller: { userKey }, url }) => {
      // In whole seconds, as the address says it.
      const expiresOn = new Date((Math.floor(now().getTime() / 1_000) + SIGNED_URL_LIFETIME_SECONDS) * 1_000);
      requireOpen(services, userKey, key, kind, expiresOn);
      return {
        key,
        kind,
        url: url(signedUploadPath(signedUrls, key, kind)),
        requiredHeader: UPLOAD_HEADER_LINE,
        extraHeaders: UPLOAD_HEADERS,
        expiresOn: expiresOn.toISOString(),
      };
    },
  });
}

/** A dataset then waits until `expiresOn`. @throws ApiError NOT_FOUND, UPLOAD_CLOSED */
function requireOpen({ database }: Services, userKey: string, key: string, kind: UploadKind, expiresOn: Date): void {
  if (kind === "PREDICTION") {
    if (!renewPredictionUpload(database, userKey, key, expiresOn)) throw noSuch("prediction");
    return;
  }
  if (kind !== "DATASET") {
    found("refinement", findOwnedRefinement(database, userKey, key));
    if (!takesRefinementUpload(database, key)) throw uploadClosed(kind);
    return;
  }
  const outcome = renewDatasetUpload(database, userKey, key, expiresOn);
  if (outcome === "NOT_FOUND") throw noSuch("dataset");
  if (outcome === "CLOSED") throw uploadClosed(kind);
}
