// `cupel doctor`: what is wrong with a service's folder and surroundings, whether the service runs or not.
import type { ServeOptions } from "../config.ts";
import { examine } from "../doctor/doctor.ts";
import { type Finding, VERDICTS, type Verdict } from "../doctor/finding.ts";
import { EXIT } from "../exit-codes.ts";
import { formatAmount } from "../format.ts";
import type { Console } from "./console.ts";

export interface DoctorOptions {
  /** As the server is started with. */
  service: ServeOptions;
  /** Whether to read all files. */
  deep: boolean;
  json: boolean;
}

/** Of the items of a finding, such as paths, so many are printed; `json` has them all. */
const MOST_ITEMS = 10;
const INDENT = " ".repeat(22);

/** Prints what it found and gives the exit code: `fault` where there is any problem, `done` with nothing but warnings. */
export async function doctor({ service, deep, json }: DoctorOptions, console: Console): Promise<number> {
  const findings = await examine(service, deep, new Date());
  const counts = countsOf(findings);
  if (json) console.print(JSON.stringify({ dataFolder: service.dataFolder, ...counts, findings }));
  else {
    for (const finding of findings) for (const line of linesOf(finding)) console.print(line);
    console.print(`\n${formatAmount(counts.problems, "problem")}, ${formatAmount(counts.warnings, "warning")}.`);
  }
  return counts.problems > 0 ? EXIT.fault : EXIT.done;
}

function countsOf(findings: readonly Finding[]): { problems: number; warnings: number } {
  const count = (wanted: Verdict) => findings.filter(({ verdict }) => verdict === wanted).length;
  return { problems: count("problem"), warnings: count("warning") };
}

function linesOf({ check, verdict, text, remedy, items }: Finding): string[] {
  const width = Math.max(...VERDICTS.map(({ length }) => length));
  const shown = items.slice(0, MOST_ITEMS);
  const others = items.length > shown.length ? [`and ${items.length - shown.length} more; --json lists them all`] : [];
  return [
    `${verdict.padEnd(width)}  ${check.padEnd(11)}  ${text}`,
    ...[...shown, ...others].map((item) => `${INDENT}${item}`),
    ...(remedy === null ? [] : [`${INDENT}→ ${remedy}`]),
  ];
}
