// A refinement in words: why a column stays or goes, what a flag means, and what came of it all.
import {
  type ColumnDecision,
  type ColumnFlag,
  type KeepReason,
  LEAST_ROWS_TO_JUDGE,
  type RemoveReason,
} from "../../../engine/refinement/decision.ts";
import { formatAmount, formatCount } from "../../common/format.ts";
import { html, type Markup, name } from "../../common/markup.ts";
import type { RefinementFile, RefinementSummary } from "../../summary/refinement-summary.ts";
import { GIVES_AWAY, IF_KNOWN_LATER } from "../../verdict/leak-words.ts";

/** The part of a refinement's summary that pictures and sentences are drawn from. The dashboard knows no more. */
export type RefinementOutcome = Pick<
  RefinementSummary,
  | "state"
  | "partial"
  | "reachedTarget"
  | "keptAccuracy"
  | "holdoutEstimate"
  | "majority"
  | "baselineTopPerformances"
  | "currentTopPerformances"
  | "keptPerformances"
  | "columns"
  | "keptColumns"
  | "removedColumns"
  | "checkpoints"
  | "testRows"
> & { train: Pick<RefinementFile, "rows"> };

/** `*` stands for the other column's name. */
const REASONS: Readonly<Record<KeepReason | RemoveReason, string>> = {
  SIGNAL_UNIVARIATE: "Helps to predict the label by itself",
  SIGNAL_FOREST: "Helps forests more than noise does",
  SIGNAL_INTERACTION: "Helps only together with other columns",
  REPRESENTATIVE: "Stands for a group of near copies",
  KEPT_NO_SIGNAL_FOUND: "No column showed a signal, so all that passed the checks stay",
  KEPT_FALLBACK: "Cross-validation was better with all columns",
  KEPT_VETO: "The blind test was clearly worse without it",
  KEPT_FEW_ROWS: "Too few rows, or too few of rare labels, to judge it by",
  KEPT_MISSING_INFORMATIVE: "Nearly always missing, but being missing goes with the label",
  KEPT_FOR_JUDGING: "Names the group or the time of a row: models are judged by it",
  KEPT_SUSPECT: `Alone ${GIVES_AWAY}: a person must decide`,
  CONSTANT: "The same value in every row",
  NEAR_CONSTANT: "The same value in nearly every row",
  EMPTY: "Nearly always missing",
  ID_LIKE: "Names the row, so it says nothing about new rows",
  FREE_TEXT: "Texts that have no word in common",
  UNREADABLE: "Could not be read",
  LEFT_OUT: "Left out as asked",
  DUPLICATE_OF: "The same information as *",
  REDUNDANT_WITH: "Nearly the same as *, and cross-validation is as good without it",
  TARGET_LEAK: "Gives the label away",
  NO_SIGNAL: "No test found a signal: alone, in forests or shuffled",
};

const KEPT_FOR_DIFFERENCE = "Helps to predict the label by its difference from *";

/** Reasons for removal, as a heading over columns and after a count. */
const REMOVALS: Readonly<Record<RemoveReason, string>> = {
  NO_SIGNAL: "Without a signal",
  DUPLICATE_OF: "With the same information as another column",
  REDUNDANT_WITH: "Nearly the same as another column",
  CONSTANT: "With the same value in every row",
  NEAR_CONSTANT: "With the same value in nearly every row",
  EMPTY: "Nearly always missing",
  ID_LIKE: "Naming the row",
  FREE_TEXT: "With texts that have no word in common",
  UNREADABLE: "Unreadable",
  LEFT_OUT: "Left out as asked",
  TARGET_LEAK: "Giving the label away",
};

interface FlagWords {
  word: string;
  tone: string;
  /** Says what it means and what to do. */
  advice: string;
}

/** The most serious first. */
const FLAGS: Readonly<Record<ColumnFlag, FlagWords>> = {
  TARGET_LEAK_SUSPECT: {
    word: "May leak the label",
    tone: "failed",
    advice:
      `Alone it ${GIVES_AWAY}. ${IF_KNOWN_LATER} If so, remove it from the file: ` +
      "the accuracy shown would not hold. An honest column can be this strong too, so it was kept.",
  },
  ROW_ORDER_LEAK: {
    word: "Row order tells the label",
    tone: "early",
    advice:
      "It numbers the rows and still predicts the label, so the file seems to be sorted by something that " +
      "goes with the label. New rows will not have that order.",
  },
  TRAIN_TEST_DRIFT: {
    word: "TRAIN and TEST differ",
    tone: "early",
    advice:
      "Its values are spread differently in the blind test than in TRAIN. " +
      "The figures here may not hold for other files.",
  },
  DATE_DRIFT: {
    word: "Drifts with time",
    tone: "early",
    advice:
      "The label changes along this date, or the blind test has other dates than TRAIN. Expect less on later rows.",
  },
  MISSING_INFORMATIVE: {
    word: "Missing means something",
    tone: "pending",
    advice: "Whether a cell is empty goes with the label. Make sure that new rows are filled in the same way.",
  },
};

