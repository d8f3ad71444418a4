// Doubts about rows that belong together, by which random rows flatter a model: which of them are told, and how.

import type { DependenceAnswer, Flattery } from "../../engine/row-dependence/dependence.ts";
import { shellWord } from "../../engine/shell-word.ts";
import type { LeakageAnswer, SourceColumn, TableAnswer } from "../../workers/messages.ts";
import { formatPercent } from "../common/format.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { FLATTERY_WORDS, type FlatteryFacts } from "./flattery-words.ts";
import { listQuoted, type Weighed, weigh } from "./weighed.ts";

/** Distinct values to rows with one from which hardly any rows belong together by a column. */
const NEARLY_ALL = 0.9;
/** Bonds that columns name. */
const TOLD_BY_NAME: ReadonlySet<Flattery["bond"]> = new Set(["group", "values", "split time", "places"]);
/** Bonds that neither a column nor the order of the file tells. */
const ALIKE: readonly Flattery["bond"][] = ["near-twins", "noisy repeats", "agreeing rows"];
/** Bonds of values that may be all there are: nothing tells, and the figure may well hold. */
const ASKED: ReadonlySet<Flattery["bond"]> = new Set(["few groups", "seen values", "few texts", "endings"]);
/** Rows that agree in nearly all cells explain what is lost by one column, unless that loses so much more. */
const MORE_BY_COLUMN = 0.05;
/** Bonds by which a model knows a row only through the columns that they name. */
const THROUGH_COLUMNS: ReadonlySet<Flattery["bond"]> = new Set([
  "values",
  "seen values",
  "recurring",
  "noisy repeats",
  "texts",
  "few texts",
  "endings",
  "later years",
]);

/** Without those of a column that the run does not learn from in the end, if rows flatter through it alone. */
export function flatteryDoubts(
  leakage: LeakageAnswer | null,
  { columns: sources, recordCount }: Pick<TableAnswer, "columns" | "recordCount">,
): Weighed[] {
  if (leakage === null || leakage.dependence === null) return [];
  const { found, copiedRowCount, sortedBy } = leakage.dependence;
  const leaking = new Set(leakage.leaks.flatMap(({ columns }) => columns));
  const open = found.filter((flattery) => isOpen(flattery, sources));
  const ofRows = open.filter((flattery) => !isOfThing(flattery, { found: open, sortedBy, sources }));
  return toldOf(ofRows, leaking).map((flattery) => {
    const columns = columnsOf(flattery).map((place) => sources[place]!);
    const differsByRow = columns.some(({ distinct, missing }) => distinct > NEARLY_ALL * (recordCount - missing));
    const valueCount = flattery.domainCount ?? columns[0]?.distinct ?? 0;
    const namingPlace = flattery.bond === "recurring" ? flattery.column : flattery.naming;
    const naming = sources[namingPlace ?? -1]?.name ?? null;
    return flatteryDoubt(flattery, columns, { copiedRowCount, differsByRow, valueCount, naming });
  });
}

/** Positions in the file. */
function columnsOf({ columns, column }: Flattery): readonly number[] {
  return columns ?? (column === null ? [] : [column]);
}

/**
 * Copies, alike texts, and questions about values are each told. The other ways in which rows belong together are told
 * once: by the columns that name them, else by the order of the file, else as near-twins.
 */
function toldOf(open: readonly Flattery[], leaking: ReadonlySet<number>): Flattery[] {
  const having = (...bonds: Flattery["bond"][]) => open.filter(({ bond }) => bonds.includes(bond));
  const copies = having("copies");
  const texts = copies.length > 0 ? [] : having("texts", "few texts", "endings");
  const agreeing = open.find(({ bond }) => bond === "agreeing rows");
  const byColumns = namedByColumns(open).filter((named) => !isByTheWay(named, agreeing));
  const byOrder = having("file order", "sorted");
  const belonging = byColumns.length > 0 ? byColumns : byOrder.length > 0 ? byOrder : having(...ALIKE);
  // Rows that agree in nearly all cells are held out together with the value of any column.
  const isExplained = belonging.some(({ bond }) => bond === "agreeing rows");
  // A question about a column that another doubt names, of a leak too, is not asked.
  const asked = having("few groups", "seen values").filter(
    (question) => !isExplained && !isNamedTwice(question, open) && !leaking.has(question.column!),
  );
  return [...copies, ...texts, ...asked, ...belonging];
}

