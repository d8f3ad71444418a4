// Tokens and signed addresses across rotations: signed with the current secret, verified with former ones too.

import { oncePer } from "../../data/database/once-per.ts";
import type { Secrets } from "../../data/database/secret.ts";
import { createSignedUrls, SIGNED_URL_LIFETIME_SECONDS, type SignedUrls } from "./signed-urls.ts";
import { type AccessTokens, createAccessTokens, TOKEN_LIFETIME_SECONDS } from "./tokens.ts";

/** A former secret stays valid until all that it signed has expired. */
export const SECRET_OVERLAP_SECONDS = Math.max(TOKEN_LIFETIME_SECONDS, SIGNED_URL_LIFETIME_SECONDS);

interface Signers {
  accessTokens: AccessTokens;
  signedUrls: SignedUrls;
}

/** Calls `secrets` at every use; it must return the same array for the same secret, by which signers are cached. */
export function createRotatingSigners(secrets: () => Secrets, nowMs: () => number): Signers {
  const under = oncePer(
    (secret: Uint8Array): Signers => ({
      accessTokens: createAccessTokens(secret, nowMs),
      signedUrls: createSignedUrls(secret, nowMs),
    }),
  );
  const current = () => under(secrets().current);
  const keysInUse = () => {
    const { current, former } = secrets();
    return [current, ...former.map(({ secret }) => secret)].map(under);
  };
  return {
    accessTokens: {
      issue: (userKey, credential) => current().accessTokens.issue(userKey, credential),
      verify: async (token) => {
        for (const { accessTokens } of keysInUse()) {
          const claims = await accessTokens.verify(token);
          if (claims !== null) return claims;
        }
        return null;
      },
    },
    signedUrls: {
      sign: (target, range) => current().signedUrls.sign(target, range),
      verify: (target, query) => {
        const checks = keysInUse().map(({ signedUrls }) => signedUrls.verify(target, query));
        return checks.find((check) => check.ok || check.reason === "expired") ?? checks[0]!;
      },
    },
  };
}
