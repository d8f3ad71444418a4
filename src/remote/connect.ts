// The way to a server that does the work of a command: which one, with which key, and what its refusals mean here.
import { isIP } from "node:net";
import { connect } from "node:tls";
import { InputError } from "../../engine/input-error.ts";
import { Connection, type CupelOptions } from "../clients/typescript/connection.ts";
import { Cupel } from "../clients/typescript/cupel.ts";
import { CupelProblem } from "../clients/typescript/problem.ts";
import type { Console } from "../commands/console.ts";
import { printable } from "../common/printable.ts";
import { SettingError } from "../common/setting-values.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import { isUnprotected, type KnownServer, readServers, serversFile, serverUrl } from "./servers.ts";

export interface Remote {
  url: string;
  cupel: Cupel;
  /** For what the client has no words for. */
  connection: Connection;
  version: string;
}

/** The cause's code where a certificate lacks the name. */
const OTHER_NAMES = "ERR_TLS_CERT_ALTNAME_INVALID";
const NAMES_TIMEOUT_MS = 5_000;

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a key, as servers give to what they keep. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** A server at fault, or out of reach: not the user's files. */
class ServerFault extends Error {}

/** The client's own problems that lie with what was sent. */
const FILE_CODES = ["DATASET_FAILED", "REFINEMENT_FAILED", "PREDICTION_FAILED", "UNUSABLE_TABLE"];
/** Refusals of what was sent, rather than of who sent it or how often. */
const INPUT_STATUSES = [400, 404, 409, 410, 413, 415, 422];
/** Statuses by which an older server refuses what it does not know yet. */
const UNKNOWN_TO_OLDER = [400, 404, 405, 422];

/**
 * Does a command's work with a server. `asked`: its address; empty for that of
 * CUPEL_URL, else `fallback`, else of the last login.
 *
 * @throws SettingError where no server is known or nobody has logged in, InputError and others as `commandError` says
 */
export async function onServer<T>(
  asked: string,
  console: Console,
  work: (remote: Remote) => Promise<T>,
  fallback: string | null = null,
): Promise<T> {
  const server = chooseServer(asked, fallback, process.env);
  warnOfPlainLine(server.url, console);
  const version = await versionOf(server.url, optionsOf(server));
  const remote = {
    url: server.url,
    version,
    cupel: new Cupel(server.url, optionsOf(server)),
    connection: new Connection(server.url, optionsOf(server)),
  };
  try {
    // Before a large file is sent: is the key still good, and is this the contract that we speak?
    await remote.connection.json("GET", "/api/v1/limits");
    return await work(remote);
  } catch (error) {
    throw commandError(error, server.url, version, server.key);
  }
}

export function optionsOf({ key, ca }: Pick<KnownServer, "key" | "ca">): CupelOptions {
  return { key, fetch: fetchBy(ca) };
}

/** `ca`: certificates of a further authority. */
export function fetchBy(ca: string | null): NonNullable<CupelOptions["fetch"]> {
  // A redirect would take the key elsewhere.
  const tls = ca === null ? {} : { tls: { ca } };
  return (address, request) => fetch(address, { ...request, redirect: "manual", ...tls });
}

export function warnOfPlainLine(url: string, { progress }: Console): void {
  if (!isUnprotected(url)) return;
  progress.note(`warning: ${url} is not encrypted: whoever sees the line sees your key and your rows. Use https://.`);
}

/** The program's version, by a request without a credential and without patience. @throws ServerFault */
export async function versionOf(url: string, options: CupelOptions): Promise<string> {
  try {
    const patient = new Connection(url, { ...options, retrySeconds: 0 });
    const health = await patient.json<{ version?: unknown } | null>("GET", "/healthz", { isOpen: true });
    if (typeof health?.version === "string") return health.version;
  } catch (error) {
    if (error instanceof CupelProblem && causeCode(error) === OTHER_NAMES) throw await otherNames(url);
    if (!(error instanceof CupelProblem && error.status === 404)) throw commandError(error, url, CUPEL_VERSION);
  }
  throw new ServerFault(`${url} answers, but is no Cupel server. Check the address, with its base path if it has one.`);
}

/**
 * Words an error as local commands do: an InputError with exit code 3 where the input is at fault, else exit code 1.
 * `key`: that of the request.
 */
