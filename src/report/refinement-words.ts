// A refinement in plain words: how it ended, why a column stays or goes, and what a flag means.
import type { ColumnDecision, ColumnFlag, KeepReason, RemoveReason } from "../../engine/refinement/decision.ts";
import type { Markup } from "../charts/markup.ts";
import { html, name, plainName } from "../charts/markup.ts";
import { formatAmount, formatCount } from "../format.ts";
import type { RefinementState, RefinementSummary } from "../refinement-summary.ts";

const STATES: Readonly<Record<RefinementState, { word: string; tone: string; heading: string }>> = {
  REFINEMENT_COMPLETED: { word: "Completed", tone: "done", heading: "The refinement completed" },
  TIMEOUT: {
    word: "Stopped at the time limit",
    tone: "early",
    heading: "The refinement was stopped at its time limit",
  },
  CANCELLED: { word: "Cancelled", tone: "early", heading: "The refinement was cancelled" },
  ERROR: { word: "Failed", tone: "failed", heading: "The refinement failed" },
};

/** `*` stands for the other column's name. */
const REASONS: Readonly<Record<KeepReason | RemoveReason, string>> = {
  SIGNAL_UNIVARIATE: "Tells something of the label by itself",
  SIGNAL_FOREST: "Forests gain more by it than by noise",
  SIGNAL_INTERACTION: "Tells something only together with other columns",
  REPRESENTATIVE: "Stands for a group of near copies",
  KEPT_NO_SIGNAL_FOUND: "No column showed a signal, so all that passed the checks stay",
  KEPT_FALLBACK: "Cross-validation was better with all columns",
  KEPT_VETO: "The blind test was clearly worse without it",
  KEPT_FEW_ROWS: "Too few rows to judge it by",
  KEPT_MISSING_INFORMATIVE: "Nearly always missing, but that it is missing tells something",
  KEPT_FOR_JUDGING: "It says which rows belong together: no feature, but models are judged by it",
  KEPT_SUSPECT: "Gives nearly the whole label away: a person must decide",
  CONSTANT: "The same value in every row",
  NEAR_CONSTANT: "The same value in nearly every row",
  EMPTY: "Nearly always missing",
  ID_LIKE: "Names the row, so it says nothing of new rows",
  FREE_TEXT: "Free text",
  UNREADABLE: "Could not be read",
  DUPLICATE_OF: "The same information as *",
  REDUNDANT_WITH: "Nearly the same as *, and cross-validation is as good without it",
  TARGET_LEAK: "Gives the label away",
  NO_SIGNAL: "No signal",
};

/** Reasons for removal as a heading over the columns that share them, and after a count. */
const REMOVALS: Readonly<Record<RemoveReason, string>> = {
  NO_SIGNAL: "Without a signal",
  DUPLICATE_OF: "With the same information as another column",
  REDUNDANT_WITH: "Nearly the same as another column",
  CONSTANT: "With the same value in every row",
  NEAR_CONSTANT: "With the same value in nearly every row",
  EMPTY: "Nearly always missing",
  ID_LIKE: "Naming the row",
  FREE_TEXT: "Of free text",
  UNREADABLE: "Unreadable",
  TARGET_LEAK: "Giving the label away",
};

interface FlagWords {
  word: string;
  tone: string;
  /** What it means and what to do. */
  advice: string;
}

const FLAGS: Readonly<Record<ColumnFlag, FlagWords>> = {
  TARGET_LEAK_SUSPECT: {
    word: "May leak the label",
    tone: "failed",
    advice:
      "Alone it gives nearly the whole label away. If its value is only known once the label is, take the column out of the file: the accuracy above would not hold on new rows. An honest column can be this strong, so it was kept.",
  },
  ROW_ORDER_LEAK: {
    word: "Row order tells the label",
    tone: "early",
    advice:
      "It numbers the rows and yet predicts the label, so the file seems sorted by something that goes with the label. New rows will not have that order.",
  },
  MISSING_INFORMATIVE: {
    word: "Missing tells something",
    tone: "pending",
    advice: "That a cell is empty goes with the label. Make sure that new rows are filled in the same way.",
  },
  TRAIN_TEST_DRIFT: {
    word: "TRAIN and TEST differ",
    tone: "early",
    advice:
      "Its values are spread differently in the blind test than in TRAIN. The figures here may not hold for other files.",
  },
  DATE_DRIFT: {
    word: "Drifts with time",
    tone: "early",
    advice:
      "The label changes along this date, or the blind test lies outside the dates of TRAIN. Expect less on rows from later on.",
  },
};

