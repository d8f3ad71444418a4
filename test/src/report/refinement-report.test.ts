// The page on a refinement: well-formed and self-contained in every state, honest in its words, proof against names.
import { expect, test } from "bun:test";
import type { ColumnDecision } from "../../../engine/refinement/decision.ts";
import { renderRefinementReport } from "../../../src/report/refinement/refinement-report.ts";
import {
  allKeptRefinement,
  cancelledRefinement,
  emptyTimeoutRefinement,
  failedRefinement,
  fewRowsRefinement,
  hostileRefinement,
  normalRefinement,
  nothingFoundRefinement,
  type RefinementPage,
  slightlyWorseRefinement,
  timeoutRefinement,
} from "../../support/refinements.ts";
import { describePage, expectHarmless, section } from "../../support/report-page.ts";
import { HOSTILE_TEXTS } from "../../support/summaries.ts";

const PAGES: readonly (readonly [string, () => RefinementPage])[] = [
  ["30 columns", normalRefinement],
  ["300 columns", () => normalRefinement(300)],
  ["columns that all stay", allKeptRefinement],
  ["nothing but noise", nothingFoundRefinement],
  ["columns that are slightly worse", slightlyWorseRefinement],
  ["too few rows", fewRowsRefinement],
  ["a partial result", timeoutRefinement],
  ["no time", emptyTimeoutRefinement],
  ["a cancelled refinement", cancelledRefinement],
  ["a fault", failedRefinement],
  ["hostile names", hostileRefinement],
];

function render({ summary, columns, classes }: RefinementPage): string {
  return renderRefinementReport(summary, columns, classes);
}

for (const [what, build] of PAGES) describePage(`a page on ${what}`, () => render(build()));

test("the first screen says what was kept, how good it is, what to expect and what to type", () => {
  const first = section(render(normalRefinement()), "answer");
  expect(first).toContain("13 of 30 columns kept");
  expect(first).toContain(
    "17 of 30 columns can go: 10 without a signal, 2 with the same information as another column",
  );
  expect(first).toContain("Accuracy, before and after 93.8% → 94.5%");
  expect(first).toContain("62 → 55 of 1,000");
  expect(first).toContain("7 wrong decisions fewer than before, on 13 columns instead of 30.");
  expect(first).toContain("The intervals overlap: read this as not worse, rather than as better.");
  expect(first).toContain("93.8% [90.9, 95.7] is the best model's accuracy on a tenth of TRAIN");
  expect(first).toContain("It is lower than the 94.5% of the blind test on purpose");
  expect(first).toMatch(/cupel run\s+train\.csv\s+--target 0\.929\s+--no-refine/);
  expect(first).toContain("4 flagged columns");
});

test("every performance row is shown, the best ones marked, undefined figures as a dash with a reason", () => {
  const { summary } = normalRefinement();
  const table = section(render(normalRefinement()), "performance");
  for (const { accuracy, f1Score } of [...summary.baselineTopPerformances, ...summary.currentTopPerformances]) {
    expect(table).toContain(`${(accuracy! * 100).toFixed(1)}%`);
    expect(table).toContain(`${(f1Score! * 100).toFixed(1)}%`);
  }
  expect(table.match(/ Best /g)).toHaveLength(2);
  const undefinedOnes = section(render(nothingFoundRefinement()), "performance");
  expect(undefinedOnes).toContain("– undefined: nothing was decided as the class that counts");
});

test("kept columns that are slightly worse are not given for the best of the run", () => {
  const report = render(slightlyWorseRefinement());
  const first = section(report, "answer");
  expect(first).toContain("62 → 69 of 1,000");
  expect(first).toContain(
    "7 wrong decisions more than before, on 13 columns instead of 30. Chance alone may explain that.",
  );
  expect(first).not.toContain("The best of the run");
  expect(section(report, "performance")).toMatch(/Before: all 30 columns.*62.*After: 13 of 30 columns.*69/);
  expect(section(report, "performance")).not.toContain("Best of the run");
  const page = slightlyWorseRefinement();
  const { currentTopPerformances } = normalRefinement().summary;
  const elsewhere = render({ ...page, summary: { ...page.summary, currentTopPerformances } });
  expect(section(elsewhere, "answer")).toContain("The best of the run made 55 wrong decisions, on other columns.");
  expect(section(elsewhere, "performance")).toMatch(
    /After: 13 of 30 columns.*69.*Best of the run, on other columns.*55/,
  );
});

