// Writes a tar archive file by file, in constant memory, and hashes each file.
import { type FileHandle, open } from "node:fs/promises";
import { type StoredFile, writeAll } from "../files/file-store.ts";
import { encodeTarHeader, TAR_BLOCK_BYTES, tarPadding } from "./tar-header.ts";

const CHUNK_BYTES = 1024 * 1024;
/** An archive ends in two blocks of zeros. */
const END = Buffer.alloc(2 * TAR_BLOCK_BYTES);

/** Makes an archive of mode 0600 at `path`, where no file may be. All its files carry the time `modifiedOn`. */
export async function createArchive(path: string, modifiedOn: Date): Promise<ArchiveWriter> {
  return new ArchiveWriter(await open(path, "wx", 0o600), Math.floor(modifiedOn.getTime() / 1000));
}

/** One call at a time; `close` comes last, after `finish` where the archive is to be used. */
class ArchiveWriter {
  private readonly archive: FileHandle;
  private readonly modifiedSeconds: number;
  private readonly buffer = Buffer.allocUnsafe(CHUNK_BYTES);

  constructor(archive: FileHandle, modifiedSeconds: number) {
    this.archive = archive;
    this.modifiedSeconds = modifiedSeconds;
  }

  async addText(path: string, text: string): Promise<StoredFile> {
    const bytes = Buffer.from(text);
    await writeAll(
      this.archive,
      encodeTarHeader({ path, sizeBytes: bytes.length, modifiedSeconds: this.modifiedSeconds }),
    );
    await writeAll(this.archive, bytes);
    await writeAll(this.archive, END.subarray(0, tarPadding(bytes.length)));
    return { path, sizeBytes: bytes.length, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
  }

  /**
   * Adds a file that nobody changes meanwhile. If it is missing, the error is that of `open` and
   * nothing was written; after any other error the archive is useless.
   */
  async addFile(path: string, source: string, signal: AbortSignal): Promise<StoredFile> {
    const file = await open(source, "r");
    try {
      const { size: sizeBytes } = await file.stat();
      await writeAll(this.archive, encodeTarHeader({ path, sizeBytes, modifiedSeconds: this.modifiedSeconds }));
      const hash = new Bun.CryptoHasher("sha256");
      for (let copied = 0; copied < sizeBytes; ) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(this.buffer, 0, Math.min(CHUNK_BYTES, sizeBytes - copied), copied);
        if (bytesRead === 0) throw new Error(`${source} became shorter while it was copied`);
        const chunk = this.buffer.subarray(0, bytesRead);
        hash.update(chunk);
        await writeAll(this.archive, chunk);
        copied += bytesRead;
      }
      await writeAll(this.archive, END.subarray(0, tarPadding(sizeBytes)));
      return { path, sizeBytes, sha256: hash.digest("hex") };
    } finally {
      await file.close();
    }
  }

  /** Ends the archive, whose bytes are then on the disk. */
  async finish(): Promise<void> {
    await writeAll(this.archive, END);
    await this.archive.sync();
  }

  async close(): Promise<void> {
    await this.archive.close();
  }
}

export type { ArchiveWriter };
