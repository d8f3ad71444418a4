// The systemd unit of `cupel serve`: what the process may do, and nothing else.
import { readServeOptions, SERVE_SETTINGS, type ServeFlags, type ServeOptions, SettingError } from "../config.ts";

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
/** Folders below this one systemd makes itself, for the unit's user alone. */
const STATE_FOLDERS = "/var/lib/";
/** The sandbox shows none of these, or empty ones of its own. */
const HIDDEN_FOLDERS = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"];
/** Characters without a meaning in any line of a unit. */
const PLAIN = /^[\p{L}\p{N}/._+@=-]+$/u;
/** Ports below belong to root, or to whoever has this capability. */
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

/** @throws SettingError for settings that `serve` refuses, and for paths that a unit cannot hold or reach */
export function unitText({ executable, user, flags }: UnitOptions): string {
  const options = readUnitSettings(flags);
  const { host, port, tls } = options;
  const folders = serviceFolders(options);
  for (const text of [executable, user, ...folders, ...(tls === null ? [] : [tls.certPath, tls.keyPath])]) {
    if (!PLAIN.test(text)) throw new SettingError(`"${text}" has a character that means something in a unit.`);
  }
  const hidden = folders.find(isHidden);
  if (hidden !== undefined) {
    throw new SettingError(`A service cannot see ${hidden}: it may keep files below /var/lib or /srv, for one.`);
  }
  return [
    UNIT_MARK,
    "[Unit]",
    "Description=Cupel: classification models from labelled CSV files",
    // An address of this machine's own is there from the start; any other may come late.
    ...(isLoopback(host) ? [] : ["Wants=network-online.target", "After=network-online.target"]),
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=${[executable, "serve", ...serveArguments(flags, options)].join(" ")}`,
    `User=${user}`,
    ...folderLines(folders),
    "UMask=0077",
    // systemd reads them as root and hands copies to the service, whose user need not be able to.
    ...(tls === null ? [] : [`LoadCredential=tls-cert:${tls.certPath}`, `LoadCredential=tls-key:${tls.keyPath}`]),
    // Either would let the environment speak into the command line.
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
    ...(isLoopback(host) ? ["IPAddressDeny=any", "IPAddressAllow=localhost"] : []),
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "",
  ].join("\n");
}

/** The settings of a service: its flags alone, as the environment of whoever installs it is not that of the service. */
export function readUnitSettings(flags: ServeFlags): ServeOptions {
  return readServeOptions({ ...flags, data: flags.data ?? SERVICE_DATA_FOLDER }, {}, 1);
}

/** Where the service writes: its data and, where it makes them, its backups. Absolute. */
export function serviceFolders({ dataFolder, backups }: ServeOptions): string[] {
  return backups === null ? [dataFolder] : [dataFolder, backups.folder];
}

/** Whether a service would see something else in this place, or nothing. */
export function isHidden(path: string): boolean {
  return HIDDEN_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** The data folder and every setting that was given; paths are absolute, as a service starts in another folder. */
function serveArguments(flags: ServeFlags, { dataFolder, backups, tls }: ServeOptions): string[] {
  const { tlsCert: _cert, tlsKey: _key, ...given } = flags;
  const plain: ServeFlags = { ...given, data: dataFolder, backupFolder: backups?.folder };
  const typed = (Object.keys(SERVE_SETTINGS) as (keyof ServeFlags)[]).flatMap((name) => {
    const value = plain[name];
    return value === undefined ? [] : [SERVE_SETTINGS[name].flag, argument(value)];
  });
  if (tls === null) return typed;
  const copy = (name: string) => `\${CREDENTIALS_DIRECTORY}/${name}`;
  return [...typed, SERVE_SETTINGS.tlsCert.flag, copy("tls-cert"), SERVE_SETTINGS.tlsKey.flag, copy("tls-key")];
}

/** One word of a command in a unit: quoted, and nothing in it replaced. */
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

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