test("a refused checkpoint is shown as such, in the picture and behind it", () => {
  const report = render(normalRefinement());
  const steps = section(report, "performance");
  expect(steps).toContain("2 proposals accepted, 1 refused");
  expect(steps).toContain("3. without the weakest quarter: 9 columns, 64 wrong decisions, refused");
  expect(steps).toContain("3. without the weakest quarter 9 64 2.1 refused");
  expect(report.match(/class="bar refused"/g)).toHaveLength(3);
  expect(report.match(/class="cross"/g)).toHaveLength(3);
});

test("a figure that was not measured says why", () => {
  const page = normalRefinement();
  const unmeasured = { hits: null, rounds: null, gain: null, shadowGain: null };
  const columns = page.summary.columns.map((column) => {
    const { name, evidence } = column;
    if (name === "measurement 21") return { ...column, evidence: { ...evidence, ...unmeasured } };
    return name === "state" ? { ...column, evidence: { ...evidence, accuracyEffect: null } } : column;
  });
  const text = section(render({ ...page, summary: { ...page.summary, columns } }), "columns");
  expect(text).toContain("not measured: the screen before the forests left the column out");
  expect(text).toContain("not measured: the column stays");
  expect(section(render(page), "columns")).not.toContain("the screen before the forests");
});

test("each column has its decision, its reason in words, its flags and its evidence", () => {
  const columns = section(render(normalRefinement()), "columns");
  expect(columns).toMatch(/phone number identifier.*?Removed : Row order tells the label Names the row/);
  expect(columns).toMatch(/measurement 15 number .*?Removed : The same information as customer service calls/);
  expect(columns).toMatch(
    /measurement 14 number.*?Removed : Nearly the same as total day minutes , and cross-validation/,
  );
  expect(columns).toMatch(/measurement 21 number.*?Removed : No test found a signal/);
  expect(columns).toMatch(/measurement 19 number.*?Kept : Helps only together with other columns/);
  expect(columns).toMatch(/total day minutes number · 30\.0% of gain.*?Kept : May leak the label/);
  expect(columns).toContain("p &lt; 10⁻¹⁵");
  expect(columns).toContain("22.7× · 20 of 20");
  expect(columns).toContain("– undefined: not measured: the column failed the checks first");
  expect(columns).toContain("5 columns without any figure left out.");
  expect(columns).toContain("alone decides 97.0% of what the most frequent answer gets wrong. Without it");
});

