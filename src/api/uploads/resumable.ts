// Uploads that continue after a broken connection: tus 1.0 beside the PUT, by the same signed address (D116).
import { randomUUID } from "node:crypto";
import { Type } from "@sinclair/typebox";
import {
  deleteResumable,
  findResumable,
  insertResumable,
  type ResumableUpload,
} from "../../../data/resumable-uploads.ts";
import { LEAST_UPLOAD_BYTES, MOST_UPLOAD_BYTES, UNFINISHED_UPLOAD_SECONDS } from "../../http/limits.ts";
import { ApiError } from "../../http/problem.ts";
import type { ProblemCode } from "../../http/problem-codes.ts";
import { Key } from "../../http/schemas.ts";
import { requireContentType } from "../../receiving/bodies.ts";
import { type Call, openRoute, type Route } from "../../routing/route.ts";
import { givenUp, ResumableWrites, type WriteServices } from "./resumable-writes.ts";
import {
  PREDICTION_PROBLEMS,
  sizeError,
  UploadKind,
  type UploadRequest,
  type UploadServices,
  uploadPath,
} from "./uploads.ts";

const TUS_VERSION = "1.0.0";
const TUS_HEADERS = { "tus-resumable": TUS_VERSION } as const;
const PIECE_TYPE = "application/offset+octet-stream";
const EXTENSIONS = "creation,creation-with-upload,expiration,termination";

const SLOT_PATH = "/api/v1/uploads/{key}/{kind}";
/** Shared by the routes of a signed address; `OF_UPLOAD` by those of an upload to one. */
const OF_SLOT = { path: SLOT_PATH, params: { kind: UploadKind }, tag: "Uploads", ownQuery: true } as const;
const OF_UPLOAD = {
  ...OF_SLOT,
  path: `${SLOT_PATH}/{upload}`,
  params: { kind: UploadKind, upload: Key },
  everyAnswer: TUS_HEADERS,
} as const;
const VERSION_HEADER = { "Tus-Resumable": `Must be \`${TUS_VERSION}\`.` };
const PIECE = {
  contentType: PIECE_TYPE,
  description: "The bytes of the file from the offset on.",
  schema: Type.String({ format: "binary" }),
} as const;
const OFFSET = "Bytes of the file that are on the server's disk.";
const EXPIRES = "Until when the upload can go on.";
const PIECE_PROBLEMS: readonly ProblemCode[] = [
  ...(["VALIDATION_FAILED", "NOT_FOUND", "SIGNATURE_INVALID", "SIGNATURE_EXPIRED"] as const),
  ...(["TUS_VERSION", "UPLOAD_CLOSED"] as const),
  ...(["BODY_TOO_LARGE", "UPLOAD_INTERRUPTED", "REQUEST_TOO_SLOW", "UNSUPPORTED_MEDIA_TYPE", "STORAGE_FULL"] as const),
  ...PREDICTION_PROBLEMS,
];

type ResumableServices = UploadServices & WriteServices;
type UploadCall = Call<{ key: string; kind: UploadKind }, unknown, unknown, null>;

export function resumableRoutes(services: ResumableServices): Route[] {
  const writes = new ResumableWrites(services);
  return [
    capabilityRoute(),
    beginRoute(services, writes),
    stateRoute(services, writes),
    continueRoute(services, writes),
    endRoute(services, writes),
  ];
}

function capabilityRoute(): Route {
  return openRoute({
    method: "OPTIONS",
    ...OF_SLOT,
    operationId: "getUploadProtocol",
    summary: "What of the tus protocol the server speaks",
    decisions: ["D116"],
    answer: {
      status: 204,
      description: "The versions, extensions and the largest file, in headers.",
      headers: {
        "tus-version": "Versions of the protocol.",
        "tus-extension": "Its extensions.",
        "tus-max-size": "The largest file, in bytes.",
      },
    },
    handle: ({ headers }) => {
      headers.set("tus-version", TUS_VERSION);
      headers.set("tus-extension", EXTENSIONS);
      headers.set("tus-max-size", String(MOST_UPLOAD_BYTES));
      return undefined;
    },
  });
}

