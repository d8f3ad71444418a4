// PUT of a file to its signed address: streamed to the disk, checked, then stored (D33, D40).

import { rm } from "node:fs/promises";
import { UPLOAD_KINDS } from "../../../data/database/states.ts";
import type { StoredFile } from "../../../data/files/file-store.ts";
import type { SizeRange } from "../../auth/signed-urls.ts";
import { formatAmount, formatByteLimit, formatBytesAbove } from "../../common/format.ts";
import { UPLOAD_HEADER_NAME } from "../../http/headers.ts";
import { LEAST_UPLOAD_BYTES, MOST_UPLOAD_BYTES } from "../../http/limits.ts";
import { ApiError } from "../../http/problem.ts";
import { CsvPart, named, oneOf } from "../../http/schemas.ts";
import { requireContentType } from "../../receiving/bodies.ts";
import { eachChunk } from "../../receiving/body-stream.ts";
import { beginFile } from "../../receiving/received-file.ts";
import { openRoute, type Route } from "../../routing/route.ts";
import { EXAMPLE_SERVER } from "../examples.ts";

/** Problems that a file to predict can have. */
export const PREDICTION_PROBLEMS = ["COLUMN_MISMATCH", "UNREADABLE_COLUMN", "FILE_UNUSABLE", "MEMORY_BUDGET"] as const;
/** The sizes that addresses are signed for (contract 4.3). */
export const UPLOAD_RANGE: SizeRange = { leastBytes: LEAST_UPLOAD_BYTES, mostBytes: MOST_UPLOAD_BYTES };
const UPLOAD_HEADER_VALUE = rangeText(UPLOAD_RANGE);
export const UPLOAD_HEADERS = { [UPLOAD_HEADER_NAME]: UPLOAD_HEADER_VALUE };
export const UPLOAD_HEADER_LINE = `${UPLOAD_HEADER_NAME}: ${UPLOAD_HEADER_VALUE}`;

export const UploadKind = oneOf([...UPLOAD_KINDS]);
named({ UploadKind });
export type UploadKind = (typeof UPLOAD_KINDS)[number];

export function uploadPath(key: string, kind: UploadKind): `/${string}` {
  return `/api/v1/uploads/${key}/${kind}`;
}

export function exampleUploadUrl(key: string, kind: UploadKind): string {
  return `${EXAMPLE_SERVER}${uploadPath(key, kind)}?expires=1800000000&least=10&most=534773760&signature=…`;
}

/** An upload's path, taken apart, and its query string. */
export interface UploadRequest {
  /** The refinement's, dataset's or coming prediction's. */
  key: string;
  kind: UploadKind;
  path: string;
  search: string;
  /** For the audit trail. */
  requestId: string;
  clientAddress: string | null;
}

/** The place of an upload that the state of its resource allows. */
export interface UploadSlot {
  /** The owner. */
  userKey: string;
  /** Reserves room for this many bytes; the returned function frees it. @throws QuotaExceeded */
  hold(bytes: number): () => void;
  /**
   * A path on the disk of the uploads folder. Each upload has its own, so that the file of an
   * earlier one stays whole until the database names the new one.
   */
  targetPath: string;
  /**
   * Makes the placed file the current one, and does `alongside` in the same transaction; returns the path of the
   * replaced one, which is then removed. Throws ApiError UPLOAD_CLOSED if the run was started or the file processed
   * meanwhile, SIGNATURE_EXPIRED if the user was disabled, and for a file to predict whatever is wrong with it; the new
   * file is then removed.
   */
  accept(file: StoredFile, alongside?: () => void): string | null;
}

interface SignedSlot extends UploadSlot {
  /** The sizes that were signed. */
  range: SizeRange;
}

export interface UploadServices {
  uploadsFolder: string;
  /** @throws ApiError SIGNATURE_INVALID, SIGNATURE_EXPIRED, or UPLOAD_CLOSED where it is too late */
  findSlot(upload: UploadRequest): SignedSlot;
  /**
   * As above, but it does not look at the signature; the file's path is made of `fileKey`.
   *
   * @throws ApiError UPLOAD_CLOSED, or SIGNATURE_EXPIRED for a user who is disabled or removed
   */
  slotOf(upload: UploadRequest, fileKey: string): UploadSlot;
  /** The signature must be ours; it may have expired. @throws ApiError SIGNATURE_INVALID */
  requireSigned(upload: UploadRequest): void;
}

