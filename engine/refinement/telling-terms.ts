// Does a word give the label away, as where a text names its class? The best single term of each class, as a rule.

import { countClasses } from "../fitting/class-counts.ts";
import type { LabelledRows } from "../table/table.ts";
import { eachPlainTerm, hasPlainTerm, type TermRows } from "../text/term-rows.ts";
import { majorityRuleStrength } from "./feature-facts.ts";

/** A term tells a class if nearly all of its rows are of that class, in rows enough to rule out chance. */
const PURE_SHARE = 0.99;
const LEAST_PURE_ROWS = 20;
/** Shares of rows and of labels with a word of their label, from which it is a leak. Honest texts: a tenth of rows. */
const LEAST_SHARE = 0.4;
const MOST_LABELS = 2 / 3;

/**
 * The strength of the rule "a row with a class's most frequent telling term is of that class": see
 * `majorityRuleStrength`; 0 where no class has such a term. Words and pairs alone. O(entries + terms).
 */
export function tellingStrength(text: TermRows, labelled: LabelledRows): number {
  const { rows, classes, classCount } = labelled;
  const codeOfTerm = tellingTerms(text, labelled);
  if (codeOfTerm === null) return 0;
  const counts = new Int32Array((classCount + 1) * classCount);
  for (const row of rows) {
    let code = 0;
    eachPlainTerm(text, row, (term) => {
      if (code === 0) code = codeOfTerm[term]!;
    });
    const cell = code * classCount + classes[row]!;
    counts[cell] = counts[cell]! + 1;
  }
  return majorityRuleStrength(counts, classCount);
}

/** Labels of fewer rows need not have a word of their own. */
const LEAST_CLASS_ROWS = 2 * LEAST_PURE_ROWS;

/**
 * The share of the rows that have a word of their label, where most labels have one, as where a mail was forwarded "to
 * team 7" before it was stored; else 0. Honest texts of labels that differ much, such as languages, have many such
 * words: there most rows without the first of them have another. Three labels at least, since two are looked at with
 * what a word gains (see mark-gains.ts). O(entries + terms).
 */
export function labelWordShare(text: TermRows, labelled: LabelledRows): number {
  const { rows, classes, classCount } = labelled;
  const codeOfTerm = tellingTerms(text, labelled);
  if (codeOfTerm === null || classCount < 3) return 0;
  const codes = new Set(codeOfTerm);
  const large = [...countClasses(labelled).entries()].filter(([, count]) => count >= LEAST_CLASS_ROWS);
  if (large.filter(([code]) => codes.has(code + 1)).length < MOST_LABELS * large.length) return 0;
  const unexplainedRows = rows.filter(
    (row) => !hasPlainTerm(text, row, (term) => codeOfTerm[term] === classes[row]! + 1),
  );
  const share = 1 - unexplainedRows.length / rows.length;
  if (share < LEAST_SHARE || unexplainedRows.length < LEAST_CLASS_ROWS * classCount) return 0;
  const further = tellingTerms(text, { ...labelled, rows: unexplainedRows });
  if (further === null) return share;
  const others = unexplainedRows.filter((row) =>
    hasPlainTerm(text, row, (term) => further[term] === classes[row]! + 1),
  );
  return others.length < (share / 2) * unexplainedRows.length ? share : 0;
}

/** One more than the class that each term tells, 0 for none; one term a class at most. */
function tellingTerms(text: TermRows, labelled: LabelledRows): Uint16Array | null {
  const { plainCount } = text;
  const { rows, classes, classCount } = labelled;
  const { candidates, totals } = commonestClasses(text, labelled);
  const pureRows = new Uint32Array(plainCount);
  for (const row of rows) {
    eachPlainTerm(text, row, (term) => {
      if (candidates[term] === classes[row]) pureRows[term] = pureRows[term]! + 1;
    });
  }
  const best = new Int32Array(classCount).fill(-1);
  for (let term = 0; term < plainCount; term++) {
    if (pureRows[term]! < LEAST_PURE_ROWS || pureRows[term]! < PURE_SHARE * totals[term]!) continue;
    const code = candidates[term]!;
    if (best[code]! < 0 || pureRows[term]! > pureRows[best[code]!]!) best[code] = term;
  }
  if (best.every((term) => term < 0)) return null;
  const codeOfTerm = new Uint16Array(plainCount);
  best.forEach((term, code) => {
    if (term >= 0) codeOfTerm[term] = code + 1;
  });
  return codeOfTerm;
}

/** The class that most rows of each term have, wherever more than half have one (Boyer & Moore 1991), and its rows. */
function commonestClasses(text: TermRows, { rows, classes }: LabelledRows) {
  const candidates = new Uint8Array(text.plainCount);
  const votes = new Uint32Array(text.plainCount);
  const totals = new Uint32Array(text.plainCount);
  for (const row of rows) {
    const code = classes[row]!;
    eachPlainTerm(text, row, (term) => {
      totals[term] = totals[term]! + 1;
      if (votes[term] === 0) candidates[term] = code;
      votes[term] = candidates[term] === code ? votes[term]! + 1 : votes[term]! - 1;
    });
  }
  return { candidates, totals };
}
