// The campaign in Markdown: for each group of tables the means by selector,
// the tables one by one, and refinement's own word.
import type { RefinementState } from "../../src/summary/refinement-summary.ts";
import type { TableFiles } from "./noisy-tables.ts";
import {
  accuracyOfRight,
  bestByValidation,
  type FamilyAnswers,
  familyAnswers,
  type Mean,
  meanOf,
  pairedDifference,
  type SelectionFigures,
  selectionFigures,
} from "./refinement-figures.ts";
import {
  ALL_COLUMNS,
  type Case,
  CUPEL,
  type JudgeName,
  type Records,
  type RefineFigures,
} from "./refinement-records.ts";

const FAMILIES = ["random forest", "logistic regression", "naive Bayes"];
const JUDGES: readonly JudgeName[] = ["scikit-learn", "Cupel's models"];
const NONE = "–";
const COMPLETED: RefinementState = "REFINEMENT_COMPLETED";

interface OpenedCase {
  at: Case;
  files: TableFiles;
}

/** Lines of Markdown. Gains are points of accuracy on OUTER against all columns, ± one standard error. */
export function reportGroup(
  title: string,
  selectors: readonly string[],
  cases: readonly OpenedCase[],
  records: Records,
): string[] {
  const selected = selectedBy(selectors, cases, records);
  const gaining = selected.filter(({ selector }) => selector !== ALL_COLUMNS);
  return [
    `### ${title}`,
    "",
    "Means over the tables, in percent:",
    "",
    ...sharesTable(selected),
    "",
    "Accuracy on OUTER against all columns, in points, ± one standard error between tables:",
    ...JUDGES.flatMap((judge) => ["", ...gainsTable(gaining, judge, records)]),
    "",
    "Table by table: signal found / noise kept, columns kept, and the gain of scikit-learn's best family by validation:",
    "",
    ...caseTable(selectors, cases, records),
    "",
    ...refineTable(cases, records),
    ...trainingTable(cases, records),
  ];
}

interface Selected {
  selector: string;
  /** One for each table on which the selector came to an end. */
  entries: { at: Case; kept: readonly string[]; seconds: number; figures: SelectionFigures }[];
}

function selectedBy(selectors: readonly string[], cases: readonly OpenedCase[], records: Records): Selected[] {
  const found = selectors.map((selector) => {
    const entries = cases.flatMap(({ at, files }) => {
      const record = records.selection(at, selector);
      if (record === undefined || record.kept === null) return [];
      const { kept, seconds } = record;
      return [{ at, kept, seconds, figures: selectionFigures(kept, files.truth) }];
    });
    return { selector, entries };
  });
  return found.filter(({ entries }) => entries.length > 0);
}

/** Means over the tables, in percent. */
function sharesTable(selected: readonly Selected[]): string[] {
  const heads = ["tables", "signal found", "noise kept", "copies kept", "columns kept", "seconds"];
  const lines = selected.map(({ selector, entries }) => {
    const shareOf = (name: keyof SelectionFigures) => percent(meanOrNull(entries.map(({ figures }) => figures[name])));
    const shares = [shareOf("recall"), shareOf("noiseKept"), shareOf("copiesKept"), shareOf("columnsKept")];
    const seconds = meanOf(entries.map((entry) => entry.seconds)).mean.toFixed(1);
    return row([selector, entries.length, ...shares, seconds]);
  });
  return [...header(["selector", ...heads]), ...lines];
}

/** Mean gains over the tables, ± the standard error between tables. */
function gainsTable(selected: readonly Selected[], judge: JudgeName, records: Records): string[] {
  const families = ["best", ...FAMILIES];
  const lines = selected.map(({ selector, entries }) => {
    const gains = families.map((family) =>
      points(meanOrNull(entries.map(({ at, kept }) => gain(records, at, judge, kept, family)?.mean ?? null))),
    );
    return row([selector, ...gains]);
  });
  return [...header([`judged by ${judge}`, "best by validation", ...FAMILIES]), ...lines];
}

