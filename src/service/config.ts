// The settings of `cupel serve`: from its flags, else from CUPEL_* variables, else defaults; each checked once, here.

import { hostname } from "node:os";
import { resolve } from "node:path";
import { isNetwork } from "../auth/client-address.ts";
import { DEFAULT_REQUESTS_PER_MINUTE } from "../auth/request-limit.ts";
import {
  DEFAULT_TIME_CAPS,
  LEAST_BUDGET_MIB,
  LONGEST_TIME_CAP_SECONDS,
  MOST_BUDGET_MIB,
  MOST_WORKERS,
  type TimeCaps,
} from "../common/limits.ts";
import { DEFAULT_BUDGET_WORDS } from "../common/memory-budget.ts";
import {
  checked,
  isBasePath,
  isHost,
  isOrigin,
  numberOrNull,
  readChoice,
  readList,
  readWholeNumber,
  type Setting,
  SettingError,
  wrong,
} from "../common/setting-values.ts";
import { isLoopback, networkNames } from "../http/hosts.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../log/log.ts";
import { GIB, type StorageSettings } from "../storage/quotas.ts";
import type { WebhookOptions } from "../watching/webhook.ts";

export interface ServeOptions {
  /** Address to listen on. */
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** The path that every address begins with: empty, or like `/cupel`. */
  basePath: string;
  /** The address that clients use for `basePath`, without a final slash; null to go by the Host header. */
  publicUrl: string | null;
  /** Host names to answer to, besides `localhost`, addresses, `host`, the machine's name and the one in `publicUrl`. */
  allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Origins of sites whose scripts may read answers. */
  corsOrigins: readonly string[];
  workers: number;
  /** Null: `defaultBudgetMib`. */
  memoryBudgetMib: number | null;
  timeCaps: TimeCaps;
  /** Limit of one credential (D34). */
  requestsPerMinute: number;
  /** PEM files, absolute; both or none. */
  tls: { certPath: string; keyPath: string } | null;
  /** Absolute. */
  dataFolder: string;
  /** Null: the server makes no backups itself. */
  backups: BackupPlan | null;
  /** Start even if files that the database names are missing. */
  mayLackFiles: boolean;
  /** Whether what models are given is counted (D120). */
  isWatching: boolean;
  /** Where changes of state are told (D122); null: nowhere. `keyPath`: absolute; null to send without a signature. */
  webhook: WebhookOptions | null;
  /** Null: text on a terminal, JSON elsewhere. */
  logFormat: LogFormat | null;
  logLevel: LogLevel;
  storage: StorageSettings;
}

export interface BackupPlan {
  /** Absolute. */
  folder: string;
  everyHours: number;
  /** How many of the newest to keep. */
  keep: number;
}

const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 8_080;
export const DEFAULT_DATA_FOLDER = "cupel-data";
/** The administrator made in a state folder without users, unless CUPEL_ADMIN_EMAIL names another. */
export const FIRST_ADMIN = "admin@localhost";
const DEFAULT_BACKUP_HOURS = 24;
const DEFAULT_BACKUPS_KEPT = 7;
const DEFAULT_LOG_LEVEL: LogLevel = "info";
/** A year, plus a month in which to review it. */
const DEFAULT_AUDIT_DAYS = 400;
const MOST_DAYS = 36_500;

interface Choice {
  /** The placeholder for its value in --help. */
  value: string;
  help: string;
}

const { trainingSeconds, attemptSeconds, refinementSeconds, predictionSeconds } = DEFAULT_TIME_CAPS;

/**
 * Every setting of `serve`, in the order of --help and of a systemd unit.
 * Its flag and its variable follow from its name.
 */
