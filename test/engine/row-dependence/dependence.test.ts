// The dependence check before training, on drawn tables of known truth: it names what rows
// have in common, and is quiet where they have nothing.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findLeaks } from "../../../engine/leaks/leaks.ts";
import { Random } from "../../../engine/random.ts";
import { findCopiedRows } from "../../../engine/row-dependence/copied-rows.ts";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { drawWholeGroups } from "../../../engine/row-dependence/group-rows.ts";
import { codeSample } from "../../../engine/row-dependence/sample.ts";
import { Trial } from "../../../engine/row-dependence/trial.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import type { Table } from "../../../engine/table/table.ts";
import {
  drawCopies,
  drawDrift,
  drawGroups,
  drawLeak,
  drawTwins,
  type FieldTable,
  LEAKS,
  shuffled,
  withoutKey,
} from "../../bench/field-tables.ts";
import { bondsOf, tableOf } from "../../support/drawn-tables.ts";

describe("rows that belong together", () => {
  const groups = drawGroups(40, 25, 1, 1);

  test("are told by the column that names their group, in any order of the file", () => {
    expect(bondsOf(shuffled(groups, 1))).toContainEqual(["group", "group"]);
  });

  test("of many small groups are told by its name in a shuffled file", () => {
    expect(bondsOf(shuffled(drawGroups(600, 4, 1, 1), 1))).toContainEqual(["group", "group"]);
  });

  test("are told by a name before numbers that are the same in a group", () => {
    const { names, rows, elsewhere } = shuffled(drawGroups(300, 5, 1, 1), 1);
    const numbersOf = (group: string) => [37, 41, 43].map((step) => String((step * Number(group.slice(1))) % 9_973));
    const withNumbers = rows.map(([group, ...cells]) => [...numbersOf(group!), group!, ...cells]);
    const bonds = bondsOf({ names: ["income", "zip", "limit", ...names], rows: withNumbers, elsewhere });
    expect(bonds.slice(0, 2)).toContainEqual(["group", "group"]);
  });

  test("are told where few groups have a rare label, and not where any row may have it", () => {
    for (const inGroups of [true, false]) {
      const random = new Random(1);
      const rows = Array.from({ length: 2_000 }, (_, account) => {
        const own = [`A${account}`, ...[1, 2].map(() => random.nextFloat().toFixed(4))];
        const isRare = random.nextFloat() < 0.025;
        return Array.from({ length: 10 }, () => {
          const share = inGroups ? (isRare ? 0.4 : 0) : 0.01;
          return [...own, random.nextFloat().toFixed(4), random.nextFloat() < share ? "yes" : "no"];
        });
      }).flat();
      const drawn = { names: ["account", "home", "balance", "amount", "label"], rows, elsewhere: [] };
      const { table } = tableOf(shuffled(drawn, 1));
      const bonds = findDependence(table, 1, neverStop, ["groups"]).found.map(({ bond, column }) => [bond, column]);
      expect(bonds).toEqual(inGroups ? [["group", 0]] : []);
    }
  });

  test("are told by the order of the file where no column names their group", () => {
    expect(bondsOf(withoutKey(groups))).toContainEqual(["file order", null]);
  });

  test("are told by their order in a file that is sorted by label, whatever number rises within each label", () => {
    /** The rows with a rising number, then those of one label before the others. */
    const byLabel = ({ names, rows, elsewhere }: FieldTable): FieldTable => {
      const numbered = rows.map((row, at) => [`${400_000 + 7 * at + (at % 3)}`, ...row]);
      const isYes = (row: string[]) => Number(row.at(-1) === "yes");
      return { names: ["number", ...names], rows: numbered.toSorted((a, b) => isYes(a) - isYes(b)), elsewhere };
    };
    expect(bondsOf(byLabel(withoutKey(groups)))).toContainEqual(["file order", null]);
    expect(bondsOf(byLabel(drawLeak(1_000, null, 1)))).toEqual([]);
  });

  test("cost about as much as they do on groups that nobody has seen", () => {
    const { table } = tableOf(shuffled(groups, 1));
    const [worst] = findDependence(table, 1, neverStop).found;
    expect(worst!.random).toBeGreaterThan(0.9);
    expect(worst!.held).toBeLessThan(0.7);
  });

  test("are told by their near-twins where nothing else tells", () => {
    expect(bondsOf(drawTwins(1_000, 1))).toContainEqual(["near-twins", null]);
  });

  test.each([0.5, 1])("are told as copies, whatever their columns are like: %d of the rows repeated", (share) => {
    expect(bondsOf(drawCopies(1_000, share, 1))).toEqual([["copies", null]]);
  });

  test("are told by their order beside their copies, where each stands next to its copy and where a file was appended", () => {
    const { names, rows, elsewhere } = withoutKey(groups);
    const beside = rows.flatMap((row) => [row, row]);
    for (const doubled of [beside, [...rows, ...rows]])
      expect(bondsOf({ names, rows: doubled, elsewhere })).toContainEqual(["file order", null]);
  });

  test.each([271, 306])("are not told by an order that hangs on which copy is kept: table %i", (seed) => {
    const { names, rows, elsewhere } = drawLeak(1_000, null, seed);
    const random = new Random(seed);
    const copies = Array.from({ length: 800 }, () => rows[random.nextBelow(rows.length)]!);
    const { table } = tableOf(shuffled({ names, rows: [...rows, ...copies], elsewhere }, seed));
    expect(findDependence(table, 3, neverStop, ["order"]).found).toEqual([]);
  });

  test("are told as copies that were numbered anew", () => {
    const numbered = ({ names, rows, elsewhere }: FieldTable): FieldTable => ({
      ...{ names: ["number", ...names], elsewhere },
      rows: rows.map((row, at) => [`${7 * at + (at % 3)}`, ...row]),
    });
    const copied = numbered(drawCopies(1_000, 0.5, 1));
    expect(bondsOf(copied)).toEqual([["copies", null]]);
    expect(findCopiedRows(tableOf(copied).table, neverStop)!.kept).toHaveLength(1_000);
    expect(findCopiedRows(tableOf(numbered(drawLeak(1_000, null, 1))).table, neverStop)).toBeNull();
  });

  test("cost about as much as copies do on rows of which none stands twice", () => {
    const { table } = tableOf(drawCopies(1_000, 1, 1));
    const { found, copiedRowCount } = findDependence(table, 1, neverStop);
    expect(copiedRowCount).toBe(1_000);
    const once = tableOf(drawLeak(1_000, null, 1)).table;
    const trial = new Trial(codeSample(once), { seed: 1, stop: neverStop, measure: "accuracy" });
    const { right } = trial.atRandom(0);
    const accuracy = right.reduce((sum, own) => sum + own, 0) / right.length;
    expect(found[0]!.random).toBeGreaterThan(accuracy + 0.1);
    expect(Math.abs(found[0]!.held - accuracy)).toBeLessThan(0.05);
  });

  test("are told by a date where the rule changes with time", () => {
    expect(bondsOf(shuffled(drawDrift(2_000, 2.4, 1), 1))).toContainEqual(["time", "when"]);
  });

  test("are told by a year and a month in two columns, if the rule changes with them", () => {
    for (const drift of [2.4, 0]) {
      const { names, rows, elsewhere } = shuffled(drawDrift(2_000, drift, 1), 1);
      const inMonths = rows.map(([when, ...cells], row) => {
        // Half a day apart in place of an hour, so that there are months enough.
        const at = new Date(Date.UTC(2020, 0, 1) + 12 * (Date.parse(`${when}Z`) - Date.UTC(2020, 0, 1)));
        return [`${at.getUTCFullYear()}`, `${at.getUTCMonth() + 1}`, `${row % 7}`, ...cells];
      });
      const drawn = { names: ["year", "month", "weekday", ...names.slice(1)], rows: inMonths, elsewhere };
      const { table } = tableOf(drawn);
      const bonds = findDependence(table, 1, neverStop).found.map(({ bond, columns }) => [bond, columns]);
      expect(bonds).toEqual(drift === 0 ? [] : [["split time", [0, 1]]]);
    }
  });

  test("are told by the latest of two dates", () => {
    const { names, rows, elsewhere } = shuffled(drawDrift(2_000, 2.4, 1), 1);
    const random = new Random(1);
    const born = () => `${1950 + random.nextBelow(50)}-0${1 + random.nextBelow(9)}-15`;
    const dated = { names: ["born", ...names], rows: rows.map((row) => [born(), ...row]), elsewhere };
    expect(bondsOf(dated)).toContainEqual(["time", "when"]);
  });
});

