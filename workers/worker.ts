// A worker thread: takes one piece of work at a time, does it, answers.
import { InputError } from "../engine/input-error.ts";
import { scoreBlind } from "../engine/refinement/blind-score.ts";
import { crossValidate } from "../engine/refinement/cross-validation.ts";
import { measureFeatures } from "../engine/refinement/feature-facts.ts";
import type { RefinementTask } from "../engine/refinement/task.ts";
import type { TrainingTask } from "../engine/search/qualify.ts";
import { Cancelled, OutOfTime, type StopSignal } from "../engine/stop-signal.ts";
import { faultFacts } from "./fault-facts.ts";
import { look } from "./look.ts";
import type { FromWorker, SharedTask, ToWorker, WorkerLimits } from "./messages.ts";
import { readPair } from "./read-pair.ts";
import { readTable } from "./read-table.ts";
import { runChecks, runGains, runGroups, runLikeness } from "./refine.ts";
import { scoreFile } from "./score-file.ts";
import { scoreLargeBody } from "./score-rows.ts";
import { runAttempt, runBaseline, runConfirm, runFit, runPack, runStack } from "./train.ts";
import { writeReduced } from "./write-reduced.ts";

declare const self: Worker;

const tasks = new Map<number, SharedTask>();

self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
  if (message.kind === "open") tasks.set(message.taskId, message.task);
  else if (message.kind === "close") tasks.delete(message.taskId);
  else {
    const reply = answer(message);
    self.postMessage(reply, transferOf(reply));
    // Left to itself, the collector lets the next pieces of work add their arrays to those of this one.
    Bun.gc(true);
  }
};

/** A model's bytes are handed over rather than copied. */
function transferOf(reply: FromWorker): ArrayBuffer[] {
  return reply.outcome === "done" && "bytes" in reply.answer ? [reply.answer.bytes.buffer] : [];
}

type WorkMessage = Extract<ToWorker, { kind: "work" }>;

function answer(message: WorkMessage): FromWorker {
  const { id } = message;
  try {
    return { id, outcome: "done", answer: perform(message) };
  } catch (error) {
    if (error instanceof Cancelled) return { id, outcome: "cancelled" };
    if (error instanceof OutOfTime) return { id, outcome: "out of time" };
    if (error instanceof InputError) {
      const { code, message: text, line, column } = error;
      return { id, outcome: "bad input", error: { code, message: text, line, column } };
    }
    const text = error instanceof Error ? error.message : "unknown fault";
    return { id, outcome: "failed", message: text, facts: faultFacts(error) };
  }
}

function perform(message: WorkMessage) {
  const stop = stopSignal(message.request);
  switch (message.work) {
    case "readTable":
      return readTable(message.request, stop);
    case "look":
      return look(message.request, stop);
    case "qualify":
      return runAttempt(taskOf(message.request.taskId), message.request, stop);
    case "stack":
      return runStack(taskOf(message.request.taskId), message.request, stop);
    case "baseline":
      return runBaseline(taskOf(message.request.taskId), message.request.which, message.request.seed, stop);
    case "fit":
      return runFit(taskOf(message.request.taskId), message.request, stop);
    case "confirm":
      return runConfirm(taskOf(message.request.taskId), message.request, stop);
    case "pack":
      return runPack(taskOf(message.request.taskId), message.request);
    case "scoreFile":
      return scoreFile(message.request, stop);
    case "scoreRows":
      return scoreLargeBody(message.request);
    case "readPair":
      return readPair(message.request, stop);
    case "writeReduced":
      return writeReduced(message.request, stop);
    case "measureFeatures":
      return measureFeatures(refineryOf(message.request), message.request.from, message.request.to, stop);
    case "checkColumns":
      return runChecks(refineryOf(message.request), message.request);
    case "scoreBlind": {
      const { features, entrant, judgedBy, seed } = message.request;
      return scoreBlind(refineryOf(message.request), features, entrant, judgedBy, seed, stop);
    }
    case "crossValidate": {
      const { features, entrant, seed } = message.request;
      return crossValidate(refineryOf(message.request), features, entrant, seed, stop);
    }
    case "growBesideShadows":
      return runGains(refineryOf(message.request), message.request, stop);
    case "groupFeatures":
      return runLikeness(refineryOf(message.request), message.request.features);
    case "shuffleGroups":
      return runGroups(refineryOf(message.request), message.request, stop);
  }
}

function taskOf(taskId: number): TrainingTask {
  const task = tasks.get(taskId);
  if (task === undefined || !("parts" in task)) throw new Error(`training task ${taskId} is not open`);
  return task;
}

function refineryOf({ taskId }: { taskId: number }): RefinementTask {
  const task = tasks.get(taskId);
  if (task === undefined || !("reserve" in task)) throw new Error(`refinement task ${taskId} is not open`);
  return task;
}

function stopSignal({ cancelFlag, leftMs }: WorkerLimits): StopSignal {
  const endMs = performance.now() + leftMs;
  return {
    cancelled: () => Atomics.load(cancelFlag, 0) !== 0,
    timeIsUp: () => performance.now() >= endMs,
  };
}
