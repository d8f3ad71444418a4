// Columns that are filled in after the outcome, or made of the labels, on drawn tables of known truth.
import { describe, expect, test } from "bun:test";
import { findMarkedLeaks } from "../../../engine/leaks/mark-gains.ts";
import { findMarks } from "../../../engine/leaks/marks.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled, neverStop, OutOfTime } from "../../../engine/stop-signal.ts";
import type { Table } from "../../../engine/table/table.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { readCsvText } from "../../support/csv-table.ts";

const ROWS = 1_500;
const WORDS = "call invoice price date address change hotline letter offer branch".split(" ");

/** A number that tells a part of the label, and a cell made of that number, the label and chance. */
function tableOf(cell: (own: { x: number; isYes: boolean; random: Random; row: number }) => string, seed = 1) {
  return drawTable("x,own,label", seed, (random, row) => {
    const x = drawNormal(random);
    const isYes = random.nextFloat() < 1 / (1 + Math.exp(-1.2 * x));
    return `${x.toFixed(3)},${cell({ x, isYes, random, row })},${isYes ? "yes" : "no"}`;
  });
}

function drawTable(names: string, seed: number, drawLine: (random: Random, row: number) => string): Table {
  const random = new Random(seed);
  const lines = Array.from({ length: ROWS }, (_, row) => drawLine(random, row));
  return readCsvText(`${names}\n${lines.join("\n")}\n`).table;
}

const textOf = (random: Random, last: string) =>
  [...Array.from({ length: 6 }, () => WORDS[random.nextBelow(WORDS.length)]!), last].join(" ");

describe("a column that is filled in after the outcome", () => {
  test.each<[string, Parameters<typeof tableOf>[0], object]>([
    ["a flag", ({ isYes, random }) => (isYes && random.nextFloat() < 0.7 ? "Y" : "N"), { by: "other", text: "N" }],
    [
      "a number of reminders",
      ({ isYes, random }) => String(isYes ? random.nextBelow(4) : 0),
      { by: "other", text: "0", part: null },
    ],
    [
      "an amount in a third of the rows",
      ({ isYes, random }) => (isYes && random.nextFloat() < 0.33 ? (90 * random.nextFloat()).toFixed(2) : "0"),
      { by: "other", text: "0" },
    ],
    [
      "a date in a quarter, else empty",
      ({ isYes, random }) => (isYes && random.nextFloat() < 0.25 ? `2024-0${1 + random.nextBelow(9)}-11` : ""),
      { by: "other", text: null },
    ],
    [
      "a status that old rows alone have",
      ({ isYes, random, row }) => (row > 900 ? "AB"[random.nextBelow(2)]! : isYes ? "won" : "AB"[random.nextBelow(2)]!),
      { by: "value", text: "won" },
    ],
    [
      "a word of a note",
      ({ isYes, random }) => textOf(random, isYes && random.nextFloat() < 0.5 ? "cancelled" : "visit"),
      { by: "word", text: "cancelled" },
    ],
  ])("is found: %s", (_, cell, facts) => {
    const [leak, ...others] = findMarkedLeaks(tableOf(cell), 1, neverStop);
    expect(others).toEqual([]);
    expect(leak).toMatchObject({ columns: [1], by: "mark", mark: { ...facts, label: "yes" } });
    expect(leak!.mark!.withIt - leak!.mark!.without).toBeGreaterThan(0.02);
  });

  test("is found beside others that were filled in with it", () => {
    const table = drawTable("x,closed,refund,label", 5, (random) => {
      const isYes = random.nextBelow(2) === 1;
      const isClosed = isYes && random.nextFloat() < 0.6;
      return `${random.nextBelow(100)},${isClosed ? "Y" : "N"},${isClosed ? 5 + random.nextBelow(90) : 0},${isYes}`;
    });
    const leaks = [...findMarkedLeaks(table, 1, neverStop)];
    expect(leaks.map(({ columns: [column] }) => column).sort()).toEqual([1, 2]);
  });
});

/** A few rows in 100 are scrap, of which the cell is made; a number that tells a part of it stands beside. */
function scrapTable(scrapShare: number, cell: (own: { isScrap: boolean; random: Random }) => string) {
  return drawTable("x,rework,label", 3, (random) => {
    const isScrap = random.nextFloat() < scrapShare;
    const x = drawNormal(random) + (isScrap ? 1 : 0);
    return `${x.toFixed(3)},${cell({ isScrap, random })},${isScrap ? "scrap" : "ok"}`;
  });
}

const minutes = (random: Random) => String(5 + random.nextBelow(55));

/** Draws a note from so many words that no word is in many rows. */
const noteOf = (random: Random) => Array.from({ length: 7 }, () => `word${random.nextBelow(400)}`).join(" ");

