// The log of the service: one line for each event, as JSON for collectors or as text for people, on standard error.
import { type DestinationStream, pino } from "pino";
import { printable } from "../common/printable.ts";

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
/** Most severe first; each level includes those before it. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The facts of an event: keys, codes, counts and words of ours. Nothing that a user named, sent or stored, no path of
 * the state folder, and no message of an error, which may quote any of these.
 */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

/**
 * One function for each level: `log.info("job.begun", { kind, key })`. Costs
 * next to nothing where the level is not shown.
 */
export type Log = Readonly<Record<LogLevel, (event: string, facts?: LogFacts) => void>>;

export interface LogSettings {
  format: LogFormat;
  /** The least grave one that is shown. */
  level: LogLevel;
}

/** Lines held for a standard error that takes nothing at the moment; later lines are dropped. */
const MOST_HELD_BYTES = 1024 * 1024;

/**
 * A line is written when the call returns, so that none is lost where the process ends right after. A line that cannot
 * be written, as to a full disk or a reader that has gone, harms nothing but the log.
 */
export function createLog({ format, level }: LogSettings, destination: DestinationStream = standardError()): Log {
  const shown = format === "json" ? destination : { write: (line: string) => destination.write(textOf(line)) };
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, shown);
  const writers = LOG_LEVELS.map((name) => {
    const write = (event: string, facts: LogFacts = {}) => logger[name]({ event, ...facts });
    return [name, logger.isLevelEnabled(name) ? write : () => undefined];
  });
  return Object.fromEntries(writers) as Log;
}

function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MOST_HELD_BYTES });
  // Without a listener an error would be thrown into whatever was being logged.
  destination.on("error", () => undefined);
  return destination;
}

/** `2031-05-06T12:00:00.000Z info  job.begun kind=training key=…`. Facts that are null are left out. */
function textOf(line: string): string {
  const { time, level, event, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  const words = known.map(([name, value]) => ` ${name}=${value}`).join("");
  return `${printable(`${time} ${String(level).padEnd(5)} ${event}${words}`)}\n`;
}
