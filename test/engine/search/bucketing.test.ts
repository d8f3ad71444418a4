// The bucketings of a small table are kept, and are the same as those that are fitted anew.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { fitBucketing } from "../../../engine/search/bucketing.ts";
import { type BucketChoice, FINE_BUCKETS, fitBuckets, mergeBuckets } from "../../../engine/table/buckets.ts";
import { mergeByLabel } from "../../../engine/table/label-cuts.ts";
import { drawTable } from "../../support/tables.ts";

const choices: readonly BucketChoice[] = ["fine", "by label", 5, 20];

test("in any order of rows and choices it is that of the rows alone", () => {
  const table = drawTable(300, 3, 1);
  const asked = fc.record({ without: fc.nat({ max: 20 }), choice: fc.constantFrom(...choices) });
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 40 }), (all) => {
      for (const { without, choice } of all) {
        const rows = rowsUpTo(table.rowCount).filter((row) => row % 21 !== without);
        const fine = fitBuckets(table, rows, FINE_BUCKETS);
        const merged = choice === "by label" ? mergeByLabel(table, rows, fine) : mergeBuckets(fine, Number(choice));
        expect(fitBucketing(table, rows, choice, 20)).toEqual(choice === "fine" ? fine : merged);
      }
    }),
    { numRuns: 10 },
  );
});

test("of a small table it is fitted once for the same rows", () => {
  const [small, large] = [drawTable(300, 2, 1), drawTable(2_001, 2, 1)];
  const rows = () => rowsUpTo(200);
  expect(fitBucketing(small, rows(), 20, 20)).toBe(fitBucketing(small, rows(), 20, 20));
  expect(fitBucketing(small, rows(), 20, 20)).not.toBe(fitBucketing(small, rows(), 20, 300));
  expect(fitBucketing(large, rows(), 20, 20)).not.toBe(fitBucketing(large, rows(), 20, 20));
});