export const ALL_FLAGS = Object.keys(FLAGS) as ColumnFlag[];

/** True if there are decisions: the refinement completed, or stopped with a partial result. */
export function hasResult({ state, partial }: RefinementOutcome): boolean {
  return state === "REFINEMENT_COMPLETED" || partial;
}

/** The decision as a chip, with its flags and reason. */
export function decisionCell(column: ColumnDecision): Markup {
  const kept = column.decision === "KEEP";
  return html`<span class="chip ${kept ? "done" : "pending"}">${kept ? "Kept" : "Removed"}</span><span class="unseen">: </span>${column.flags.map(flagChip)}<small>${reasonMarkup(column)}</small>`;
}

/** A flag as a chip; its advice on hover. */
export function flagChip(flag: ColumnFlag): Markup {
  const { word, tone, advice } = FLAGS[flag];
  return html` <span class="chip ${tone}" title="${advice}">${word}</span>`;
}

export function flagAdvice(flag: ColumnFlag): string {
  return FLAGS[flag].advice;
}

/** Removed columns by reason, the most frequent reason first. */
export function removalsByReason(columns: readonly ColumnDecision[]): { words: string; columns: ColumnDecision[] }[] {
  const groups = (Object.keys(REMOVALS) as RemoveReason[]).map((reason) => ({
    words: REMOVALS[reason],
    columns: columns.filter((column) => column.decision === "REMOVE" && column.reason === reason),
  }));
  return groups.filter((group) => group.columns.length > 0).sort((a, b) => b.columns.length - a.columns.length);
}

/** The outcome in one or two sentences. It praises nothing that failed. */
export function outcomeInWords(summary: RefinementOutcome): string {
  const { columns, removedColumns, train } = summary;
  const total = formatAmount(columns.length, "column");
  if (columns.length === 0 || !hasResult(summary)) {
    return "The refinement ended before it decided on the columns, so all of them stay.";
  }
  if (columns.some(({ reason }) => reason === "KEPT_FEW_ROWS")) {
    const gone = removedColumns.length === 0 ? "none does" : `${formatCount(removedColumns.length)} of ${total} did`;
    const few =
      train.rows < LEAST_ROWS_TO_JUDGE
        ? `${formatAmount(train.rows, "row")} are too few to judge columns by`
        : "Too few rows have another label than the most frequent one to judge columns by";
    return `${few}: only columns that fail the checks go, and ${gone}.`;
  }
  if (columns.some(({ reason }) => reason === "KEPT_NO_SIGNAL_FOUND")) {
    return (
      "No column predicts the label better than noise does. " +
      `${keptInWords(summary)} Do not expect much of a model on this table.`
    );
  }
  if (columns.some(({ reason }) => reason === "KEPT_FALLBACK")) {
    return `Cross-validation was better with all columns than with the selected ones. ${keptInWords(summary)}`;
  }
  if (columns.some(({ reason }) => reason === "KEPT_VETO")) {
    return `The blind test was clearly worse with fewer columns, so not every proposal passed. ${keptInWords(summary)}`;
  }
  if (removedColumns.length === 0) return `All ${total} carry a signal, so nothing was removed.`;
  return `${formatCount(removedColumns.length)} of ${total} can go: ${reasonsInWords(columns)}.`;
}

/** The two most frequent reasons with their counts, the others together. */
function reasonsInWords(columns: readonly ColumnDecision[]): string {
  const groups = removalsByReason(columns);
  const named = groups.slice(0, groups.length === 3 ? 3 : 2);
  const others = groups.slice(named.length).reduce((count, group) => count + group.columns.length, 0);
  return [
    ...named.map((group) => `${formatCount(group.columns.length)} ${lowerFirst(group.words)}`),
    ...(others > 0 ? [`${formatCount(others)} for other reasons`] : []),
  ].join(", ");
}

function keptInWords({ columns, removedColumns }: RefinementOutcome): string {
  if (removedColumns.length === 0) return "Nothing was removed.";
  return `${formatCount(removedColumns.length)} of ${formatAmount(columns.length, "column")} were still removed.`;
}

/** A sentence that continues after a colon or count. */
export function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function reasonMarkup({ decision, reason, with: other }: ColumnDecision): Markup {
  const words = decision === "KEEP" && other !== null ? KEPT_FOR_DIFFERENCE : REASONS[reason];
  const [before = "", after] = words.split("*");
  if (after === undefined) return html`${before}`;
  return html`${before}${other === null ? "another column" : html`<em>${name(other, 60)}</em>`}${after}`;
}
