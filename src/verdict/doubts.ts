// From the leakage check and the results of a run to its doubts, in words that a person acts on.

import type { JudgedBy } from "../../data/database/records.ts";
import type { Warning } from "../../engine/warning.ts";
import type { LeakageAnswer, TableAnswer } from "../../workers/messages.ts";
import { formatAmount, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";
import type { Verdict } from "../summary/verdict.ts";
import { flatteryDoubts } from "./flattery-doubts.ts";
import { keepTime, LABEL_WARNINGS, type LabelFacts, labelDoubts } from "./label-doubts.ts";
import { leakDoubts } from "./leak-doubts.ts";
import { caution, listQuoted, type Weighed, weigh } from "./weighed.ts";

/** Held-out rows below which an interval is wider than some eight points to each side. */
const FEW_HELD_OUT_ROWS = 150;
/** Groups below which their differences are hardly known. */
const FEW_GROUPS = 30;
/** Warnings that only hint at how a table may be meant: many sound tables have one, so none of them is a doubt. */
const HINTS: ReadonlySet<string> = new Set([
  "SENTINEL_NUMBER",
  "SENTINEL_DATE",
  "IDENTIFIER_COLUMN",
  "EVEN_LABELS",
  "BOUNDS_AS_NUMBERS",
  "ALIKE_CATEGORIES",
]);
const LINE_CODES: ReadonlySet<string> = new Set([
  "HEADER_LOOKS_LIKE_DATA",
  "HEADER_LOOKS_LIKE_TITLE",
  "HEADER_REPEATED",
  "HEADER_STANDS_BELOW",
  "TOTAL_ROWS",
  "SWALLOWED_LINES",
]);
/** A smaller loss of accuracy by the model's age is chance. The second is in standard errors, as for groups. */
const LEAST_FALL = 0.02;
const FALL_Z = 3;

/** Accuracies on the newest rows: of a model of all earlier rows, and of one that ended earlier. */
export interface Ageing {
  fresh: number;
  aged: number;
  /** Fresh less aged, in standard errors by which stretches of time differ. */
  z: number;
}

export interface VerdictInput extends LabelFacts {
  /** Null where nobody looked, or the check was cut off. */
  leakage: LeakageAnswer | null;
  source: Pick<TableAnswer, "columns" | "judgedBy" | "warnings" | "recordCount">;
  /** Rows of the two largest held-out groups; null if no groups were held out, or before that is known. */
  largestGroups: readonly number[] | null;
  refinement: RefinementSummary | null;
  /** The champion's ageing, where rows have a time; else null. */
  ageing: Ageing | null;
}

/** The results of a run, before there are any. */
export const BEFORE_MODELS = {
  largestGroups: null,
  rarest: null,
  neverPredicted: null,
  refinement: null,
  ageing: null,
  changed: null,
  warnings: [],
  hidden: null,
} as const satisfies Omit<VerdictInput, "leakage" | "source" | "heldOutRowCount">;

export function verdictOf(input: VerdictInput): Verdict {
  const { leakage, source } = input;
  const judgedBy = judgedByOf(source.judgedBy);
  const weighed = [
    ...flatteryDoubts(leakage, source),
    ...leakDoubts(leakage, source),
    ...labelDoubts(input),
    ...ages(input),
    ...fewRows(input, judgedBy),
    ...drift(input.refinement),
    ...fileWarnings(source.warnings),
  ];
  const doubts = weighed.sort((a, b) => b.weight - a.weight).map(({ doubt }) => doubt);
  const isLookedAt = leakage !== null && !leakage.isCut && (leakage.dependence === null || leakage.dependence.isWhole);
  const tooFewRows = leakage !== null && !leakage.isCut && leakage.dependence?.tooFewRows === true;
  const cutBy = leakage?.cutBy;
  return { judgedBy, isLookedAt, ...(tooFewRows && { tooFewRows }), ...(cutBy && { cutBy }), doubts };
}

function judgedByOf({ group, time, groupCount }: TableAnswer["judgedBy"]): JudgedBy {
  const kind = group === null ? (time === null ? "random" : "time") : time === null ? "groups" : "groups and time";
  return { kind, groupColumn: group, timeColumn: time, groupCount };
}

function fewRows({ heldOutRowCount, largestGroups }: VerdictInput, judgedBy: JudgedBy): Weighed[] {
  const { kind, groupColumn, groupCount } = judgedBy;
  if (kind.startsWith("groups") && groupCount < FEW_GROUPS) {
    const message =
      `Column ${inQuotes(groupColumn!)} names ${groupCount} groups: ` +
      "how much they differ is hardly known, and the interval is wide.";
    return [caution("FEW_GROUPS", message, "Add rows of further groups.")];
  }
  const large = largestGroups === null ? null : largeGroups(largestGroups, heldOutRowCount);
  if (large !== null) {
    const share =
      large.rowCount === heldOutRowCount ? "All" : `${formatPercent(large.rowCount / heldOutRowCount)} of the`;
    const message =
      `${share} held-out rows have ${large.count === 1 ? "one value" : "one of two values"} of ${inQuotes(groupColumn!)}: ` +
      "how much others differ is hardly known, and the interval is wide.";
    return [caution("FEW_GROUPS", message, `Add rows with other values of ${inQuotes(groupColumn!)}.`)];
  }
  if (heldOutRowCount >= FEW_HELD_OUT_ROWS) return [];
  const message = `Only ${formatAmount(heldOutRowCount, "row")} could be held out: mind the interval more than the figure.`;
  return [caution("FEW_ROWS", message, "Add labelled rows.")];
}

/** One or two groups with more than half of the held-out rows; null where there are none. */
function largeGroups([first = 0, second = 0]: readonly number[], rowCount: number) {
  if (first > rowCount / 2) return { count: 1, rowCount: first };
  return first + second > rowCount / 2 ? { count: 2, rowCount: first + second } : null;
}

function ages({ ageing, source }: VerdictInput): Weighed[] {
  if (ageing === null || ageing.fresh - ageing.aged < LEAST_FALL || ageing.z < FALL_Z) return [];
  const { fresh, aged } = ageing;
  const lost = (100 * (fresh - aged)).toFixed(1);
  const message =
    `The accuracy falls as a model ages: on the newest rows ${formatPercent(fresh)} by one of all earlier rows, ` +
    `${formatPercent(aged)} by models that ended earlier, ${lost} points less.`;
  const kept = keepTime(source);
  const remedy =
    "Expect about the lower figure at first and less later, and train again as new labelled rows come." +
    (kept?.remedy ?? "");
  const option = kept?.option ?? null;
  return [weigh(fresh - aged, { code: "ACCURACY_FALLS", level: "caution", message, remedy, option, columns: [] })];
}

/** Drift between TRAIN and a TEST file. Held-out rows of TRAIN differ only as groups and times do, or by chance. */
function drift(refinement: RefinementSummary | null): Weighed[] {
  if (refinement === null || refinement.test === null) return [];
  const columns = refinement.columns
    .filter(({ flags }) => flags.includes("TRAIN_TEST_DRIFT") || flags.includes("DATE_DRIFT"))
    .map(({ name }) => name);
  if (columns.length === 0) return [];
  const what = columns.length === 1 ? "column" : "columns";
  const message = `The blind test is unlike TRAIN in ${what} ${listQuoted(columns)}.`;
  const remedy = "Find out why before relying on the model: new rows may be unlike both.";
  return [caution("BLIND_TEST_DIFFERS", message, remedy, columns)];
}

function fileWarnings(all: readonly Warning[]): Weighed[] {
  const warnings = all.filter(({ code }) => !HINTS.has(code) && !LABEL_WARNINGS.has(code));
  // A row lost to the header, or a header or totals among the rows, are the worst; a text that was read as missing, as
  // it was meant to be, needs the least attention.
  const worst = warnings.find(({ code }) => LINE_CODES.has(code));
  const shown = worst ?? warnings.find(({ code }) => code !== "TEXT_AS_MISSING") ?? warnings[0];
  if (shown === undefined) return [];
  const gave = `Reading the file gave ${formatAmount(warnings.length, "warning")}`;
  const message = `${gave}${warnings.length === 1 ? "" : ", such as"}: ${shown.message}`;
  return [caution("FILE_WARNINGS", message, "See that the columns were read as they are meant.")];
}
