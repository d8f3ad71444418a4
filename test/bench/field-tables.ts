// Drawn tables whose rows belong together, drift, leak or do none of it, with rows from elsewhere that tell the truth.
import { deriveSeed, Random, shuffle } from "../../engine/random.ts";
import { drawNormal } from "./noisy-tables.ts";

const SIGNALS = 3;
const NOISE = 3;
/** Size of what tells groups apart, beside rows that differ by 1; how much of it a group's rows share. */
const OFFSET = 3;
const WITHIN = 0.25;
const COPIES = 4;

export interface FieldTable {
  names: readonly string[];
  /** Label last. */
  rows: string[][];
  /** Rows of groups, or of times, that `rows` has none of. */
  elsewhere: string[][];
  /** Other rows of the newest fifth's own time; left out without time. */
  ownTime?: string[][];
}

interface Row {
  values: number[];
  label: number;
}

/**
 * Groups that share offsets in all columns and, by `strength` from 0 to 1, a label; the rest of the label comes from
 * the row itself. The log-odds of "yes" are lower by `rarity`. Columns: the group, then numbers.
 */
export function drawGroups(
  groupCount: number,
  rowsPerGroup: number,
  strength: number,
  seed: number,
  newGroups = 200,
  rarity = 0,
): FieldTable {
  const random = new Random(deriveSeed(seed, groupCount, Math.round(100 * strength)));
  const draw = (name: string): string[][] => {
    const offsets = Array.from({ length: SIGNALS + NOISE }, () => OFFSET * strength * drawNormal(random));
    const own = drawNormal(random);
    return Array.from({ length: rowsPerGroup }, () => {
      const within = strength === 0 ? 1 : WITHIN + (1 - WITHIN) * (1 - strength);
      const noises = offsets.map(() => drawNormal(random));
      const logit = 2 * noises[0]! * (1 - strength) + 4 * strength * own + (1 - strength) * noises[1]!;
      const label = random.nextFloat() < 1 / (1 + Math.exp(rarity - 2 * logit)) ? "yes" : "no";
      return [name, ...offsets.map((offset, at) => (offset + within * noises[at]!).toFixed(3)), label];
    });
  };
  const rows = Array.from({ length: groupCount }, (_, group) => draw(`g${group}`)).flat();
  const elsewhere = Array.from({ length: newGroups }, (_, group) => draw(`new${group}`)).flat();
  return { names: ["group", ...numberNames(), "label"], rows, elsewhere };
}

/**
 * Rows of `count` machines in mixed order. Each machine's sensors have offsets of their own (standard deviation
 * `offset`), and its label a share of its own; what else tells the label is how far two sensors are from the machine's
 * own middle. Without offsets a machine is a category that merely tells. Those from elsewhere are of other machines.
 */
export function drawMachines(count: number, rowCount: number, offset: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, count, Math.round(100 * offset)));
  const draw = (prefix: string, count: number, rowCount: number): string[][] => {
    const machines = Array.from({ length: count }, (_, at) => ({
      name: `${prefix}${at + 1}`,
      // As many with many faults as with few.
      faults: 3 * (at % 2 === 0 ? 1 : -1) * (0.5 + random.nextFloat()),
      offsets: Array.from({ length: SIGNALS + NOISE }, () => offset * drawNormal(random)),
    }));
    return Array.from({ length: rowCount }, () => {
      const { name, faults, offsets } = machines[random.nextBelow(count)]!;
      const own = offsets.map(() => drawNormal(random));
      const isFault = random.nextFloat() < 1 / (1 + Math.exp(-(2 * (own[0]! + own[1]!) + faults)));
      return [name, ...offsets.map((middle, at) => (middle + own[at]!).toFixed(3)), isFault ? "fault" : "ok"];
    });
  };
  const rows = draw("m", count, rowCount);
  return { names: ["machine", ...numberNames(), "label"], rows, elsewhere: draw("new", 200, 2_000) };
}

/**
 * Rows of customers, 1 to `mostRows` of each in mixed order, by numbers with random gaps. Customers have a label each
 * where `isOwn`, else each row has its own, by its last column. Age and year recur by chance.
 */
