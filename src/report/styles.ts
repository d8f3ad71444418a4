// The report's own styles: the page and its sections.
import { CHART_STYLES } from "../charts/chart-styles.ts";
import { SHARED_STYLES } from "../charts/shared-styles.ts";
import { TOKENS } from "../charts/tokens.ts";

/** The choice of colours works without a script. */
const THEMES = `
:root:has(#theme-light:checked) { color-scheme: light; }
:root:has(#theme-dark:checked) { color-scheme: dark; }
`;

const PAGE = `
html { scroll-padding-top: 64px; }
main, .top { max-width: 1088px; margin: 0 auto; padding: 0 24px; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
h1 { font-size: 28px; line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 21px; line-height: 1.3; font-weight: 600; letter-spacing: -0.005em; }
h3 { font-size: 16px; font-weight: 600; margin-top: 24px; }
h4 { font-size: 13px; font-weight: 600; color: var(--ink-soft); margin-bottom: 8px; }
abbr { text-decoration: underline dotted var(--line-strong); text-underline-offset: 3px; cursor: help; }
main > section { padding: 40px 0; border-top: 1px solid var(--line); }
main > section.answer { padding-top: 24px; border-top: 0; }
figcaption { font-size: 13px; color: var(--ink-faint); }
.missing { padding: 8px 0; }
.top {
  position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 24px; height: 56px;
  background: var(--paper);
}
nav { display: flex; gap: 16px; flex: 1; min-width: 0; overflow-x: auto; font-size: 14px; scrollbar-width: none; }
nav a { color: var(--ink-soft); text-decoration: none; white-space: nowrap; padding: 4px 0; }
nav a:hover { color: var(--copper); }
.themes {
  display: flex; border: 1px solid var(--line); border-radius: 6px; padding: 2px; margin: 0; min-width: 0;
  font-size: 12px;
}
.themes input { position: absolute; opacity: 0; pointer-events: none; }
.themes span { display: block; padding: 2px 8px; border-radius: 4px; color: var(--ink-faint); cursor: pointer; }
.themes input:checked + span { background: var(--copper-soft); color: var(--copper); }
.themes input:focus-visible + span { outline: 2px solid var(--copper); }
`;

const ANSWER = `
.eyebrow {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; font-size: 13px; color: var(--ink-faint);
  margin-bottom: 8px;
}
.reason { color: var(--ink-soft); margin-top: 4px; max-width: 72ch; }
.banner { margin-top: 16px; }
.banner strong { display: block; }
.cards { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.card h2 { font-size: 15px; }
.steps { padding-left: 20px; } .steps li + li { margin-top: 8px; }
.command {
  display: block; margin-top: 4px; padding: 8px 12px; border-radius: 6px; background: var(--copper-soft);
  color: var(--ink); font-size: 12px; user-select: all;
}
.command span { display: inline-block; }
.chip { vertical-align: 1px; }
`;

const PARTS = `
figure { margin-top: 12px; }
figcaption { margin-top: 4px; max-width: 80ch; }
details { margin-top: 8px; font-size: 14px; }
summary { cursor: pointer; color: var(--copper); font-size: 13px; padding: 4px 0; width: fit-content; }
.scroll {
  background:
    linear-gradient(to right, var(--paper) 30%, transparent) 0 0,
    linear-gradient(to left, var(--paper) 30%, transparent) 100% 0,
    linear-gradient(to right, var(--shade), transparent) 0 0,
    linear-gradient(to left, var(--shade), transparent) 100% 0;
  background-repeat: no-repeat; background-size: 40px 100%, 40px 100%, 12px 100%, 12px 100%;
  background-attachment: local, local, scroll, scroll;
}
.scroll.tall { max-height: 370px; }
th, td {
  text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word;
}
th:last-child, td:last-child { padding-right: 2px; }
thead th {
  font-size: 12px; font-weight: 500; color: var(--ink-faint); vertical-align: bottom; position: sticky; top: 0;
  background: var(--paper);
}
tbody th { font-weight: 400; min-width: 64px; }
th.num, td.num { text-align: right; white-space: nowrap; }
td small { display: block; } .num small { display: inline; }
.columns th small { display: block; }
.dimmed { color: var(--ink-faint); }
.apart th { padding-top: 20px; font-size: 12px; color: var(--ink-faint); }
.version h3 { margin: 0 0 4px; }
.made { max-width: 720px; margin-top: 12px; }
.made dt { flex: none; } .hash { font-size: 12px; }
.glossary {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr)); gap: 16px 32px;
  margin-top: 12px; font-size: 14px;
}
.glossary dt { font-weight: 600; } .glossary dd { color: var(--ink-soft); }
.warnings { list-style: none; padding: 0; margin-top: 12px; max-width: 80ch; }
.warnings li { border-left: 3px solid var(--early); padding: 4px 0 4px 12px; margin-bottom: 12px; }
.warnings small { display: block; }
.columns th[scope=row] { min-width: 140px; max-width: 300px; }
.columns td:nth-child(3) { min-width: 180px; max-width: 340px; }
.columns .chip { margin-right: 4px; }
.dropped th, .dropped .num { color: var(--ink-faint); }
.decisions th[scope=row] { max-width: 200px; }
.decisions td:nth-child(3) { min-width: 190px; max-width: 300px; }
.decisions td:nth-child(n+7) { min-width: 56px; }
.decisions .apart th { font-weight: 600; } .evidence svg { display: block; }
.card h3 { font-size: 15px; margin: 0 0 8px; } h2 .chip { vertical-align: 4px; }
.trail { font-size: 14px; padding-left: 20px; margin-top: 8px; } .trail time { color: var(--ink-soft); }
.spark { margin: 0; } .spark summary { padding: 0; list-style: none; }
.spark svg { display: block; }
`;

const NARROW = `
@media (max-width: 1000px) {
  .cards { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
@media (max-width: 719px) {
  main, .top { padding: 0 16px; }
  .top {
    position: static; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; height: auto; padding-top: 8px;
  }
  nav { order: 3; flex-basis: 100%; padding: 4px 0; }
  .cards { grid-template-columns: minmax(0, 1fr); }
  h1 { font-size: 24px; }
  .figures { grid-template-columns: 1fr 1fr; gap: 12px 16px; } .figures dd { font-size: 19px; }
  main > section { padding: 32px 0; }
  th, td { padding-right: 12px; }
  .columns th[scope=row] { min-width: 108px; }
  .columns td:nth-child(3) { min-width: 124px; }
  .columns td:nth-child(2) { min-width: 72px; }
  .made > div { display: block; } .made dd { text-align: left; }
}
@media print {
  :root { color-scheme: light; }
  nav, .themes { display: none; }
  .top { position: static; }
  body { font-size: 12px; }
  main > section { padding: 20px 0; }
  figure, .card, tr, .version > div { break-inside: avoid; }
  .scroll, .scroll.tall { overflow: visible; max-height: none; }
  thead th { position: static; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;

/** The whole sheet. It holds no angle bracket, so it stands in a style element as it is. */
export const STYLES = TOKENS + SHARED_STYLES + THEMES + PAGE + ANSWER + PARTS + CHART_STYLES + NARROW;
