// Warns of labels that may be typing errors: those that nearly equal another one, and those of one or two rows; of
// labels that may mean that there is none; and of labels that may have been balanced.

import { listedTexts, missingAdvice } from "../columns/missing-advice.ts";
import { listFirst, quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import { alikeGroups, type CountedText, listedGroups } from "./alike-texts.ts";
import type { ClassCount } from "./profile.ts";

const LISTED = 5;
/** A class of so few rows is rare. */
const RARE_ROWS = 2;
/** With fewer rows there is no training. */
const FEWEST_ROWS = 10;
/** Equal numbers of rows look balanced from this number on; fewer may be equal by chance. */
const LEAST_EVEN_ROWS = 50;

/** Words for "there is no label", beside those that count as missing in every column. */
const NO_LABEL =
  /^(?:unknown|not known|unlabell?ed|undefined|tb[dca]|n\. ?a\.|#n\/?[av]|#null!?|unbekannt|k\. ?a\.|keine angaben?|nicht bekannt|nicht zugeordnet|inconnu|desconocido|sconosciuto|onbekend)$/i;
/** Words for "not yet". Beside a single other label they may be one, as open beside closed. */
const NO_LABEL_YET =
  /^(?:pending|awaiting|undecided|not decided|in (?:progress|review)|under review|n\/?a yet|open|offen|ausstehend|unentschieden|noch offen|in (?:arbeit|bearbeitung|prüfung)|en (?:attente|cours)|pendiente|en curso|in (?:attesa|sospeso|corso)|pendente|in behandeling)$/i;
/** A number for "no answer" among labels that are words. */
const NINES = /^-?9{2,}$/;
const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Returns ALIKE_LABELS, RARE_LABELS, MISSING_AS_LABEL and EVEN_LABELS. Amounts (`areAmounts`) get no RARE_LABELS, since
 * most amounts are rare.
 */
export function oddLabelWarnings(column: string, classes: readonly ClassCount[], areAmounts: boolean): Warning[] {
  const groups = alikeGroups(classes.map(({ label, count }) => ({ text: label, count })));
  const alike = new Set(groups.flat().map(({ text }) => text));
  const rare = classes.filter(({ label, count }) => count <= RARE_ROWS && !alike.has(label));
  const rowCount = classes.reduce((sum, { count }) => sum + count, 0);
  const hasRare = rare.length > 0 && rowCount >= FEWEST_ROWS && !areAmounts;
  return [
    ...(groups.length > 0 ? [alikeWarning(column, groups)] : []),
    ...(hasRare ? [rareWarning(column, rare, classes.length)] : []),
    ...missingWarnings(column, classes),
    ...evenWarnings(column, classes),
  ];
}

/** Models learn to answer as rows that nobody has labelled. Signs alone may be labels, as "+" beside "-". */
function missingWarnings(column: string, classes: readonly ClassCount[]): Warning[] {
  const isMostly = (sign: RegExp) => classes.filter(({ label }) => sign.test(label)).length > classes.length / 2;
  const haveSigns = isMostly(LETTER_OR_DIGIT);
  const areWords = isMostly(LETTER);
  const texts = classes
    .filter(
      ({ label }) =>
        NO_LABEL.test(label) ||
        (classes.length > 2 && NO_LABEL_YET.test(label)) ||
        (areWords && NINES.test(label)) ||
        (haveSigns && !LETTER_OR_DIGIT.test(label)),
    )
    .map(({ label, count }) => ({ text: label, count }));
  if (texts.length === 0) return [];
  const [does, them] = texts.length === 1 ? ["Does", "it"] : ["Do", "them"];
  const message =
    `${does} ${listedTexts(texts)} in column ${quotedName(column)} mean that there is no label yet? Models learn to ` +
    `answer ${them}. ${missingAdvice(texts)}`;
  return [{ code: "MISSING_AS_LABEL", message, column, count: texts.length }];
}

/** A model of rows that were balanced is right less often on rows as they come. */
function evenWarnings(column: string, classes: readonly ClassCount[]): Warning[] {
  const { count = 0 } = classes[0] ?? {};
  if (classes.length < 2 || count < LEAST_EVEN_ROWS || classes.some((each) => each.count !== count)) return [];
  const message =
    `Each of the ${classes.length} labels in column ${quotedName(column)} has ${count} rows. If rows were left out, ` +
    "repeated or made up for that, the figures do not hold for rows as they come: train on those, for the mean recall " +
    "(--optimise balanced-accuracy) or for what mistakes cost.";
  return [{ code: "EVEN_LABELS", message, column, count: classes.length }];
}

function alikeWarning(column: string, groups: readonly CountedText[][]): Warning {
  const message =
    `Labels in column ${quotedName(column)} differ only in case, in blanks, in signs around them or in how a letter or a ` +
    `number is written, and are learned as classes of their own: ${listedGroups(groups, rowsOf)}. If they mean the same, ` +
    "write them alike.";
  return { code: "ALIKE_LABELS", message, column, count: groups.flat().length };
}

function rareWarning(column: string, rare: readonly ClassCount[], classCount: number): Warning {
  const count = rare.length;
  const advice = `${count === 1 ? "It" : "They"} cannot be judged and ${count === 1 ? "is" : "are"} hardly learned.`;
  const has = count === 1 ? "1 label has" : `${count} labels have`;
  const message =
    2 * count > classCount
      ? `${count} of the ${classCount} labels in column ${quotedName(column)} have 1 or 2 rows only, ` +
        "so that they cannot be judged and are hardly learned: merge them, or add rows."
      : `${has} 1 or 2 rows only in column ${quotedName(column)}: ` +
        `${listFirst(rare.slice(0, LISTED).map(labelWithCount), count)}. ${advice} ` +
        `${count === 1 ? "Is it a typing error" : "Are these typing errors"}? If not, add rows, or merge labels.`;
  return { code: "RARE_LABELS", message, column, count };
}

function labelWithCount({ label, count }: ClassCount): string {
  return `${quotedName(label)} (${rowsOf(count)})`;
}

function rowsOf(count: number): string {
  return count === 1 ? "1 row" : `${count} rows`;
}
