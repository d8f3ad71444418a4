// A finding of the doctor.

export const VERDICTS = ["ok", "warning", "problem"] as const;
export type Severity = (typeof VERDICTS)[number];

export interface Finding {
  /** The check's name, the same whatever was found. */
  check: string;
  /** With a problem the service does not work or loses data; a warning can wait. */
  verdict: Severity;
  text: string;
  /** The remedy; null where all is well. */
  remedy: string | null;
  /** The items that the text only counts, such as paths of files. */
  items: readonly string[];
}

export function ok(check: string, text: string): Finding {
  return { check, verdict: "ok", text, remedy: null, items: [] };
}

export function warning(check: string, text: string, remedy: string, items: readonly string[] = []): Finding {
  return { check, verdict: "warning", text, remedy, items };
}

export function problem(check: string, text: string, remedy: string, items: readonly string[] = []): Finding {
  return { check, verdict: "problem", text, remedy, items };
}

/** Judges an amount by two limits: a problem below the lower, a warning below the upper. */
export function graded(
  check: string,
  amount: number,
  { few, tooFew }: { few: number; tooFew: number },
  text: string,
  remedy: string,
): Finding {
  if (amount < tooFew) return problem(check, text, remedy);
  return amount < few ? warning(check, text, remedy) : ok(check, text);
}

/** The code of an error of the system or of SQLite; the kind of any other error. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown fault";
}
