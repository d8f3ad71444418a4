// Which rows learn and which judge: the holdout and further re-splits of a
// table, and the folds inside the learning rows.

import { deriveSeed, Random, shuffled } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import type { LabelledRows } from "../table/table.ts";
import { dealGroups } from "./group-parts.ts";
import { INDEPENDENT_ROWS, NO_PART, type RowKeys } from "./row-keys.ts";
import { ageParts, forwardFolds, groupAges } from "./time-parts.ts";

/**
 * A table is cut into fifths: one is the holdout, two more confirm the kept versions,
 * so that no row serves twice; by time see `FORWARD`.
 */
export const PART_COUNT = 5;
/** The fifth that is held out: 20% of the rows (D44). */
export const HOLDOUT_PART = 0;
/** The parts that judge the further re-splits (D47): fifths of their own, or by time the tenths of the newest fifth. */
const CONFIRMING_FIFTHS: readonly number[] = [1, 2];
/** Tenths have the numbers 5 to 14; tenths `t` and `t + 5` make up the fifth `t % 5`. */
const TENTH_COUNT = 10;
/** The tenths that judge in place of fifths (D145): the same rows, by models of nine tenths of all rows. */
const CONFIRMING_TENTHS: readonly number[] = [6, 7, 11, 12];
/**
 * A table of this many rows or fewer is small: choosing among models is more chance than knowledge there (D137), and
 * models of four fifths know clearly less than one of all rows (D145).
 */
export const SMALL_TABLE_ROWS = 2_000;
/** Learning rows of such a table. */
export const SMALL_ROWS = SMALL_TABLE_ROWS - SMALL_TABLE_ROWS / PART_COUNT;

/** Up to this many learning rows four folds, above it three: more rows need less of the averaging. */
const MANY_LEARNING_ROWS = 5_000;
export const MOST_FOLDS = 4;
const FOLDS_OF_MANY_ROWS = 3;

const PART_DRAW = 1;
const FOLD_DRAW = 2;
/** Ages by time alone, as shares of the rows: tenths from the newest on, then all that is older. */
const TIME_SHARES = [0.1, 0.1, 0.1, 0.1, 0.1];
/**
 * By time: the ages that each part judges, and the newest age that it learns from (D93). The holdout is the newest
 * fifth. Its two tenths confirm. Their models are as old there as a model of all rows will be on the next fifth: in the
 * mean, .6 of the rows lie between what was learned and what is judged (1.1 - .5; .95 - .35 and .85 - .25). So a steady
 * drift costs as much.
 */
const FORWARD: readonly { judged: readonly number[]; learned: number }[] = [
  { judged: [0, 1], learned: 2 },
  { judged: [0], learned: 3 },
  { judged: [1], learned: 5 },
];
/** With groups too, a part judges only rows of new groups. These are few, so ages are fifths, not tenths. */
const TIME_SHARES_BESIDE_GROUPS = [0.2, 0.2, 0.2];

/** Learning and judging rows, ascending; together all rows of the table, where rows are independent. */
export interface Split {
  learning: Uint32Array;
  judging: Uint32Array;
}

/** The part that each row lies in: by dealing, by age, or both. A row of no part has `NO_PART`. */
export interface RowParts {
  /** 0 to 4: what a part judges is learned from all other parts. Null where time alone decides. */
  dealt: Uint8Array | null;
  /** The age of each row, 0 for the newest. Models learn from older rows than they judge. Null without time. */
  ages: Uint8Array | null;
  /** The tenth that each row lies in; left out where fifths confirm. */
  tenths?: Uint8Array;
}

/**
 * Assigns every row to a part. Independent rows are dealt to five parts of nearly equal size, each
 * with about the same share of every class; a class of one row lies in the last part, which never
 * judges. Groups are dealt whole (D93); by time rows have ages.
 */