describe("rows that are independent", () => {
  test("are not looked at where there are too few", () => {
    const { table } = tableOf(drawLeak(150, null, 1));
    expect(findDependence(table, 1, neverStop)).toMatchObject({ found: [], isWhole: false, tooFewRows: true });
  });

  /** Stays of 25 days in the mean, whose label goes by how long they took and by what turns with time. */
  const stays = (turn: number): FieldTable => {
    const { names, rows } = drawDrift(2_000, turn, 1);
    const random = new Random(3);
    const stayRows = rows.map(([, ...others], at) => {
      const days = Math.round(-25 * Math.log(1 - random.nextFloat()));
      const left = new Date(Date.UTC(2023, 0, 1 + at / 4 + days)).toISOString().slice(0, 10);
      const isLong = random.nextFloat() < 1 / (1 + Math.exp(-0.2 * (days - 20)));
      const label = turn > 0 && at % 2 === 0 ? others.at(-1)! : isLong ? "yes" : "no";
      const admitted = new Date(Date.UTC(2023, 0, 1 + at / 4)).toISOString().slice(0, 10);
      return [admitted, left, ...others.slice(0, -1), label];
    });
    return shuffled({ names: ["admitted", "left", ...names.slice(1)], rows: stayRows, elsewhere: [], ownTime: [] }, 2);
  };

  test("by times whose difference tells", () => {
    expect(tableOf(stays(0)).table.features.filter(({ part }) => part === "difference")).toHaveLength(1);
    expect(bondsOf(stays(0))).toEqual([]);
    expect(bondsOf(stays(2.4)).map(([bond]) => bond)).toEqual(["later years"]);
  });
});

