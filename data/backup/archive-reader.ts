// Reads a tar archive file by file, in constant memory; refuses whatever `archive-writer.ts` does not write.
import { type FileHandle, open } from "node:fs/promises";
import { decodeTarHeader, TAR_BLOCK_BYTES, type TarEntry, tarPadding } from "./tar-header.ts";

const CHUNK_BYTES = 1024 * 1024;

/** The archive is cut off, altered, or not of this program; the message says where. */
export class ArchiveFault extends Error {}

export async function openArchive(path: string): Promise<ArchiveReader> {
  const file = await open(path, "r");
  try {
    return new ArchiveReader(file, (await file.stat()).size);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** `next`, then `content` of that entry to its end, and so on until `next` gives null; then `close`. */
class ArchiveReader {
  readonly sizeBytes: number;
  private readonly file: FileHandle;
  private readonly buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  private position = 0;

  constructor(file: FileHandle, sizeBytes: number) {
    this.file = file;
    this.sizeBytes = sizeBytes;
  }

  /** The next file's header; null at the end of the archive. */
  async next(): Promise<TarEntry | null> {
    const at = this.position;
    const block = await this.take(TAR_BLOCK_BYTES);
    if (isZero(block)) {
      if (!isZero(await this.take(TAR_BLOCK_BYTES)) || this.position !== this.sizeBytes) {
        throw new ArchiveFault(`there is something behind its end, at byte ${at}`);
      }
      return null;
    }
    const entry = decodeTarHeader(block);
    if (entry === null) throw new ArchiveFault(`the header at byte ${at} is none that Cupel writes`);
    if (entry.sizeBytes > this.sizeBytes - this.position) throw cutOff(this.sizeBytes);
    return entry;
  }

  /** The bytes of the entry just returned; each piece is valid until the next one is taken. */
  async *content({ sizeBytes }: TarEntry): AsyncGenerator<Buffer> {
    for (let left = sizeBytes; left > 0; ) {
      const piece = await this.take(Math.min(left, CHUNK_BYTES));
      yield piece;
      left -= piece.length;
    }
    const padding = tarPadding(sizeBytes);
    if (padding > 0 && !isZero(await this.take(padding))) {
      throw new ArchiveFault(`the bytes before byte ${this.position} are not empty`);
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async take(byteCount: number): Promise<Buffer> {
    for (let taken = 0; taken < byteCount; ) {
      const { bytesRead } = await this.file.read(this.buffer, taken, byteCount - taken, this.position + taken);
      if (bytesRead === 0) throw cutOff(this.sizeBytes);
      taken += bytesRead;
    }
    this.position += byteCount;
    return this.buffer.subarray(0, byteCount);
  }
}

export type { ArchiveReader };

function cutOff(sizeBytes: number): ArchiveFault {
  return new ArchiveFault(`it is cut off at byte ${sizeBytes}`);
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}