export function drawCustomers(count: number, mostRows: number, isOwn: boolean, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, count, mostRows));
  const draw = (first: number): string[][] => {
    let number = first;
    const customers = Array.from({ length: count }, () => {
      number += 1 + random.nextBelow(900);
      const [age, income, spend] = [18 + random.nextBelow(60), drawNormal(random), drawNormal(random)];
      const leaves = random.nextFloat() < 0.5;
      return Array.from({ length: 1 + random.nextBelow(mostRows) }, () => {
        const [year, orders, near] = [
          1990 + random.nextBelow(30),
          random.nextBelow(60),
          () => 0.4 * drawNormal(random),
        ];
        const isLeft = isOwn ? leaves !== random.nextFloat() < 0.05 : orders + 15 * spend > 30;
        const numbers = [income + near(), spend + near()].map((value) => value.toFixed(2));
        return [`${number}`, `${age}`, `${year}`, ...numbers, `${orders}`, isLeft ? "left" : "stays"];
      });
    });
    return shuffled({ names: [], rows: customers.flat(), elsewhere: [] }, seed).rows;
  };
  const names = ["customer", "age", "year", "income", "spend", "orders", "label"];
  return { names, rows: draw(100_000), elsewhere: draw(10_000_000) };
}

/**
 * Rows of `count` names in mixed order, `size` of each, whose other columns are noise. The name alone decides the
 * log-odds of the label, `strength` being their standard deviation. Those from elsewhere have other names.
 */
export function drawNames(count: number, size: number, strength: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 11, count, Math.round(100 * strength)));
  const draw = (prefix: string): string[][] =>
    Array.from({ length: count }, (_, at) => {
      const odds = strength * drawNormal(random);
      return Array.from({ length: size }, () => {
        const noise = numberNames().map(() => drawNormal(random).toFixed(3));
        return [`${prefix}${at}`, ...noise, random.nextFloat() < 1 / (1 + Math.exp(-odds)) ? "yes" : "no"];
      });
    }).flat();
  const rows = mixed(draw("name"), random);
  return { names: ["name", ...numberNames(), "label"], rows, elsewhere: draw("new") };
}

const TRAITS = ["sex", "smoker", "insurance", "blood", "region", "job", "marital"];

/**
 * Visits of patients in mixed order, without a column that names the patient. The label is the patient's, and by it one
 * of two columns that vary goes up. What stays the same between visits says nothing: two numbers or seven categories.
 */
export function drawVisits(
  patientCount: number,
  visitCount: number,
  stays: "numbers" | "categories",
  seed: number,
): FieldTable {
  const random = new Random(deriveSeed(seed, 13, patientCount, visitCount));
  const rows = Array.from({ length: patientCount }, () => {
    const label = random.nextFloat() < 0.45 ? 1 : 0;
    const own =
      stays === "numbers"
        ? [(27 + 4 * drawNormal(random)).toFixed(1), (80 + 15 * drawNormal(random)).toFixed(1)]
        : TRAITS.map((_, at) => `t${random.nextBelow(2 + (at % 4))}`);
    return Array.from({ length: visitCount }, () => [
      ...own,
      Math.exp(drawNormal(random) + label / 2).toFixed(1),
      (72 + 9 * drawNormal(random)).toFixed(0),
      label === 1 ? "yes" : "no",
    ]);
  }).flat();
  const names = [...(stays === "numbers" ? ["bmi", "egfr"] : TRAITS), "crp", "pulse", "relapse"];
  return { names, rows: mixed(rows, random), elsewhere: [] };
}

/**
 * Draws things that are measured several times, in mixed order. No column names them, and a thing has one label.
 * Six columns are a thing's own, each time with `noise` (in standard deviations of the column over all things); of three
 * that vary freely one goes up by the label.
 */
export function drawRepeats(thingCount: number, repeatCount: number, noise: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 14, thingCount, Math.round(1_000 * noise)));
  const rows = Array.from({ length: thingCount }, () => {
    const label = random.nextFloat() < 0.45 ? 1 : 0;
    const own = Array.from({ length: 6 }, () => drawNormal(random));
    return Array.from({ length: repeatCount }, () => [
      ...own.map((value) => (value + noise * drawNormal(random)).toFixed(3)),
      ...[label / 2, 0, 0].map((shift) => (shift + drawNormal(random)).toFixed(3)),
      label === 1 ? "yes" : "no",
    ]);
  }).flat();
  const names = [...Array.from({ length: 6 }, (_, at) => `own${at}`), "free0", "free1", "free2", "label"];
  return { names, rows: mixed(rows, random), elsewhere: [] };
}

/**
 * Rows in time order whose rule turns by `turn` radians from first to last; those from elsewhere are the next fifth,
 * `copies` times as many rows as come in that time.
 */
