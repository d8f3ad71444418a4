// Signed upload addresses: the holder may send one file to one place for an hour, without another credential.
import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "./derived-key.ts";

export const SIGNED_URL_LIFETIME_SECONDS = 3_600;

/** The signed part of an address (D33): not host, scheme and base path, which differ behind a proxy. */
export interface SignedTarget {
  method: string;
  /** From `/api/` on. */
  path: string;
  /** The resource that the file belongs to. */
  key: string;
  /** Which of its files: TRAIN, TEST or DATASET. */
  kind: string;
}

export interface SizeRange {
  leastBytes: number;
  mostBytes: number;
}

/** `bad` covers every other fault, of which a client is told no more. */
type SignatureCheck = ({ ok: true; expiresMs: number } & SizeRange) | { ok: false; reason: "expired" | "bad" };

export interface SignedUrls {
  /** The query string (without `?`) that makes `target.path` a signed address for the next hour. */
  sign(target: SignedTarget, range: SizeRange): string;
  /** Whether `sign` made a query string (with or without `?`) for this target, and it has not expired. */
  verify(target: SignedTarget, query: string): SignatureCheck;
}

const BAD = { ok: false, reason: "bad" } as const;

/** HMAC-SHA-256 with a key derived for this purpose; compares in constant time. */
export function createSignedUrls(secret: Uint8Array, nowMs: () => number): SignedUrls {
  const key = deriveKey(secret, "cupel signed uploads v1");
  return {
    sign: (target, range) => {
      const expires = Math.floor(nowMs() / 1_000) + SIGNED_URL_LIFETIME_SECONDS;
      const terms = { expires: String(expires), least: String(range.leastBytes), most: String(range.mostBytes) };
      return new URLSearchParams({ ...terms, signature: signatureOf(key, target, terms) }).toString();
    },

    verify: (target, query) => {
      const terms = readTerms(query);
      if (terms === null) return BAD;
      const sentSignature = Buffer.from(terms.signature);
      const expected = Buffer.from(signatureOf(key, target, terms));
      if (sentSignature.length !== expected.length || !timingSafeEqual(sentSignature, expected)) return BAD;
      const expiresMs = Number(terms.expires) * 1_000;
      if (expiresMs <= nowMs()) return { ok: false, reason: "expired" };
      return { ok: true, expiresMs, leastBytes: Number(terms.least), mostBytes: Number(terms.most) };
    },
  };
}

interface Terms {
  expires: string;
  least: string;
  most: string;
}

/** A JSON list keeps the parts apart: no two targets are signed alike. */
function signatureOf(key: Uint8Array, { method, path, key: resourceKey, kind }: SignedTarget, terms: Terms): string {
  const message = JSON.stringify([method, path, resourceKey, kind, terms.expires, terms.least, terms.most]);
  return createHmac("sha256", key).update(message).digest("base64url");
}

/** Exactly the four parameters, in any order, as text, so that each has one spelling. */
function readTerms(query: string): (Terms & { signature: string }) | null {
  const parameters = new URLSearchParams(query);
  const [expires, least, most, signature] = ["expires", "least", "most", "signature"].map((name) =>
    parameters.get(name),
  );
  if (parameters.size !== 4 || !expires || !least || !most || !signature) return null;
  return { expires, least, most, signature };
}
