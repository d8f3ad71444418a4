// Keys for separate purposes, derived from the one secret of a state folder.
import { hkdfSync } from "node:crypto";

const LEAST_SECRET_BYTES = 32;
const KEY_BYTES = 32;

/** A label never changes its meaning: a new purpose gets a new label. */
export type KeyPurpose = "cupel access tokens v1" | "cupel signed uploads v1";

/**
 * The 32-byte key of a purpose (HKDF-SHA-256, RFC 5869). Keys tell nothing of each other or of the secret, so a
 * signature for one purpose is worthless for another. Throws if the secret is shorter than 32 bytes.
 */
export function deriveKey(secret: Uint8Array, purpose: KeyPurpose): Uint8Array {
  if (secret.length < LEAST_SECRET_BYTES) {
    throw new Error(`the secret has ${secret.length} bytes; it must have at least ${LEAST_SECRET_BYTES}`);
  }
  return new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(0), purpose, KEY_BYTES));
}
