// The systemd unit of `cupel serve`: what the process may do, and nothing else.

import { SettingError } from "../../common/setting-values.ts";
import { isLoopback } from "../../http/hosts.ts";
import {
  flagOf,
  readServeOptions,
  SERVE_SETTINGS,
  type ServeFlags,
  type ServeOptions,
  type SettingName,
} from "../../service/config.ts";

export interface UnitOptions {
  /** Absolute path of the program. */
  executable: string;
  /** Who runs it and owns the state folder. */
  user: string;
  /** Settings of `serve`, as typed. */
  flags: ServeFlags;
}

/** The first line of every unit that is ours to change or to remove. */
export const UNIT_MARK = "# Written by `cupel service install`, which replaces it whole.";
export const SERVICE_DATA_FOLDER = "/var/lib/cupel";
export const SERVICE_USER = "cupel";
/** systemd itself makes folders below this one, readable by the unit's user alone. */
const STATE_FOLDERS = "/var/lib/";
/** The sandbox hides these, or shows empty ones of its own. */
const HIDDEN_FOLDERS = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"];
/** Characters that have no special meaning in a unit. */
const PLAIN = /^[\p{L}\p{N}/._+@=-]+$/u;
/** Lower ports need root or this capability. */
const FIRST_FREE_PORT = 1_024;
const BIND_CAPABILITY = "CAP_NET_BIND_SERVICE";

/** MemoryDenyWriteExecute is missing: the engine compiles code as it runs. */
const SANDBOX = [
  "NoNewPrivileges=yes",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "RemoveIPC=yes",
  "KeyringMode=private",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged",
  "SystemCallErrorNumber=EPERM",
];

/** @throws SettingError for settings that `serve` refuses, and for paths that a unit cannot contain or reach */
export function unitText({ executable, user, flags }: UnitOptions): string {
  const options = readUnitSettings(flags);
  const { host, port, webhook } = options;
  const credentials = credentialsOf(options);
  const folders = serviceFolders(options);
  for (const text of [executable, user, ...folders, ...credentials.map(({ path }) => path)]) {
    if (!PLAIN.test(text))
      throw new SettingError(
        `"${text}" has a character with a special meaning in a systemd unit. Choose another name.`,
      );
  }
  const hidden = folders.find(isHidden);
  if (hidden !== undefined) {
    throw new SettingError(`A service cannot see ${hidden}. Choose a folder below /var/lib or /srv, for example.`);
  }
  return [
    UNIT_MARK,
    "[Unit]",
    "Description=Cupel: classification models from labelled CSV files",
    // A loopback address exists from the start; any other may come up later.
    ...(isLoopback(host) ? [] : ["Wants=network-online.target", "After=network-online.target"]),
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=${[executable, "serve", ...serveArguments(flags, options)].join(" ")}`,
    `User=${user}`,
    ...folderLines(folders),
    "UMask=0077",
    // systemd reads these as root and gives the service copies, so its user needs no right to read them.
    ...credentials.map(({ name, path }) => `LoadCredential=${name}:${path}`),
    // Either variable would let the environment change the command line.
    "UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN",
    "KillSignal=SIGTERM",
    "TimeoutStopSec=15",
    "Restart=on-failure",
    "RestartSec=2",
    // A wrong command line stays wrong.
    "RestartPreventExitStatus=2",
    "LimitNOFILE=65536",
    // A dump of the memory would hold tables and secrets.
    "LimitCORE=0",
    ...capabilityLines(port),
    ...SANDBOX,
    // A webhook may be anywhere.
    ...(isLoopback(host) && webhook === null ? ["IPAddressDeny=any", "IPAddressAllow=localhost"] : []),
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "",
  ].join("\n");
}

/** The settings of a service, from flags alone: the installer's environment is not that of the service. */
export function readUnitSettings(flags: ServeFlags): ServeOptions {
  return readServeOptions({ ...flags, data: flags.data ?? SERVICE_DATA_FOLDER }, {}, 1);
}

/** Absolute paths of the folders that the service writes to: its data and its backups. */
export function serviceFolders({ dataFolder, backups }: ServeOptions): string[] {
  return backups === null ? [dataFolder] : [dataFolder, backups.folder];
}

/** Files that the service reads once, with the setting that names each. */
function credentialsOf({ tls, webhook }: ServeOptions): { setting: SettingName; name: string; path: string }[] {
  const keyPath = webhook?.keyPath ?? null;
  return [
    ...(tls === null ? [] : ([{ setting: "tlsCert", name: "tls-cert", path: tls.certPath }] as const)),
    ...(tls === null ? [] : ([{ setting: "tlsKey", name: "tls-key", path: tls.keyPath }] as const)),
    ...(keyPath === null ? [] : ([{ setting: "webhookKey", name: "webhook-key", path: keyPath }] as const)),
  ];
}

/** Whether the sandbox hides this path. */
export function isHidden(path: string): boolean {
  return HIDDEN_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** The data folder and every setting that was given. Paths are absolute, because a service starts in another folder. */
function serveArguments(flags: ServeFlags, options: ServeOptions): string[] {
  const { dataFolder, backups } = options;
  const { tlsCert: _cert, tlsKey: _key, webhookKey: _webhookKey, ...given } = flags;
  const plain: ServeFlags = { ...given, data: dataFolder, backupFolder: backups?.folder };
  const typed = (Object.keys(SERVE_SETTINGS) as SettingName[]).flatMap((name) => {
    const value = plain[name];
    return value === undefined ? [] : [flagOf(name), argument(value)];
  });
  const copies = credentialsOf(options).flatMap(({ setting, name }) => [
    flagOf(setting),
    `\${CREDENTIALS_DIRECTORY}/${name}`,
  ]);
  return [...typed, ...copies];
}

/** One word of a command in a unit: quoted, and protected from substitution. */
function argument(text: string): string {
  if (PLAIN.test(text)) return text;
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/[%$]/g, "$&$&")}"`;
}

function folderLines(folders: readonly string[]): string[] {
  const ofSystemd = folders.filter((folder) => folder.startsWith(STATE_FOLDERS));
  const others = folders.filter((folder) => !folder.startsWith(STATE_FOLDERS));
  return [
    ...ofSystemd.map((folder) => `StateDirectory=${folder.slice(STATE_FOLDERS.length)}`),
    ...(ofSystemd.length === 0 ? [] : ["StateDirectoryMode=0700"]),
    ...others.map((folder) => `ReadWritePaths=${folder}`),
  ];
}

function capabilityLines(port: number): string[] {
  const needs = port > 0 && port < FIRST_FREE_PORT ? BIND_CAPABILITY : "";
  return [`CapabilityBoundingSet=${needs}`, `AmbientCapabilities=${needs}`];
}
