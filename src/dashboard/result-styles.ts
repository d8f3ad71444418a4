// Styles of what trainings and models show: marks and leaderboards, versions side by side, predicted rows.

export const RESULT_STYLES = `
h3 { font-size: 14px; line-height: 20px; font-weight: 600; }
h3 + .list { margin-top: 4px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; margin-top: 12px; font-size: 13px; align-items: center; }
.chip { display: inline-block; font-size: 12px; line-height: 18px; font-weight: 600; padding: 0 8px; border-radius: 10px; border: 1px solid; white-space: nowrap; margin-left: 8px; }
.chip.copper { color: var(--copper); background: var(--copper-soft); border-color: transparent; } .chip.pending { color: var(--ink-faint); } .chip.early { color: var(--early); } .chip.failed { color: var(--failed); }
.leaderboard { margin-top: 24px; } .help strong { color: var(--ink); font-weight: 600; }
.more { margin-top: 12px; } .list ~ .note { margin-top: 12px; max-width: 80ch; }
.progress + .note { margin-top: 4px; } .progress ~ .facts, .banner ~ .facts, .facts ~ .form, .facts ~ .banner { margin-top: 20px; }
.tabs { display: flex; gap: 4px; margin-top: 16px; border-bottom: 1px solid var(--line); font-size: 14px; }
.tabs a { padding: 8px 12px; color: var(--ink-soft); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs a:hover { color: var(--ink); } .tabs a[aria-current] { color: var(--copper); border-color: var(--copper); font-weight: 600; }
.tabs ~ .list, .tabs ~ .empty, .tabs ~ .banner, .tabs ~ .loading { margin-top: 12px; }
.facts + .drawing { margin-top: 20px; } .facts .row-actions { font-weight: 400; } h4 { margin: 0 0 8px; font-size: 13px; font-weight: 600; color: var(--ink-soft); }
.versions { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); grid-template-rows: repeat(6, auto); gap: 0 28px; } .note + .versions { margin-top: 20px; }
.version { display: grid; grid-row: span 6; grid-template-rows: subgrid; align-items: start; gap: 24px; border-top: 3px solid var(--line-strong); padding-top: 12px; min-width: 0; } .version.champion { border-color: var(--copper); }
.version > * { min-width: 0; } .version header { display: grid; gap: 4px; } .version h3 { font-size: 20px; line-height: 28px; } .version h3 .chip { vertical-align: 3px; } .version .row-actions { align-items: center; margin-top: 4px; }
.version svg[role=img] { width: 100%; max-width: 400px; } .version .scroll table { font-size: 13px; } .version th, .version td { padding: 4px 10px 4px 0; } .scroll thead th { position: sticky; top: 0; background: var(--paper); } .version tbody th { font-weight: 400; }
.scroll td small { margin-left: 4px; } .missing, .nameless { color: var(--ink-faint); font-style: normal; }
.count-1 { grid-auto-flow: row; grid-template-rows: none; } .count-1 .version { display: block; columns: 3 300px; column-gap: 32px; } .count-1 .version > * { break-inside: avoid; padding-bottom: 24px; } .count-1 .version > header { column-span: all; }
.pairs > div { display: flex; justify-content: space-between; gap: 16px; padding: 4px 0; border-bottom: 1px solid var(--line); font-size: 14px; } .pairs dt, .pairs abbr { color: var(--ink-soft); } .pairs dd { text-align: right; }
.banner.done { border-color: var(--done); } .banner.done strong { color: var(--done); }
.names { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 8px; } .note + .names { margin-top: 8px; } .names li:not(.note) { padding: 2px 8px; font-size: 13px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.share-bar { display: inline-flex; align-items: center; gap: 8px; line-height: 20px; vertical-align: top; white-space: nowrap; } .share-bar svg { flex: none; width: 72px; } .share-bar .track { fill: var(--line); }
.preview { overflow-x: auto; } .preview table { width: auto; min-width: 100%; } .preview th, .preview td { white-space: nowrap; } .preview + .note { margin-top: 8px; }
.row-screen { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 24px 40px; align-items: start; margin-top: 20px; } .row-form { display: grid; gap: 20px; justify-items: start; }
.row-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 12px 16px; width: 100%; } .row-fields label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.answer .warnings { font-size: 13px; } .answer { position: sticky; top: 72px; display: grid; gap: 8px; padding: 16px 20px; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); } .answer-label { font-size: 28px; line-height: 36px; font-weight: 600; color: var(--copper); }
.probabilities { list-style: none; padding: 0; margin-top: 8px; display: grid; gap: 6px; font-size: 14px; } .probabilities li { display: flex; justify-content: space-between; gap: 16px; align-items: center; } .probabilities .num { min-width: 48px; text-align: right; }
@media (max-width: 1000px) {
  .row-screen { grid-template-columns: minmax(0, 1fr); } .answer { position: static; }
  .count-2, .count-3 { grid-auto-flow: row; grid-template-rows: none; gap: 40px; } .count-2 .version, .count-3 .version { grid-row: auto; grid-template-rows: none; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); } .version > header { grid-column: 1 / -1; }
}
@media (max-width: 719px) {
  .list tbody .chip { margin-left: 4px; }
  .leaderboard .list td { display: inline-flex; gap: 6px; margin-right: 14px; padding: 0; font-size: 13px; } .leaderboard .list td::before { font-size: 12px; line-height: 20px; }
}
`;