export function drawDrift(rowCount: number, turn: number, seed: number, copies = 1): FieldTable {
  const random = new Random(deriveSeed(seed, 7, Math.round(100 * turn)));
  const drawAt = (at: number): string[] => {
    const { values, label } = drawRow(random, (turn * at) / rowCount);
    const day = new Date(Date.UTC(2020, 0, 1) + at * 3_600_000).toISOString().slice(0, 16);
    return [day, ...values.map((value) => value.toFixed(3)), label === 1 ? "yes" : "no"];
  };
  const drawFifth = (from: number) =>
    Array.from({ length: (copies * rowCount) / 5 }, (_, at) => drawAt(from + Math.floor(at / copies)));
  const rows = Array.from({ length: rowCount }, (_, at) => drawAt(at));
  const names = ["when", ...numberNames(), "label"];
  return { names, rows, elsewhere: drawFifth(rowCount), ownTime: drawFifth(0.8 * rowCount) };
}

/**
 * Rows of eighteen months in time order. The label goes by a temperature and by the season; the sensor of the
 * temperature drifts by `drift` standard deviations a year. Rows from elsewhere are those of the next quarter.
 */
export function drawSensor(rowCount: number, drift: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 12, Math.round(100 * drift)));
  const drawAt = (at: number): string[] => {
    const years = (1.5 * at) / rowCount;
    const when = new Date(Date.UTC(2023, 6, 1) + years * 365 * 86_400_000).toISOString().slice(0, 16);
    const values = [drawNormal(random), drawNormal(random), drawNormal(random)];
    const logit = 4 * values[0]! + 2 * values[1]! + 2 * Math.cos(2 * Math.PI * years);
    const label = random.nextFloat() < 1 / (1 + Math.exp(-logit)) ? "yes" : "no";
    const [temperature, ...others] = values;
    return [when, ...[temperature! + drift * years, ...others].map((value) => value.toFixed(3)), label];
  };
  const draw = (from: number, count: number) => Array.from({ length: count }, (_, at) => drawAt(from + at));
  const names = ["when", "sensor", "other", "noise", "label"];
  return { names, rows: draw(0, rowCount), elsewhere: draw(rowCount, Math.round(rowCount / 6)) };
}

/** Every row four times with small noise and the same label, in mixed order; no column tells which belong together. */
export function drawTwins(rowCount: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 8));
  const draw = () => {
    const { values } = drawRow(random, 0);
    const label = random.nextFloat() < 0.5 ? "yes" : "no";
    return Array.from({ length: COPIES }, () => [
      ...values.map((value) => (value + 0.02 * drawNormal(random)).toFixed(3)),
      label,
    ]);
  };
  const rows = Array.from({ length: rowCount / COPIES }, draw).flat();
  const elsewhere = Array.from({ length: 500 }, draw).flat();
  return { names: [...numberNames(), "label"], rows: mixed(rows, random), elsewhere };
}

/** Independent rows, of which a share stands once more, in mixed order. */
export function drawCopies(rowCount: number, share: number, seed: number): FieldTable {
  const { names, rows } = drawLeak(2 * rowCount, null, seed);
  const [own, elsewhere] = [rows.slice(0, rowCount), rows.slice(rowCount)];
  const copies = own.slice(0, Math.round(share * rowCount));
  return { names, rows: mixed([...own, ...copies], new Random(deriveSeed(seed, 10))), elsewhere };
}

export const LEAKS = ["copy", "renamed", "filled", "filled in part", "noisy copy", "pair"] as const;
export type Leak = (typeof LEAKS)[number];

/** Independent rows, and one column (or two) that gives the label away in one of six ways; null for none. */
export function drawLeak(rowCount: number, leak: Leak | null, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 9, leak === null ? 99 : LEAKS.indexOf(leak)));
  const rows = Array.from({ length: rowCount }, () => {
    const { values, label } = drawRow(random, 0);
    const leaks = leak === null ? [] : leakCells(leak, label, random);
    return [...values.map((value) => value.toFixed(3)), ...leaks, label === 1 ? "yes" : "no"];
  });
  const count = rows[0]!.length - numberNames().length - 1;
  const names = [...numberNames(), ...Array.from({ length: count }, (_, at) => `leak${at + 1}`), "label"];
  return { names, rows, elsewhere: [] };
}

/**
 * Rows of two labels whose numbers overlap. The rarer one is made as frequent as the other by rows on the lines from a
 * row of it to one of its five nearest (SMOTE), with so many decimals.
 */
