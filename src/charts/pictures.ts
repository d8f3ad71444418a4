// The frames of pictures, tables, lists and sections that the report is made of.
import { type Content, html, type Markup } from "../common/markup.ts";
import { percentTick, type Scale } from "./scales.ts";

/** One drawing. Screen readers read its title and description. */
export interface Picture {
  title: string;
  description: string;
  width: number;
  height: number;
  body: Content;
}

/**
 * Drawing widths in pixels. The page shows the widest that fits, so text is never scaled down until it is illegible.
 */
const WIDTHS = [
  ["narrow", 328],
  ["medium", 680],
  ["wide", 1040],
] as const;

/** An inline SVG with its text alternative. */
export function picture({ title, description, width, height, body }: Picture): Markup {
  return html`<svg role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${title}</title><desc>${description}</desc>${body}</svg>`;
}

/** The same picture drawn for each page width; styles show one of them. */
export function responsive(draw: (width: number) => Picture): Markup {
  return html`${WIDTHS.map(([kind, width]) => html`<div class="only-${kind}">${picture(draw(width))}</div>`)}`;
}

/** Lines across at some values of the upright axis, each with its words at the left. */
export function gridLines(
  [left, right]: readonly [number, number],
  y: Scale,
  ticks: readonly number[],
  words = (tick: number) => percentTick(tick, ticks),
): Content {
  return ticks.map(
    (tick) =>
      html`<line class="grid" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${words(tick)}</text>`,
  );
}

export function axisLine([left, right]: readonly [number, number], bottom: number): Markup {
  return html`<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`;
}

/** The axes of a plot of shares against shares. */
export function shareAxes(across: readonly [number, number], bottom: number, x: Scale, y: Scale, ticks: number[]) {
  return html`${gridLines(across, y, ticks)}
${axisLine(across, bottom)}
${ticks.map((tick) => html`<text class="tick" x="${x(tick)}" y="${bottom + 16}" text-anchor="middle">${percentTick(tick, ticks)}</text>`)}`;
}

export function figure(drawing: Markup, caption: Content, tableBehind: Markup | null): Markup {
  const behind = tableBehind === null ? null : disclosure("Table behind the picture", tableBehind);
  return html`<figure>${drawing}<figcaption>${caption}</figcaption>${behind}</figure>`;
}

export function disclosure(summary: Content, content: Content): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

/** A table that scrolls by itself if it is too wide or long. `head` and `body` are rows. */
export function table(caption: string, head: Content, body: Content, className: string): Markup {
  return html`<div class="scroll ${className}" role="region" aria-label="${caption}" tabindex="0"><table><caption class="unseen">${caption}</caption><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
}

/** A table of figures: the first cell of each row is its header. */
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

export type Row = readonly [term: Content, value: Content];

export function pairs(rows: readonly Row[], className = "pairs"): Markup {
  return html`<dl class="${className}">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function section(id: string, title: Content, content: Content): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>
`;
}

/** A word with its explanation on hover; the report's glossary says more. */
export function tip(word: Content, explanation: string): Markup {
  return html`<abbr title="${explanation}">${word}</abbr>`;
}

/** A dash for a missing figure, with the reason. */
export function undefinedFigure(reason: string): Markup {
  return html`<abbr title="${reason}">–<span class="unseen"> undefined: ${reason}</span></abbr>`;
}

/** A figure, or the dash where it is null. */
export function figureOr<T>(reason: string, value: T | null, write: (value: T) => string): Content {
  return value === null ? undefinedFigure(reason) : write(value);
}

const NUMERIC = html` class="num"`;
