// The report as a whole: well-formed, self-contained, complete, and proof against what files put into names.
import { describe, expect, test } from "bun:test";
import { renderReport } from "../../../src/report/report.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { quietWords } from "../../../src/words/verdict-words.ts";
import {
  cancelledRefinement,
  hostileRefinement,
  normalRefinement,
  timeoutRefinement,
} from "../../support/refinements.ts";
import { describePage, expectHarmless, section } from "../../support/report-page.ts";
import {
  binarySummary,
  cancelledSummary,
  HOSTILE_TEXTS,
  hostileSummary,
  manyClassesSummary,
  wideSummary,
} from "../../support/summaries.ts";
import { versionOf } from "../../support/summary-parts.ts";
import {
  BY_BOTH,
  BY_MACHINE,
  BY_TIME,
  FEW_DOUBT,
  GROUP_DOUBT,
  LEAK_DOUBT,
  verdictWith,
} from "../../support/verdicts.ts";

const SUMMARIES: readonly (readonly [string, () => RunSummary])[] = [
  ["two classes", binarySummary],
  ["26 classes", manyClassesSummary],
  ["100 classes", () => manyClassesSummary(100)],
  ["cancelled without a version", cancelledSummary],
  ["hostile names", hostileSummary],
  ["600 columns", wideSummary],
  [
    "doubts of every level",
    () => ({ ...binarySummary(), verdict: verdictWith({ doubts: [GROUP_DOUBT, LEAK_DOUBT, FEW_DOUBT] }) }),
  ],
  ["a refinement before", () => ({ ...binarySummary(), refinement: normalRefinement(13).summary })],
  ["a refinement cut short", () => ({ ...binarySummary(), refinement: timeoutRefinement().summary })],
  ["a refinement that was cancelled", () => ({ ...binarySummary(), refinement: cancelledRefinement().summary })],
  ["a hostile refinement", () => ({ ...hostileSummary(), refinement: hostileRefinement().summary })],
];

for (const [what, build] of SUMMARIES) describePage(`a report on ${what}`, () => renderReport(build()));

test("the first screen answers the four questions", () => {
  const first = section(renderReport(binarySummary()), "answer");
  expect(first).toContain("94.2%");
  expect(first).toContain("[92.6, 95.5]");
  expect(first).toContain("58 of 1,000");
  expect(first).toContain("Always answering no 84.5% 155 wrong");
  expect(first).toContain("Target reached 94.0%");
  expect(first).toContain("93.7% [92.5, 94.7]");
  expect(first).toContain("Clearly better than always answering no .");
  expect(first).toContain("total day minutes 6.1");
  expect(first).toContain("cupel predict model.cupel NEW.csv");
  expect(first).toContain("3 warnings");
});

test("the first screen says what became of a rare label", () => {
  const told = "Of 155 held-out rows of &quot;yes&quot;, the rarest label, the champion found 114 (73.5%).";
  const rare = binarySummary();
  const even = { ...rare, classes: rare.classes.map(({ label }) => ({ label, count: 2500 })) };
  const [attempt] = even.attempts;
  even.versions = [
    versionOf(1, attempt!, [
      [480, 20],
      [38, 462],
    ]),
  ];
  expect(section(renderReport(rare), "answer")).toContain(told);
  expect(section(renderReport(even), "answer")).not.toContain("the rarest label");
});

test("the page asks about a column that all goes by", () => {
  const summary = binarySummary();
  const [champion, ...others] = summary.versions;
  const [first, ...rest] = champion!.importance.slice(0, 4).map((own, at) => (at === 0 ? own : { ...own, mean: 0.01 }));
  const withLoss = (mean: number) => {
    const importance = [{ ...first!, mean }, ...rest];
    return section(renderReport({ ...summary, versions: [{ ...champion!, importance }, ...others] }), "answer");
  };
  const lead = champion!.confirmedPerformance!.mean - summary.baseline.accuracy;
  expect(withLoss(lead + 0.001)).toContain("the model is no better than guessing");
  expect(withLoss(lead - 0.001)).not.toContain("the model is no better than guessing");
});

test("importances near 0 are not taken for useless columns where one label is frequent", () => {
  const words = "columns may matter more than this";
  const summary = binarySummary();
  const [champion] = summary.versions;
  const importance = champion!.importance.map((column) => ({ ...column, mean: column.mean / 20 }));
  const flat = { ...summary, versions: [{ ...champion!, importance }] };
  expect(section(renderReport(flat), "answer")).toContain(words);
  expect(section(renderReport(summary), "answer")).not.toContain(words);
  expect(section(renderReport({ ...flat, objective: "f1" }), "answer")).not.toContain(words);
  const baseline = { ...summary.baseline, accuracy: 0.6 };
  expect(section(renderReport({ ...flat, baseline }), "answer")).not.toContain(words);
});

test.each([
  ["accuracy", "Points of accuracy lost when the column is shuffled", "6.1"],
  ["balanced-accuracy", "Points of balanced accuracy lost when the column is shuffled", "6.1"],
  ["cost", "Rise of the mean cost when the column is shuffled", "0.061"],
] as const)("importance is told in the terms of %s", (objective, words, figure) => {
  const report = renderReport({ ...binarySummary(), objective });
  for (const part of ["answer", "versions"] as const) {
    expect(section(report, part)).toContain(words);
    expect(section(report, part)).toContain(figure);
  }
});

