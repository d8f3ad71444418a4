// Sending a file to the signed address that the server has for it: whole, or
// in pieces that go on after a broken connection.
import type { Connection } from "./connection.ts";
import { CupelProblem } from "./problem.ts";
import { persistently } from "./retry.ts";

export interface UploadWay {
  /** Called with the share that is sent, from 0 to 1. */
  onShare(share: number): void;
  signal: AbortSignal | undefined;
}

/** Where a file goes, as the answer for a dataset or a prediction says it. */
export interface UploadTarget {
  uploadUrl: string;
  extraHeaders: Readonly<Record<string, string>>;
}

/** From there on a file goes in pieces. */
export const LARGE_BYTES = 8 * 1_024 * 1_024;
/** The most that is sent again. */
const PIECE_BYTES = 8 * 1_024 * 1_024;
const TUS = { "tus-resumable": "1.0.0" } as const;
const PIECE_TYPE = "application/offset+octet-stream";
/** Refusals of a piece that pass: an earlier request that still stands open, a disk that is full for now. */
const PASSING_CODES = ["OFFSET_CONFLICT", "UPLOAD_BUSY", "STORAGE_FULL"];

/** @throws CupelProblem, or the signal's reason */
export async function upload(connection: Connection, target: UploadTarget, blob: Blob, way: UploadWay): Promise<void> {
  way.onShare(0);
  if (blob.size < LARGE_BYTES || !(await sendInPieces(connection, target, blob, way))) {
    await sendWhole(connection, target, blob, way);
  }
  way.onShare(1);
}

async function sendWhole(
  connection: Connection,
  { uploadUrl, extraHeaders }: UploadTarget,
  blob: Blob,
  { signal }: UploadWay,
): Promise<void> {
  const headers = { "content-type": "text/csv", ...extraHeaders };
  const sent = { body: blob, sizeBytes: blob.size, headers, signal, isOpen: true };
  await persistently(connection.patience(signal), async () => {
    try {
      await connection.once("PUT", connection.pathOf(uploadUrl), sent, (response) => response.text());
    } catch (error) {
      // The file was taken, and the answer was lost: work on it has begun, so that another one is
      // refused. Also at the first attempt, since some platforms send a request again by
      // themselves when a connection that they reuse is closed.
      const isTaken = error instanceof CupelProblem && error.code === "UPLOAD_CLOSED";
      if (!isTaken) throw error;
    }
  });
}

/** The protocol tus 1.0. False where the server does not speak it. */
async function sendInPieces(
  connection: Connection,
  { uploadUrl }: UploadTarget,
  blob: Blob,
  { onShare, signal }: UploadWay,
): Promise<boolean> {
  const patience = { ...connection.patience(signal), passingCodes: PASSING_CODES };
  const begin = () =>
    persistently(patience, () => {
      const headers = { ...TUS, "upload-length": String(blob.size) };
      return connection.once(
        "POST",
        connection.pathOf(uploadUrl),
        { headers, signal, isOpen: true },
        async (response) => connection.pathOf(response.headers.get("location") ?? ""),
      );
    });
  const place = await begin().catch(unlessUnknown);
  if (place === null) return false;
  for (let offset = 0; offset < blob.size; onShare(offset / blob.size)) {
    offset = await persistently(patience, async (attempt) => {
      // The part of a piece that arrived counts, whatever became of its request.
      const known = attempt === 0 ? offset : await offsetAt(connection, place, signal);
      return known === offset ? sendPiece(connection, place, blob, offset, signal) : known;
    });
  }
  return true;
}

function sendPiece(
  connection: Connection,
  place: string,
  blob: Blob,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const body = blob.slice(offset, offset + PIECE_BYTES);
  const headers = { ...TUS, "content-type": PIECE_TYPE, "upload-offset": String(offset) };
  const sent = { body, sizeBytes: body.size, headers, signal, isOpen: true };
  return connection.once("PATCH", place, sent, offsetIn);
}

function offsetAt(connection: Connection, place: string, signal: AbortSignal | undefined): Promise<number> {
  return connection.once("HEAD", place, { headers: TUS, signal, isOpen: true }, offsetIn);
}

async function offsetIn({ headers }: Response): Promise<number> {
  return Number(headers.get("upload-offset"));
}

/** An earlier server knows no such operation. */
function unlessUnknown(error: unknown): null {
  if (error instanceof CupelProblem && (error.status === 404 || error.status === 405)) return null;
  throw error;
}
