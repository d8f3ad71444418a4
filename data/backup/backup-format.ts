// The format of a backup: a tar archive of a state folder's files. Its first
// file names the format, its last lists the others.
//
//   cupel-backup.json   the format, the time, the version of the program
//   state/…             cupel.db, secret.key, and the files that the database's rows name
//   manifest.json       path, size and SHA-256 of each of these
//   manifest.sha256     the hash of the manifest, as sha256sum writes it
//
// Any tar program unpacks it; `state/` is then a state folder.
import { createHash } from "node:crypto";
import { DATABASE_FILE } from "../database/database.ts";
import { SECRET_FILE } from "../database/secret.ts";
import type { StoredFile } from "../files/file-store.ts";
import { isStatePath } from "../files/state-folder.ts";

export const ABOUT = "cupel-backup.json";
export const MANIFEST = "manifest.json";
export const MANIFEST_HASH = "manifest.sha256";

const FORMAT = "cupel-backup";
const FORMAT_VERSION = 1;
const STATE = "state/";

export interface BackupAbout {
  /** The version that made it. */
  cupelVersion: string;
  createdOn: Date;
}

/** The path in the archive of a file of the state folder. */
export function archivePath(statePath: string): string {
  return `${STATE}${statePath}`;
}

/** The reverse; null for a path that no backup holds. */
export function statePathOf(path: string): string | null {
  const statePath = path.slice(STATE.length);
  const isKnown = statePath === DATABASE_FILE || statePath === SECRET_FILE || isStatePath(statePath);
  return path.startsWith(STATE) && isKnown ? statePath : null;
}

export function formatAbout({ cupelVersion, createdOn }: BackupAbout): string {
  const about = { format: FORMAT, formatVersion: FORMAT_VERSION, cupelVersion, createdOn: createdOn.toISOString() };
  return `${JSON.stringify(about, null, 2)}\n`;
}

/** "newer" for a later format than this program knows; null for anything else that it does not write. */
export function parseAbout(text: string): BackupAbout | "newer" | null {
  const { format, formatVersion, cupelVersion, createdOn } = objectOf(text);
  if (format !== FORMAT || typeof formatVersion !== "number") return null;
  if (formatVersion > FORMAT_VERSION) return "newer";
  if (typeof cupelVersion !== "string" || typeof createdOn !== "string") return null;
  const date = new Date(createdOn);
  return Number.isNaN(date.getTime()) ? null : { cupelVersion, createdOn: date };
}

export function formatManifest(files: readonly StoredFile[]): string {
  return `{"files":[\n${files.map((file) => JSON.stringify(file)).join(",\n")}\n]}\n`;
}

export function formatManifestHash(manifest: Uint8Array | string): string {
  return `${createHash("sha256").update(manifest).digest("hex")}  ${MANIFEST}\n`;
}

/** Null for anything else. */
export function parseManifest(text: string): StoredFile[] | null {
  const { files } = objectOf(text);
  return Array.isArray(files) && files.every(isStoredFile) ? files : null;
}

function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== "object" || value === null) return false;
  const { path, sizeBytes, sha256 } = value as Record<string, unknown>;
  return typeof path === "string" && typeof sizeBytes === "number" && typeof sha256 === "string";
}

/** Empty where the text is no JSON object. */
function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
