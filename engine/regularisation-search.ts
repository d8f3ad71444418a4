// An attempt below the target goes on: its ridge or smoothing is moved while the out-of-fold score gains.
import type { BaseSettings } from "./families/base-model.ts";
import type { Judgement } from "./metrics.ts";
import type { StopSignal } from "./stop-signal.ts";

/** A step must lower the out-of-fold log-loss by this share to count as a gain. */
export const LEAST_GAIN = 1e-3;
/** How far one step moves a ridge or a smoothing, and how many steps are tried. */
const SEARCH_FACTOR = Math.sqrt(10);
const MOST_SEARCH_STEPS = 6;
/** Algorithms with a ridge that can be moved. */
const RIDGED: ReadonlySet<BaseSettings["algorithm"]> = new Set([
  "logistic regression",
  "logistic regression with interactions",
  "refined forest",
]);

export interface FoldScores {
  settings: BaseSettings;
  outOfFold: Judgement;
  probabilities: Float64Array;
}

/** Walks the ridge or smoothing up and down from where it stands, while the score is below the target and gains. */
export function improve(
  first: BaseSettings,
  target: number | null,
  scoreOf: (settings: BaseSettings) => FoldScores,
  stop: StopSignal,
): FoldScores {
  let best = scoreOf(first);
  let steps = 0;
  for (const factor of [1 / SEARCH_FACTOR, SEARCH_FACTOR]) {
    let gained = canBeScaled(first);
    while (gained && isBelow(target, best.outOfFold) && steps < MOST_SEARCH_STEPS && !stop.timeIsUp()) {
      const next = scoreOf(scaleRegularisation(best.settings, factor));
      gained = next.outOfFold.logLoss < best.outOfFold.logLoss * (1 - LEAST_GAIN);
      if (gained) best = next;
      steps++;
    }
  }
  return best;
}

function canBeScaled({ algorithm }: BaseSettings): boolean {
  return RIDGED.has(algorithm) || algorithm === "naive Bayes";
}

function scaleRegularisation(settings: BaseSettings, factor: number): BaseSettings {
  if ("l2" in settings && RIDGED.has(settings.algorithm)) return { ...settings, l2: settings.l2 * factor };
  if (settings.algorithm === "naive Bayes") return { ...settings, smoothing: settings.smoothing * factor };
  return settings;
}

export function isBelow(target: number | null, judgement: Judgement): boolean {
  return target !== null && judgement.accuracy < target;
}
