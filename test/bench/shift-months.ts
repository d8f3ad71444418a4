// How often a month of daily batches without any change raises an alarm: bun test/bench/shift-months.ts [--trained
// ROWS] [MONTHS] [ROWS A DAY …]
import { parseArgs } from "node:util";
import { type DayCounts, healthOf } from "../../engine/outcomes/health.ts";
import { COLUMNS, drawFile, drawModel, headOf, otherRules, say } from "./drawn-columns.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { trained: { type: "string", default: "5000" } },
});
const TRAINED = Number(flags.trained);
const DAYS = 30;
const MONTHS = Number(positionals[0] ?? 2_000);
const SIZES = positionals.length > 1 ? positionals.slice(1).map(Number) : [50, 500, 5_000, 50_000];
const day = (at: number) => `2031-04-${String(at + 1).padStart(2, "0")}`;

say(
  `${MONTHS} months of ${DAYS} daily batches without change, ${COLUMNS.length} columns, ${TRAINED} training rows: share of months with an alarm`,
);
for (const [place, rowCount] of SIZES.entries()) {
  /** Months with an alarm, by rule. */
  const alarms = new Map([["Cupel", 0]]);
  for (let month = 0; month < MONTHS; month++) {
    const { model, chances } = drawModel(TRAINED);
    const days = Array.from(
      { length: DAYS },
      (_, at): DayCounts => ({ day: day(at), counts: drawFile(chances, rowCount) }),
    );
    const { stretches } = healthOf(model, days, "2031-05-01");
    const found = new Map([["Cupel", stretches.some(({ isShifted }) => isShifted === true)]]);
    for (const { counts } of days) {
      for (const [rule, isAlarm] of otherRules(model, counts)) found.set(rule, isAlarm || found.get(rule) === true);
    }
    for (const [rule, isAlarm] of found) alarms.set(rule, (alarms.get(rule) ?? 0) + Number(isAlarm));
  }
  if (place === 0) say(headOf("rows a day", [...alarms.keys()].slice(1)));
  const shown = [...alarms.values()].map((count) => (count / MONTHS).toFixed(4)).join(" | ");
  say(`| ${rowCount.toLocaleString("en-US")} | ${shown} |`);
}