test("a check that is out of time says that it is not whole, and one that is cancelled ends", () => {
  const { table } = tableOf(drawLeak(400, null, 1));
  const late = { cancelled: () => false, timeIsUp: () => true };
  expect(findDependence(table, 1, late)).toMatchObject({ isWhole: false, outOfTime: true });
  expect(findDependence(table, 1, neverStop)).not.toHaveProperty("outOfTime");
  expect(() => findDependence(table, 1, { cancelled: () => true, timeIsUp: () => false })).toThrow(Cancelled);
});

test("a check that is cut names the column of a group first", () => {
  const { table } = tableOf(shuffled(drawGroups(40, 25, 1, 1), 1));
  // Every tree asks: a column that costs takes twenty forests of fifty, and
  // so do stretches of the file, which come behind.
  let asked = 0;
  const soon = { cancelled: () => false, timeIsUp: () => asked++ > 1_300 };
  const { found, isWhole } = findDependence(table, 1, soon);
  expect(found.map(({ bond }) => bond)).toEqual(["group"]);
  expect(isWhole).toBeFalse();
});

test("rows of whole groups are drawn until there are enough, and of frequent values an even share", () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 80 }), { nil: Number.NaN, freq: 9 }), { maxLength: 600 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 300 }), fc.nat(), (cells, mostRows, seed) => {
      const drawn = drawWholeGroups(Float64Array.from(cells), mostRows, seed);
      expect([...drawn]).toEqual([...new Set(drawn)].sort((a, b) => a - b));
      const sizes = Map.groupBy(cells, (value) => value);
      sizes.delete(Number.NaN);
      const share = Math.ceil(mostRows / Math.min(50, Math.max(1, sizes.size)));
      const taken = Map.groupBy(drawn, (row) => cells[row]!);
      for (const [value, rows] of taken) expect(rows).toHaveLength(Math.min(share, sizes.get(value)!.length));
      const possible = sizes.values().reduce((sum, rows) => sum + Math.min(share, rows.length), 0);
      expect(drawn.length).toBeGreaterThanOrEqual(Math.min(mostRows, possible));
      expect(drawn.length).toBeLessThan(mostRows + share);
    }),
  );
});

