// Chooses among an attempt's rivals, who compete on more and more rows of the first fold. Forests have a way of their
// own (choose-forest.ts).
import { GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import { type BaseSettings, fitBase, scoreBase } from "../families/base-algorithms.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { judge } from "../judging/metrics.ts";
import type { StopSignal } from "../stop-signal.ts";
import { labelledRows } from "../table/table.ts";
import { FINAL_TREES } from "./choose-forest.ts";
import { fitInputOf } from "./fold-fits.ts";
import type { BaseSpec, TrainingTask } from "./training-task.ts";

/** Share of the rows on which all rivals are compared first. */
const FIRST_RUNG_SHARE = 0.25;
/** Rounds × learning rate of gradient boosting in these comparisons. */
const BRIEF_LEARNING = 6;

/**
 * Successive halving (Jamieson & Talwalkar 2016) among the attempt's settings and its rivals: each learns from a
 * quarter of one fold's learning rows, the better half of them from a half of the rows, and so on until one is left.
 */
export function chooseByHalving(task: TrainingTask, spec: BaseSpec, stop: StopSignal): BaseSettings {
  const { learning, judging } = task.folds[0]!;
  const [all, judged] = [labelledRows(task.table, learning), labelledRows(task.table, judging)];
  let remaining: BaseSettings[] = [spec.settings, ...spec.rivals];
  for (let share = FIRST_RUNG_SHARE; remaining.length > 1 && !stop.timeIsUp(); share = Math.min(1, 2 * share)) {
    const rows = sampleRows(all, Math.ceil(share * learning.length), spec.seed);
    const input = fitInputOf(task, spec, rows, stop);
    const scored = remaining.map((settings) => {
      const model = fitBase(briefly(settings), input);
      return { settings, ...judge(scoreBase(model, input.view, judging), judged) };
    });
    scored.sort((a, b) => a.logLoss - b.logLoss);
    remaining = scored.slice(0, Math.ceil(remaining.length / 2)).map(({ settings }) => settings);
  }
  return remaining[0]!;
}

/**
 * Settings for a comparison: of boosting as many rounds as show what a learning rate does, since their number is open.
 */
function briefly(settings: BaseSettings): BaseSettings {
  if (settings.algorithm === "forest") return { ...settings, treeCount: Math.min(settings.treeCount, FINAL_TREES) };
  if (settings.algorithm !== GRADIENT_BOOSTING) return settings;
  return { ...settings, roundCount: Math.ceil(BRIEF_LEARNING / settings.learningRate) };
}