/**
 * For each table the selectors side by side: signal found / noise kept, and the gain of the best family by validation.
 */
function caseTable(selectors: readonly string[], cases: readonly OpenedCase[], records: Records): string[] {
  const others = selectors.filter((selector) => selector !== ALL_COLUMNS);
  const lines = header(["table", "seed", "columns", "all columns", ...others]);
  for (const { at, files } of cases) {
    const all = records.judgement(at, "scikit-learn", files.columns);
    const cells = others.map((selector) => {
      const record = records.selection(at, selector);
      if (record === undefined) return NONE;
      if (record.kept === null) return record.failure === "out of time" ? "out of time" : "failed";
      const { recall, noiseKept } = selectionFigures(record.kept, files.truth);
      const found = `${whole(recall)} / ${whole(noiseKept)}, ${record.kept.length}`;
      return `${found}, ${points(gain(records, at, "scikit-learn", record.kept, "best"))}`;
    });
    const accuracy = all === undefined ? NONE : percentOf(accuracyOfRight(bestByValidation(all.answers).right));
    lines.push(row([at.table, at.seed, files.columns.length, accuracy, ...cells]));
  }
  return lines;
}

/** What refinement says of the blind test, of the rows put aside and of the threshold, beside the truth on OUTER. */
function refineTable(cases: readonly OpenedCase[], records: Records): string[] {
  const told = cases.flatMap(({ at, files }) => {
    const record = records.selection(at, CUPEL);
    if (record === undefined || record.refine === null || record.kept === null) return [];
    const { refine } = record;
    const before = outerAccuracy(records, at, files.columns, refine.baselineFamily);
    const after = outerAccuracy(records, at, record.kept, refine.currentFamily);
    const target = refine.recommendedThreshold;
    const training = target === null ? undefined : records.training(at, record.kept, target);
    const reached = training === undefined ? null : Number((training.achieved ?? 0) >= target!);
    return [{ at, refine, before, after, reached, seconds: record.seconds }];
  });
  if (told.length === 0) return [];
  const title = "What refinement says of its best row, in percent, beside the same family's accuracy on OUTER:";
  const heads = [
    "before: test",
    "OUTER",
    "after: test",
    "OUTER",
    "optimism",
    "untouched − OUTER",
    "checkpoints accepted",
  ];
  const lines = [title, "", ...header(["table", "seed", ...heads, "threshold", "reached", "seconds", "peak MB"])];
  for (const { at, refine, before, after, reached, seconds } of told) {
    const cells = [
      percentOf(refine.baselineAccuracy),
      percentOf(before),
      percentOf(refine.currentAccuracy),
      percentOf(after),
      inPoints(excess(refine, after)),
      inPoints(untouchedExcess(refine, after)),
      refine.acceptedCheckpoints,
      percentOf(refine.recommendedThreshold),
      reached === null ? NONE : reached === 1 ? "yes" : "no",
      seconds.toFixed(1),
      refine.peakMegabytes.toFixed(0),
    ];
    lines.push(row([at.table, at.seed, ...cells]));
  }
  const optimism = points(meanOrNull(told.map(({ refine, after }) => excess(refine, after))));
  const atFirst = meanOrNull(
    told.map(({ refine, before }) => (before === null ? null : refine.baselineAccuracy - before)),
  );
  const untouched = points(meanOrNull(told.map(({ refine, after }) => untouchedExcess(refine, after))));
  const reached = meanOrNull(told.map((entry) => entry.reached));
  const words = [
    `Mean optimism of the best row: ${points(atFirst)} points before refinement, ${optimism} after;`,
    `of the rows put aside: ${untouched}.`,
    ...(reached === null ? [] : [`The threshold was reached by ${percent(reached)}% of ${reached.count} trainings.`]),
  ];
  const cut = told.filter(({ refine }) => refine.state !== COMPLETED);
  const exceptions = cut.map(({ at, refine }) => `${at.table} ${at.seed}: ${refine.state}.`);
  return [...lines, "", [...words, ...exceptions].join(" "), ""];
}