describe("a column that many rows of a class have, and hardly any others", () => {
  test.each<[string, number, Parameters<typeof scrapTable>[1], string | null, number, number]>([
    [
      "minutes of rework",
      0.06,
      ({ isScrap, random }) => (random.nextFloat() < (isScrap ? 0.95 : 0.01) ? minutes(random) : "0"),
      "0",
      0.95,
      0.01,
    ],
    [
      "minutes of rework, else empty",
      0.06,
      ({ isScrap, random }) => (random.nextFloat() < (isScrap ? 0.95 : 0.03) ? minutes(random) : ""),
      null,
      0.95,
      0.03,
    ],
    [
      "a reason in six rows of ten",
      0.3,
      ({ isScrap, random }) => (random.nextFloat() < (isScrap ? 0.6 : 0.02) ? "ABC"[random.nextBelow(3)]! : "none"),
      "none",
      0.6,
      0.02,
    ],
    [
      "an inspector who was called to some others too",
      0.3,
      ({ isScrap, random }) => (random.nextFloat() < (isScrap ? 0.85 : 0.065) ? "ABC"[random.nextBelow(3)]! : ""),
      null,
      0.85,
      0.065,
    ],
    [
      "a note in the worker's words",
      0.1,
      ({ isScrap, random }) => (random.nextFloat() < (isScrap ? 0.9 : 0.01) ? noteOf(random) : ""),
      null,
      0.9,
      0.01,
    ],
  ])("is asked about: %s", (_, share, cell, text, coverage, others) => {
    const [leak, ...more] = findMarkedLeaks(scrapTable(share, cell), 1, neverStop);
    expect(more).toEqual([]);
    expect(leak).toMatchObject({ columns: [1], by: "mark", mark: { by: "other", text, label: "scrap" } });
    expect(Math.abs(leak!.strength - coverage)).toBeLessThan(0.06);
    expect(Math.abs(leak!.mark!.others! - others)).toBeLessThan(0.01);
  });

  test("is asked about where numbers of one label were written with fewer digits", () => {
    const digits = (isYes: boolean, random: Random) => (random.nextFloat() < (isYes ? 0.97 : 0.01) ? 1 : 3);
    const table = tableOf(({ isYes, random }) => drawNormal(random).toFixed(digits(isYes, random)));
    const [leak, ...others] = findMarkedLeaks(table, 1, neverStop);
    expect(others).toEqual([]);
    expect(leak).toMatchObject({ columns: [1], by: "mark", mark: { by: "decimals", text: "2", label: "no" } });
    expect(leak!.mark!.withIt).toBeGreaterThan(0.95);
  });

  test("is not asked about for digits that go with the size of the numbers", () => {
    const table = tableOf(({ x, random }) => {
      const size = Math.exp(3 * x + drawNormal(random));
      return size.toPrecision(3);
    });
    expect([...findMarkedLeaks(table, 1, neverStop)]).toEqual([]);
  });

  test("is asked about where the label is too rare for two points of accuracy", () => {
    const table = scrapTable(0.02, ({ isScrap, random }) => (isScrap ? minutes(random) : "0"));
    const [leak] = findMarkedLeaks(table, 1, neverStop);
    expect(leak).toMatchObject({ columns: [1], mark: { by: "other", text: "0", label: "scrap" } });
    expect(leak!.mark!.withIt - leak!.mark!.without).toBeLessThan(0.02);
    expect(leak!.mark!.others).toBeUndefined();
  });

  test("is asked about where another one was filled in with it", () => {
    const table = drawTable("x,minutes,reason,label", 6, (random) => {
      const isScrap = random.nextFloat() < 0.1;
      const isReworked = random.nextFloat() < (isScrap ? 0.9 : 0.01);
      const own = isReworked ? `${minutes(random)},${"AB"[random.nextBelow(2)]!}` : "0,";
      return `${random.nextBelow(100)},${own},${isScrap ? "scrap" : "ok"}`;
    });
    const leaks = [...findMarkedLeaks(table, 1, neverStop)];
    expect(leaks.map(({ columns: [column] }) => column)).toEqual([1, 2]);
  });

  test("is asked about where the other columns tell more, if it comes from the outcome", () => {
    const table = drawTable("x,z,own,label", 4, (random) => {
      const [x, z] = [drawNormal(random), drawNormal(random)];
      const isYes = random.nextFloat() < 1 / (1 + Math.exp(-3 * (x + z)));
      const isMarked = random.nextFloat() < (isYes ? 0.8 : 0.03);
      return `${x.toFixed(3)},${z.toFixed(3)},${isMarked ? 1 + random.nextBelow(9) : 0},${isYes}`;
    });
    const [leak] = findMarkedLeaks(table, 1, neverStop);
    expect(leak).toMatchObject({ columns: [2], mark: { by: "other", text: "0", label: "true" } });
    expect(leak!.mark!.withIt - leak!.mark!.without).toBeLessThan(leak!.mark!.without - 0.5);
  });

  test("is asked about where the other columns tell more, each of several that would hide each other", () => {
    const named = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
      const table = drawTable("x,z,to,letter,days,died", seed, (random) => {
        const [x, z] = [drawNormal(random), drawNormal(random)];
        const died = random.nextFloat() < 1 / (1 + Math.exp(3 - 2.5 * x - 1.5 * z));
        const isOther = random.nextFloat() < (died ? 0.96 : 0.05);
        const isWritten = random.nextFloat() < (died ? 0.2 : 0.97);
        const days = 1 + Math.round((died ? 4 : 9) * (random.nextFloat() + random.nextFloat()));
        return `${x.toFixed(3)},${z.toFixed(3)},${isOther ? "other" : "home"},${isWritten ? "y" : "n"},${days},${died}`;
      });
      return [...findMarkedLeaks(table, 1, neverStop)].map(({ columns: [column] }) => column!);
    });
    // By chance one of a hundred seems to go with another column too.
    expect(named.flat().length).toBeGreaterThanOrEqual(14);
    expect(named.flat().every((column) => column === 2 || column === 3)).toBe(true);
  });

  test("is not asked about beside symptoms, which are as independent", () => {
    const named = [1, 2, 3, 4, 5, 6, 7, 8].filter((seed) => {
      const table = drawTable("a,b,c,own,label", seed, (random) => {
        const isIll = random.nextFloat() < 0.3;
        const symptoms = [2, 1.5, 1].map((size) => (drawNormal(random) + (isIll ? size : 0)).toFixed(2));
        return `${symptoms},${random.nextFloat() < (isIll ? 0.4 : 0.02) ? "yes" : "no"},${isIll}`;
      });
      expect(findMarks(table, neverStop).telling.map(({ columns: [column] }) => column)).toEqual([3]);
      return [...findMarkedLeaks(table, 1, neverStop)].length > 0;
    });
    // By chance one of a hundred tables of independent symptoms seems to have dependent ones.
    expect(named.length).toBeLessThanOrEqual(1);
  });

  test.each([1, 2, 3])("is not asked about where it is a cause, known before: draw %d", (seed) => {
    const table = drawTable("x,own,label", seed, (random) => {
      const x = drawNormal(random);
      const isAlarm = random.nextFloat() < 0.12;
      const isYes = random.nextFloat() < 1 / (1 + Math.exp(2.5 - 1.5 * x - (isAlarm ? 5 : 0)));
      return `${x.toFixed(3)},${isAlarm ? 1 + random.nextBelow(9) : 0},${isYes}`;
    });
    expect(findMarks(table, neverStop).telling.map(({ columns: [column] }) => column)).toEqual([1]);
    expect([...findMarkedLeaks(table, 1, neverStop)]).toEqual([]);
  });

  test("is not asked about where it is marked for many others too", () => {
    for (const [share, ofScrap, ofOthers] of [
      [0.06, 0.9, 0.08],
      [0.3, 0.6, 0.085],
      [0.3, 0.85, 0.12],
    ] as const) {
      const table = scrapTable(share, ({ isScrap, random }) =>
        random.nextFloat() < (isScrap ? ofScrap : ofOthers) ? "5" : "0",
      );
      expect(findMarks(table, neverStop)).toEqual({ pure: [], telling: [] });
    }
  });
});

