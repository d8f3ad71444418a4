// The offline report: one HTML file without scripts or references, drawn from the summary of a run.
import type { RunSummary } from "../summary.ts";
import { answerSection } from "./answer.ts";
import { columnsSection } from "./columns.ts";
import { competitionSection } from "./competition.ts";
import type { Markup } from "./markup.ts";
import { html, plainName } from "./markup.ts";
import { predictionsSection } from "./predictions.ts";
import { provenanceSection } from "./provenance.ts";
import { STYLES } from "./styles.ts";
import { versionsSection } from "./versions.ts";
import { warningsSection } from "./warnings.ts";

/** Admits the style sheet and nothing else, not even a style attribute. */
const STYLES_HASH = new Bun.CryptoHasher("sha256").update(STYLES).digest("base64");

/**
 * The whole page as text. The same summary gives the same bytes. Nothing in it is fetched or run: its content security
 * policy admits its own style sheet and nothing else.
 */
export function renderReport(summary: RunSummary): string {
  const predictions = predictionsSection(summary);
  const body = html`${topBar(predictions !== null)}
<main>
${answerSection(summary)}
${competitionSection(summary)}
${versionsSection(summary)}
${columnsSection(summary)}
${predictions}
${warningsSection(summary)}
${provenanceSection(summary)}
</main>
`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${STYLES_HASH}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${html`Cupel ${summary.cupelVersion}`.markup}">
<title>${html`${plainName(summary.label, 60)} · ${plainName(summary.file.name, 60)} · Cupel report`.markup}</title>
<style>${STYLES}</style>
</head>
<body>
${body.markup}</body>
</html>
`;
}

/** The name, the ways into the page, and the choice between light and dark, which works without a script. */
function topBar(withPredictions: boolean): Markup {
  const places: readonly (readonly [string, string])[] = [
    ["competition", "Competition"],
    ["versions", "Versions"],
    ["columns", "Columns"],
    ...(withPredictions ? ([["predictions", "Predictions"]] as const) : []),
    ["warnings", "Warnings"],
    ["made", "How it was made"],
  ];
  const themes = [
    ["system", "System", html` checked`],
    ["light", "Light", null],
    ["dark", "Dark", null],
  ] as const;
  return html`<header class="top"><p class="brand"><svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path class="cup" d="M3 9h18l-3 11H6Z"/><ellipse class="bead" cx="12" cy="9" rx="5.5" ry="2.6"/></svg> Cupel</p>
<nav aria-label="Sections">${places.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>
<fieldset class="themes"><legend class="unseen">Colours</legend>${themes.map(([id, label, checked]) => html`<label><input type="radio" name="theme" id="theme-${id}"${checked}><span>${label}</span></label>`)}</fieldset></header>`;
}
