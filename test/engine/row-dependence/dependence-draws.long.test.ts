// How often the dependence check names what drawn rows have in common, and is quiet where they have nothing: several
// draws of each kind.
import { describe, expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { type Flattery, findDependence } from "../../../engine/row-dependence/dependence.ts";
import { columnValues } from "../../../engine/row-dependence/order-columns.ts";
import { findRecurringColumns } from "../../../engine/row-dependence/recurring-columns.ts";
import { codeSample } from "../../../engine/row-dependence/sample.ts";
import { Trial } from "../../../engine/row-dependence/trial.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import {
  drawDrift,
  drawGroups,
  drawLeak,
  drawNames,
  drawRepeats,
  drawSensor,
  drawTwins,
  drawVisits,
  type FieldTable,
  shuffled,
} from "../../bench/field-tables.ts";
import { bondsOf, tableOf } from "../../support/drawn-tables.ts";

/** The first `count` digits of a time, from the year on. */
function digitsOf(at: Date, count: number): string {
  return at.toISOString().replace(/\D/g, "").slice(0, count);
}

/** A tenth of the rows have the rare label; copies of these, drawn at random, are as many as the others. */
function upsampled(seed: number): FieldTable {
  const { names, rows, elsewhere } = drawLeak(1_600, null, seed);
  const isRare = (row: readonly string[]) => row.at(-1) === "yes";
  const rare = rows.filter(isRare).slice(0, 80);
  const others = rows.filter((row) => !isRare(row)).slice(0, 720);
  const random = new Random(seed);
  const copies = Array.from({ length: others.length - rare.length }, () => rare[random.nextBelow(rare.length)]!);
  return {
    names,
    rows: [...shuffled({ names, rows: [...others, ...rare], elsewhere }, seed).rows, ...copies],
    elsewhere,
  };
}

/** By how much the log-odds of a label are lower, for 6% of the rows to have it. */
const RARITY = 7;

describe("labels that go by the values of a category", () => {
  test.each([
    [40, 40, "seen values"],
    [250, 8, "values"],
  ] as const)("are told by it where the other columns are noise: %d values, %d rows each", (count, size, bond) => {
    for (const seed of [1, 2, 3]) expect(bondsOf(drawNames(count, size, 2, seed))).toEqual([[bond, "name"]]);
  });

  test("have no loss below what guessing reaches", () => {
    const { table } = tableOf(drawNames(40, 40, 2, 1));
    const [{ random, held }] = findDependence(table, 1, neverStop).found as [Flattery];
    const most = Math.max(...[0, 1].map((code) => table.classes.filter((own) => own === code).length));
    expect(held).toBeGreaterThanOrEqual(most / table.rowCount);
    expect(random).toBeGreaterThan(held + 0.1);
  });
});

describe("rows that belong together", () => {
  test.each([600, 3_000])("are told by the name of many small groups: %d groups of four", (count) => {
    expect(bondsOf(shuffled(drawGroups(count, 4, 1, 2), 2))).toContainEqual(["group", "group"]);
  });

  test.each([1_000, 4_000])("are told by their near-twins where nothing else tells: %d rows", (rowCount) => {
    expect(bondsOf(drawTwins(rowCount, 2))).toContainEqual(["near-twins", null]);
  });

  test.each([1, 2, 3])("are told as copies alone where rows of a rare label were copied and mixed, seed %d", (seed) => {
    expect(bondsOf(shuffled(upsampled(seed), seed))).toEqual([["copies", null]]);
  });

  test("are told as copies alone where copies of a rare label were appended", () => {
    expect(bondsOf(upsampled(1))).toEqual([["copies", null]]);
  });

  test.each<[string, (at: Date) => string]>([
    ["months", (at) => digitsOf(at, 6)],
    ["days", (at) => digitsOf(at, 8)],
    ["minutes", (at) => digitsOf(at, 12)],
    ["seconds", (at) => digitsOf(at, 14)],
    ["seconds since 1970", (at) => String(at.getTime() / 1_000)],
    ["milliseconds since 1970", (at) => String(at.getTime())],
    ["months as texts", (at) => at.toISOString().slice(0, 7)],
    ["quarters", (at) => `${at.getUTCFullYear()}Q${Math.floor(at.getUTCMonth() / 3) + 1}`],
  ])("are told by a time that is no date: %s", (_, write) => {
    const { names, rows, elsewhere } = shuffled(drawDrift(2_000, 2.4, 1), 1);
    // Half a day apart in place of an hour, so that there are months enough.
    const at = (when: string) => {
      const start = Date.UTC(2020, 0, 1);
      return new Date(start + 12 * (Date.parse(`${when}Z`) - start));
    };
    const otherwise = rows.map(([when, ...cells]) => [write(at(when!)), ...cells]);
    expect(bondsOf({ names, rows: otherwise, elsewhere })).toContainEqual(["time", "when"]);
  });

  test.each([1, 2])("are told by later years where a sensor drifts that the date corrects: draw %d", (seed) => {
    const drawn = drawSensor(6_000, 1, seed);
    for (const own of [drawn, shuffled(drawn, seed)]) {
      const { table } = tableOf(own);
      const years = findDependence(table, seed, neverStop, ["order"]).found.find(({ bond }) => bond === "later years");
      expect(years!.random - years!.held).toBeWithin(0.1, 0.25);
    }
  });
});