describe("an honest column is not asked about", () => {
  test("that says what another one says as well", () => {
    const table = drawTable("x,size,label", 2, (random) => {
      const x = random.nextFloat();
      return `${x.toFixed(3)},${x > 0.7 ? "large" : "small"},${x > 0.6 || random.nextBelow(2) === 1 ? "yes" : "no"}`;
    });
    expect(findMarks(table, neverStop).pure.map(({ columns: [column] }) => column)).toContain(1);
    expect([...findMarkedLeaks(table, 1, neverStop)]).toEqual([]);
  });

  test("that tells the label in nine rows of ten", () => {
    const flag = tableOf(({ isYes, random }) => (isYes !== random.nextFloat() < 0.1 ? "Y" : "N"));
    expect(findMarks(flag, neverStop)).toEqual({ pure: [], telling: [] });
  });

  test.each([1, 2, 3])("of many values that have nothing to do with it: draw %d", (seed) => {
    expect(
      findMarks(
        tableOf(({ random }) => `k${random.nextBelow(60)}`, seed),
        neverStop,
      ),
    ).toEqual({ pure: [], telling: [] });
  });
});

test("a search for marks ends when it is cancelled, and where the time is up", () => {
  const table = tableOf(({ isYes, random }) => (isYes && random.nextFloat() < 0.7 ? "Y" : "N"));
  expect(() => [...findMarkedLeaks(table, 1, { cancelled: () => true, timeIsUp: () => false })]).toThrow(Cancelled);
  expect(() => [...findMarkedLeaks(table, 1, { cancelled: () => false, timeIsUp: () => true })]).toThrow(OutOfTime);
});

test("pure marks that were found stay where the time is up before the others", () => {
  const table = drawTable("x,minutes,closed,label", 7, (random) => {
    const isYes = random.nextFloat() < 0.4;
    const isReworked = random.nextFloat() < (isYes ? 0.9 : 0.03);
    const isClosed = isYes && random.nextFloat() < 0.6;
    return `${random.nextBelow(100)},${isReworked ? minutes(random) : 0},${isClosed ? "Y" : "N"},${isYes}`;
  });
  let isUp = false;
  const stop = { cancelled: () => false, timeIsUp: () => isUp };
  const found = findMarkedLeaks(table, 1, stop);
  expect(found.next().value).toMatchObject({ columns: [2] });
  isUp = true;
  expect(() => [...found]).toThrow(OutOfTime);
});
