// Drawn tables of which it is known which columns the label came from:
// linear, redundant, rare, interacting, wide, none.
import { deriveSeed, Random } from "../../engine/random.ts";
import { assemble, type Draft, drawNoise, drawNormal, mixed, NOISE_KINDS, type NoisyTable } from "./noisy-tables.ts";

const LEVELS = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

interface RowCounts {
  train: number;
  test: number;
  outer: number;
}

/** A column as it is drawn, and the numbers that the label is made of. */
interface Source {
  draft: Draft;
  values: Float64Array;
}

interface Recipe {
  rows: RowCounts;
  draw: (rowCount: number, random: Random) => { drafts: Draft[]; labels: string[] };
}

const USUAL: RowCounts = { train: 2_000, test: 700, outer: 3_000 };

const RECIPES = {
  /** 10 of 60 columns, numbers, yes-no and categories, each with its own weight. */
  linear: { rows: USUAL, draw: (n, random) => additive(n, random, { signals: 10, noise: 50, least: 0.3, most: 1 }) },
  /** 6 numbers, each with an exact, a recoded and two near copies, among 20 columns of noise. */
  redundant: { rows: USUAL, draw: redundant },
  /** 8 yes-no columns that are mostly no, among 40 of ten buckets or more. */
  "rare binary": { rows: USUAL, draw: rareBinary },
  /** The sign of a product of 2 numbers, among 20 columns of noise. */
  "xor of 2": { rows: USUAL, draw: xorOfTwo },
  /** Whether an odd number of 3 yes-no columns is yes, among 15 columns of noise. */
  "parity of 3": { rows: USUAL, draw: parityOfThree },
  /** 2 pairs of three-level columns, no column of which tells anything alone, among 30 like them. */
  epistasis: { rows: USUAL, draw: epistasis },
  /** 5 classes, 8 of 80 columns. */
  "five classes": { rows: USUAL, draw: fiveClasses },
  /** One row in twenty is of the second class; 8 of 50 columns. */
  imbalanced: { rows: USUAL, draw: imbalanced },
  small: {
    rows: { train: 300, test: 105, outer: 3_000 },
    draw: (n, random) => additive(n, random, { signals: 6, noise: 24, least: 0.5, most: 1.2 }),
  },
  wide: {
    rows: { train: 800, test: 280, outer: 3_000 },
    draw: (n, random) => additive(n, random, { signals: 10, noise: 990, least: 0.6, most: 1.2 }),
  },
  /** 40 columns, and a label that was tossed. */
  "no signal": { rows: USUAL, draw: noSignal },
} as const satisfies Record<string, Recipe>;

export type SyntheticKind = keyof typeof RECIPES;
export const SYNTHETIC_KINDS = Object.keys(RECIPES) as SyntheticKind[];

/** The table of this kind and seed, columns mixed and named c001, c002…; `rows` shortens it for tests. */
export function drawSynthetic(kind: SyntheticKind, seed: number, rows: RowCounts = RECIPES[kind].rows): NoisyTable {
  const random = new Random(deriveSeed(seed, SYNTHETIC_KINDS.indexOf(kind)));
  const { train, test, outer } = rows;
  const { drafts, labels } = RECIPES[kind].draw(train + test + outer, random);
  const ordered = mixed(drafts, random);
  ordered.forEach((draft, index) => {
    draft.name = `c${String(index + 1).padStart(3, "0")}`;
  });
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  const parts = { train: range(0, train), test: range(train, test), outer: range(train + test, outer) };
  return assemble(ordered, "label", labels, parts);
}

function additive(
  rowCount: number,
  random: Random,
  { signals, noise, least, most }: { signals: number; noise: number; least: number; most: number },
) {
  const score = new Float64Array(rowCount);
  const sources = Array.from({ length: signals }, (_, index) => {
    const source =
      index % 5 === 3
        ? yesNo(rowCount, 0.5, random)
        : index % 5 === 4
          ? category(rowCount, random)
          : number(rowCount, random);
    const weight = (index % 2 === 0 ? 1 : -1) * (least + ((most - least) * index) / (signals - 1));
    addTo(score, source.values, weight);
    return source.draft;
  });
  return { drafts: [...sources, ...noiseDrafts(noise, rowCount, random)], labels: toss(score, random) };
}

function redundant(rowCount: number, random: Random) {
  const score = new Float64Array(rowCount);
  const drafts = Array.from({ length: 6 }, (_, index) => {
    const { draft, values } = number(rowCount, random);
    addTo(score, values, (index % 2 === 0 ? 1 : -1) * (0.5 + 0.14 * index));
    const near = (spread: number) => Array.from(values, (value) => (value + spread * drawNormal(random)).toFixed(3));
    const recoded = Array.from(values, (value) => String(3 * Math.round(1000 * value) + 20_000));
    return [draft, ...[draft.cells, recoded, near(0.2), near(0.3)].map((cells) => ({ ...draft, cells, of: draft }))];
  }).flat();
  return { drafts: [...drafts, ...noiseDrafts(20, rowCount, random)], labels: toss(score, random) };
}

function rareBinary(rowCount: number, random: Random) {
  const score = new Float64Array(rowCount);
  const drafts = Array.from({ length: 8 }, (_, index) => {
    const { draft, values } = yesNo(rowCount, 0.06 + 0.01 * index, random);
    addTo(score, values, index % 2 === 0 ? 2 : -2);
    return draft;
  });
  const kinds = ["uniform", "ten levels", "heavy tail", "uniform"] as const;
  const noise = Array.from({ length: 40 }, (_, index) => asNoise(drawNoise(kinds[index % 4]!, rowCount, random)));
  return { drafts: [...drafts, ...noise], labels: toss(score, random) };
}

