// The models of a refinement: on the blind test, in cross-validation inside TRAIN, and the checkpoints.

import type { CheckpointRecord, PerformanceRecord } from "../../data/database/records.ts";
import { deriveSeed } from "../../engine/random.ts";
import { type BlindScore, blindParts } from "../../engine/refinement/blind-score.ts";
import {
  bestOf,
  compareRight,
  compareScores,
  type RowScores,
  validationParts,
} from "../../engine/refinement/cross-validation.ts";
import { type Entrant, entrantsOf } from "../../engine/refinement/entrants.ts";
import { MOST_CHECKPOINTS } from "../../engine/refinement/plan.ts";
import type { RefinementTask } from "../../engine/refinement/task.ts";
import { paysToShare } from "../../engine/search/attempt-units.ts";
import { featuresOfColumns } from "../../engine/table/table.ts";
import type { Refinery } from "./refinery.ts";

/** Rows of a table of performances. */
const MOST_ROWS = 3;
const ENTRANT_DRAW = 61;
/**
 * How much worse than the best so far a proposal may be in the blind test, in standard errors of the difference in
 * wrong decisions: no more than chance if it removes columns without a signal, not at all if it removes near copies.
 */
export const MOST_WORSE = { withoutSignal: 1.645, nearCopies: 0 } as const;

/**
 * A set of columns is refused if both its Brier score and its accuracy in cross-validation are worse than with all
 * columns by more than this, in standard errors. The Brier score is far less noisy, so accuracy need only agree.
 */
const INFERIOR_BRIER_Z = 2.326;
const INFERIOR_ACCURACY_Z = 0.5;

export interface BlindResult {
  entrant: Entrant;
  seed: number;
  score: BlindScore;
}

/** A set of columns that passed the blind test, with its results, best first. */
export interface AcceptedSet {
  columns: ReadonlySet<number>;
  results: readonly BlindResult[];
}

/** Whether a set of columns cross-validates worse than another. */
export function isInferior(scores: RowScores, reference: RowScores): boolean {
  const { accuracyZ, brierZ } = compareScores(reference, scores);
  return accuracyZ > INFERIOR_ACCURACY_Z && brierZ > INFERIOR_BRIER_Z;
}

/** Scores one model of each family on a set of columns by the blind test; best first. */
export async function scoreColumns(
  { task, taskId, units }: Refinery,
  columns: ReadonlySet<number>,
  name: string,
  onDone: () => void = () => {},
): Promise<BlindResult[]> {
  const { features, entrants, isShared } = entrantsOn(task, columns, task.learning.length);
  const results = await Promise.all(
    entrants.map(async (entrant, index) => {
      const seed = deriveSeed(task.seed, ENTRANT_DRAW, 0, index);
      const request = { taskId, features, entrant, seed };
      const parts = isShared ? blindParts(task, entrant) : [];
      const score = await units.share(`${name} model ${index}`, async (ask) => {
        // A fit that is not cut takes longest: it begins before the others' parts.
        if (parts.length === 0) return ask("scoreBlind", { ...request, made: [] });
        const grownParts = await Promise.all(parts.map((part) => ask("growBlindPart", { ...request, part })));
        return ask("scoreBlind", { ...request, made: grownParts });
      });
      onDone();
      return { entrant, seed, score };
    }),
  );
  return results.sort(byFalseDecisions);
}

function byFalseDecisions(a: BlindResult, b: BlindResult): number {
  return a.score.falseDecisions - b.score.falseDecisions;
}

/** Cross-validates one model of each family on a set of columns; returns the best family's scores. */
export async function validate(
  { task, taskId, units }: Refinery,
  columns: ReadonlySet<number>,
  name: string,
  onDone: () => void = () => {},
): Promise<RowScores> {
  const { features, entrants, isShared } = entrantsOn(task, columns, task.selection.length);
  const scores = await Promise.all(
    entrants.map(async (entrant, index) => {
      const seed = deriveSeed(task.seed, ENTRANT_DRAW, 1, index);
      const request = { taskId, features, entrant, seed };
      const parts = isShared ? validationParts(task, entrant) : [];
      const answer = await units.share(`${name} fold scores ${index}`, async (ask) => {
        const validatedParts = await Promise.all(parts.map((part) => ask("validatePart", { ...request, part })));
        return ask("crossValidate", { ...request, made: validatedParts });
      });
      onDone();
      return answer;
    }),
  );
  return bestOf(scores);
}

/** One model of each family for a set of columns and so many rows, and whether threads should share their fits. */
function entrantsOn(task: RefinementTask, columns: ReadonlySet<number>, learningRowCount: number) {
  const { table, numberOfBuckets } = task;
  const features = featuresOfColumns(table, columns);
  const featureCount = features.length;
  const hasTexts = features.some((feature) => table.features[feature]!.kind === "score");
  const entrants = entrantsOf({ learningRowCount, featureCount, numberOfBuckets, hasTexts });
  return { features, entrants, isShared: paysToShare(learningRowCount, featureCount, table.labels.length) };
}

/**
 * The blind test, which judges three proposals at most. It refuses a set that is clearly worse, and never proposes one
 * itself. A set that is worse by no more than chance passes: a stricter test would throw away a good set for one row.
 * The published rows, the best distinct results of all sets that passed, never get worse.
 */
export class Checkpoints {
  readonly readings: CheckpointRecord[] = [];
  current: AcceptedSet;
  /** Results of all sets that passed, best first. */
  published: readonly BlindResult[];
  private readonly refinery: Refinery;

  constructor(refinery: Refinery, baseline: AcceptedSet) {
    this.refinery = refinery;
    this.current = baseline;
    this.published = baseline.results;
  }

  get areLeft(): boolean {
    return this.readings.length < MOST_CHECKPOINTS;
  }

  /** Runs the blind test on a set; nobody sees the result before the set is proposed. */
  score(columns: ReadonlySet<number>, name: string): Promise<BlindResult[]> {
    return scoreColumns(this.refinery, columns, `checkpoint of ${name}`);
  }

  /** True if the set was accepted. */
  propose({ columns, results }: AcceptedSet, proposal: string, mostWorse: number): boolean {
    const best = results[0]!.score;
    const reference = this.published[0]!.score;
    const worseBy = compareRight(reference.right, best.right);
    const accepted = worseBy <= mostWorse;
    const { falseDecisions } = best;
    this.readings.push({ proposal, columnCount: columns.size, falseDecisions, worseBy, accepted });
    if (!accepted) return false;
    this.current = { columns, results };
    // Newer results come before equal ones.
    this.published = [...results, ...this.published].sort(byFalseDecisions);
    return true;
  }
}

/** At most three distinct results, best first; exactly one is marked best. */
export function performanceRows(results: readonly BlindResult[]): PerformanceRecord[] {
  const rows = results.map(({ entrant, score }): PerformanceRecord => {
    const { falseDecisions, rowCount, f1Score, precision, recall } = score;
    const accuracy = rowCount === 0 ? null : (rowCount - falseDecisions) / rowCount;
    return { falseDecisions, accuracy, f1Score, precision, recall, best: false, family: entrant.family };
  });
  const distinct = rows.filter((row, index) => !rows.slice(0, index).some((better) => isAlike(better, row)));
  return distinct.slice(0, MOST_ROWS).map((row, index) => ({ ...row, best: index === 0 }));
}

function isAlike(a: PerformanceRecord, b: PerformanceRecord): boolean {
  return (
    a.falseDecisions === b.falseDecisions &&
    a.f1Score === b.f1Score &&
    a.precision === b.precision &&
    a.recall === b.recall
  );
}
