// The settings of `cupel serve`: from its flags, else from CUPEL_* variables, else defaults; each checked once, here.
import { resolve } from "node:path";
import { isNetwork } from "./auth/client-address.ts";
import { DEFAULT_REQUESTS_PER_MINUTE } from "./auth/request-limit.ts";
import {
  DEFAULT_TIME_CAPS,
  LEAST_BUDGET_MIB,
  LONGEST_TIME_CAP_SECONDS,
  MOST_BUDGET_MIB,
  MOST_WORKERS,
  type TimeCaps,
} from "./limits.ts";
import { GIB, type StorageSettings } from "./storage/quotas.ts";

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
  /** Addresses and networks of proxies that are believed about whom they speak for. */
  trustedProxies: readonly string[];
  /** Of sites whose scripts may read answers. */
  corsOrigins: readonly string[];
  workers: number;
  /** Null: a share of the memory that the process may have. */
  memoryBudgetMib: number | null;
  timeCaps: TimeCaps;
  /** Of one credential (D34). */
  requestsPerMinute: number;
  /** PEM files, absolute; both or none. */
  tls: { certPath: string; keyPath: string } | null;
  /** Absolute. */
  dataFolder: string;
  /** Null: no backups are made by the server itself. */
  backups: BackupPlan | null;
  /** Whether to begin though files are missing that the database names. */
  mayLackFiles: boolean;
  /** Null: text on a terminal, JSON elsewhere. */
  logFormat: LogFormat | null;
  logLevel: LogLevel;
  storage: StorageSettings;
}

export interface BackupPlan {
  /** Absolute. */
  folder: string;
  everyHours: number;
  /** How many stay, the newest. */
  keep: number;
}

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
/** The gravest first; each takes in those before it. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Values as typed: by flag name. What is undefined was not given. */
export interface ServeFlags {
  host?: string | undefined;
  port?: string | undefined;
  basePath?: string | undefined;
  publicUrl?: string | undefined;
  allowedHosts?: string | undefined;
  trustedProxies?: string | undefined;
  corsOrigins?: string | undefined;
  workers?: string | undefined;
  memoryBudgetMib?: string | undefined;
  trainingTimeCap?: string | undefined;
  attemptTimeCap?: string | undefined;
  refinementTimeCap?: string | undefined;
  predictionTimeCap?: string | undefined;
  requestsPerMinute?: string | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  data?: string | undefined;
  backupFolder?: string | undefined;
  backupEvery?: string | undefined;
  backupKeep?: string | undefined;
  missingFiles?: string | undefined;
  logFormat?: string | undefined;
  logLevel?: string | undefined;
  keepDeletedDays?: string | undefined;
  keepResultsDays?: string | undefined;
  keepAuditDays?: string | undefined;
  quotaGibPerUser?: string | undefined;
  quotaGib?: string | undefined;
}

