// The picture of a competition that is still under way: room for what will come, and no rule for what is not known yet.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { competitionChart } from "../../../src/charts/competition-chart.ts";
import { picture } from "../../../src/charts/pictures.ts";
import { textWidth } from "../../../src/charts/scales.ts";
import { attemptsOf } from "../../support/summary-parts.ts";

const attempts = attemptsOf([90, 80, 100, 70], 1_000);
const drawn = (facts: Omit<Parameters<typeof competitionChart>[0], "attempts">) =>
  picture(competitionChart({ attempts, ...facts }, 680)).markup;
/** Where the line of the best so far ends. */
const endOfBest = (markup: string) => Number(/class="best" d="[^"]*H([\d.]+)"/.exec(markup)![1]);

test("the axis has room for what is planned, and the line ends at the last attempt", () => {
  const underWay = drawn({ targetPerformance: null, baseline: null, attemptsPlanned: 20 });
  expect(underWay).toMatch(/text-anchor="middle">20<\/text>/);
  expect(endOfBest(underWay)).toBeLessThan(200);
  const ended = drawn({ targetPerformance: null, baseline: null });
  expect(ended).not.toMatch(/text-anchor="middle">20<\/text>/);
  expect(endOfBest(ended)).toBeGreaterThan(600);
});

test("once the champion is known, the line and the words are the champion's, whatever the held-out rows favour", () => {
  const favoured = attempts.map((attempt) => (attempt.attempt === 4 ? { ...attempt, version: null } : attempt));
  const champion = favoured.find(({ version }) => version === 2)!;
  const facts = { attempts: favoured, targetPerformance: null, baseline: null };
  const { description } = competitionChart({ ...facts, champion: 2 }, 680);
  expect(description).toContain(
    `the champion attempt ${champion.attempt} with ${(100 * champion.accuracy!).toFixed(1)}%`,
  );
  expect(description).not.toContain("best");
  const line = /class="best" d="M[\d.]+ ([\d.]+)H[\d.]+"/.exec(
    picture(competitionChart({ ...facts, champion: 2 }, 680)).markup,
  );
  const best = /class="best" d="M[\d.]+ [\d.]+.*V([\d.]+)H/.exec(picture(competitionChart(facts, 680)).markup);
  // Lower on the page than the best of all.
  expect(Number(line![1])).toBeGreaterThan(Number(best![1]));
});

test("majority and target have a rule where they are known, and a word where they are below the scale", () => {
  expect(drawn({ targetPerformance: null, baseline: null })).not.toMatch(/class="rule/);
  const both = drawn({ targetPerformance: 0.95, baseline: { label: "no", accuracy: 0.895 } });
  expect([...both.matchAll(/class="rule (\w+)"/g)].map(([, look]) => look)).toEqual(["majority", "target"]);
  const below = drawn({ targetPerformance: 0.6, baseline: { label: "no", accuracy: 0.5 } });
  expect(below).not.toMatch(/class="rule/);
  expect(below).toContain("always no 50.0%, below ↓");
  expect(below).toContain("target 60.0%, below ↓");
});

test("whatever attempts, majority and target are, every rule and mark is inside the picture", () => {
  const accuracies = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 6 });
  const share = fc.integer({ min: 0, max: 1_000 }).map((right) => right / 1_000);
  fc.assert(
    fc.property(accuracies, share, fc.option(share), (wrong, majority, targetPerformance) => {
      const baseline = { label: "no", accuracy: majority };
      const chart = competitionChart({ attempts: attemptsOf(wrong, 1_000), targetPerformance, baseline }, 680);
      const { markup } = picture(chart);
      const heights = [...markup.matchAll(/class="rule \w+" x1="[^"]*" x2="[^"]*" y1="([^"]*)"/g)];
      for (const [, y] of heights) expect(Number(y)).toBeGreaterThan(0);
      expect(markup).not.toContain("NaN");
      expect(markup).toContain("always no");
    }),
  );
});

test("a majority that no attempt reaches has its rule over all of them", () => {
  const chart = drawn({ targetPerformance: null, baseline: { label: "no", accuracy: 0.97 } });
  expect(chart).toContain('class="rule majority"');
});

test("the accuracies beside the axis fit into the picture, 100.0% too", () => {
  const chart = competitionChart(
    { attempts: attemptsOf([0, 2, 12], 1_000), targetPerformance: null, baseline: null },
    400,
  );
  const ticks = [...picture(chart).markup.matchAll(/class="tick" x="([\d.]+)" y="[\d.]+" text-anchor="end">([^<]+)</g)];
  expect(ticks.map(([, , words]) => words)).toContain("100.0%");
  for (const [, right, words] of ticks) expect(textWidth(words!, 12)).toBeLessThan(Number(right));
});
