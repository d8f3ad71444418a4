// Signed upload addresses: the file each stands for, whether it may be uploaded, and what the upload changes (D33).
import { randomUUID } from "node:crypto";
import { storeDatasetUpload, takesDatasetUpload } from "../../../data/datasets.ts";
import type { StoredFile } from "../../../data/files/file-store.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { storeRefinementUpload, takesRefinementUpload } from "../../../data/refinement-files.ts";
import { uploadOwner } from "../../../data/usage.ts";
import type { SignedUrls } from "../../auth/signed-urls.ts";
import { ApiError } from "../../http/problem.ts";
import type { UploadsUnderWay } from "../../storage/uploads-under-way.ts";
import type { Services } from "../services.ts";
import {
  UPLOAD_RANGE,
  type UploadKind,
  type UploadRequest,
  type UploadServices,
  type UploadSlot,
  uploadPath,
} from "./uploads.ts";

type UploadSlotServices = Pick<Services, "database" | "state" | "signedUrls" | "quotas" | "now" | "wake"> & {
  uploads: UploadsUnderWay;
};

/** Path and query of the address that takes a file for the next hour; `url(…)` makes it absolute. */
export function signedUploadPath(signedUrls: SignedUrls, key: string, kind: UploadKind): `/${string}` {
  const path = uploadPath(key, kind);
  return `${path}?${signedUrls.sign({ method: "PUT", path, key, kind }, UPLOAD_RANGE)}`;
}

/** The files of refinements and datasets, for the upload route. */
export function uploadSlots(services: UploadSlotServices): UploadServices {
  const { state } = services;
  return { uploadsFolder: state.locate("uploads"), findSlot: (upload) => findSlot(services, upload) };
}

function findSlot(services: UploadSlotServices, { key, kind, path, search }: UploadRequest): UploadSlot {
  const { database, state, signedUrls, quotas, uploads } = services;
  const check = signedUrls.verify({ method: "PUT", path, key, kind }, search);
  if (!check.ok) throw signatureRefused(check.reason);
  const isOpen = kind === "DATASET" ? takesDatasetUpload(database, key) : takesRefinementUpload(database, key);
  const owner = isOpen ? uploadOwner(database, key, kind) : null;
  if (owner === null) throw uploadClosed(kind);
  const relativePath = statePaths.file(randomUUID());
  return {
    range: check,
    hold: (bytes) => {
      const release = quotas.hold(owner.userKey, bytes, owner.replacedBytes);
      const end = uploads.begin(key);
      return () => {
        end();
        release();
      };
    },
    targetPath: state.locate(relativePath),
    accept: (file) => accept(services, key, kind, { ...file, path: relativePath }),
  };
}

/** Returns the path of the replaced file. */
function accept(services: UploadSlotServices, key: string, kind: UploadKind, file: StoredFile): string | null {
  const { database, state, now, wake } = services;
  const stored =
    kind === "DATASET"
      ? storeDatasetUpload(database, key, file)
      : storeRefinementUpload(database, key, kind, file, now());
  if (stored === null) throw uploadClosed(kind);
  if (kind === "DATASET") wake();
  return stored.replacedPath === null ? null : state.locate(stored.replacedPath);
}

function signatureRefused(reason: "expired" | "bad"): ApiError {
  return reason === "expired"
    ? new ApiError("SIGNATURE_EXPIRED", "The upload address was valid for one hour and has expired.")
    : new ApiError("SIGNATURE_INVALID", "The upload address is not as it was given.");
}

export function uploadClosed(kind: UploadKind): ApiError {
  const what =
    kind === "DATASET"
      ? "The dataset's file is being processed, or the dataset no longer takes one."
      : "The refinement was started or cancelled already, or it is deleted.";
  return new ApiError("UPLOAD_CLOSED", what);
}
