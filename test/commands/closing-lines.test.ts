// The last lines of a run: what the accuracy rests on, and the doubts about it directly below.
import { expect, test } from "bun:test";
import { achieved } from "../../engine/judging/objective.ts";
import { closingLines } from "../../src/commands/closing-lines.ts";
import type { Verdict } from "../../src/summary/verdict.ts";
import { binarySummary } from "../support/summaries.ts";
import { versionOf } from "../support/summary-parts.ts";
import { BY_BOTH, BY_MACHINE, BY_TIME, FEW_DOUBT, GROUP_DOUBT, LEAK_DOUBT, verdictWith } from "../support/verdicts.ts";

const WIDE = { mean: 0.734, low: 0.601, high: 0.83 };

function linesOf(verdict: Verdict, changes: { confirmedPerformance?: null } = {}): string[] {
  const summary = binarySummary();
  const versions = summary.versions.map((version) => ({ ...version, heldOutPerformance: WIDE, ...changes }));
  return closingLines({ ...summary, verdict, versions }, { outFolder: "out" });
}

test.each([
  [verdictWith(), "1,000 held-out rows", "further re-splits"],
  [
    verdictWith({ judgedBy: BY_MACHINE }),
    '1,000 rows of held-out values of "machine"',
    "two further re-splits by group",
  ],
  [verdictWith({ judgedBy: BY_TIME }), 'the 1,000 newest rows by "measured on"', "the newest rows by older models"],
  [
    verdictWith({ judgedBy: BY_BOTH }),
    'the 1,000 newest rows by "measured on", of held-out values of "machine"',
    "two earlier stretches of time",
  ],
])("the accuracy has its own interval, and says which rows it is of: %#", (verdict, rows, further) => {
  const [, accuracy, confirmed, told] = linesOf(verdict);
  expect(accuracy).toBe(`Accuracy    73.4% [60.1, 83.0] on ${rows}: 58 wrong; always answering "no": 84.5%, 155 wrong`);
  expect(confirmed).toBe(`Confirmed   93.7% [92.5, 94.7] on ${further}`);
  expect(told).toStartWith("Verdict     No ");
  expect(told).not.toContain("independent");
});

test("doubts stand directly below the accuracy, worst first, each with its remedy and option", () => {
  const lines = linesOf(verdictWith({ doubts: [GROUP_DOUBT, LEAK_DOUBT, FEW_DOUBT] }));
  expect(lines.slice(3, 9)).toEqual([
    `Doubt       ${GROUP_DOUBT.message}`,
    '            If the model is to answer for new values of "machine", judge by it: --group machine',
    `Doubt       ${LEAK_DOUBT.message}`,
    '            If so, train without it: --without "Kündigungsdatum"',
    `Doubt       ${FEW_DOUBT.message}`,
    "            Add labelled rows.",
  ]);
  expect(lines.join("\n")).not.toContain("Verdict ");
  expect(lines.at(-1)).toStartWith("Next ");
});

test("the rarest label is told in rows below the means by class", () => {
  const lines = linesOf(verdictWith());
  const at = lines.findIndex((line) => line.startsWith("By class "));
  expect(lines[at + 1]).toBe(
    'Rarest      Of 155 held-out rows of "yes", the rarest label, the champion found 114 (73.5%). ' +
      'It called 131 of all 1,000 rows "yes" (13.1%), 114 of these rightly (87.0%).',
  );
});

test("a run that was to remove leaks says which it has left, and why", () => {
  const summary = { ...binarySummary(), verdict: verdictWith({ doubts: [GROUP_DOUBT, LEAK_DOUBT] }) };
  const told = closingLines(summary, { outFolder: "out", removeLeaks: true }).filter((line) =>
    line.includes("--remove-leaks"),
  );
  expect(told).toEqual([
    "            --remove-leaks leaves that to you: it removes only what the refinement finds to give nearly the whole " +
      "label away.",
  ]);
  expect(closingLines(summary, { outFolder: "out" }).join("\n")).not.toContain("--remove-leaks");
});

