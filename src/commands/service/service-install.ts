// `cupel service`: has systemd start the service with the machine, in a sandbox.
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DATABASE_FILE } from "../../../data/database/database.ts";
import { InputError } from "../../../engine/input-error.ts";
import { EXIT } from "../../common/exit-codes.ts";
import { SettingError } from "../../common/setting-values.ts";
import { FIRST_ADMIN, type ServeFlags } from "../../service/config.ts";
import type { Console } from "../console.ts";
import { isHidden, readUnitSettings, SERVICE_USER, serviceFolders, UNIT_MARK, unitText } from "./service-unit.ts";

export interface Machine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  /** Whether systemd runs here. */
  hasSystemd: boolean;
  /** The compiled program; null where it runs from its sources. */
  executable: string | null;
}

export interface InstallOptions {
  flags: ServeFlags;
  user: string;
  /** Null for systemd's own folder. */
  unitFolder: string | null;
  /** Starts the service, rather than printing how to. */
  now: boolean;
}

const SYSTEMD_FOLDER = "/etc/systemd/system";
const UNIT_NAME = "cupel.service";
/** The usual place of locally installed programs. */
const USUAL_EXECUTABLE = "/usr/local/bin/cupel";
const ADD_ACCOUNT = "useradd --system --user-group --no-create-home --home-dir / --shell /usr/sbin/nologin";
/** The programs that start services on other systems. */
const STARTERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "launchd (a job in /Library/LaunchDaemons)",
  win32: "the Task Scheduler (a task at system start)",
};

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasSystemd: existsSync("/run/systemd/system"),
    executable: Bun.isStandaloneExecutable ? process.execPath : null,
  };
}

/** Prints the unit that `install` would write; works on any machine. Throws SettingError as `unitText` does. */
export function printUnit(options: Pick<InstallOptions, "flags" | "user">, { executable }: Machine, console: Console) {
  const path = executable === null || isHidden(executable) ? USUAL_EXECUTABLE : executable;
  console.print(
    ...unitText({ ...options, executable: path })
      .trimEnd()
      .split("\n"),
  );
  return EXIT.done;
}

/**
 * Writes the unit. In systemd's own folder it also makes the unit's user and
 * folders, and prints or performs the next steps.
 *
 * @throws InputError where this machine or process cannot do that; SettingError as `unitText` does
 */
export async function installService(options: InstallOptions, machine: Machine, console: Console): Promise<number> {
  const { flags, user, unitFolder, now } = options;
  if (now && unitFolder !== null)
    throw new SettingError("--now does not go with --unit-folder: systemd does not read that folder.");
  if (unitFolder === null) needSystemd(machine);
  const executable = reachable(machine);
  const path = join(unitFolder ?? SYSTEMD_FOLDER, UNIT_NAME);
  const text = unitText({ executable, user, flags });
  if (existsSync(path)) refuseForeign(path);
  const settings = readUnitSettings(flags);
  if (unitFolder === null) {
    await makeUser(user);
    for (const folder of serviceFolders(settings)) makeFolder(folder, user);
  }
  writeWhole(path, text);
  console.print(`Wrote ${path}.`);
  if (unitFolder !== null) return EXIT.done;
  const steps = startingSteps(executable, user, settings.dataFolder);
  if (now) for (const step of steps) await perform(step);
  else console.print("Next:", ...steps.map((step) => `  ${step.join(" ")}`));
  return EXIT.done;
}

/** Stops the service and removes its unit; its data stays. Throws InputError where there is no unit of ours. */
export async function uninstallService(unitFolder: string | null, machine: Machine, console: Console): Promise<number> {
  if (unitFolder === null) needSystemd(machine);
  const path = join(unitFolder ?? SYSTEMD_FOLDER, UNIT_NAME);
  if (!existsSync(path)) throw new InputError("NO_SUCH_UNIT", `There is no ${path}.`);
  refuseForeign(path);
  const text = readFileSync(path, "utf8");
  if (unitFolder === null) await perform(["systemctl", "disable", "--now", UNIT_NAME]);
  rmSync(path);
  if (unitFolder === null) await perform(["systemctl", "daemon-reload"]);
  const [user, dataFolder] = [/^User=(.+)$/m, /^ExecStart=.* --data (\S+)/m].map((line) => line.exec(text)?.[1]);
  console.print(`Removed ${path}. The data in ${dataFolder} and the user ${user} stay.`);
  return EXIT.done;
}

