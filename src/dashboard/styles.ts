// The dashboard's style sheet, in the report's colours and with the report's pictures: page, parts, forms, lists.
import { CHART_STYLES } from "../charts/chart-styles.ts";
import { SHARED_STYLES } from "../charts/shared-styles.ts";
import { TOKENS } from "../charts/tokens.ts";
import { REFINEMENT_STYLES } from "./refinement-styles.ts";
import { RESULT_STYLES } from "./result-styles.ts";

const PAGE = `
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset { margin: 0; }
ul[class], .path, .steps, .trail { list-style: none; padding: 0; }
.path li, .facts, .verdict-box, .health-now, .answer, .go {
  padding: 16px 20px; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius);
}
h1 {
  font-size: 24px; line-height: 32px; font-weight: 600; letter-spacing: -0.01em; display: flex; flex-wrap: wrap;
  align-items: center; gap: 4px 12px;
}
h2 { font-size: 16px; line-height: 24px; font-weight: 600; }
h1:focus, main:focus { outline: none; }
abbr { text-decoration: none; cursor: help; color: var(--ink-faint); }
.help { font-size: 13px; color: var(--ink-faint); }
.skip {
  position: absolute; left: 16px; top: -48px; z-index: 3; padding: 8px 12px; background: var(--card);
  border: 1px solid var(--line-strong); border-radius: 6px;
}
.skip:focus { top: 8px; }
.top {
  position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 32px; height: 56px;
  padding: 0 max(24px, calc((100% - 1136px) / 2)); background: var(--paper); border-bottom: 1px solid var(--line);
}
.home { text-decoration: none; color: inherit; }
.top nav { display: flex; flex-wrap: wrap; gap: 0 4px; flex: 1; min-width: 0; font-size: 14px; }
.top nav a {
  color: var(--ink-soft); text-decoration: none; white-space: nowrap; padding: 6px 10px; border-radius: 6px;
}
.top nav a:hover { color: var(--ink); background: var(--copper-soft); }
.top nav a[aria-current] { color: var(--copper); font-weight: 600; }
.top nav a:focus-visible { outline-offset: -2px; }
.menu { position: relative; font-size: 14px; }
.menu summary {
  cursor: pointer; list-style: none; padding: 4px 0; color: var(--ink-soft); max-width: 220px; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap;
}
.menu summary::-webkit-details-marker { display: none; }
.menu summary::after {
  content: ""; display: inline-block; width: 6px; height: 6px; margin: 0 2px 3px 8px; border: solid;
  border-width: 0 1.5px 1.5px 0; rotate: 45deg;
}
.menu > div {
  position: absolute; right: 0; top: 36px; width: 220px; display: grid; gap: 8px; padding: 16px;
  background: var(--card); border: 1px solid var(--line); border-radius: var(--radius);
  box-shadow: 0 8px 24px var(--shade);
}
.menu > div > * { justify-self: start; }
.themes { border: 0; padding: 0; min-width: 0; display: flex; }
.themes legend { font-size: 12px; color: var(--ink-faint); padding: 0; }
.themes label { position: relative; cursor: pointer; }
.themes input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.themes span {
  display: block; padding: 2px 10px; border: 1px solid var(--line); margin-left: -1px; font-size: 13px;
  text-transform: capitalize; color: var(--ink-soft);
}
.themes label:first-of-type span { border-radius: 6px 0 0 6px; margin-left: 0; }
.themes label:last-of-type span { border-radius: 0 6px 6px 0; }
.themes input:checked + span {
  background: var(--copper-soft); color: var(--copper); border-color: var(--copper); position: relative;
}
.themes input:focus-visible + span { outline: 2px solid var(--copper); outline-offset: 2px; }
#main { max-width: 1184px; margin: 0 auto; padding: 24px 24px 64px; }
.page-head, .part-head {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px;
}
.above { font-size: 13px; margin-bottom: 4px; }
.above a { color: var(--ink-soft); text-decoration: none; }
.above a::before { content: "‹ "; }
.above a:hover { color: var(--copper); }
.part { margin-top: 32px; } .part > :nth-child(2) { margin-top: 8px; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.actions.end { justify-content: flex-end; margin-top: 8px; }
.page-head ~ .list, .page-head ~ .search, .page-head ~ .empty, .page-head ~ .form, .page-head ~ .facts,
.page-head ~ .path, .page-head ~ .banner, .page-head ~ .progress, .page-head ~ .loading { margin-top: 20px; }
.search ~ .list { margin-top: 12px; }
.path { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 16px; counter-reset: step; }
.path li { counter-increment: step; padding-bottom: 20px; }
.path h2::before {
  content: counter(step); display: inline-grid; place-items: center; width: 24px; height: 24px; margin-right: 10px;
  border-radius: 12px; background: var(--copper-soft); color: var(--copper); font-size: 13px;
}
.path p { margin-top: 8px; color: var(--ink-soft); }
.sign-in { max-width: 400px; margin: 0 auto; padding: 12vh 24px 48px; display: grid; gap: 16px; }
.sign-in h1 { margin-top: 16px; }
`;

