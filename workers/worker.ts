// A worker thread: takes one piece of work at a time, does it, answers.
import { InputError } from "../engine/input-error.ts";
import type { Arena } from "../engine/qualify.ts";
import { Cancelled, OutOfTime, type StopSignal } from "../engine/stop-signal.ts";
import type { FromWorker, Limits, ToWorker } from "./messages.ts";
import { readTable } from "./read-table.ts";
import { scoreFile } from "./score-file.ts";
import { runAttempt, runBaseline, runConfirm, runRefit } from "./train.ts";

declare const self: Worker;

const arenas = new Map<number, Arena>();

self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
  if (message.kind === "open") arenas.set(message.arenaId, message.arena);
  else if (message.kind === "close") arenas.delete(message.arenaId);
  else self.postMessage(answer(message));
};

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
    return { id, outcome: "failed", message: error instanceof Error ? error.message : "unknown fault" };
  }
}

function perform(message: WorkMessage) {
  const stop = stopSignal(message.request);
  switch (message.work) {
    case "readTable":
      return readTable(message.request, stop);
    case "qualify":
      return runAttempt(arenaOf(message.request.arenaId), message.request.spec, stop);
    case "baseline":
      return runBaseline(arenaOf(message.request.arenaId), message.request.which, message.request.seed, stop);
    case "confirm":
      return runConfirm(arenaOf(message.request.arenaId), message.request.found, message.request.judgingPart, stop);
    case "refit":
      return runRefit(arenaOf(message.request.arenaId), message.request.found, message.request.about, stop);
    case "scoreFile":
      return scoreFile(message.request, stop);
  }
}

function arenaOf(arenaId: number): Arena {
  const arena = arenas.get(arenaId);
  if (arena === undefined) throw new Error(`arena ${arenaId} is not open`);
  return arena;
}

function stopSignal({ cancelFlag, deadlineMs, mostSeconds }: Limits): StopSignal {
  const endMs = Math.min(deadlineMs, Date.now() + mostSeconds * 1000);
  return {
    cancelled: () => Atomics.load(cancelFlag, 0) !== 0,
    timeIsUp: () => Date.now() >= endMs,
  };
}
