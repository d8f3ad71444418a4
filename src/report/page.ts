// The frame of a report page: head, content security policy, and a top bar with links and the choice of colours.
import { type Content, html, type Markup } from "../common/markup.ts";
import { STYLES } from "./styles.ts";

/** The policy admits this style sheet and nothing else, not even a style attribute. */
const STYLES_HASH = new Bun.CryptoHasher("sha256").update(STYLES).digest("base64");

export interface Page {
  /** Plain text; escaped here. */
  title: string;
  cupelVersion: string;
  /** Comes before the sections. */
  opening: Markup;
  /** By id, with the word of the link; null for a section that has nothing to show. */
  sections: readonly (readonly [id: string, word: string, section: Markup | null])[];
}

/** The whole page as text: nothing in it is fetched or run. */
export function renderPage({ title, cupelVersion, opening, sections }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${STYLES_HASH}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${html`Cupel ${cupelVersion}`.markup}">
<title>${html`${title}`.markup}</title>
<style>${STYLES}</style>
</head>
<body>
${
  html`${topBar(sections.filter(([, , section]) => section !== null))}
<main>
${opening}${sections.map(([, , section]) => html`\n${section}`)}
</main>
`.markup
}</body>
</html>
`;
}

/** The choice between light and dark works without a script. */
function topBar(places: Page["sections"]): Markup {
  const themes = [
    ["system", "System", html` checked`],
    ["light", "Light", null],
    ["dark", "Dark", null],
  ] as const;
  return html`<header class="top"><p class="brand"><svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path class="cup" d="M3 9h18l-3 11H6Z"/><ellipse class="bead" cx="12" cy="9" rx="5.5" ry="2.6"/></svg> Cupel</p>
<nav aria-label="Sections">${places.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>
<fieldset class="themes"><legend class="unseen">Colours</legend>${themes.map(([id, label, checked]) => html`<label><input type="radio" name="theme" id="theme-${id}"${checked}><span>${label}</span></label>`)}</fieldset></header>`;
}

/** A command of the terminal, broken between its parts alone. */
export function command(parts: readonly Content[]): Markup {
  return html`<code class="command">${parts.map((part, i) => html`${i === 0 ? null : " "}<span>${part}</span>`)}</code>`;
}
