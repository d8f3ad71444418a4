// Signed upload addresses: the file each stands for, whether it may be uploaded, and what the upload changes (D33).
import { randomUUID } from "node:crypto";
import type { Database } from "../../../data/database/database.ts";
import { storeDatasetUpload, takesDatasetUpload } from "../../../data/datasets.ts";
import type { StoredFile } from "../../../data/files/file-store.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { storeRefinementUpload, takesRefinementUpload } from "../../../data/refinements/refinement-files.ts";
import { deletePredictionUpload, findPredictionUpload } from "../../../data/resumable-uploads.ts";
import { uploadOwner } from "../../../data/usage.ts";
import { findUser } from "../../../data/users.ts";
import type { SignedUrls } from "../../auth/signed-urls.ts";
import { ApiError } from "../../http/problem.ts";
import type { UploadsUnderWay } from "../../storage/uploads-under-way.ts";
import { audited } from "../audited.ts";
import { insertChecked, requireAnswering } from "../predictions/checked-prediction.ts";
import type { Services } from "../services.ts";
import {
  UPLOAD_RANGE,
  type UploadKind,
  type UploadRequest,
  type UploadServices,
  type UploadSlot,
  uploadPath,
} from "./uploads.ts";

type UploadSlotServices = Pick<Services, "database" | "state" | "signedUrls" | "quotas" | "memory" | "now" | "wake"> & {
  uploads: UploadsUnderWay;
};

/** Path and query of the address that takes a file for the next hour; `url(…)` makes it absolute. */
export function signedUploadPath(signedUrls: SignedUrls, key: string, kind: UploadKind): `/${string}` {
  const path = uploadPath(key, kind);
  return `${path}?${signedUrls.sign({ method: "PUT", path, key, kind }, UPLOAD_RANGE)}`;
}

/** The files of refinements, datasets and predictions, for the upload routes. */
export function uploadSlots(services: UploadSlotServices): UploadServices {
  const check = ({ key, kind, path, search }: UploadRequest) =>
    services.signedUrls.verify({ method: "PUT", path, key, kind }, search);
  const slotOf = (upload: UploadRequest, fileKey: string) => openSlot(services, upload, fileKey);
  return {
    uploadsFolder: services.state.locate("uploads"),
    findSlot: (upload) => {
      const checked = check(upload);
      if (!checked.ok) throw signatureRefused(checked.reason);
      return { ...slotOf(upload, randomUUID()), range: checked };
    },
    slotOf,
    requireSigned: (upload) => {
      const checked = check(upload);
      if (!checked.ok && checked.reason === "bad") throw signatureRefused("bad");
    },
  };
}

function openSlot(services: UploadSlotServices, upload: UploadRequest, fileKey: string): UploadSlot {
  const { database, state, quotas, uploads } = services;
  const { key, kind } = upload;
  const owner = uploadOwner(database, key, kind);
  if (owner !== null) requireEnabled(database, owner.userKey);
  if (owner === null || !isOpen(services, upload)) throw uploadClosed(kind);
  const relativePath = statePaths.file(fileKey);
  return {
    userKey: owner.userKey,
    hold: (bytes) => {
      const release = quotas.hold(owner.userKey, bytes, owner.replacedBytes);
      const end = uploads.begin(key);
      return () => {
        end();
        release();
      };
    },
    targetPath: state.locate(relativePath),
    accept: (file, alongside) => {
      requireEnabled(database, owner.userKey);
      return accept(services, upload, { ...file, path: relativePath }, alongside);
    },
  };
}

/** Removed users are disabled too. @throws ApiError SIGNATURE_EXPIRED */
function requireEnabled(database: Database, userKey: string): void {
  if (findUser(database, userKey)?.disabledOn === null) return;
  throw new ApiError("SIGNATURE_EXPIRED", "The upload address is not valid any more.");
}

function isOpen({ database, now }: UploadSlotServices, { key, kind }: UploadRequest): boolean {
  if (kind === "DATASET") return takesDatasetUpload(database, key);
  if (kind !== "PREDICTION") return takesRefinementUpload(database, key);
  const upload = findPredictionUpload(database, key);
  return upload !== null && upload.expiresOn > now().toISOString();
}

/** Returns the path of the replaced file. */
function accept(
  services: UploadSlotServices,
  upload: UploadRequest,
  file: StoredFile,
  alongside: () => void = () => undefined,
): string | null {
  const { database, state, now, wake } = services;
  const { key, kind } = upload;
  if (kind === "PREDICTION") {
    predict(services, upload, file, alongside);
    wake();
    return null;
  }
  const stored = database.write(() => {
    const done =
      kind === "DATASET"
        ? storeDatasetUpload(database, key, file)
        : storeRefinementUpload(database, key, kind, file, now());
    if (done === null) throw uploadClosed(kind);
    alongside();
    return done;
  });
  if (kind === "DATASET") wake();
  return stored.replacedPath === null ? null : state.locate(stored.replacedPath);
}

/** @throws ApiError UPLOAD_CLOSED, NOT_FOUND, COLUMN_MISMATCH; InputError of the file; MemoryExceeded */
function predict(services: UploadSlotServices, upload: UploadRequest, file: StoredFile, alongside: () => void): void {
  const { database } = services;
  const { key, requestId, clientAddress } = upload;
  const predictionUpload = findPredictionUpload(database, key);
  const owner = predictionUpload === null ? null : findUser(database, predictionUpload.userKey);
  if (predictionUpload === null || owner === null) throw uploadClosed("PREDICTION");
  const { userKey, modelKey, apiKeyId, filterColumns, hasHeader, reasonCount, fileName } = predictionUpload;
  const caller = { userKey, email: owner.email, role: owner.role, scopes: null, apiKeyId };
  const answering = requireAnswering(services, { userKey, modelKey, filterColumns, reasons: reasonCount });
  const settings = { key, userKey, modelKey, filterColumns, hasHeader, reasonCount, fileName };
  const requested = { ...settings, inputPath: file.path, inputBytes: file.sizeBytes };
  insertChecked(services, requested, answering, "file", (insert, eventOf) => {
    const take = () => {
      const prediction = insert();
      if (!deletePredictionUpload(database, key)) throw uploadClosed("PREDICTION");
      alongside();
      return prediction;
    };
    return audited(services, { caller, clientAddress, requestId }, take, eventOf);
  });
}

function signatureRefused(reason: "expired" | "bad"): ApiError {
  return reason === "expired"
    ? new ApiError("SIGNATURE_EXPIRED", "The upload address was valid for one hour and has expired.")
    : new ApiError("SIGNATURE_INVALID", "The upload address is not as it was given.");
}

const CLOSED: Readonly<Record<UploadKind, string>> = {
  DATASET: "The dataset's file is being processed, or the dataset no longer takes one.",
  PREDICTION: "The prediction has its file, or its address has expired.",
  TRAIN: "The refinement was started or cancelled already, or it is deleted.",
  TEST: "The refinement was started or cancelled already, or it is deleted.",
};

export function uploadClosed(kind: UploadKind): ApiError {
  return new ApiError("UPLOAD_CLOSED", CLOSED[kind]);
}
