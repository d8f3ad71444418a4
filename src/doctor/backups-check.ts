// The backups that the server makes of itself: that there are some, new enough, and on another disk.
import { readdirSync, statSync } from "node:fs";
import { knownBackups } from "../backups/names.ts";
import type { ServeOptions } from "../config.ts";
import { formatAmount, formatDuration } from "../format.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

/** Two in a row have failed then. */
const MOST_PERIODS = 2;

/** Nothing where the server is not told to make any. */
export function checkBackups({ backups, dataFolder }: ServeOptions, now: Date): Finding[] {
  if (backups === null) return [];
  const { folder, everyHours } = backups;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const remedy = "Make it, or mount its disk. The server goes on trying.";
    return [problem("backups", `The folder ${folder} cannot be read (${codeOf(error)}).`, remedy)];
  }
  const remedy = "Look into the server's log, or try by hand: cupel backup FILE";
  const known = knownBackups(names);
  const whole = known.filter(({ isLacking }) => !isLacking);
  const ageSeconds = Math.min(...whole.map(({ madeMs }) => (now.getTime() - madeMs) / 1000));
  const found: Finding[] = [];
  if (whole.length === 0) found.push(warning("backups", `There is none in ${folder} yet.`, remedy));
  else if (ageSeconds > MOST_PERIODS * everyHours * 3_600) {
    found.push(warning("backups", `The newest is ${formatDuration(ageSeconds)} old.`, remedy));
  } else
    found.push(
      ok(
        "backups",
        `${formatAmount(whole.length, "backup")}, the newest ${formatDuration(Math.max(0, ageSeconds))} old.`,
      ),
    );
  if (statSync(dataFolder, { throwIfNoEntry: false })?.dev === statSync(folder).dev) {
    found.push(warning("backups", "They are on the disk of the state.", "Give a --backup-folder on another one."));
  }
  return found;
}
