// Warnings at the end of a run: a target that guessing reaches, a model no better than guessing, missing versions.

import type { Estimate } from "../../engine/judging/metrics.ts";
import { MAX_VERSIONS } from "../../engine/search/ranking.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import type { Warning } from "../../engine/warning.ts";
import { formatAmount } from "../common/format.ts";
import { scoreFigure, scoreWords } from "../words/objective-words.ts";
import { againstGuess, guessInWords, isBetter, targetWarning } from "../work/majority.ts";
import { finishedOf } from "./competition-state.ts";
import { hiddenSignal, hiddenWords } from "./hidden-signal.ts";
import { heldOutEstimate, type KeptVersion } from "./kept-version.ts";
import type { TrainResult } from "./train.ts";

export const FEWER_VERSIONS = "FEWER_VERSIONS";
export const NOT_BETTER_THAN_GUESSING = "NOT_BETTER_THAN_GUESSING";

/** `target`: the requested accuracy; null for none. */
export function runWarnings(result: TrainResult, target: number | null): Warning[] {
  const { task, versions } = result;
  const [champion] = versions;
  const warnings = [
    targetWarning(task, target),
    versionsWarning(result),
    champion === undefined ? null : guessWarning(champion, task),
  ];
  return warnings.filter((warning) => warning !== null);
}

function versionsWarning({ competition, versions }: TrainResult): Warning | null {
  if (versions.length === 0 || versions.length === MAX_VERSIONS) return null;
  const { finalists, ranked, records } = competition;
  const finishedCount = finishedOf(records).length;
  const reasons: string[] = [];
  if (finalists.length < MAX_VERSIONS) {
    const finished = formatAmount(finishedCount, "attempt");
    reasons.push(
      finishedCount === finalists.length
        ? `only ${finished} came to a model`
        : `only ${finalists.length} of ${finished} were finalists`,
    );
  }
  const alike = finalists.length - ranked.length;
  if (ranked.length < MAX_VERSIONS && alike > 0) {
    reasons.push(`${alike} of ${finalists.length} finalists decided every held-out row as a better one did`);
  }
  const lost = ranked.length - versions.length;
  if (lost > 0) reasons.push(`${lost} could not be refitted on all rows`);
  return { code: FEWER_VERSIONS, message: `${versions.length} instead of ${MAX_VERSIONS}: ${reasons.join("; ")}.` };
}

/** Warns of a version that is no better than guessing, or a target that guessing reaches. */
export function guessWarnings(version: KeptVersion, task: TrainingTask, target: number | null): Warning[] {
  return [targetWarning(task, target), guessWarning(version, task)].filter((warning) => warning !== null);
}

/** Judged by the confirmations, else by the held-out rows. */
function guessWarning(champion: KeptVersion, task: TrainingTask): Warning | null {
  const { objective } = task;
  const evidence = againstGuess(champion, task);
  const failing = evidence.find((each) => !isBetter(each));
  const place = (failing ?? evidence.at(-1)) === evidence[0] ? "on the held-out rows" : "on further re-splits";
  const warn = (verdict: string, model: string, guess: string, advice: string): Warning => ({
    code: NOT_BETTER_THAN_GUESSING,
    message: `${verdict}: ${place} version ${champion.version} reaches ${model}, ${guessInWords(task)} ${guess}. ${advice}`,
  });
  const inWords = (score: number | Estimate) =>
    objective === "accuracy" ? scoreFigure(objective, score) : scoreWords(objective, score);
  const hidden = hiddenSignal(champion, task);
  const adviceOn = (advice: string) => (hidden === null ? `${advice}.` : hiddenWords(hidden, advice));
  if (failing !== undefined) {
    const guess = scoreFigure(objective, failing.guess);
    return warn("Not better than guessing", inWords(failing.model), guess, adviceOn("Do not rely on it"));
  }
  const interval = champion.objectiveConfirmed ?? heldOutEstimate(task, champion, task);
  // Guessing on the rows of the interval: fifths of few rows have shares of their own.
  const { guess } = evidence.at(-1)!;
  if (interval.low > guess) return null;
  return warn(
    "Not clearly better than guessing",
    inWords(interval),
    scoreFigure(objective, guess),
    adviceOn("Do not rely on it yet"),
  );
}
