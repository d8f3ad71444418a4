// Costs as typed: the labels and the number, with labels that hold colons and equals signs themselves.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { InputError } from "../../../engine/input-error.ts";
import { costOf, readCostText } from "../../../src/words/cost-texts.ts";

const label = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom("a", "b", ":", "=", " ", "é") });

test("any label, and any pair of labels that can be told apart, is found again", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(label, { minLength: 2, maxLength: 4 }),
      fc.constantFrom(0, 0.5, 5, 1e6),
      fc.boolean(),
      (labels, cost, isPair) => {
        const [actual, other] = labels as [string, string];
        const text = isPair ? `${actual}:${other}` : actual;
        const read = readCostText(`${text}=${cost}`);
        expect(read).toEqual({ labels: text, cost });
        if (isPair && labels.includes(text)) return;
        try {
          expect(costOf(read!, labels)).toEqual({ actual, predicted: isPair ? other : null, cost });
        } catch (error) {
          // Such as "a:a:a" of the labels "a" and "a:a".
          if (!(error instanceof InputError) || error.code !== "COST_AMBIGUOUS") throw error;
          const splits = labels.flatMap((from) => labels.filter((to) => `${from}:${to}` === text));
          expect(splits.length).toBeGreaterThan(1);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test("what is no cost is none", () => {
  for (const text of ["", "bad", "=5", "bad=", "bad=x", "bad=-1", "bad=1e7", "bad=NaN", "bad=Infinity"]) {
    expect(readCostText(text)).toBeNull();
  }
});

test("an unknown label stays as it was typed, for the error to name", () => {
  const read = readCostText("bat:good=2")!;
  expect(costOf(read, ["bad", "good"])).toEqual({ actual: "bat", predicted: "good", cost: 2 });
  expect(costOf(readCostText("bat=2")!, ["bad", "good"])).toEqual({ actual: "bat", predicted: null, cost: 2 });
});