const PARTS = `
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(148px, 1fr)); gap: 12px 20px; }
.facts dt { font-size: 12px; line-height: 16px; color: var(--ink-faint); }
.facts dd { font-size: 15px; line-height: 24px; font-weight: 600; }
.badge {
  display: inline-flex; align-items: center; gap: 6px; font-size: 13px; line-height: 20px; font-weight: 500;
  letter-spacing: 0; white-space: nowrap;
}
.badge svg {
  flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round;
}
.badge.pending { color: var(--ink-faint); }
.badge.running { color: var(--running); }
.badge.done { color: var(--done); }
.badge.early { color: var(--early); }
.badge.failed { color: var(--failed); }
.badge.running svg, .badge.early svg { fill: currentColor; }
.banner { display: grid; gap: 4px; justify-items: start; }
.banner ul { padding-left: 20px; } .banner button { margin-top: 4px; }
.empty {
  border: 1px dashed var(--line-strong); border-radius: var(--radius); padding: 40px 24px; text-align: center;
  color: var(--ink-soft); display: grid; gap: 8px; justify-items: center;
}
.empty-title { font-weight: 600; color: var(--ink); }
.loading { color: var(--ink-faint); }
.progress { max-width: 560px; }
.progress-words {
  display: flex; justify-content: space-between; gap: 16px; font-size: 14px; color: var(--ink-soft); margin-bottom: 4px;
}
progress {
  appearance: none; display: block; width: 100%; height: 8px; border: 0; border-radius: 4px; overflow: hidden;
  background: var(--line);
}
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--running); border-radius: 4px; }
progress::-moz-progress-bar { background: var(--running); }
progress:indeterminate {
  background: linear-gradient(90deg, var(--line) 30%, var(--running) 50%, var(--line) 70%) 0 0 / 200% 100%;
}
progress:indeterminate::-webkit-progress-bar { background: transparent; }
progress:indeterminate::-moz-progress-bar { background: transparent; }
.sending { display: grid; gap: 8px; justify-items: start; }
.sending .progress { width: 100%; }
.sending .note:empty { display: none; }
.warnings { max-width: 80ch; }
.warnings li { border-left: 3px solid var(--early); padding: 2px 0 2px 12px; }
.warnings li + li { margin-top: 8px; }
.announcements {
  position: fixed; right: 24px; bottom: 24px; z-index: 4; display: grid; gap: 8px;
  max-width: min(400px, calc(100vw - 32px));
}
.announcements p {
  padding: 10px 16px; border-radius: 6px; background: var(--ink); color: var(--paper); font-size: 14px;
  box-shadow: 0 8px 24px var(--shade);
}
dialog {
  width: min(480px, calc(100vw - 32px)); padding: 24px; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 16px 48px var(--shade);
}
dialog::backdrop { background: rgb(20 16 12 / 0.45); }
dialog h2 { font-size: 18px; margin-bottom: 8px; } dialog > * + * { margin-top: 12px; }
.secret {
  display: flex; align-items: center; gap: 12px; padding: 8px 12px; border-radius: 6px; background: var(--copper-soft);
}
.secret code { flex: 1; user-select: all; }
.drawing figcaption { font-size: 13px; color: var(--ink-faint); margin-top: 8px; max-width: 80ch; }
.drawing details { margin-top: 8px; }
.drawing summary, .naming summary, .related summary, .go summary, .fold > summary {
  cursor: pointer; color: var(--copper); width: fit-content;
}
.related summary, .go summary { font-size: 14px; } .drawing summary, .naming summary { font-size: 13px; }
.drawing .scroll { max-height: 370px; }
`;

const FORMS = `
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 36px; padding: 0 14px; font: inherit;
  font-size: 14px; font-weight: 500; color: var(--ink); background: var(--card); border: 1px solid var(--line-strong);
  border-radius: 6px; cursor: pointer; text-decoration: none;
}
button:hover, .button:hover { border-color: var(--copper); color: var(--copper); }
.primary, .primary:hover {
  color: light-dark(#ffffff, #1b1310); background: var(--copper); border-color: var(--copper);
}
.primary:hover { filter: brightness(1.08); }
.danger, .danger:hover { color: light-dark(#ffffff, #1b1310); background: var(--failed); border-color: var(--failed); }
.quiet { background: none; border-color: var(--line); color: var(--ink-soft); }
.small { min-height: 28px; padding: 0 10px; font-size: 13px; }
.link {
  min-height: 24px; padding: 0; border: 0; background: none; color: var(--copper); font-weight: 400; text-align: left;
  text-decoration: underline; text-underline-offset: 2px;
}
:disabled { opacity: 0.55; cursor: default; }
.form { display: grid; gap: 16px; max-width: 480px; }
.field { border: 0; padding: 0; min-width: 0; display: grid; gap: 4px; }
.field > label, .field > legend { font-size: 14px; font-weight: 500; padding: 0; }
.field-error { color: var(--failed); font-size: 13px; }
input[type=text], input[type=password], input[type=number], input[type=search], input[type=date], select, textarea {
  width: 100%; height: 36px; padding: 0 10px; font: inherit; color: var(--ink); background: var(--card);
  border: 1px solid var(--line-strong); border-radius: 6px;
}
textarea { height: auto; padding: 8px 10px; resize: vertical; }
input:read-only { color: var(--ink-soft); background: var(--paper); }
input[aria-invalid] { border-color: var(--failed); }
::placeholder { color: var(--ink-faint); opacity: 1; }
input[type=text]:focus-visible, input[type=password]:focus-visible, input[type=number]:focus-visible,
input[type=search]:focus-visible, select:focus-visible, textarea:focus-visible {
  outline-offset: -1px; border-radius: 6px;
}
input[type=checkbox], input[type=radio] { accent-color: var(--copper); margin: 4px 0 0; flex: none; }
.choice { display: flex; gap: 8px; align-items: start; font-size: 14px; }
.drop {
  position: relative; display: grid; place-items: center; min-height: 96px; padding: 16px; text-align: center;
  color: var(--ink-soft); background: var(--card); border: 1px dashed var(--line-strong); border-radius: var(--radius);
}
.drop:hover, .drop.over { border-color: var(--copper); background: var(--copper-soft); }
.drop:focus-within { outline: 2px solid var(--copper); outline-offset: 2px; }
.drop input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer; }
.drop u { color: var(--copper); text-underline-offset: 2px; }
.drop strong { color: var(--ink); }
.search { display: block; max-width: 320px; }
`;

