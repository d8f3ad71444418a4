// The tables of the campaign: the same for the same seed, and the truth about their columns is true.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { addNoise, type NoisyTable, openTable, writeTable } from "./noisy-tables.ts";
import { readTable } from "./outer-split.ts";
import { drawSynthetic, SYNTHETIC_KINDS } from "./synthetic-tables.ts";

const FEW = { train: 60, test: 20, outer: 30 };
const folder = testFolder();
describe("drawn tables", () => {
  test.each(SYNTHETIC_KINDS)("%s: the same seed gives the same table, another seed another", (kind) => {
    const drawn = drawSynthetic(kind, 3, FEW);
    expect(drawSynthetic(kind, 3, FEW)).toEqual(drawn);
    expect(drawSynthetic(kind, 4, FEW).train).not.toEqual(drawn.train);
    expect([drawn.train.length, drawn.test.length, drawn.outer.length]).toEqual([60, 20, 30]);
    expectEveryColumnOnOneList(drawn);
  });

  test("a parity is told by its three columns together, but for one label in twenty", () => {
    const { names, train, truth } = drawSynthetic("parity of 3", 1);
    expect(truth.signal).toHaveLength(3);
    const columns = truth.signal.map((name) => names.indexOf(name));
    const odd = train.filter((row) => columns.filter((column) => row[column] === "1").length % 2 === 1);
    const yes = odd.filter((row) => row.at(-1) === "yes").length / odd.length;
    expect(yes).toBeGreaterThan(0.92);
    expect(yes).toBeLessThan(0.98);
    for (const column of columns) expect(Math.abs(gap(train, column, "1"))).toBeLessThan(0.1);
  });

  test("of a pair of an epistasis neither column tells anything alone, both together do", () => {
    const { names, outer, truth } = drawSynthetic("epistasis", 2);
    const columns = truth.signal.map((name) => names.indexOf(name));
    for (const column of columns) expect(Math.abs(gap(outer, column, "1"))).toBeLessThan(0.1);
    const pairs = columns.flatMap((a) => columns.filter((b) => b > a).map((b) => [a, b] as const));
    const gaps = pairs.map(([a, b]) => {
      const differs = outer.map((row) => [(row[a] === "1") !== (row[b] === "1") ? "1" : "0", row.at(-1)!]);
      return gap(differs, 0, "1");
    });
    expect(gaps.filter((difference) => difference > 0.25)).toHaveLength(2);
  });

  test("a recoded copy is strictly monotone in its original, an exact one equals it", () => {
    const { names, train, truth } = drawSynthetic("redundant", 5);
    expect(truth.copies).toHaveLength(24);
    const cellsOf = (name: string) => train.map((row) => row[names.indexOf(name)]!);
    const kinds = truth.copies.map(({ name, of }) => relation(cellsOf(of), cellsOf(name)));
    expect(kinds.toSorted()).toEqual([
      ...Array(6).fill("equal"),
      ...Array(6).fill("monotone"),
      ...Array(12).fill("other"),
    ]);
  });

  test("one row in twenty is of the rare class", () => {
    const { outer } = drawSynthetic("imbalanced", 1);
    const share = outer.filter((row) => row.at(-1) === "yes").length / outer.length;
    expect(share).toBeGreaterThan(0.035);
    expect(share).toBeLessThan(0.065);
  });
});

