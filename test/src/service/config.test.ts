// The settings of the server: where each comes from, and what is refused.
import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { SettingError } from "../../../src/common/setting-values.ts";
import {
  DEFAULT_PORT,
  hostNames,
  isUnencrypted,
  readServeOptions,
  SERVE_SETTINGS,
  type ServeFlags,
  type SettingName,
  variableOf,
} from "../../../src/service/config.ts";

const read = (flags: ServeFlags = {}, environment: Record<string, string> = {}) =>
  readServeOptions(flags, environment, 6);

describe("readServeOptions", () => {
  test("defaults keep the server to this machine", () => {
    expect(read()).toEqual({
      host: "127.0.0.1",
      port: DEFAULT_PORT,
      basePath: "",
      publicUrl: null,
      allowedHosts: [],
      trustedProxies: [],
      corsOrigins: [],
      workers: 6,
      memoryBudgetMib: null,
      timeCaps: { trainingSeconds: 3_600, attemptSeconds: 600, refinementSeconds: 7_200, predictionSeconds: 1_800 },
      requestsPerMinute: 120_000,
      tls: null,
      dataFolder: resolve("cupel-data"),
      backups: null,
      mayLackFiles: false,
      isWatching: true,
      webhook: null,
      logFormat: null,
      logLevel: "info",
      storage: {
        keepDeletedDays: null,
        keepResultsDays: null,
        keepAuditDays: 400,
        quotaBytesPerUser: null,
        quotaBytes: null,
      },
    });
  });

  test("a flag goes before a variable, and a variable before a default; an empty variable is none", () => {
    expect(read({}, { CUPEL_PORT: "9000" }).port).toBe(9_000);
    expect(read({ port: "9001" }, { CUPEL_PORT: "9000" }).port).toBe(9_001);
    expect(read({}, { CUPEL_PORT: "" }).port).toBe(DEFAULT_PORT);
    expect(read({}, { PORT: "9000" }).port).toBe(DEFAULT_PORT);
  });

  test("every setting has a variable", () => {
    const environment = {
      CUPEL_HOST: "::",
      CUPEL_PORT: "0",
      CUPEL_BASE_PATH: "/a/b/",
      CUPEL_PUBLIC_URL: "https://Example.org/cupel/",
      CUPEL_ALLOWED_HOSTS: "nas, nas.local",
      CUPEL_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      CUPEL_CORS_ORIGINS: "https://app.example.org,http://localhost:3000",
      CUPEL_WORKERS: "2",
      CUPEL_MEMORY_BUDGET_MIB: "3000",
      CUPEL_TRAINING_TIME_CAP: "60",
      CUPEL_ATTEMPT_TIME_CAP: "6",
      CUPEL_REFINEMENT_TIME_CAP: "90",
      CUPEL_PREDICTION_TIME_CAP: "1",
      CUPEL_REQUESTS_PER_MINUTE: "600",
      CUPEL_TLS_CERT: "/c.pem",
      CUPEL_TLS_KEY: "/k.pem",
      CUPEL_DATA: "/srv/cupel",
      CUPEL_BACKUP_FOLDER: "/mnt/backups",
      CUPEL_BACKUP_EVERY: "6",
      CUPEL_BACKUP_KEEP: "28",
      CUPEL_MISSING_FILES: "allow",
      CUPEL_WATCH: "on",
      CUPEL_WEBHOOK: "http://alerts:8080/x?token=y",
      CUPEL_WEBHOOK_KEY: "/w.key",
      CUPEL_LOG_FORMAT: "text",
      CUPEL_LOG_LEVEL: "debug",
      CUPEL_KEEP_DELETED_DAYS: "0",
      CUPEL_KEEP_RESULTS_DAYS: "30",
      CUPEL_KEEP_AUDIT_DAYS: "90",
      CUPEL_QUOTA_GIB_PER_USER: "0.5",
      CUPEL_QUOTA_GIB: "200",
    };
    expect((Object.keys(SERVE_SETTINGS) as SettingName[]).map(variableOf)).toEqual(Object.keys(environment));
    const options = read({}, environment);
    expect(options).toEqual({
      host: "::",
      port: 0,
      basePath: "/a/b",
      publicUrl: "https://example.org/cupel",
      allowedHosts: ["nas", "nas.local"],
      trustedProxies: ["10.0.0.0/8", "::1"],
      corsOrigins: ["https://app.example.org", "http://localhost:3000"],
      workers: 2,
      memoryBudgetMib: 3_000,
      timeCaps: { trainingSeconds: 60, attemptSeconds: 6, refinementSeconds: 90, predictionSeconds: 1 },
      requestsPerMinute: 600,
      tls: { certPath: "/c.pem", keyPath: "/k.pem" },
      dataFolder: "/srv/cupel",
      backups: { folder: "/mnt/backups", everyHours: 6, keep: 28 },
      mayLackFiles: true,
      isWatching: true,
      webhook: { url: "http://alerts:8080/x?token=y", keyPath: "/w.key" },
      logFormat: "text",
      logLevel: "debug",
      storage: {
        keepDeletedDays: 0,
        keepResultsDays: 30,
        keepAuditDays: 90,
        quotaBytesPerUser: 2 ** 29,
        quotaBytes: 200 * 2 ** 30,
      },
    });
    expect(hostNames(options, "Box")).toEqual(["::", "Box", "Box.local", "example.org", "nas", "nas.local"]);
  });

  test.each([
    [{}, "box", ["127.0.0.1"]],
    [{ host: "0.0.0.0" }, "Annes-Mac.local", ["0.0.0.0", "Annes-Mac", "Annes-Mac.local"]],
    [{ host: "0.0.0.0" }, "", ["0.0.0.0"]],
  ])("%j on %s has the names %j", (flags, machine, names) => {
    expect(hostNames(read(flags), machine)).toEqual(names);
  });

  test.each<[ServeFlags, boolean]>([
    [{}, false],
    [{ host: "::1" }, false],
    [{ host: "0.0.0.0" }, true],
    [{ host: "192.0.2.7", publicUrl: "http://cupel.example" }, true],
    [{ host: "0.0.0.0", publicUrl: "https://cupel.example" }, false],
    [{ host: "0.0.0.0", tlsCert: "/c.pem", tlsKey: "/k.pem" }, false],
  ])("%j is unencrypted: %p", (flags, expected) => {
    expect(isUnencrypted(read(flags))).toBe(expected);
  });

  test.each<[ServeFlags, RegExp]>([
    [{ port: "65536" }, /^--port is "65536"; it must be a whole number from 0 to 65535\.$/],
    [{ port: "80a" }, /--port/],
    [{ port: "" }, /--port/],
    [{ host: "http://x" }, /--host/],
    [{ host: "a b" }, /--host/],
    [{ basePath: "cupel" }, /--base-path/],
    [{ basePath: "/a/../b" }, /--base-path/],
    [{ basePath: "//x" }, /--base-path/],
    [{ basePath: "/a:b" }, /--base-path/],
    [{ publicUrl: "example.org" }, /--public-url/],
    [{ publicUrl: "ftp://example.org" }, /--public-url/],
    [{ publicUrl: "https://u@example.org" }, /--public-url/],
    [{ publicUrl: "https://example.org/?x" }, /--public-url/],
    [{ allowedHosts: "a,b c" }, /--allowed-hosts/],
    [{ trustedProxies: "proxy.example.org" }, /--trusted-proxies/],
    [{ trustedProxies: "10.0.0.0/33" }, /--trusted-proxies/],
    [{ trustedProxies: "10.0.0.0/8/8" }, /--trusted-proxies/],
    [{ trustedProxies: "10.0.0/8" }, /--trusted-proxies/],
    [{ trustedProxies: "fe80::1%eth0" }, /--trusted-proxies/],
    [
      { corsOrigins: "*" },
      /^--cors-origins is "\*"; it must be origins like https:\/\/app\.example\.org, with commas\.$/,
    ],
    [{ corsOrigins: "null" }, /--cors-origins/],
    [{ corsOrigins: "https://*.example.org" }, /--cors-origins/],
    [{ corsOrigins: "https://app.example.org/" }, /--cors-origins/],
    [{ corsOrigins: "https://App.example.org" }, /--cors-origins/],
    [{ corsOrigins: "app.example.org" }, /--cors-origins/],
    [{ corsOrigins: "file:///x" }, /--cors-origins/],
    [{ workers: "0" }, /--workers/],
    [{ workers: "257" }, /--workers/],
    [{ trainingTimeCap: "0" }, /^--training-time-cap is "0"; it must be a whole number from 1 to 10000000\.$/],
    [{ attemptTimeCap: "1.5" }, /--attempt-time-cap/],
    [{ refinementTimeCap: "" }, /--refinement-time-cap/],
    [{ predictionTimeCap: "10000001" }, /--prediction-time-cap/],
    [{ logFormat: "xml" }, /^--log-format is "xml"; it must be one of text, json\.$/],
    [{ logLevel: "" }, /--log-level/],
    [{ keepDeletedDays: "-1" }, /^--keep-deleted-days is "-1"; it must be a whole number from 0 to 36500\.$/],
    [{ keepResultsDays: "soon" }, /--keep-results-days/],
    [{ quotaGib: "0" }, /^--quota-gib is "0"; it must be a number of GiB above 0, such as 0\.5 or 200\.$/],
    [{ quotaGibPerUser: "10GB" }, /--quota-gib-per-user/],
    [{ tlsCert: "c.pem" }, /^--tls-cert needs --tls-key \(or CUPEL_TLS_KEY\)/],
    [{ tlsKey: "k.pem" }, /^--tls-key needs --tls-cert/],
    [{ backupEvery: "6" }, /^--backup-every needs --backup-folder \(or CUPEL_BACKUP_FOLDER\)/],
    [{ backupKeep: "6" }, /^--backup-keep needs --backup-folder/],
    [{ backupFolder: "b", backupEvery: "0" }, /--backup-every/],
    [{ backupFolder: "b", backupKeep: "0" }, /--backup-keep/],
    [{ webhook: "alerts.example.org" }, /^--webhook must be an address like https:\/\//],
    [{ webhook: "ftp://alerts.example.org" }, /^--webhook must be/],
    [{ webhook: "https://u:p@alerts.example.org" }, /^--webhook must be an address [^@]*$/],
    [{ webhook: "https://alerts.example.org", watch: "off" }, /^--webhook has nothing to tell where --watch is "off"/],
    [{ webhookKey: "k" }, /^--webhook-key needs --webhook \(or CUPEL_WEBHOOK\)/],
    [{ watch: "no" }, /--watch is "no"; it must be one of on, off/],
    [{ missingFiles: "yes" }, /--missing-files is "yes"; it must be one of refuse, allow/],
  ])("%j is refused", (flags, message) => {
    expect(() => read(flags)).toThrow(SettingError);
    expect(() => read(flags)).toThrow(message);
  });

  test("watching ends with a word; a webhook may go without a key", () => {
    expect(read({ watch: "off" }).isWatching).toBe(false);
    const webhook = "https://alerts.example.org/cupel?token=x";
    expect(read({ webhook }).webhook).toEqual({ url: webhook, keyPath: null });
  });

  test("a wrong variable is named as such", () => {
    expect(() => read({}, { CUPEL_WORKERS: "many" })).toThrow('CUPEL_WORKERS is "many"; it must be');
  });
});
