// Tests whether a feature's codes and the classes are independent: Pearson's chi-square beside that of shuffled labels.
import { chiSquare } from "../chi-square.ts";
import { deriveSeed, Random } from "../random.ts";
import { sumOf } from "../sums.ts";
import { upperGamma, upperHypergeometric } from "./tail-probabilities.ts";

/**
 * Where each cell expects this many rows, the gamma tail is right within a
 * factor of 2 down to about p = .0005 (measured).
 */
const LEAST_EXPECTED = 2;
/** Where the gamma distribution sees nothing, no tables are drawn. */
const CLEARLY_CHANCE = 0.1;
/** Drawing stops once this many tables reached the statistic: the p-value is then known within about 15%. */
const ENOUGH_HITS = 50;
const MIN_TABLES = 1_000;
const MAX_TABLES = 10_000;
/** Rows drawn for one p-value at most, unless `MIN_TABLES` needs more: a few hundredths of a second. */
const MAX_DRAWN_ROWS = 5_000_000;
/** Two statistics within this share are the same one, summed in another order. */
const TIE = 1e-9;
const TABLE_DRAW = 1;

interface Dependence {
  /** Pearson's chi-square X² over the codes and classes that occur. */
  statistic: number;
  /** Exact mean and variance of X² over all shuffles of the labels. */
  mean: number;
  variance: number;
}

interface IndependenceTest extends Dependence {
  /**
   * Probability of a statistic at least as large when the labels are shuffled; 1 where there is one code or one class.
   */
  pValue: number;
}

/** A table of counts without its empty codes and classes. */
interface Crossing {
  /** Entry `code * classTotals.length + class`. */
  cells: Float64Array;
  codeTotals: Float64Array;
  classTotals: Float64Array;
  rowCount: number;
}

/**
 * Tests whether codes tell anything of the classes; `counts` as `countCodes` gives them. The reference
 * is the permutation distribution under the margins at hand, since the usual chi-square one takes
 * sparse tables (hundreds of rare categories) for significant:
 * - 2 × 2: exact, the sum over all tables that are as far from independence;
 * - else a gamma distribution of the exact mean and variance of X² (Haldane 1940, Dawson 1954; Mielke and Berry,
 *   Permutation Methods, 2007), which is enough where every cell expects two rows or more;
 * - in sparser tables, where the statistic has a heavier tail or few values only: tables are drawn until 50 are as
 *   extreme (Besag and Clifford 1991). If none of 1,000 to 10,000 is, the p-value is the larger of the gamma tail and
 *   the chance that one cell alone makes such a statistic, and at most 1 / (number of draws).
 *
 * A sparse table's p-value below 1 / (number of draws) is thus an estimate; chance alone does not reach it more often.
 * All draws derive from the counts. O(cells), and up to `MAX_DRAWN_ROWS` steps for a sparse table.
 */
export function testIndependence(counts: Int32Array, classCount: number): IndependenceTest {
  const crossing = dropEmpty(counts, classCount);
  const dependence = dependenceOf(crossing);
  return { ...dependence, pValue: dependence.mean === 0 ? 1 : tailOf(dependence, crossing) };
}

/**
 * The p-value within strata, each with its counts: their statistics, means and variances are summed up, and the tail is
 * a gamma distribution's. O(cells).
 */
export function testWithinStrata(strata: readonly Int32Array[], classCount: number): number {
  const dependences = strata.map((counts) => dependenceOf(dropEmpty(counts, classCount)));
  // Three rows or fewer leave the variance undefined.
  const known = dependences.filter(({ variance }) => variance > 0);
  const mean = sumOf(known.map((each) => each.mean));
  const variance = sumOf(known.map((each) => each.variance));
  const statistic = sumOf(known.map((each) => each.statistic));
  return known.length === 0 ? 1 : upperGamma((mean * mean) / variance, (statistic * mean) / variance);
}

