// From the leakage check and the results of a run to its doubts, in words that a person acts on.

import type { Flattery } from "../../engine/row-dependence/dependence.ts";
import { shellWord } from "../../engine/shell-word.ts";
import type { Warning } from "../../engine/warning.ts";
import type { LeakageAnswer, SourceColumn, TableAnswer } from "../../workers/messages.ts";
import { formatAmount, formatList, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";
import type { JudgedBy, Verdict } from "../summary/verdict.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { FLATTERY_WORDS, type FlatteryFacts } from "./flattery-words.ts";
import { keepTime, LABEL_WARNINGS, type LabelFacts, labelDoubts } from "./label-doubts.ts";
import { leakDoubts } from "./leak-doubts.ts";
import { caution, type Weighed, weigh } from "./weighed.ts";

/** Held-out rows below which an interval is wider than some eight points to each side. */
const FEW_HELD_OUT_ROWS = 150;
/** Groups below which their differences are hardly known. */
const FEW_GROUPS = 30;
/** Columns named in one message. */
const NAMES_LISTED = 5;
/** Distinct values to rows with one from which hardly any rows belong together by a column. */
const NEARLY_ALL = 0.9;
/** Warnings that only hint at how a table may be meant: many sound tables have one, so none of them is a doubt. */
const HINTS: ReadonlySet<string> = new Set([
  "SENTINEL_NUMBER",
  "SENTINEL_DATE",
  "IDENTIFIER_COLUMN",
  "EVEN_LABELS",
  "BOUNDS_AS_NUMBERS",
  "MISSING_AS_LABEL",
]);

/** Bonds that columns name. */
const TOLD_BY_NAME: ReadonlySet<Flattery["bond"]> = new Set(["group", "values", "split time", "places"]);
/** Bonds that no column and no order tells. */
const ALIKE: ReadonlySet<Flattery["bond"]> = new Set(["near-twins", "noisy repeats", "agreeing rows"]);
/** Bonds by which a model knows a row only through the columns that they name. */
const THROUGH_COLUMNS: ReadonlySet<Flattery["bond"]> = new Set([
  "values",
  "recurring",
  "noisy repeats",
  "texts",
  "few texts",
  "later years",
]);
const HEADER_CODES: ReadonlySet<string> = new Set([
  "HEADER_LOOKS_LIKE_DATA",
  "HEADER_LOOKS_LIKE_TITLE",
  "HEADER_REPEATED",
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

export function verdictOf(input: VerdictInput): Verdict {
  const { leakage, source } = input;
  const judgedBy = judgedByOf(source.judgedBy);
  const weighed = [
    ...flatteries(input),
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

/**
 * Copies, and the other ways in which rows belong together. Those are told once: by a column that names them or columns
 * that recur together, else by the order of the file, else as near-twins. Columns that recur together stand for one of
 * them that looked like a name, such as an age, unless it tells the groups apart by itself. If both the times and the
 * later years of a column flatter, only the larger loss is told, which comes first. Few groups are asked about beside
 * all of these but rows that agree, unless another doubt names their column, of a leak too.
 */
function flatteries({ leakage, source }: VerdictInput): Weighed[] {
  const openFlatteries = (leakage?.dependence?.found ?? []).filter((each) => isOpen(each, source.columns));
  const isByTime = ({ bond }: Flattery) => bond === "time" || bond === "later years";
  const isToldFirst = (each: Flattery) =>
    each === openFlatteries.find((other) => isByTime(other) && other.column === each.column);
  const byName = openFlatteries.filter((each) => TOLD_BY_NAME.has(each.bond) || isToldFirst(each));
  const isNamedElsewhere = (each: Flattery) =>
    each.column !== null && openFlatteries.some((other) => other !== each && other.column === each.column);
  const together = openFlatteries.filter((each) => each.bond === "recurring" && !isNamedElsewhere(each));
  const isTogether = ({ column }: Flattery) => together.some(({ columns }) => columns!.includes(column!));
  const named = [...together, ...byName.filter((each) => isByTime(each) || !isTogether(each))];
  const ordered = openFlatteries.filter(({ bond }) => bond === "file order" || bond === "sorted");
  const copies = openFlatteries.filter(({ bond }) => bond === "copies");
  const alike = openFlatteries.filter(({ bond }) => ALIKE.has(bond));
  const texts = copies.length > 0 ? [] : openFlatteries.filter(({ bond }) => bond === "texts" || bond === "few texts");
  const leaking = new Set(leakage?.leaks.flatMap(({ columns }) => columns));
  const related = named.length > 0 ? named : ordered.length > 0 ? ordered : alike;
  // Rows that agree in nearly all cells are held out together with the value of any column.
  const isExplained = related.some(({ bond }) => bond === "agreeing rows");
  const few = openFlatteries.filter(
    (each) => each.bond === "few groups" && !isExplained && !isNamedElsewhere(each) && !leaking.has(each.column!),
  );
  const toldFlatteries = [...copies, ...texts, ...few, ...related];
  return toldFlatteries.map((each) => {
    const places = each.columns ?? (each.column === null ? [] : [each.column]);
    const columns = places.map((place) => source.columns[place]!);
    const differsByRow = columns.some(
      ({ distinct, missing }) => distinct > NEARLY_ALL * (source.recordCount - missing),
    );
    const valueCount = columns[0]?.distinct ?? 0;
    const { copiedRowCount } = leakage!.dependence!;
    return flattery(each, columns, { copiedRowCount, differsByRow, valueCount });
  });
}

/**
 * Whether rows still flatter with the columns that the run learned from. The look runs beside the refinement and knows
 * all columns. Rows of one group or time, neighbours and copies stay together whatever columns go.
 */
function isOpen({ bond, column, columns }: Flattery, sources: readonly SourceColumn[]): boolean {
  return !THROUGH_COLUMNS.has(bond) || (columns ?? [column!]).some((place) => sources[place]!.used);
}

function flattery(
  { bond, measure, random, held }: Flattery,
  sources: readonly SourceColumn[],
  facts: Pick<FlatteryFacts, "copiedRowCount" | "differsByRow" | "valueCount">,
): Weighed {
  const columns = sources.map(({ name }) => name);
  const measured = measure === "balanced-accuracy" ? `${MEASURE_NAMES[measure]} ` : "";
  const { code, message, remedy, option } = FLATTERY_WORDS[bond]({
    atRandom: `${measured}${formatPercent(random)}`,
    ifHeld: formatPercent(held),
    quoted: formatList(columns.map(inQuotes), NAMES_LISTED),
    word: columns.map(shellWord).join(" "),
    isNumber: sources.every(({ kind }) => kind === "number"),
    isCategory: sources.every(({ kind }) => kind === "category"),
    ...facts,
  });
  // Nothing tells whether a few values are all: the figure may well hold.
  const level = bond === "few groups" || bond === "few texts" ? "caution" : "serious";
  return weigh(random - held, { code, level, message, remedy, option, random, held, columns });
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
  const message = `The blind test is unlike TRAIN in ${what} ${formatList(columns.map(inQuotes), NAMES_LISTED)}.`;
  const remedy = "Find out why before relying on the model: new rows may be unlike both.";
  return [caution("BLIND_TEST_DIFFERS", message, remedy, columns)];
}

function fileWarnings(all: readonly Warning[]): Weighed[] {
  const warnings = all.filter(({ code }) => !HINTS.has(code) && !LABEL_WARNINGS.has(code));
  // A row lost to the header, or a header among the rows, is the worst; a text that was read as missing, as
  // it was meant to be, needs the least attention.
  const worst = warnings.find(({ code }) => HEADER_CODES.has(code));
  const shown = worst ?? warnings.find(({ code }) => code !== "TEXT_AS_MISSING") ?? warnings[0];
  if (shown === undefined) return [];
  const gave = `Reading the file gave ${formatAmount(warnings.length, "warning")}`;
  const message = `${gave}${warnings.length === 1 ? "" : ", such as"}: ${shown.message}`;
  return [caution("FILE_WARNINGS", message, "See that the columns were read as they are meant.")];
}
