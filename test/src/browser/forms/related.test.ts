// How new rows are related to those of a table: in addresses, in requests, and with what a doubt asks for.
import { expect, test } from "bun:test";
import {
  changesFrom,
  type Related,
  relatedFields,
  relatedIn,
  relatedInWords,
  remedied,
  UNRELATED,
} from "../../../../src/browser/forms/related.ts";
import { remediesOf } from "../../../../src/verdict/remedies.ts";
import { FEW_DOUBT, GROUP_DOUBT, LEAK_DOUBT } from "../../../support/verdicts.ts";

const BY_MACHINE: Related = { ...UNRELATED, groupColumn: "machine", withoutColumns: ["a & b", "Größe, 1/2"] };

test.each([UNRELATED, BY_MACHINE, { ...BY_MACHINE, timeColumn: "when?", keepKeyColumns: true }])(
  "an address keeps every setting: %#",
  (related) => {
    const { group, time, keep, without, ...marker } = relatedFields(related);
    const single = Object.entries({ group, time, keep, ...marker }).filter(([, value]) => value !== null);
    const query = new URLSearchParams(single.map(([name, value]): [string, string] => [name, String(value)]));
    for (const name of without) query.append("without", name);
    expect(relatedIn(new URLSearchParams(query.toString()))).toEqual(related);
  },
);

test("an address without settings has none, so that the dataset's hold", () => {
  expect(relatedIn(new URLSearchParams("width=3"))).toBeNull();
});

test("only what differs from the dataset's is asked for, and nothing where nothing was chosen", () => {
  expect(changesFrom(UNRELATED, UNRELATED)).toEqual({});
  expect(changesFrom(BY_MACHINE, BY_MACHINE)).toEqual({});
  expect(changesFrom(UNRELATED, BY_MACHINE)).toEqual({
    groupColumn: "machine",
    withoutColumns: BY_MACHINE.withoutColumns,
  });
  expect(changesFrom(BY_MACHINE, UNRELATED)).toEqual({ groupColumn: null, withoutColumns: [] });
  expect(changesFrom(UNRELATED, { ...UNRELATED, keepKeyColumns: true })).toEqual({});
});

test("a remedy keeps what was chosen before", () => {
  const [judge] = remediesOf(GROUP_DOUBT);
  const [leave] = remediesOf(LEAK_DOUBT);
  const judged = remedied({ ...UNRELATED, withoutColumns: ["first"] }, judge!.changes!);
  expect(judged).toEqual({ ...UNRELATED, groupColumn: "machine", withoutColumns: ["first"] });
  const left = remedied(judged, leave!.changes!);
  expect(left.withoutColumns).toEqual(["first", "Kündigungsdatum"]);
  expect(remedied(left, leave!.changes!)).toEqual(left);
});

test.each([
  [GROUP_DOUBT, ["Judge by machine"]],
  [LEAK_DOUBT, ["Train without Kündigungsdatum"]],
  [{ ...LEAK_DOUBT, columns: ["a", "b"] }, ["Train without a and b"]],
  [{ code: "TIME_FLATTERS", columns: ["when"] }, ["Judge by time"]],
  [{ code: "SORTED_FILE", columns: ["t"] }, ["Judge by t as a time", "Judge by t as a group"]],
  [{ code: "FILE_ORDER_FLATTERS", columns: [] }, ["Choose a column to judge by"]],
  [{ code: "NEAR_TWINS_FLATTER", columns: [] }, ["Choose a column to judge by"]],
  [{ code: "NOT_BETTER_THAN_GUESSING", columns: [] }, ["Send a table that says more"]],
  [{ code: "TARGET_IS_GUESSING", columns: [] }, ["Train with another target"]],
  [FEW_DOUBT, []],
  [{ code: "A_CODE_OF_LATER", columns: ["x"] }, []],
])("a doubt has its buttons: %#", (doubt, words) => {
  expect(remediesOf(doubt).map((remedy) => remedy.words)).toEqual(words);
});

test("settings are told in few words, and the default in none", () => {
  expect(relatedInWords(UNRELATED)).toBe("");
  expect(relatedInWords({ ...BY_MACHINE, timeColumn: "when" })).toBe(
    "Judged by machine and by time (when). Trained without a & b, Größe, 1/2.",
  );
});