export function assignParts(
  classes: Uint8Array,
  classCount: number,
  seed: number,
  { groups, times }: RowKeys = INDEPENDENT_ROWS,
): RowParts {
  const partSeed = deriveSeed(seed, PART_DRAW);
  if (times !== null) {
    if (groups === null) return { dealt: null, ages: ageParts(times, TIME_SHARES) };
    return { dealt: groupAges(groups, times, PART_COUNT), ages: ageParts(times, TIME_SHARES_BESIDE_GROUPS) };
  }
  const everyRow = { rows: rowsUpTo(classes.length), classes, classCount };
  if (groups !== null) {
    return { dealt: dealGroups(everyRow, groups, PART_COUNT, partSeed), ages: null };
  }
  const hands = dealByClass(everyRow, TENTH_COUNT, partSeed);
  const counts = new Uint32Array(classCount);
  for (const code of classes) counts[code]!++;
  const isAlone = (row: number) => counts[classes[row]!] === 1;
  const dealt = hands.map((hand, row) => (isAlone(row) ? PART_COUNT - 1 : hand % PART_COUNT));
  if (classes.length > SMALL_TABLE_ROWS) return { dealt, ages: null };
  // A row that is alone in its class lies in no tenth: it only teaches.
  const tenths = hands.map((hand, row) => (isAlone(row) ? 0 : PART_COUNT + hand));
  const haveRows = CONFIRMING_TENTHS.every((tenth) => tenths.includes(tenth));
  return haveRows ? { dealt, ages: null, tenths } : { dealt, ages: null };
}

/** The parts that judge the further re-splits: no row in two of them or, but for times, in the holdout. */
export function confirmingParts({ tenths }: RowParts): readonly number[] {
  return tenths === undefined ? CONFIRMING_FIFTHS : CONFIRMING_TENTHS;
}

/** The split that a part judges. */
export function splitByPart(parts: RowParts, judgingPart: number): Split {
  const { ages } = parts;
  const dealt = judgingPart < PART_COUNT ? parts.dealt : parts.tenths!;
  const rowCount = (dealt ?? ages)!.length;
  const { judged, learned: newestLearned } =
    dealt === null ? FORWARD[judgingPart]! : { judged: [judgingPart], learned: judgingPart + 1 };
  const judging = new Uint32Array(rowCount);
  const learning = new Uint32Array(rowCount);
  let judgedCount = 0;
  let learnedCount = 0;
  for (let row = 0; row < rowCount; row++) {
    const part = dealt?.[row] ?? judgingPart;
    const age = ages?.[row] ?? null;
    if (part === NO_PART || age === NO_PART) continue;
    const isOwnPart = part === judgingPart;
    if (isOwnPart && (age === null || judged.includes(age))) judging[judgedCount++] = row;
    else if ((dealt === null || !isOwnPart) && (age === null || age >= newestLearned)) learning[learnedCount++] = row;
  }
  return { learning: learning.slice(0, learnedCount), judging: judging.slice(0, judgedCount) };
}

/**
 * Folds over some rows: the splits of those rows alone, one per fold. Stratified; groups lie whole in one fold; by
 * time, each fold learns from older rows only, and the first comes newest.
 */
export function foldSplits(
  labelled: LabelledRows,
  seed: number,
  { groups, times }: RowKeys = INDEPENDENT_ROWS,
  foldCount: number = labelled.rows.length <= MANY_LEARNING_ROWS ? MOST_FOLDS : FOLDS_OF_MANY_ROWS,
): Split[] {
  const { rows } = labelled;
  if (times !== null) return forwardFolds(rows, times, groups, foldCount);
  const foldSeed = deriveSeed(seed, FOLD_DRAW);
  const folds =
    groups === null ? dealByClass(labelled, foldCount, foldSeed) : dealGroups(labelled, groups, foldCount, foldSeed);
  return Array.from({ length: foldCount }, (_, fold) => ({
    learning: rows.filter((_, index) => folds[index] !== fold),
    judging: rows.filter((_, index) => folds[index] === fold),
  })).filter(({ learning, judging }) => learning.length > 0 && judging.length > 0);
}

/** The rows that some fold judges, ascending: all rows except those that forward folds only learn from. */
export function judgedByFolds(rows: Uint32Array, folds: readonly Split[]): Uint32Array {
  const count = folds.reduce((sum, { judging }) => sum + judging.length, 0);
  if (count === rows.length) return rows;
  const isJudged = new Set(folds.flatMap(({ judging }) => [...judging]));
  return rows.filter((row) => isJudged.has(row));
}

/** Deals shuffled rows of one class after the other to hands in turn, as cards: the hands differ by one row at most. */
function dealByClass({ rows, classes, classCount }: LabelledRows, hands: number, seed: number): Uint8Array {
  const byClass: number[][] = Array.from({ length: classCount }, () => []);
  rows.forEach((row, index) => {
    byClass[classes[row]!]!.push(index);
  });
  const random = new Random(seed);
  const hand = new Uint8Array(rows.length);
  let dealt = 0;
  for (const members of byClass) {
    for (const index of shuffled(members, random)) hand[index] = dealt++ % hands;
  }
  return hand;
}
