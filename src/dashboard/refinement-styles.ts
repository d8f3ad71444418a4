// Styles of the newcomer's path and of what refinements show: steps, decisions, evidence.

export const REFINEMENT_STYLES = `
.page-head ~ .steps { margin-top: 16px; }
.steps { display: flex; flex-wrap: wrap; gap: 4px 24px; counter-reset: step; font-size: 13px; color: var(--ink-faint); }
.steps li { counter-increment: step; display: flex; align-items: center; gap: 8px; }
.steps li::before {
  content: counter(step); display: inline-grid; place-items: center; width: 22px; height: 22px; border-radius: 11px;
  border: 1px solid var(--line-strong); font-size: 12px;
}
.steps .done { color: var(--ink-soft); }
.steps .done::before { content: "✓"; color: var(--done); border-color: var(--done); }
.steps .here { color: var(--copper); font-weight: 600; }
.steps .here::before { background: var(--copper-soft); border-color: var(--copper); }
.steps ~ .facts, .steps ~ .progress, .steps ~ .banner, .steps ~ .lead, .page-head ~ .cards, .page-head ~ [role=alert] {
  margin-top: 20px;
}
.actions.spaced { margin: 16px 0; }
.form.bring { max-width: none; } .bring .drop { min-height: 144px; } .bring ~ .path { margin-top: 32px; }
.columns-list th[scope=row] { min-width: 152px; }
.kind { white-space: nowrap; }
.earlier { margin-bottom: 12px; }
.two { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 48px; align-items: start; }
.go { display: grid; gap: 16px; padding: 20px; }
.go .choice + .choice { margin-top: 8px; }
.go details .field { margin-top: 12px; }
.go .primary { min-height: 44px; padding: 0 20px; font-size: 15px; }
.label-choice { max-width: 480px; margin-bottom: 20px; }
.outcome { font-size: 17px; color: var(--ink); }
.figures { margin-top: 16px; }
.cards { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.scroll td, .scroll th { padding: 6px 16px 6px 0; }
.drawing td small { display: block; } .drawing .num small { display: inline; }
.drawing .apart th { padding-top: 20px; font-size: 12px; font-weight: 600; color: var(--ink-faint); }
.drawing .performances, .drawing .decisions { max-height: none; }
.performances .chip { margin-left: 4px; }
.performances th[scope=row] { min-width: 120px; }
.decisions th[scope=row] { min-width: 140px; max-width: 200px; font-weight: 400; }
.decisions td:nth-child(3) { min-width: 190px; max-width: 300px; }
.decisions .chip { margin: 0 4px 0 0; }
.decisions td small, .performances td small { margin-left: 0; }
.facts small { font-weight: 400; }
.drawing .evidence svg { display: block; }
.flagged .chip { margin: 0; }
.drawing .spark { margin: 0; } .drawing .spark summary { padding: 0; list-style: none; }
.trail {
  margin-top: 8px; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(160px, 100%), 1fr));
  gap: 4px 32px;
}
.trail li {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 8px; border-bottom: 1px solid var(--line);
  padding: 2px 0;
}
.files { display: grid; gap: 8px; } .files strong { font-weight: 500; }
@media (max-width: 1080px) { .two { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 900px) { .cards { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 719px) {
  .steps { gap: 4px 12px; }
  .steps li:not(.here) { font-size: 0; gap: 0; }
  .list td .drawing { min-width: 132px; text-align: left; }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px 16px; }
  .figures dd { font-size: 19px; }
  .chooser { flex-wrap: wrap; }
  .decisions th[scope=row] { min-width: 88px; max-width: 104px; }
  .scroll.decisions td, .scroll.decisions th { padding-right: 10px; }
  .decisions td:nth-child(2) svg { width: 64px; }
  .decisions td:nth-child(3) { min-width: 136px; }
}
`;
