// The words in the competition's picture: where there is room they hide neither marks nor each other.
import { expect, test } from "bun:test";
import { type Box, markBox, ruleLabel, versionLabels } from "../../../src/charts/competition-labels.ts";

const LINE = { left: 48, right: 314 };

/** No two of them share a pixel. */
function areApart(boxes: readonly Box[]): boolean {
  return boxes.every((a, i) =>
    boxes.slice(i + 1).every((b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top),
  );
}

test("rules that are one line have their words side by side", () => {
  const taken: Box[] = [];
  ruleLabel("always no 85.9%", "majority", [113, 95], LINE, taken);
  ruleLabel("target 86.0%", "target", [95, 113], LINE, taken);
  expect(areApart(taken)).toBeTrue();
});

test("the words of a rule leave the labels of versions and their marks alone", () => {
  for (const x of [60, 100, 180, 300]) {
    const marks = [1, 2, 3].map((version) => ({ version, x: Math.min(300, x + version * 24), y: 100 }));
    const taken = marks.map((mark) => markBox(mark.x, mark.y, 9));
    versionLabels(marks, 44, 320, taken);
    const before = taken.length;
    ruleLabel("always no 85.9%", "majority", [113, 95], LINE, taken);
    expect(taken).toHaveLength(before + 1);
    expect(taken.slice(0, before).every((each) => areApart([each, taken[before]!]))).toBeTrue();
  }
});

test("words that are longer than their line begin where it does", () => {
  const taken: Box[] = [];
  expect(ruleLabel("always something with a very long name 50.0%", "majority", [40], LINE, taken).markup).toContain(
    'x="48"',
  );
});