/** Answers of one person mostly agree in any column: of these only the one that names people tells more. */
function isByTheWay({ bond, column, random, held }: Flattery, agreeing: Flattery | undefined): boolean {
  if (agreeing === undefined || column === agreeing.naming || (bond !== "group" && bond !== "values")) return false;
  return random - held <= agreeing.random - agreeing.held + MORE_BY_COLUMN;
}

/**
 * Columns that recur together stand for one of them that looked like a name, such as an age, unless that one tells the
 * groups apart by itself. If both the times and the later years of a column flatter, only the larger loss is told, the
 * first one.
 */
function namedByColumns(open: readonly Flattery[]): Flattery[] {
  const isByTime = ({ bond }: Flattery) => bond === "time" || bond === "later years";
  const isFirstByTime = (flattery: Flattery) =>
    flattery === open.find((other) => isByTime(other) && other.column === flattery.column);
  const together = open.filter((flattery) => flattery.bond === "recurring" && !isNamedTwice(flattery, open));
  const standIns = new Set(together.flatMap(({ columns }) => columns!));
  const named = open.filter(
    (flattery) => isFirstByTime(flattery) || (TOLD_BY_NAME.has(flattery.bond) && !standIns.has(flattery.column!)),
  );
  return [...together, ...named];
}

function isNamedTwice(flattery: Flattery, open: readonly Flattery[]): boolean {
  return flattery.column !== null && open.some((other) => other !== flattery && other.column === flattery.column);
}

/**
 * Whether rows still flatter with the columns that the run learned from. The look runs beside the refinement and knows
 * all columns. Rows of one group or time, neighbours and copies stay together whatever columns go.
 */
function isOpen(flattery: Flattery, sources: readonly SourceColumn[]): boolean {
  return !THROUGH_COLUMNS.has(flattery.bond) || columnsOf(flattery).some((place) => sources[place]!.used);
}

/**
 * Whether a year is one of the things that rows are of, such as a year of birth, and not of the rows: it recurs
 * together with what else stays the same, and the file is not in its order. Judged by it as a time, a model would
 * answer for people who were born later.
 */
function isOfThing(
  { bond, column }: Flattery,
  { found, sortedBy, sources }: Pick<DependenceAnswer, "found" | "sortedBy"> & { sources: readonly SourceColumn[] },
): boolean {
  if (bond !== "time" || sources[column!]!.kind !== "number" || sortedBy.includes(column!)) return false;
  return found.some((other) => other.bond === "recurring" && other.columns!.includes(column!));
}

function flatteryDoubt(
  { bond, measure, random, held, domainCount, lateLabel }: Flattery,
  sources: readonly SourceColumn[],
  facts: Pick<FlatteryFacts, "copiedRowCount" | "differsByRow" | "valueCount" | "naming">,
): Weighed {
  const columns = sources.map(({ name }) => name);
  const measured = measure === "balanced-accuracy" ? `${MEASURE_NAMES[measure]} ` : "";
  const quoted = listQuoted(columns);
  const words = FLATTERY_WORDS[bond]({
    atRandom: `${measured}${formatPercent(random)}`,
    ifHeld: formatPercent(held),
    quoted: domainCount === undefined ? quoted : `${quoted} (its domain)`,
    word: columns.map(shellWord).join(" "),
    isNumber: sources.every(({ kind }) => kind === "number"),
    isCategory: sources.every(({ kind }) => kind === "category"),
    lateLabel: lateLabel ?? null,
    ...facts,
  });
  const { code, message, remedy, option } = domainCount === undefined ? words : { ...words, ...byDomain(quoted) };
  const level = ASKED.has(bond) ? "caution" : "serious";
  return weigh(random - held, { code, level, message, remedy, option, random, held, columns });
}

/** The column itself has other values: judging by it would leave rows of one domain on both sides. */
function byDomain(quoted: string) {
  return {
    remedy: `If the model is to answer for other domains, write the domain of ${quoted} into a column of its own and judge by it.`,
    option: "--group COLUMN",
  };
}
