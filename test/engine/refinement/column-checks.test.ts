// Each rule of the column checks on tables made for it, and what none of them may do.
import { describe, expect, test } from "bun:test";
import type { ColumnKind } from "../../../engine/profile/profile.ts";
import { Random } from "../../../engine/random.ts";
import { type ColumnCheck, checkColumns, type ProfiledColumn } from "../../../engine/refinement/column-checks.ts";
import type { Table } from "../../../engine/table/table.ts";
import { buildOf, profileOf } from "../../support/record-batches.ts";
import { type Cells, drawTable, makeTable } from "../../support/tables.ts";
import { factsOf, taskOf } from "./checked-task.ts";

const ROWS = 2000;
const rows = Array.from({ length: ROWS }, (_, row) => row);
/** A sequence without pattern against the label and against others of another factor. */
const scatter = (factor: number, size: number) =>
  rows.map((row) => Math.floor(((row * factor) % 2003) / (2003 / size)));
const labels: readonly string[] = scatter(101, 2).map((code) => (code === 0 ? "no" : "yes"));

function profiled(index: number, changes: Partial<ProfiledColumn> = {}): ProfiledColumn {
  return { index, kind: "number", role: "feature", distinct: 5, isInteger: false, ...changes };
}

function checksOf(table: Table, { testCount = 0, removeLeaks = false, kind = "number" as ColumnKind } = {}) {
  const task = taskOf(table, testCount);
  const positions = [...new Set(table.features.map(({ column }) => column))];
  const columns = [
    ...positions.map((index) => profiled(index, { kind })),
    profiled(positions.length, { role: "label" }),
  ];
  return checkColumns(columns, task, factsOf(task), removeLeaks);
}

function checkOf(cells: Cells, options: Parameters<typeof checksOf>[1] = {}, labelled = labels): ColumnCheck {
  return checksOf(makeTable([cells, scatter(7, 9)], labelled), options)[0]!;
}

const passed = (column: number): ColumnCheck => ({ column, removal: null, keep: null, flags: [] });
const removed = (reason: NonNullable<ColumnCheck["removal"]>["reason"]) => ({ reason, with: null });

test("a feature that names groups or times stays whatever its evidence", () => {
  const task = taskOf(makeTable([rows.map(() => "same"), scatter(7, 9)], labels));
  const [key, other] = checkColumns([profiled(0, { isKey: true }), profiled(1)], task, factsOf(task), false);
  expect([key, other]).toEqual([{ column: 0, removal: null, keep: "KEPT_FOR_JUDGING", flags: [] }, passed(1)]);
});

describe("columns that make no feature", () => {
  const task = taskOf(makeTable([scatter(7, 9)], labels));
  const check = (changes: Partial<ProfiledColumn>, of = task) =>
    checkColumns([profiled(0), profiled(3, changes)], of, factsOf(of), false)[1]!;

  test.each([
    ["constant", 1, "CONSTANT"],
    ["constant", 0, "EMPTY"],
    ["identifier", 2000, "ID_LIKE"],
    ["text", 2000, "FREE_TEXT"],
    ["date", 1, "UNREADABLE"],
  ] as const)("%s of %i texts: %s", (kind, distinct, reason) => {
    expect(check({ kind, distinct })).toEqual({ column: 3, removal: removed(reason), keep: null, flags: [] });
  });

  test("that name groups or times stay; those left out as asked go", () => {
    const kept = { column: 3, removal: null, keep: "KEPT_FOR_JUDGING", flags: [] } as const;
    expect(check({ kind: "identifier", isKey: true })).toEqual(kept);
    expect(check({ kind: "category", isKey: true, isLeftOut: true })).toEqual(kept);
    expect(check({ isLeftOut: true })).toEqual({ column: 3, removal: removed("LEFT_OUT"), keep: null, flags: [] });
  });

  test("running numbers give the label away where the file is sorted by it", () => {
    const sorted = taskOf(makeTable([scatter(7, 9)], [...labels].sort()));
    const number = { kind: "identifier", isInteger: true } as const;
    expect(check(number, sorted).flags).toEqual(["ROW_ORDER_LEAK"]);
    expect(check({ ...number, isInteger: false }, sorted).flags).toEqual([]);
    expect(check(number).flags).toEqual([]);
  });
});

test("ordinary columns pass, and the label has no check", () => {
  expect(checksOf(drawTable(1000, 3, 4), { testCount: 200 })).toEqual([0, 1, 2, 3].map(passed));
});

