// `cupel doctor`: prints what is wrong with a service, whether it runs or not.

import { EXIT } from "../../common/exit-codes.ts";
import { formatAmount } from "../../common/format.ts";
import { examine } from "../../doctor/doctor.ts";
import { type Finding, type Severity, VERDICTS } from "../../doctor/finding.ts";
import type { ServeOptions } from "../../service/config.ts";
import type { Console } from "../console.ts";

export interface DoctorOptions {
  /** The settings that the server is started with. */
  service: ServeOptions;
  /** Whether to read all files. */
  deep: boolean;
  json: boolean;
}

/** Most items of a finding, such as paths, that are printed; `json` has them all. */
const MOST_ITEMS = 10;
const INDENT = " ".repeat(22);

/** Prints the findings. The exit code is `fault` for any problem, and `done` for warnings alone. */
export async function doctor({ service, deep, json }: DoctorOptions, console: Console): Promise<number> {
  const findings = await examine(service, deep, new Date());
  const count = (wanted: Severity) => findings.filter(({ verdict }) => verdict === wanted).length;
  const counts = { problems: count("problem"), warnings: count("warning") };
  if (json) console.print(JSON.stringify({ dataFolder: service.dataFolder, ...counts, findings }));
  else {
    console.print(...findings.flatMap(linesOf), "");
    console.print(`${formatAmount(counts.problems, "problem")}, ${formatAmount(counts.warnings, "warning")}.`);
  }
  return counts.problems > 0 ? EXIT.fault : EXIT.done;
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
