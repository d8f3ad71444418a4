// Cells that say nothing, empty or a code, in the rows of one label: on drawn tables, with a naive look as the oracle.
import { describe, expect, test } from "bun:test";
import { findMarkedLeaks } from "../../../engine/leaks/mark-gains.ts";
import { findMarks } from "../../../engine/leaks/marks.ts";
import { Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { readCsvText } from "../../support/csv-table.ts";

const ROWS = 1_500;
const OWN = 1;
const FAILURE = "failure";

interface Drawn {
  cell: string;
  label: string;
  /** The numbers beside the cell, where the label was drawn from them. */
  cause?: string;
}

type DrawCell = (label: string, random: Random) => string;

/** Labels with their shares, a cell made of the label and chance, and beside it a number that tells a part of it. */
function draw(shares: Record<string, number>, drawCell: DrawCell, seed = 1): Drawn[] {
  const random = new Random(seed);
  return Array.from({ length: ROWS }, () => {
    const at = random.nextFloat();
    let below = 0;
    let label = "";
    for (const [own, share] of Object.entries(shares)) {
      if (at >= below) label = own;
      below += share;
    }
    return { cell: drawCell(label, random), label };
  });
}

function tableOf(rows: readonly Drawn[], seed = 1, beside = "x") {
  const random = new Random(seed + 1_000);
  const lines = rows.map(({ cell, label, cause }) => {
    const x = cause ?? (drawNormal(random) + (label === FAILURE ? 1 : 0)).toFixed(3);
    return `${x},${cell},${label}`;
  });
  return readCsvText(`${beside},own,label\n${lines.join("\n")}\n`).table;
}

const category = (random: Random) => `c${random.nextBelow(40)}`;

const leaksOf = (rows: readonly Drawn[], beside = "x") => [...findMarkedLeaks(tableOf(rows, 1, beside), 1, neverStop)];

/** Draws a number with three digits behind the point, the last of which is not 0. */
function measured(random: Random): string {
  return (2.5 + 0.5 * drawNormal(random)).toFixed(2) + String(1 + random.nextBelow(9));
}

/** As sensors are that send nothing while a machine stands still after its failure. */
const standing =
  (nothing: string, share = 0.85, others = 0.01, cell: (random: Random) => string = measured): DrawCell =>
  (label, random) =>
    random.nextFloat() < (label === FAILURE ? share : others) ? nothing : cell(random);

const RARE = { ok: 0.88, failure: 0.12 };

describe("cells that say nothing after the outcome are asked about", () => {
  test.each([
    ["empty", "", null],
    ["the largest number", "65535", "65535"],
    ["the least number", "-999", "-999"],
    ["zero", "0", "0"],
  ])("in a measured column: %s", (_, nothing, text) => {
    const [leak, ...others] = leaksOf(draw(RARE, standing(nothing)));
    expect(others).toEqual([]);
    expect(leak).toMatchObject({ columns: [OWN], by: "mark", mark: { by: "value", text, label: FAILURE } });
    expect(Math.abs(leak!.strength - 0.85)).toBeLessThan(0.06);
    expect(leak!.mark!.others!).toBeLessThan(0.02);
  });

  test("in a column of codes, and of texts", () => {
    const code = (random: Random) => `c${random.nextBelow(40)}`;
    const note = (random: Random) => Array.from({ length: 7 }, () => `word${random.nextBelow(400)}`).join(" ");
    for (const cell of [code, note]) {
      const leaks = leaksOf(draw(RARE, standing("", 0.85, 0.01, cell)));
      expect(leaks).toMatchObject([{ columns: [OWN], mark: { by: "value", text: null, label: FAILURE } }]);
    }
  });

  test("by their number, not by its digits, where there are more than two labels", () => {
    const leaks = leaksOf(draw({ ok: 0.6, worn: 0.25, failure: 0.15 }, standing("65535")));
    expect(leaks).toMatchObject([{ columns: [OWN], mark: { by: "value", text: "65535", label: FAILURE } }]);
  });

  test("by the digits where a label's numbers were rounded, though most became the same", () => {
    const rounded: DrawCell = (label, random) => {
      const isRounded = random.nextFloat() < (label === FAILURE ? 0.97 : 0.01);
      return (6 + 0.4 * drawNormal(random)).toFixed(isRounded ? 0 : 3);
    };
    const rows = draw({ ok: 0.45, failure: 0.55 }, rounded);
    const sixes = rows.filter(({ cell }) => cell === "6").length;
    expect(sixes).toBeGreaterThan(0.6 * rows.filter(({ cell }) => !cell.includes(".")).length);
    expect(leaksOf(rows)).toMatchObject([{ columns: [OWN], mark: { by: "fewer decimals", label: FAILURE } }]);
  });
});

describe("cells are not asked about", () => {
  test.each([1, 2, 3])("that say nothing in rows of any label: draw %d", (seed) => {
    for (const nothing of ["", "65535"]) {
      const rows = draw(RARE, standing(nothing, 0.12, 0.12), seed);
      expect(findMarks(tableOf(rows, seed), neverStop)).toEqual({ pure: [], telling: [] });
    }
  });

  test("that hold a frequent number among the others", () => {
    const rows = draw({ ok: 0.6, failure: 0.4 }, standing("2.511", 0.7, 0.002, measured));
    expect(findMarks(tableOf(rows), neverStop)).toEqual({ pure: [], telling: [] });
  });

  test.each([1, 2, 3])("that hold a category's most frequent value, a cause of the label: draw %d", (seed) => {
    const random = new Random(seed);
    const rows = Array.from({ length: ROWS }, () => {
      const cell = random.nextFloat() < 0.3 ? "low" : category(random);
      const cause = drawNormal(random);
      const failure = 1 / (1 + Math.exp(3 - 2 * cause - (cell === "low" ? 6 : 0)));
      return { cell, label: random.nextFloat() < failure ? FAILURE : "ok", cause: cause.toFixed(3) };
    });
    const { pure, telling } = findMarks(tableOf(rows), neverStop);
    expect(pure).toEqual([]);
    expect(telling).toMatchObject([{ text: "low", isUsual: true }]);
    expect(leaksOf(rows)).toEqual([]);
  });
});

test("a category's most frequent value is asked about where it comes from the outcome", () => {
  const random = new Random(1);
  const rows = Array.from({ length: ROWS }, () => {
    const causes = [drawNormal(random), drawNormal(random)];
    const isFailure = random.nextFloat() < 1 / (1 + Math.exp(1 - 2 * (causes[0]! + causes[1]!)));
    const cell = random.nextFloat() < (isFailure ? 0.7 : 0.02) ? "low" : category(random);
    return { cell, label: isFailure ? FAILURE : "ok", cause: causes.map((cause) => cause.toFixed(3)).join() };
  });
  const [leak] = leaksOf(rows, "x,z");
  expect(leak).toMatchObject({ columns: [2], by: "mark", mark: { by: "value", text: "low", label: FAILURE } });
});

test("of another mark and the most frequent value, a column is named by the other mark", () => {
  // The empty cells are more, and go with the other label.
  const rows = draw({ ok: 0.6, failure: 0.4 }, (label, random) => {
    if (random.nextFloat() > 0.3) return measured(random);
    return label === FAILURE ? "0" : "";
  });
  expect(rows.filter(({ cell }) => cell === "").length).toBeGreaterThan(rows.filter(({ cell }) => cell === "0").length);
  expect(findMarks(tableOf(rows), neverStop).pure).toMatchObject([{ by: "value", text: "0", label: FAILURE }]);
});

/** The telling mark of a column whose one recurring text is `nothing`, by its definition (D96). */
function naiveMark(rows: readonly Drawn[], nothing: string) {
  const looks = [
    { by: "other", isMarked: ({ cell }: Drawn) => cell !== nothing },
    { by: "value", isMarked: ({ cell }: Drawn) => cell === nothing },
  ];
  for (const { by, isMarked } of looks) {
    const marked = rows.filter(isMarked);
    for (const label of ["ok", FAILURE]) {
      const ofLabel = rows.filter((row) => row.label === label);
      const right = marked.filter((row) => row.label === label).length;
      const isRare = ofLabel.length <= 0.8 * rows.length;
      const others = (marked.length - right) / (rows.length - ofLabel.length);
      const hardlyOthers = others <= 0.05 || 10 * others <= right / ofLabel.length;
      if (isRare && right >= 0.25 * ofLabel.length && hardlyOthers && right >= 0.6 * marked.length) {
        return { by, text: nothing === "" ? null : nothing, label, rowCount: marked.length };
      }
    }
  }
  return null;
}

test("marks of cells that say nothing are those that the naive look finds", () => {
  const random = new Random(11);
  const found = { none: 0, other: 0, value: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const nothing = ["", "0", "-999", "65535"][random.nextBelow(4)]!;
    // In half of the rows at most.
    const failure = 0.08 + 0.36 * random.nextFloat();
    const share = random.nextBelow(3) === 0 ? 0.94 + 0.06 * random.nextFloat() : 0.4 + 0.5 * random.nextFloat();
    const rows = draw({ ok: 1 - failure, failure }, standing(nothing, share, 0.08 * random.nextFloat()), seed);
    const expected = naiveMark(rows, nothing);
    const marks = findMarks(tableOf(rows, seed), neverStop).telling;
    expect(marks.length).toBe(expected === null ? 0 : 1);
    if (expected !== null) expect(marks[0]).toMatchObject(expected);
    found[(expected?.by ?? "none") as keyof typeof found]++;
  }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(3);
});