/** Whole trainings on all columns and on those that refinement kept. */
function trainingTable(cases: readonly OpenedCase[], records: Records): string[] {
  const pairs = cases.flatMap(({ at, files }) => {
    const kept = records.selection(at, CUPEL)?.kept;
    const all = records.training(at, files.columns, null);
    const some = kept == null ? undefined : records.training(at, kept, null);
    return all === undefined || some === undefined ? [] : [{ at, all, some }];
  });
  if (pairs.length === 0) return [];
  const lines = header(["table", "seed", "run on all columns", "on the kept ones", "difference", "seconds", "seconds"]);
  for (const { at, all, some } of pairs) {
    const accuracies = [percentOf(accuracyOfRight(all.right)), percentOf(accuracyOfRight(some.right))];
    const difference = points(pairedDifference(some.right, all.right));
    lines.push(row([at.table, at.seed, ...accuracies, difference, all.seconds.toFixed(1), some.seconds.toFixed(1)]));
  }
  const mean = meanOf(pairs.map(({ all, some }) => accuracyOfRight(some.right) - accuracyOfRight(all.right)));
  return [...lines, "", `Mean difference: ${points(mean)} points.`, ""];
}

/**
 * Of one family, or of the best by validation on either side: on the same
 * OUTER rows, right answers against all columns.
 */
function gain(records: Records, at: Case, judge: JudgeName, kept: readonly string[], family: string): Mean | null {
  const all = records.selection(at, ALL_COLUMNS)?.kept;
  const reference = all == null ? undefined : records.judgement(at, judge, all);
  const judgement = records.judgement(at, judge, kept);
  if (reference === undefined || judgement === undefined) return null;
  const answersOf = ({ answers }: { answers: Readonly<Record<string, FamilyAnswers>> }) =>
    family === "best" ? bestByValidation(answers) : familyAnswers(answers, family);
  return pairedDifference(answersOf(judgement).right, answersOf(reference).right);
}

/** Of Cupel's own model of that family, fitted on TRAIN as refinement fits it. */
function outerAccuracy(records: Records, at: Case, kept: readonly string[], family: string): number | null {
  const judgement = records.judgement(at, "Cupel's models", kept);
  return judgement === undefined ? null : accuracyOfRight(familyAnswers(judgement.answers, family).right);
}

function excess({ currentAccuracy }: RefineFigures, outer: number | null): number | null {
  return outer === null ? null : currentAccuracy - outer;
}

function untouchedExcess({ holdoutMean }: RefineFigures, outer: number | null): number | null {
  return outer === null || holdoutMean === null ? null : holdoutMean - outer;
}

function meanOrNull(values: readonly (number | null)[]): Mean | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : meanOf(present);
}

function percent(mean: Mean | null): string {
  return percentOf(mean?.mean ?? null);
}

function percentOf(share: number | null): string {
  return share === null ? NONE : (100 * share).toFixed(1);
}

function whole(share: number | null): string {
  return share === null ? NONE : `${(100 * share).toFixed(0)}%`;
}

function points(mean: Mean | null): string {
  if (mean === null) return NONE;
  const error = mean.standardError === null ? "" : ` ± ${(100 * mean.standardError).toFixed(1)}`;
  return `${inPoints(mean.mean)}${error}`;
}

function inPoints(difference: number | null): string {
  if (difference === null) return NONE;
  const text = (100 * difference).toFixed(1);
  return difference > 0 && text !== "0.0" ? `+${text}` : text.replace(/^-0\.0$/, "0.0");
}

function header(heads: readonly string[]): string[] {
  return [row(heads), row(heads.map(() => "---"))];
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}
