// Styles of pictures: text, rules, bars and marks, in the colours of tokens.ts.

export const CHART_STYLES = `
svg { display: block; max-width: 100%; height: auto; }
svg.icon { display: inline-block; vertical-align: -2px; flex: none; }
svg text { font: 12px/1 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; fill: var(--ink); }
svg text.tick { font-size: 11px; fill: var(--ink-faint); } svg text.small { font-size: 10px; }
svg text.share { font-size: 11px; } svg text.large { font-size: 14px; font-weight: 600; }
.halo { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.grid { stroke: var(--line); } .axis { stroke: var(--line-strong); }
.rule { stroke-width: 1.5; fill: none; }
.rule.majority { stroke: var(--ink-faint); stroke-dasharray: 1.5 3; }
.rule.target { stroke: var(--ink-soft); stroke-dasharray: 6 4; }
svg text.majority, svg text.target { fill: var(--ink-soft); }
.whisker { stroke: var(--ink); stroke-width: 1.5; fill: none; }
.interval .whisker { stroke-width: 2; } .interval .point { fill: var(--ink); stroke: var(--paper); stroke-width: 1.5; }
.interval.confirmed .whisker { stroke: var(--copper); } .interval.confirmed .point { fill: var(--copper); }
.interval.before .whisker { stroke: var(--tone-0); }
.interval.before circle.point { fill: var(--paper); stroke: var(--tone-0); stroke-width: 2; }
svg .interval.confirmed text { fill: var(--copper); }
.bar { fill: var(--copper); fill-opacity: 0.75; }
.bar.copper { fill-opacity: 1; }
.bar.quiet { fill: var(--tone-0); fill-opacity: 1; }
.curve { fill: none; stroke: var(--copper); stroke-width: 2; stroke-linejoin: round; }
circle.point { fill: var(--copper); stroke: var(--paper); stroke-width: 1.5; }
.interval circle.point { fill: var(--ink); }
.ground { fill: none; stroke: var(--line); }
.right { fill: light-dark(#4d7a8c, #5d9db5); } .wrong { fill: light-dark(#d0483e, #e0675c); }
.forest { --hue: var(--forest); } .bayes { --hue: var(--bayes); } .logistic { --hue: var(--logistic); }
.mark { fill: var(--hue); stroke: var(--paper); stroke-width: 0.75; }
.mark.hollow { fill: var(--paper); stroke: var(--hue); stroke-width: 1.5; }
g.dimmed { opacity: 0.55; } .dimmed .icon { opacity: 0.6; }
.band { fill: var(--copper); fill-opacity: 0.18; }
circle.point.alarm, .mark.alarm { fill: var(--failed); }
circle.point.open { fill: var(--paper); stroke: var(--tone-0); stroke-width: 2; }
.rule.real { stroke: var(--tone-2); }
.whisker.real { stroke: var(--ink); }
circle.point.real { fill: var(--ink); stroke: var(--paper); stroke-width: 1.5; }
svg text.real { fill: var(--ink); }
.ring { fill: none; stroke: var(--copper); stroke-width: 2; }
.best { fill: none; stroke: var(--tone-0); stroke-width: 2; }
.cross { stroke: var(--failed); stroke-width: 1.75; fill: none; } .arrow { fill: var(--ink-faint); }
.divider { stroke: var(--line-strong); stroke-dasharray: 2 3; }
svg text.version-label { font-size: 13px; font-weight: 600; } svg text.first { fill: var(--copper); }
.tone-0 { fill: var(--tone-0); }
.tone-1 { fill: var(--tone-1); }
.tone-2 { fill: var(--tone-2); }
.tone-3 { fill: var(--tone-3); }
.tone-4 { fill: var(--tone-4); }
.tone-others { fill: light-dark(#d6cfc4, #4d463e); }
.level .on { fill: var(--copper); }
.level .off { fill: var(--tone-0); }
.level .noise { stroke: var(--ink); stroke-width: 1.5; }
svg text.figure { font-size: 13px; font-weight: 600; } circle.point.start { fill: var(--tone-0); }
.bar.refused { fill: none; stroke: var(--tone-0); stroke-dasharray: 3 3; }
.rule.refused { stroke: var(--tone-0); stroke-dasharray: 3 3; }
svg text.accepted { fill: var(--done); } svg text.refused { fill: var(--failed); }
.effect-0 { --hue: var(--copper); }
.effect-1 { --hue: var(--tone-1); }
.effect-2 { --hue: var(--tone-2); }
.effect-3 { --hue: var(--tone-3); }
.effect-4 { --hue: var(--tone-4); }
.effect-line { stroke: var(--hue); }
.effect-line.effect-1 { stroke-dasharray: 6 3; }
.effect-line.effect-2 { stroke-dasharray: 2 3; }
.effect-line.effect-3 { stroke-dasharray: 8 3 2 3; }
.effect-line.effect-4 { stroke-dasharray: 4 4; }
.only-medium, .only-wide { display: none; }
.only-narrow svg { width: 100%; max-width: 480px; } .only-medium svg { width: 100%; }
@media (min-width: 728px) { .only-narrow { display: none; } .only-medium { display: block; } }
@media (min-width: 1088px) { .only-medium { display: none; } .only-wide { display: block; } }
@media print { .only-narrow, .only-wide { display: none; } .only-medium { display: block; } }
`;
