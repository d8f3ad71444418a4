// A log whose lines a test can read.

import type { LogLevel } from "../../src/log/log.ts";
import { createLog, type Log } from "../../src/log/log.ts";

export interface KeptLog {
  log: Log;
  /** As they were written, in order. */
  lines: string[];
  /** The events of a name, as objects. */
  events(name: string): Record<string, unknown>[];
  /** Resolves as soon as there is one of a name. */
  first(name: string): Promise<void>;
}

export function keepLog(level: LogLevel = "debug"): KeptLog {
  const lines: string[] = [];
  const awaited = new Set<() => void>();
  const write = (line: string) => {
    lines.push(line);
    for (const look of awaited) look();
  };
  const events = (name: string) => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === name);
  return {
    log: createLog({ format: "json", level }, { write }),
    lines,
    events,
    first: (name) =>
      new Promise((resolve) => {
        const look = () => {
          if (events(name).length === 0) return;
          awaited.delete(look);
          resolve();
        };
        awaited.add(look);
        look();
      }),
  };
}
