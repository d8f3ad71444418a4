// The order of year, month and day in which a scored file writes the dates of a column, by how many cells fit which.
import { DAY_FIRST, type DateForm, dateBit, MONTH_FIRST, UNIX, YEAR_FIRST } from "../columns/dates.ts";
import { isUnreadable, LEAST_VALUES } from "./unreadable-column.ts";

/** Counts the cells with a value whose set of fitting orders is asked for. */
type CellCount = (isCounted: (fits: number) => boolean) => number;

const DAY = dateBit(DAY_FIRST);
const MONTH = dateBit(MONTH_FIRST);
/** Fewer dates than this, or a smaller share, that fit only the other order of day and month are taken for slips. */
const LEAST_CONTRARY = 3;
const CONTRARY_SHARE = 0.05;

/**
 * The order that most cells fit; the model's own if no other fits more. An order with the year last is considered only
 * if some cell shows whether the day or the month comes first, and none shows the opposite. It replaces the opposite
 * order of a model only if that can read nearly no cell: else cells that fit both would be read with day and month
 * exchanged.
 */
export function dateFormInFile(count: CellCount, trained: DateForm): DateForm {
  const fitting = (form: DateForm) => count((fits) => (fits & dateBit(form)) !== 0);
  const shown = shownYearLast(count);
  const isOpen =
    trained.order === "ymd" ||
    trained.order === "unix" ||
    isUnreadable({ total: count(() => true), read: fitting(trained) });
  const others = shown !== null && isOpen ? [YEAR_FIRST, UNIX, shown] : [YEAR_FIRST, UNIX];
  return others.reduce((best, form) => (fitting(form) > fitting(best) ? form : best), trained);
}

/**
 * The bits of the orders that cells fit which are dates only with day and month the other way round than in `form`.
 * Null in a column of few values, and if these cells are so few that they may be slips.
 */
export function contraryFits(count: CellCount, form: DateForm): number | null {
  if (form.order === "ymd" || form.order === "unix") return null;
  const contrary = form.order === "dmy" ? MONTH : DAY;
  const [found, total] = [count((fits) => fits === contrary), count(() => true)];
  return total >= LEAST_VALUES && found >= LEAST_CONTRARY && found > CONTRARY_SHARE * total ? contrary : null;
}

function shownYearLast(count: CellCount): DateForm | null {
  const [day, month] = [count((fits) => fits === DAY), count((fits) => fits === MONTH)];
  if (day === 0) return month === 0 ? null : MONTH_FIRST;
  return month === 0 ? DAY_FIRST : null;
}
