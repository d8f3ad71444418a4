// Room on a disk: whether there is enough before many bytes are written, and words for when they could not be.
import { statfsSync } from "node:fs";
import { InputError } from "../../engine/input-error.ts";

/** @throws InputError NO_ROOM; `otherwise` says what else may be done, as "name another folder" */
export function requireRoom(folder: string, neededBytes: number, fileCount: number, otherwise: string): void {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  if (bavail * bsize < neededBytes) {
    const lacking = `${neededBytes} bytes are needed, and the disk of ${folder} has ${bavail * bsize} free.`;
    throw new InputError("NO_ROOM", `${lacking} Make room, or ${otherwise}.`);
  }
  // Some file systems count no files.
  if (files > 0 && ffree < fileCount) {
    throw new InputError(
      "NO_ROOM",
      `There are ${fileCount} files, and the disk of ${folder} has room for ${ffree}. Make room, or ${otherwise}.`,
    );
  }
}

/** An error of a disk that is full or may not be written to as an InputError; any other as it is. */
export function namingDiskFault(error: unknown, folder: string, otherwise: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code)) {
    return new InputError(
      "NO_ROOM",
      `The disk of ${folder} was full before all was written. Make room, or ${otherwise}.`,
    );
  }
  if (/^(EACCES|EPERM|EROFS)$/.test(code)) {
    return new InputError(
      "NOT_WRITABLE",
      `This user may not write to ${folder} (${code}). Give it the right, or ${otherwise}.`,
    );
  }
  return error;
}
