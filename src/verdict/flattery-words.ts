// The words for why random rows flatter a model: what was seen, and what to do about it.

import { missingAdvice } from "../../engine/columns/missing-advice.ts";
import type { Flattery } from "../../engine/row-dependence/dependence.ts";
import { shellWord } from "../../engine/shell-word.ts";
import { formatAmount } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import type { Doubt } from "../summary/verdict.ts";

/** The facts that the sentences need. */
export interface FlatteryFacts {
  /** The accuracy on rows held out at random, and on rows held out together with those that they belong to. */
  atRandom: string;
  ifHeld: string;
  /** The columns in quotation marks, mostly one, and as words of a command line; both empty without a column. */
  quoted: string;
  word: string;
  /** The one of several columns that tells by itself which rows belong together; null for none. */
  naming: string | null;
  /** The column holds numbers, which may name groups or be a measurement that tells whose row it is, as an age. */
  isNumber: boolean;
  /** The column holds names, which are refused as times: periods such as 2024Q1 are told as times. */
  isCategory: boolean;
  /** Distinct values of the column, or of the first of several. */
  valueCount: number;
  /** Nearly every row has another value: no rows belong together by it, and it is refused as a group. */
  differsByRow: boolean;
  copiedRowCount: number;
  /** By a time: a label that only the newest rows have; null for none. */
  lateLabel: string | null;
}

type FlatteryWords = Pick<Doubt, "code" | "message" | "remedy" | "option">;

const BY_ANY_COLUMN = {
  remedy:
    "Expect about the lower figure on rows from elsewhere, or judge by the column that " +
    "tells machines, recordings or days apart, or by time.",
  option: "--group COLUMN or --time COLUMN",
};

/** `naming`: the column that names whose row each is, if there is one; `opening`: the words up to "if". */
function byWhoseRow(naming: string | null, opening: string) {
  const how =
    naming === null
      ? "add a column that names whose row it is, and judge by it"
      : `judge by ${inQuotes(naming)}, which tells them apart`;
  const option = naming === null ? "--group COLUMN" : `--group ${shellWord(naming)}`;
  return { remedy: `${opening} the model is to answer for others, ${how}.`, option };
}

