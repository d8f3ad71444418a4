// A worker thread: takes one piece of work at a time, does it, answers.
import { edenGC } from "bun:jsc";
import { InputError } from "../engine/input-error.ts";
import { growBlindPart, scoreBlind } from "../engine/refinement/blind-score.ts";
import { crossValidate, validatePart } from "../engine/refinement/cross-validation.ts";
import { measureFeatures } from "../engine/refinement/feature-facts.ts";
import type { RefinementTask } from "../engine/refinement/task.ts";
import type { GrowthTask } from "../engine/search/grow.ts";
import { confirm, measureColumns } from "../engine/search/refit.ts";
import type { TrainingTask } from "../engine/search/training-task.ts";
import { Cancelled, OutOfTime, type StopSignal } from "../engine/stop-signal.ts";
import { compareModels } from "./compare-models.ts";
import { countOutcomes } from "./count-outcomes.ts";
import { exportOnnx } from "./export-onnx.ts";
import { faultFacts } from "./fault-facts.ts";
import { findLeakage } from "./find-leakage.ts";
import { joinRows } from "./join-rows.ts";
import type { FromWorker, SharedTask, ToWorker, Work, WorkerLimits, WorkKind } from "./messages.ts";
import { readPair } from "./reading/read-pair.ts";
import { readTable } from "./reading/read-table.ts";
import { runChecks, runGains, runGroups, runLikeness } from "./refine.ts";
import { scoreLargeBody } from "./scoring/large-body.ts";
import { scoreFile } from "./scoring/score-file.ts";
import { onSharedMemory } from "./shared-arrays.ts";
import { threadSeconds } from "./thread-time.ts";
import {
  judgeFirstFold,
  runAttempt,
  runAttemptUnit,
  runBaseline,
  runEffects,
  runFit,
  runGrow,
  runJudgeGrown,
  runPack,
  runStack,
  runStackFit,
  runStackMembers,
} from "./train.ts";
import { writeReduced } from "./write-reduced.ts";

declare const self: Worker;

const tasks = new Map<number, SharedTask>();

self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
  if (message.kind === "open") tasks.set(message.taskId, message.task);
  else if (message.kind === "close") tasks.delete(message.taskId);
  else {
    const beginMs = performance.now();
    const reply = answer(message);
    self.postMessage(reply, transferOf(reply));
    const workMs = performance.now() - beginMs;
    fullCollections.after(workMs);
    youngCollections.after(workMs);
  }
};

/**
 * Collections of garbage between pieces of work: without them the arrays of the next pieces pile up on those of this
 * one. They take at most one part in `workPerCollection` of the time. A young collection takes a fraction of the time
 * of a full one.
 */
class Collections {
  private readonly collect: () => void;
  private readonly workPerCollection: number;
  private lastMs = 0;
  private workMs = 0;

  constructor(collect: () => void, workPerCollection: number) {
    this.collect = collect;
    this.workPerCollection = workPerCollection;
  }

  /** Counts a piece of work, and collects if that is due. */
  after(workMs: number): void {
    this.workMs += workMs;
    if (this.workMs < this.workPerCollection * this.lastMs) return;
    this.workMs = 0;
    const beginMs = performance.now();
    this.collect();
    this.lastMs = performance.now() - beginMs;
  }
}

const fullCollections = new Collections(() => Bun.gc(true), 50);
const youngCollections = new Collections(edenGC, 10);

/** A model's bytes are transferred rather than copied. */
function transferOf(reply: FromWorker): ArrayBuffer[] {
  return reply.outcome === "done" && "bytes" in reply.answer ? [reply.answer.bytes.buffer] : [];
}

type WorkMessage = Extract<ToWorker, { kind: "work" }>;

function answer(message: WorkMessage): FromWorker {
  const { id, work, request } = message;
  try {
    const perform = WORK[work] as (request: unknown, stop: StopSignal) => Work[WorkKind]["answer"];
    return { id, outcome: "done", answer: perform(request, stopSignal(request)) };
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

/** How each kind of work is done. */
const WORK: { [K in WorkKind]: (request: Work[K]["request"], stop: StopSignal) => Work[K]["answer"] } = {
  readTable,
  findLeakage,
  attemptUnit: (request, stop) => runAttemptUnit(trainingOf(request), request, stop),
  judgeFirstFold: (request, stop) => judgeFirstFold(trainingOf(request), request, stop),
  qualify: (request, stop) => runAttempt(trainingOf(request), request, stop),
  stackMembers: (request, stop) => runStackMembers(trainingOf(request), request, stop),
  stackFit: (request, stop) => runStackFit(trainingOf(request), request, stop),
  stack: (request, stop) => runStack(trainingOf(request), request, stop),
  baseline: (request, stop) => runBaseline(trainingOf(request), request, stop),
  fit: (request, stop) => runFit(trainingOf(request), request, stop),
  confirm: (request, stop) => confirm(trainingOf(request), request, stop),
  measureColumns: (request, stop) => measureColumns(trainingOf(request), request, stop),
  pack: (request) => runPack(trainingOf(request), request),
  effects: (request, stop) => runEffects(trainingOf(request), request, stop),
  grow: (request, stop) => runGrow(growthOf(request), request, stop),
  judgeGrown: (request, stop) => runJudgeGrown(growthOf(request), request, stop),
  scoreFile,
  countOutcomes,
  joinRows,
  compareModels,
  exportOnnx,
  scoreRows: scoreLargeBody,
  readPair,
  writeReduced,
  measureFeatures: (request, stop) => measureFeatures(refinementOf(request), request.from, request.to, stop),
  checkColumns: (request) => runChecks(refinementOf(request), request),
  growBlindPart: (request, stop) => onSharedMemory(growBlindPart(refinementOf(request), request, request.part, stop)),
  scoreBlind: (request, stop) => scoreBlind(refinementOf(request), request, stop, request.made),
  validatePart: (request, stop) => onSharedMemory(validatePart(refinementOf(request), request, request.part, stop)),
  crossValidate: (request, stop) => crossValidate(refinementOf(request), request, stop, request.made),
  growBesideShadows: (request, stop) => runGains(refinementOf(request), request, stop),
  groupFeatures: (request) => runLikeness(refinementOf(request), request.features),
  shuffleGroups: (request, stop) => runGroups(refinementOf(request), request, stop),
};

function trainingOf({ taskId }: { taskId: number }): TrainingTask {
  const task = tasks.get(taskId);
  if (task === undefined || !("parts" in task)) throw new Error(`training task ${taskId} is not open`);
  return task;
}

function growthOf(request: { taskId: number }): GrowthTask {
  const task = trainingOf(request);
  if (!("pool" in task)) throw new Error(`training task ${request.taskId} has no rows to grow on`);
  return task as GrowthTask;
}

function refinementOf({ taskId }: { taskId: number }): RefinementTask {
  const task = tasks.get(taskId);
  if (task === undefined || !("reserve" in task)) throw new Error(`refinement task ${taskId} is not open`);
  return task;
}

function stopSignal({ cancelFlag, leftMs, processorMs }: WorkerLimits): StopSignal {
  const endMs = performance.now() + leftMs;
  const cancelled = () => Atomics.load(cancelFlag, 0) !== 0;
  if (processorMs === undefined) return { cancelled, timeIsUp: () => performance.now() >= endMs };
  const endSeconds = threadSeconds() + processorMs / 1000;
  return { cancelled, timeIsUp: () => performance.now() >= endMs || threadSeconds() >= endSeconds };
}
