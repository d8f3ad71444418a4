// Tokens and signed addresses while the secret changes: made under the one of now, believed under those before it too.
import type { Secrets } from "../../data/files/secret.ts";
import { createSignedUrls, SIGNED_URL_LIFETIME_SECONDS, type SignedUrls } from "./signed-urls.ts";
import { type AccessTokens, createAccessTokens, TOKEN_LIFETIME_SECONDS } from "./tokens.ts";

/** How long a rotation lets the old secret be believed: whatever was made under it has ended then. */
export const SECRET_OVERLAP_SECONDS = Math.max(TOKEN_LIFETIME_SECONDS, SIGNED_URL_LIFETIME_SECONDS);

interface Signers {
  accessTokens: AccessTokens;
  signedUrls: SignedUrls;
}

/** `secrets` is asked at every use, and gives the same array for the same secret, or what was verified is forgotten. */
export function createRotatingSigners(secrets: () => Secrets, nowMs: () => number): Signers {
  const made = new WeakMap<Uint8Array, Signers>();
  const under = (secret: Uint8Array): Signers => {
    let signers = made.get(secret);
    if (signers === undefined) {
      signers = { accessTokens: createAccessTokens(secret, nowMs), signedUrls: createSignedUrls(secret, nowMs) };
      made.set(secret, signers);
    }
    return signers;
  };
  const current = () => under(secrets().current);
  const all = () => {
    const { current, former } = secrets();
    return [current, ...former.map(({ secret }) => secret)].map(under);
  };
  return {
    accessTokens: {
      issue: (userKey, credential) => current().accessTokens.issue(userKey, credential),
      verify: async (token) => {
        for (const { accessTokens } of all()) {
          const claims = await accessTokens.verify(token);
          if (claims !== null) return claims;
        }
        return null;
      },
    },
    signedUrls: {
      sign: (target, range) => current().signedUrls.sign(target, range),
      verify: (target, query) => {
        const checks = all().map(({ signedUrls }) => signedUrls.verify(target, query));
        return checks.find((check) => check.ok || check.reason === "expired") ?? checks[0]!;
      },
    },
  };
}
