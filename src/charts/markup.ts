// Markup that cannot be broken by the text put into it: a template tag that escapes whatever is not markup already.

/** A finished piece of HTML or SVG. Only `html` makes one. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | null | readonly Content[];

/** Names longer than this are cut where they stand as text: a person reads the start, the rest is in summary.json. */
const LONGEST_NAME = 120;

/**
 * Tag for HTML and SVG. Strings are escaped for text and quoted attributes alike, lists are joined, null is nothing.
 * Numbers are coordinates and are written with at most two decimals: figures for people come from format.ts as strings.
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let markup = parts[0] ?? "";
  contents.forEach((content, i) => {
    markup += write(content) + (parts[i + 1] ?? "");
  });
  return { markup };
}

/** Text of the user's own (a column, a label, a file) as an isolated run, so that its direction cannot turn its surroundings. */
export function name(text: string, longest: number = LONGEST_NAME): Markup {
  if (text.trim() === "") return html`<i class="nameless">(empty)</i>`;
  return html`<bdi>${shorten(text, longest)}</bdi>`;
}

/** The same for plain text such as a description. */
export function plainName(text: string, longest: number = LONGEST_NAME): string {
  return text.trim() === "" ? "(empty)" : shorten(text, longest);
}

/** At most `longest` characters as a person counts them; the last is an ellipsis where something was cut. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Enough for the graphemes wanted without segmenting a cell of megabytes.
  const start = text.slice(0, longest * 8);
  const characters = Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(start), (s) => s.segment);
  if (characters.length <= longest && start.length === text.length) return text;
  return `${characters.slice(0, Math.max(1, longest - 1)).join("")}…`;
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

/** Control characters are not allowed in HTML, tab and line ends excepted. */
const UNPRINTABLE = /(?![\t\n\r])\p{Cc}/gu;
