// `cupel user`: who may log in, on the database of a state folder, whether a server runs on it or not.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { COMMAND_LINE, recordAudit } from "../../data/audit.ts";
import type { AuditAction } from "../../data/audit-actions.ts";
import type { Database } from "../../data/database/database.ts";
import {
  disableUser,
  EMAIL_FORM,
  enableUser,
  findUserByEmail,
  insertUser,
  listUsers,
  MOST_EMAIL_CHARACTERS,
  setPasswordHash,
  type User,
} from "../../data/users.ts";
import { InputError } from "../../engine/input-error.ts";
import { generatePassword, hashPassword, MOST_PASSWORD_BYTES, passwordComplaint } from "../auth/passwords.ts";
import { isRemoved, removeUser } from "../auth/remove-user.ts";
import { EXIT } from "../exit-codes.ts";
import { hasDatabase, openBesideServer, openToList } from "./beside-server.ts";
import type { Console } from "./console.ts";

export type UserAction = "add" | "list" | "password" | "disable" | "enable" | "remove";

export interface UserOptions {
  dataFolder: string;
  /** Whom it is about; of no use to `list`. */
  email: string | null;
  /** `add`: the role. */
  admin: boolean;
  /** `add` and `password`: where the password comes from; null for one that is made up and printed once. */
  readPassword: (() => Promise<string>) | null;
}

const LINE_FEED = 10;

/**
 * Does one thing to the users and gives the exit code. A running server takes notice with its next request.
 *
 * @throws InputError for an unknown or taken address, a password that will not do, or a folder that cannot be used
 */
export async function userCommand(action: UserAction, options: UserOptions, console: Console): Promise<number> {
  const database = await openFolder(options.dataFolder, action);
  try {
    for (const line of await perform(action, database, options)) console.print(line);
  } finally {
    database.close();
  }
  return EXIT.done;
}

/**
 * What `--password-stdin` reads: the first line, without its line end.
 *
 * @throws InputError where it is no UTF-8
 */
export async function readPasswordLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    byteCount += chunk.length;
    // Enough to see that it is too long, whatever follows.
    if (chunk.includes(LINE_FEED) || byteCount > 2 * MOST_PASSWORD_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf(LINE_FEED);
  try {
    const line = new TextDecoder("utf-8", { fatal: true }).decode(end < 0 ? bytes : bytes.subarray(0, end));
    return line.replace(/\r$/, "");
  } catch {
    throw new InputError("PASSWORD_REFUSED", "The password on standard input is no UTF-8 text.");
  }
}

function perform(action: UserAction, database: Database, options: UserOptions): Promise<string[]> | string[] {
  switch (action) {
    case "add":
      return add(database, options);
    case "list":
      return list(database);
    case "password":
      return changePassword(database, options);
    case "disable":
      return disable(database, findNamed(database, options));
    case "enable":
      return enable(database, findNamed(database, options));
    case "remove":
      return remove(database, findNamed(database, options));
  }
}

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
  const isChanged = noted(database, "USER_PASSWORD_CHANGED", user, () => setPasswordHash(database, key, passwordHash));
  if (!isChanged) throw unknownUser(email);
  return [`Changed the password of ${email}. Logins with the old one have ended; API keys stay good.`, ...shown];
}

function disable(database: Database, user: User): string[] {
  const { key, email } = user;
  if (!noted(database, "USER_DISABLED", user, (now) => disableUser(database, key, now))) throw unknownUser(email);
  return [`Disabled ${email}: logins, tokens and API keys are refused until: cupel user enable ${email}`];
}

function enable(database: Database, user: User): string[] {
  const { key, email } = user;
  if (!noted(database, "USER_ENABLED", user, () => enableUser(database, key))) throw unknownUser(email);
  return [`Enabled ${email}.`];
}

async function remove(database: Database, user: User): Promise<string[]> {
  const { key, email } = user;
  const unusableHash = await hashPassword(generatePassword());
  const outcome = noted(database, "USER_REMOVED", user, (now) => removeUser(database, key, unusableHash, now));
  const left =
    outcome === "gone" ? "" : " What this user made stays in the data folder without a name, out of everyone's reach.";
  return [`Removed ${email}.${left}`];
}

/** Makes a change and, where there was one, writes it down with it: in one transaction. */
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
  const user = findUserByEmail(database, email);
  if (user === null) throw unknownUser(email);
  return user;
}

function unknownUser(email: string): InputError {
  return new InputError("NO_SUCH_USER", `There is no user ${email}. See who there is with: cupel user list`);
}

function emailOf({ email }: UserOptions): string {
  const normal = (email ?? "").trim().toLowerCase();
  if (EMAIL_FORM.test(normal) && normal.length <= MOST_EMAIL_CHARACTERS) return normal;
  throw new InputError("BAD_EMAIL", `${JSON.stringify(email)} is no e-mail address. Give one such as ada@example.com.`);
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
