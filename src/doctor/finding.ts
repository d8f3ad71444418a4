// What the doctor says of one thing it looked at.

export const VERDICTS = ["ok", "warning", "problem"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Finding {
  /** What was looked at, in a word or two; the same one for the same thing, whatever was found. */
  check: string;
  /** A warning need not be acted on today; with a problem the service does not work, or loses data. */
  verdict: Verdict;
  text: string;
  /** What to do; null where all is well. */
  remedy: string | null;
  /** All that the text only counts, such as the paths of files. */
  items: readonly string[];
}

export function ok(check: string, text: string, items: readonly string[] = []): Finding {
  return { check, verdict: "ok", text, remedy: null, items };
}

export function warning(check: string, text: string, remedy: string, items: readonly string[] = []): Finding {
  return { check, verdict: "warning", text, remedy, items };
}

export function problem(check: string, text: string, remedy: string, items: readonly string[] = []): Finding {
  return { check, verdict: "problem", text, remedy, items };
}

/** The code of a system's or SQLite's error, or the kind of any other. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown fault";
}
