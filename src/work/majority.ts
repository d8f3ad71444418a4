// The majority baseline: always answering the most frequent class of the learning rows.

import { type CostMatrix, meanCost } from "../../engine/judging/costs.ts";
import { confusionMatrix, emptyConfusion } from "../../engine/judging/metrics.ts";
import { achieved } from "../../engine/judging/objective.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { confirmingParts, HOLDOUT_PART, splitByPart } from "../../engine/splits/holdout.ts";
import { labelledRows, type Table } from "../../engine/table/table.ts";
import type { Warning } from "../../engine/warning.ts";
import { formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";

const TARGET_IS_GUESSING = "TARGET_IS_GUESSING";

/** Less than one row of any table: sums of shares are not exact. */
const LEAST_DIFFERENCE = 1e-9;

export interface Majority {
  /** Class code. */
  code: number;
  /** On the judging rows. */
  falseDecisions: number;
  accuracy: number;
}

/** An objective on some rows, more being better: by a model, and by guessing. */
export interface AgainstGuess {
  model: number;
  guess: number;
}

/** `classes`: one code per row of the table. */
export function judgeMajority(
  classes: Uint8Array,
  classCount: number,
  learning: Uint32Array,
  judging: Uint32Array,
): Majority {
  const counts = new Array<number>(classCount).fill(0);
  for (const row of learning) counts[classes[row]!]!++;
  const code = counts.indexOf(Math.max(...counts));
  const right = judging.reduce((sum, row) => sum + (classes[row] === code ? 1 : 0), 0);
  return { code, falseDecisions: judging.length - right, accuracy: right / judging.length };
}

export function majorityOf({ table, split }: TrainingTask): Majority {
  return judgeMajority(table.classes, table.labels.length, split.learning, split.judging);
}

/** The measurements of a version. */
interface JudgedVersion {
  attempt: { answer: { holdout: { score: number } } };
  objectiveConfirmed: { mean: number } | null;
}

/** On the holdout and, for a confirmed version, on the rows that confirmed it. */
export function againstGuess({ attempt, objectiveConfirmed }: JudgedVersion, task: TrainingTask): AgainstGuess[] {
  const heldOut = { model: attempt.answer.holdout.score, guess: guessOn(task, [HOLDOUT_PART]) };
  if (objectiveConfirmed === null) return [heldOut];
  return [heldOut, { model: objectiveConfirmed.mean, guess: guessOn(task, confirmingParts(task.parts)) }];
}

export function isBetter({ model, guess }: AgainstGuess): boolean {
  return model > guess + LEAST_DIFFERENCE;
}

/** `target`: the requested accuracy; null for none. */
export function targetWarning(task: TrainingTask, target: number | null): Warning | null {
  const { accuracy } = majorityOf(task);
  if (target === null || target > accuracy) return null;
  const reached = `${guessInWords(task)} reaches ${formatPercent(accuracy)}`;
  const message = `The target of ${target} is no more than guessing: ${reached}. The run does not end for it.`;
  return { code: TARGET_IS_GUESSING, message };
}

export function guessInWords(task: TrainingTask): string {
  return `always answering ${inQuotes(guessOf(task).label)}`;
}

/** As `guessInWords`, but a label that is the most frequent one is called that rather than by its name. */
export function guessByRank(task: TrainingTask): string {
  const mostFrequent = task.table.labels[majorityOf(task).code];
  return guessOf(task).label === mostFrequent ? "always answering the most frequent label" : guessInWords(task);
}

/**
 * The label always answered: the most frequent, or with costs the cheapest;
 * and how it meets the objective on the holdout.
 */
export function guessOf(task: TrainingTask): { label: string; score: number } {
  const { table, split, costs } = task;
  const code = costs === null ? majorityOf(task).code : cheapestGuess(table, split.learning, costs);
  return { label: table.labels[code]!, score: guessOn(task, [HOLDOUT_PART]) };
}

/** How the guess meets the objective on the rows of some parts together. */
function guessOn({ table, parts, objective, costs }: TrainingTask, judgingParts: readonly number[]): number {
  const confusion = emptyConfusion(table.labels.length);
  for (const part of judgingParts) {
    const { learning, judging } = splitByPart(parts, part);
    const { code } = judgeMajority(table.classes, table.labels.length, learning, judging);
    const guess = costs === null ? code : cheapestGuess(table, learning, costs);
    for (const row of judging) confusion[table.classes[row]!]![guess]!++;
  }
  return achieved(objective, confusion, costs);
}

/** The class that costs least where it is always answered. */
function cheapestGuess(table: Table, rows: Uint32Array, costs: CostMatrix): number {
  const each = table.labels.map((_, code) => meanCost(confusionOf(table, rows, code), costs));
  return each.indexOf(Math.min(...each));
}

function confusionOf(table: Table, rows: Uint32Array, decided: number): number[][] {
  return confusionMatrix(new Uint8Array(rows.length).fill(decided), labelledRows(table, rows));
}
