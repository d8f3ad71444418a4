// Changes of how a dataset is read on their way to the server: what is shown meanwhile, and that changes go together.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CHOSEN_KINDS } from "../../../../engine/columns/choices.ts";
import {
  type Changes,
  type Choices,
  changed,
  choiceOf,
  hasChoices,
  merged,
} from "../../../../src/browser/forms/choices.ts";

const NONE: Choices = {
  ...{ labelColumn: "a", groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [] },
  missingValues: null,
  columnChoices: [],
};

const name = fc.constantFrom("a", "b", "c");
const texts = fc.array(fc.constantFrom("-", "?", "none"), { maxLength: 2 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const choice = fc.record(
  { name, kind: optional(fc.constantFrom(...CHOSEN_KINDS)), missingTexts: optional(texts) },
  { requiredKeys: ["name"] },
);
const columnChoices = fc.uniqueArray(choice, { selector: (each) => each.name });
const changes = fc.record(
  {
    ...{ labelColumn: name, groupColumn: optional(name), timeColumn: optional(name), keepKeyColumns: fc.boolean() },
    ...{ withoutColumns: fc.uniqueArray(name), missingValues: optional(texts), columnChoices },
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Changes>;
/** A choice of nothing is no choice. */
const asRead = (choices: Choices) => ({
  ...choices,
  columnChoices: ["a", "b", "c"].map((each) => choiceOf(choices, each)),
});

describe("changes", () => {
  test("that go together are what they are one after the other", () => {
    fc.assert(
      fc.property(changes, changes, changes, (stored, first, second) => {
        const before = changed(NONE, stored);
        const apart = changed(changed(before, first), second);
        expect(asRead(changed(before, merged(first, second)))).toEqual(asRead(apart));
      }),
    );
  });

  test("leave what they do not name", () => {
    fc.assert(
      fc.property(changes, (stored) => {
        const before = changed(NONE, stored);
        expect(asRead(changed(before, {}))).toEqual(asRead(before));
      }),
    );
  });

  test("are about what is named of a column, and null undoes", () => {
    const stored = changed(NONE, { columnChoices: [{ name: "a", kind: "text", missingTexts: ["-"] }] });
    const undone = changed(stored, { columnChoices: [{ name: "a", kind: null }], groupColumn: "b" });
    expect(undone).toEqual({ ...NONE, groupColumn: "b", columnChoices: [{ name: "a", missingTexts: ["-"] }] });
    expect(choiceOf(undone, "b")).toEqual({ name: "b" });
  });
});

test.each([
  [{}, false],
  [{ keepKeyColumns: true }, false],
  [{ groupColumn: "a" }, true],
  [{ timeColumn: "a" }, true],
  [{ withoutColumns: ["a"] }, true],
  [{ missingValues: [] }, true],
  [{ columnChoices: [{ name: "a", missingTexts: [] }] }, true],
])("a dataset with %j has choices: %j", (own, has) => {
  expect(hasChoices({ ...NONE, ...own })).toBe(has);
});
