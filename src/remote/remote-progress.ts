// Shows what a server says of its work as the progress of a local command.
import { basename } from "node:path";
import type { Progress } from "../clients/typescript/waiting.ts";
import type { ProgressView } from "../progress/progress-view.ts";

const PERCENT = 100;

/** A listener for the client. `path`: the file that is sent. */
export function showRemote(view: ProgressView, path: string): (progress: Progress) => void {
  const file = basename(path);
  let stage = "";
  let done = 0;
  let waited = "";
  /** A stage counts from its first telling with a total. */
  const show = (name: string, now: number, total: number | null) => {
    if (stage !== `${name} ${total}`) {
      view.stage(name, total);
      stage = `${name} ${total}`;
      done = 0;
    }
    if (now > done) view.advance(now - done);
    done = Math.max(done, now);
  };
  const wait = (reason: string | undefined) => {
    if (reason !== undefined && reason !== waited) view.note(`waiting: ${reason}`);
    waited = reason ?? "";
  };
  return (progress) => {
    const { training, refinement, share } = progress;
    if (progress.stage === "uploading") show(`Sending ${file}`, Math.floor(PERCENT * (share ?? 0)), PERCENT);
    else if (progress.stage === "reading") show(`Reading ${file}`, 0, null);
    else if (progress.stage === "predicting") {
      wait(progress.waitingReason);
      show("Predicting", 0, null);
    }
    if (refinement !== undefined) {
      wait(refinement.waitingReason);
      show("Refining columns, steps", refinement.progressCompleted ?? 0, refinement.progressTotal);
      const [best] = refinement.currentTopPerformances;
      if (best !== undefined && best.accuracy !== null) view.best(best.accuracy, best.falseDecisions, "");
    }
    if (training !== undefined) {
      wait(training.waitingReason);
      const { attemptsCompleted, attemptsFailed, attemptsTotal } = training;
      show("Training", attemptsCompleted + attemptsFailed, attemptsTotal);
      const { bestPerformance, bestFalseDecisions, bestAlgorithm } = training;
      if (bestPerformance !== null) view.best(bestPerformance, bestFalseDecisions ?? 0, bestAlgorithm ?? "");
      if (attemptsTotal !== null) view.attempts(attemptsCompleted + attemptsFailed, attemptsTotal, attemptsFailed);
    }
  };
}
