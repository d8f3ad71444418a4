// `cupel login` and `cupel logout`: keys for servers, made by a login and kept in the user's folder (D119).
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { InputError } from "../../engine/input-error.ts";
import type { Scope } from "../auth/api-key.ts";
import { Connection, type CupelOptions } from "../clients/typescript/connection.ts";
import { CupelProblem } from "../clients/typescript/problem.ts";
import type { Console } from "../commands/console.ts";
import { readPasswordLine } from "../commands/service/user.ts";
import { EXIT } from "../common/exit-codes.ts";
import { SettingError } from "../common/setting-values.ts";
import { commandError, fetchBy, optionsOf, versionOf, warnOfPlainLine } from "./connect.ts";
import { type KnownServer, readServers, serversFile, serverUrl, writeServers } from "./servers.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export interface LoginOptions {
  url: string;
  /** The account's e-mail address; null to be asked on the terminal. */
  user: string | null;
  passwordStdin: boolean;
  /** Whether a key is given on standard input, rather than made. */
  key: boolean;
  caFile: string | null;
}

/** The rights that the commands need. */
const SCOPES: readonly Scope[] = ["read", "write", "predict"];
const LONGEST_KEY_NAME = 100;

/**
 * Keeps a key for a server: that of CUPEL_KEY, one on standard input, or one that is made with a user's password,
 * which is not kept. The server is then the default one.
 */
export async function login(options: LoginOptions, console: Console): Promise<number> {
  const url = serverUrl(options.url);
  const path = serversFile(process.env);
  // Before a key is made: the file must be one that it can be kept in.
  readServers(path);
  const ca = options.caFile === null ? null : readCertificates(options.caFile);
  warnOfPlainLine(url, console);
  const version = await versionOf(url, { key: "", fetch: fetchBy(ca) });
  const madeKey = await keyFor(url, options, ca, version);
  const server = { url, ...madeKey, ca };
  try {
    await new Connection(url, optionsOf(server)).json("GET", "/api/v1/limits");
  } catch (error) {
    throw commandError(error, url, version, server.key);
  }
  const others = readServers(path).filter((known) => known.url !== url);
  const earlier = readServers(path).find((known) => known.url === url);
  writeServers(path, [...others, server]);
  // Revokes the earlier key, which nobody else would.
  if (earlier !== undefined && earlier.keyId !== madeKey.keyId) await revoke(earlier).catch(() => undefined);
  console.print(`Logged in to ${url} (Cupel ${version}). Its key is kept in ${path}; cupel logout removes it.`);
  return EXIT.done;
}

/** `asked`: the server; null for that of the last login. The entry goes even if the server cannot be reached. */
export async function logout(asked: string | null, console: Console): Promise<number> {
  const path = serversFile(process.env);
  const servers = readServers(path);
  const url = asked === null ? servers.at(-1)?.url : serverUrl(asked);
  const server = servers.find((known) => known.url === url);
  if (server === undefined) {
    throw new SettingError(url === undefined ? "Nobody has logged in here." : `Nobody has logged in to ${url} here.`);
  }
  writeServers(
    path,
    servers.filter((known) => known !== server),
  );
  if (server.keyId === null) {
    console.print(`Logged out of ${server.url}. The key was given to this program, so it stays valid on the server.`);
    return EXIT.done;
  }
  try {
    await revoke(server);
  } catch (error) {
    const isGone = error instanceof CupelProblem && [401, 404].includes(error.status);
    if (!isGone) {
      const fault = commandError(error, server.url, "");
      const why = fault instanceof Error ? fault.message : "";
      throw new InputError(
        "KEY_NOT_REVOKED",
        `The key is removed here, but not revoked on the server: ${why} Revoke it there, under Account.`,
      );
    }
  }
  console.print(`Logged out of ${server.url}: the key is revoked.`);
  return EXIT.done;
}

async function revoke(server: KnownServer): Promise<void> {
  if (server.keyId === null) return;
  const connection = new Connection(server.url, { ...optionsOf(server), retrySeconds: 0 });
  await connection.json("DELETE", `/api/v1/api-keys/${server.keyId}`);
}

async function keyFor(
  url: string,
  options: LoginOptions,
  ca: string | null,
  version: string,
): Promise<Pick<KnownServer, "key" | "keyId">> {
  const { CUPEL_KEY: named = "" } = process.env;
  if (options.key) {
    const key = process.stdin.isTTY
      ? await onTerminal(({ ask }) => ask("API key: ", true))
      : await readPasswordLine(Bun.stdin.stream());
    return { key: key.trim(), keyId: null };
  }
  if (named !== "" && options.user === null) return { key: named, keyId: null };
  const { user, password } = await askAccount(options);
  try {
    return await makeKey(url, { user, password, fetch: fetchBy(ca), retrySeconds: 0 });
  } catch (error) {
    throw commandError(error, url, version);
  }
}

/** A key named after this machine, so that its user knows it in the list. */
async function makeKey(url: string, options: CupelOptions): Promise<Pick<KnownServer, "key" | "keyId">> {
  const name = `cupel on ${hostname().replace(/[^\x21-\x7e]/g, "")}`.slice(0, LONGEST_KEY_NAME).trim();
  type Made = { apiKey: string; apiKeyId: string };
  const sent = { json: { name, scopes: SCOPES }, creates: true };
  const { apiKey, apiKeyId } = await new Connection(url, options).json<Made>("POST", "/api/v1/api-keys", sent);
  return { key: apiKey, keyId: apiKeyId };
}

async function askAccount({ user, passwordStdin }: LoginOptions): Promise<{ user: string; password: string }> {
  if (passwordStdin) {
    if (user === null) throw new SettingError("--password-stdin needs --user: whose password is it?");
    const password = await readPasswordLine(Bun.stdin.stream());
    if (password === "") throw new SettingError("--password-stdin: no password came on standard input.");
    return { user, password };
  }
  return onTerminal(async ({ ask }) => {
    const name = user ?? (await ask("User (e-mail): ", false)).trim();
    return { user: name, password: await ask("Password: ", true) };
  });
}

async function onTerminal<T>(work: (terminal: Terminal) => Promise<T>): Promise<T> {
  const terminal = openTerminal();
  try {
    return await work(terminal);
  } finally {
    terminal.close();
  }
}

function readCertificates(path: string): string {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // Said below.
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new InputError(
    "CA_FILE",
    `${path} holds no certificate in PEM form that can be read. Name the authority's own.`,
  );
}
