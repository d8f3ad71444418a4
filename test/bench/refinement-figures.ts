// The arithmetic of the campaign: what a selection found of the truth, and what it is worth on rows that nobody saw.
import type { Truth } from "./noisy-tables.ts";

/** One family's answers to the OUTER rows: "1" where right; and its accuracy within TRAIN. */
export interface FamilyAnswers {
  cv: number;
  right: string;
}

/** By family; under one name "majority" where no column was left. */
export type Answers = Readonly<Record<string, FamilyAnswers>>;

/** Shares from 0 to 1; null where there is nothing of the kind. */
export interface SelectionFigures {
  /** Signal columns of which at least one carrier stayed: the column itself or a copy of it. */
  recall: number | null;
  noiseKept: number | null;
  /** Of the copies that could go while a carrier stays, those that did not. */
  copiesKept: number | null;
  columnsKept: number;
}

/** A mean with its standard error. The error is null for fewer than two values. */
export interface Mean {
  mean: number;
  standardError: number | null;
  count: number;
}

export function selectionFigures(kept: readonly string[], truth: Truth): SelectionFigures {
  const { signal, noise, copies, given } = truth;
  const stays = new Set(kept);
  const carriers = new Map<string, string[]>([...signal, ...noise, ...given].map((name) => [name, [name]]));
  for (const { name, of } of copies) carriers.get(of)!.push(name);
  const keptCarriers = (name: string) => carriers.get(name)!.filter((carrier) => stays.has(carrier)).length;
  const groups = [...carriers.keys()].filter((name) => carriers.get(name)!.length > 1);
  const superfluous = groups.reduce((sum, name) => sum + Math.max(0, keptCarriers(name) - 1), 0);
  return {
    recall: share(signal.filter((name) => keptCarriers(name) > 0).length, signal.length),
    noiseKept: share(noise.filter((name) => stays.has(name)).length, noise.length),
    copiesKept: share(superfluous, copies.length),
    columnsKept: stays.size / (carriers.size + copies.length),
  };
}

/** Mean of the differences `right - reference` row by row. Both are strings of "1" and "0" of the same length. */
export function pairedDifference(right: string, reference: string): Mean {
  if (right.length !== reference.length) throw new Error("answers to different rows cannot be paired");
  return meanOf(Array.from(right, (bit, row) => Number(bit) - Number(reference[row])));
}

/** Of values with equal weight; the standard error is that of their mean. At least one value. */
export function meanOf(values: readonly number[]): Mean {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: count < 2 ? null : Math.sqrt(squares / (count - 1) / count), count };
}

export function accuracyOfRight(right: string): number {
  return right.replaceAll("0", "").length / right.length;
}

/** The answers of one family; those of the majority class where no column was left. */
export function familyAnswers(answers: Answers, family: string): FamilyAnswers {
  const found = answers[family] ?? answers["majority"];
  if (found === undefined) throw new Error(`no answers of ${family}`);
  return found;
}

/** The family that TRAIN alone speaks for: the first of the highest accuracy within it. */
export function bestByValidation(answers: Answers): FamilyAnswers {
  return Object.values(answers).reduce((best, next) => (next.cv > best.cv ? next : best));
}

function share(count: number, total: number): number | null {
  return total === 0 ? null : count / total;
}