describe("nearly constant", () => {
  const rare = (count: number, of: string) => {
    const chosen = rows.filter((row) => row % 10 !== 9 && labels[row] === of).slice(0, count);
    return rows.map((row) => (chosen.includes(row) ? 1 : 0));
  };

  test("four rows aside are too few, five are enough", () => {
    expect(checkOf(rare(4, "yes")).removal).toEqual(removed("NEAR_CONSTANT"));
    expect(checkOf(rare(5, "yes"))).toEqual(passed(0));
  });

  test("a rare value stays where it tells of a rare label", () => {
    const flagged = rare(4, "yes");
    const rareLabel = rows.map((row) => (flagged[row] === 1 || row === 1990 ? "yes" : "no"));
    expect(checkOf(flagged, {}, rareLabel).removal).toBeNull();
    expect(checkOf(rare(4, "no"), {}, rareLabel).removal).toEqual(removed("NEAR_CONSTANT"));
  });
});

describe("missing cells", () => {
  const presentAt = (chosen: readonly number[]) => rows.map((row) => (chosen.includes(row) ? row % 3 : null));

  test("nearly all, here and there: empty", () => {
    expect(checkOf(presentAt([50, 400, 401, 902, 1203, 1500, 1731])).removal).toEqual(removed("EMPTY"));
    expect(checkOf(presentAt(rows.filter((row) => row % 101 === 0)))).toEqual(passed(0));
  });

  test("nearly all, but that a cell is there tells of the label: kept", () => {
    const present = rows.filter((row) => row % 250 === 0);
    const keptFor = (others: number): ColumnCheck => {
      const isYes = (row: number): boolean => row % 250 === 0 || row % others === 0;
      return checkOf(
        presentAt(present),
        {},
        rows.map((row) => (isYes(row) ? "yes" : "no")),
      );
    };
    const kept = { column: 0, removal: null, flags: ["MISSING_INFORMATIVE"] } as const;
    expect(keptFor(97)).toEqual({ ...kept, keep: "KEPT_MISSING_INFORMATIVE" });
    expect(keptFor(1000)).toEqual({
      ...kept,
      keep: "KEPT_SUSPECT",
      flags: ["TARGET_LEAK_SUSPECT", "MISSING_INFORMATIVE"],
    });
  });

  test("nearly all, but the values that are there tell of the label: left to the evidence", () => {
    const cells = rows
      .map((row) => (row % 80 === 0 ? labels[row]! : null))
      .concat(
        rows.map(() => null),
        rows.map(() => null),
      );
    const more = [...labels, ...labels, ...labels];
    const task = taskOf(makeTable([cells], more));
    const [check] = checkColumns([profiled(0)], task, factsOf(task), false);
    expect(check).toEqual(passed(0));
  });

  test("a tenth is flagged where it goes with the label only", () => {
    const informative = rows.map((row) => (labels[row] === "yes" && row % 4 === 0 ? null : row % 7));
    expect(checkOf(informative)).toEqual({ ...passed(0), flags: ["MISSING_INFORMATIVE"] });
    const everywhere = scatter(13, 10).map((code, row) => (code === 0 ? null : row % 7));
    expect(checkOf(everywhere)).toEqual(passed(0));
  });

  test("half a percent is not flagged, however telling", () => {
    const few = rows.filter((row) => labels[row] === "yes").filter((_, at) => at % 77 === 0);
    const check = checkOf(
      rows.map((row) => (few.includes(row) ? null : row % 7)),
      {},
      labels.map((label, row) => (few.includes(row) ? "rare" : label)),
    );
    expect(check.flags).toEqual([]);
  });
});

describe("copies", () => {
  const number = scatter(7, 30);

  test("go, the first by position stays", () => {
    const table = makeTable(
      [number, scatter(11, 4), number.map((value) => -value), number.map((value) => `n${value}`)],
      labels,
    );
    expect(checksOf(table)).toEqual([
      passed(0),
      passed(1),
      { ...passed(2), removal: { reason: "DUPLICATE_OF", with: 0 } },
      { ...passed(3), removal: { reason: "DUPLICATE_OF", with: 0 } },
    ]);
  });

  test("of a column that goes for another reason refer to the first that stays", () => {
    const rare = rows.map((row) => (row % 250 === 0 ? "x" : null));
    const named = rare.map((cell) => cell ?? "none");
    const checks = checksOf(makeTable([rare, named, named.map((name) => `${name}.`)], labels));
    expect(checks.map(({ removal }) => removal)).toEqual([removed("EMPTY"), null, { reason: "DUPLICATE_OF", with: 1 }]);
  });
});

