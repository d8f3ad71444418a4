// The report's style sheet: the page and its parts, in the colours of tokens.ts.
import { CHART_STYLES } from "../charts/chart-styles.ts";
import { TOKENS } from "../charts/tokens.ts";

/** The choice of colours works without a script. */
const THEMES = `
:root:has(#theme-light:checked) { color-scheme: light; }
:root:has(#theme-dark:checked) { color-scheme: dark; }
`;

const PAGE = `
* { box-sizing: border-box; }
html { scroll-padding-top: 64px; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
main, .top { max-width: 1088px; margin: 0 auto; padding: 0 24px; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
h1 { font-size: 28px; line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 21px; line-height: 1.3; font-weight: 600; letter-spacing: -0.005em; }
h3 { font-size: 16px; font-weight: 600; margin-top: 24px; }
h4 { font-size: 13px; font-weight: 600; color: var(--ink-soft); margin-bottom: 8px; }
em { font-style: normal; font-weight: 600; }
small { font-size: 12px; color: var(--ink-faint); }
a { color: var(--copper); text-underline-offset: 2px; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
abbr { text-decoration: underline dotted var(--line-strong); text-underline-offset: 3px; cursor: help; }
:focus-visible { outline: 2px solid var(--copper); outline-offset: 2px; border-radius: 2px; }
main > section { padding: 40px 0; border-top: 1px solid var(--line); }
main > section.answer { padding-top: 24px; border-top: 0; }
.lead { max-width: 72ch; color: var(--ink-soft); margin-top: 4px; }
.note, figcaption { font-size: 13px; color: var(--ink-faint); }
.missing { color: var(--ink-faint); padding: 8px 0; }
.nameless { color: var(--ink-faint); }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 24px; height: 56px; background: var(--paper); }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; font-size: 16px; }
.brand .cup { fill: none; stroke: var(--ink-soft); stroke-width: 1.6; stroke-linejoin: round; }
.brand .bead { fill: var(--copper); }
nav { display: flex; gap: 16px; flex: 1; min-width: 0; overflow-x: auto; font-size: 14px; scrollbar-width: none; }
nav a { color: var(--ink-soft); text-decoration: none; white-space: nowrap; padding: 4px 0; }
nav a:hover { color: var(--copper); }
.themes { display: flex; border: 1px solid var(--line); border-radius: 6px; padding: 2px; margin: 0; min-width: 0; font-size: 12px; }
.themes input { position: absolute; opacity: 0; pointer-events: none; }
.themes span { display: block; padding: 2px 8px; border-radius: 4px; color: var(--ink-faint); cursor: pointer; }
.themes input:checked + span { background: var(--copper-soft); color: var(--copper); }
.themes input:focus-visible + span { outline: 2px solid var(--copper); }
`;

const ANSWER = `
.eyebrow { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; font-size: 13px; color: var(--ink-faint); margin-bottom: 8px; }
.reason { color: var(--ink-soft); margin-top: 4px; max-width: 72ch; }
.banner { border-left: 4px solid; border-radius: 4px; background: var(--card); padding: 12px 16px; margin-top: 16px; max-width: 80ch; }
.banner strong { display: block; }
.banner.early { border-color: var(--early); } .banner.early strong { color: var(--early); }
.banner.failed { border-color: var(--failed); } .banner.failed strong { color: var(--failed); }
.headline { display: grid; grid-template-columns: auto 1fr; gap: 16px 56px; align-items: start; margin: 24px 0 20px; }
.big strong { font-size: 64px; line-height: 1; font-weight: 650; letter-spacing: -0.03em; color: var(--copper); }
.big span { font-size: 20px; color: var(--ink-soft); white-space: nowrap; }
.verdict p + p { color: var(--ink-soft); margin-top: 8px; max-width: 46ch; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr)); gap: 16px 32px; }
.figures dt { font-size: 13px; color: var(--ink-faint); }
.figures dd { font-size: 22px; font-weight: 600; line-height: 1.3; }
.figures dd small { font-weight: 400; font-size: 14px; }
.figures dd.words { font-size: 16px; line-height: 1.35; } .figures dd.words small { display: block; font-size: 13px; }
.cards { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 16px; margin-top: 24px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 16px 20px 20px; }
.card h2 { font-size: 15px; margin-bottom: 8px; }
.card p + p { margin-top: 8px; }
.medium { font-size: 26px; font-weight: 600; line-height: 1.2; } .medium span { font-size: 15px; font-weight: 400; color: var(--ink-soft); white-space: nowrap; }
.good { color: var(--done); } .poor { color: var(--failed); }
.steps { padding-left: 20px; } .steps li + li { margin-top: 8px; }
.command { display: block; margin-top: 4px; padding: 8px 12px; border-radius: 6px; background: var(--copper-soft); color: var(--ink); font-size: 12px; user-select: all; } .command span { display: inline-block; }
.chip { display: inline-block; font-size: 12px; line-height: 18px; font-weight: 600; padding: 0 8px; border-radius: 10px; border: 1px solid; white-space: nowrap; vertical-align: 1px; }
.chip.done { color: var(--done); } .chip.early { color: var(--early); } .chip.failed { color: var(--failed); } .chip.pending { color: var(--ink-faint); }
.chip.copper { color: var(--copper); background: var(--copper-soft); border-color: transparent; }
`;

