// What the model learned, as the report and the model page show it: every
// value with its probability, and how to read it.
import { expect, test } from "bun:test";
import { effectRange } from "../../../src/charts/effects.ts";
import { effectsOf as pictures } from "../../../src/report/effects.ts";
import { renderReport } from "../../../src/report/report.ts";
import { effectsOf } from "../../support/effects.ts";
import { section } from "../../support/report-page.ts";
import { binarySummary } from "../../support/summaries.ts";

const TWO = effectsOf(["yes"]);
const MANY = effectsOf(["a", "b", "c", "d", "e"]);

test("of two classes the positive one is named once, and every value has its probability and its rows", () => {
  const { markup } = pictures(TWO);
  expect(markup).toContain("How the probability of <em><bdi>yes</bdi></em> changes");
  expect(markup).toContain("10.0% at -1.25, 13.0% at 0, 16.0% at 20, 19.0% at 1,235");
  expect(markup).toContain("25.0% at missing.");
  expect(markup).toContain("2019: yes 6.7%, 5 rows");
  expect(markup).not.toContain("effect-key");
});

test("values that are near each other beside their size are told apart", () => {
  const values = [1_700_000_003, 1_700_000_027, 1_700_000_052, 1_700_000_076, 1_700_000_099, null];
  const points = TWO[0]!.points.map(({ rows }, at) => ({ value: values[at]!, rows }));
  const { markup } = pictures([{ ...TWO[0]!, points }]);
  expect(markup).toContain("10.0% at 1,700,000,003, 13.0% at 1,700,000,027, 16.0% at 1,700,000,050");
});

test("parts of dates are called by their names", () => {
  const { markup } = pictures(TWO);
  for (const said of ["year of signed", "at January", "at December", "at Monday", "at Sunday"])
    expect(markup).toContain(said);
});

test("parts of texts are called by their names", () => {
  const { markup } = pictures([{ ...TWO[0]!, part: "number4" }]);
  expect(markup).toContain("4th number of age");
});

test("curves of several classes have marks and lines of their own, and a key", () => {
  const { markup } = pictures(MANY);
  expect(markup).toContain("How the probabilities of the classes change");
  for (const shape of ["circle", "rect", "path"]) expect(markup).toContain(`<${shape} class="mark effect-`);
  for (const place of [0, 1, 2, 3, 4]) expect(markup).toContain(`effect-line effect-${place}`);
  expect(markup.split('class="effect-key"')).toHaveLength(1 + MANY.length);
});

test("a column that another one tells much of says which, and the page explains it", () => {
  const { markup } = pictures(TWO);
  expect(markup).toContain("<em><bdi>signed</bdi></em> tells 51.0% of it");
  expect(markup).toContain("accumulated local effects");
  expect(pictures(TWO.slice(0, 1)).markup).not.toContain("accumulated local effects");
});

test("six columns are shown at first, the rest on demand", () => {
  const { markup } = pictures(TWO);
  expect(markup.split("<details><summary>2 more columns")[0]!.split("<article")).toHaveLength(7);
  expect(pictures(TWO.slice(0, 6)).markup).not.toContain("more column");
});

test("all pictures share one scale, within 0 and 1", () => {
  expect(effectRange(TWO)).toEqual([expect.closeTo(0.016, 3), expect.closeTo(0.27, 3)]);
  const [first] = TWO;
  const beyond = [{ ...first!, curves: [{ label: "yes", probabilities: [-0.02, 0.5, 1.01, 0.4, 0.3, 0.2] }] }];
  expect(effectRange(beyond)).toEqual([0, 1]);
  expect(pictures(beyond).markup).toContain("0.0% at -1.25");
});

test("the report has the champion's, and nothing of them for runs of earlier versions", () => {
  const summary = binarySummary();
  expect(section(renderReport(summary), "learned")).toContain("What the model learned");
  const versions = summary.versions.map(({ effects: _, ...version }) => version);
  const earlier = renderReport({ ...summary, versions });
  expect(earlier).not.toContain("learned</h2>");
  expect(earlier).not.toContain('href="#learned"');
});
