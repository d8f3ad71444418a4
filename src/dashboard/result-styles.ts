// Styles of what trainings and models show: marks and leaderboards, versions side by side, predicted rows.

export const RESULT_STYLES = `
h3 { font-size: 14px; line-height: 20px; font-weight: 600; }
.chip { margin-left: 8px; }
.drawing ~ h3 { margin-top: 24px; }
.drawing .leaderboard, .drawing .preview { max-height: none; }
.leaderboard .dimmed { color: var(--ink-faint); }
.help strong { color: var(--ink); font-weight: 600; }
.more { margin-top: 12px; } .list ~ .note { margin-top: 12px; max-width: 80ch; }
.progress + .note { margin-top: 4px; }
.progress ~ .facts, .banner ~ .facts, .facts ~ .form, .facts ~ .banner { margin-top: 20px; }
.verdict-box .chip { margin: 0; }
.verdict-box .drawing > * + * { margin-top: 12px; }
.verdict-box .actions { margin-top: 4px; }
.verdict-box > .note { margin-top: 8px; }
.related { border-top: 1px solid var(--line); padding-top: 12px; }
.related > * + * { margin-top: 12px; }
.left-out { display: flex; flex-wrap: wrap; gap: 8px; }
.left-out li, .names li:not(.note), .programs pre {
  padding: 2px 8px; font-size: 13px; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
}
.left-out li { display: flex; gap: 8px; align-items: center; padding: 2px 10px; }
.left-out .link { font-size: 13px; }
.found { display: grid; gap: 8px; max-width: 80ch; }
.found li { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
.found .small { white-space: normal; }
.naming .chooser { margin-top: 4px; }
.naming input { min-width: 0; width: 120px; }
.note + .related { margin-top: 12px; }
.related ~ .columns-list { margin-top: 16px; }
.columns-list .stack { min-width: 188px; }
.columns-list .left-out { margin: 0; }
.columns-list .left-out li, .columns-list .choice { white-space: nowrap; }
.card svg { max-width: 100%; }
.trust + .drawing { margin-top: 20px; } .trust .banner { margin-bottom: 16px; }
.big span { margin-right: 8px; }
.big .chip { margin: 0; color: var(--ink-faint); }
.big .done { color: var(--done); }
.big .early { color: var(--early); }
.big .failed { color: var(--failed); }
.next { padding-left: 20px; }
.next li + li { margin-top: 8px; }
.next .link { min-height: 0; }
.fold { margin-top: 32px; border-top: 1px solid var(--line); padding-top: 16px; }
.fold > .facts { margin-top: 16px; }
.judged { display: inline-grid; justify-items: end; gap: 2px; }
.judged .chip { margin-left: 4px; text-decoration: none; }
.judged .chip:hover { text-decoration: underline; }
.remedy { font-size: 13px; white-space: normal; }
.tabs { display: flex; gap: 4px; margin-top: 16px; border-bottom: 1px solid var(--line); font-size: 14px; }
.tabs a {
  padding: 8px 12px; overflow-wrap: break-word; color: var(--ink-soft); text-decoration: none;
  border-bottom: 2px solid transparent; margin-bottom: -1px;
}
.tabs a:hover { color: var(--ink); }
.tabs a[aria-current] { color: var(--copper); border-color: var(--copper); font-weight: 600; }
.tabs ~ .list, .tabs ~ .search, .tabs ~ .choices, .tabs ~ .empty, .tabs ~ .banner, .tabs ~ .loading {
  margin-top: 12px;
}
.choices { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: end; }
.choices .field { flex: 0 1 220px; }
.list .key { overflow-wrap: anywhere; color: var(--ink-faint); }
.own-note { max-width: 75ch; margin-top: 8px; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--ink-soft); }
.compared {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 12px 40px;
  margin-top: 20px;
}
.compared > div { display: grid; gap: 12px; align-content: start; }
.compared ~ * { margin-top: 20px; }
.pair th, .pair td { width: 34%; }
.stack { display: inline-grid; gap: 2px; } .list td .stack { overflow-wrap: anywhere; }
h4 { margin: 0 0 8px; font-size: 13px; font-weight: 600; color: var(--ink-soft); }
.version { align-items: start; }
.version header { display: grid; gap: 4px; }
.version h3 { line-height: 28px; }
.version .row-actions { align-items: center; margin-top: 4px; }
.version tbody th { font-weight: 400; }
.scroll td small { margin-left: 4px; } .nameless { font-style: normal; }
.pairs abbr { color: var(--ink-soft); }
.commands { display: grid; gap: 12px; margin-top: 12px; }
.commands code { font-size: 13px; overflow-wrap: anywhere; user-select: all; }
.commands dd { margin: 0; font-size: 14px; color: var(--ink-soft); }
.programs { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; margin-top: 12px; }
.programs pre { margin: 4px 0 0; padding: 12px; overflow-x: auto; }
.programs code { user-select: all; }
.names { display: flex; flex-wrap: wrap; gap: 4px 8px; }
.note + .names { margin-top: 8px; }
.share-bar {
  display: inline-flex; align-items: center; gap: 8px; line-height: 20px; vertical-align: top; white-space: nowrap;
}
.share-bar svg { flex: none; width: 72px; }
.share-bar .track { fill: var(--line); }
.cost-fields { display: grid; grid-template-columns: 1fr 1fr; gap: 12px 16px; align-items: end; }
.threshold {
  display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px 40px; margin-top: 16px;
  align-items: start;
}
.threshold-choice { display: grid; gap: 12px; max-width: 560px; }
.threshold-costs { display: grid; grid-template-columns: 1fr 1fr; gap: 12px 16px; }
input[type=range] { width: 100%; height: 24px; margin: 0; accent-color: var(--copper); }
.threshold > * { min-width: 0; }
.threshold-figures { font-size: 13px; }
.threshold-figures th { font-weight: 400; }
.threshold-figures td.num { white-space: normal; padding-left: 8px; }
.whole { white-space: nowrap; }
.note + .field { max-width: 480px; margin-top: 12px; }
.succession { display: grid; gap: 12px; }
.succession > * { min-width: 0; }
.succession > p, .succession > ul { max-width: 90ch; }
.succession > ul { padding-left: 20px; }
.alarming-models { display: grid; gap: 8px; margin-top: 8px; }
.health-now { display: grid; gap: 8px; margin-top: 20px; max-width: 90ch; }
.health-now .chip { margin: 0; }
.days th[scope=row] { white-space: nowrap; }
.health-now ul { padding-left: 20px; }
.preview table { width: auto; min-width: 100%; }
.preview th, .preview td { white-space: nowrap; }
.row-screen {
  display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 24px 40px; align-items: start;
  margin-top: 20px;
}
.row-form { display: grid; gap: 20px; justify-items: start; }
.row-fields {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 12px 16px; width: 100%;
  align-items: start;
}
.row-fields .field:has(textarea) { grid-column: 1 / -1; }
.row-fields label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.answer .warnings { font-size: 13px; }
.answer { position: sticky; top: 72px; display: grid; gap: 8px; }
.answer-label { font-size: 28px; line-height: 36px; font-weight: 600; color: var(--copper); }
.probabilities { margin-top: 8px; display: grid; gap: 6px; font-size: 14px; }
.probabilities li { display: flex; justify-content: space-between; gap: 16px; align-items: center; }
.probabilities .num { min-width: 48px; text-align: right; }
.reasons { display: grid; gap: 6px; font-size: 14px; }
.reasons li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; }
.reasons small { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 12px; }
@media (max-width: 1000px) {
  .threshold { grid-template-columns: minmax(0, 1fr); }
  .row-screen { grid-template-columns: minmax(0, 1fr); } .answer { position: static; }
}
@media (max-width: 719px) {
  .list tbody .chip { margin-left: 4px; }
}
`;
