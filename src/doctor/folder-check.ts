// Checks the state folder: that it exists, who owns it, that nobody else may read it, and that its secret can be used.
import { existsSync, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { isHalfRestored, WAITING_FOLDER } from "../../data/backup/restore-swap.ts";
import { DATABASE_FILE } from "../../data/database/database.ts";
import { readSecrets, SECRET_FILE } from "../../data/database/secret.ts";
import { InputError } from "../../engine/input-error.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Permission bits of group and others. */
const OTHERS = 0o077;

/** Null where there is no such folder. */
export function statFolder(folder: string): Stats | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() ? found : null;
}

export function checkFolder(folder: string): Finding[] {
  const found = statFolder(folder);
  if (found === null) {
    const remedy = "Name it with --data. `cupel serve` makes a new one.";
    return [problem("folder", `There is no state folder ${folder}.`, remedy)];
  }
  const findings = [...checkMode(folder, found), ...checkOwners(folder, found), ...checkRestore(folder)];
  return findings.length > 0 ? findings : [ok("folder", `${folder}, readable by its owner only.`)];
}

/** Windows has no such modes: there the rights of the folder protect its files. */
function checkMode(folder: string, { mode }: Stats): Finding[] {
  if (process.platform === "win32") return [];
  const openFiles = [DATABASE_FILE, SECRET_FILE].map((name) => join(folder, name)).filter(isOpenToOthers);
  const findings: Finding[] = [];
  if ((mode & OTHERS) !== 0) {
    findings.push(warning("folder", `Other users of this machine may read ${folder}.`, `chmod 700 '${folder}'`));
  }
  if (openFiles.length > 0) {
    const remedy = `chmod 600 ${openFiles.map((path) => `'${path}'`).join(" ")}; if somebody may have read the secret: cupel secret rotate --now`;
    findings.push(
      problem("folder", "Other users of this machine may read the database or the secret.", remedy, openFiles),
    );
  }
  return findings;
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & OTHERS) !== 0;
}

/** The server cannot use files that another user, such as root, left in the folder. */
function checkOwners(folder: string, { uid }: Stats): Finding[] {
  const findings: Finding[] = [];
  const strange = readdirSync(folder).filter((name) => lstatSync(join(folder, name)).uid !== uid);
  if (strange.length > 0) {
    const remedy = `Give them to the folder's owner: chown -R ${uid} '${folder}'`;
    const text = `${strange.length} of the entries of ${folder} do not belong to its owner, user number ${uid}.`;
    findings.push(problem("owner", text, remedy, strange));
  }
  const self = process.getuid?.();
  if (self !== undefined && self !== uid && self !== 0) {
    const remedy = `Run this, and the server, as that user: sudo -u '#${uid}' cupel doctor`;
    findings.push(problem("owner", `${folder} belongs to user number ${uid}, and this runs as ${self}.`, remedy));
  }
  return findings;
}

function checkRestore(folder: string): Finding[] {
  if (isHalfRestored(folder)) {
    const remedy = "Start the server, which finishes the restore. Or run `cupel restore` again.";
    return [problem("restore", "A restore was interrupted while it replaced the state, or still runs.", remedy)];
  }
  const names = readdirSync(folder);
  const earlier = names.filter((name) => name.startsWith("before-restore-"));
  if (names.includes(WAITING_FOLDER)) {
    const remedy = "The server's next start, or the next restore, removes the unpacked files.";
    return [warning("restore", "A restore was interrupted before it replaced anything, or still runs.", remedy)];
  }
  if (earlier.length === 0) return [];
  const remedy = "Delete them when nobody needs them.";
  const text = `There ${earlier.length === 1 ? "is 1 earlier state" : `are ${earlier.length} earlier states`} that restores moved aside.`;
  return [warning("restore", text, remedy, earlier)];
}

/** The secret that signs tokens. */
export function checkSecret(folder: string): Finding[] {
  const path = join(folder, SECRET_FILE);
  if (!existsSync(path)) return [ok("secret", "There is none yet: the server's first start makes it.")];
  try {
    readSecrets(path);
    return [ok("secret", "It can be used.")];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [problem("secret", error.message, "Without it the server does not start.")];
  }
}
