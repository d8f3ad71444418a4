// Checks the server's own backups: that there are some, recent enough, and on another disk.
import { readdirSync, statSync } from "node:fs";
import { knownBackups } from "../backups/names.ts";
import { formatAmount, formatDuration } from "../common/format.ts";
import type { ServeOptions } from "../service/config.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

/** Older than this, two backups in a row have failed. */
const MOST_PERIODS = 2;

/** Finds nothing where the server makes no backups. */
export function checkBackups({ backups, dataFolder }: ServeOptions, now: Date): Finding[] {
  if (backups === null) return [];
  const { folder, everyHours } = backups;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const remedy = "Make the folder, or mount its disk. The server keeps trying.";
    return [problem("backups", `The folder ${folder} cannot be read (${codeOf(error)}).`, remedy)];
  }
  const remedy = "Look into the server's log, or make one by hand: cupel backup FILE";
  const known = knownBackups(names);
  const wholeBackups = known.filter(({ isLacking }) => !isLacking);
  const ageSeconds = Math.min(...wholeBackups.map(({ madeMs }) => (now.getTime() - madeMs) / 1000));
  const newest = formatDuration(Math.max(0, ageSeconds));
  const findings: Finding[] = [];
  if (wholeBackups.length === 0) findings.push(warning("backups", `There is none in ${folder} yet.`, remedy));
  else if (ageSeconds > MOST_PERIODS * everyHours * 3_600) {
    findings.push(warning("backups", `The newest is ${newest} old.`, remedy));
  } else findings.push(ok("backups", `${formatAmount(wholeBackups.length, "backup")}, the newest ${newest} old.`));
  if (statSync(dataFolder, { throwIfNoEntry: false })?.dev === statSync(folder).dev) {
    findings.push(
      warning("backups", "They are on the same disk as the state.", "Give a --backup-folder on another disk."),
    );
  }
  return findings;
}
