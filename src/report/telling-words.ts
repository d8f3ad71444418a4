// The words that tell the classes of text columns apart, a table for each column.

import { table } from "../charts/pictures.ts";
import { formatAmount, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../common/markup.ts";
import type { ClassCount, ColumnSummary } from "../summary/summary.ts";
import { SHAPE_WORDS, textInWords } from "../words/text-words.ts";

/** With more classes only the most frequent are shown. */
const MOST_CLASSES = 12;
const LONGEST_WORD = 60;

type TextFacts = NonNullable<ColumnSummary["text"]>;

interface Shown {
  columns: readonly Pick<ColumnSummary, "name" | "text">[];
  classes: readonly ClassCount[];
  /** Where the classes are that are not shown. */
  rest: string;
}

/** One table for each column that is read as text; null where none is. */
export function tellingWordTables({ columns, classes, rest }: Shown): Markup | null {
  const tables = columns.flatMap(({ name, text }) => (text === undefined ? [] : [ofColumn(name, text, classes, rest)]));
  if (tables.length === 0) return null;
  return html`<p class="lead">Words and pairs of words that rows of a class have more often than all others: the share of its rows that have each, and the share of the other rows. A word is shown only where at least five rows have it. ${SHAPE_WORDS}</p>
${tables}`;
}

function ofColumn(column: string, text: TextFacts, classes: readonly ClassCount[], rest: string): Markup {
  const frequent = classes
    .map(({ label, count }, code) => ({ label, count, words: text.tellingWords[code] ?? [] }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_CLASSES);
  const beyond = classes.length - frequent.length;
  const head = html`<p class="spaced"><em>${name(column)}</em> <small>${textInWords(text)}</small></p>`;
  if (text.tellingWords.every((words) => words.length === 0)) {
    return html`${head}<p class="note">No word stands out in any class.</p>`;
  }
  return html`${head}${table(
    `Telling words of ${plainName(column, 60)}`,
    html`<tr><th scope="col">Class</th><th scope="col">Words, most telling first</th></tr>`,
    frequent.map(
      ({ label, words }) => html`<tr><th scope="row">${name(label, 40)}</th><td>${wordList(words)}</td></tr>\n`,
    ),
    "telling",
  )}${beyond > 0 ? html`<p class="note">The most frequent classes are shown; ${formatAmount(beyond, "more", "more")} ${beyond === 1 ? "is" : "are"} ${rest}.</p>` : null}`;
}

function wordList(words: TextFacts["tellingWords"][number]): Content {
  if (words.length === 0) return html`<span class="note">none stands out</span>`;
  return html`<ul class="words">${words.map(({ word, share, shareOfOthers }) => html`<li><em>${name(word, LONGEST_WORD)}</em> <small>${formatPercent(share)}, others ${formatPercent(shareOfOthers)}</small></li>`)}</ul>`;
}