/** The path of the compiled program. @throws InputError where a service could not run it */
function reachable({ executable }: Machine): string {
  if (executable === null) {
    throw new InputError(
      "NOT_COMPILED",
      "Only the executable can be installed. Make it with `bun run build`, or see the unit with `cupel service print`.",
    );
  }
  if (isHidden(executable)) {
    throw new InputError(
      "PROGRAM_OUT_OF_REACH",
      `A service cannot see ${executable}. Copy it first (install -m 755 ` +
        `${executable} ${USUAL_EXECUTABLE}) and run the copy.`,
    );
  }
  return executable;
}

function needSystemd({ platform, isRoot, hasSystemd }: Machine): void {
  if (!hasSystemd) {
    const starter = STARTERS[platform] ?? "the init system of this machine";
    throw new InputError(
      "NO_SYSTEMD",
      `This machine has no systemd. Have ${starter} start \`cupel serve --data ` +
        `FOLDER\`, which stays in the foreground.`,
    );
  }
  if (!isRoot) throw new InputError("NEEDS_ROOT", "Only root may install services: use sudo.");
}

function refuseForeign(path: string): void {
  if (readFileSync(path, "utf8").startsWith(`${UNIT_MARK}\n`)) return;
  throw new InputError("FOREIGN_UNIT", `${path} was not written by this program. Remove it yourself first.`);
}

async function makeUser(user: string): Promise<void> {
  if (idOf("-u", user) !== null) return;
  const command = [...ADD_ACCOUNT.split(" "), user];
  if (user === SERVICE_USER) return perform(command);
  throw new InputError(
    "NO_SUCH_ACCOUNT",
    `There is no account ${user} on this machine. Add it with: ${command.join(" ")}`,
  );
}

/** Gives the folder to the user, whose commands can then write there before the service has ever run. */
function makeFolder(path: string, user: string): void {
  const [uid, gid] = [Number(idOf("-u", user)), Number(idOf("-g", user))];
  if (existsSync(path)) {
    if (statSync(path).uid === uid) return;
    throw new InputError(
      "FOLDER_OF_ANOTHER",
      `${path} does not belong to ${user}. Change that with: chown -R ${user}: ${path}`,
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, uid, gid);
}

function idOf(which: "-u" | "-g", user: string): string | null {
  const { exitCode, stdout } = Bun.spawnSync(["id", which, user], { stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : null;
}

function writeWhole(path: string, text: string): void {
  const half = `${path}.new`;
  writeFileSync(half, text, { mode: 0o644 });
  renameSync(half, path);
}

/** Adds an administrator first; else the first start would write a generated password to the system journal. */
function startingSteps(executable: string, user: string, dataFolder: string): string[][] {
  const add = ["runuser", "-u", user, "--", executable, "user", "add", FIRST_ADMIN, "--admin", "--data", dataFolder];
  return [
    ...(existsSync(join(dataFolder, DATABASE_FILE)) ? [] : [add]),
    ["systemctl", "daemon-reload"],
    ["systemctl", "enable", UNIT_NAME],
    ["systemctl", "restart", UNIT_NAME],
  ];
}

/** Runs a command on this terminal. */
async function perform(command: readonly string[]): Promise<void> {
  const code = await Bun.spawn([...command], { stdio: ["inherit", "inherit", "inherit"] }).exited;
  if (code !== 0)
    throw new InputError("STEP_FAILED", `This command failed with exit code ${code}: ${command.join(" ")}`);
}
