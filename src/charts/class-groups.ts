// Groups classes for small pictures: up to five classes have a tone each; of more,
// the four most frequent do and the others share one.

import { sumOf } from "../../engine/sums.ts";
import { html, type Markup, name } from "../common/markup.ts";
import type { ClassCount } from "../summary/summary.ts";

const MOST_TONES = 5;

export interface ClassGroups {
  /** The label of each group, such as "7 others" for the pooled one. */
  names: readonly string[];
  /** Style class of each group's tone. */
  classes: readonly string[];
  /** Group of each class. */
  groupOf: readonly number[];
}

/** Groups in the order of the classes; the others last. */
export function classGroups(classes: readonly ClassCount[]): ClassGroups {
  const codes = classes.map((_, code) => code);
  if (classes.length <= MOST_TONES) {
    return { names: classes.map(({ label }) => label), classes: codes.map(tone), groupOf: codes };
  }
  const frequent = [...codes]
    .sort((a, b) => (classes[b]?.count ?? 0) - (classes[a]?.count ?? 0))
    .slice(0, MOST_TONES - 1)
    .sort((a, b) => a - b);
  const others = frequent.length;
  return {
    names: [...frequent.map((code) => classes[code]?.label ?? ""), `${classes.length - others} others`],
    classes: [...frequent.map((_, group) => tone(group)), "tone-others"],
    groupOf: codes.map((code) => (frequent.includes(code) ? frequent.indexOf(code) : others)),
  };
}

/** Counts by class summed into groups. */
export function groupCounts(counts: readonly number[], groups: ClassGroups): number[] {
  return groups.names.map((_, group) => sumOf(counts.filter((_, code) => groups.groupOf[code] === group)));
}

/** The tones with their labels, from the bottom of the stack. */
export function groupLegend(groups: ClassGroups): Markup {
  return html`<ul class="legend">${groups.names.map((label, group) => html`<li><svg class="icon" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><rect class="${groups.classes[group] ?? ""}" width="12" height="12" rx="2"/></svg> ${name(label, 40)}</li>`)}<li class="note">stacked from the bottom in this order</li></ul>`;
}

function tone(group: number): string {
  return `tone-${group}`;
}