const LISTS = `
th, td { text-align: left; vertical-align: top; padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th {
  font-size: 12px; line-height: 16px; font-weight: 500; color: var(--ink-faint); vertical-align: bottom;
  border-bottom-color: var(--line-strong); white-space: nowrap;
}
tbody th { font-weight: 500; }
.list tbody th a { text-decoration: none; }
.list tbody th a:hover { text-decoration: underline; }
.list tbody tr:hover > * { background: light-dark(rgb(154 74 22 / 0.04), rgb(230 160 108 / 0.05)); }
tbody th small { display: block; font-weight: 400; }
th.num, td.num { text-align: right; } .num + :not(.num) { padding-left: 16px; } td.num, td time { white-space: nowrap; }
.sort { min-height: 24px; padding: 0; border: 0; background: none; font: inherit; color: inherit; text-align: inherit; }
.sort:hover { color: var(--copper); }
[aria-sort] .sort { color: var(--ink); }
[aria-sort] .sort::after { content: "↓" / ""; margin-left: 4px; }
[aria-sort=ascending] .sort::after { content: "↑" / ""; }
thead:has(.sort) th { vertical-align: baseline; }
.row-actions { display: inline-flex; flex-wrap: wrap; gap: 0 16px; }
.paging { display: flex; gap: 16px; align-items: center; margin-top: 12px; font-size: 14px; color: var(--ink-faint); }
`;

const NARROW = `
@media (max-width: 900px) {
  .top { flex-wrap: wrap; height: auto; gap: 0 16px; padding-top: 8px; justify-content: space-between; }
  .top nav { order: 3; flex: 1 0 100%; margin: 0 -10px; padding-bottom: 4px; }
  .path { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 719px) {
  #main { padding: 16px 16px 48px; }
  .top { padding-left: 16px; padding-right: 16px; position: static; }
  .top nav { margin: 0 -5px; gap: 0; font-size: 13px; }
  .top nav a { padding: 5px; }
  .facts { grid-template-columns: 1fr 1fr; padding: 12px 16px; }
  .list, .list > tbody, .list > tbody > tr { display: block; }
  .list > thead:not(:has(.sort)), .list > thead th:not(:has(.sort)) { display: none; }
  .list > thead { display: block; }
  .list > thead tr { display: flex; flex-wrap: wrap; gap: 0 16px; }
  .list > thead th { border: 0; padding: 0; }
  .list > tbody > tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
  .list > tbody > tr > td {
    display: flex; justify-content: space-between; gap: 16px; padding: 2px 0; border: 0; text-align: right;
    white-space: normal;
  }
  .list > tbody > tr > td:has(details[open]) { display: block; }
  .list > tbody > tr > .num + td { padding-left: 0; }
  .columns-list .list > tbody > tr > td[data-head="Note"] { text-align: left; }
  .list > tbody > tr > th { display: block; padding: 2px 0; border: 0; font-size: 15px; white-space: normal; }
  .list > tbody > tr > td:empty { display: none; }
  .list > tbody > tr > td::before {
    content: attr(data-head); flex: none; color: var(--ink-faint); font-size: 13px; text-align: left;
  }
  .announcements { right: 16px; left: 16px; bottom: 16px; }
}
@media (prefers-reduced-motion: no-preference) {
  progress:indeterminate { animation: wait 1.6s linear infinite; }
  @keyframes wait { from { background-position: 200% 0; } to { background-position: 0 0; } }
}
@media print { .top, .actions, .search, .paging { display: none; } }
`;

/** The whole sheet. Nothing in it is fetched. */
export const DASHBOARD_STYLES =
  TOKENS + SHARED_STYLES + PAGE + PARTS + FORMS + LISTS + CHART_STYLES + NARROW + RESULT_STYLES + REFINEMENT_STYLES;