export const SERVE_SETTINGS = {
  host: { value: "<host>", help: `the address to listen on (default: ${DEFAULT_HOST})` },
  port: { value: "<port>", help: `the port, 0 for any free one (default: ${DEFAULT_PORT})` },
  basePath: { value: "<path>", help: "the path that every address begins with, like /cupel" },
  publicUrl: { value: "<url>", help: "the address that clients use, for links in answers" },
  allowedHosts: { value: "<names>", help: "further host names to answer to, comma-separated" },
  trustedProxies: { value: "<networks>", help: "proxies whose X-Forwarded-For is believed, comma-separated" },
  corsOrigins: { value: "<origins>", help: "sites whose scripts may read answers, comma-separated" },
  workers: { value: "<n>", help: "threads for refinements and trainings (default: one per core)" },
  memoryBudgetMib: { value: "<n>", help: `memory that the service may use, in MiB (default: ${DEFAULT_BUDGET_WORDS})` },
  trainingTimeCap: { value: "<seconds>", help: `end a training after this long (default: ${trainingSeconds})` },
  attemptTimeCap: { value: "<seconds>", help: `end an attempt of a training (default: ${attemptSeconds})` },
  refinementTimeCap: { value: "<seconds>", help: `end a refinement (default: ${refinementSeconds})` },
  predictionTimeCap: { value: "<seconds>", help: `end a prediction (default: ${predictionSeconds})` },
  requestsPerMinute: {
    value: "<n>",
    help: `requests of one login or API key (default: ${DEFAULT_REQUESTS_PER_MINUTE})`,
  },
  tlsCert: { value: "<file>", help: "TLS certificate, PEM" },
  tlsKey: { value: "<file>", help: "key of the certificate, PEM" },
  data: { value: "<folder>", help: "the state folder" },
  backupFolder: {
    value: "<folder>",
    help: "where the server keeps backups, best on another disk (default: it makes none)",
  },
  backupEvery: { value: "<hours>", help: `hours between two backups (default: ${DEFAULT_BACKUP_HOURS})` },
  backupKeep: { value: "<n>", help: `how many of the newest backups to keep (default: ${DEFAULT_BACKUPS_KEPT})` },
  missingFiles: {
    value: "<refuse|allow>",
    help: "whether to start when files of the state are missing (default: refuse)",
  },
  watch: {
    value: "<on|off>",
    help: "whether to count, day by day, what models are given and answer, without rows (default: on)",
  },
  webhook: { value: "<url>", help: "tell this address when the state of a model changes (default: none)" },
  webhookKey: { value: "<file>", help: "the key that signs what the webhook is told: whsec_ and base64" },
  logFormat: { value: "<format>", help: `${LOG_FORMATS.join(" or ")} (default: text on a terminal, else json)` },
  logLevel: { value: "<level>", help: `${LOG_LEVELS.join(", ")} (default: ${DEFAULT_LOG_LEVEL})` },
  keepDeletedDays: {
    value: "<n>",
    help: "remove files of deleted refinements and datasets after n days (default: a dataset's within minutes, a refinement's never)",
  },
  keepResultsDays: { value: "<n>", help: "remove inputs and results of predictions after n days (default: never)" },
  keepAuditDays: {
    value: "<n>",
    help: `remove events of the audit trail after n days (default: ${DEFAULT_AUDIT_DAYS})`,
  },
  quotaGibPerUser: { value: "<n>", help: "disk space for the files of one user, in GiB (default: no limit)" },
  quotaGib: { value: "<n>", help: "disk space for the files of all users, in GiB (default: no limit)" },
} as const satisfies Record<string, Choice>;

export type SettingName = keyof typeof SERVE_SETTINGS;

/** Values as typed; undefined where a setting was not given. */
export type ServeFlags = { [Name in SettingName]?: string | undefined };

