// A log whose lines a test can read.
import type { LogLevel } from "../../src/config.ts";
import { createLog, type Log } from "../../src/log/log.ts";

export interface KeptLog {
  log: Log;
  /** As they were written, in order. */
  lines: string[];
  /** The events of a name, as objects. */
  events(name: string): Record<string, unknown>[];
}

export function keepLog(level: LogLevel = "debug"): KeptLog {
  const lines: string[] = [];
  return {
    log: createLog({ format: "json", level }, { write: (line) => lines.push(line) }),
    lines,
    events: (name) => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === name),
  };
}
