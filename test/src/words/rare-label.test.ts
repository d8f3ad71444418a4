// The rarest label in counts of rows: found or not, and called so rightly or not.
import { expect, test } from "bun:test";
import type { Objective } from "../../../engine/judging/objective.ts";
import { rareLabelWords } from "../../../src/words/rare-label.ts";
import { binarySummary } from "../../support/summaries.ts";
import { versionOf } from "../../support/summary-parts.ts";

function wordsOf(confusion: number[][], objective: Objective) {
  const labels = ["ok", "fault", "crack"];
  const { attempts } = binarySummary();
  const classes = confusion.map((_, code) => ({ label: labels[code]!, count: 0 }));
  const holdout = { rows: confusion.flat().reduce((a, b) => a + b, 0), classes };
  return rareLabelWords({ objective, classes, holdout }, versionOf(1, attempts[0]!, confusion));
}

test("tells how many rows of it were found, and how many were called so, rightly or not", () => {
  expect(
    wordsOf(
      [
        [5503, 437],
        [17, 43],
      ],
      "cost",
    ),
  ).toBe(
    'Of 60 held-out rows of "fault", the rarest label, the champion found 43 (71.7%). ' +
      'It called 480 of all 6,000 rows "fault" (8.0%), 43 of these rightly (9.0%).',
  );
});

test("tells where no row is called so, and goes by labels with held-out rows", () => {
  expect(
    wordsOf(
      [
        [9, 0, 0],
        [1, 0, 0],
        [0, 0, 0],
      ],
      "f1",
    ),
  ).toBe('Of 1 held-out row of "fault", the rarest label, the champion found none: it called no row "fault".');
});

test("by accuracy only one of two labels is told, where it has under a fifth of the rows", () => {
  const rare = [
    [80, 1],
    [9, 10],
  ];
  expect(wordsOf(rare, "accuracy")).toStartWith('Of 19 held-out rows of "fault", ');
  expect(wordsOf([...rare.map((row) => row.toReversed())].toReversed(), "accuracy")).toStartWith(
    'Of 19 held-out rows of "ok", ',
  );
  const fifth = [
    [79, 1],
    [9, 11],
  ];
  expect(wordsOf(fifth, "accuracy")).toBeNull();
  expect(wordsOf(fifth, "balanced-accuracy")).not.toBeNull();
  const three = [
    [80, 1, 0],
    [9, 10, 0],
    [1, 0, 2],
  ];
  expect(wordsOf(three, "accuracy")).toBeNull();
  expect(wordsOf(three, "f1")).toStartWith('Of 3 held-out rows of "crack", ');
});

test("of labels with as many rows as each other none is the rarest", () => {
  const even = [
    [30, 20],
    [10, 40],
  ];
  expect(wordsOf(even, "f1")).toBeNull();
});
