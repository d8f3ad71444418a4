// Receives a file: written to a temporary place, counted and hashed, then moved to its own place or removed.
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flush, type StoredFile, writeAll } from "../../data/files/file-store.ts";

/** Small chunks are buffered: each write costs a trip to another thread. */
export const WRITE_BYTES = 1024 * 1024;

/** Totals since the process started. */
const received = { underWayCount: 0, bytes: 0 };

/** For metrics. */
export function receivedSoFar(): Readonly<typeof received> {
  return received;
}

/** For metrics: bytes that another kind of file has received. */
export function noteReceived(bytes: number): void {
  received.bytes += bytes;
}

/** Begins a file in `folder`, which must be on the disk of its later place. */
export async function beginFile(folder: string): Promise<IncomingFile> {
  const path = join(folder, `${randomUUID()}.part`);
  return new IncomingFile(path, await open(path, "wx", 0o600));
}

/**
 * Await `write` for each chunk: it throws on a full disk. Then `place` once, or `discard` at any time, which never
 * throws. Holds at most WRITE_BYTES and one chunk.
 */
class IncomingFile {
  private readonly path: string;
  private readonly handle: FileHandle;
  private readonly hash = new Bun.CryptoHasher("sha256");
  private readonly buffer = Buffer.allocUnsafe(WRITE_BYTES);
  private bufferedBytes = 0;
  private isOpen = true;
  sizeBytes = 0;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.handle = handle;
    received.underWayCount++;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.sizeBytes += chunk.length;
    received.bytes += chunk.length;
    this.hash.update(chunk);
    if (this.bufferedBytes + chunk.length > WRITE_BYTES) await this.flush();
    if (chunk.length > WRITE_BYTES) return writeAll(this.handle, chunk);
    this.buffer.set(chunk, this.bufferedBytes);
    this.bufferedBytes += chunk.length;
  }

  /** Flushes the file to the disk and moves it to `target`, whose folder is flushed too. */
  async place(target: string): Promise<StoredFile> {
    await this.flush();
    await this.handle.datasync();
    await this.close();
    await rename(this.path, target);
    await flush(dirname(target));
    return { path: target, sizeBytes: this.sizeBytes, sha256: this.hash.digest("hex") };
  }

  /** Leaves nothing of a file that was not placed. */
  async discard(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.path, { force: true }).catch(() => undefined);
  }

  private async flush(): Promise<void> {
    if (this.bufferedBytes > 0) await writeAll(this.handle, this.buffer.subarray(0, this.bufferedBytes));
    this.bufferedBytes = 0;
  }

  private async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    received.underWayCount--;
    await this.handle.close();
  }
}

export type { IncomingFile };