export const FLATTERY_WORDS: Readonly<Record<Flattery["bond"], (facts: FlatteryFacts) => FlatteryWords>> = {
  group: (facts) => groupWords(`Rows with the same ${facts.quoted} resemble each other`, facts),
  "few groups": ({ atRandom, ifHeld, quoted, word, valueCount }) => ({
    code: "GROUPS_FLATTER",
    message:
      `Will new rows have values of ${quoted} other than these ${valueCount}? Other columns tell the values apart: by ` +
      `these alone ${atRandom} are right at random, about ${ifHeld} for a value that the model has not seen.`,
    remedy: "If not, the accuracy holds. If so, leaving it out does not help; judge by it.",
    option: `--group ${word}`,
  }),
  values: (facts) => {
    const { quoted, word } = facts;
    return {
      ...groupWords(`The label goes by ${quoted}`, facts),
      // Whoever answered a request, or where it was sent, is known only once somebody has decided.
      remedy: `If the model is to answer for new values of ${quoted}, judge by it. If it is filled in once the label is known, leave it out.`,
      option: `--group ${word} or --without ${word}`,
    };
  },
  "seen values": ({ atRandom, ifHeld, quoted, word, valueCount }) => ({
    code: "GROUPS_FLATTER",
    message:
      `Will new rows have values of ${quoted} other than these ${valueCount}? The label goes by it: ${atRandom} are right ` +
      `at random, about ${ifHeld} for a value that the model has not seen.`,
    remedy: "If not, the accuracy holds. If so, judge by it. If it is filled in once the label is known, leave it out.",
    option: `--group ${word} or --without ${word}`,
  }),
  recurring: ({ atRandom, ifHeld, quoted, naming }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      `Most rows have others that agree in ${quoted}, as rows of one patient, machine or customer do: ` +
      `${atRandom} at random, about ${ifHeld} where these were held out together.`,
    ...byWhoseRow(naming, "If"),
  }),
  time: ({ atRandom, ifHeld, quoted, word, lateLabel }) => ({
    code: "TIME_FLATTERS",
    message: `Rows of about the same ${quoted} resemble each other: ${atRandom} at random, about ${ifHeld} where times were held out.`,
    remedy: `${lateLabel === null ? "" : lateWords(lateLabel)}If the model is to answer for later rows, judge by time.`,
    option: `--time ${word}`,
  }),
  "split time": ({ atRandom, ifHeld, quoted }) => ({
    code: "FILE_ORDER_FLATTERS",
    message: `Rows of about the same ${quoted} resemble each other: ${atRandom} at random, about ${ifHeld} where times were held out.`,
    remedy:
      "If the model is to answer for later rows, write the year and the month into one column, as 2024-03, and judge by " +
      "it.",
    option: "--time COLUMN",
  }),
  "later years": ({ atRandom, ifHeld, quoted, word }) => ({
    code: "TIME_FLATTERS",
    message:
      `In a year that it has not seen, a model that learns from ${quoted} is less often right: ` +
      `${atRandom} at random, about ${ifHeld} on the same months of the next year.`,
    remedy:
      `If the model is to answer for later rows, judge by time, once learning from ${quoted} and once not, and keep the ` +
      "better by that. Or leave it out alone.",
    option: `--time ${word} --keep-key-columns, --time ${word} or --without ${word}`,
  }),
  sorted: ({ atRandom, ifHeld, quoted, word, differsByRow, isCategory }) => ({
    code: "SORTED_FILE",
    message:
      `The file is sorted by ${quoted}, so whether its rows belong together cannot be told: ` +
      `${atRandom} at random, ${ifHeld} where whole stretches were held out.`,
    ...(isCategory
      ? {
          remedy: `Judge by ${quoted} as a group, or if it is a time, write it as 2024-03 and judge by it as a time.`,
          option: `--group ${word}`,
        }
      : differsByRow
        ? { remedy: `If ${quoted} is a time or grows with it, judge by it as a time.`, option: `--time ${word}` }
        : {
            remedy: `Judge by ${quoted}: as a time if it is one, as a group if it names machines, patients or the like.`,
            option: `--time ${word} or --group ${word}`,
          }),
  }),
  places: ({ atRandom, ifHeld, quoted }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      `Rows near each other by ${quoted} resemble each other: ${atRandom} at random, about ${ifHeld} where whole areas ` +
      "were held out.",
    remedy:
      "If the model is to answer for other places, add a column that names areas, such as a district or rounded " +
      "coordinates, and judge by it.",
    option: "--group COLUMN",
  }),
  copies: ({ atRandom, ifHeld, copiedRowCount }) => ({
    code: "COPIES_FLATTER",
    message:
      `${formatAmount(copiedRowCount, "row")} ${copiedRowCount === 1 ? "repeats" : "repeat"} an earlier one cell by ` +
      `cell, running numbers aside: ${atRandom} at random, about ${ifHeld} where copies were held out together.`,
    remedy: "Remove the copies from the file.",
    option: null,
  }),
  "file order": ({ atRandom, ifHeld }) => ({
    code: "FILE_ORDER_FLATTERS",
    message:
      "Rows near each other in the file help to predict each other: " +
      `${atRandom} at random, ${ifHeld} where whole stretches were held out.`,
    ...BY_ANY_COLUMN,
  }),
  texts: ({ atRandom, ifHeld, quoted }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      `Many texts in ${quoted} share much of their words, as copies, templates or quoted mails do: ` +
      `${atRandom} at random, about ${ifHeld} where these were held out together.`,
    remedy:
      "If new texts will be others, expect about the lower figure, or judge by a column that tells which texts belong " +
      "together, as a template or a thread.",
    option: "--group COLUMN",
  }),
  "few texts": ({ atRandom, ifHeld, quoted }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      `Will new texts in ${quoted} be of other kinds? These are of a few, whose texts share much of their words: ` +
      `${atRandom} are right at random, about ${ifHeld} for a kind that the model has not seen.`,
    remedy: "If not, the accuracy holds. If so, judge by a column that tells the kinds, as a template or a form.",
    option: "--group COLUMN",
  }),
  endings: ({ atRandom, ifHeld, quoted }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      `Will new texts in ${quoted} be of other writers? Nearly all end in a word or two that others end in too, as ` +
      `signed texts do: ${atRandom} are right at random, about ${ifHeld} for a writer whom the model has not seen.`,
    remedy:
      "If not, the accuracy holds. If so, take the signatures out of the texts, or judge by a column that names the " +
      "writers.",
    option: "--group COLUMN",
  }),
  "noisy repeats": ({ atRandom, ifHeld, quoted }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      `Rows nearest to each other in ${quoted} mostly have one label, as if the same things had been measured several ` +
      `times: ${atRandom} at random, about ${ifHeld} where the nearest rows were held out together.`,
    ...byWhoseRow(null, "If"),
  }),
  "agreeing rows": ({ atRandom, ifHeld, naming }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      "Many rows agree with a few others in far more cells than with any further row, as answers of people who answered " +
      `twice do: ${atRandom} at random, about ${ifHeld} where these were held out together.`,
    ...byWhoseRow(naming, "Keep one row of each person or thing. Or if"),
  }),
  "near-twins": ({ atRandom, ifHeld }) => ({
    code: "NEAR_TWINS_FLATTER",
    message:
      "Most rows have near-twins, nearly the same in all columns: " +
      `${atRandom} at random, ${ifHeld} where these were held out together.`,
    ...BY_ANY_COLUMN,
  }),
};

/** Judged by time, no model has seen such a label, or all newest rows have it. */
function lateWords(label: string): string {
  return (
    `The newest rows mostly have the label ${inQuotes(label)}, the older half never: does it mean that there is none yet? ` +
    `${missingAdvice([{ text: label }])} `
  );
}

function groupWords(likeness: string, { atRandom, ifHeld, quoted, word, isNumber }: FlatteryFacts): FlatteryWords {
  return {
    code: "GROUPS_FLATTER",
    message: `${likeness}: ${atRandom} at random, about ${ifHeld} for values of ${quoted} that the model has not seen.`,
    remedy: isNumber
      ? `If the model is to answer for new values of ${quoted}, or if rows with the same one are of one patient, machine or customer, judge by it.`
      : `If the model is to answer for new values of ${quoted}, judge by it.`,
    option: `--group ${word}`,
  };
}
