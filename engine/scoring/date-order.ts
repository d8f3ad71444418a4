// The order of year, month and day in which a scored file writes the dates of a column, by how many cells fit which.
import { DAY_FIRST, type DateForm, dateBit, ISO_DATE, MONTH_FIRST } from "../columns/dates.ts";
import { isUnreadable, LEAST_VALUES } from "./unreadable-column.ts";

/** Counts the cells with a value whose set of fitting orders is asked for. */
type CellCount = (isCounted: (fits: number) => boolean) => number;

const DAY = dateBit(DAY_FIRST);
const MONTH = dateBit(MONTH_FIRST);
/** Dates in the other order of day and month alone are slips where they are fewer, or a smaller share of a column. */
const LEAST_CONTRARY = 3;
const CONTRARY_SHARE = 0.05;

/**
 * The order in which most cells are dates, the model's own where others fit no more. A year at the end counts where
 * some cell shows whether day or month comes before it, and none shows the other. One of these takes the place of the
 * other only where that leaves nearly nothing to read: else some cells would have been read with day and month
 * exchanged.
 */
export function dateFormInFile(count: CellCount, own: DateForm): DateForm {
  const fitting = (form: DateForm) => count((fits) => (fits & dateBit(form)) !== 0);
  const shown = shownYearLast(count);
  const isOpen = own.order === "ymd" || isUnreadable({ total: count(() => true), read: fitting(own) });
  const others = shown !== null && isOpen ? [ISO_DATE, shown] : [ISO_DATE];
  return others.reduce((best, form) => (fitting(form) > fitting(best) ? form : best), own);
}

/**
 * The set of orders that cells fit which are dates only with the day and the month in the other order than in `form`;
 * null in a column of few values, and where these are so few that they may be slips.
 */
export function contraryFits(count: CellCount, form: DateForm): number | null {
  if (form.order === "ymd") return null;
  const contrary = form.order === "dmy" ? MONTH : DAY;
  const [found, total] = [count((fits) => fits === contrary), count(() => true)];
  return total >= LEAST_VALUES && found >= LEAST_CONTRARY && found > CONTRARY_SHARE * total ? contrary : null;
}

function shownYearLast(count: CellCount): DateForm | null {
  const [day, month] = [count((fits) => fits === DAY), count((fits) => fits === MONTH)];
  if (day === 0) return month === 0 ? null : MONTH_FIRST;
  return month === 0 ? DAY_FIRST : null;
}
