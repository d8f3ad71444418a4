// Access tokens: JSON Web Tokens (HS256) from a login.
import { createSecretKey } from "node:crypto";
import { jwt } from "@elysiajs/jwt";
import { RecentMap } from "../common/recent-map.ts";
import { deriveKey } from "./derived-key.ts";

/** How long a token is valid (contract 4.1 and 5); there is no refresh. */
export const TOKEN_LIFETIME_SECONDS = 3_600;

/** Our tokens have about 210 characters; far longer texts are not examined. */
const MOST_TOKEN_CHARACTERS = 1_024;
const REMEMBERED_TOKENS = 1_000;

/**
 * Three parts of base64url. The signature's 32 bytes leave two bits of its last character unused;
 * they must be zero, or one signature would have four spellings.
 */
const TOKEN_FORM = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

const RULES = { algorithms: ["HS256"], requiredClaims: ["exp", "sub"], typ: "JWT", clockTolerance: 0 };

interface TokenClaims {
  userKey: string;
  /** The credential of the login, with which the token ends. */
  credential: string;
  expiresSeconds: number;
}

export interface AccessTokens {
  /** A new token for a user, valid for TOKEN_LIFETIME_SECONDS. */
  issue(userKey: string, credential: string): Promise<string>;
  /**
   * The claims of a valid token, whose user may no longer exist; "expired" for one of ours that was valid, else null.
   */
  verify(token: string): Promise<TokenClaims | "expired" | null>;
}

/**
 * Uses the @elysiajs/jwt plugin under stricter rules: by itself it accepts other HMACs and tokens that never expire. It
 * is not mounted into the app, where a handler could bypass the rules.
 *
 * Verifying costs about 30 µs, twice the rest of a request; a token seen before costs 1 µs. Expiry is always checked.
 */
export function createAccessTokens(secret: Uint8Array, nowMs: () => number): AccessTokens {
  const key = createSecretKey(deriveKey(secret, "cupel access tokens v1"));
  const { signer } = jwt({ name: "signer", secret: key, alg: "HS256", typ: "JWT" }).decorator;
  const verified = new RecentMap<string, TokenClaims>(REMEMBERED_TOKENS);

  return {
    issue: (userKey, credential) =>
      signer.sign({ sub: userKey, credential, exp: Math.floor(nowMs() / 1_000) + TOKEN_LIFETIME_SECONDS }),

    verify: async (token) => {
      if (token.length > MOST_TOKEN_CHARACTERS || !TOKEN_FORM.test(token)) return null;
      const claimsAt = async (ms: number) => {
        const payload = await signer.verify(token, { ...RULES, currentDate: new Date(ms) });
        return payload === false ? null : readClaims(payload);
      };
      // By hash: comparisons in the map tell nothing about tokens, and none stays in memory.
      const fingerprint = Bun.SHA256.hash(token, "base64");
      const known = verified.get(fingerprint);
      const nowSeconds = nowMs() / 1_000;
      if (known !== undefined) return known.expiresSeconds > nowSeconds ? known : "expired";
      const claims = await claimsAt(nowMs());
      if (claims !== null) {
        verified.set(fingerprint, claims);
        return claims;
      }
      const endSeconds = namedEnd(token);
      if (endSeconds === null || endSeconds > nowSeconds) return null;
      return (await claimsAt(endSeconds * 1_000 - 1)) === null ? null : "expired";
    },
  };
}

/** The end that a token names, whoever signed it; null where it names none. Its form has been checked. */
function namedEnd(token: string): number | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
    const end = (payload as { exp?: unknown } | null)?.exp;
    return Number.isSafeInteger(end) && (end as number) > 0 && (end as number) < 2 ** 32 ? (end as number) : null;
  } catch {
    return null;
  }
}

function readClaims(payload: Record<string, unknown>): TokenClaims | null {
  const { sub: userKey, credential, exp: expiresSeconds } = payload;
  if (typeof userKey !== "string" || typeof credential !== "string" || typeof expiresSeconds !== "number") return null;
  return { userKey, credential, expiresSeconds };
}