function beginRoute(services: ResumableServices, writes: ResumableWrites): Route {
  return openRoute({
    method: "POST",
    ...OF_SLOT,
    operationId: "beginUpload",
    summary: "Begin an upload that can go on after a broken connection",
    description:
      "The creation of tus 1.0: any of its clients takes the signed address as its endpoint. " +
      "The answer's `Location` is where the bytes go, by PATCH; " +
      "it is good for a day, whatever the signed address says. An unfinished upload of the same file is given up.",
    decisions: ["D33", "D57", "D116"],
    requestHeaders: {
      ...VERSION_HEADER,
      "Upload-Length": `The size of the whole file, ${LEAST_UPLOAD_BYTES} to ${MOST_UPLOAD_BYTES} bytes.`,
    },
    rawBodies: [{ ...PIECE, description: "Nothing, or the first bytes of the file." }],
    needsBody: false,
    everyAnswer: TUS_HEADERS,
    answer: {
      status: 201,
      description: "The upload. No body.",
      headers: { location: "Where its bytes go.", "upload-offset": OFFSET, "upload-expires": EXPIRES },
    },
    problems: [...PIECE_PROBLEMS, "FILE_TOO_SMALL", "QUOTA_EXCEEDED"],
    handle: async (call) => {
      requireVersion(call);
      const slotRequest = requestOf(call);
      const { range } = services.findSlot(slotRequest);
      const sizeBytes = readLength(call.request);
      if (sizeBytes < range.leastBytes || sizeBytes > range.mostBytes) throw sizeError(sizeBytes, range);
      const { body } = call.request;
      if (body !== null) requireContentType(call.request, PIECE_TYPE);
      const upload = await begin(services, writes, slotRequest, sizeBytes);
      const slot = services.slotOf(slotRequest, upload.key);
      const offset = body === null ? 0 : await writes.receive(upload.key, slot, 0, call);
      const { key, kind } = call.params;
      call.headers.set("location", call.url(`${uploadPath(key, kind)}/${upload.key}${slotRequest.search as "?"}`));
      showState(call.headers, upload.expiresOn, offset);
      return undefined;
    },
  });
}

/** Asks for room for the whole file before its first byte. @throws QuotaExceeded */
async function begin(
  services: ResumableServices,
  writes: ResumableWrites,
  upload: UploadRequest,
  sizeBytes: number,
): Promise<{ key: string; expiresOn: Date }> {
  const { database, now } = services;
  const key = randomUUID();
  const slot = services.slotOf(upload, key);
  const expiresOn = new Date(now().getTime() + UNFINISHED_UPLOAD_SECONDS * 1_000);
  const row = { key, resourceKey: upload.key, kind: upload.kind, userKey: slot.userKey, sizeBytes, expiresOn };
  // From now on the row decides.
  const replaced = insertResumable(database, row, now(), () => slot.hold(sizeBytes)());
  if (replaced.key !== null) await writes.remove(replaced.key);
  return { key, expiresOn };
}

function stateRoute(services: ResumableServices, writes: ResumableWrites): Route {
  return openRoute({
    method: "GET",
    ...OF_UPLOAD,
    operationId: "getUploadState",
    summary: "How much of an upload the server has",
    description:
      "Clients of tus ask with HEAD, which is answered alike. " +
      "A request that is sending to the upload is ended, and what came of it counts: " +
      "ask before going on, not to watch.",
    decisions: ["D116"],
    requestHeaders: VERSION_HEADER,
    answer: {
      status: 200,
      description: "The state, in headers. No body.",
      headers: { "upload-offset": OFFSET, "upload-length": "The size of the whole file.", "upload-expires": EXPIRES },
    },
    problems: ["VALIDATION_FAILED", "NOT_FOUND", "SIGNATURE_INVALID", "TUS_VERSION"],
    handle: async (call) => {
      requireVersion(call);
      const { key } = find(services, call);
      await writes.interrupt(key);
      const upload = find(services, call);
      call.headers.set("upload-length", String(upload.sizeBytes));
      showState(call.headers, new Date(upload.expiresOn), await writes.offsetOf(upload));
      return undefined;
    },
  });
}

