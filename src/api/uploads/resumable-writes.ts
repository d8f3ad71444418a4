// Appends pieces to an upload, one at a time, and makes the file whole with the last one (D116).
import { createHash } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { flush } from "../../../data/files/file-store.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import {
  acknowledgeBytes,
  completeResumable,
  deleteResumable,
  findResumable,
  type ResumableUpload,
} from "../../../data/resumable-uploads.ts";
import { ApiError, asApiError } from "../../http/problem.ts";
import { announcedBytes } from "../../receiving/bodies.ts";
import { eachChunk } from "../../receiving/body-stream.ts";
import { continueFile, type ResumableFile } from "../../receiving/resumable-file.ts";
import type { Call } from "../../routing/route.ts";
import { storageFault } from "../../storage/storage-fault.ts";
import type { Services } from "../services.ts";
import type { UploadSlot } from "./uploads.ts";

export type WriteServices = Pick<Services, "database" | "state" | "now">;
type PieceCall = Pick<Call<unknown, unknown, unknown, unknown>, "request" | "keepAlive">;

const HASHED_BYTES = 1024 * 1024;
/** Longest pause that the runtime allows a silent connection: a whole file is read back meanwhile. */
const HASHING_SECONDS = 240;

interface UnderWay {
  stopping: AbortController;
  ended: Promise<void>;
}

export class ResumableWrites {
  private readonly services: WriteServices;
  private readonly underWay = new Map<string, UnderWay>();

  constructor(services: WriteServices) {
    this.services = services;
  }

  /**
   * Ends the piece that is being received, if there is one. When this
   * resolves, the bytes that arrived are acknowledged.
   */
  async interrupt(key: string): Promise<void> {
    const writing = this.underWay.get(key);
    writing?.stopping.abort();
    await writing?.ended;
  }

  /** Bytes that are acknowledged and on the disk. A restored folder may have fewer than its database records. */
  async offsetOf({ key, receivedBytes, completedOn }: ResumableUpload): Promise<number> {
    if (completedOn !== null) return receivedBytes;
    const found = await stat(this.pathOf(key)).catch(missing);
    return Math.min(receivedBytes, found?.size ?? 0);
  }

  /** Removes the bytes of an upload that is unknown now. */
  async remove(key: string): Promise<void> {
    await this.interrupt(key);
    await rm(this.pathOf(key), { force: true });
  }

  /**
   * Receives a body that begins at `offset`; returns the new offset. With the last byte the file goes to its slot.
   *
   * @throws ApiError UPLOAD_BUSY, OFFSET_CONFLICT, BODY_TOO_LARGE, UPLOAD_INTERRUPTED,
   * REQUEST_TOO_SLOW, NOT_FOUND, STORAGE_FULL, and what the slot throws
   */
  async receive(key: string, slot: UploadSlot, offset: number, call: PieceCall): Promise<number> {
    if (this.underWay.has(key)) {
      throw new ApiError(
        "UPLOAD_BUSY",
        "Another request is sending to this upload. HEAD ends that, and tells the offset.",
        {
          headers: { "retry-after": "1" },
        },
      );
    }
    const stopping = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.underWay.set(key, { stopping, ended });
    try {
      return await this.write(key, slot, offset, { ...call, signal: stopping.signal });
    } finally {
      this.underWay.delete(key);
      resolve();
    }
  }

  private async write(key: string, slot: UploadSlot, offset: number, call: PieceCall & { signal: AbortSignal }) {
    const { database, now } = this.services;
    const upload = findResumable(database, key, now());
    if (upload === null) throw givenUp();
    const { sizeBytes } = upload;
    const known = await this.offsetOf(upload);
    if (offset !== known) throw offsetConflict(offset, known);
    // Happens only after the last answer was lost: there is nothing left to send.
    if (upload.completedOn !== null) return sizeBytes;
    if (offset + (announcedBytes(call.request) ?? 0) > sizeBytes) throw tooLarge(sizeBytes);
    const acknowledge = (bytes: number) => {
      // The last piece is acknowledged only together with the result made of the file.
      if (!acknowledgeBytes(database, key, Math.min(bytes, sizeBytes - 1))) throw givenUp();
    };
    const file = await continueFile(this.pathOf(key), offset, acknowledge);
    let isWhole: boolean;
    try {
      isWhole = await receivePiece(file, sizeBytes, call);
    } finally {
      await file.close();
    }
    if (!isWhole) return file.sizeBytes;
    call.keepAlive(HASHING_SECONDS);
    await this.hand(upload, slot);
    return sizeBytes;
  }