test("a rare label that is not the positive one has its measures before those of the positive one", () => {
  const summary = binarySummary();
  expect(section(renderReport(summary), "versions")).not.toContain("Recall of no ");
  const versions = section(renderReport({ ...summary, positiveLabel: "no" }), "versions");
  expect(versions).toContain("Recall of yes 73.5%");
  expect(versions.indexOf("F1 of yes")).toBeLessThan(versions.indexOf("Precision of no"));
});

test("the leaderboard shows both scores of every attempt, and the libraries apart", () => {
  const summary = binarySummary();
  const competition = section(renderReport(summary), "competition");
  for (const { accuracy, outOfFoldAccuracy, logLoss } of summary.attempts) {
    if (accuracy !== null) expect(competition).toContain(`${(accuracy * 100).toFixed(1)}%`);
    if (outOfFoldAccuracy !== null) expect(competition).toContain(`${(outOfFoldAccuracy * 100).toFixed(1)}%`);
    if (logLoss !== null) expect(competition).toContain(logLoss.toFixed(3));
  }
  expect(competition).toContain("undefined: Out of memory while building the pairs.");
  expect(competition).toContain("300 trees, 4 features per split, rows per leaf at least 1");
  expect(competition).toMatch(/Library baselines.*ml-naivebayes.*ml-random-forest/s);
});

test("each version has its figures, confusion matrix, measures, calibration and importance", () => {
  const versions = section(renderReport(binarySummary()), "versions");
  for (const figure of ["828", "98.0%", "114", "73.5%", "87.0%", "79.7%", "0.168", "model-v3.cupel"]) {
    expect(versions).toContain(figure);
  }
});

test("an undefined measure is a dash with its reason, never 0", () => {
  const versions = section(renderReport(manyClassesSummary()), "versions");
  expect(versions).toContain("– undefined: nothing was decided as this class");
  expect(versions).toContain("– is undefined: nothing was decided as one class.");
  expect(versions).toMatch(/nothing was decided as this class 0\.0% 0\.0% /);
  expect(versions).not.toContain("none was decided as it");
});

test("classes by the hundred get a heat map, the worst confusions and the whole table", () => {
  const summary = manyClassesSummary(100);
  const report = renderReport(summary);
  const versions = section(report, "versions");
  expect(versions).toContain("Actual Decided as Rows Share");
  expect(report.match(/>as <bdi>class \d+<\/bdi>/g)).toHaveLength(100);
  expect(report.length).toBeLessThan(1_000_000);
});

test("a run that did not complete says so first, with its reason", () => {
  const cancelled = section(renderReport(cancelledSummary()), "answer");
  expect(cancelled).toContain("The run was cancelled.");
  expect(cancelled).toContain("Stopped by Ctrl-C after 2 seconds");
  expect(cancelled).toContain("No model was kept.");
  expect(cancelled).not.toContain("cupel predict");
  const below = section(renderReport(manyClassesSummary()), "answer");
  expect(below).toContain("The run was not completed.");
  expect(below).toContain("Target missed 98.0%");
});

test("what was not measured is said to be so", () => {
  const summary = binarySummary();
  const versions = summary.versions.map((version) => ({
    ...version,
    importance: [],
    calibration: [],
    confirmedPerformance: null,
  }));
  const report = renderReport({ ...summary, versions, targetPerformance: null });
  expect(section(report, "answer")).toContain("Not confirmed");
  expect(section(report, "answer")).toContain("The importance of columns was not measured");
  expect(section(report, "versions")).toContain("undefined: the run ended before the re-splits");
  expect(section(report, "competition")).not.toContain("target");
});

test("a model that does not beat the majority is called by its name", () => {
  const summary = binarySummary();
  const report = renderReport({ ...summary, baseline: { label: "no", falseDecisions: 60, accuracy: 0.94 } });
  expect(section(report, "answer")).toContain("Not clearly better than always answering no : do not rely on it yet.");
});

