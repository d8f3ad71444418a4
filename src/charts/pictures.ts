// Pictures and the tables behind them: the frame that every chart of the report shares.
import type { Content, Markup } from "./markup.ts";
import { html } from "./markup.ts";

/** One drawing. `title` names it and `description` says what is to be seen, for those who do not see it. */
export interface Picture {
  title: string;
  description: string;
  width: number;
  height: number;
  body: Content;
}

/** Drawing widths in pixels, each shown where the page has room for it, so that text is never scaled below legibility. */
const WIDTHS = [
  ["narrow", 328],
  ["medium", 680],
  ["wide", 1040],
] as const;

/** An inline SVG with its text alternative. */
export function picture({ title, description, width, height, body }: Picture): Markup {
  return html`<svg role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${title}</title><desc>${description}</desc>${body}</svg>`;
}

/** The same picture drawn for each width of page; one of them is shown. */
export function responsive(draw: (width: number) => Picture): Markup {
  return html`${WIDTHS.map(([kind, width]) => html`<div class="only-${kind}">${picture(draw(width))}</div>`)}`;
}

/** A picture with its caption and, closed until wanted, the table behind it. */
export function figure(drawing: Markup, caption: Content, tableBehind: Markup | null): Markup {
  const behind = tableBehind === null ? null : disclosure("Table behind the picture", tableBehind);
  return html`<figure>${drawing}<figcaption>${caption}</figcaption>${behind}</figure>`;
}

/** Content that opens on demand. */
export function disclosure(summary: Content, content: Content): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

/** A table that scrolls within itself where it is wider or longer than its place. `head` and `body` are rows. */
export function table(caption: string, head: Content, body: Content, className = ""): Markup {
  return html`<div class="scroll ${className}" role="region" aria-label="${caption}" tabindex="0"><table><caption class="unseen">${caption}</caption><thead>${head}</thead>${wrapBody(body)}</table></div>`;
}

/** A plain table from texts and markup: the first cell of each row is its header, the others are figures. */
export function figureTable(
  caption: string,
  head: readonly Content[],
  rows: readonly (readonly Content[])[],
  className = "",
): Markup {
  const headRow = html`<tr>${head.map((cell, i) => html`<th scope="col"${i === 0 ? null : NUMERIC}>${cell}</th>`)}</tr>`;
  const body = rows.map(
    ([first, ...rest]) =>
      html`<tr><th scope="row">${first ?? null}</th>${rest.map((cell) => html`<td class="num">${cell}</td>`)}</tr>\n`,
  );
  return table(caption, headRow, body, className);
}

/** A term and its value. */
export type Row = readonly [term: Content, value: Content];

/** A list of terms with their values. */
export function pairs(rows: readonly Row[], className = "pairs"): Markup {
  return html`<dl class="${className}">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A section of the report with its heading. */
export function section(id: string, title: Content, content: Content): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>
`;
}

/** A word with its explanation on hover; the glossary at the end of the report says the same in full. */
export function tip(word: Content, explanation: string): Markup {
  return html`<abbr title="${explanation}">${word}</abbr>`;
}

/** A figure that does not exist, with the reason. */
export function undefinedFigure(reason: string): Markup {
  return html`<abbr title="${reason}">–<span class="unseen"> undefined: ${reason}</span></abbr>`;
}

const NUMERIC = html` class="num"`;

function wrapBody(body: Content): Markup {
  return html`<tbody>${body}</tbody>`;
}
