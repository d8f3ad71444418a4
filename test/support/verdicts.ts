// Hand-made verdicts: judged at random, by groups, by time, and doubts of every kind.
import type { JudgedBy } from "../../data/database/records.ts";
import { type Doubt, JUDGED_AT_RANDOM, type Verdict } from "../../src/summary/verdict.ts";

export const BY_MACHINE: JudgedBy = { kind: "groups", groupColumn: "machine", timeColumn: null, groupCount: 160 };
export const BY_TIME: JudgedBy = { kind: "time", groupColumn: null, timeColumn: "measured on", groupCount: 0 };
export const BY_BOTH: JudgedBy = { ...BY_TIME, kind: "groups and time", groupColumn: "machine", groupCount: 160 };

export const GROUP_DOUBT: Doubt = {
  code: "GROUPS_FLATTER",
  level: "serious",
  message:
    'Rows with the same "machine" resemble each other: 100.0% at random, about 54.8% for values of "machine" that the model has not seen.',
  remedy: 'If the model is to answer for new values of "machine", judge by it.',
  option: "--group machine",
  columns: ["machine"],
  random: 1,
  held: 0.548,
};

export const LEAK_DOUBT: Doubt = {
  code: "LEAK_SUSPECT",
  level: "serious",
  message:
    'Whether column "Kündigungsdatum" is filled or empty gives the label away. If it is only known after the label is, new rows will not have it.',
  remedy: "If so, train without it.",
  option: '--without "Kündigungsdatum"',
  columns: ["Kündigungsdatum"],
  random: null,
  held: null,
};

export const FEW_DOUBT: Doubt = {
  code: "FEW_ROWS",
  level: "caution",
  message: "Only 40 rows could be held out: mind the interval more than the figure.",
  remedy: "Add labelled rows.",
  option: null,
  columns: [],
  random: null,
  held: null,
};

/** Random rows that were looked at, without a doubt unless told otherwise. */
export function verdictWith(changes: Partial<Verdict> = {}): Verdict {
  return { judgedBy: JUDGED_AT_RANDOM, isLookedAt: true, doubts: [], ...changes };
}
