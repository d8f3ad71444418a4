// The small parts that the report is built from: markup, scales, settings in words, derived figures.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { calibrationGap, worstConfusions } from "../../../src/charts/measures.ts";
import { compactCount, linearScale, percentTick, roundTicks } from "../../../src/charts/scales.ts";
import { html, name, shorten } from "../../../src/common/markup.ts";
import { settingsInWords } from "../../../src/words/settings-words.ts";

test("whatever text is put into markup comes back as that text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const { markup } = html`<p title="${text}">${text}</p>`;
      expect(markup.match(/[<>]/g)).toHaveLength(4);
      expect(markup.match(/"/g)).toHaveLength(2);
      let tags = 0;
      await new HTMLRewriter()
        .on("*", { element: () => void tags++ })
        .transform(new Response(markup))
        .text();
      expect(tags).toBe(1);
    }),
  );
});

test("markup, lists, numbers and nothing have their forms", () => {
  expect(html`<g>${[html`<b>x</b>`, "&", null, 1.5, 2 / 3]}</g>`.markup).toBe("<g><b>x</b>&amp;1.50.67</g>");
  expect(name("a\u0000b\ud800").markup).toBe("<bdi>a\ufffdb\ufffd</bdi>");
  expect(name(" ").markup).toBe('<i class="nameless">(empty)</i>');
});

test("text is cut between characters as people see them", () => {
  expect(shorten("abcdef", 4)).toBe("abc…");
  expect(shorten("abcd", 4)).toBe("abcd");
  expect(shorten("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2)).toBe("👩‍👩‍👧‍👦…");
  expect(shorten("x".repeat(1_000_000), 10)).toBe(`${"x".repeat(9)}…`);
});

test("ticks are round, within their range and about as many as asked for", () => {
  expect(roundTicks(0.84, 0.95, 5)).toEqual([42, 43, 44, 45, 46, 47].map((n) => expect.closeTo(n * 0.02)));
  expect(roundTicks(3, 3, 5)).toEqual([3]);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      (low, span) => {
        const ticks = roundTicks(low, low + span, 5);
        expect(ticks.length).toBeLessThanOrEqual(9);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(low - 1e-6);
          expect(tick).toBeLessThanOrEqual(low + span + 1e-6);
        }
      },
    ),
  );
  expect(percentTick(0.925, [0.92, 0.925])).toBe("92.5%");
  expect(percentTick(0.9, [0.8, 0.9])).toBe("90%");
});

test("scales map ends to ends, and a domain without extent to its start", () => {
  const x = linearScale([0.5, 1], [10, 110]);
  expect([x(0.5), x(0.75), x(1)]).toEqual([10, 60, 110]);
  expect(linearScale([2, 2], [10, 110])(2)).toBe(10);
});

test("counts in cells are short", () => {
  expect([9, 9999, 12_345, 3_400_000].map(compactCount)).toEqual(["9", "9,999", "12k", "3.4M"]);
});

test("settings are read as words", () => {
  const forest = {
    variant: "forest",
    treeCount: 300,
    featuresPerSplit: 4,
    minLeafRows: 1,
    maxDepth: 8,
    buckets: "fine",
  };
  expect(settingsInWords(forest)).toBe(
    "300 trees, 4 features per split, rows per leaf at least 1, depth at most 8, fine buckets",
  );
  expect(settingsInWords({ basis: "linear", l2: 0.5, maxIterations: 100, buckets: 20 })).toBe(
    "L2 penalty 0.5, iterations at most 100, 20 buckets",
  );
  expect(settingsInWords({ bootstrap: false, sampleRowCount: 2000, treeCount: 1, learningRate: 0.123456 })).toBe(
    "without bootstrap, 2,000 sample rows, 1 tree, learning rate 0.1235",
  );
  expect(settingsInWords({})).toBe("default settings");
});

test("the worst confusions come first, right decisions not at all", () => {
  const confusion = [
    [8, 2],
    [3, 4],
  ];
  expect(worstConfusions(confusion)).toEqual([
    { actual: 1, decided: 0, count: 3, share: 3 / 7 },
    { actual: 0, decided: 1, count: 2, share: 0.2 },
  ]);
});

test("calibration is weighed by the decisions of each bin", () => {
  const bins = [
    { low: 0.5, high: 0.6, count: 1, confidence: 0.55, accuracy: 0.75 },
    { low: 0.9, high: 1, count: 3, confidence: 0.95, accuracy: 0.85 },
  ];
  const gap = calibrationGap(bins);
  expect(gap?.gap).toBeCloseTo(0.125);
  expect(gap?.lean).toBeCloseTo(0.025);
  expect(calibrationGap([])).toBeNull();
});