/** All flags, the gravest first. */
export const ALL_FLAGS: readonly ColumnFlag[] = [
  "TARGET_LEAK_SUSPECT",
  "ROW_ORDER_LEAK",
  "TRAIN_TEST_DRIFT",
  "DATE_DRIFT",
  "MISSING_INFORMATIVE",
];

/** The state's word in its colour. */
export function refinementStateWord(state: RefinementState): Markup {
  const { word, tone } = STATES[state];
  return html`<span class="chip ${tone}">${word}</span>`;
}

/** What happened and what is here all the same; for a completed refinement its reason, quietly. */
export function refinementBanner(summary: RefinementSummary): Markup {
  const { tone, heading } = STATES[summary.state];
  const reason = plainName(summary.stateReason, 600);
  if (summary.state === "REFINEMENT_COMPLETED") return html`<p class="reason">${reason}</p>`;
  const rest = summary.partial
    ? "What had been found by then is shown: columns not judged by then were kept."
    : "There is no result; what had been measured by then is shown.";
  return html`<div class="banner ${tone}" role="note"><strong>${heading}.</strong> ${reason} ${rest}</div>`;
}

/** True where decisions stand: completed, or stopped with what had been found by then. */
export function hasResult({ state, partial }: RefinementSummary): boolean {
  return state === "REFINEMENT_COMPLETED" || partial;
}

/** The chip with the reason below it. */
export function decisionCell(column: ColumnDecision): Markup {
  const kept = column.decision === "KEEP";
  return html`<span class="chip ${kept ? "done" : "pending"}">${kept ? "Kept" : "Removed"}</span><span class="unseen">: </span>${column.flags.map(flagChip)}<small>${reasonMarkup(column)}</small>`;
}

/** A flag as a chip that explains itself on hover. */
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

/** What came of it in one or two sentences, without praise where there is nothing to praise. */
export function outcomeInWords(summary: RefinementSummary): string {
  const { columns, removedColumns, train } = summary;
  const total = formatAmount(columns.length, "column");
  if (columns.length === 0 || !hasResult(summary)) {
    return "The refinement ended before it was decided on the columns, so all of them stay.";
  }
  if (columns.some(({ reason }) => reason === "KEPT_FEW_ROWS")) {
    const gone = removedColumns.length === 0 ? "none does" : `${formatCount(removedColumns.length)} of ${total} did`;
    return `${formatAmount(train.rows, "row")} are too few to judge columns by: only what fails the checks goes, and ${gone}.`;
  }
  if (columns.some(({ reason }) => reason === "KEPT_NO_SIGNAL_FOUND")) {
    return `No column tells more of the label than noise does. ${keptInWords(summary)} Do not expect much of a model on this table.`;
  }
  if (columns.some(({ reason }) => reason === "KEPT_FALLBACK")) {
    return `Cross-validation was better with all columns than with the selected ones. ${keptInWords(summary)}`;
  }
  if (columns.some(({ reason }) => reason === "KEPT_VETO")) {
    return `Not every proposal passed: the blind test was clearly worse with fewer columns. ${keptInWords(summary)}`;
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

function keptInWords({ columns, removedColumns }: RefinementSummary): string {
  if (removedColumns.length === 0) return "Nothing was removed.";
  return `${formatCount(removedColumns.length)} of ${formatAmount(columns.length, "column")} were removed all the same.`;
}

/** A sentence as it stands after a colon. */
export function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function reasonMarkup({ reason, with: other }: ColumnDecision): Markup {
  const [before = "", after] = REASONS[reason].split("*");
  if (after === undefined) return html`${before}`;
  return html`${before}${other === null ? "another column" : html`<em>${name(other, 60)}</em>`}${after}`;
}
