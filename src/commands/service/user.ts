// `cupel user`: manages who may log in, whether the service runs or not.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { COMMAND_LINE, recordAudit } from "../../../data/audit.ts";
import type { AuditAction } from "../../../data/database/audit-actions.ts";
import type { Database } from "../../../data/database/database.ts";
import {
  disableUser,
  EMAIL_FORM,
  enableUser,
  findUserByEmail,
  insertUser,
  isLastAdministrator,
  listUsers,
  MOST_EMAIL_CHARACTERS,
  setPasswordHash,
  type User,
} from "../../../data/users.ts";
import { InputError } from "../../../engine/input-error.ts";
import { generatePassword, hashPassword, MOST_PASSWORD_BYTES, passwordComplaint } from "../../auth/passwords.ts";
import { isRemoved, removeUser } from "../../auth/remove-user.ts";
import { EXIT } from "../../common/exit-codes.ts";
import type { Console } from "../console.ts";
import { hasDatabase, openBesideServer, openToList } from "./beside-server.ts";

export type UserAction = "add" | "list" | "password" | "disable" | "enable" | "remove";

export interface UserOptions {
  dataFolder: string;
  /** The user's address; null for `list`. */
  email: string | null;
  /** For `add`. */
  admin: boolean;
  /** For `add` and `password`; null for a generated password that is printed once. */
  readPassword: (() => Promise<string>) | null;
}

const LINE_FEED = 10;

/**
 * Performs one action. A running server sees the change with its next request.
 *
 * @throws InputError for an unknown or taken address, a refused password, the last administrator, or a folder that
 * cannot be used
 */
export async function userCommand(action: UserAction, options: UserOptions, console: Console): Promise<number> {
  const isNew = action === "add" && !hasDatabase(options.dataFolder);
  const database = await openFolder(options.dataFolder, action);
  try {
    // The folder may be mistyped.
    if (isNew) console.print(`There was no state of a service in ${options.dataFolder}: one begins there.`);
    console.print(...(await ACTIONS[action](database, options)));
  } finally {
    database.close();
  }
  return EXIT.done;
}

/**
 * Reads the first line for `--password-stdin`, without its line end.
 *
 * @throws InputError where it is not UTF-8
 */
export async function readPasswordLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    byteCount += chunk.length;
    // Enough to see that the password is too long.
    if (chunk.includes(LINE_FEED) || byteCount > 2 * MOST_PASSWORD_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf(LINE_FEED);
  try {
    const line = new TextDecoder("utf-8", { fatal: true }).decode(end < 0 ? bytes : bytes.subarray(0, end));
    return line.replace(/\r$/, "");
  } catch {
    throw new InputError("PASSWORD_REFUSED", "The password on standard input is not UTF-8 text.");
  }
}

/** Each action returns the lines to print. */
const ACTIONS: Record<UserAction, (database: Database, options: UserOptions) => Promise<string[]> | string[]> = {
  add,
  list,
  password: changePassword,
  disable,
  enable,
  remove,
};

async function add(database: Database, options: UserOptions): Promise<string[]> {
  const email = emailOf(options);
  const taken = () => new InputError("USER_EXISTS", `There is already a user ${email}.`);
  if (findUserByEmail(database, email) !== null) throw taken();
  const { password, shown } = await choosePassword(options);
  const role = options.admin ? "admin" : "user";
  const user = { key: randomUUID(), email, passwordHash: await hashPassword(password), role } as const;
  const isAdded = noted(database, "USER_ADDED", user, (now) => insertUser(database, user, now) !== null);
  if (!isAdded) throw taken();
  return [`Added ${email}${options.admin ? " as an admin" : ""}.`, ...shown];
}

async function changePassword(database: Database, options: UserOptions): Promise<string[]> {
  const user = findNamed(database, options);
  const { key, email } = user;
  const { password, shown } = await choosePassword(options);
  const passwordHash = await hashPassword(password);
  change(database, "USER_PASSWORD_CHANGED", user, () => setPasswordHash(database, key, passwordHash));
  return [`Changed the password of ${email}. Logins with the old one have ended; API keys stay valid.`, ...shown];
}

function disable(database: Database, options: UserOptions): string[] {
  const user = findNamed(database, options);
  const { key, email } = user;
  change(database, "USER_DISABLED", user, (now) => {
    requireOtherAdministrator(database, user);
    return disableUser(database, key, now);
  });
  return [
    `Disabled ${email}: logins, tokens, API keys and upload addresses are refused. Undo with: cupel user enable ${email}`,
  ];
}

