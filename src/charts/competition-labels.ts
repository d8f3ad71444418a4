// Places the labels of the competition's picture clear of marks and of each other, as far as there is room.

import { sumOf } from "../../engine/sums.ts";
import { type Content, html, type Markup } from "../common/markup.ts";
import { textWidth } from "./scales.ts";

/** An area in pixels that is already used. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The mark of a kept version. */
export interface KeptMark {
  version: number;
  x: number;
  y: number;
}

/** Places for a version's label relative to its mark, the best first: above, below, beside, farther away. */
const LABEL_OFFSETS: readonly (readonly [number, number])[] = [
  [0, -15],
  [0, 25],
  [-22, 4],
  [22, 4],
  [-18, -14],
  [18, -14],
  [-18, 22],
  [18, 22],
  [0, -32],
  [0, 42],
];
const VERSION_LABEL = { width: 19, height: 15 };
const RULE_LABEL_SIZE = 12;
/** How many positions a rule's label tries along its line. */
const STARTS = 8;

/** The area of a mark with its ring. */
export function markBox(x: number, y: number, radius: number): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

/** Labels "v1" to "v3" beside their marks, clear of each other and of the kept marks. Adds to `takenBoxes`. */
export function versionLabels(marks: readonly KeptMark[], left: number, right: number, takenBoxes: Box[]): Content {
  const { width, height } = VERSION_LABEL;
  const kept = [...marks].sort((a, b) => a.version - b.version);
  const places = kept.map(({ x, y }) => ({ x, y: y + 4 }));
  return kept.map(({ version, x, y }, at) => {
    const clear = (spot: { x: number; y: number }) =>
      spot.x > left &&
      spot.x < right &&
      spot.y > 10 &&
      places.every((other, i) => i === at || Math.abs(spot.x - other.x) > width || Math.abs(spot.y - other.y) > height);
    const spots = LABEL_OFFSETS.map(([dx, dy]) => ({ x: x + dx, y: y + dy }));
    const spot = spots.find(clear) ?? { x, y: y - 15 };
    places.push(spot);
    takenBoxes.push({ left: spot.x - width / 2, right: spot.x + width / 2, top: spot.y - 11, bottom: spot.y + 3 });
    return html`<text class="version-label halo${version === 1 ? " first" : ""}" x="${spot.x}" y="${spot.y}" text-anchor="middle">v${version}</text>`;
  });
}

/** A rule's words on one of the lines `ys`, the best first, where they hide least of `takenBoxes`; adds to it. */
export function ruleLabel(
  label: string,
  look: string,
  ys: readonly number[],
  { left, right }: Pick<Box, "left" | "right">,
  takenBoxes: Box[],
): Markup {
  const width = textWidth(label, RULE_LABEL_SIZE);
  const last = Math.max(left, right - width);
  const boxes = ys.flatMap((y) =>
    Array.from({ length: STARTS + 1 }, (_, i) => {
      const start = left + ((last - left) * i) / STARTS;
      return { y, left: start, right: start + width, top: y - RULE_LABEL_SIZE, bottom: y + 4 };
    }),
  );
  const hidden = boxes.map((box) => sumOf(takenBoxes.map((other) => overlap(box, other))));
  const best = boxes[hidden.indexOf(Math.min(...hidden))]!;
  takenBoxes.push(best);
  return html`<text class="label ${look} halo" x="${best.left}" y="${best.y}">${label}</text>`;
}

/** The overlap of two boxes in square pixels. */
function overlap(a: Box, b: Box): number {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 0 && down > 0 ? across * down : 0;
}
