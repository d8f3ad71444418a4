// A template tag for HTML and SVG that escapes every text put into it.
import { printable } from "./printable.ts";

/** A finished piece of HTML or SVG. Only `html` makes one. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | null | readonly Content[];

/** Longer names are cut: a person reads the start, and summary.json has the whole. */
const LONGEST_NAME = 120;
const LONGEST_QUOTED = 60;
const LONGEST_LABEL = 40;

/**
 * Escapes strings, for text and quoted attributes alike; joins lists; leaves out null. Numbers are coordinates and get
 * at most two decimals: figures for people come from format.ts as strings.
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let markup = parts[0] ?? "";
  for (let i = 0; i < contents.length; i++) markup += write(contents[i]!) + parts[i + 1]!;
  return { markup };
}

/** A name from the user's data, isolated so that right-to-left text does not turn its surroundings. */
export function name(text: string, longest: number = LONGEST_NAME): Markup {
  if (text.trim() === "") return html`<i class="nameless">(empty)</i>`;
  return html`<bdi>${shorten(text, longest)}</bdi>`;
}

/** Returns the name as one line of plain text, for a description or a terminal. */
export function plainName(text: string, longest: number = LONGEST_NAME): string {
  return text.trim() === "" ? "(empty)" : printable(shorten(text, longest));
}

/** The name of a column, or of the difference of two, as one line of plain text. */
export function sourceName(column: string, minus: string | undefined, longest: number): string {
  return [column, ...(minus === undefined ? [] : [minus])].map((text) => plainName(text, longest)).join(" − ");
}

/** A name in quotation marks, for a sentence. */
export function inQuotes(text: string): string {
  return `"${plainName(text, LONGEST_QUOTED)}"`;
}

/** A label in quotation marks, for a sentence that is long already. */
export function labelInQuotes(label: string): string {
  return `"${plainName(label, LONGEST_LABEL)}"`;
}

/** Cuts text to `longest` characters as a person counts them, with an ellipsis at the end. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text.slice(0, longest * UNITS);
  const characters = charactersOf(start);
  if (characters.length <= longest && start.length === text.length) return text;
  return `${characters.slice(0, Math.max(1, longest - 1)).join("")}…`;
}

/** The same with the end of the text, and an ellipsis before it. */
export function shortenStart(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = text.slice(-longest * UNITS);
  const characters = charactersOf(end);
  if (characters.length <= longest && end.length === text.length) return text;
  return `…${characters.slice(-Math.max(1, longest - 1)).join("")}`;
}

/** Segmenting a cell of megabytes would be slow; most graphemes have far fewer code units. */
const UNITS = 8;

function charactersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), ({ segment }) => segment);
}

function write(content: Content): string {
  if (content === null) return "";
  if (typeof content === "number") return String(Math.round(content * 100) / 100);
  if (typeof content === "string") return escapeText(content);
  if ("markup" in content) return content.markup;
  return content.map(write).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNPRINTABLE, "�")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Control characters that HTML does not allow: all but tab and line ends. */
const UNPRINTABLE = /(?![\t\n\r])\p{Cc}/gu;
