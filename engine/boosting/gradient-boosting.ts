// Gradient boosting in one fit: with a known number of rounds, or as many as lower the log-loss of other rows.
import type { FitInput } from "../fitting/family.ts";
import type { BoostedTrees } from "./boosted-trees.ts";
import { BoostingGrower } from "./boosting-growth.ts";
import type { BoostingSettings } from "./boosting-settings.ts";

/** Fits `settings.roundCount` rounds on `input.rows`; when time is up, those finished. Throws `Cancelled`. */
export function fitBoosting(input: FitInput, settings: BoostingSettings): BoostedTrees {
  const grower = new BoostingGrower(input, settings);
  while (grower.roundCount < settings.roundCount && grower.addRound());
  return grower.trees();
}

/**
 * A fit that is judged on other rows stops early: it checks after this many rounds whether they lowered the log-loss
 * of those rows by at least this share.
 */
const ROUNDS_BETWEEN_LOOKS = 30;
const LEAST_GAIN = 2e-4;
/** Factor on `settings.roundCount`, which fewer rows had found: more rows may need more rounds. */
const MOST_ROUND_GROWTH = 1.5;

/**
 * Fits on `input.rows` until rounds hardly lower the log-loss of the `judging` rows of the view, or
 * time is up; keeps the rounds with the least. Throws `Cancelled`.
 */
export function fitBoostingBeside(input: FitInput, settings: BoostingSettings, judging: Uint32Array): BoostedTrees {
  const grower = new BoostingGrower(input, settings, { judging });
  const mostRounds = Math.ceil(MOST_ROUND_GROWTH * settings.roundCount) + ROUNDS_BETWEEN_LOOKS;
  let best = { round: 0, loss: grower.judgedLoss() };
  let lastLook = best.loss;
  while (grower.roundCount < mostRounds && grower.addRound()) {
    const loss = grower.judgedLoss();
    if (loss < best.loss) best = { round: grower.roundCount, loss };
    if (grower.roundCount % ROUNDS_BETWEEN_LOOKS !== 0) continue;
    if (best.loss > lastLook * (1 - LEAST_GAIN)) break;
    lastLook = best.loss;
  }
  return grower.trees(best.round);
}
