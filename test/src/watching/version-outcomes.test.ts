// A version by labels that came for rows which somebody chose by their decisions.
import { expect, test } from "bun:test";
import { labelledVersion } from "../../../src/watching/version-outcomes.ts";
import { promiseSentence } from "../../../src/words/outcome-words.ts";

const CONFIRMED = { mean: 0.8, low: 0.77, high: 0.82 };
const MODEL = {
  labels: ["ok", "scrap"],
  lineage: { classCounts: [600, 400], performance: { confirmedPerformance: { ...CONFIRMED, rowCount: 900 } } },
};

/** Complaints: all labelled rows are scrap, and half of them were found. */
function ofLabels(withoutLabelBy: number[]) {
  const confusion = [
    [0, 0],
    [500, 500],
  ];
  const counts = { confusion, unknownLabels: 0, withoutLabel: 2_000, withoutLabelBy, unmatched: 0 };
  return labelledVersion(MODEL, [{ day: "2031-05-06", counts, asTrained: true }]);
}

test("they are held against nothing, whichever way they would speak, and their shares are not told as the labels' own", () => {
  const complaints = ofLabels([2_000, 0]);
  expect(complaints).toMatchObject({ confirmed: null, changedLabel: null });
  expect(complaints.verdict).toMatchObject({ state: "NO_PROMISE", otherThreshold: false, chosen: { all: 1 / 6 } });
  const all = ofLabels([0, 0]);
  expect(all.verdict).toMatchObject({ state: "WORSE_THAN_PROMISED", chosen: null });
  expect(all.confirmed).toEqual(CONFIRMED);
  const { objective, verdict } = complaints;
  expect(promiseSentence({ objective, verdict, rowCount: 1_000, unknownLabels: 0 })).toStartWith(
    'The labels came for chosen rows: 50.0% of the rows with labels are predicted "scrap", of all rows 16.7%.',
  );
});
