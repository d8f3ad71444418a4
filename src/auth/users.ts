// Who may log in: administrators see the accounts, add, disable, enable and remove them; everyone sees their own.

import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import type { AuditAction } from "../../data/audit-actions.ts";
import type { Database } from "../../data/database/database.ts";
import {
  disableUser,
  EMAIL_FORM,
  enableUser,
  findUser,
  insertUser,
  listUsers,
  MOST_EMAIL_CHARACTERS,
  setPasswordHash,
  type User,
} from "../../data/users.ts";
import { EXAMPLES } from "../api/examples.ts";
import type { Services } from "../api/services.ts";
import { audited } from "../http/audited.ts";
import { pageAnswer, pageOf, pageQuery, SEARCH_QUERY } from "../http/paging.ts";
import { ApiError, noSuch } from "../http/problem.ts";
import { type Call, type Route, route } from "../http/route.ts";
import { Instant, Key, oneOf, orNull, shown } from "../http/schemas.ts";
import { requireAdministrator } from "./bearer.ts";
import { ownPasswordRoute } from "./own-password.ts";
import { generatePassword, hashPassword } from "./passwords.ts";
import { isRemoved, removeUser } from "./remove-user.ts";

const Email = Type.String({ maxLength: MOST_EMAIL_CHARACTERS, description: "The name to log in with." });
const Role = oneOf(["user", "admin"]);
const Account = Type.Object({ userKey: Key, email: Type.String(), role: Role });
const UserItem = Type.Object({
  ...Account.properties,
  createdOn: Instant,
  disabledOn: orNull(Type.String({ format: "date-time", description: "Since when logins and API keys are refused." })),
});
const Password = Type.String({ description: "Made up by the server. It is shown this once and is not stored." });
const AddedUser = Type.Object({ ...UserItem.properties, password: Password });
export type Account = Static<typeof Account>;
export type UserItem = Static<typeof UserItem>;
export type AddedUser = Static<typeof AddedUser>;

const ACCOUNT = { userKey: EXAMPLES.userKey, email: "ada@example.org", role: "user" } as const;
const EXAMPLE = { ...ACCOUNT, createdOn: EXAMPLES.createdOn, disabledOn: null };
const DECISIONS = ["D61"];

/** Only a login may, not an API key: `scopes` is empty. */
const BY_ADMINISTRATORS = { tag: "Users", decisions: DECISIONS, scopes: [] } as const;

export function userRoutes(services: Services): Route[] {
  return [
    accountRoute(),
    ownPasswordRoute(services),
    listRoute(services),
    addRoute(services),
    changeRoute(services),
    passwordRoute(services),
    removeRoute(services),
  ];
}

function accountRoute(): Route {
  return route({
    method: "GET",
    path: "/api/v1/account",
    operationId: "getAccount",
    tag: "Login",
    summary: "Whose credential this is",
    decisions: DECISIONS,
    scopes: ["read", "write", "predict"],
    answer: { status: 200, description: "The account.", schema: Account, example: ACCOUNT },
    handle: ({ caller: { userKey, email, role } }) => ({ userKey, email, role }),
  });
}

function listRoute({ database }: Services): Route {
  return route({
    ...BY_ADMINISTRATORS,
    method: "GET",
    path: "/api/v1/users",
    operationId: "listUsers",
    summary: "List the users",
    description: "In the order in which they were added; `search` looks at the e-mail address. For administrators.",
    decisions: ["D24", ...DECISIONS],
    query: { ...pageQuery(), ...SEARCH_QUERY },
    answer: pageOf("users", UserItem, EXAMPLE, "A page of users."),
    handle: ({ query, caller }) => {
      requireAdministrator(caller);
      return pageAnswer("users", listUsers(database, query), query, showUser);
    },
  });
}

function addRoute(services: Services): Route {
  const { database, now } = services;
  return route({
    ...BY_ADMINISTRATORS,
    method: "POST",
    path: "/api/v1/users",
    operationId: "addUser",
    summary: "Add a user",
    description: "The answer has the password, for the administrator to hand over. For administrators.",
    body: Type.Object({ email: Email, role: Role }),
    bodyExample: { email: EXAMPLE.email, role: EXAMPLE.role },
    answer: {
      status: 201,
      description: "The user, with the password.",
      schema: AddedUser,
      example: { ...EXAMPLE, password: "…" },
    },
    problems: ["NAME_TAKEN"],
    handle: async (call) => {
      requireAdministrator(call.caller);
      const { role } = call.body;
      const email = checkedEmail(call.body.email);
      const password = generatePassword();
      const asked = { key: randomUUID(), email, passwordHash: await hashPassword(password), role };
      const added = audited(
        services,
        call,
        () => insertUser(database, asked, now()),
        (user) => (user === null ? null : { action: "USER_ADDED", objectKey: user.key, detail: email }),
      );
      if (added === null) throw new ApiError("NAME_TAKEN", `There is already a user ${email}.`);
      return { ...showUser(added), password };
    },
  });
}

