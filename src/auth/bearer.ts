// Identifies the caller by an Authorization header: the token of a login, or an API key.
import { findLiveApiKey, LAST_USED_STEP_MS, markApiKeyUsed } from "../../data/api-keys.ts";
import type { Database } from "../../data/database/database.ts";
import { findUser, type User } from "../../data/users.ts";
import { ApiError } from "../http/problem.ts";
import { unlessDisk } from "../storage/storage-fault.ts";
import { hashApiKey, isApiKey, isScope, type Scope } from "./api-key.ts";
import type { AccessTokens } from "./tokens.ts";

/** The `WWW-Authenticate` header of every 401 except the login's (D32). */
export const INVALID_TOKEN_CHALLENGE = 'Bearer error="invalid_token"';
const EXPIRED_TOKEN_CHALLENGE = `${INVALID_TOKEN_CHALLENGE}, error_description="The access token has expired"`;

/** RFC 6750: the scheme in any case, one or more blanks, the token. */
const BEARER_FORM = /^bearer +([\w.~+/-]+=*) *$/i;

export interface Caller {
  userKey: string;
  email: string;
  role: User["role"];
  /** The scopes of an API key; null for a login, which has all rights of its user. */
  scopes: readonly Scope[] | null;
  /** Null after a login. */
  apiKeyId: string | null;
}

export interface Bearers {
  /** A token for a user whose password has just been verified. */
  issue(user: User): Promise<string>;
  /**
   * The caller, or null for a 401. Asks the database every time: once the user is disabled or removed, the password
   * changed or the key revoked, the next request fails.
   *
   * @throws ApiError TOKEN_EXPIRED for a login's token that was valid (D115)
   */
  identify(authorization: string | null | undefined): Promise<Caller | null>;
}

export function createBearers(database: Database, tokens: AccessTokens, nowMs: () => number): Bearers {
  return {
    issue: (user) => tokens.issue(user.key, credentialOf(user)),
    identify: async (authorization) => {
      const text = BEARER_FORM.exec(authorization ?? "")?.[1];
      if (text === undefined) return null;
      return isApiKey(text) ? byApiKey(database, text, nowMs()) : byToken(database, tokens, text);
    },
  };
}

/** Whether a caller has one of these scopes. */
export function hasScope({ scopes }: Caller, ...anyOf: readonly Scope[]): boolean {
  return scopes === null || anyOf.some((scope) => scopes.includes(scope));
}

/** @throws ApiError FORBIDDEN */
export function requireAdministrator({ role }: Caller): void {
  if (role !== "admin") throw new ApiError("FORBIDDEN", "This needs the credential of an administrator.");
}

async function byToken(database: Database, tokens: AccessTokens, text: string): Promise<Caller | null> {
  const claims = await tokens.verify(text);
  if (claims === null) return null;
  if (claims === "expired") {
    throw new ApiError("TOKEN_EXPIRED", "The access token has expired; it was valid for one hour.", {
      headers: { "www-authenticate": EXPIRED_TOKEN_CHALLENGE },
    });
  }
  const user = findUser(database, claims.userKey);
  if (user === null || user.disabledOn !== null || credentialOf(user) !== claims.credential) return null;
  return callerOf(user, null, null);
}

function byApiKey(database: Database, text: string, nowMs: number): Caller | null {
  const now = new Date(nowMs);
  const found = findLiveApiKey(database, hashApiKey(text), now);
  if (found === null) return null;
  const { apiKey, user } = found;
  if (apiKey.lastUsedOn === null || Date.parse(apiKey.lastUsedOn) + LAST_USED_STEP_MS < nowMs) {
    unlessDisk(() => markApiKeyUsed(database, apiKey.key, now));
  }
  return callerOf(user, apiKey.scopes.filter(isScope), apiKey.key);
}

/**
 * Changes with the user's password and each time the user is disabled, which ends earlier tokens.
 * The hash is salted, so this tells nothing about the password.
 */
function credentialOf({ passwordHash, credentialNumber }: User): string {
  return Bun.SHA256.hash(`${passwordHash}${credentialNumber || ""}`, "base64url").slice(0, 22);
}

function callerOf({ key, email, role }: User, scopes: Caller["scopes"], apiKeyId: string | null): Caller {
  return { userKey: key, email, role, scopes, apiKeyId };
}
