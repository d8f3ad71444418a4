// A model over time: its days are joined to stretches that have rows enough, and
// each stretch is held against the training rows once.
import type { WatchedModel } from "../model/model-file.ts";
import { addCounts, noCountsLike, type ScoredCounts } from "../watch/scored-counts.ts";
import { hasAlarm, LEAST_ROWS, type WatchReport, watchReport } from "../watch/watch-report.ts";
import type { Rhythm } from "../watch/weekly-rhythm.ts";
import type { PromiseState } from "./worse-than-promised.ts";

/**
 * SHIFTED: the newest stretch that could be judged is unlike the training rows. TOO_FEW_ROWS: none could. NOT_WATCHED:
 * nothing is counted, or the model has no counts of its training rows.
 */
export type ShiftState = "STEADY" | "SHIFTED" | "TOO_FEW_ROWS" | "NOT_WATCHED";

/**
 * The worst of what the rows and the labels that came later say. NO_PROMISE: labels came, and the version has no
 * confirmed figure to hold them against.
 */
export type WatchState = ShiftState | "WORSE_THAN_PROMISED" | "NO_PROMISE";

/** `labelled`: how many labels came. */
export function worstState(rows: ShiftState, labels: PromiseState, labelled: number): WatchState {
  if (labels === "WORSE_THAN_PROMISED") return labels;
  return labels === "NO_PROMISE" && labelled > 0 && rows !== "SHIFTED" ? labels : rows;
}

export interface DayCounts {
  /** As `2031-05-06`, by UTC. */
  day: string;
  counts: ScoredCounts;
}

export interface Stretch {
  /** The first and the last day; one that is not over ends today. */
  from: string;
  to: string;
  /** False while rows may still be added to it: it is judged once, when its last day is over. */
  isOver: boolean;
  counts: ScoredCounts;
  /** Its days, and those of the week before it. */
  around: readonly DayCounts[];
  /** The chance that it raises an alarm although its rows are like the training rows. */
  level: number;
}

/**
 * The chance that a month of rows like the training rows raises an alarm, however many looks it has: a stretch of d
 * days has d/31, d/30 or d/28 of it, so that those of a month add up to it (Bonferroni).
 */
export const MONTHLY_LEVEL = 0.01;
/** A stretch ends with the day on which it reaches this many counted rows: fewer show only large differences. */
const ROWS_OF_STRETCH = 100;

const WEEK = 7;

/**
 * `days`: ascending, of one model. `today`: by UTC. `since`: the day on which the model was made, where that is known:
 * no stretch begins before it. `first`: the first of a month; days before it are of no stretch, and may be the week
 * before one. O(days × columns).
 */
export function stretchesOf(days: readonly DayCounts[], today: string, since = "", first = ""): Stretch[] {
  const stretches: Stretch[] = [];
  for (const month of byMonth(days.filter(({ day }) => day >= first))) {
    const dayCount = daysOfMonth(month[0]!.day);
    let from = isSameMonth(month[0]!.day, since) ? Math.min(dayNumber(since), dayNumber(month[0]!.day)) : 1;
    let sum: ScoredCounts | null = null;
    const close = (last: number, isOver: boolean) => {
      const dated = { from: dayInMonth(month[0]!.day, from), to: dayInMonth(month[0]!.day, last) };
      const weekBefore = dayAfter(dated.from, -WEEK);
      const around = days.filter(({ day }) => day >= weekBefore && day <= dated.to);
      stretches.push({ ...dated, isOver, counts: sum!, around, level: (MONTHLY_LEVEL * (last - from + 1)) / dayCount });
      from = last + 1;
      sum = null;
    };
    for (const { day, counts } of month) {
      sum ??= noCountsLike(counts);
      addCounts(sum, counts);
      if (sum.countedRows >= ROWS_OF_STRETCH) close(dayNumber(day), day < today);
    }
    if (sum === null) continue;
    const isPast = monthOf(month[0]!.day) < monthOf(today);
    if (isPast) close(dayCount, true);
    else close(Math.max(dayNumber(month.at(-1)!.day), isSameMonth(month[0]!.day, today) ? dayNumber(today) : 1), false);
  }
  return stretches;
}

export interface StretchReport extends Omit<Stretch, "counts" | "around">, WatchReport {
  /** How many columns are SHIFTED. */
  shiftedColumns: number;
  /** Null where it is not over, or too few rows were counted. */
  isShifted: boolean | null;
  meanConfidence: number;
  /** Rows by class code. */
  decisionCounts: readonly number[];
}

