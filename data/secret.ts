// The secret that tokens and signed URLs are made with: drawn once per state folder, then read.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../engine/input-error.ts";
import { flushToDisk } from "./private-file.ts";

const FILE_NAME = "secret.key";
const LEAST_BYTES = 32;

/** Bits of the mode by which the group and others may do anything. */
const OTHERS = 0o077;

/**
 * The bytes of `secret.key`, at least 32; the file holds them as hexadecimal digits.
 *
 * @throws InputError where the file is too short, holds something else, or others may read it
 */
export function openSecret(folder: string): Uint8Array {
  const path = join(folder, FILE_NAME);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return makeSecret(folder, path);
  // Windows has no such modes: there the folder's own rights guard the file.
  if (process.platform !== "win32" && (found.mode & OTHERS) !== 0) {
    throw new InputError(
      "SECRET_READABLE",
      `Others on this machine may read ${path}. Stop them with: chmod 600 '${path}'. If someone may have read it, delete it instead: a new one is made, and everyone logs in again.`,
    );
  }
  const digits = readFileSync(path, "latin1").trim();
  if (!/^([0-9a-f]{2})*$/i.test(digits) || digits.length < 2 * LEAST_BYTES) {
    throw new InputError(
      "SECRET_UNUSABLE",
      `${path} does not hold ${2 * LEAST_BYTES} hexadecimal digits or more. Put the right file back, or delete it: a new one is made, and everyone logs in again.`,
    );
  }
  return Uint8Array.from(Buffer.from(digits, "hex"));
}

function makeSecret(folder: string, path: string): Uint8Array {
  const secret = randomBytes(LEAST_BYTES);
  const temporary = `${path}.part`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, `${secret.toString("hex")}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  flushToDisk(folder);
  return Uint8Array.from(secret);
}
