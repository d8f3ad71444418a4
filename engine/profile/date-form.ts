// Decides how a column writes its dates, where it holds dates.

import type { CellEvidence } from "../columns/cell-evidence.ts";
import { type DateForm, type DateOrder, partValues, UNIX, YEAR_FIRST } from "../columns/dates.ts";
import { unixUnit } from "../unix-times.ts";
import type { Warning } from "../warning.ts";
import type { ColumnFacts } from "./column-facts.ts";

/** More than this share of the cells of a column of dates are dates. */
export const DATE_SHARE = 0.95;
const LEAST_TIMES = 20;
/** Words of a column's name that say so. */
const TIME_WORDS: ReadonlySet<string> = new Set(
  "time date datetime timestamp stamp ts dt epoch unix utc when at on day start end begin created updated modified seen zeit zeitpunkt zeitstempel datum uhrzeit beginn ende fecha hora inicio heure début data ora".split(
    " ",
  ),
);
/** From November 2004 to March 2030. */
const FIRST_SECOND = 1.1e9;
const LAST_SECOND = 1.9e9;
/** A day: within it the parts of a date say less than the number. */
const LEAST_SECONDS = 86_400;

/** Returns null where the column holds no dates, or where days and months cannot be told apart. */
export function chooseDateForm(facts: ColumnFacts, warnings: Warning[]): DateForm | null {
  const { evidence } = facts;
  const isOver = (count: number): boolean => count > DATE_SHARE * evidence.cells;
  if (isOver(evidence.dates.ymd.fits)) return YEAR_FIRST;
  if (isOver(evidence.dates.unix.fits) && (facts.choice?.kind === "date" || (areUnixTimes(facts) && isNamedSo(facts))))
    return UNIX;
  if (!isOver(evidence.yearLast)) return null;
  const order = yearLastOrder(evidence);
  const isYearFirst = order !== null && mayHaveYearFirst(evidence, order);
  if (order !== null && !isYearFirst && isOver(evidence.dates[order].fits)) return { order };
  const first = isYearFirst ? "the year" : "the month";
  warnings.push({
    code: "AMBIGUOUS_DATE",
    message:
      `The dates in column "${facts.name}" can be read with the day or ${first} first, ` +
      "so they are not read as dates. Write them as YYYY-MM-DD.",
    column: facts.name,
  });
  return null;
}

/** Whether the numbers may be times since 1970. */
export function areUnixTimes({ evidence, distinct }: Pick<ColumnFacts, "evidence" | "distinct">): boolean {
  const { lowest, highest } = evidence;
  const unit = distinct < LEAST_TIMES ? null : unixUnit([lowest, highest]);
  if (unit === null || lowest < FIRST_SECOND * unit || highest > LAST_SECOND * unit) return false;
  return highest - lowest > LEAST_SECONDS * unit;
}

/** Numbers of documents have ten digits too, so that the column's name has to say that it holds times. */
function isNamedSo({ name, evidence }: ColumnFacts): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return evidence.lowest >= FIRST_SECOND * 1000 || words.some((word) => TIME_WORDS.has(word));
}

/** Whether years of two digits may be days: at most 31, and more of them than there are days, which may be years. */
function mayHaveYearFirst({ dates, shortYears }: CellEvidence, order: DateOrder): boolean {
  if (shortYears === 0) return false;
  const years = partValues(dates[order].values!, "year");
  const days = partValues(dates[order].values!, "day");
  return years.length > days.length && years.every((year) => year % 100 >= 1 && year % 100 <= 31);
}

function yearLastOrder(evidence: CellEvidence): DateOrder | null {
  if (evidence.onlyDayFirst > 0 && evidence.onlyMonthFirst === 0) return "dmy";
  if (evidence.onlyMonthFirst > 0 && evidence.onlyDayFirst === 0) return "mdy";
  return null;
}