function changeRoute(services: Services): Route {
  const { database, now } = services;
  return route({
    ...BY_ADMINISTRATORS,
    method: "PATCH",
    path: "/api/v1/users/{userKey}",
    operationId: "changeUser",
    summary: "Disable or enable a user",
    description:
      "A disabled user keeps everything, but logins, tokens and API keys are refused from now on. Once enabled, the API keys " +
      "are good again; tokens of before stay ended. Nobody can disable themselves. For administrators.",
    decisions: [...DECISIONS, "D82"],
    body: Type.Object({ disabled: Type.Boolean() }),
    bodyExample: { disabled: true },
    answer: { status: 200, description: "The user.", schema: UserItem, example: EXAMPLE },
    problems: ["NOT_FOUND", "OWN_ACCOUNT"],
    handle: (call) => {
      const { disabled } = call.body;
      const user = findOther(services, call, "disabled");
      changeNoted(services, call, user, disabled ? "USER_DISABLED" : "USER_ENABLED", () =>
        disabled ? disableUser(database, user.key, now()) : enableUser(database, user.key),
      );
      return showUser(findUser(database, user.key) ?? user);
    },
  });
}

function passwordRoute(services: Services): Route {
  const { database } = services;
  return route({
    ...BY_ADMINISTRATORS,
    method: "POST",
    path: "/api/v1/users/{userKey}/password",
    operationId: "renewPassword",
    summary: "Give a user a new password",
    description:
      "The answer has it, for the administrator to hand over. Logins with the old one end; API keys stay good. For " +
      "administrators.",
    answer: {
      status: 200,
      description: "The password.",
      schema: Type.Object({ password: Password }),
      example: { password: "…" },
    },
    problems: ["NOT_FOUND"],
    handle: async (call) => {
      requireAdministrator(call.caller);
      const user = findAccount(database, call.params.userKey);
      const password = generatePassword();
      const passwordHash = await hashPassword(password);
      changeNoted(services, call, user, "USER_PASSWORD_CHANGED", () =>
        setPasswordHash(database, user.key, passwordHash),
      );
      return { password };
    },
  });
}

function removeRoute(services: Services): Route {
  const { database, now } = services;
  return route({
    ...BY_ADMINISTRATORS,
    method: "DELETE",
    path: "/api/v1/users/{userKey}",
    operationId: "removeUser",
    summary: "Remove a user",
    description:
      "For good: tokens and API keys fail from now on, and what the user made is out of everyone's reach. Nobody can " +
      "remove themselves. For administrators.",
    answer: { status: 204, description: "The user is gone." },
    problems: ["NOT_FOUND", "OWN_ACCOUNT"],
    handle: async (call) => {
      const user = findOther(services, call, "removed");
      const unusableHash = await hashPassword(generatePassword());
      changeNoted(services, call, user, "USER_REMOVED", () => {
        removeUser(database, user.key, unusableHash, now());
        return true;
      });
      return undefined;
    },
  });
}

type UserCall = Pick<Call<{ userKey: string }>, "params" | "caller" | "clientAddress" | "requestId">;

/** @throws ApiError FORBIDDEN, NOT_FOUND, or OWN_ACCOUNT: the last administrator must not lock everybody out */
function findOther({ database }: Services, { params, caller }: UserCall, change: string): User {
  requireAdministrator(caller);
  if (params.userKey === caller.userKey) {
    throw new ApiError("OWN_ACCOUNT", `This is your own account; only another administrator can have it ${change}.`);
  }
  return findAccount(database, params.userKey);
}

function findAccount(database: Database, key: string): User {
  const user = findUser(database, key);
  if (user === null || isRemoved(user)) throw noSuch("user");
  return user;
}

/** Makes a change that answers false where the user has gone meanwhile. */
function changeNoted(
  services: Services,
  call: UserCall,
  { key, email }: User,
  action: AuditAction,
  change: () => boolean,
): void {
  const isDone = audited(services, call, change, (done) => (done ? { action, objectKey: key, detail: email } : null));
  if (!isDone) throw noSuch("user");
}

function checkedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (EMAIL_FORM.test(email)) return email;
  const message = '"email" must be an e-mail address, such as ada@example.org.';
  throw new ApiError("VALIDATION_FAILED", message, { errors: [{ field: "email", code: "PATTERN", message }] });
}

function showUser(user: User): UserItem {
  return shown(UserItem, { ...user, userKey: user.key });
}