test("kept columns come first, the most important at the top", () => {
  const columns = section(render(normalRefinement()), "columns");
  const order = ["Kept, most important first", "total day minutes number", "state category", "Removed, in the order"];
  const places = order.map((words) => columns.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("bars say on which side of the noise a column stands", () => {
  const evidence = { ...normalRefinement(20).summary.columns[0]!.evidence, gain: 0.1, shadowGain: 0.1001 };
  const look = (change: Partial<typeof evidence>) => {
    const page = normalRefinement(20);
    const columns = [{ ...page.summary.columns[0]!, evidence: { ...evidence, ...change } }];
    const report = render({ ...page, summary: { ...page.summary, columns } });
    const row = report.slice(report.indexOf('<th scope="row"><bdi>total day minutes'));
    return [...row.matchAll(/<td class="evidence"><svg[^>]*><rect class="(on|off)"/g)].map(([, side]) => side);
  };
  // One column alone: the test asks for p = 0.02, which is z = 2.05.
  expect(look({ pValue: 0.019, permutationZ: 2.06 })).toEqual(["on", "off", "on"]);
  expect(look({ pValue: 0.021, permutationZ: 2.05 })).toEqual(["off", "off", "off"]);
  expect(look({ pValue: 1, permutationZ: -3, gain: 0.2, shadowGain: 0 })).toEqual(["off", "on", "off"]);
});

test("each figure has the limit that decided beside it, where it did decide", () => {
  const evidence = { ...normalRefinement(20).summary.columns[0]!.evidence, pValue: 0.004, permutationZ: 2.4 };
  const rowOf = (change: Partial<ColumnDecision>) => {
    const page = normalRefinement(20);
    const columns = [{ ...page.summary.columns[0]!, evidence: { ...evidence, hits: 7, rounds: 12 }, ...change }];
    return section(render({ ...page, summary: { ...page.summary, columns } }), "columns");
  };
  const judged = rowOf({});
  expect(judged).toContain("p = 0.004 limit ≤ 0.020");
  expect(judged).toContain("7 of 12 limit ≥ 7 of 12");
  expect(judged).toContain("z = 2.4 limit ≥ 2.1");
  expect(rowOf({ decision: "REMOVE", reason: "NEAR_CONSTANT", stability: null })).not.toContain("limit ≥");
});

test("a column that was not shuffled says why, and of earlier versions that it was not measured", () => {
  const textOf = (notShuffled: ColumnDecision["evidence"]["notShuffled"]) => {
    const page = normalRefinement();
    const columns = page.summary.columns.map((column) => ({
      ...column,
      evidence: { ...column.evidence, permutationZ: null, ...(notShuffled !== undefined && { notShuffled }) },
    }));
    return section(render({ ...page, summary: { ...page.summary, columns } }), "columns");
  };
  expect(textOf("TIME_UP")).toContain("not shuffled: too much of the announced time was over");
  expect(textOf("WEAK_GROUP")).toContain("not shuffled: its group gained too little in the forests");
  expect(textOf("SCREENED_OUT")).toContain("not shuffled: the screen before the forests left the column out");
  expect(textOf(undefined)).not.toContain("not shuffled:");
});

test("of many columns the important and all flagged ones are listed, and the rest is counted", () => {
  const page = normalRefinement(300);
  const flagged = page.summary.columns.map(
    (column): ColumnDecision =>
      column.position === 299 ? { ...column, importance: null, flags: ["DATE_DRIFT"] } : column,
  );
  const report = render({ ...page, summary: { ...page.summary, columns: flagged } });
  const columns = section(report, "columns");
  expect(columns).toContain("100 more columns are in refinement.json only.");
  expect(columns).toMatch(/measurement 300 number/);
  expect(columns).not.toMatch(/measurement 299 number/);
  expect(report.length).toBeLessThan(1_200_000);
});

test("where nothing was removed, nothing was found, or rows are few, the page says so", () => {
  expect(section(render(allKeptRefinement()), "answer")).toContain(
    "All 8 columns carry a signal, so nothing was removed.",
  );
  expect(section(render(allKeptRefinement()), "columns")).toContain("No column was removed.");
  const nothing = section(render(nothingFoundRefinement()), "answer");
  expect(nothing).toContain("No column predicts the label better than noise does. Nothing was removed.");
  expect(nothing).toContain("No target was reached: always answering the most frequent label may reach as much.");
  expect(nothing).toContain("Not clearly better than always answering no : do not rely on it yet.");
  const few = section(render(fewRowsRefinement()), "answer");
  expect(few).toContain("180 rows are too few to judge columns by");
  expect(few).toContain("TRAIN has fewer than 2,000 rows");
});

test("a refinement that did not complete says so first", () => {
  const partial = section(render(timeoutRefinement()), "answer");
  expect(partial).toContain("The refinement was stopped at its time limit.");
  expect(partial).toContain("The findings so far are shown.");
  expect(partial).toContain("The refinement ended before it read the rows set aside.");
  for (const build of [emptyTimeoutRefinement, cancelledRefinement, failedRefinement]) {
    const first = section(render(build()), "answer");
    expect(first).toContain("There is no result");
    expect(first).toContain("No column was chosen");
    expect(first).not.toContain("columns kept");
    expect(first).not.toContain("--target");
  }
  expect(section(render(cancelledRefinement()), "performance")).toContain("No model was measured.");
  const failed = section(render(failedRefinement()), "performance");
  expect(failed).toContain("Before: all columns");
  expect(failed).not.toContain("After:");
  expect(failed).toContain(
    "0. all columns – undefined: not recorded 62 – undefined: nothing came before the start start",
  );
  expect(failed).toContain("0 proposals accepted, 1 refused");
  const page = normalRefinement();
  const undone = render({ ...page, summary: { ...page.summary, state: "ERROR" } });
  expect(section(undone, "columns")).toContain("none was carried out");
});

test("it says how it was made: files, seed, buckets, time and the states", () => {
  const made = section(render(normalRefinement()), "made");
  for (const figure of [
    "churn-train.csv , 4,000 rows, 412 kB",
    "4e07408562bedb8b60ce05c1decfe3ad",
    "Seed 42",
    "Buckets 20",
  ]) {
    expect(made).toContain(figure);
  }
  expect(made).toContain("57 s of about 1 min 30 s announced");
  expect(made).toContain("49 of 49");
  expect(made).toContain("2026-03-02T09:14:21Z RELEVANCE");
  expect(section(render(fewRowsRefinement()), "made")).toContain("none: 36 rows of TRAIN are the blind test");
});

test("hostile texts are shown as texts", () => {
  expectHarmless(render(hostileRefinement()), HOSTILE_TEXTS[6]!);
});