describe("Can I trust it?", () => {
  const answer = (verdict: RunSummary["verdict"]) => section(renderReport({ ...binarySummary(), verdict }), "answer");

  test.each([
    ["at random", verdictWith(), "on new rows", "1,000 held-out rows"],
    [
      "by groups",
      verdictWith({ judgedBy: BY_MACHINE }),
      'on values of "machine" that it has not seen',
      '1,000 rows of held-out values of "machine"',
    ],
    [
      "by time",
      verdictWith({ judgedBy: BY_TIME }),
      "on the next rows in time, up to a fifth as many as the file has",
      'the 1,000 newest rows by "measured on"',
    ],
    [
      "by both",
      verdictWith({ judgedBy: BY_BOTH }),
      'at most on later rows, of values of "machine" that it has not seen',
      'the 1,000 newest rows by "measured on", of held-out values of "machine"',
    ],
  ])("without a doubt says what to expect, and what was looked at: %s", (_, verdict, expected, heldOut) => {
    const text = answer(verdict).replaceAll("&quot;", '"');
    expect(text).toContain(`Expect this ${expected}.`);
    expect(text).toContain(quietWords(verdict));
    expect(text).toContain(`of ${heldOut}, kept aside from training, are predicted right`);
    expect(text).toContain("No doubt found");
    expect(text).not.toMatch(/independen/);
  });

  test("promises nothing where the look did not come to its end", () => {
    const text = answer(verdictWith({ isLookedAt: false }));
    expect(text).not.toContain("Expect this");
    expect(text).toContain("Not looked at");
    const unfinished = "was not looked at to the end: there may be further doubts";
    expect(answer(verdictWith({ isLookedAt: false, doubts: [FEW_DOUBT] }))).toContain(unfinished);
    expect(answer(verdictWith({ doubts: [FEW_DOUBT] }))).not.toContain(unfinished);
  });

  test("beside doubts promises nothing: each stands with its remedy, worst first", () => {
    const verdict = verdictWith({ doubts: [GROUP_DOUBT, LEAK_DOUBT, FEW_DOUBT] });
    const text = answer(verdict).replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    expect(text).not.toContain("Expect this");
    expect(text).toContain("Doubtful");
    const said = verdict.doubts.flatMap(({ message, remedy, option }) => [message, remedy, option ?? message]);
    const places = said.map((words) => text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(text.indexOf(GROUP_DOUBT.message)).toBeLessThan(text.indexOf(LEAK_DOUBT.message));
    expect(text.indexOf("94.2%")).toBeLessThan(text.indexOf(GROUP_DOUBT.message));
    expect(text).toContain("Settle the doubts");
  });

  test("a caution alone asks for care, and an empty list of warnings does not deny it", () => {
    const report = renderReport({ ...binarySummary(), warnings: [], verdict: verdictWith({ doubts: [FEW_DOUBT] }) });
    expect(section(report, "answer")).toContain("With care");
    expect(section(report, "answer")).not.toContain("Expect this");
    expect(section(report, "warnings")).toContain("None beside the doubts at the top.");
  });
});

test("the interval is the version's own, in figures, pictures and tables, and the page says what it rests on", () => {
  const summary = binarySummary();
  const wide = { mean: 0.942, low: 0.801, high: 0.985 };
  const versions = summary.versions.map((version) => ({ ...version, heldOutPerformance: wide }));
  const report = renderReport({ ...summary, versions, verdict: verdictWith({ judgedBy: BY_MACHINE }) });
  expect(section(report, "answer").match(/\[80\.1, 98\.5\]/g)?.length).toBeGreaterThan(1);
  expect(section(report, "versions")).toContain("94.2% [80.1, 98.5]");
  expect(report).toContain("held-out values of &quot;machine&quot; 94.2%");
  const made = section(report, "made");
  expect(made).toContain("Judged by column machine : 160 groups, each whole on one side of every split");
  expect(made).toContain("Korn &amp; Graubard 1998");
});

test("many columns do not blow up the page", () => {
  const report = renderReport(wideSummary(10_000));
  expect(section(report, "columns")).toContain("9,800 more columns are in summary.json.");
  expect(report.length).toBeLessThan(1_500_000);
});

test("a refinement stands between the answer and the competition, and its decisions in the columns", () => {
  const { summary } = normalRefinement(13);
  const report = renderReport({ ...binarySummary(), refinement: summary });
  const order = ["answer", "refinement", "competition", "versions", "columns"].map((id) =>
    report.indexOf(`aria-labelledby="${id === "answer" ? id : `${id}-title`}"`),
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(section(report, "refinement")).toContain("62 → 55 of 1,000");
  const columns = section(report, "columns");
  expect(columns).toContain("10 of 13 columns kept by the refinement, 3 removed");
  expect(columns).toContain("phone number identifier");
  expect(columns).toContain("Removed : Row order tells the label Names the row");
  expect(columns).not.toContain("Dropped");
  expect(columns.match(/phone number/g)?.length).toBeLessThanOrEqual(3);
});

test("a column that was kept but could not be used in training says so", () => {
  const { summary } = normalRefinement(13);
  const run = binarySummary();
  const columns = run.columns.map((column, i) =>
    i === 2 ? { ...column, used: false, reason: "Over 100 levels." } : column,
  );
  const report = renderReport({ ...run, columns, refinement: summary });
  expect(section(report, "columns")).toContain("Not used in training: Over 100 levels.");
});

test("refined columns beyond those listed are in the summary", () => {
  const report = renderReport({ ...wideSummary(301), refinement: normalRefinement(300).summary });
  expect(section(report, "columns")).toContain("100 more columns are in summary.json only.");
});

test("without a refinement there is no word of one", () => {
  expect(renderReport(binarySummary())).not.toMatch(/<section[^>]*refinement|href="#refinement"/);
});

test("hostile texts are shown as texts", () => {
  const report = renderReport(hostileSummary());
  expectHarmless(report, HOSTILE_TEXTS[6]!);
  expect(report).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(report).toContain("<bdi>constructor</bdi>");
  expect(report).toContain('<i class="nameless">(empty)</i>');
});