/** All 0 where there is one code or one class. */
function dependenceOf({ cells, codeTotals, classTotals, rowCount }: Crossing): Dependence {
  if (codeTotals.length < 2 || classTotals.length < 2) return { statistic: 0, mean: 0, variance: 0 };
  const statistic = chiSquare(cells, codeTotals, classTotals, rowCount);
  return { statistic, ...permutationMoments(codeTotals, classTotals, rowCount) };
}

function dropEmpty(counts: Int32Array, classCount: number): Crossing {
  const allCodes = new Float64Array(counts.length / classCount);
  const allClasses = new Float64Array(classCount);
  for (let cell = 0, code = 0; code < allCodes.length; code++) {
    for (let k = 0; k < classCount; k++, cell++) {
      allCodes[code]! += counts[cell]!;
      allClasses[k]! += counts[cell]!;
    }
  }
  const isPresent = (total: number) => total > 0;
  const codeTotals = allCodes.filter(isPresent);
  const classTotals = allClasses.filter(isPresent);
  const cells = Float64Array.from(
    counts.filter((_, cell) => allCodes[Math.floor(cell / classCount)]! > 0 && allClasses[cell % classCount]! > 0),
  );
  return { cells, codeTotals, classTotals, rowCount: sumOf(codeTotals) };
}

/** Haldane's moments of X² under fixed margins; the variance is NaN where three rows or fewer leave it undefined. */
function permutationMoments(codeTotals: Float64Array, classTotals: Float64Array, rowCount: number) {
  const spread = (count: number) => ((count - 1) * (rowCount - count)) / (rowCount - 1);
  // 0 for equal totals, which rounding may leave slightly below 0; above 0 for unequal ones.
  const unevenness = (totals: Float64Array) =>
    Math.max(0, (rowCount * totals.reduce((sum, total) => sum + 1 / total, 0) - totals.length ** 2) / (rowCount - 2));
  const codes = unevenness(codeTotals);
  const classes = unevenness(classTotals);
  const inner = (spread(codeTotals.length) - codes) * (spread(classTotals.length) - classes);
  return {
    mean: (rowCount / (rowCount - 1)) * (codeTotals.length - 1) * (classTotals.length - 1),
    variance: ((2 * rowCount) / (rowCount - 3)) * inner + (rowCount ** 2 / (rowCount - 1)) * codes * classes,
  };
}

function tailOf({ statistic, mean, variance }: Dependence, crossing: Crossing): number {
  const { codeTotals, classTotals, rowCount } = crossing;
  if (codeTotals.length === 2 && classTotals.length === 2) return singleCellTail(statistic, crossing);
  // Shuffling does not change the statistic, for example if each row has a code of its own.
  if (!(variance > TIE * mean * mean)) return 1;
  const gamma = upperGamma((mean * mean) / variance, (statistic * mean) / variance);
  const leastExpected = (leastOf(codeTotals) * leastOf(classTotals)) / rowCount;
  if (leastExpected >= LEAST_EXPECTED || gamma > CLEARLY_CHANCE) return gamma;

  const drawnRows = Math.min(rowCount - mostOf(codeTotals), rowCount - mostOf(classTotals));
  const tableCount = Math.min(MAX_TABLES, Math.max(MIN_TABLES, Math.floor(MAX_DRAWN_ROWS / drawnRows)));
  const estimate = () => Math.max(gamma, singleCellTail(statistic, crossing));
  // Cantelli's inequality holds for any distribution; if its bound is as
  // low as drawing could show, no tables are drawn.
  const ceiling = variance / (variance + (statistic - mean) ** 2);
  if (ceiling * tableCount <= 1) return Math.min(ceiling, estimate());
  const { hits, drawn } = drawTables(statistic, crossing, tableCount);
  if (hits >= ENOUGH_HITS) return hits / drawn;
  return hits > 0 ? (hits + 1) / (drawn + 1) : Math.min(1 / (drawn + 1), estimate());
}

/**
 * The chance that any one cell, the others being as expected, brings the statistic: the sum
 * over cells of hypergeometric tails. With two codes and two classes one cell is the whole
 * table, counted from two corners, and the result is exact.
 */
