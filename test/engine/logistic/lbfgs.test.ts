// L-BFGS: known minima, stop signals, and reproducibility.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type LossWithGradient, type MinimiseOptions, minimise } from "../../../engine/logistic/lbfgs.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";

const exact: MinimiseOptions = { maxIterations: 500, gradientTolerance: 1e-9, relativeTolerance: 0, stop: neverStop };

/** Σ curvature_i (x_i - centre_i)² / 2. */
function quadratic(curvatures: readonly number[], centres: readonly number[]): LossWithGradient {
  return (theta, gradient) => {
    let value = 0;
    for (let i = 0; i < theta.length; i++) {
      const distance = theta[i]! - centres[i]!;
      gradient[i] = curvatures[i]! * distance;
      value += (curvatures[i]! * distance * distance) / 2;
    }
    return value;
  };
}

const rosenbrock: LossWithGradient = (theta, gradient) => {
  const [x, y] = [theta[0]!, theta[1]!];
  gradient[0] = -2 * (1 - x) - 400 * x * (y - x * x);
  gradient[1] = 200 * (y - x * x);
  return (1 - x) ** 2 + 100 * (y - x * x) ** 2;
};

const valueAt = (theta: Float64Array) => rosenbrock(theta, new Float64Array(2));

describe("minimise", () => {
  test("finds the centre of any well-conditioned quadratic", () => {
    const part = fc.tuple(fc.double({ min: 0.1, max: 50, noNaN: true }), fc.double({ min: -5, max: 5, noNaN: true }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 30 }), (parts) => {
        const centres = parts.map(([, centre]) => centre);
        const objective = quadratic(
          parts.map(([curvature]) => curvature),
          centres,
        );
        const theta = minimise(objective, new Float64Array(parts.length), exact);
        for (let i = 0; i < centres.length; i++) expect(theta[i]).toBeCloseTo(centres[i]!, 6);
      }),
    );
  });

  test("walks the curved valley of Rosenbrock to (1, 1) and leaves its start as it was", () => {
    const start = Float64Array.of(-1.2, 1);
    const theta = minimise(rosenbrock, start, exact);
    expect(theta[0]).toBeCloseTo(1, 6);
    expect(theta[1]).toBeCloseTo(1, 6);
    expect(valueAt(theta)).toBeLessThan(1e-12);
    expect([...start]).toEqual([-1.2, 1]);
  });

  test("stops at the iteration limit with a value no higher than the start's", () => {
    const valueAfter = (maxIterations: number) =>
      valueAt(minimise(rosenbrock, Float64Array.of(-1.2, 1), { ...exact, maxIterations }));
    expect(valueAfter(3)).toBeLessThan(valueAfter(2));
    expect(valueAfter(2)).toBeLessThan(24.2);
  });

  test("at a minimum it stays", () => {
    expect([...minimise(rosenbrock, Float64Array.of(1, 1), exact)]).toEqual([1, 1]);
  });

  test("survives a region where the objective has no value", () => {
    const barrier: LossWithGradient = (theta, gradient) => {
      const x = theta[0]!;
      gradient[0] = 1 - 1 / x;
      return x > 0 ? x - Math.log(x) : Number.NaN;
    };
    expect(minimise(barrier, Float64Array.of(0.05), exact)[0]).toBeCloseTo(1, 6);
  });

  test("returns the best point so far when the time is up, even in the midst of a line search", () => {
    for (let limit = 1; limit < 20; limit++) {
      let calls = 0;
      const seen: number[] = [];
      const cut: LossWithGradient = (theta, gradient) => {
        calls++;
        const value = calls > limit ? Number.POSITIVE_INFINITY : rosenbrock(theta, gradient);
        seen.push(value);
        return value;
      };
      const stop = { cancelled: () => false, timeIsUp: () => calls > limit };
      const theta = minimise(cut, Float64Array.of(-1.2, 1), { ...exact, stop });
      expect(valueAt(theta)).toBe(Math.min(...seen));
    }
  });

  test("throws when cancelled", () => {
    let calls = 0;
    const counted: LossWithGradient = (theta, gradient) => {
      calls++;
      return rosenbrock(theta, gradient);
    };
    const stop = { cancelled: () => calls >= 4, timeIsUp: () => false };
    expect(() => minimise(counted, Float64Array.of(-1.2, 1), { ...exact, stop })).toThrow(Cancelled);
    expect(calls).toBe(4);
  });
});
