// Lists in any order: every row once, page after page, whatever is made or deleted meanwhile.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Place, UnknownPlace } from "../../data/database/pages.ts";
import { deleteDataset, listDatasets } from "../../data/datasets.ts";
import { listModels, nameModel } from "../../data/models.ts";
import { listTrainingJobs } from "../../data/training-jobs.ts";
import { addDataset, addModel, NOON, openTestState, type TestState } from "./state.ts";

let state: TestState;

beforeAll(() => {
  state = openTestState();
});

afterAll(() => state.close());

const ROWS = fc.array(fc.tuple(fc.option(fc.nat(3)), fc.constantFrom("a", "B", "b", "C")), { maxLength: 12 });
const BY = fc.constantFrom("rowCount", "name", "createdOn");

function addRows(rows: readonly [rowCount: number | null, name: string][]) {
  const { database, ann } = state;
  database.client.run("UPDATE datasets SET deletedOn = 'x'");
  return rows.map(([rowCount, letter], index) => {
    const { key } = addDataset(database, ann);
    const name = `${letter}${index}`;
    database.client.run("UPDATE datasets SET rowCount = ?, name = ? WHERE key = ?", [rowCount, name, key]);
    return { key, rowCount, name: name.toLowerCase(), createdOn: 0 };
  });
}

type Row = ReturnType<typeof addRows>[number];

/** Ties in the order of making; without a value last. */
function sorted(rows: readonly Row[], by: "rowCount" | "name" | "createdOn", isDescending: boolean): string[] {
  const ordered = (isDescending ? rows.toReversed() : [...rows]).toSorted((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return (x < y ? -1 : Number(x > y)) * (isDescending ? -1 : 1);
  });
  return ordered.map(({ key }) => key);
}

function readAll(sort: string, limit: number, meanwhile: (page: number) => void = () => undefined): string[] {
  const seen: string[] = [];
  for (let after: Place | undefined, page = 0; ; page++) {
    const { items, next } = listDatasets(state.database, state.ann, { offset: 0, limit, sort, after });
    seen.push(...items.map(({ key }) => key));
    if (next === undefined) return seen;
    after = next;
    meanwhile(page);
  }
}

test("pages of any length have every row once, in order, as pages by offset do", () => {
  fc.assert(
    fc.property(ROWS, BY, fc.boolean(), fc.integer({ min: 1, max: 5 }), (rows, by, isDescending, limit) => {
      const expected = sorted(addRows(rows), by, isDescending);
      const sort = `${isDescending ? "-" : ""}${by}`;
      expect(readAll(sort, limit)).toEqual(expected);
      const page = listDatasets(state.database, state.ann, { offset: 1, limit: 100, sort });
      expect(page.items.map(({ key }) => key)).toEqual(expected.slice(1));
      expect(page).toMatchObject({ total: expected.length });
    }),
    { numRuns: 60 },
  );
});

test("what is made and deleted meanwhile moves no page", () => {
  const { database, ann } = state;
  const rows = addRows([3, null, 1, 1, 2, null].map((count) => [count, "n"]));
  const expected = sorted(rows, "rowCount", false);
  const seen = readAll("rowCount", 2, (page) => {
    // Behind the page: one that was seen goes, and one comes that would stand before all.
    deleteDataset(database, ann, expected[page * 2]!, NOON);
    const { key } = addDataset(database, ann);
    database.client.run("UPDATE datasets SET rowCount = 0 WHERE key = ?", [key]);
  });
  expect(seen).toEqual(expected);
});

test("a place that is nobody's, or another user's, is refused", () => {
  const { database, ann, bob } = state;
  for (const key of [addDataset(database, bob).key, "none"]) {
    const page = { offset: 0, limit: 1, after: { key, value: null } };
    expect(() => listDatasets(database, ann, page)).toThrow(UnknownPlace);
  }
});

test("models are sorted by their own name, else by their dataset's, and by the champion's accuracy", () => {
  const { database, bob } = state;
  const named = (name: string, own: string | null) => {
    const dataset = addDataset(database, bob);
    database.client.run("UPDATE datasets SET name = ? WHERE key = ?", [name, dataset.key]);
    const { key } = addModel(database, dataset);
    if (own !== null) nameModel(database, bob, { modelKey: key, version: null }, { name: own });
    return key;
  };
  const keys = [named("m", null), named("a", "Z"), named("b", null)];
  database.client.run("UPDATE modelVersions SET testPerformance = 0.5 WHERE modelKey = ?", [keys[2]!]);
  const listed = (sort: string) =>
    listModels(database, bob, { offset: 0, limit: 2, sort }).items.map(({ key }) => keys.indexOf(key));
  expect(listed("name")).toEqual([2, 0]);
  expect(listed("-name")).toEqual([1, 0]);
  expect(listed("testPerformance")).toEqual([2, 0]);
  expect(listModels(database, bob, { offset: 0, limit: 1, sort: "name" }).next?.value).toBe("b");
  const jobs = listTrainingJobs(database, bob, { offset: 0, limit: 3, sort: "datasetName" }).items;
  expect(jobs.map(({ modelKey }) => keys.indexOf(modelKey!))).toEqual([1, 2, 0]);
});
