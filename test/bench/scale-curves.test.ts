// The arithmetic of the scale curves on laws that are known, and that tables and pictures hold what was measured.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { memoryFigure, timeFigure } from "./scale-chart.ts";
import {
  type Curve,
  curvesOf,
  exponentOf,
  largerHalf,
  type Point,
  tablesOf,
  timeExponent,
  wallWords,
} from "./scale-curves.ts";
import { AXES, KERNELS, sizesOf } from "./scale-plan.ts";

/**
 * Every kernel along every axis, each as its law would have it: `of` says which function of the size its seconds are.
 */
function drawnPoints(of: (curve: Curve, size: number) => number): Point[] {
  return AXES.flatMap((plan) =>
    KERNELS.flatMap((kernel) =>
      sizesOf(plan, kernel).map((size): Point => {
        const seconds = of({ plan, kernel, points: [] }, size);
        return {
          axis: plan.axis,
          kernel: kernel.kernel,
          size,
          wallSeconds: seconds,
          cpuSeconds: seconds,
          peakMb: 50 + size / 1e4,
        };
      }),
    ),
  );
}

const lawful = drawnPoints(({ plan, kernel }, size) => 1e-3 * kernel.laws[plan.axis]!.high(size));

describe("exponents", () => {
  test("a power law has its own, whatever its factor", () => {
    const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 1e6 }), { minLength: 2, maxLength: 6 });
    const power = fc.double({ min: -2, max: 3, noNaN: true });
    fc.assert(
      fc.property(sizes, power, fc.double({ min: 1e-6, max: 1e3, noNaN: true }), (xs, exponent, factor) => {
        expect(exponentOf(xs.map((x) => [x, factor * x ** exponent]))).toBeCloseTo(exponent, 6);
      }),
    );
  });

  test("the larger half decides, two points at least", () => {
    expect(largerHalf([1, 2, 3, 4, 5])).toEqual([3, 4, 5]);
    expect(largerHalf([1, 2, 3, 4])).toEqual([3, 4]);
    expect(largerHalf([1, 2])).toEqual([1, 2]);
  });

  test("kernels that follow their laws are near them, what grows by one more power is above, what does not grow below", () => {
    const verdicts = (points: readonly Point[]) =>
      new Set(curvesOf(points).map((curve) => timeExponent(curve)?.verdict));
    expect(verdicts(lawful)).toEqual(new Set(["near"]));
    const tooMuch = drawnPoints(({ plan, kernel }, size) => 1e-3 * size * kernel.laws[plan.axis]!.high(size));
    expect(verdicts(tooMuch)).toEqual(new Set(["above"]));
    const rows = curvesOf(drawnPoints(() => 1)).filter(
      ({ plan, kernel }) => plan.axis === "rows" && kernel.group === "fit",
    );
    expect(rows.map((curve) => timeExponent(curve)?.verdict)).toEqual(["below", "below", "below", "below"]);
  });

  test("one point has none", () => {
    expect(timeExponent(curvesOf(lawful.slice(0, 1))[0]!)).toBeNull();
  });
});

describe("tables", () => {
  test("there is one for each axis, and a cell for each point", () => {
    const tables = tablesOf(lawful);
    expect(tables.match(/^\| (\w+) .*exponent/gm)).toHaveLength(AXES.length);
    const first = tables.split("\n").find((line) => line.startsWith("| boosted trees"))!;
    expect(first).toBe(
      "| boosted trees | 1.00 | 10.0 | 100.0 | 1000.0 | 5000.0 | 1.00 | linear | 1.00 | 550 | 100 B |",
    );
  });

  test("what was left out is called so", () => {
    const few = lawful.filter(({ kernel, size }) => kernel === "forest" && size <= 1e4);
    expect(tablesOf(few)).toMatch(/\| forest \| .*\| not done \| not done \| not done \|/);
  });

  test("wall time is set beside processor time", () => {
    const slower = lawful.map((point) => ({ ...point, wallSeconds: 1.5 * point.cpuSeconds }));
    expect(wallWords(slower)).toContain("1.50 to 1.50, median 1.50");
    expect(wallWords([])).toBe("");
  });
});

describe("pictures", () => {
  const figures = [860, 360].flatMap((width) => [timeFigure(lawful, width), memoryFigure(lawful, width)]);

  test("every point of every axis but workers has a mark inside the picture", () => {
    const drawn = lawful.filter(({ axis }) => axis !== "workers").length;
    for (const figure of figures) {
      const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(figure)!.map(Number);
      const marks = [...figure.matchAll(/class="mark[^"]*" d="M([\d.-]+) ([\d.-]+)/g)];
      expect(marks).toHaveLength(drawn + KERNELS.length);
      for (const [, x, y] of marks) {
        expect(Number(x)).toBeWithin(0, width!);
        expect(Number(y)).toBeWithin(0, height!);
      }
    }
  });

  test("they are named, described, for light and dark, and refer to nothing outside", () => {
    for (const figure of figures) {
      expect(figure).toMatch(/<title>[^<]+<\/title><desc>[^<]+<\/desc>/);
      expect(figure).toContain("light-dark(");
      expect(figure.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|url\(|NaN|undefined/);
    }
  });
});
