// Doubts about columns and made rows that may give the label away, in words that a person acts on.

import type { LeakSuspect } from "../../engine/leaks/leaks.ts";
import { shellWord } from "../../engine/shell-word.ts";
import { ANY_DIGIT } from "../../engine/text/term-name.ts";
import type { LeakageAnswer, TableAnswer } from "../../workers/messages.ts";
import { capitalised, formatAmount, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import type { Doubt } from "../summary/verdict.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { GIVES_AWAY, IF_KNOWN_LATER } from "./leak-words.ts";
import { listQuoted, WEIGHTS, type Weighed, weigh } from "./weighed.ts";

/** Labels whose numbers a sentence has at most. */
const MOST_FILLINGS = 3;

/** Each column does what all of them do. */
const NAMES_EACH: ReadonlySet<LeakSuspect["by"]> = new Set(["filled by label", "presence"]);

type MarkFacts = NonNullable<LeakSuspect["mark"]>;

/**
 * Doubts about leaks among the columns that are learned from. Each column is named once, and not if a doubt about
 * groups names it already.
 */
export function leakDoubts(leakage: LeakageAnswer | null, { columns }: Pick<TableAnswer, "columns">): Weighed[] {
  const leaks = leakage?.leaks ?? [];
  const named = new Set(
    (leakage?.dependence?.found ?? []).flatMap(({ bond, column }) => (bond === "group" ? [column] : [])),
  );
  const isOpen = (column: number) => columns[column]!.used && !named.has(column);
  const alone = new Set(
    leaks.flatMap((leak) => {
      const isCertain = leak.mark === undefined && leak.gain === undefined;
      const namesEach = NAMES_EACH.has(leak.by) || (isCertain && leak.columns.length === 1);
      return namesEach ? leak.columns : [];
    }),
  );
  return leaks
    .flatMap((suspect) => {
      // Two columns tell the label together; any one of others does what all do.
      if (suspect.by === "values") return suspect.columns.every(isOpen) ? [suspect] : [];
      const open = suspect.columns.filter(isOpen);
      return open.length === 0 && suspect.columns.length > 0 ? [] : [{ ...suspect, columns: open }];
    })
    .filter(({ mark, gain, columns: own }) => (mark ?? gain) === undefined || !own.some((column) => alone.has(column)))
    .map((suspect) =>
      leakDoubt(
        suspect,
        suspect.columns.map((column) => columns[column]!.name),
      ),
    );
}

function madeRowsDoubt({ strength, label }: LeakSuspect): Weighed {
  const message =
    `At least ${formatPercent(strength)} of the rows with the label ${inQuotes(label!)} lie exactly between two others of them, ` +
    "as rows that are made up to even out the labels do (SMOTE): the model is judged by rows whose sources it has learned " +
    "from.";
  const remedy =
    "Train on the rows as they were before, for the mean recall or for what mistakes cost if a label is rare.";
  return weigh(WEIGHTS.COPIES_FLATTER, {
    code: "COPIES_FLATTER",
    level: "serious",
    message,
    remedy,
    option: "--optimise balanced-accuracy or --cost LABEL=N",
    columns: [],
  });
}

function leakDoubt(suspect: LeakSuspect, columns: string[]): Weighed {
  const { by, strength, mark, gain } = suspect;
  if (by === "made rows") return madeRowsDoubt(suspect);
  const names = columns.length === 2 ? columns.map(inQuotes).join(" and ") : listQuoted(columns);
  const measured = mark ?? gain;
  const weight = measured === undefined ? WEIGHTS.LEAK_SUSPECT * strength : measured.withIt - measured.without;
  const option = columns.map((column) => `--without ${shellWord(column)}`).join(" ");
  const words = LEAK_WORDS[by](suspect, { names, columns, areSeveral: columns.length > 1 });
  return weigh(weight, { code: "LEAK_SUSPECT", level: "serious", ...words, option, columns });
}

/** `names`: the columns in quotes, as a sentence has them. */
interface NamedColumns {
  names: string;
  columns: readonly string[];
  areSeveral: boolean;
}

type LeakWords = (suspect: LeakSuspect, named: NamedColumns) => Pick<Doubt, "message" | "remedy"> & Partial<Doubt>;

const LEAK_WORDS: Readonly<Record<Exclude<LeakSuspect["by"], "made rows">, LeakWords>> = {
  values: (_, { names, areSeveral }) =>
    givesAway(
      areSeveral
        ? `Columns ${names} together give nearly the whole label away.`
        : `Column ${names} alone ${GIVES_AWAY}.`,
      areSeveral,
    ),
  presence: (_, { names, areSeveral }) => {
    const are = areSeveral ? `columns ${names} are` : `column ${names} is`;
    return givesAway(`Whether ${are} filled or empty gives the label away.`, areSeveral);
  },
  words: (_, { names, areSeveral }) => givesAway(`By single words, column ${names} ${GIVES_AWAY}.`, areSeveral),
  "label words": ({ strength }, { names }) => ({
    message:
      `In ${names}, ${formatPercent(strength)} of the rows have a word that stands with one label alone, most labels ` +
      "with one of their own, and few other rows have any. If they are written after the label is known, new rows will " +
      "not have them.",
    remedy: textRemedy("such words were", names),
  }),
  mark: ({ mark, strength }, named) => ({
    message: markWords(mark!, strength, named),
    remedy: markRemedy(mark!, named),
  }),
  "empty rows": ({ mark, strength }, { names, areSeveral }) => ({
    level: "caution",
    message:
      `Will new rows have ${names} before their label is known? ${areSeveral ? "Cells of them are" : "It is"} empty in ` +
      `${shareOfLabel(mark!, strength)} and in ${formatPercent(mark!.others!)} of the others. ` +
      `By that and other columns ${figuresOf(mark!)}`,
    remedy:
      "If cells are empty because of the outcome, as of visits that no longer took place, train without " +
      `${areSeveral ? "them" : "it"}.`,
  }),
  "two sources": ({ mark, strength }, { names, areSeveral }) => ({
    message:
      `Rows seem to be of two sources or kinds, which have other values of ${names}: ${shareOfLabel(mark!, strength)} ` +
      `are of one of them, and ${formatPercent(mark!.others!)} of the others. By the source and other columns ` +
      figuresOf(mark!),
    remedy:
      "If they are two sources of one kind of rows, write the values of both alike and train again. If they have other " +
      "shares of the labels for a reason that new rows do not have, expect about the lower figure. Or train without " +
      `${areSeveral ? "them" : "it"}.`,
  }),
  outcome: ({ gain }, { names, areSeveral }) => {
    const { measure, withIt, without } = gain!;
    const [were, they, have] = areSeveral ? ["were", "they", "have"] : ["was", "it", "has"];
    const [them, values] = areSeveral ? ["them", "their values"] : ["it", "its value"];
    const figure = measure === "accuracy" ? "is right on" : `has a ${MEASURE_NAMES[measure]} of`;
    return {
      level: "caution",
      message:
        `${capitalised(were)} ${names} known before the outcome? Among rows of one label ${they} ${have} nothing to do ` +
        "with the other columns, like counts and states of after the outcome, or instruments and forms that differ by " +
        `label. With ${them} a fast model ${figure} ${formatPercent(withIt)}, without ${them} ${formatPercent(without)}.`,
      remedy:
        `If ${they} ${were}, and in the same way for all labels, the accuracy holds. Else train without ${them}, or take ` +
        `${values} from before the outcome and from one source.`,
    };
  },
  "label shares": ({ label }, { names }) => ({
    message:
      `The numbers of column ${names} are shares of the label ${inQuotes(label!)} among groups of rows, as an average ` +
      "per shop is: they seem to be made of the labels themselves, those of held-out rows too.",
    remedy: "If so, train without it, or make it of earlier rows alone.",
  }),
  "filled by label": ({ columns: [first], filled, strength }, { columns }) => {
    const { fillings } = filled!.find(({ column }) => column === first)!;
    const numbers = fillings
      .slice(0, MOST_FILLINGS)
      .map(
        ({ label, value, rowCount }) =>
          `${value} in ${formatAmount(rowCount, "row")} with the label ${inQuotes(label)}`,
      );
    return {
      message:
        `Missing cells of ${listQuoted(columns)} seem to be filled in by the label, which nobody knows of new rows: ` +
        `${inQuotes(columns[0]!)} has ${numbers.join(" and ")}, about the middle of the label's rows. ` +
        `${formatPercent(strength)} of the rows have such a cell in some column.`,
      remedy:
        "If so, leave these cells empty, or fill them in without the label, and train again. Or train without them.",
    };
  },
};

function givesAway(sentence: string, areSeveral: boolean): Pick<Doubt, "message" | "remedy"> {
  return { message: `${sentence} ${IF_KNOWN_LATER}`, remedy: `If so, train without ${areSeveral ? "them" : "it"}.` };
}

function shareOfLabel({ label }: MarkFacts, share: number): string {
  return `${formatPercent(share)} of the rows with the label ${inQuotes(label)}`;
}

function figuresOf({ withIt, without }: MarkFacts): string {
  return `a fast model is right on ${formatPercent(withIt)} of the rows, without it on ${formatPercent(without)}.`;
}

function markRemedy(mark: MarkFacts, { names, areSeveral }: NamedColumns): string {
  if (mark.by === "word") return textRemedy("the word was", names);
  if (isByDigits(mark))
    return `If the labels come from sources that write numbers differently, round all of ${names} alike, or train without it.`;
  if (mark.by === "at most" || mark.by === "at least")
    return `If ${names} is issued, as file numbers are, train without it: new rows will have other numbers.`;
  if (mark.by === "value" && mark.text === null)
    return areSeveral
      ? "If they are empty because of the outcome, take their values from before it, or train without them."
      : `If ${names} is empty because of the outcome, take its values from before it, or train without it.`;
  if (areSeveral) return "If they are filled in after the outcome, train without them.";
  return `If ${names} is filled in after the outcome, train without it.`;
}

function textRemedy(words: string, names: string): string {
  return (
    `Look at the texts: if ${words} written after the outcome, remove ${words.endsWith("were") ? "them" : "it"}, or train ` +
    `without ${names} if it holds nothing else.`
  );
}

function isByDigits({ by }: MarkFacts): boolean {
  return by === "decimals" || by === "fewer decimals";
}

/** `coverage`: the share of the label's rows that is marked. */
function markWords(mark: MarkFacts, coverage: number, named: NamedColumns): string {
  const { label, rowCount, others, withIt, without } = mark;
  const where = whereWords(mark, named);
  const labelWords =
    others === undefined
      ? `Where ${where}, nearly all rows have the label ${inQuotes(label)} (${formatAmount(rowCount, "row")} of those ` +
        "looked at)."
      : `${capitalised(where)} in ${shareOfLabel(mark, coverage)} ` +
        `and in ${formatPercent(others)} of the others${isByDigits(mark) ? "." : ": was that known before the outcome?"}`;
  return (
    `${labelWords} A fast model is right on ${formatPercent(withIt)} of the rows with that, ` +
    `on ${formatPercent(without)} without.`
  );
}

/** Words with digits may be told by their shape. */
function wordInWords(word: string): string {
  return word.includes(ANY_DIGIT)
    ? `a word such as ${inQuotes(word)} (${ANY_DIGIT} is any digit)`
    : `the word ${inQuotes(word)}`;
}

function whereWords({ by, text, part }: MarkFacts, { names: name, areSeveral }: NamedColumns): string {
  if (areSeveral) return `columns ${name} are ${by === "value" ? "empty" : "filled"}`;
  const what = part === null || text === null ? `column ${name}` : `the ${part} of column ${name}`;
  if (by === "word") return `column ${name} has ${wordInWords(text ?? "")}`;
  if (by === "decimals") return `column ${name} has ${formatAmount(Number(text), "digit")} or more behind the point`;
  if (by === "fewer decimals")
    return `column ${name} has fewer than ${formatAmount(Number(text), "digit")} behind the point`;
  if (by === "at most" || by === "at least") return `column ${name} is ${by} ${text}`;
  if (by === "value") return text === null ? `${what} is empty` : `${what} is ${inQuotes(text)}`;
  return text === null ? `${what} is filled` : `${what} is not ${inQuotes(text)}`;
}
