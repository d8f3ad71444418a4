// API keys: their form, how one is made, what is stored of it, and what its scopes allow.
import { createHash, randomBytes } from "node:crypto";

/** `cupel_` and 32 random bytes in base64url: easy to find in a log or a repository. */
const API_KEY_FORM = /^cupel_[\w-]{43}$/;

/**
 * The rights of an API key. None includes another.
 * - `read`: every GET of the owner's things
 * - `write`: create, upload, start, cancel, change and delete refinements, datasets, training jobs and models
 * - `predict`: create predictions, and read predictions and models; the one scope that a scoring job needs
 * - `metrics`: read the figures of the service, where the owner is an administrator
 *
 * A login's token may do all of it, and alone may make, list and revoke API keys.
 */
export const SCOPES = ["read", "write", "predict", "metrics"] as const;
export type Scope = (typeof SCOPES)[number];

export interface NewApiKey {
  /** Shown once and never stored. */
  apiKey: string;
  /** Stored in its place. */
  tokenHash: string;
}

export function makeApiKey(): NewApiKey {
  const apiKey = `cupel_${randomBytes(32).toString("base64url")}`;
  return { apiKey, tokenHash: hashApiKey(apiKey) };
}

export function isApiKey(text: string): boolean {
  return API_KEY_FORM.test(text);
}

/** SHA-256 in hexadecimal. 256 random bits need no slow hash, and the time of a look-up by hash tells nothing. */
export function hashApiKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