  /**
   * After a refusal nothing of the file is left; if the disk or the server
   * is at fault, its last byte can be sent again.
   */
  private async hand({ key, sizeBytes }: ResumableUpload, slot: UploadSlot): Promise<void> {
    const { database, now } = this.services;
    const path = this.pathOf(key);
    const sha256 = await hashOf(path);
    await rename(path, slot.targetPath);
    try {
      await flush(dirname(slot.targetPath));
      const replaced = slot.accept({ path: slot.targetPath, sizeBytes, sha256 }, () => {
        if (!completeResumable(database, key, now())) throw givenUp();
      });
      if (replaced !== null) await rm(replaced, { force: true }).catch(() => undefined);
    } catch (error) {
      if (asApiError(error).status < 500) {
        await rm(slot.targetPath, { force: true });
        deleteResumable(database, key);
      } else {
        await rename(slot.targetPath, path);
        acknowledgeBytes(database, key, sizeBytes - 1);
      }
      throw error;
    }
  }

  private pathOf(key: string): string {
    return this.services.state.locate(statePaths.unfinished(key));
  }
}

/** Whether the file is whole now. Bytes that arrived before a fault are acknowledged. */
async function receivePiece(
  file: ResumableFile,
  sizeBytes: number,
  { request, keepAlive, signal }: PieceCall & { signal: AbortSignal },
): Promise<boolean> {
  try {
    if (request.body !== null) {
      await eachChunk(request.body, { keepAlive, signal }, (chunk) => {
        if (file.sizeBytes + chunk.length > sizeBytes) throw tooLarge(sizeBytes);
        return file.write(chunk);
      });
    }
    if (file.sizeBytes === sizeBytes) {
      await file.complete();
      return true;
    }
    await file.flushAndAcknowledge();
    return false;
  } catch (error) {
    // If this fails too, the earlier acknowledgements still hold.
    const kept = await file.flushAndAcknowledge().catch(() => null);
    throw asPieceError(error, kept, sizeBytes);
  }
}

function asPieceError(error: unknown, kept: number | null, sizeBytes: number): unknown {
  const how = kept === null ? "What was acknowledged before is kept" : `${kept} of ${sizeBytes} bytes are kept`;
  const goOn = "ask for the offset with HEAD, and go on from there.";
  if (error instanceof ApiError && error.code === "UPLOAD_INTERRUPTED") {
    return new ApiError(error.code, `The connection broke, or another request went on. ${how}: ${goOn}`, error);
  }
  if (error instanceof ApiError && error.code === "REQUEST_TOO_SLOW") {
    return new ApiError(error.code, `The body stood still, or came too slowly. ${how}: ${goOn}`);
  }
  if (storageFault(error) !== "STORAGE_FULL") return error;
  const full = new ApiError("STORAGE_FULL", `The server's disk is full. ${how}: once there is space again, ${goOn}`, {
    headers: { "retry-after": "60" },
  });
  full.cause = error;
  return full;
}

/** Reads the file back, so that the hash covers the bytes on the disk; a hash of pieces would not survive a restart. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(HASHED_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, HASHED_BYTES);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code !== "ENOENT") throw error;
  return null;
}

/** The 404 of an upload that is unknown, was given up or replaced, or has expired. */
export function givenUp(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such upload: it was given up, replaced by another, or has expired.");
}

function offsetConflict(given: number, known: number): ApiError {
  return new ApiError("OFFSET_CONFLICT", `The body begins at ${given}, and the upload has ${known} bytes.`, {
    headers: { "upload-offset": String(known) },
  });
}

function tooLarge(sizeBytes: number): ApiError {
  return new ApiError("BODY_TOO_LARGE", `The upload was begun for ${sizeBytes} bytes; this body goes beyond them.`);
}
