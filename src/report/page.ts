// The frame of a report page: head, content security policy, and a top bar with links and the choice of colours.
import { html, type Markup } from "../charts/markup.ts";
import { STYLES } from "./styles.ts";

/** The policy admits this style sheet and nothing else, not even a style attribute. */
const STYLES_HASH = new Bun.CryptoHasher("sha256").update(STYLES).digest("base64");

export interface Page {
  /** Plain text; escaped here. */
  title: string;
  cupelVersion: string;
  /** Sections by id, with the word of their link. */
  places: readonly (readonly [string, string])[];
  body: Markup;
}

/** The whole page as text: nothing in it is fetched or run. */
export function renderPage({ title, cupelVersion, places, body }: Page): string {
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
  html`${topBar(places)}
<main>
${body}
</main>
`.markup
}</body>
</html>
`;
}

/** The choice between light and dark works without a script. */
function topBar(places: Page["places"]): Markup {
  const themes = [
    ["system", "System", html` checked`],
    ["light", "Light", null],
    ["dark", "Dark", null],
  ] as const;
  return html`<header class="top"><p class="brand"><svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path class="cup" d="M3 9h18l-3 11H6Z"/><ellipse class="bead" cx="12" cy="9" rx="5.5" ry="2.6"/></svg> Cupel</p>
<nav aria-label="Sections">${places.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>
<fieldset class="themes"><legend class="unseen">Colours</legend>${themes.map(([id, label, checked]) => html`<label><input type="radio" name="theme" id="theme-${id}"${checked}><span>${label}</span></label>`)}</fieldset></header>`;
}
