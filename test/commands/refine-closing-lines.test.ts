// The last lines of a refinement on the terminal, in every state.
import { expect, test } from "bun:test";
import { refineClosingLines } from "../../src/commands/refine-closing-lines.ts";
import { targetOption } from "../../src/report/refinement/target-option.ts";
import {
  allKeptRefinement,
  cancelledRefinement,
  failedRefinement,
  fewRowsRefinement,
  hostileRefinement,
  normalRefinement,
  timeoutRefinement,
} from "../support/refinements.ts";

test("a completed refinement ends in the answer, the files and the command to type", () => {
  expect(refineClosingLines(normalRefinement().summary, "out")).toEqual([
    "REFINEMENT_COMPLETED: Every stage was made. (57 s)",
    "Columns     13 of 30 kept, 17 removed",
    'Before      93.8% [92.1, 95.1], 62 wrong (random forest) on 1,000 blind test rows; always answering "no": 84.5%, 155 wrong',
    "After       94.5% [92.9, 95.8], 55 wrong (random forest)",
    "Untouched   93.8% [90.9, 95.7] on rows used for nothing else",
    "Target      92.9% is the accuracy to ask of a training; with all columns 92.1%",
    "Flagged     4 columns to look at, with the reasons in report.html",
    "TRAIN       201 kB: out/train.csv",
    "TEST        50 kB: out/test.csv",
    "Report      out/report.html (and refinement.json)",
    "Next        cupel run out/train.csv --target 0.929 --no-refine",
  ]);
});

test("where nothing was removed it says why", () => {
  expect(refineClosingLines(allKeptRefinement().summary, "out")).toContain(
    "Columns     8 of 8 kept, 0 removed: all 8 columns carry a signal, so nothing was removed.",
  );
});

test("what was not measured is left out, not 0", () => {
  const lines = refineClosingLines(fewRowsRefinement().summary, "out").join("\n");
  expect(lines).not.toContain("Untouched");
  expect(lines).toContain("36 blind test rows");
});

test("a partial result is called so", () => {
  const lines = refineClosingLines(timeoutRefinement().summary, "out");
  expect(lines[0]).toBe("TIMEOUT: The limit of 60 seconds was reached while near copies were compared. (57 s)");
  expect(lines).toContain("Partial     results so far; columns that were not judged in time are kept");
  expect(lines.at(-1)).toBe("Next        cupel run out/train.csv --target 0.929 --no-refine");
});

test("the threshold of kept columns is no target for all of them", () => {
  const lines = refineClosingLines({ ...timeoutRefinement().summary, files: [] }, "out");
  expect(lines.at(-1)).toBe("Next        cupel run TRAIN.csv --no-refine");
  expect(refineClosingLines(allKeptRefinement().summary, "out").at(-1)).toBe(
    "Next        cupel run TRAIN.csv --target 0.929 --no-refine",
  );
});

test("cancelled or failed, it points to training on all columns", () => {
  expect(refineClosingLines(cancelledRefinement().summary, "out")).toEqual([
    "CANCELLED: Stopped by Ctrl-C after 1 second. (57 s)",
    "Columns     The refinement ended before it decided on the columns, so all of them stay.",
    "Report      out/report.html (and refinement.json)",
    "Go on       type the same command again: it goes on where this one stopped",
    "Next        cupel run TRAIN.csv --no-refine",
  ]);
  const failed = refineClosingLines(failedRefinement().summary, "out");
  expect(failed[0]).toBe("ERROR: A worker ended unexpectedly. (57 s)");
  expect(failed).toContain("Columns     The refinement ended before it decided on the columns, so all of them stay.");
  expect(failed.filter((line) => /^(After|Target|TRAIN)/.test(line))).toEqual([]);
});

test("control characters of a file do not reach the terminal", () => {
  const { summary } = hostileRefinement();
  const majority = { ...summary.majority, label: "\u001b[31mred\u0007" };
  const lines = refineClosingLines({ ...summary, majority }, "out").join("");
  expect(lines).not.toMatch(/\p{Cc}/u);
  expect(lines).toContain('always answering "\\u001b[31mred\\u0007"');
});

test.each([
  [0.929, "--target 0.929"],
  [0.92939, "--target 0.9293"],
  [0.9999999, "--target 0.9999"],
  [1, "--target 1"],
])("the threshold %p is typed as %p, never above itself", (threshold, option) => {
  expect(targetOption(threshold)).toBe(option);
});