function singleCellTail(statistic: number, { codeTotals, classTotals, rowCount }: Crossing): number {
  const others = (codeTotals.length - 1) * (classTotals.length - 1) - 1;
  const share = statistic * (1 - TIE) - others;
  if (share <= 0) return 1;
  let sum = 0;
  for (const codeTotal of codeTotals) {
    for (const classTotal of classTotals) {
      const expected = (codeTotal * classTotal) / rowCount;
      const variance = expected * (1 - codeTotal / rowCount) * (1 - classTotal / rowCount);
      const count = Math.ceil(expected + Math.sqrt(share * variance) - TIE);
      sum += upperHypergeometric(count, codeTotal, classTotal, rowCount);
    }
  }
  return Math.min(1, others === 0 ? sum / 2 : sum);
}

/**
 * Draws tables of the same margins until enough reach the statistic; deals
 * the rows of all but the largest code or class.
 */
function drawTables(statistic: number, crossing: Crossing, tableCount: number): { hits: number; drawn: number } {
  const { codeTotals, classTotals, rowCount } = crossing;
  const isDealingClasses = mostOf(classTotals) >= mostOf(codeTotals);
  const dealt = (isDealingClasses ? classTotals : codeTotals).slice().sort();
  const keptTotals = isDealingClasses ? codeTotals : classTotals;
  const keeperOfRow = new Uint16Array(rowCount);
  for (let code = 0, row = 0; code < keptTotals.length; code++) {
    keeperOfRow.fill(code, row, row + keptTotals[code]!);
    row += keptTotals[code]!;
  }
  const scratch = { left: new Float64Array(keptTotals.length), met: new Float64Array(keptTotals.length) };
  let seed = TABLE_DRAW;
  for (const count of crossing.cells) seed = deriveSeed(seed, count);
  const random = new Random(seed);
  // X² / N + 1 is the sum of count² / (code total × class total).
  const goal = 1 + (statistic * (1 - TIE)) / rowCount;
  let hits = 0;
  let drawn = 0;
  while (drawn < tableCount && hits < ENOUGH_HITS) {
    drawn++;
    if (drawTable(dealt, keptTotals, keeperOfRow, scratch, random) >= goal) hits++;
  }
  return { hits, drawn };
}

/**
 * One table: deals rows without replacement to every total but the last, the rest falls to the last, and returns the
 * sum of count² / (total × total). `keeperOfRow` is shuffled on. O(dealt rows + cells).
 */
function drawTable(
  dealt: Float64Array,
  keptTotals: Float64Array,
  keeperOfRow: Uint16Array,
  scratch: { left: Float64Array; met: Float64Array },
  random: Random,
): number {
  const { left, met } = scratch;
  const rowCount = keeperOfRow.length;
  const last = dealt.length - 1;
  left.set(keptTotals);
  let sum = 0;
  let row = 0;
  for (let k = 0; k < last; k++) {
    met.fill(0);
    for (const end = row + dealt[k]!; row < end; row++) {
      const other = row + random.nextBelow(rowCount - row);
      const keeper = keeperOfRow[other]!;
      keeperOfRow[other] = keeperOfRow[row]!;
      keeperOfRow[row] = keeper;
      met[keeper]!++;
    }
    let squares = 0;
    for (let i = 0; i < met.length; i++) {
      const count = met[i]!;
      left[i]! -= count;
      squares += (count * count) / keptTotals[i]!;
    }
    sum += squares / dealt[k]!;
  }
  let squares = 0;
  for (let i = 0; i < left.length; i++) squares += (left[i]! * left[i]!) / keptTotals[i]!;
  return sum + squares / dealt[last]!;
}

function leastOf(totals: Float64Array): number {
  return totals.reduce((least, total) => Math.min(least, total));
}

function mostOf(totals: Float64Array): number {
  return totals.reduce((most, total) => Math.max(most, total));
}