/** `--base-path` for `basePath`. */
export function flagOf(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}`;
}

/** `CUPEL_BASE_PATH` for `basePath`. */
export function variableOf(name: SettingName): string {
  return `CUPEL_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/**
 * Reads each setting from its flag, else from its variable (an empty one counts as not given), else its default.
 * Relative paths are resolved against the working directory.
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
    port: readWholeNumber(setting("port"), DEFAULT_PORT, 0, 65_535),
    basePath: checked(setting("basePath"), "", isBasePath, "empty, or like /cupel").replace(/\/$/, ""),
    publicUrl: readPublicUrl(setting("publicUrl")),
    allowedHosts: readList(setting("allowedHosts"), isHost, "host names with commas between them"),
    trustedProxies: readList(
      setting("trustedProxies"),
      isNetwork,
      "addresses or networks like 10.0.0.0/8, with commas",
    ),
    corsOrigins: readList(setting("corsOrigins"), isOrigin, "origins like https://app.example.org, with commas"),
    workers: readWholeNumber(setting("workers"), processorCount, 1, MOST_WORKERS),
    memoryBudgetMib: numberOrNull(setting("memoryBudgetMib"), LEAST_BUDGET_MIB, MOST_BUDGET_MIB),
    timeCaps: {
      trainingSeconds: readSeconds(setting("trainingTimeCap"), DEFAULT_TIME_CAPS.trainingSeconds),
      attemptSeconds: readSeconds(setting("attemptTimeCap"), DEFAULT_TIME_CAPS.attemptSeconds),
      refinementSeconds: readSeconds(setting("refinementTimeCap"), DEFAULT_TIME_CAPS.refinementSeconds),
      predictionSeconds: readSeconds(setting("predictionTimeCap"), DEFAULT_TIME_CAPS.predictionSeconds),
    },
    requestsPerMinute: readWholeNumber(setting("requestsPerMinute"), DEFAULT_REQUESTS_PER_MINUTE, 1, 999_999_999),
    tls: readTls(setting("tlsCert"), setting("tlsKey")),
    dataFolder: resolve(setting("data").value ?? DEFAULT_DATA_FOLDER),
    backups: readBackupPlan(setting("backupFolder"), setting("backupEvery"), setting("backupKeep")),
    mayLackFiles: readChoice(setting("missingFiles"), ["refuse", "allow"]) === "allow",
    isWatching: readChoice(setting("watch"), ["on", "off"]) !== "off",
    webhook: readWebhook(setting("webhook"), setting("webhookKey"), setting("watch")),
    logFormat: readChoice(setting("logFormat"), LOG_FORMATS),
    logLevel: readChoice(setting("logLevel"), LOG_LEVELS) ?? DEFAULT_LOG_LEVEL,
    storage: {
      keepDeletedDays: numberOrNull(setting("keepDeletedDays"), 0, MOST_DAYS),
      keepResultsDays: numberOrNull(setting("keepResultsDays"), 0, MOST_DAYS),
      keepAuditDays: readWholeNumber(setting("keepAuditDays"), DEFAULT_AUDIT_DAYS, 1, MOST_DAYS),
      quotaBytesPerUser: readGib(setting("quotaGibPerUser")),
      quotaBytes: readGib(setting("quotaGib")),
    },
  };
}

/** Host names that requests may carry; those of the machine where others reach the server. */
export function hostNames({ host, publicUrl, allowedHosts }: ServeOptions, machine: string = hostname()): string[] {
  const networks = isLoopback(host) ? [] : networkNames(machine);
  return [host, ...networks, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname]), ...allowedHosts];
}

/** Whether passwords may reach the server unencrypted from other machines, as far as the settings show. */
export function isUnencrypted({ host, publicUrl, tls }: ServeOptions): boolean {
  return tls === null && !isLoopback(host) && publicUrl?.startsWith("https:") !== true;
}

function readSetting(
  name: keyof ServeFlags,
  flags: ServeFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Setting {
  const typed = flags[name];
  if (typed !== undefined) return { source: flagOf(name), value: typed };
  const source = variableOf(name);
  return { source, value: environment[source] || undefined };
}

function readSeconds(setting: Setting, otherwise: number): number {
  return readWholeNumber(setting, otherwise, 1, LONGEST_TIME_CAP_SECONDS);
}

function readPublicUrl(setting: Setting): string | null {
  const { value } = setting;
  if (value === undefined) return null;
  const url = URL.parse(value);
  const isWhole = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === "";
  if (!isWhole) throw wrong(setting, "an address like https://cupel.example.org or https://example.org/cupel");
  return url.href.replace(/\/$/, "");
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
  throw new SettingError(`${flagOf(given)} needs ${flagOf(missing)} (or ${variableOf(missing)}): TLS takes both.`);
}

/** The address may hold a secret: a refusal does not repeat it. */
function readWebhook(address: Setting, key: Setting, watch: Setting): WebhookOptions | null {
  const keyPath = key.value === undefined ? null : resolve(key.value);
  if (address.value === undefined) {
    if (keyPath === null) return null;
    throw new SettingError(
      `${key.source} needs ${flagOf("webhook")} (or ${variableOf("webhook")}): it signs what that is told.`,
    );
  }
  const url = URL.parse(address.value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.hash !== "")
    throw new SettingError(
      `${address.source} must be an address like https://alerts.example.org/cupel, without a login.`,
    );
  if (watch.value === "off")
    throw new SettingError(`${address.source} has nothing to tell where ${watch.source} is "off".`);
  return { url: url.href, keyPath };
}

function readBackupPlan(folder: Setting, every: Setting, keep: Setting): BackupPlan | null {
  const plan = {
    everyHours: readWholeNumber(every, DEFAULT_BACKUP_HOURS, 1, 8_760),
    keep: readWholeNumber(keep, DEFAULT_BACKUPS_KEPT, 1, 10_000),
  };
  if (folder.value !== undefined) return { ...plan, folder: resolve(folder.value) };
  const idle = [every, keep].find(({ value }) => value !== undefined);
  if (idle === undefined) return null;
  const folderFlag = `${flagOf("backupFolder")} (or ${variableOf("backupFolder")})`;
  throw new SettingError(`${idle.source} needs ${folderFlag}, which says where backups go.`);
}
