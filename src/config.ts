// The settings of `cupel serve`: from its flags, else from CUPEL_* variables, else defaults; each checked once, here.
import { resolve } from "node:path";
import { DEFAULT_REQUESTS_PER_MINUTE } from "./auth/request-limit.ts";
import { MOST_WORKERS } from "./limits.ts";

export interface ServeOptions {
  /** Address to listen on. */
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Before every path: empty, or like `/cupel`. */
  basePath: string;
  /** Where clients reach `basePath`, without a final slash; null to go by the Host header. */
  publicUrl: string | null;
  /** Host names that are answered beside `localhost`, addresses, `host` and that of `publicUrl`. */
  allowedHosts: readonly string[];
  workers: number;
  /** Of one credential (D34). */
  requestsPerMinute: number;
  /** PEM files, absolute; both or none. */
  tls: { certPath: string; keyPath: string } | null;
  /** Absolute. */
  dataFolder: string;
}

/** Values as typed: by flag name. What is undefined was not given. */
export interface ServeFlags {
  host?: string | undefined;
  port?: string | undefined;
  basePath?: string | undefined;
  publicUrl?: string | undefined;
  allowedHosts?: string | undefined;
  workers?: string | undefined;
  requestsPerMinute?: string | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  data?: string | undefined;
}

/** How each setting is written on the command line and in the environment. */
export const SERVE_SETTINGS = {
  host: { flag: "--host", variable: "CUPEL_HOST" },
  port: { flag: "--port", variable: "CUPEL_PORT" },
  basePath: { flag: "--base-path", variable: "CUPEL_BASE_PATH" },
  publicUrl: { flag: "--public-url", variable: "CUPEL_PUBLIC_URL" },
  allowedHosts: { flag: "--allowed-hosts", variable: "CUPEL_ALLOWED_HOSTS" },
  workers: { flag: "--workers", variable: "CUPEL_WORKERS" },
  requestsPerMinute: { flag: "--requests-per-minute", variable: "CUPEL_REQUESTS_PER_MINUTE" },
  tlsCert: { flag: "--tls-cert", variable: "CUPEL_TLS_CERT" },
  tlsKey: { flag: "--tls-key", variable: "CUPEL_TLS_KEY" },
  data: { flag: "--data", variable: "CUPEL_DATA" },
} as const satisfies Record<keyof ServeFlags, { flag: string; variable: string }>;

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 8_080;
export const DEFAULT_DATA_FOLDER = "cupel-data";

/** A setting that cannot be: a wrong command line. */
export class SettingError extends Error {}

/**
 * An empty variable counts as not given. Relative paths are of the working directory.
 *
 * @throws SettingError naming the flag or variable, its value, and what it must be
 */
export function readServeOptions(
  flags: ServeFlags,
  environment: Readonly<Record<string, string | undefined>>,
  processorCount: number,
): ServeOptions {
  const setting = (name: keyof ServeFlags) => readSetting(name, flags, environment);
  return {
    host: checked(setting("host"), DEFAULT_HOST, isHost, "a host name or an address"),
    port: wholeNumber(setting("port"), DEFAULT_PORT, 0, 65_535),
    basePath: checked(setting("basePath"), "", isBasePath, "empty, or like /cupel").replace(/\/$/, ""),
    publicUrl: readPublicUrl(setting("publicUrl")),
    allowedHosts: readHosts(setting("allowedHosts")),
    workers: wholeNumber(setting("workers"), processorCount, 1, MOST_WORKERS),
    requestsPerMinute: wholeNumber(setting("requestsPerMinute"), DEFAULT_REQUESTS_PER_MINUTE, 1, 999_999_999),
    tls: readTls(setting("tlsCert"), setting("tlsKey")),
    dataFolder: resolve(setting("data").value ?? DEFAULT_DATA_FOLDER),
  };
}

/** The names that requests to a server of these options may carry. */
export function hostNames({ host, publicUrl, allowedHosts }: ServeOptions): string[] {
  return [host, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname]), ...allowedHosts];
}

interface Setting {
  /** The flag or variable that gave it. */
  source: string;
  value: string | undefined;
}

function readSetting(
  name: keyof ServeFlags,
  flags: ServeFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Setting {
  const { flag, variable } = SERVE_SETTINGS[name];
  const typed = flags[name];
  if (typed !== undefined) return { source: flag, value: typed };
  const value = environment[variable];
  return { source: variable, value: value === "" ? undefined : value };
}

function checked(setting: Setting, otherwise: string, isFit: (text: string) => boolean, mustBe: string): string {
  const { value } = setting;
  if (value === undefined) return otherwise;
  if (isFit(value)) return value;
  throw wrong(setting, mustBe);
}

function wholeNumber(setting: Setting, otherwise: number, least: number, most: number): number {
  const { value } = setting;
  if (value === undefined) return otherwise;
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw wrong(setting, `a whole number from ${least} to ${most}`);
}

function isHost(text: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(text) || /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+$/.test(text);
}

function isBasePath(text: string): boolean {
  return text === "" || text === "/" || /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$/.test(text);
}

function readPublicUrl(setting: Setting): string | null {
  const { value } = setting;
  if (value === undefined) return null;
  const url = URL.parse(value);
  const isWhole = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === "";
  if (!isWhole) throw wrong(setting, "an address like https://cupel.example.org or https://example.org/cupel");
  return url.href.replace(/\/$/, "");
}

function readHosts(setting: Setting): string[] {
  const hosts = (setting.value ?? "").split(",").map((host) => host.trim());
  const given = hosts.filter((host) => host !== "");
  if (!given.every(isHost)) throw wrong(setting, "host names with commas between them");
  return given;
}

function readTls(cert: Setting, key: Setting): ServeOptions["tls"] {
  if (cert.value === undefined && key.value === undefined) return null;
  if (cert.value !== undefined && key.value !== undefined) {
    return { certPath: resolve(cert.value), keyPath: resolve(key.value) };
  }
  const [given, missing] =
    cert.value === undefined ? (["tlsKey", "tlsCert"] as const) : (["tlsCert", "tlsKey"] as const);
  const [has, lacks] = [SERVE_SETTINGS[given], SERVE_SETTINGS[missing]];
  throw new SettingError(`${has.flag} needs ${lacks.flag} (or ${lacks.variable}) beside it: TLS takes both.`);
}

function wrong({ source, value }: Setting, mustBe: string): SettingError {
  return new SettingError(`${source} is "${value}"; it must be ${mustBe}.`);
}