export function drawMade(rowCount: number, rareCount: number, decimals: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 21, rowCount, rareCount));
  const draw = (shift: number) => numberNames().map((_, at) => drawNormal(random) + (at < SIGNALS ? shift : 0));
  const common = Array.from({ length: rowCount - rareCount }, () => draw(0));
  const rare = Array.from({ length: rareCount }, () => draw(0.7));
  const distance = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0);
  const made = Array.from({ length: common.length - rareCount }, () => {
    const own = rare[random.nextBelow(rareCount)]!;
    const near = rare.toSorted((a, b) => distance(own, a) - distance(own, b)).slice(1, 6);
    const other = near[random.nextBelow(near.length)]!;
    const part = random.nextFloat();
    return own.map((value, at) => value + part * (other[at]! - value));
  });
  const written = (label: string) => (row: readonly number[]) => [
    ...row.map((value) => value.toFixed(decimals)),
    label,
  ];
  const rows = [...common.map(written("no")), ...[...rare, ...made].map(written("yes"))];
  const elsewhere = Array.from({ length: 2_000 }, (_, at) =>
    written(at % 2 === 0 ? "no" : "yes")(draw(at % 2 === 0 ? 0 : 0.7)),
  );
  return { names: [...numberNames(), "label"], rows: mixed(rows, random), elsewhere };
}

/**
 * Sites on a map, rows near each of them in mixed order. The label goes by the site, `strength` being the standard
 * deviation of the sites' log-odds, and a little by one number. Those from elsewhere have other sites.
 */
export function drawPlaces(siteCount: number, rowsPerSite: number, strength: number, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, 22, siteCount, Math.round(100 * strength)));
  const draw = () => {
    const [north, east] = [47 + 2 * random.nextFloat(), 8 + 4 * random.nextFloat()];
    const odds = strength * drawNormal(random);
    return Array.from({ length: rowsPerSite }, () => {
      const near = [north, east].map((degrees) => (degrees + 0.01 * drawNormal(random)).toFixed(5));
      const numbers = numberNames().map(() => drawNormal(random));
      const label = random.nextFloat() < 1 / (1 + Math.exp(-odds - numbers[0]!)) ? "yes" : "no";
      return [...near, ...numbers.map((value) => value.toFixed(3)), label];
    });
  };
  const rows = mixed(Array.from({ length: siteCount }, draw).flat(), random);
  const elsewhere = Array.from({ length: 200 }, draw).flat();
  return { names: ["gps_lat", "gps_lon", ...numberNames(), "label"], rows, elsewhere };
}

function leakCells(leak: Leak, label: number, random: Random): string[] {
  const first = random.nextFloat();
  const bit = first < 0.5 ? 0 : 1;
  if (leak === "copy") return [(label + 0.3 * random.nextFloat()).toFixed(3)];
  if (leak === "renamed") return [label === 1 ? `b${Math.floor(3 * first)}` : `a${Math.floor(3 * first)}`];
  if (leak === "filled") return [label === 1 ? `2024-0${1 + Math.floor(9 * first)}-11` : ""];
  if (leak === "filled in part") return [label === 1 && first < 0.7 ? (100 * first).toFixed(1) : ""];
  if (leak === "noisy copy") return [String(first < 0.015 ? 1 - label : label)];
  return [bit === 1 ? "x" : "y", (bit ^ label) === 1 ? "u" : "v"];
}

/** The same rows in drawn order. */
export function shuffled(table: FieldTable, seed: number): FieldTable {
  return { ...table, rows: mixed(table.rows, new Random(deriveSeed(seed, 5))) };
}

/** Without the first column, which names the group or the time. */
export function withoutKey({ names, rows, elsewhere }: FieldTable): FieldTable {
  return {
    names: names.slice(1),
    rows: rows.map((row) => row.slice(1)),
    elsewhere: elsewhere.map((row) => row.slice(1)),
  };
}

export function csvOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[names, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** A label that follows two columns, turned by `angle`, and one more. */
function drawRow(random: Random, angle: number): Row {
  const values = Array.from({ length: SIGNALS + NOISE }, () => drawNormal(random));
  const logit = 4 * (values[0]! * Math.cos(angle) + values[1]! * Math.sin(angle)) + values[2]!;
  return { values, label: random.nextFloat() < 1 / (1 + Math.exp(-logit)) ? 1 : 0 };
}

function numberNames(): string[] {
  return Array.from({ length: SIGNALS + NOISE }, (_, at) => `x${at + 1}`);
}

function mixed<T>(rows: readonly T[], random: Random): T[] {
  const order = Uint32Array.from(rows.keys());
  shuffle(order, random);
  return Array.from(order, (at) => rows[at]!);
}
