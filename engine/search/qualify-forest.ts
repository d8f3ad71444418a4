// A forest from settings to scores: out of bag among the learning rows, and on the holdout.
import type { BaseSettings } from "../families/base-algorithms.ts";
import { judge } from "../judging/metrics.ts";
import { pickRows, placesOf } from "../row-lists.ts";
import type { StopSignal } from "../stop-signal.ts";
import { labelledRows } from "../table/table.ts";
import { treeLimit } from "../trees/forest-size.ts";
import { chooseForest, type ForestAttempt } from "./choose-forest.ts";
import { fitInputOf, judgeModel, type judgeScores } from "./fold-fits.ts";
import { isBelow, LEAST_GAIN } from "./regularisation-search.ts";
import type { BaseSpec, Qualification, TrainingTask } from "./training-task.ts";

/** Trees that a forest below the target adds at a time. */
const TREES_PER_STEP = 100;
/**
 * Trees of a forest that time may not cut short: with fewer, many rows have no vote of a tree that did not see them.
 */
export const LEAST_TREES = 20;

export function qualifyForest(
  task: TrainingTask,
  spec: BaseSpec,
  settings: ForestAttempt,
  stop: StopSignal,
): Qualification<BaseSettings> {
  const input = fitInputOf(task, spec, task.split.learning, stop);
  const rivals = spec.rivals.filter((rival) => rival.algorithm === "forest");
  const grower = chooseForest(input, [settings, ...rivals]);
  const judgeVotes = () => {
    const probabilities = grower.outOfBag();
    return { probabilities, judgement: judge(probabilities, input) };
  };
  grower.growTo(settings.treeCount, LEAST_TREES);
  let votes = judgeVotes();
  const mostTrees = treeLimit(grower.settings, input.rows.length, task.mostTrees);
  while (isBelow(task.target, votes.judgement) && grower.treeCount < mostTrees && !stop.timeIsUp()) {
    grower.growTo(Math.min(mostTrees, grower.treeCount + TREES_PER_STEP), LEAST_TREES);
    const next = judgeVotes();
    const gained = next.judgement.logLoss < votes.judgement.logLoss * (1 - LEAST_GAIN);
    votes = next;
    if (!gained) break;
  }
  return judgeForest(
    task,
    { ...grower.settings, algorithm: "forest", treeCount: grower.treeCount },
    votes.probabilities,
    judgeModel(task, grower.forest(), input.view),
  );
}

/**
 * `votes`: out-of-bag probabilities of the learning rows. Only rows that other attempts score out of fold count.
 */
export function judgeForest(
  task: TrainingTask,
  settings: ForestAttempt,
  votes: Float64Array,
  judged: ReturnType<typeof judgeScores>,
): Qualification<BaseSettings> {
  const { table, split, judgedRows } = task;
  const classCount = table.labels.length;
  const places = placesOf(split.learning);
  const voted = judgedRows.map((row) => places[row]!);
  const outOfBag = pickRows(votes, voted, classCount, new Float64Array(voted.length * classCount));
  const outOfFold = judge(outOfBag, labelledRows(table, judgedRows));
  return { settings, outOfFold, outOfFoldProbabilities: outOfBag, ...judged };
}