export function uploadRoutes({ uploadsFolder, findSlot }: Pick<UploadServices, "uploadsFolder" | "findSlot">): Route[] {
  return [
    openRoute({
      method: "PUT",
      path: "/api/v1/uploads/{key}/{kind}",
      params: { kind: UploadKind },
      operationId: "uploadFile",
      tag: "Uploads",
      summary: "Upload a file to its signed address",
      description:
        "The address comes with the creation of a refinement or dataset, or is asked for a file to predict, " +
        "and needs no other credential. It is valid for one hour, unless its user is disabled or removed. " +
        "A second upload replaces the first until the run is started or the file processed. " +
        "By POST the same address takes files that are sent in pieces.",
      decisions: ["D33", "D40", "D57", "D79", "D116"],
      ownQuery: true,
      requestHeaders: {
        [UPLOAD_HEADER_NAME]: `Must be \`${UPLOAD_HEADER_VALUE}\`.`,
        "Content-Length": `The size of the file, ${LEAST_UPLOAD_BYTES} to ${MOST_UPLOAD_BYTES} bytes.`,
      },
      rawBodies: [
        {
          contentType: "text/csv",
          description: "The CSV file.",
          schema: CsvPart("The CSV file."),
        },
      ],
      answer: { status: 200, description: "The file is stored. No body." },
      problems: [
        "UPLOAD_HEADER",
        "FILE_TOO_SMALL",
        "UPLOAD_INTERRUPTED",
        "SIGNATURE_INVALID",
        "SIGNATURE_EXPIRED",
        "REQUEST_TOO_SLOW",
        "UPLOAD_CLOSED",
        "LENGTH_REQUIRED",
        "BODY_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "QUOTA_EXCEEDED",
        "STORAGE_FULL",
        ...PREDICTION_PROBLEMS,
      ],
      handle: async ({ params: { key, kind }, request, headers, keepAlive, requestId, clientAddress }) => {
        const { search } = new URL(request.url);
        const slot = findSlot({ key, kind, path: uploadPath(key, kind), search, requestId, clientAddress });
        const sizeBytes = checkUploadHeaders(request, slot.range);
        const release = slot.hold(sizeBytes);
        try {
          const file = await receive(request, uploadsFolder, slot, sizeBytes, keepAlive);
          const replaced = await acceptOrRemove(slot, file);
          // If it cannot be removed, the upload is stored all the same.
          if (replaced !== null) await rm(replaced, { force: true }).catch(() => undefined);
          headers.set("etag", `"${file.sha256}"`);
          return undefined;
        } finally {
          release();
        }
      },
    }),
  ];
}

async function receive(
  request: Request,
  folder: string,
  { targetPath, range }: SignedSlot,
  sizeBytes: number,
  keepAlive: (seconds: number) => void,
): Promise<StoredFile> {
  const file = await beginFile(folder);
  try {
    if (request.body !== null) {
      await eachChunk(request.body, { keepAlive }, (chunk) => {
        if (file.sizeBytes + chunk.length > sizeBytes) throw sizeError(file.sizeBytes + chunk.length, range);
        return file.write(chunk);
      });
    }
    if (file.sizeBytes !== sizeBytes) {
      throw new ApiError(
        "UPLOAD_INTERRUPTED",
        `Only ${file.sizeBytes} of ${sizeBytes} bytes arrived; nothing was kept.`,
      );
    }
    return await file.place(targetPath);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** The size that the headers announce. */
function checkUploadHeaders(request: Request, range: SizeRange): number {
  const length = request.headers.get("content-length");
  if (length === null || !/^\d{1,15}$/.test(length)) {
    throw new ApiError("LENGTH_REQUIRED", "The upload gives no Content-Length; chunked uploads are not taken.");
  }
  const sizeBytes = Number(length);
  if (sizeBytes < range.leastBytes || sizeBytes > range.mostBytes) throw sizeError(sizeBytes, range);
  // A refinement's files are sent with the required header alone (contract 4.2), so a missing type is accepted.
  if (request.headers.get("content-type")) requireContentType(request, "text/csv");
  const wanted = rangeText(range);
  if (request.headers.get(UPLOAD_HEADER_NAME) !== wanted) {
    throw new ApiError("UPLOAD_HEADER", `The upload must carry the header ${UPLOAD_HEADER_NAME}: ${wanted}`, {
      errors: [{ field: UPLOAD_HEADER_NAME, code: "REQUIRED", message: `It must be ${wanted}.` }],
    });
  }
  return sizeBytes;
}

export function sizeError(sizeBytes: number, { leastBytes, mostBytes }: SizeRange): ApiError {
  if (sizeBytes < leastBytes)
    return new ApiError(
      "FILE_TOO_SMALL",
      `The file has ${formatAmount(sizeBytes, "byte")}; it must have at least ${leastBytes}.`,
    );
  const [size, most] = [formatBytesAbove(mostBytes, sizeBytes), formatByteLimit(mostBytes)];
  return new ApiError(
    "BODY_TOO_LARGE",
    `The file has ${size}; it may have at most ${most}. Leave out rows or columns.`,
  );
}

function rangeText({ leastBytes, mostBytes }: SizeRange): string {
  return `${leastBytes},${mostBytes}`;
}

async function acceptOrRemove(slot: UploadSlot, file: StoredFile): Promise<string | null> {
  try {
    return slot.accept(file);
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
}
