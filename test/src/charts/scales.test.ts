// Names cut to a width: told apart by their ends where their beginnings are alike.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { fitText, fitTexts } from "../../../src/charts/scales.ts";

test("labels with the same beginning keep their ends", () => {
  const labels = ["letter of kind A", "letter of kind B", "no"];
  expect(fitTexts(labels, 66, 11)).toEqual(
    ["… of kind A", "… of kind B", "no"].map((text) => text.replace("… of", "…of")),
  );
  expect(fitTexts(["good", "bad"], 66, 11)).toEqual(["good", "bad"]);
});

test("no cut makes more labels alike than cutting their ends would, and none is longer", () => {
  const unit = fc.constantFrom("a", "b", "é", "👩‍👩‍👧", " ");
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30, unit }), { minLength: 1 }),
      fc.integer({ min: 20, max: 90 }),
      (labels, width) => {
        const plain = labels.map((label) => fitText(label, width, 11));
        const fitted = fitTexts(labels, width, 11);
        expect(new Set(fitted).size).toBeGreaterThanOrEqual(new Set(plain).size);
        const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
        fitted.forEach((text, at) => {
          const most = Math.max(9, Math.floor(width / 6.6));
          expect([...segmenter.segment(text)].length).toBeLessThanOrEqual(Math.max(most, 0));
          expect(
            labels[at]!.trim() === "" || text.includes("…") || text === labels[at]!.trim() || text === labels[at],
          ).toBeTrue();
        });
      },
    ),
  );
});