describe("leaks", () => {
  test.each(LEAKS)("of the kind %p are named", (leak) => {
    const { table, columns } = tableOf(drawLeak(1_000, leak, 1));
    const [worst] = findLeaks(table, neverStop);
    expect(worst!.columns.map((column) => columns[column]!.name)).toEqual(
      leak === "pair" ? ["leak1", "leak2"] : ["leak1"],
    );
    expect(worst!.by).toBe(leak.startsWith("filled") ? "presence" : "values");
  });

  test("are not seen where there are none", () => {
    expect(findLeaks(tableOf(drawLeak(1_000, null, 1)).table, neverStop)).toEqual([]);
  });
});

describe("copied rows", () => {
  /** Each row is a text of its cells and its label. */
  const rowsOf = ({ levels, classes }: Table) =>
    Array.from(classes, (label, row) => [...levels.map((own) => own[row]), label].join(" "));

  test("are those that are equal in every cell and in the label", () => {
    const seeds = fc.integer({ min: 1, max: 1_000 });
    const shares = fc.double({ min: 0.1, max: 1, noNaN: true });
    fc.assert(
      fc.property(seeds, shares, (seed, share) => {
        const { table } = tableOf(drawCopies(300, share, seed));
        const { contents, kept } = findCopiedRows(table, neverStop)!;
        const rows = rowsOf(table);
        const first = new Map(rows.map((text, row) => [text, row] as const).reverse());
        expect([...kept]).toEqual([...kept].sort((a, b) => a - b));
        expect(new Set([...kept].map((row) => rows[row]!))).toEqual(new Set(rows));
        expect(kept).toHaveLength(first.size);
        for (const [row, text] of rows.entries()) expect(contents[row]).toBe(contents[first.get(text)!]!);
        expect(new Set(contents).size).toBe(first.size);
      }),
      { numRuns: 20 },
    );
  });

  test("are chance where few columns of few values make many rows equal", () => {
    const random = new Random(1);
    for (const [columnCount, valueCount] of [
      [3, 3],
      [5, 2],
      [2, 40],
      [1, 400],
    ] as const) {
      const cells = () => Array.from({ length: columnCount }, () => `v${random.nextBelow(valueCount)}`);
      const rows = Array.from({ length: 2_000 }, () => [...cells(), random.nextFloat() < 0.5 ? "yes" : "no"]);
      const names = [...Array.from({ length: columnCount }, (_, at) => `c${at}`), "label"];
      expect(findCopiedRows(tableOf({ names, rows, elsewhere: [] }).table, neverStop)).toBeNull();
    }
  });

  test("are found in a thinned look at many rows too", () => {
    const random = new Random(2);
    const draw = () => [
      ...Array.from({ length: 4 }, () => random.nextFloat().toFixed(3)),
      random.nextFloat() < 0.5 ? "a" : "b",
    ];
    const once = Array.from({ length: 50_000 }, draw);
    const names = ["w", "x", "y", "z", "label"];
    expect(findCopiedRows(tableOf({ names, rows: once, elsewhere: [] }).table, neverStop)).toBeNull();
    const twice = tableOf({ names, rows: [...once, ...once.slice(0, 25_000)], elsewhere: [] });
    const { kept } = findCopiedRows(twice.table, neverStop)!;
    expect(Math.abs(kept.length - 50_000)).toBeLessThan(50);
  });
});