describe("visits of patients that no column names", () => {
  const KINDS = ["numbers", "categories"] as const;

  test.each([2, 3, 4, 5])("are told by what stays the same between them: draw %d", (seed) => {
    for (const stays of KINDS) {
      for (const [patients, visits] of [
        [250, 5],
        [500, 3],
        [80, 12],
      ] as const) {
        const { found } = findDependence(tableOf(drawVisits(patients, visits, stays, seed)).table, seed, neverStop);
        const own = found.find(({ bond }) => bond === "recurring")!;
        expect(own.columns).toHaveLength(stays === "numbers" ? 2 : 7);
        expect(own.random - own.held).toBeGreaterThan(0.1);
      }
    }
  });

  test.each([1, 2, 3, 4, 5, 6])("are quiet with one visit each: draw %d", (seed) => {
    for (const stays of KINDS) {
      const { found } = findDependence(tableOf(drawVisits(1_250, 1, stays, seed)).table, seed, neverStop);
      expect(found.map(({ bond }) => bond)).not.toContain("recurring");
    }
  });
});

describe("things that are measured several times with noise", () => {
  test.each([
    [250, 5, 0.05],
    [250, 5, 0.1],
    [250, 5, 0.2],
    [1_000, 4, 0.1],
    [100, 10, 0.05],
    [100, 10, 0.2],
  ])("are told: %d things, %d rows each, noise %p", (things, repeats, noise) => {
    for (const seed of [1, 2, 3]) {
      const { found } = findDependence(tableOf(drawRepeats(things, repeats, noise, seed)).table, seed, neverStop);
      const own = found.find(({ bond }) => bond === "noisy repeats" || bond === "near-twins")!;
      expect(own.random - own.held).toBeGreaterThan(0.1);
    }
  });

  /** Rows that are independent; the label is that of the nearest of some centres, or of waves in two columns. */
  const smooth = (rule: { centres: number } | { waves: number }, columnCount: number, seed: number): FieldTable => {
    const random = new Random(seed);
    const draw = () => Array.from({ length: columnCount }, () => 2 * random.nextFloat() - 1);
    const centres = "centres" in rule ? Array.from({ length: rule.centres }, draw) : [];
    const distance = (own: readonly number[], other: readonly number[]) =>
      own.reduce((sum, value, at) => sum + (value - other[at]!) ** 2, 0);
    const labelOf = (own: readonly number[]) => {
      if ("waves" in rule) return Math.sin(rule.waves * own[0]!) + Math.sin(rule.waves * own[1]!) > 0;
      const distances = centres.map((centre) => distance(own, centre));
      return distances.indexOf(Math.min(...distances)) % 2 === 0;
    };
    const rows = Array.from({ length: 1_500 }, () => {
      const own = draw();
      return [...own.map((value) => value.toFixed(3)), labelOf(own) ? "yes" : "no"];
    });
    return { names: [...Array.from({ length: columnCount }, (_, at) => `c${at}`), "label"], rows, elsewhere: [] };
  };

  test.each([4, 6, 10])("are not taken for rules in %d columns", (columnCount) => {
    for (const rule of [{ centres: 20 }, { centres: 100 }, { centres: 1_000 }, { waves: 5 }, { waves: 20 }]) {
      for (const seed of [1, 2, 3]) {
        const { found } = findDependence(tableOf(smooth(rule, columnCount, seed)).table, seed, neverStop, [
          "near-twins",
        ]);
        expect(found).toEqual([]);
      }
    }
  });
});