function enable(database: Database, options: UserOptions): string[] {
  const user = findNamed(database, options);
  change(database, "USER_ENABLED", user, () => enableUser(database, user.key));
  return [`Enabled ${user.email}.`];
}

async function remove(database: Database, options: UserOptions): Promise<string[]> {
  const user = findNamed(database, options);
  const { key, email } = user;
  const unusableHash = await hashPassword(generatePassword());
  const outcome = noted(database, "USER_REMOVED", user, (now) => {
    requireOtherAdministrator(database, user);
    return removeUser(database, key, unusableHash, now);
  });
  const filesWords =
    outcome === "gone" ? "" : " The server deletes the user's files within twenty minutes, or after its next start.";
  return [`Removed ${email}.${filesWords}`];
}

/** @throws InputError where nobody could administrate the service any more */
function requireOtherAdministrator(database: Database, { key, email }: User): void {
  if (!isLastAdministrator(database, key)) return;
  throw new InputError(
    "LAST_ADMINISTRATOR",
    `${email} is the only administrator who may log in. Add another one first: cupel user add EMAIL --admin`,
  );
}

/** Changes a user. @throws InputError where the user has been removed meanwhile */
function change(database: Database, action: AuditAction, user: User, make: (now: Date) => boolean): void {
  if (!noted(database, action, user, make)) unknownUser(user.email);
}

/** Makes a change and, unless it gives false, records it in the audit trail, in one transaction. */
function noted<T>(
  database: Database,
  action: AuditAction,
  { key, email }: Pick<User, "key" | "email">,
  change: (now: Date) => T,
): T {
  return database.write(() => {
    const now = new Date();
    const result = change(now);
    if (result !== false) recordAudit(database, COMMAND_LINE, { action, objectKey: key, detail: email }, now);
    return result;
  });
}

function list(database: Database): string[] {
  const users = listUsers(database, { offset: 0, limit: Number.MAX_SAFE_INTEGER }).items.filter(
    (user) => !isRemoved(user),
  );
  if (users.length === 0) return ["There are no users. Add one with: cupel user add EMAIL"];
  const widest = Math.max(...users.map(({ email }) => email.length));
  return users.map(({ email, role, createdOn, disabledOn }) => {
    const state = disabledOn === null ? "" : `  disabled on ${disabledOn.slice(0, 10)}`;
    return `${email.padEnd(widest)}  ${role.padEnd(5)}  added on ${createdOn.slice(0, 10)}${state}`;
  });
}

async function choosePassword({ readPassword }: UserOptions): Promise<{ password: string; shown: string[] }> {
  if (readPassword === null) {
    const password = generatePassword();
    return { password, shown: [`Password (not shown again): ${password}`] };
  }
  const password = await readPassword();
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw new InputError("PASSWORD_REFUSED", complaint);
  return { password, shown: [] };
}

function findNamed(database: Database, options: UserOptions): User {
  const email = emailOf(options);
  return findUserByEmail(database, email) ?? unknownUser(email);
}

function unknownUser(email: string): never {
  throw new InputError("NO_SUCH_USER", `There is no user ${email}. List users with: cupel user list`);
}

function emailOf({ email }: UserOptions): string {
  return checkedEmail(email ?? "");
}

/** In small letters. `source`: the setting that it comes from. @throws InputError BAD_EMAIL */
export function checkedEmail(email: string, source: string | null = null): string {
  const normal = email.trim().toLowerCase();
  if (EMAIL_FORM.test(normal) && normal.length <= MOST_EMAIL_CHARACTERS) return normal;
  const place = source === null ? "" : `${source}: `;
  throw new InputError(
    "BAD_EMAIL",
    `${place}${JSON.stringify(email)} is not an e-mail address. Give one such as ada@example.com.`,
  );
}

function openFolder(folder: string, action: UserAction): Promise<Database> {
  if (action === "add") mkdirSync(folder, { recursive: true, mode: 0o700 });
  else if (!hasDatabase(folder)) {
    throw new InputError(
      "NO_USERS",
      `There are no users in ${folder}. Add one with: cupel user add EMAIL --data ${folder}`,
    );
  }
  return action === "list" ? openToList(folder) : openBesideServer(folder);
}