/** How each setting is written on the command line and in the environment. */
export const SERVE_SETTINGS = {
  host: { flag: "--host", variable: "CUPEL_HOST" },
  port: { flag: "--port", variable: "CUPEL_PORT" },
  basePath: { flag: "--base-path", variable: "CUPEL_BASE_PATH" },
  publicUrl: { flag: "--public-url", variable: "CUPEL_PUBLIC_URL" },
  allowedHosts: { flag: "--allowed-hosts", variable: "CUPEL_ALLOWED_HOSTS" },
  trustedProxies: { flag: "--trusted-proxies", variable: "CUPEL_TRUSTED_PROXIES" },
  corsOrigins: { flag: "--cors-origins", variable: "CUPEL_CORS_ORIGINS" },
  workers: { flag: "--workers", variable: "CUPEL_WORKERS" },
  memoryBudgetMib: { flag: "--memory-budget-mib", variable: "CUPEL_MEMORY_BUDGET_MIB" },
  trainingTimeCap: { flag: "--training-time-cap", variable: "CUPEL_TRAINING_TIME_CAP" },
  attemptTimeCap: { flag: "--attempt-time-cap", variable: "CUPEL_ATTEMPT_TIME_CAP" },
  refinementTimeCap: { flag: "--refinement-time-cap", variable: "CUPEL_REFINEMENT_TIME_CAP" },
  predictionTimeCap: { flag: "--prediction-time-cap", variable: "CUPEL_PREDICTION_TIME_CAP" },
  requestsPerMinute: { flag: "--requests-per-minute", variable: "CUPEL_REQUESTS_PER_MINUTE" },
  tlsCert: { flag: "--tls-cert", variable: "CUPEL_TLS_CERT" },
  tlsKey: { flag: "--tls-key", variable: "CUPEL_TLS_KEY" },
  data: { flag: "--data", variable: "CUPEL_DATA" },
  backupFolder: { flag: "--backup-folder", variable: "CUPEL_BACKUP_FOLDER" },
  backupEvery: { flag: "--backup-every", variable: "CUPEL_BACKUP_EVERY" },
  backupKeep: { flag: "--backup-keep", variable: "CUPEL_BACKUP_KEEP" },
  missingFiles: { flag: "--missing-files", variable: "CUPEL_MISSING_FILES" },
  logFormat: { flag: "--log-format", variable: "CUPEL_LOG_FORMAT" },
  logLevel: { flag: "--log-level", variable: "CUPEL_LOG_LEVEL" },
  keepDeletedDays: { flag: "--keep-deleted-days", variable: "CUPEL_KEEP_DELETED_DAYS" },
  keepResultsDays: { flag: "--keep-results-days", variable: "CUPEL_KEEP_RESULTS_DAYS" },
  keepAuditDays: { flag: "--keep-audit-days", variable: "CUPEL_KEEP_AUDIT_DAYS" },
  quotaGibPerUser: { flag: "--quota-gib-per-user", variable: "CUPEL_QUOTA_GIB_PER_USER" },
  quotaGib: { flag: "--quota-gib", variable: "CUPEL_QUOTA_GIB" },
} as const satisfies Record<keyof ServeFlags, { flag: string; variable: string }>;

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 8_080;
export const DEFAULT_DATA_FOLDER = "cupel-data";
/** Who administers a state folder that had no user, unless CUPEL_ADMIN_EMAIL names somebody. */
export const FIRST_ADMIN = "admin@localhost";
export const DEFAULT_BACKUP_HOURS = 24;
export const DEFAULT_BACKUPS_KEPT = 7;
export const DEFAULT_LOG_LEVEL: LogLevel = "info";
/** A year, and time to look back on it. */
export const DEFAULT_AUDIT_DAYS = 400;
const MOST_DAYS = 36_500;

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
    allowedHosts: readList(setting("allowedHosts"), isHost, "host names with commas between them"),
    trustedProxies: readList(
      setting("trustedProxies"),
      isNetwork,
      "addresses or networks like 10.0.0.0/8, with commas",
    ),
    corsOrigins: readList(setting("corsOrigins"), isOrigin, "origins like https://app.example.org, with commas"),
    workers: wholeNumber(setting("workers"), processorCount, 1, MOST_WORKERS),
    memoryBudgetMib: readMib(setting("memoryBudgetMib")),
    timeCaps: {
      trainingSeconds: readSeconds(setting("trainingTimeCap"), DEFAULT_TIME_CAPS.trainingSeconds),
      attemptSeconds: readSeconds(setting("attemptTimeCap"), DEFAULT_TIME_CAPS.attemptSeconds),
      refinementSeconds: readSeconds(setting("refinementTimeCap"), DEFAULT_TIME_CAPS.refinementSeconds),
      predictionSeconds: readSeconds(setting("predictionTimeCap"), DEFAULT_TIME_CAPS.predictionSeconds),
    },
    requestsPerMinute: wholeNumber(setting("requestsPerMinute"), DEFAULT_REQUESTS_PER_MINUTE, 1, 999_999_999),
    tls: readTls(setting("tlsCert"), setting("tlsKey")),
    dataFolder: resolve(setting("data").value ?? DEFAULT_DATA_FOLDER),
    backups: readBackupPlan(setting("backupFolder"), setting("backupEvery"), setting("backupKeep")),
    mayLackFiles: oneOf(setting("missingFiles"), ["refuse", "allow"]) === "allow",
    logFormat: oneOf(setting("logFormat"), LOG_FORMATS),
    logLevel: oneOf(setting("logLevel"), LOG_LEVELS) ?? DEFAULT_LOG_LEVEL,
    storage: {
      keepDeletedDays: readDays(setting("keepDeletedDays")),
      keepResultsDays: readDays(setting("keepResultsDays")),
      keepAuditDays: wholeNumber(setting("keepAuditDays"), DEFAULT_AUDIT_DAYS, 1, MOST_DAYS),
      quotaBytesPerUser: readGib(setting("quotaGibPerUser")),
      quotaBytes: readGib(setting("quotaGib")),
    },
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

function readSeconds(setting: Setting, otherwise: number): number {
  return wholeNumber(setting, otherwise, 1, LONGEST_TIME_CAP_SECONDS);
}

function readMib(setting: Setting): number | null {
  return setting.value === undefined ? null : wholeNumber(setting, 0, LEAST_BUDGET_MIB, MOST_BUDGET_MIB);
}

/** Null where it is not given. */
function oneOf<const Choice extends string>(setting: Setting, choices: readonly Choice[]): Choice | null {
  const { value } = setting;
  if (value === undefined) return null;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw wrong(setting, `one of ${choices.join(", ")}`);
  return chosen;
}

function isHost(text: string): boolean {
  return (
    /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(text) ||
    (/^[0-9A-Fa-f:.]+$/.test(text) && text.slice(0, -1).includes(":"))
  );
}

/** As browsers write one: never `null`, which is that of every sandboxed page, and no pattern. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes("*");
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

function readList(setting: Setting, isFit: (text: string) => boolean, mustBe: string): string[] {
  const items = (setting.value ?? "").split(",").map((item) => item.trim());
  const given = items.filter((item) => item !== "");
  if (!given.every(isFit)) throw wrong(setting, mustBe);
  return given;
}

function readDays(setting: Setting): number | null {
  return setting.value === undefined ? null : wholeNumber(setting, 0, 0, MOST_DAYS);
}

function readGib(setting: Setting): number | null {
  const { value } = setting;
  if (value === undefined) return null;
  const gib = /^\d{1,7}(\.\d{1,6})?$/.test(value) ? Number(value) : 0;
  if (gib === 0) throw wrong(setting, "a number of GiB above 0, such as 0.5 or 200");
  return Math.ceil(gib * GIB);
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

function readBackupPlan(folder: Setting, every: Setting, keep: Setting): BackupPlan | null {
  const plan = {
    everyHours: wholeNumber(every, DEFAULT_BACKUP_HOURS, 1, 8_760),
    keep: wholeNumber(keep, DEFAULT_BACKUPS_KEPT, 1, 10_000),
  };
  if (folder.value !== undefined) return { ...plan, folder: resolve(folder.value) };
  const idle = [every, keep].find(({ value }) => value !== undefined);
  if (idle === undefined) return null;
  const { flag, variable } = SERVE_SETTINGS.backupFolder;
  throw new SettingError(`${idle.source} is of no use without ${flag} (or ${variable}), which says where backups go.`);
}

function wrong({ source, value }: Setting, mustBe: string): SettingError {
  return new SettingError(`${source} is "${value}"; it must be ${mustBe}.`);
}