const PARTS = `
figure { margin-top: 12px; }
figcaption { margin-top: 4px; max-width: 80ch; }
details { margin-top: 8px; font-size: 14px; }
summary { cursor: pointer; color: var(--copper); font-size: 13px; padding: 4px 0; width: fit-content; }
.scroll { overflow: auto; margin-top: 8px; background: linear-gradient(to right, var(--paper) 30%, transparent) 0 0, linear-gradient(to left, var(--paper) 30%, transparent) 100% 0, linear-gradient(to right, var(--shade), transparent) 0 0, linear-gradient(to left, var(--shade), transparent) 100% 0; background-repeat: no-repeat; background-size: 40px 100%, 40px 100%, 12px 100%, 12px 100%; background-attachment: local, local, scroll, scroll; }
.scroll.tall { max-height: 348px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th:last-child, td:last-child { padding-right: 2px; }
thead th { font-size: 12px; font-weight: 500; color: var(--ink-faint); vertical-align: bottom; position: sticky; top: 0; background: var(--paper); }
tbody th { font-weight: 400; min-width: 64px; }
th.num, td.num { text-align: right; white-space: nowrap; }
td small { display: block; } .num small { display: inline; }
.version .scroll table { font-size: 13px; } .version th, .version td { padding: 4px 10px 4px 0; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; margin-top: 12px; font-size: 13px; align-items: center; }
.leaderboard th[scope=row] { min-width: 260px; } .attempt { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 16px; } .attempt > :first-child { min-width: 270px; }
.columns th small { display: block; }
.leaderboard .attempt-note::before { content: " · "; }
.dimmed { color: var(--ink-faint); }
.apart th { padding-top: 20px; font-size: 12px; color: var(--ink-faint); }
.versions { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); grid-template-rows: repeat(6, auto); gap: 0 28px; margin-top: 20px; }
.version { display: grid; grid-row: span 6; grid-template-rows: subgrid; gap: 24px; border-top: 3px solid var(--line-strong); padding-top: 12px; min-width: 0; }
.version.champion { border-color: var(--copper); }
.version > * { min-width: 0; }
.version h3 { margin: 0 0 4px; font-size: 20px; }
.version h3 .chip { vertical-align: 3px; }
.version svg[role=img] { width: 100%; max-width: 400px; }
.count-1 { grid-auto-flow: row; grid-template-rows: none; }
.count-1 .version { display: block; columns: 3 300px; column-gap: 32px; }
.count-1 .version > * { break-inside: avoid; padding-bottom: 24px; }
.count-1 .version > header { column-span: all; }
.pairs > div { display: flex; justify-content: space-between; gap: 16px; padding: 4px 0; border-bottom: 1px solid var(--line); font-size: 14px; }
.pairs dt { color: var(--ink-soft); } .pairs dd { text-align: right; }
.made { max-width: 720px; margin-top: 12px; }
.made dt { flex: none; } .hash { font-size: 12px; }
.glossary { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr)); gap: 16px 32px; margin-top: 12px; font-size: 14px; }
.glossary dt { font-weight: 600; } .glossary dd { color: var(--ink-soft); }
.warnings { list-style: none; padding: 0; margin-top: 12px; max-width: 80ch; }
.warnings li { border-left: 3px solid var(--early); padding: 4px 0 4px 12px; margin-bottom: 12px; } .warnings small { display: block; }
.columns th[scope=row] { min-width: 140px; max-width: 300px; } .columns td:nth-child(3) { min-width: 180px; max-width: 340px; }
.columns .chip { margin-right: 4px; }
.dropped th, .dropped .num { color: var(--ink-faint); }
.decisions th[scope=row] { max-width: 200px; } .decisions td:nth-child(3) { min-width: 190px; max-width: 300px; } .decisions td:nth-child(n+7) { min-width: 56px; }
.decisions .apart th { font-weight: 600; } .evidence svg { display: block; max-width: none; margin-top: 3px; } .evidence small { white-space: nowrap; }
.figures-behind th[scope=row] { min-width: 120px; max-width: 200px; }
.flagged, .removed { list-style: none; padding: 0; margin-top: 8px; } .flagged { max-width: 80ch; } .flagged small, .removed small { display: block; } .flagged li + li { margin-top: 8px; } .removed { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 8px 32px; }
.card h3 { font-size: 15px; margin: 0 0 8px; } .spaced { margin-top: 20px; } h2 .chip { vertical-align: 4px; }
.trail { font-size: 14px; padding-left: 20px; margin-top: 8px; } .trail time { color: var(--ink-soft); }
.spark { margin: 0; } .spark summary { padding: 0; list-style: none; } .spark summary::-webkit-details-marker { display: none; }
.spark svg { display: block; } .spark summary:hover svg { background: var(--copper-soft); }
`;

const NARROW = `
@media (max-width: 1000px) {
  .cards { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .headline { grid-template-columns: 1fr; }
  .count-2, .count-3 { grid-auto-flow: row; grid-template-rows: none; gap: 40px; }
  .count-2 .version, .count-3 .version { grid-row: auto; grid-template-rows: none; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); }
}
@media (max-width: 719px) {
  main, .top { padding: 0 16px; }
  .top { position: static; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; height: auto; padding-top: 8px; }
  nav { order: 3; flex-basis: 100%; padding: 4px 0; }
  .cards { grid-template-columns: minmax(0, 1fr); }
  h1 { font-size: 24px; } .big strong { font-size: 52px; } .big span { font-size: 17px; }
  .figures { grid-template-columns: 1fr 1fr; gap: 12px 16px; } .figures dd { font-size: 19px; }
  main > section { padding: 32px 0; }
  th, td { padding-right: 12px; }
  .leaderboard th[scope=row] { min-width: 148px; } .attempt > :first-child { min-width: 0; }
  .columns th[scope=row] { min-width: 108px; } .columns td:nth-child(3) { min-width: 124px; } .columns td:nth-child(2) { min-width: 72px; }
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
export const STYLES = TOKENS + THEMES + PAGE + ANSWER + PARTS + CHART_STYLES + NARROW;
