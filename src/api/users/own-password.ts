// Changes the caller's own password, given the present one (D61).

import { Type } from "@sinclair/typebox";
import { findUser, setPasswordHash } from "../../../data/users.ts";
import { hashPassword, LEAST_PASSWORD_CHARACTERS, passwordComplaint, verifyPassword } from "../../auth/passwords.ts";
import { ApiError, wrongField } from "../../http/problem.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import type { Services } from "../services.ts";
import { tooManyFailures, UNKNOWN_ADDRESS } from "./login.ts";

const NewPassword = Type.Object({
  currentPassword: Type.String({ maxLength: 1_024 }),
  newPassword: Type.String({ maxLength: 1_024, description: `At least ${LEAST_PASSWORD_CHARACTERS} characters.` }),
});

export function ownPasswordRoute(services: Services): Route {
  const { database, loginLimit } = services;
  return route({
    method: "POST",
    path: "/api/v1/account/password",
    operationId: "changeOwnPassword",
    tag: "Login",
    summary: "Change your password",
    description: "Ends all your logins, with this one: log in with the new password. API keys stay valid.",
    decisions: ["D34", "D61"],
    scopes: [],
    body: NewPassword,
    bodyExample: { currentPassword: "…", newPassword: "correct horse battery staple" },
    answer: { status: 204, description: "The password is changed." },
    problems: ["LOGIN_FAILED", "TOO_MANY_REQUESTS"],
    handle: async (call) => {
      const { userKey, email } = call.caller;
      const { currentPassword, newPassword } = call.body;
      const message = passwordComplaint(newPassword);
      if (message !== null) throw wrongField("newPassword", "PASSWORD", message);
      // Guesses count as failed logins.
      const admission = await loginLimit.admit(call.clientAddress ?? UNKNOWN_ADDRESS, email);
      if (!admission.admitted) throw tooManyFailures(admission.retryAfterSeconds);
      const user = findUser(database, userKey);
      const isRight = await verifyPassword(currentPassword, user);
      admission.end(isRight ? "succeeded" : "failed");
      if (!isRight) throw new ApiError("LOGIN_FAILED", "The current password is wrong.");
      const passwordHash = await hashPassword(newPassword);
      audited(
        services,
        call,
        () => setPasswordHash(database, userKey, passwordHash),
        (done) => (done ? { action: "USER_PASSWORD_CHANGED", objectKey: userKey, detail: email } : null),
      );
      return undefined;
    },
  });
}
