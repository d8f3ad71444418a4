// A worker thread: takes one piece of work at a time, does it, answers.
import { InputError } from "../engine/input-error.ts";
import type { RefinementArena } from "../engine/refinement/arena.ts";
import { scoreBlind } from "../engine/refinement/blind-score.ts";
import { crossValidate } from "../engine/refinement/cross-validation.ts";
import { measureFeatures } from "../engine/refinement/feature-facts.ts";
import type { Arena } from "../engine/search/qualify.ts";
import { Cancelled, OutOfTime, type StopSignal } from "../engine/stop-signal.ts";
import { faultFacts } from "./fault-facts.ts";
import type { FromWorker, SharedArena, ToWorker, WorkerLimits } from "./messages.ts";
import { readPair } from "./read-pair.ts";
import { readTable } from "./read-table.ts";
import { runChecks, runGains, runGroups, runLikeness } from "./refine.ts";
import { scoreFile } from "./score-file.ts";
import { scoreLargeBody } from "./score-rows.ts";
import { runAttempt, runBaseline, runConfirm, runFit, runPack, runStack } from "./train.ts";
import { writeReduced } from "./write-reduced.ts";

declare const self: Worker;

const arenas = new Map<number, SharedArena>();

self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
  if (message.kind === "open") arenas.set(message.arenaId, message.arena);
  else if (message.kind === "close") arenas.delete(message.arenaId);
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
    case "qualify":
      return runAttempt(arenaOf(message.request.arenaId), message.request, stop);
    case "stack":
      return runStack(arenaOf(message.request.arenaId), message.request, stop);
    case "baseline":
      return runBaseline(arenaOf(message.request.arenaId), message.request.which, message.request.seed, stop);
    case "fit":
      return runFit(arenaOf(message.request.arenaId), message.request, stop);
    case "confirm":
      return runConfirm(arenaOf(message.request.arenaId), message.request, stop);
    case "pack":
      return runPack(arenaOf(message.request.arenaId), message.request);
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

function arenaOf(arenaId: number): Arena {
  const arena = arenas.get(arenaId);
  if (arena === undefined || !("parts" in arena)) throw new Error(`training arena ${arenaId} is not open`);
  return arena;
}

function refineryOf({ arenaId }: { arenaId: number }): RefinementArena {
  const arena = arenas.get(arenaId);
  if (arena === undefined || !("reserve" in arena)) throw new Error(`refinement arena ${arenaId} is not open`);
  return arena;
}

function stopSignal({ cancelFlag, leftMs }: WorkerLimits): StopSignal {
  const endMs = performance.now() + leftMs;
  return {
    cancelled: () => Atomics.load(cancelFlag, 0) !== 0,
    timeIsUp: () => performance.now() >= endMs,
  };
}
