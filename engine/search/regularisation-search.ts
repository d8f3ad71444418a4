// An attempt below the target goes on: its ridge or smoothing is moved while the out-of-fold score gains.
import { type BaseSettings, baseEntryOf } from "../families/base-algorithms.ts";
import type { Judgement } from "../judging/metrics.ts";
import type { StopSignal } from "../stop-signal.ts";
import type { Qualification } from "./training-task.ts";

/** A step must lower the out-of-fold log-loss by this share to count as a gain. */
export const LEAST_GAIN = 1e-3;
/** How far one step moves a ridge or a smoothing, and how many steps are tried. */
const SEARCH_FACTOR = Math.sqrt(10);
const MOST_SEARCH_STEPS = 6;

export type FoldScores = Pick<Qualification<BaseSettings>, "settings" | "outOfFold" | "outOfFoldProbabilities">;

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
    let gained = baseEntryOf(first).regularisation !== null;
    while (gained && isBelow(target, best.outOfFold) && steps < MOST_SEARCH_STEPS && !stop.timeIsUp()) {
      const next = scoreOf(scaleRegularisation(best.settings, factor));
      gained = next.outOfFold.logLoss < best.outOfFold.logLoss * (1 - LEAST_GAIN);
      if (gained) best = next;
      steps++;
    }
  }
  return best;
}

/** The same settings with the ridge or smoothing that their algorithm names, times `factor`. */
function scaleRegularisation(settings: BaseSettings, factor: number): BaseSettings {
  const { regularisation } = baseEntryOf(settings);
  if (regularisation === null) return settings;
  const amount = (settings as Partial<Record<typeof regularisation, number>>)[regularisation]!;
  return { ...settings, [regularisation]: amount * factor };
}

export function isBelow(target: number | null, judgement: Judgement): boolean {
  return target !== null && judgement.accuracy < target;
}
