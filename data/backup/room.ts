// Room on a disk: checked before many bytes are written, and in words where they could not be.
import { InputError } from "../../engine/input-error.ts";
import { freeBytesOf } from "../files/state-folder.ts";

/** @throws InputError NO_ROOM; `otherwise` says what else may be done, as "name another folder" */
export function requireRoom(folder: string, neededBytes: number, otherwise: string): void {
  const freeBytes = freeBytesOf(folder);
  if (freeBytes >= neededBytes) return;
  const lacking = `${neededBytes} bytes are needed, and the disk of ${folder} has ${freeBytes} free.`;
  throw new InputError("NO_ROOM", `${lacking} Make room, or ${otherwise}.`);
}

/** The InputError for a disk that is full or not writable; any other error as it is. */
export function namingDiskFault(error: unknown, folder: string, otherwise: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/.test(code)) {
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
