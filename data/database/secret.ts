// The secrets that sign tokens and upload addresses: the current one, and former ones while they are valid.
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { replacePrivateFile } from "../files/private-file.ts";
import type { Database } from "./database.ts";

export const SECRET_FILE = "secret.key";
const LEAST_BYTES = 32;
/** Each former secret costs one more verification of every forged token. */
const MOST_FORMER = 8;

/** Bits of the mode by which the group and others may do anything. */
const OTHERS = 0o077;

export interface Secrets {
  /** Signs and verifies; at least 32 bytes. */
  current: Uint8Array;
  /** Only verify, until their time; the latest first. */
  former: readonly FormerSecret[];
}

interface FormerSecret {
  secret: Uint8Array;
  untilMs: number;
}

/**
 * Reads `secret.key`: the secret in hexadecimal digits, then a line `digits until instant` for each former one. Makes
 * the file if missing. Every writer holds the database's write lock, so that no two write at once.
 *
 * @throws InputError where it is too short, holds something else, or others may read it
 */
export function openSecrets(folder: string, database: Pick<Database, "write">): Secrets {
  return database.write(() => {
    const path = join(folder, SECRET_FILE);
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return readSecrets(path);
    return writeSecrets(folder, { current: drawSecret(), former: [] });
  });
}

/**
 * Draws a new secret. The old one stays valid for `keepMs`, former ones until their time; 0 ends
 * all at once. A running server notices at its next request.
 */
export function rotateSecret(
  folder: string,
  database: Pick<Database, "write">,
  nowMs: number,
  keepMs: number,
): Secrets {
  return database.write(() => {
    const { current, former } = openSecrets(folder, database);
    const kept = [{ secret: current, untilMs: nowMs + keepMs }, ...former];
    return writeSecrets(folder, { current: drawSecret(), former: keepMs === 0 ? [] : stillValid(kept, nowMs) });
  });
}

/**
 * Returns a function for the present secrets: it rereads a replaced file and removes expired secrets from it. A call
 * costs some µs. Reports an unusable file to `onFault` and keeps the secrets it had.
 */
export function watchSecrets(
  folder: string,
  database: Pick<Database, "write">,
  nowMs: () => number,
  onFault: (fault: unknown) => void,
): () => Secrets {
  const path = join(folder, SECRET_FILE);
  let secrets = openSecrets(folder, database);
  let seen = stampOf(path);
  const attempt = (change: () => Secrets) => {
    try {
      secrets = change();
    } catch (fault) {
      onFault(fault);
    }
  };
  return () => {
    const stamp = stampOf(path);
    if (stamp !== seen) {
      // Noted before the read: a file that replaces this one meanwhile is seen the next time.
      seen = stamp;
      attempt(() => readSecrets(path));
    }
    const former = stillValid(secrets.former, nowMs());
    if (former.length < secrets.former.length) {
      secrets = { ...secrets, former };
      attempt(() => dropFormer(folder, database, nowMs()));
    }
    return secrets;
  };
}

/** Reads the file again, which may have been replaced since. */
function dropFormer(folder: string, database: Pick<Database, "write">, nowMs: number): Secrets {
  return database.write(() => {
    const { current, former } = readSecrets(join(folder, SECRET_FILE));
    return writeSecrets(folder, { current, former: stillValid(former, nowMs) });
  });
}

function stillValid(former: readonly FormerSecret[], nowMs: number): readonly FormerSecret[] {
  return former.filter(({ untilMs }) => untilMs > nowMs).slice(0, MOST_FORMER);
}

/** @throws InputError where the file cannot be used */
export function readSecrets(path: string): Secrets {
  // Windows has no such modes: there the folder's own rights guard the file.
  if (process.platform !== "win32" && (statSync(path).mode & OTHERS) !== 0) {
    throw new InputError(
      "SECRET_READABLE",
      `Others on this machine may read ${path}. Stop them with: chmod 600 '${path}'. ` +
        "If someone may have read it, then: cupel secret rotate --now",
    );
  }
  const [first = "", ...others] = readFileSync(path, "latin1").trim().split("\n");
  const current = readDigits(first.trim());
  const former = others.map((line) => {
    const [digits = "", word, instant = ""] = line.trim().split(" ");
    return { secret: readDigits(digits), untilMs: word === "until" ? Date.parse(instant) : Number.NaN };
  });
  if (current !== null && former.every(isWhole)) return { current, former };
  throw new InputError(
    "SECRET_UNUSABLE",
    `${path} does not hold ${2 * LEAST_BYTES} hexadecimal digits or more. Put the right file back, or delete it: ` +
      "a new one is made, and everyone logs in again.",
  );
}

function isWhole(read: { secret: Uint8Array | null; untilMs: number }): read is FormerSecret {
  return read.secret !== null && !Number.isNaN(read.untilMs);
}

function readDigits(digits: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})*$/i.test(digits) || digits.length < 2 * LEAST_BYTES) return null;
  return Uint8Array.from(Buffer.from(digits, "hex"));
}

function drawSecret(): Uint8Array {
  return Uint8Array.from(randomBytes(LEAST_BYTES));
}

function writeSecrets(folder: string, secrets: Secrets): Secrets {
  const { current, former } = secrets;
  const lines = [
    digitsOf(current),
    ...former.map(({ secret, untilMs }) => `${digitsOf(secret)} until ${new Date(untilMs).toISOString()}`),
  ];
  replacePrivateFile(join(folder, SECRET_FILE), `${lines.join("\n")}\n`);
  return secrets;
}

function digitsOf(secret: Uint8Array): string {
  return Buffer.from(secret).toString("hex");
}

/** Changes when another file takes this name. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeMs} ${found.size}`;
}
