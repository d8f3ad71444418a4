// Styles that the report and the dashboard share: text, tables, and the parts that both draw.

export const SHARED_STYLES = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
em { font-style: normal; font-weight: 600; }
small { font-size: 12px; color: var(--ink-faint); }
a { color: var(--copper); text-underline-offset: 2px; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:focus-visible { outline: 2px solid var(--copper); outline-offset: 2px; border-radius: 2px; }
.lead { max-width: 72ch; color: var(--ink-soft); margin-top: 4px; }
.note { font-size: 13px; color: var(--ink-faint); }
.nameless, .missing { color: var(--ink-faint); }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; font-size: 16px; }
.brand .cup { fill: none; stroke: var(--ink-soft); stroke-width: 1.6; stroke-linejoin: round; }
.brand .bead { fill: var(--copper); }
.banner { border-left: 4px solid; border-radius: 4px; background: var(--card); padding: 12px 16px; max-width: 80ch; }
.banner.done { border-color: var(--done); }
.banner.early { border-color: var(--early); }
.banner.failed { border-color: var(--failed); }
.banner.done strong { color: var(--done); }
.banner.early strong { color: var(--early); }
.banner.failed strong { color: var(--failed); }
.chip {
  display: inline-block; font-size: 12px; line-height: 18px; font-weight: 600; padding: 0 8px; border-radius: 10px;
  border: 1px solid; white-space: nowrap;
}
.chip.done { color: var(--done); }
.chip.early { color: var(--early); }
.chip.failed { color: var(--failed); }
.chip.pending { color: var(--ink-faint); }
.chip.copper { color: var(--copper); background: var(--copper-soft); border-color: transparent; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr)); gap: 16px 32px; }
.figures dt { font-size: 13px; color: var(--ink-faint); }
.figures dd { font-size: 22px; font-weight: 600; line-height: 1.3; }
.figures dd small { font-weight: 400; font-size: 14px; }
.cards { display: grid; gap: 16px; margin-top: 24px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 16px 20px 20px; }
.card h2 { margin-bottom: 8px; }
.card p + p { margin-top: 8px; }
.medium { font-size: 26px; font-weight: 600; line-height: 1.2; }
.medium span { font-size: 15px; font-weight: 400; color: var(--ink-soft); white-space: nowrap; }
.trust { margin-top: 20px; }
.trust h2 { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.trust-parts { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 16px 40px; }
.trust-parts > div > p + p { margin-top: 8px; }
.quiet-words { color: var(--ink-soft); }
.doubts { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; max-width: 80ch; }
.doubts + p { margin-top: 16px; }
.doubts li {
  display: grid; gap: 4px; justify-items: start; padding: 2px 0 2px 12px; border-left: 3px solid var(--early);
}
.doubts .serious { border-color: var(--failed); }
.doubts p { margin: 0; font-size: 14px; color: var(--ink-soft); }
.doubts .message { font-size: 15px; color: var(--ink); }
.doubts .chip { margin: 0; }
.headline { display: grid; grid-template-columns: auto 1fr; gap: 16px 56px; align-items: start; margin: 24px 0 20px; }
.big strong { font-size: 64px; line-height: 1; font-weight: 650; letter-spacing: -0.03em; color: var(--copper); }
.big span { margin-left: 4px; font-size: 20px; color: var(--ink-soft); white-space: nowrap; }
.big .chip { font-size: 13px; vertical-align: 5px; }
.verdict p + p { color: var(--ink-soft); margin-top: 8px; max-width: 46ch; }
.figures dd.words { font-size: 16px; line-height: 1.35; } .figures dd.words small { display: block; font-size: 13px; }
.cards.pair { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.good { color: var(--done); } .poor { color: var(--failed); }
.legend {
  display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; margin-top: 12px; font-size: 13px;
  align-items: center;
}
table { border-collapse: collapse; width: 100%; font-size: 14px; }
.scroll { position: relative; overflow: auto; margin-top: 8px; }
.scroll thead th { position: sticky; top: 0; background: var(--paper); }
.leaderboard th[scope=row] { min-width: 260px; }
.attempt { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 16px; }
.attempt > :first-child { min-width: 270px; }
.leaderboard .attempt-note::before { content: " · "; }
.versions {
  display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); grid-template-rows: repeat(6, auto);
  gap: 0 28px; margin-top: 20px;
}
.version {
  display: grid; grid-row: span 6; grid-template-rows: subgrid; gap: 24px; border-top: 3px solid var(--line-strong);
  padding-top: 12px; min-width: 0;
}
.version.champion { border-color: var(--copper); }
.version:has(.curves) { grid-row: span 7; }
.version > * { min-width: 0; } .version h3 { font-size: 20px; } .version h3 .chip { vertical-align: 3px; }
.version svg[role=img] { width: 100%; max-width: 400px; }
.version .scroll table { font-size: 13px; }
.version th, .version td { padding: 4px 10px 4px 0; }
.count-1 { grid-auto-flow: row; grid-template-rows: none; }
.count-1 .version { display: block; columns: 3 300px; column-gap: 32px; }
.count-1 .version > * { break-inside: avoid; padding-bottom: 24px; }
.count-1 .version > header { column-span: all; }
.curves { display: grid; gap: 16px; } .curves svg { width: 100%; max-width: 400px; }
.pairs > div {
  display: flex; justify-content: space-between; gap: 16px; padding: 4px 0; border-bottom: 1px solid var(--line);
  font-size: 14px;
}
.pairs dt { color: var(--ink-soft); }
.pairs dd { text-align: right; }
.evidence svg { max-width: none; margin-top: 3px; } .evidence small { white-space: nowrap; }
.figures-behind th[scope=row] { min-width: 120px; max-width: 200px; }
.flagged, .removed { list-style: none; padding: 0; margin-top: 8px; }
.flagged { max-width: 80ch; }
.flagged small, .removed small { display: block; }
.flagged li + li { margin-top: 8px; }
.removed { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 8px 32px; }
.spark summary::-webkit-details-marker { display: none; } .spark summary:hover svg { background: var(--copper-soft); }
.effects {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 24px 32px;
  margin-top: 16px;
}
.effect { min-width: 0; }
.effect h3 { margin: 0; font-size: 15px; }
.effect figure { margin-top: 8px; }
.effect svg[role=img] { width: 100%; max-width: 400px; }
.effect figcaption > span { display: block; }
.effect-key { display: flex; flex-wrap: wrap; gap: 2px 14px; }
.spaced { margin-top: 20px; }
.words { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 20px; }
.words em { font-weight: 500; }
.telling th[scope=row] { min-width: 96px; max-width: 240px; }
@media (max-width: 1000px) {
  .count-2, .count-3 { grid-auto-flow: row; grid-template-rows: none; gap: 40px; }
  .count-2 .version, .count-3 .version {
    grid-row: auto; grid-template-rows: none; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
  }
  .version > header { grid-column: 1 / -1; }
}
@media (max-width: 900px) { .trust-parts { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 1000px) { .headline { grid-template-columns: 1fr; } }
@media (max-width: 719px) {
  .cards.pair { grid-template-columns: minmax(0, 1fr); }
  .big strong { font-size: 52px; }
  .big span { font-size: 17px; }
  .leaderboard th[scope=row] { min-width: 148px; }
  .attempt > :first-child { min-width: 0; }
}
`;
