// A path of ridges: solved from the largest down, answered in the order asked for.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { LogisticProblem } from "../../../engine/families/logistic-regression.ts";
import { solvePath } from "../../../engine/families/ridge-path.ts";
import { drawInput } from "./coded-input.ts";

test("solvePath goes from the largest ridge to the smallest, and answers in the order of the ridges", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }), (ridges) => {
      const asked: number[] = [];
      const problem = {
        solve: (l2: number, maxIterations: number) => {
          asked.push(l2);
          return `${l2} in ${maxIterations}`;
        },
      };
      expect(solvePath(problem, ridges, 60)).toEqual(ridges.map((l2) => `${l2} in 60`));
      expect(asked).toEqual([...ridges].sort((a, b) => b - a));
    }),
  );
});

test("a path of logistic regressions is the same as solving one after another", () => {
  const input = drawInput({ seed: 11, rowCount: 300, classCount: 3, bucketCounts: [8, 4] });
  const problem = new LogisticProblem(input, "smooth");
  const [ten, one] = [10, 1].map((l2) => problem.solve(l2, 80));
  expect(solvePath(new LogisticProblem(input, "smooth"), [1, 10], 80)).toEqual([one!, ten!]);
});