function xorOfTwo(rowCount: number, random: Random) {
  const [a, b] = [number(rowCount, random), number(rowCount, random)];
  const labels = Array.from(a.values, (value, row) => flipped(value * b.values[row]! > 0, 0.1, random));
  return { drafts: [a.draft, b.draft, ...noiseDrafts(20, rowCount, random)], labels };
}

function parityOfThree(rowCount: number, random: Random) {
  const bits = Array.from({ length: 3 }, () => yesNo(rowCount, 0.5, random));
  const labels = Array.from({ length: rowCount }, (_, row) => {
    const count = bits.reduce((sum, { values }) => sum + (values[row]! > 0 ? 1 : 0), 0);
    return flipped(count % 2 === 1, 0.05, random);
  });
  const like = Array.from({ length: 7 }, () => asNoise(drawNoise("binary", rowCount, random)));
  return { drafts: [...bits.map(({ draft }) => draft), ...like, ...noiseDrafts(8, rowCount, random)], labels };
}

/** Genotypes 0, 1, 2 in shares 1:2:1 and an exclusive or on "is 1": every single column is independent of the label. */
function epistasis(rowCount: number, random: Random) {
  const genotype = () => Array.from({ length: rowCount }, () => random.nextBelow(2) + random.nextBelow(2));
  const pairs = [0.3, 0.18].map((effect) => ({ effect, first: genotype(), second: genotype() }));
  const labels = Array.from({ length: rowCount }, (_, row) => {
    const share = pairs.reduce(
      (sum, { effect, first, second }) => sum + ((first[row] === 1) !== (second[row] === 1) ? effect : -effect),
      0.5,
    );
    return random.nextFloat() < share ? "yes" : "no";
  });
  const like = Array.from({ length: 30 }, () => asNoise(genotype().map(String)));
  const signals = pairs.flatMap(({ first, second }) => [asSignal(first.map(String)), asSignal(second.map(String))]);
  return { drafts: [...signals, ...like], labels };
}

function fiveClasses(rowCount: number, random: Random) {
  const classes = Array.from({ length: rowCount }, () => random.nextBelow(5));
  const drafts = Array.from({ length: 8 }, (_, index) => {
    if (index >= 6) {
      return asSignal(classes.map((code) => LEVELS[random.nextFloat() < 0.25 ? code : random.nextBelow(5)]!));
    }
    const means = Array.from({ length: 5 }, () => 0.6 * drawNormal(random));
    return asSignal(classes.map((code) => (means[code]! + drawNormal(random)).toFixed(3)));
  });
  return { drafts: [...drafts, ...noiseDrafts(72, rowCount, random)], labels: classes.map((code) => `class ${code}`) };
}

function imbalanced(rowCount: number, random: Random) {
  const isRare = Array.from({ length: rowCount }, () => random.nextFloat() < 0.05);
  const drafts = Array.from({ length: 8 }, (_, index) => {
    if (index >= 6) {
      return asSignal(isRare.map((rare) => LEVELS[rare && random.nextFloat() < 0.35 ? 0 : random.nextBelow(6)]!));
    }
    const shift = 0.6 + 0.14 * index;
    return asSignal(isRare.map((rare) => ((rare ? shift : 0) + drawNormal(random)).toFixed(3)));
  });
  const labels = isRare.map((rare) => (rare ? "yes" : "no"));
  return { drafts: [...drafts, ...noiseDrafts(42, rowCount, random)], labels };
}

function noSignal(rowCount: number, random: Random) {
  const labels = Array.from({ length: rowCount }, () => flipped(true, 0.5, random));
  return { drafts: noiseDrafts(40, rowCount, random), labels };
}

/** Values are as the cells tell them, so that a copy of the cells is a copy of the signal. */
function number(rowCount: number, random: Random): Source {
  const cells = Array.from({ length: rowCount }, () => drawNormal(random).toFixed(3));
  return { draft: asSignal(cells), values: Float64Array.from(cells, Number) };
}

/** Centred, so that rare columns do not shift the label's balance. */
function yesNo(rowCount: number, share: number, random: Random): Source {
  const isYes = Array.from({ length: rowCount }, () => random.nextFloat() < share);
  const draft = asSignal(isYes.map((yes) => (yes ? "1" : "0")));
  return { draft, values: Float64Array.from(isYes, (yes) => (yes ? 1 : 0) - share) };
}

/** Four levels, whose effects are evenly spaced about 0 with variance 1. */
function category(rowCount: number, random: Random): Source {
  const codes = Array.from({ length: rowCount }, () => random.nextBelow(4));
  const effects = mixed([-1.342, -0.447, 0.447, 1.342], random);
  return {
    draft: asSignal(codes.map((code) => LEVELS[code]!)),
    values: Float64Array.from(codes, (code) => effects[code]!),
  };
}

function noiseDrafts(count: number, rowCount: number, random: Random): Draft[] {
  return Array.from({ length: count }, (_, index) =>
    asNoise(drawNoise(NOISE_KINDS[index % NOISE_KINDS.length]!, rowCount, random)),
  );
}

function asSignal(cells: readonly string[]): Draft {
  return { name: "", cells, role: "signal", of: null };
}

function asNoise(cells: readonly string[]): Draft {
  return { name: "", cells, role: "noise", of: null };
}

function addTo(score: Float64Array, values: Float64Array, weight: number): void {
  for (let row = 0; row < score.length; row++) score[row]! += weight * values[row]!;
}

/** Labels drawn with the logistic probability of the score. */
function toss(score: Float64Array, random: Random): string[] {
  return Array.from(score, (value) => (random.nextFloat() < 1 / (1 + Math.exp(-value)) ? "yes" : "no"));
}

function flipped(isYes: boolean, share: number, random: Random): string {
  return isYes !== random.nextFloat() < share ? "yes" : "no";
}
