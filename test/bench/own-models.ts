// The judge's other half: Cupel's own three models, as refinement fits them,
// learn TRAIN with some columns and answer OUTER.
import { deriveSeed } from "../../engine/random.ts";
import { scoreBlind } from "../../engine/refinement/blind-score.ts";
import { accuracyOf, crossValidate } from "../../engine/refinement/cross-validation.ts";
import { type Entrant, entrantsOf } from "../../engine/refinement/entrants.ts";
import { openRefinement } from "../../engine/refinement/open-task.ts";
import type { RefinementTask } from "../../engine/refinement/task.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { readPair } from "../../workers/reading/read-pair.ts";
import type { Answers, FamilyAnswers } from "./refinement-figures.ts";

/**
 * Reads the files once and answers any number of lists of columns. The tenth
 * that refinement puts aside is put aside here.
 */
export function ownJudge(train: string, outer: string, buckets: number, seed: number): (kept: string[]) => Answers {
  const { source, trainRowCount } = readPair(
    { trainPath: train, testPath: outer, label: null, missingMarkers: null },
    neverStop,
  );
  const { table } = source;
  const range = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, index) => from + index);
  const rows = { table, train: range(0, trainRowCount), test: range(trainRowCount, table.rowCount) };
  const task = openRefinement(rows, buckets, seed);
  return (kept) => {
    const names = new Set(kept);
    const features = [...table.features.keys()].filter((index) => names.has(columnOf(table.features[index]!)));
    if (features.length === 0) return { majority: answerMajority(task) };
    const shape = {
      learningRowCount: task.learning.length,
      featureCount: features.length,
      numberOfBuckets: buckets,
    };
    return Object.fromEntries(
      entrantsOf(shape).map((entrant, index) => [
        entrant.family,
        answer(task, features, entrant, deriveSeed(seed, index)),
      ]),
    );
  };

  function columnOf({ column }: { column: number }): string {
    return source.columns[column]!.name;
  }
}

function answer(task: RefinementTask, features: readonly number[], entrant: Entrant, seed: number): FamilyAnswers {
  const fit = { features, entrant, seed };
  const { right } = scoreBlind(task, fit, neverStop);
  return { cv: accuracyOf(crossValidate(task, fit, neverStop)), right: right.join("") };
}

function answerMajority({ table: { classes, labels }, learning, test }: RefinementTask): FamilyAnswers {
  const counts = new Uint32Array(labels.length);
  for (const row of learning) counts[classes[row]!]!++;
  const most = Math.max(...counts);
  const majority = counts.indexOf(most);
  const right = Array.from(test, (row) => (classes[row] === majority ? "1" : "0")).join("");
  return { cv: most / learning.length, right };
}
