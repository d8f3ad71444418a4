// A file that arrives in pieces: each is flushed to the disk before its bytes
// are acknowledged, and the next goes on after it.
import { type FileHandle, open } from "node:fs/promises";
import { writeAll } from "../../data/files/file-store.ts";
import { noteReceived, WRITE_BYTES } from "./received-file.ts";

/** After this many bytes or milliseconds, what came is flushed and acknowledged: a killed server loses at most that. */
const [STEP_BYTES, STEP_MS] = [8 * 1024 * 1024, 5_000];

/**
 * Opens the file, makes it where it is missing, and goes on at `offset`; what lies beyond is cut off. `acknowledge`
 * notes how many bytes are on the disk and may throw, which ends the writing.
 */
export async function continueFile(
  path: string,
  offset: number,
  acknowledge: (sizeBytes: number) => void,
): Promise<ResumableFile> {
  const handle = await open(path, "a+", 0o600);
  try {
    await handle.truncate(offset);
    return new ResumableFile(handle, offset, acknowledge);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Await `write` for each chunk, then `flushAndAcknowledge`, also after a fault, then
 * `close`. Holds at most WRITE_BYTES and one chunk.
 */
class ResumableFile {
  private readonly handle: FileHandle;
  private readonly acknowledge: (sizeBytes: number) => void;
  private readonly buffer = Buffer.allocUnsafe(WRITE_BYTES);
  private bufferedBytes = 0;
  private writtenBytes: number;
  private flushedBytes: number;
  private flushedMs = performance.now();

  constructor(handle: FileHandle, offset: number, acknowledge: (sizeBytes: number) => void) {
    this.handle = handle;
    this.writtenBytes = offset;
    this.flushedBytes = offset;
    this.acknowledge = acknowledge;
  }

  /** With what is not on the disk yet. */
  get sizeBytes(): number {
    return this.writtenBytes + this.bufferedBytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    noteReceived(chunk.length);
    if (this.bufferedBytes + chunk.length > WRITE_BYTES) await this.empty();
    if (chunk.length > WRITE_BYTES) await this.append(chunk);
    else {
      this.buffer.set(chunk, this.bufferedBytes);
      this.bufferedBytes += chunk.length;
    }
    const isDue = this.writtenBytes - this.flushedBytes >= STEP_BYTES || performance.now() - this.flushedMs >= STEP_MS;
    if (isDue) await this.flushAndAcknowledge();
  }

  /**
   * Puts all that came on the disk and acknowledges it; returns how many bytes that
   * are. A later try goes on after what was written.
   */
  async flushAndAcknowledge(): Promise<number> {
    await this.empty();
    await this.flush();
    this.acknowledge(this.flushedBytes);
    return this.flushedBytes;
  }

  /** Flushes all that came. It is acknowledged by what is done with the whole file. */
  async complete(): Promise<void> {
    await this.empty();
    await this.flush();
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async empty(): Promise<void> {
    const { bufferedBytes } = this;
    // Never written twice, whatever comes of it: a part of it may be in the file.
    this.bufferedBytes = 0;
    if (bufferedBytes > 0) await this.append(this.buffer.subarray(0, bufferedBytes));
  }

  private async append(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.handle, bytes);
    } catch (error) {
      // A full disk takes a part: that goes, so that the file's end is where its bytes are known.
      await this.handle.truncate(this.writtenBytes).catch(() => undefined);
      throw error;
    }
    this.writtenBytes += bytes.length;
  }

  private async flush(): Promise<void> {
    await this.handle.datasync();
    this.flushedBytes = this.writtenBytes;
    this.flushedMs = performance.now();
  }
}

export type { ResumableFile };
