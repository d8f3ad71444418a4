// Visits that no longer took place: their empty cells tell the outcome, in several columns at once.
import { describe, expect, test } from "bun:test";
import { emptyRows, withNested } from "../../../engine/leaks/empty-rows.ts";
import { findLeaks } from "../../../engine/leaks/leaks.ts";
import { findMarkedLeaks } from "../../../engine/leaks/mark-gains.ts";
import { deriveSeed, Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

const ROWS = 1_000;

type IsEmpty = (visit: number, died: boolean, random: Random) => boolean;

/** An age that tells a part of the label, then two laboratory values of each visit, which tell nothing. */
function drawVisits(visitCount: number, isEmpty: IsEmpty, seed: number) {
  const random = new Random(deriveSeed(seed, visitCount));
  const rows = Array.from({ length: ROWS }, () => {
    const died = random.nextFloat() < 0.35;
    const visits = Array.from({ length: visitCount }, (_, visit) => {
      const empty = isEmpty(visit, died, random);
      return [0, 1].map(() => (empty ? "" : (10 + drawNormal(random)).toFixed(1)));
    });
    const age = (65 + 5 * (died ? 1 : 0) + 8 * drawNormal(random)).toFixed(0);
    return [age, ...visits.flat(), died ? "died" : "alive"];
  });
  const visitNames = Array.from({ length: visitCount }, (_, visit) => [`lab_v${visit}`, `weight_v${visit}`]).flat();
  return tableOf({ names: ["age", ...visitNames, "outcome"], rows, elsewhere: [] }).table;
}

const asked = (table: ReturnType<typeof drawVisits>) =>
  [...findMarkedLeaks(table, 1, neverStop)].map(({ by, columns }) => ({ by, columns }));

test("columns that are empty in the same rows are one pattern, and those within it belong to it", () => {
  let last = 0;
  const table = drawVisits(
    3,
    (visit, _, random) => {
      if (visit === 0) last = random.nextBelow(4);
      return visit >= last;
    },
    1,
  );
  const patterns = emptyRows(table);
  expect(patterns.map(({ columns }) => columns)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  const all = withNested(patterns[0]!, patterns, ROWS);
  expect(all.columns).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.rowCount).toBe(patterns[2]!.rowCount);
});

describe("empty cells of those who died", () => {
  test.each([
    ["in 70% and 10% of the others", 0.7, 0.1, 1],
    ["in 50% and 10%", 0.5, 0.1, 2],
    ["in 80% and 10%", 0.8, 0.1, 3],
  ])("are asked about, with all columns of the visit: %s", (_, died, others, seed) => {
    const table = drawVisits(1, (_, isDied, random) => random.nextFloat() < (isDied ? died : others), seed);
    expect(asked(table)).toEqual([{ by: "empty rows", columns: [1, 2] }]);
  });

  test("of nearly no others are one mark, and one suspect by what is filled", () => {
    const table = drawVisits(1, (_, isDied, random) => isDied && random.nextFloat() < 0.6, 1);
    expect(asked(table)).toEqual([{ by: "mark", columns: [1, 2] }]);
    expect(findLeaks(table, neverStop)).toMatchObject([{ by: "presence", columns: [1, 2] }]);
  });

  test("are asked about with earlier and later visits", () => {
    let last = 0;
    const table = drawVisits(
      3,
      (visit, isDied, random) => {
        if (visit === 0) last = isDied ? 1 + random.nextBelow(3) : random.nextFloat() < 0.85 ? 3 : 2;
        return visit >= last;
      },
      2,
    );
    const columns = asked(table).flatMap((leak) => leak.columns);
    expect(columns.sort()).toEqual([3, 4, 5, 6]);
  });
});

test.each([1, 2, 3])("no empty cells are asked about that tell little: draw %d", (seed) => {
  expect(asked(drawVisits(2, (_, isDied, random) => random.nextFloat() < (isDied ? 0.3 : 0.25), seed))).toEqual([]);
});
