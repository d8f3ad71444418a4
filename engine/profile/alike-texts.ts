// Texts that may be spellings of one: they differ only in case, in blanks, in signs around them or in how a letter or a
// number is written.

import { nearWords } from "../columns/near-miss.ts";
import { canonicalNumberText } from "../columns/numbers.ts";
import { countCells } from "../columns/other-texts.ts";
import { listNames, quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";

export interface CountedText {
  text: string;
  count: number;
}

/** A column of categories, and its texts. */
export interface SpelledColumn {
  name: string;
  texts: readonly CountedText[];
}

const LISTED = 5;
/** Blanks, and characters that nobody sees. */
const BLANKS = /[\s\p{Cf}]+/gu;
/** Quotes around a text, and what ends a sentence. A sign of its own ("-", "?") may be a value. */
const AROUND = /^["'“”„‚‘’«»]+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])["'“”„‚‘’«».,;:!]+$/gu;
/** How keyboards and systems without these letters write them: "Zaehler" for "Zähler". */
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
const UMLAUTS = /[äöüß]/g;
/** Fewer cells in other spellings than this share are hardly worth a word. */
const LEAST_SHARE = 0.01;

/** Groups of two and more, in the order of their first texts. */
export function alikeGroups(texts: readonly CountedText[]): CountedText[][] {
  const alike = new Map<string, CountedText[]>();
  for (const counted of texts) {
    const key = spellingKey(counted.text);
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [counted]);
    else others.push(counted);
  }
  return [...alike.values()].filter((group) => group.length > 1);
}

function spellingKey(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().replace(BLANKS, " ").trim().replace(AROUND, "");
  const spelled = plain.replace(UMLAUTS, (letter) => SPELLED_OUT[letter]!);
  return canonicalNumberText(spelled) ?? spelled;
}

/** The first groups in words. `counted`: a number of rows or cells. */
export function listedGroups(groups: readonly CountedText[][], counted: (count: number) => string): string {
  const listed = groups.slice(0, LISTED).map(([first, ...others]) => {
    // Texts that look the same need a word on how they differ.
    const further = others.map(({ text, count }) => `${nearWords(first!.text, text)} (${counted(count)})`);
    return [`${quotedName(first!.text)} (${counted(first!.count)})`, ...further].join(" and ");
  });
  return `${listed.join("; ")}${groups.length > LISTED ? "; …" : ""}`;
}

/** One warning for all columns, ALIKE_CATEGORIES, since files joined from several sources have it in many. */
export function alikeCategoriesWarning(columns: readonly SpelledColumn[]): Warning[] {
  const found = columns.flatMap(({ name, texts }) => {
    const groups = alikeGroups(texts).map((group) => group.toSorted((a, b) => b.count - a.count));
    const cells = countCells(texts);
    const others = countCells(groups.flatMap((group) => group.slice(1)));
    return others < 2 || others < LEAST_SHARE * cells ? [] : [{ name, groups: groups.toSorted(byCells) }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const names = found.map(({ name }) => name);
  const message =
    `Values in ${names.length === 1 ? "column" : "columns"} ${listNames(names, LISTED)} differ only in case, in blanks, in ` +
    "signs around them or in how a letter or a number is written, and are learned as categories of their own: " +
    `${listedGroups(first.groups, (count) => (count === 1 ? "1 cell" : `${count} cells`))}. If they mean the same, write ` +
    "them alike.";
  return [
    { code: "ALIKE_CATEGORIES", message, column: first.name, count: found.flatMap(({ groups }) => groups).length },
  ];
}

function byCells(a: readonly CountedText[], b: readonly CountedText[]): number {
  return countCells(b) - countCells(a);
}