describe("suspected leaks", () => {
  const noisy = labels.map((label, row) => (row % 100 === 3 ? 1 : 0) ^ (label === "yes" ? 1 : 0));

  test("are kept and flagged, and removed on request", () => {
    const suspect = { column: 0, removal: null, keep: "KEPT_SUSPECT", flags: ["TARGET_LEAK_SUSPECT"] } as const;
    expect(checkOf(noisy)).toEqual(suspect);
    expect(checkOf(noisy, { removeLeaks: true })).toEqual({ ...suspect, keep: null, removal: removed("TARGET_LEAK") });
  });

  test("include a number that gives away fewer rows than a bucket holds", () => {
    const random = new Random(1);
    const rare = Array.from({ length: 1_500 }, (_, row) => (row % 25 < 2 ? "stop" : "run"));
    const readings = rare.map((label) => (label === "stop" ? 22 : 65) + 8 * random.nextFloat());
    const honest = rare.map((label) => (label === "stop" ? 2 : 0) + 8 * random.nextFloat());
    const removals = (removeLeaks: boolean) =>
      checksOf(makeTable([readings, honest], rare), { removeLeaks }).map(({ removal }) => removal);
    expect(removals(true)).toEqual([removed("TARGET_LEAK"), null]);
    expect(removals(false)).toEqual([null, null]);
  });

  test("include a renamed label whose rare classes no bucket shows", () => {
    const rareLabels = rows.map((row) => (row % 10 < 8 ? "most" : `rare ${Math.floor(row / 20)}`));
    const renamed = rareLabels.map((label) => label.toUpperCase());
    expect(checkOf(renamed, {}, rareLabels).keep).toBe("KEPT_SUSPECT");
  });

  test("include the copies of one", () => {
    const checks = checksOf(makeTable([noisy, noisy.map((value) => `n${value}`)], labels));
    expect(checks.map(({ removal }) => removal)).toEqual([null, { reason: "DUPLICATE_OF", with: 0 }]);
    const without = checksOf(makeTable([noisy, noisy.map((value) => `n${value}`)], labels), { removeLeaks: true });
    expect(without.map(({ removal }) => removal)).toEqual([removed("TARGET_LEAK"), removed("TARGET_LEAK")]);
  });

  test("do not include a column that is strong but not that strong", () => {
    const strong = labels.map((label, row) => (row % 10 === 3 ? 1 : 0) ^ (label === "yes" ? 1 : 0));
    expect(checkOf(strong)).toEqual(passed(0));
  });
});

describe("drift", () => {
  test("is flagged where TEST has other values", () => {
    const drifting = scatter(7, 9).map((value, row) => (row < 1500 ? value : Math.min(value, 3)));
    expect(checkOf(drifting, { testCount: 500 })).toEqual({ ...passed(0), flags: ["TRAIN_TEST_DRIFT"] });
    expect(checkOf(drifting, { testCount: 500, kind: "date" }).flags).toEqual(["DATE_DRIFT"]);
    expect(checkOf(drifting)).toEqual(passed(0));
  });

  test("is not flagged where it is sure but small", () => {
    const slight = scatter(7, 9).map((value, row) => (row >= 1100 && row % 6 === 0 ? 0 : value));
    const [facts] = factsOf(taskOf(makeTable([slight], labels), 900));
    expect(facts!.driftPValue).toBeLessThan(1e-6);
    expect(checkOf(slight, { testCount: 900 })).toEqual(passed(0));
  });

  const dated = (labelOf: (row: number, year: number, month: number) => string, yearCount = 4) => {
    const random = new Random(5);
    const records = rows.slice(0, 800).map((row) => {
      const year = 2019 + Math.floor((row * yearCount) / 800);
      const month = 1 + ((row * 5) % 12);
      const day = 1 + random.nextBelow(28);
      return [`${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`, labelOf(row, year, month)];
    });
    const profile = profileOf(["day", "label"], records);
    const task = taskOf(buildOf(profile, records));
    const columns = profile.columns.map(
      ({ index, kind, distinct }): ProfiledColumn => ({
        index,
        kind,
        distinct,
        isInteger: false,
        role: index === profile.label.column ? "label" : "feature",
      }),
    );
    return checkColumns(columns, task, factsOf(task), false);
  };

  test("of the label over the years is flagged on a date, or within one year over the months; seasons are not", () => {
    expect(dated((row, year) => (year < 2021 === row % 3 > 0 ? "a" : "b"))).toEqual([
      { ...passed(0), flags: ["DATE_DRIFT"] },
    ]);
    const seasonal = (row: number, _: number, month: number): string => (month < 7 === row % 7 > 1 ? "a" : "b");
    expect(dated(seasonal)).toEqual([passed(0)]);
    expect(dated(seasonal, 1)).toEqual([{ ...passed(0), flags: ["DATE_DRIFT"] }]);
  });
});