export function commandError(error: unknown, url: string, version: string, key = ""): unknown {
  if (!(error instanceof CupelProblem)) return error;
  const { status, code, detail, errors, requestId } = error;
  const isOfVariable = key !== "" && key === process.env["CUPEL_KEY"];
  // A login changes nothing while the variable is set.
  const otherKey = `Set another key in CUPEL_KEY, or unset it and type: cupel login ${url}`;
  if (status === 401 && code !== "LOGIN_FAILED") {
    return new ServerFault(
      `${url} does not take ${isOfVariable ? "the key of CUPEL_KEY" : "your key"}: it is mistyped, was revoked or ` +
        `has expired, or the account has ended. ${isOfVariable ? otherKey : `Type: cupel login ${url}`}`,
    );
  }
  if (status === 403) {
    return new ServerFault(`${detail} ${isOfVariable ? otherKey : `Log in with another key: cupel login ${url}`}`);
  }
  if (code === "UNREACHABLE") {
    return new ServerFault(`${url} cannot be reached. ${reasonOf(error)}`);
  }
  // The detail names the columns as well.
  const others = (code === "COLUMN_MISMATCH" ? [] : errors)
    .map(({ message }) => message)
    .filter((message) => !detail.includes(message));
  const words = [detail, ...others].join(" ");
  const versions =
    version !== CUPEL_VERSION && UNKNOWN_TO_OLDER.includes(status)
      ? ` The server is Cupel ${version}, this program ${CUPEL_VERSION}: ` +
        "use the same version at both ends if that is why."
      : "";
  if (status >= 500) {
    const id = requestId === null ? "" : ` Its log has this request as ${requestId}.`;
    return new ServerFault(`${url} failed: ${words}${id}`);
  }
  const message = `${words}${versions}`;
  return INPUT_STATUSES.includes(status) || FILE_CODES.includes(code)
    ? new InputError(code, message)
    : new ServerFault(message);
}

function chooseServer(asked: string, fallback: string | null, environment: NodeJS.ProcessEnv): KnownServer {
  const servers = readServers(serversFile(environment));
  const { CUPEL_URL: named = "", CUPEL_KEY: key = "" } = environment;
  const text = asked || named || fallback || servers.at(-1)?.url || "";
  if (text === "") throw new SettingError("No server is known. Type: cupel login URL, or name one with --server URL.");
  const url = serverUrl(text);
  const known = servers.find((server) => server.url === url);
  // The variable wins, so that a pipeline does not work in the account of whoever logged in on its machine.
  if (key !== "") return { url, key, keyId: null, ca: known?.ca ?? null };
  if (known !== undefined) return known;
  throw new SettingError(`Nobody has logged in to ${url} here. Type: cupel login ${url}, or set CUPEL_KEY.`);
}

/** Certificates are the reason that people can do something about. */
function reasonOf(problem: CupelProblem): string {
  const code = causeCode(problem);
  return /CERT|SIGNATURE|SELF_SIGNED/.test(code)
    ? `Its certificate is not trusted here (${code}). Log in with --ca-file and the certificate of its authority.`
    : "Check the address, and whether the server runs and the network lets you through.";
}

function causeCode({ cause }: CupelProblem): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

/** The certificate is trusted, but not for the name in the address. */
async function otherNames(url: string): Promise<ServerFault> {
  const { hostname } = new URL(url);
  const names = await certificateNames(url);
  const which = names === "" ? "" : `: ${names}. Use one of them in the address`;
  return new ServerFault(
    `${url} cannot be trusted. Its certificate is for other names than ${hostname}${which}, ` +
      `or have one made for ${hostname}.`,
  );
}

/** Empty where they cannot be read. Sends nothing: the certificate is not checked. */
function certificateNames(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      servername: isIP(host) === 0 ? host : "",
      rejectUnauthorized: false,
    });
    const end = (names: string) => {
      socket.destroy();
      resolve(printable(names));
    };
    socket.setTimeout(NAMES_TIMEOUT_MS, () => end(""));
    socket.once("error", () => end(""));
    socket.once("secureConnect", () => {
      const { subjectaltname = "" } = socket.getPeerCertificate();
      end(
        subjectaltname
          .replaceAll(/(?:^|, )(?:DNS|IP Address):/g, " ")
          .trim()
          .replaceAll(" ", ", "),
      );
    });
  });
}