test("a run that was not confirmed says so above its doubts", () => {
  const lines = linesOf(verdictWith({ doubts: [FEW_DOUBT] }), { confirmedPerformance: null });
  expect(lines[1]).toStartWith("Accuracy ");
  expect(lines[2]).toBe("Confirmed   no: the run ended before the champion was tested on further splits of the rows");
  expect(lines[3]).toBe(`Doubt       ${FEW_DOUBT.message}`);
});

test("rows that were not looked at to the end are said to be so", () => {
  expect(linesOf(verdictWith({ isLookedAt: false }))[3]).toBe(
    "Verdict     Whether rows belong together was not looked at to the end.",
  );
  const beside = linesOf(verdictWith({ isLookedAt: false, doubts: [FEW_DOUBT] }));
  expect(beside.slice(3, 6)).toEqual([
    `Doubt       ${FEW_DOUBT.message}`,
    "            Add labelled rows.",
    "Verdict     Whether rows belong together was not looked at to the end: there may be further doubts, and worse ones.",
  ]);
  const few = linesOf(verdictWith({ isLookedAt: false, tooFewRows: true, doubts: [FEW_DOUBT] }));
  expect(few[5]).toBe("Verdict     Whether rows belong together cannot be told of so few.");
  const byGroup = { kind: "groups", groupColumn: "machine", timeColumn: null, groupCount: 30 } as const;
  expect(linesOf(verdictWith({ isLookedAt: false, judgedBy: byGroup, doubts: [FEW_DOUBT] }))[5]).toBe(
    "Verdict     Whether a column gives the label away was not looked at to the end: there may be further doubts, and worse ones.",
  );
});

test.each([
  [
    "every class",
    [
      [11, 0],
      [1, 0],
    ],
    "50.0%",
    "2 classes",
    "47.8%",
  ],
  [
    "three of four classes",
    [
      [6, 0, 0, 0],
      [2, 0, 0, 0],
      [0, 0, 0, 0],
      [1, 0, 0, 3],
    ],
    "58.3%",
    "the 3 of 4 classes with held-out rows",
    "55.2%",
  ],
  [
    "a class that was decided without a row",
    [
      [4, 4],
      [0, 0],
    ],
    "50.0%",
    "the 1 of 2 classes with held-out rows",
    "33.3%",
  ],
])(
  "means by class count those that are never decided, as the optimised one does: %s",
  (_, confusion, recall, classes, f1) => {
    const summary = binarySummary();
    const [champion] = summary.versions;
    const version = versionOf(1, summary.attempts[champion!.attempt - 1]!, confusion);
    const score = achieved("f1", confusion);
    const objectiveHeldOut = { mean: score, low: 0.31, high: 0.62 };
    const objectiveConfirmed = { mean: 0.5, low: 0.4, high: 0.6 };
    const versions = [{ ...version, score, objectiveHeldOut, objectiveConfirmed }];
    const lines = closingLines({ ...summary, objective: "f1", versions }, { outFolder: "out" });
    expect(lines).toContain(`By class    ${recall} balanced accuracy (mean recall of ${classes}), ${f1} mean F1`);
    const optimised = lines.find((line) => line.startsWith("Optimised"))!;
    expect(optimised).toStartWith(`Optimised   ${f1} [31.0, 62.0] mean F1 (`);
    expect(optimised).toContain("), 50.0% [40.0, 60.0] on further re-splits: ");
  },
);

test("a column that all goes by is asked about below the verdict", () => {
  const summary = binarySummary();
  const [champion, ...others] = summary.versions;
  const [first, ...rest] = champion!.importance;
  const versions = [{ ...champion!, importance: [{ ...first!, mean: 0.5 }, ...rest] }, ...others];
  const lines = closingLines({ ...summary, versions, verdict: verdictWith() }, { outFolder: "out" });
  const asked = lines.findIndex((line) => line.startsWith(`Question    Will new rows have "${first!.name}" before`));
  expect(lines[asked - 1]).toStartWith("Verdict ");
});