describe("real tables with noise added", () => {
  const real = readTable(join(import.meta.dir, "..", "fixtures", "tables", "credit_g.csv"));
  const noisy = addNoise(real.header, real.records, 7);
  const cellsOf = (name: string) =>
    [...noisy.train, ...noisy.test, ...noisy.outer].map((row) => row[noisy.names.indexOf(name)]!);

  test("the same seed gives the same table, another seed another", () => {
    expect(addNoise(real.header, real.records, 7)).toEqual(noisy);
    expect(addNoise(real.header, real.records, 8).train).not.toEqual(noisy.train);
    expectEveryColumnOnOneList(noisy);
  });

  test("rows are dealt 60 / 20 / 20, every class with its share, and none is lost", () => {
    expect([noisy.train.length, noisy.test.length, noisy.outer.length]).toEqual([600, 200, 200]);
    for (const part of [noisy.train, noisy.test, noisy.outer]) {
      expect(part.filter((row) => row.at(-1) === "bad").length / part.length).toBeCloseTo(0.3, 2);
    }
    const own = (names: readonly string[], row: readonly string[]) =>
      JSON.stringify(real.header.map((name) => row[names.indexOf(name)]));
    const dealt = [...noisy.train, ...noisy.test, ...noisy.outer].map((row) => own(noisy.names, row));
    expect(dealt.toSorted()).toEqual(real.records.map((row) => own(real.header, row)).toSorted());
  });

  test("a shuffled copy has the cells of its original in another order", () => {
    const shuffled = noisy.truth.noise.filter((name) => name.endsWith("__shuffled"));
    expect(shuffled).toHaveLength(20);
    for (const name of shuffled) {
      const [copy, original] = [cellsOf(name), cellsOf(name.replace("__shuffled", ""))];
      expect(copy).not.toEqual(original);
      expect(copy.toSorted()).toEqual(original.toSorted());
    }
  });

  test("copies tell the same as their originals", () => {
    expect(noisy.truth.copies).toHaveLength(2);
    for (const { name, of } of noisy.truth.copies) {
      const pairs = cellsOf(name).map((cell, row) => `${cell}\t${cellsOf(of)[row]}`);
      expect(new Set(pairs).size).toBe(new Set(cellsOf(of)).size);
      expect(new Set(cellsOf(name)).size).toBe(new Set(cellsOf(of)).size);
    }
  });

  test("where the makers told the signal, the other columns are noise", () => {
    const { truth } = addNoise(real.header, real.records, 7, ["duration", "age"]);
    expect(truth.signal.toSorted()).toEqual(["age", "duration"]);
    expect(truth.given).toEqual([]);
    expect(truth.noise).toHaveLength(18 + 40);
  });

  test("a large table is cut to its caps, and classes keep their shares", () => {
    const rows = Array.from({ length: 40_000 }, (_, row) => [String(row), row % 10 === 0 ? "rare" : "common"]);
    const { train, test: blind, outer } = addNoise(["a", "label"], rows, 1);
    expect([train.length, blind.length, outer.length]).toEqual([6_000, 2_000, 6_000]);
    for (const part of [train, blind, outer]) {
      expect(part.filter((row) => row.at(-1) === "rare").length / part.length).toBeCloseTo(0.1, 2);
    }
  });

  test("a written table is found again, an unfinished one is not", () => {
    writeTable(join(folder, "credit"), noisy);
    const files = openTable(join(folder, "credit"))!;
    expect(files.truth).toEqual(noisy.truth);
    expect([...files.columns, "class"]).toEqual([...noisy.names]);
    expect(readTable(files.outer).records).toEqual(noisy.outer.map((row) => [...row]));
    expect(openTable(join(folder, "nothing"))).toBeNull();
  });
});

function expectEveryColumnOnOneList({ names, truth }: NoisyTable): void {
  const { signal, noise, copies, given } = truth;
  const listed = [...signal, ...noise, ...given, ...copies.map(({ name }) => name)];
  expect(listed.toSorted()).toEqual(names.slice(0, -1).toSorted());
  for (const { of } of copies) expect([...signal, ...noise, ...given]).toContain(of);
}

/** Share of "yes" where the cell is this less that elsewhere. */
function gap(rows: readonly (readonly string[])[], column: number, cell: string): number {
  const yes = (part: typeof rows) => part.filter((row) => row.at(-1) === "yes").length / part.length;
  return yes(rows.filter((row) => row[column] === cell)) - yes(rows.filter((row) => row[column] !== cell));
}

function relation(original: readonly string[], copy: readonly string[]): "equal" | "monotone" | "other" {
  if (original.every((cell, row) => cell === copy[row])) return "equal";
  const order = [...original.keys()].sort((a, b) => Number(original[a]) - Number(original[b]));
  const isMonotone = order.every((row, index) => {
    const previous = order[Math.max(0, index - 1)]!;
    const rises = Number(original[row]) > Number(original[previous]);
    return rises ? Number(copy[row]) > Number(copy[previous]) : copy[row] === copy[previous];
  });
  return isMonotone ? "monotone" : "other";
}
