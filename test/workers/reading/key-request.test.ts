// What is asked of group and time columns: each setting with its default, and nothing where nothing is asked for.
import { expect, test } from "bun:test";
import { askedColumnsOf, keyRequestOf } from "../../../workers/reading/profile-file.ts";

const NONE = { groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [] };

test("every setting has a default, and other fields are left behind", () => {
  expect(keyRequestOf({})).toEqual(NONE);
  expect(keyRequestOf({ ...NONE, groupColumn: "machine", ...{ name: "churn" } })).toEqual({
    ...NONE,
    groupColumn: "machine",
  });
});

test("work of earlier versions has the identity of work that asks for none", () => {
  expect([askedColumnsOf({}), askedColumnsOf({ ...NONE, columnChoices: [] })]).toEqual([{}, {}]);
});

test.each([{ groupColumn: "a" }, { timeColumn: "a" }, { keepKeyColumns: true }, { withoutColumns: ["a"] }])(
  "%j makes other work",
  (asked) => {
    expect(askedColumnsOf({ ...NONE, ...asked })).toEqual({ ...NONE, ...asked });
  },
);

test("a choice for a column makes other work, and nothing else of it", () => {
  const columnChoices = [{ name: "zip", kind: "category" }] as const;
  expect(askedColumnsOf({ ...NONE, columnChoices })).toEqual({ columnChoices });
});