function continueRoute(services: ResumableServices, writes: ResumableWrites): Route {
  return openRoute({
    method: "PATCH",
    ...OF_UPLOAD,
    operationId: "continueUpload",
    summary: "Send a file's bytes from an offset on",
    description:
      "What arrives is kept, also where the connection breaks. " +
      "With the last byte the file is stored as by the PUT. One request at a time: another is refused with 423.",
    decisions: ["D33", "D116"],
    requestHeaders: { ...VERSION_HEADER, "Upload-Offset": "Where the body begins: the bytes that the server has." },
    rawBodies: [PIECE],
    answer: {
      status: 204,
      description: "The bytes are on the server's disk.",
      headers: { "upload-offset": OFFSET, "upload-expires": EXPIRES },
    },
    problems: [...PIECE_PROBLEMS, "OFFSET_CONFLICT", "UPLOAD_BUSY"],
    handle: async (call) => {
      requireVersion(call);
      const upload = find(services, call);
      requireContentType(call.request, PIECE_TYPE);
      const offset = readNumber(call.request, "upload-offset");
      const slot = upload.completedOn === null ? services.slotOf(requestOf(call), upload.key) : NO_SLOT;
      const reached = await writes.receive(upload.key, slot, offset, call);
      showState(call.headers, new Date(upload.expiresOn), reached);
      return undefined;
    },
  });
}

/** The slot of an upload that is complete: nothing more is written. */
const NO_SLOT = {
  userKey: "",
  targetPath: "",
  hold: () => () => undefined,
  accept: () => {
    throw new Error("a completed upload was completed again");
  },
};

function endRoute(services: ResumableServices, writes: ResumableWrites): Route {
  return openRoute({
    method: "DELETE",
    ...OF_UPLOAD,
    operationId: "endUpload",
    summary: "Give an upload up",
    description: "Its bytes go. Of a file that is whole only the upload is forgotten.",
    decisions: ["D116"],
    requestHeaders: VERSION_HEADER,
    answer: { status: 204, description: "It is gone." },
    problems: ["NOT_FOUND", "SIGNATURE_INVALID", "TUS_VERSION"],
    handle: async (call) => {
      requireVersion(call);
      const { key } = find(services, call);
      await writes.interrupt(key);
      deleteResumable(services.database, key);
      await writes.remove(key);
      return undefined;
    },
  });
}

/** @throws ApiError SIGNATURE_INVALID, NOT_FOUND */
function find(
  services: ResumableServices,
  call: Call<{ key: string; kind: UploadKind; upload: string }, unknown, unknown, null>,
): ResumableUpload {
  const { key, kind, upload } = call.params;
  services.requireSigned(requestOf(call));
  const found = findResumable(services.database, upload, services.now());
  if (found === null || found.resourceKey !== key || found.kind !== kind) throw givenUp();
  return found;
}

/** The signature always covers the address without the upload. */
function requestOf({ params: { key, kind }, request, requestId, clientAddress }: UploadCall): UploadRequest {
  return { key, kind, path: uploadPath(key, kind), search: new URL(request.url).search, requestId, clientAddress };
}

function showState(headers: Headers, expiresOn: Date, offset: number): void {
  headers.set("upload-offset", String(offset));
  headers.set("upload-expires", expiresOn.toUTCString());
}

function requireVersion({ request }: Pick<UploadCall, "request">): void {
  if (request.headers.get("tus-resumable") === TUS_VERSION) return;
  throw new ApiError("TUS_VERSION", `The header Tus-Resumable must be ${TUS_VERSION}.`, {
    headers: { "tus-version": TUS_VERSION },
  });
}

function readLength(request: Request): number {
  if (request.headers.has("upload-defer-length")) {
    throw new ApiError("VALIDATION_FAILED", "The size of the file must be known: give it in Upload-Length.", {
      errors: [{ field: "upload-defer-length", code: "NOT_SUPPORTED", message: "Leave it out." }],
    });
  }
  return readNumber(request, "upload-length");
}

function readNumber(request: Request, name: "upload-length" | "upload-offset"): number {
  const text = request.headers.get(name);
  if (text !== null && /^\d{1,15}$/.test(text)) return Number(text);
  const shown = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  throw new ApiError("VALIDATION_FAILED", `The header ${shown} must be a number of bytes.`, {
    errors: [{ field: name, code: "REQUIRED", message: "It must be a whole number from 0 on." }],
  });
}
