// The servers that this user has logged in to, and the keys for them: one file that nobody else may read (D119).
import { mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { replacePrivateFile } from "../../data/files/private-file.ts";
import { InputError } from "../../engine/input-error.ts";
import { SettingError } from "../common/setting-values.ts";

/** A server with the credential for it. */
export interface KnownServer {
  /** As `serverUrl` writes it. */
  url: string;
  /** The API key. It is never shown. */
  key: string;
  /** The key's id, where the login made the key: a logout revokes it. Null for a key that was given. */
  keyId: string | null;
  /** Certificates (PEM) of an authority that this machine does not know by itself. */
  ca: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `cupel/servers.json` in the user's folder for configuration. */
export function serversFile(environment: Environment): string {
  const { XDG_CONFIG_HOME: named = "" } = environment;
  const folder = isAbsolute(named) ? named : join(environment["HOME"] || homedir(), ".config");
  return join(folder, "cupel", "servers.json");
}

/** The latest login last; empty before the first. @throws InputError where the file is not what a login writes */
export function readServers(path: string): KnownServer[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw unusable(path);
  }
  const { servers } = parsed(text, path);
  if (!Array.isArray(servers) || !servers.every(isKnownServer)) throw unusable(path);
  return servers;
}

/** The file has the old content or the new, and only its owner may read it. */
export function writeServers(path: string, servers: readonly KnownServer[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replacePrivateFile(path, `${JSON.stringify({ servers }, null, 2)}\n`);
}

/**
 * An address in one spelling: without a slash at the end. @throws SettingError where it is none, or holds a password
 */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SettingError(
      `${JSON.stringify(text)} is no address of a server. Give one such as https://cupel.example.org`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new SettingError("An address may not hold a password: shells and logs keep it. Leave it out; login asks.");
  }
  return (url.origin + url.pathname).replace(/\/$/, "");
}

/** Whether requests leave this machine unencrypted. */
export function isUnprotected(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function parsed(text: string, path: string): { servers?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw unusable(path);
}

function isKnownServer(value: unknown): value is KnownServer {
  if (typeof value !== "object" || value === null) return false;
  const { url, key, keyId, ca } = value as Record<string, unknown>;
  const isTextOrNull = (field: unknown) => field === null || typeof field === "string";
  return typeof url === "string" && URL.canParse(url) && typeof key === "string" && [keyId, ca].every(isTextOrNull);
}

function unusable(path: string): InputError {
  return new InputError("SERVERS_FILE", `${path} is not as \`cupel login\` writes it. Remove it, and log in again.`);
}
