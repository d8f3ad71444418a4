// The verdict on a run in words: the verdict itself, what was looked at, and the rows that judged.
import type { JudgedBy, VerdictRecord } from "../../data/database/records.ts";
import { formatAmount, formatCount } from "../common/format.ts";
import { inQuotes, plainName } from "../common/markup.ts";
import { hasSeriousDoubt } from "../summary/verdict.ts";

/** The verdict in a word, and the colour of its chip. */
export function verdictWord(verdict: VerdictRecord): { word: string; tone: "failed" | "early" | "done" | "pending" } {
  if (hasSeriousDoubt(verdict)) return { word: "Doubtful", tone: "failed" };
  if (verdict.doubts.length > 0) return { word: "With care", tone: "early" };
  return verdict.isLookedAt ? { word: "No doubt found", tone: "done" } : { word: "Not looked at", tone: "pending" };
}

/** The words where no doubt is open: they never claim that rows are independent, which no check can see. */
export function quietWords(verdict: VerdictRecord): string {
  if (!verdict.isLookedAt) return `${unfinishedLook(verdict)}.${whyUnfinished(verdict)}`;
  return verdict.judgedBy.kind === "random"
    ? "No sign was found that rows belong together: by their order, by a column, or as equal rows."
    : "No doubt was found beside what the rows were held apart by.";
}

/** The words below open doubts where the check did not finish: others may be worse. Null where it did. */
export function unfinishedWords(verdict: VerdictRecord): string | null {
  if (verdict.isLookedAt) return null;
  const look = unfinishedLook(verdict);
  if (verdict.tooFewRows === true) return `${look}.`;
  return `${look}: there may be further doubts, and worse ones.${whyUnfinished(verdict)}`;
}

function unfinishedLook({ judgedBy, tooFewRows = false }: VerdictRecord): string {
  if (tooFewRows) return "Whether rows belong together cannot be told of so few";
  const what = judgedBy.kind === "random" ? "rows belong together" : "a column gives the label away";
  return `Whether ${what} was not looked at to the end`;
}

function whyUnfinished({ tooFewRows = false, cutBy }: VerdictRecord): string {
  if (tooFewRows || cutBy === undefined) return "";
  return cutBy === "TIME_LIMIT"
    ? " The look gets a tenth of the time limit, 10 seconds at most: a longer time limit lets it go on."
    : " The look ends after 10 seconds of the processor: a table with fewer columns needs less.";
}

/**
 * The rows for which the confirmed accuracy may be expected; null with a doubt open, or if the check did not finish.
 */
export function expectedOn({ judgedBy, isLookedAt, doubts }: VerdictRecord): string | null {
  if (doubts.length > 0 || !isLookedAt) return null;
  const { kind, groupColumn } = judgedBy;
  const unseen = `values of ${inQuotes(groupColumn ?? "")} that it has not seen`;
  if (kind === "random") return "on new rows";
  if (kind === "groups") return `on ${unseen}`;
  // Measured on rules that drift: test/bench/RESULTS.md.
  return kind === "time"
    ? "on the next rows in time, up to a fifth as many as the file has"
    : `at most on later rows, of ${unseen}`;
}

/** How many rows were held out, and of what kind. */
export function heldOutAmount({ kind, groupColumn, timeColumn }: JudgedBy, rowCount: number): string {
  const newest = `the ${formatCount(rowCount)} newest rows by ${inQuotes(timeColumn ?? "")}`;
  if (kind === "random") return formatAmount(rowCount, "held-out row");
  if (kind === "groups") return `${formatAmount(rowCount, "row")} of held-out values of ${inQuotes(groupColumn ?? "")}`;
  return kind === "time" ? newest : `${newest}, of held-out values of ${inQuotes(groupColumn ?? "")}`;
}

/** The held-out rows in few words, such as beside a mark of a picture. */
export function heldOutWords({ kind, groupColumn }: JudgedBy): string {
  if (kind === "random") return "held-out rows";
  const groups = `held-out values of "${plainName(groupColumn ?? "", 18)}"`;
  if (kind === "groups") return groups;
  return kind === "time" ? "the newest rows" : `newest rows, ${groups}`;
}

/** The rows that confirm an accuracy. */
export function confirmedWords({ kind }: JudgedBy): string {
  if (kind === "random") return "further re-splits";
  if (kind === "groups") return "two further re-splits by group";
  return kind === "time" ? "the newest rows by older models" : "two earlier stretches of time";
}
