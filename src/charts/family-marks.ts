// The marks of the three families: each has a colour and a shape, so that colour is never alone.
import type { FamilyName } from "../../engine/fitting/family.ts";
import { html, type Markup } from "../common/markup.ts";

/** The style class of each family's colour. */
export const FAMILY_CLASSES: Readonly<Record<FamilyName, string>> = {
  "random forest": "forest",
  "naive Bayes": "bayes",
  "logistic regression": "logistic",
};

/** The outline of a family's shape around a point: a circle, square or triangle of about equal area. */
export function familyShape(family: FamilyName, x: number, y: number, radius: number): string {
  const at = (dx: number, dy: number) => `${round(x + dx * radius)} ${round(y + dy * radius)}`;
  if (family === "naive Bayes") return `M${at(-0.89, -0.89)}L${at(0.89, -0.89)}L${at(0.89, 0.89)}L${at(-0.89, 0.89)}Z`;
  if (family === "logistic regression") return `M${at(0, -1.25)}L${at(1.2, 0.83)}L${at(-1.2, 0.83)}Z`;
  const r = round(radius);
  return `M${at(-1, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** The shape as an icon beside a word. */
export function familyIcon(family: FamilyName, filled = true): Markup {
  const look = filled ? "mark" : "mark hollow";
  return html`<svg class="icon ${FAMILY_CLASSES[family]}" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path class="${look}" d="${familyShape(family, 7, 7, 4.6)}"/></svg>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
