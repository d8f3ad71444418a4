// Decides how a column writes its dates, where it holds dates.

import type { CellEvidence } from "../columns/cell-evidence.ts";
import type { ColumnChoice } from "../columns/choices.ts";
import { type DateForm, type DateOrder, partValues, UNIX, YEAR_FIRST } from "../columns/dates.ts";
import { quotedName } from "../csv/header.ts";
import { shellWord } from "../shell-word.ts";
import { unixUnit } from "../unix-times.ts";
import type { Warning } from "../warning.ts";

interface DateFacts {
  name: string;
  evidence: CellEvidence;
  /** Distinct non-missing texts. */
  distinct: number;
  choice?: ColumnChoice | null;
}

/** More than this share of the cells of a column of dates are dates. */
export const DATE_SHARE = 0.95;
const LEAST_TIMES = 20;
const TIME_NAME =
  /time|date|stamp|epoch|unix|utc|when|zeit|datum|fecha|heure|hora|creat|updat|modif|_at$|_on$|(?:^|_)(?:ts|dt)(?:_|$)/i;
/** Such as createdAt. */
const CAMEL_TIME_NAME = /[a-z](?:At|On)$/;
/** From November 2004 to March 2030. */
const FIRST_SECOND = 1.1e9;
const LAST_SECOND = 1.9e9;
/** A day: within it the parts of a date say less than the number. */
const LEAST_SECONDS = 86_400;

/** Returns null where the column holds no dates, or where days and months cannot be told apart. */
export function chooseDateForm(facts: DateFacts, warnings: Warning[]): DateForm | null {
  const { evidence } = facts;
  const isOver = (count: number): boolean => count > DATE_SHARE * evidence.cells;
  if (isOver(evidence.dates.ymd.fits)) return YEAR_FIRST;
  if (isOver(evidence.dates.unix.fits) && (facts.choice?.kind === "date" || areUnixTimes(facts, warnings))) return UNIX;
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

/** Numbers of documents have ten digits too, so that the column's name has to say that it holds times. */
function areUnixTimes({ name, evidence, distinct }: DateFacts, warnings: Warning[]): boolean {
  const { lowest, highest } = evidence;
  const unit = distinct < LEAST_TIMES ? null : unixUnit([lowest, highest]);
  if (unit === null || lowest < FIRST_SECOND * unit || highest > LAST_SECOND * unit) return false;
  if (highest - lowest <= LEAST_SECONDS * unit) return false;
  if (unit > 1 || TIME_NAME.test(name) || CAMEL_TIME_NAME.test(name)) return true;
  const message =
    `Column ${quotedName(name)} may hold times in seconds since 1970. They are read as plain numbers, which say nothing of ` +
    `hours and days of the week. If they are times, say so: --kind=${shellWord(`${name}=date`)} or, in the API, kind in ` +
    "columnChoices.";
  warnings.push({ code: "UNREAD_DATES", message, column: name });
  return false;
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
