// Columns that look as if they were filled in after the outcome: the rows that they mark are nearly all of one class,
// or many of a class and hardly any others.

import { countClasses } from "../fitting/class-counts.ts";
import { upperHypergeometric } from "../statistics/tail-probabilities.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import { everyRowOf, type Table } from "../table/table.ts";
import { PURE_SHARE } from "./issued-numbers.ts";
import { type CountedRule, everyRule, LEAST_MARKED_ROWS, type MarkRule, placeOfLargest } from "./mark-rules.ts";

/** Pure marks have such a share of a class's rows. Digits are never pure. */
const LEAST_COVERAGE: Partial<Record<MarkRule["by"], number>> = {
  other: 0.1,
  value: 0.2,
  word: 0.2,
  "at most": 0.2,
  "at least": 0.2,
};
/**
 * A quarter of a class's rows are marked, at most 5% of the others or a tenth of the class's share (by digits 5%), and
 * most marked rows are of the class. So leaks are found that some other rows have too; their gain and where they come
 * from (mark-gains.ts) keep honest columns out: see test/bench/RESULTS.md.
 */
const TELLING_COVERAGE = 0.25;
const MOST_OTHERS = 0.05;
const LEAST_CONTRAST = 10;
const TELLING_SHARE = 0.6;
/** Texts, and numbers in the order in which they were issued, may honestly tell as much. */
export const PURE_ONLY: ReadonlySet<MarkRule["by"]> = new Set(["word", "at most", "at least"]);
/** A class this frequent is nearly pure by itself. */
export const COMMON_CLASS_SHARE = 0.8;
/** The chance that any of the values tried is as pure where none has to do with the label. */
const MOST_CHANCE = 0.001;

/** Rows that a column marks. */
export interface Mark extends MarkRule {
  label: string;
  /** Marked rows; the share of the label's rows that they are. */
  rowCount: number;
  coverage: number;
  /** The share of all other rows that is marked; left out where nearly all marked rows have the label. */
  others?: number;
  /**
   * The mark is a category's most frequent value: it says something, so only a mark from the outcome is asked about.
   */
  isUsual: boolean;
}

interface JudgedMark {
  mark: Mark;
  chance: number;
  isPure: boolean;
  isTelling: boolean;
  /** The mark is the column's most frequent value, which counts only if the column has no other mark. */
  isLast: boolean;
}

/** The mark of most rows in each column, most rows first; a mark may be of both kinds. */
export interface Marks {
  /** Nearly all marked rows are of one class. */
  pure: Mark[];
  /** Many rows of a class are marked and hardly any others. No words: what a text says may honestly tell as much. */
  telling: Mark[];
}

/** O(rows × features + entries). @throws Cancelled */
export function findMarks(table: Table, stop: StopSignal): Marks {
  const classCounts = countClasses(everyRowOf(table));
  const judgedMarks: JudgedMark[] = [];
  let testCount = 0;
  for (const counted of everyRule(table)) {
    throwIfCancelled(stop);
    if (sumOf(counted.counts) < LEAST_MARKED_ROWS) continue;
    testCount += counted.testCount ?? 1;
    const judged = judge(counted, table, classCounts);
    if (judged !== null) judgedMarks.push(judged);
  }
  const certain = judgedMarks.filter(({ chance }) => chance * testCount <= MOST_CHANCE);
  return {
    pure: largestOfColumns(certain.filter(({ isPure }) => isPure)),
    telling: largestOfColumns(certain.filter(({ isTelling }) => isTelling)),
  };
}

/** Null where the rows are no mark. */
function judge(
  { rule, counts, usual, isOfDigits = false }: CountedRule,
  { rowCount, labels }: Table,
  classCounts: Float64Array,
): JudgedMark | null {
  const marked = sumOf(counts);
  const code = placeOfLargest(counts);
  const pure = counts[code]!;
  const ofClass = classCounts[code]!;
  if (pure < LEAST_MARKED_ROWS || ofClass > COMMON_CLASS_SHARE * rowCount) return null;
  const isUsual = usual === "says something";
  const coverage = pure / ofClass;
  const shareOfOthers = (marked - pure) / (rowCount - ofClass);
  const leastCoverage = (isOfDigits || isUsual ? null : LEAST_COVERAGE[rule.by]) ?? Number.POSITIVE_INFINITY;
  const isPure = pure >= PURE_SHARE * marked && coverage >= leastCoverage;
  const isByDigits = rule.by === "decimals" || rule.by === "fewer decimals";
  const mostOthers = isByDigits ? MOST_OTHERS : Math.max(MOST_OTHERS, coverage / LEAST_CONTRAST);
  const isTelling =
    !PURE_ONLY.has(rule.by) &&
    coverage >= TELLING_COVERAGE &&
    shareOfOthers <= mostOthers &&
    pure >= TELLING_SHARE * marked;
  if (!isPure && !isTelling) return null;
  const mark = {
    ...rule,
    label: labels[code]!,
    rowCount: marked,
    coverage,
    isUsual,
    ...(!isPure && { others: shareOfOthers }),
  };
  const chance = upperHypergeometric(pure, marked, ofClass, rowCount);
  return { mark, chance, isPure, isTelling, isLast: usual !== undefined };
}

function largestOfColumns(found: readonly JudgedMark[]): Mark[] {
  const best = new Map<number, JudgedMark>();
  for (const candidate of found) {
    const [column] = candidate.mark.columns;
    const known = best.get(column!);
    const isBetter =
      known === undefined ||
      (known.isLast === candidate.isLast ? known.mark.rowCount < candidate.mark.rowCount : known.isLast);
    if (isBetter) best.set(column!, candidate);
  }
  return [...best.values()]
    .map(({ mark }) => mark)
    .sort((a, b) => b.rowCount - a.rowCount || a.columns[0]! - b.columns[0]!);
}
