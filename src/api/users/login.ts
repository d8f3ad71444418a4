// Login: a user name and a password for an access token (contract 4.1).

import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import { findUserByEmail, renewPasswordHash, type User } from "../../../data/users.ts";
import { FAILURE_WINDOW_SECONDS, MOST_FAILURES } from "../../auth/login-limit.ts";
import { hashPassword, isOutdated, verifyPassword } from "../../auth/passwords.ts";
import { TOKEN_LIFETIME_SECONDS } from "../../auth/tokens.ts";
import { ApiError } from "../../http/problem.ts";
import { named } from "../../http/schemas.ts";
import { openRoute, type Route } from "../../routing/route.ts";
import { unlessDisk } from "../../storage/storage-fault.ts";
import { actorOf, noteAudit } from "../audited.ts";
import type { Services } from "../services.ts";

const Login = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 320, description: "The e-mail address of the user." }),
  password: Type.String({ minLength: 1, maxLength: 4_096 }),
});

const Token = Type.Object({
  access_token: Type.String({ description: "Send it as `Authorization: Bearer …`; there is no refresh." }),
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Integer({ description: "Seconds." }),
  username: Type.String({ description: "As it was sent." }),
});

named({ Login, AccessToken: Token });

export type Token = Static<typeof Token>;

const EXAMPLE = {
  access_token: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.….…",
  token_type: "Bearer",
  expires_in: TOKEN_LIFETIME_SECONDS,
  username: "ada@example.org",
} as const satisfies Static<typeof Token>;

/** Stands for the address of a connection that has none. */
export const UNKNOWN_ADDRESS = "unknown";

export function loginRoutes(services: Services): Route[] {
  const { database, bearers, loginLimit } = services;
  return [
    openRoute({
      method: "POST",
      path: "/api/login",
      operationId: "login",
      tag: "Login",
      summary: "Log in",
      description:
        "Returns an access token that is valid for one hour. " +
        "An unknown user, a wrong password and a disabled account get the same answer. " +
        `After ${MOST_FAILURES} failures in ${FAILURE_WINDOW_SECONDS / 60} minutes from one ` +
        "address or for one user, further attempts have to wait.",
      decisions: ["D32", "D34", "D48"],
      body: Login,
      bodyExample: { username: EXAMPLE.username, password: "correct horse battery staple" },
      answer: { status: 200, description: "The token.", schema: Token, example: EXAMPLE },
      problems: ["LOGIN_FAILED", "TOO_MANY_REQUESTS"],
      handle: async (call) => {
        const { username, password } = call.body;
        const admission = await loginLimit.admit(call.clientAddress ?? UNKNOWN_ADDRESS, username);
        if (!admission.admitted) throw tooManyFailures(admission.retryAfterSeconds);
        let outcome: "succeeded" | "failed" | "abandoned" = "abandoned";
        try {
          const known = findUserByEmail(database, username);
          const user = await verified(database, known, password);
          outcome = user === null ? "failed" : "succeeded";
          noteLogin(services, call, known, user === null ? "LOGIN_REFUSED" : "LOGIN");
          if (user === null) throw loginFailed();
          const token = await bearers.issue(user);
          return { access_token: token, token_type: "Bearer" as const, expires_in: TOKEN_LIFETIME_SECONDS, username };
        } finally {
          admission.end(outcome);
        }
      },
    }),
  ];
}

async function verified(database: Database, user: User | null, password: string): Promise<User | null> {
  if (!(await verifyPassword(password, user)) || user === null) return null;
  if (!isOutdated(user.passwordHash)) return user;
  const renewed = await hashPassword(password);
  // Once after an upgrade to a higher cost. Ends the user's other logins: tokens are bound to the hash.
  return unlessDisk(() => renewPasswordHash(database, user, renewed)) ?? user;
}

/** Records the account that was tried. An unknown name is not recorded: it may be a password in the wrong field. */
function noteLogin(
  services: Services,
  call: Parameters<typeof actorOf>[0],
  user: User | null,
  action: "LOGIN" | "LOGIN_REFUSED",
): void {
  const { key: userKey = null, email = null } = user ?? {};
  noteAudit(services, { ...actorOf(call), userKey, email }, { action, objectKey: null });
}

function loginFailed(): ApiError {
  return new ApiError("LOGIN_FAILED", "The user name or the password is wrong, or the account is disabled.", {
    headers: { "www-authenticate": "Bearer" },
  });
}

export function tooManyFailures(retryAfterSeconds: number): ApiError {
  return new ApiError("TOO_MANY_REQUESTS", `Too many logins have failed; try again in ${retryAfterSeconds} s.`, {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}