export interface Health {
  state: ShiftState;
  /** How many of the judged stretches raised an alarm; null where none was judged. */
  alarmShare: number | null;
  /** Oldest first. */
  stretches: StretchReport[];
}

/**
 * O(stretches × columns), some 6 µs each. `isLatestOnly`: leaves out what lies before the newest
 * stretch that can be judged, which the state does not depend on.
 */
export function healthOf(
  model: WatchedModel,
  days: readonly DayCounts[],
  today: string,
  { since = "", first = "", isLatestOnly = false } = {},
): Health {
  const stretches = stretchesOf(days, today, since, first);
  const from = isLatestOnly ? stretches.findLastIndex((stretch) => isJudgeable(model, stretch)) : 0;
  return healthFrom(
    model,
    stretches.slice(Math.max(0, from)).map((stretch) => judgeStretch(model, stretch)),
  );
}

/** `stretches`: all that `healthOf` judges. */
export function healthFrom(model: WatchedModel, stretches: StretchReport[]): Health {
  const judged = stretches.filter(({ isShifted }) => isShifted !== null);
  const alarms = judged.filter(({ isShifted }) => isShifted === true).length;
  const alarmShare = judged.length === 0 ? null : alarms / judged.length;
  if (model.reference === undefined) return { state: "NOT_WATCHED", alarmShare: null, stretches };
  if (judged.length === 0) return { state: "TOO_FEW_ROWS", alarmShare, stretches };
  return { state: judged.at(-1)!.isShifted === true ? "SHIFTED" : "STEADY", alarmShare, stretches };
}

function isJudgeable(model: WatchedModel, { isOver, counts }: Stretch): boolean {
  return isOver && model.reference !== undefined && counts.countedRows >= LEAST_ROWS;
}

/** Takes milliseconds where a model has many columns. */
export function judgeStretch(model: WatchedModel, counted: Stretch): StretchReport {
  const { counts, around, ...stretch } = counted;
  const { level } = stretch;
  const isJudged = isJudgeable(model, counted);
  const alone = watchReport(model, counts, null, { level });
  const rhythm = isJudged && hasAlarm(alone) ? rhythmOf(stretch, around) : null;
  const report = rhythm === null ? alone : watchReport(model, counts, null, { level, rhythm });
  const shown = isJudged ? report : untold(report);
  return {
    ...{ ...stretch, ...shown },
    shiftedColumns: (shown.columns ?? []).filter(({ verdict }) => verdict === "SHIFTED").length,
    isShifted: isJudged ? hasAlarm(report) : null,
    meanConfidence: counts.confidence.sum / Math.max(1, counts.rowCount),
    decisionCounts: counts.decisions,
  };
}

/** Null for a whole week and more, in which the days of the week are, and where nothing came a week before. */
function rhythmOf({ from, to }: Pick<Stretch, "from" | "to">, around: readonly DayCounts[]): Rhythm | null {
  const weekAgo = dayAfter(to, -WEEK);
  const before = around.filter(({ day }) => day <= weekAgo);
  if (from <= weekAgo || before.length === 0) return null;
  return { before: sumOfDays(before), week: sumOfDays(around.filter(({ day }) => day > weekAgo)) };
}

function sumOfDays(days: readonly DayCounts[]): ScoredCounts {
  const sum = noCountsLike(days[0]!.counts);
  for (const { counts } of days) addCounts(sum, counts);
  return sum;
}

/** A stretch that goes on is shown as it is so far, and not judged: each further look would add to the false alarms. */
function untold(report: WatchReport): WatchReport {
  const verdict = "UNTOLD" as const;
  const { columns, decisions, confidence } = report;
  return {
    ...report,
    columns: columns?.map((column) => ({ ...column, verdict })).sort((a, b) => b.index - a.index) ?? null,
    decisions: decisions && { ...decisions, verdict },
    confidence: confidence && { ...confidence, verdict },
  };
}

function byMonth(days: readonly DayCounts[]): DayCounts[][] {
  const months = new Map<string, DayCounts[]>();
  for (const counts of days) {
    const month = months.get(monthOf(counts.day)) ?? [];
    month.push(counts);
    months.set(monthOf(counts.day), month);
  }
  return [...months.values()];
}

function monthOf(day: string): string {
  return day.slice(0, 7);
}

function isSameMonth(one: string, other: string): boolean {
  return monthOf(one) === monthOf(other);
}

function dayAfter(day: string, days: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

function dayNumber(day: string): number {
  return Number(day.slice(8, 10));
}

function dayInMonth(day: string, number: number): string {
  return `${monthOf(day)}-${String(number).padStart(2, "0")}`;
}

function daysOfMonth(day: string): number {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
}
