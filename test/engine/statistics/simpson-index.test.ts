// Simpson's index, against every pair of rows.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { simpsonIndex } from "../../../engine/statistics/simpson-index.ts";

test("is the share of pairs of rows, each with itself too, that are of one kind", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { minLength: 1, maxLength: 30 }), (kinds) => {
      const counts = Array.from({ length: 7 }, (_, kind) => kinds.filter((own) => own === kind).length);
      const pairs = kinds.flatMap((one) => kinds.map((other) => one === other));
      expect(simpsonIndex(counts)).toBeCloseTo(pairs.filter(Boolean).length / pairs.length, 12);
    }),
  );
});
