// The doctor: checks all that a service needs, one thing after the other, and changes nothing.
import { type RunningServer, readRunning } from "../../data/files/running-server.ts";
import type { ServeOptions } from "../service/config.ts";
import { checkBackups } from "./backups-check.ts";
import { checkCertificate } from "./certificate-check.ts";
import { checkClock } from "./clock-check.ts";
import { checkDatabase } from "./database-check.ts";
import { checkDisk } from "./disk-check.ts";
import { checkAsides, checkFiles, checkJournals, checkOrphans } from "./files-check.ts";
import { codeOf, type Finding, problem } from "./finding.ts";
import { checkFolder, checkSecret, statFolder } from "./folder-check.ts";
import { checkLimits } from "./limits-check.ts";
import { isLockHeld, lockFinding } from "./lock-check.ts";
import { checkMount } from "./mount-check.ts";
import { checkPort, placeOf } from "./port-check.ts";

/**
 * All findings in the order of the checks. A check that fails does not keep the others from running.
 *
 * @param deep whether to read all files and compare indexes, which takes as long as reading the disk
 */
export async function examine(options: ServeOptions, deep: boolean, now: Date): Promise<Finding[]> {
  const { dataFolder: folder } = options;
  const findings: Finding[] = [];
  const look = async (check: string, find: () => Finding[] | Promise<Finding[]>) => {
    findings.push(...(await found(check, find)));
  };
  let isServed = false;
  let running: RunningServer | null = null;
  await look("folder", () => checkFolder(folder));
  if (statFolder(folder) !== null) {
    await look("mount", () => checkMount(folder));
    await look("disk", () => checkDisk(folder));
    await look("lock", () => {
      isServed = isLockHeld(folder);
      running = isServed ? readRunning(folder) : null;
      return [lockFinding(isServed, running)];
    });
    await look("secret", () => checkSecret(folder));
    await look("database", () => lookInside(folder, isServed, deep, now));
  }
  await look("backups", () => checkBackups(options, now));
  await look("port", () => checkPort(placeOf(options, running), isServed));
  await look("certificate", () => checkCertificate(options, now));
  await look("limits", () => checkLimits(options, isServed));
  return findings;
}

/** Checks that need the database. */
async function lookInside(folder: string, isServed: boolean, deep: boolean, now: Date): Promise<Finding[]> {
  const { finding, client } = checkDatabase(folder, isServed, deep);
  const clock = await found("clock", () => [checkClock(client, now)]);
  if (client === null) return [finding, ...clock];
  try {
    return [
      finding,
      ...(await found("files", async () => [await checkFiles(client, folder, deep)])),
      ...(await found("orphans", () => [checkOrphans(client, folder, now)])),
      ...(await found("unnamed", () => checkAsides(folder))),
      ...(await found("journals", () => [checkJournals(folder)])),
      ...clock,
    ];
  } finally {
    client.close();
  }
}

async function found(check: string, find: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await find();
  } catch (error) {
    const remedy = "Run this as the server's user, or as root.";
    return [problem(check, `This could not be checked (${codeOf(error)}).`, remedy)];
  }
}