describe("rows of groups with a rare label", () => {
  const rare = (groupCount: number, strength: number, seed: number) =>
    shuffled(drawGroups(groupCount, 4_000 / groupCount, strength, seed, 0, RARITY), seed);

  test("are told by what the balanced accuracy loses, where the accuracy stays nearly the same", () => {
    for (const seed of [1, 2]) {
      const { table } = tableOf(rare(50, 0.3, seed));
      const { found } = findDependence(table, seed, neverStop);
      const { measure, random, held } = found.find(({ column }) => column === 0)!;
      expect(measure).toBe("balanced-accuracy");
      expect(random - held).toBeGreaterThan(0.05);
      const trial = new Trial(codeSample(table), { seed, stop: neverStop, measure: "accuracy" });
      const groups = Uint32Array.from(columnValues(table, 0));
      const plain = trial.costOfGroups(groups);
      expect(plain.measure).toBe("accuracy");
      expect(plain.random - plain.held).toBeLessThan(0.02);
    }
  });

  test("are quiet where the groups say nothing", () => {
    for (const groupCount of [20, 50]) expect(bondsOf(rare(groupCount, 0, 1))).toEqual([]);
  });
});

describe("rows that are independent", () => {
  test.each([1, 2, 3, 4, 5, 6])("are quiet where every further row teaches something: draw %d", (seed) => {
    // Only rows of the same pair tell a row's label, and a pair has two rows in the mean.
    const random = new Random(seed);
    const labels = Array.from({ length: 900 }, () => (random.nextBelow(2) === 0 ? "yes" : "no"));
    const rows = Array.from({ length: 1_800 }, () => {
      const [a, b] = [random.nextBelow(30), random.nextBelow(30)];
      return [`${a}.5`, `${b}.5`, labels[30 * a + b]!];
    });
    expect(bondsOf({ names: ["a", "b", "label"], rows, elsewhere: [] })).toEqual([]);
  });

  test.each([1, 2, 3])("are quiet: draw %d", (seed) => {
    expect(bondsOf(drawLeak(1_000, null, seed))).toEqual([]);
    expect(bondsOf(drawNames(40, 25, 0, seed))).toEqual([]);
    expect(bondsOf(shuffled(drawGroups(40, 25, 0, seed), seed))).toEqual([]);
  });

  test("are quiet where a category of many values tells the label in few columns: near-twins are chance there", () => {
    const random = new Random(3);
    const rows = Array.from({ length: 2_000 }, () => {
      const minute = random.nextBelow(1_440);
      const isDay = minute > 480 && minute < 1_080 !== random.nextFloat() < 0.1;
      return [`${Math.floor(minute / 60)}:${minute % 60} h`, random.nextFloat().toFixed(2), isDay ? "day" : "night"];
    });
    expect(bondsOf({ names: ["time", "weight", "label"], rows, elsewhere: [] })).toEqual([]);
  });

  test.each([1, 2, 3])("of several years are no worse in later ones, whatever the season does: draw %d", (seed) => {
    expect(bondsOf(drawSensor(4_000, 0, seed)).map(([bond]) => bond)).not.toContain("later years");
  });
});

test("of very many rows, whole patients stand for all", () => {
  const random = new Random(1);
  const patients = Array.from({ length: 60_000 }, () => [
    `${random.nextBelow(3_000)}.5`,
    `${random.nextBelow(3_000)}.5`,
  ]);
  const rows = Array.from({ length: 240_000 }, (_, row) => [
    ...patients[(row * 7) % 60_000]!,
    `${random.nextBelow(2)}`,
  ]);
  const { table } = tableOf(shuffled({ names: ["a", "b", "label"], rows, elsewhere: [] }, 1));
  const [found] = findRecurringColumns(table, neverStop);
  expect(found!.columns).toEqual([0, 1]);
  const sizes = Map.groupBy(
    found!.contents.filter((own) => !Number.isNaN(own)),
    (own) => own,
  );
  const counted = [...sizes.values()].reduce((sum, own) => sum + own.length, 0);
  expect(counted).toBeWithin(80_000, 160_000);
  expect([...sizes.values()].every((own) => own.length % 4 === 0)).toBeTrue();
});
