// The facts of a fault that may be logged: its kind, code and the line of ours
// that threw it; no message, which may quote data.

export interface FaultFacts {
  fault: string;
  code: string | null;
  /** The innermost frame of our code, as `src/training/train.ts:12`; null where there is none. */
  at: string | null;
  /** The kind of its `cause`, such as SQLite's error behind one of the query builder. */
  cause: string | null;
  causeCode: string | null;
}

/** A fault of another thread, with the facts that were taken there. */
export class ForeignFault extends Error {
  readonly facts: FaultFacts;

  constructor(message: string, facts: FaultFacts) {
    super(message);
    this.name = "ForeignFault";
    this.facts = facts;
  }
}

const KIND_FORM = /^[A-Za-z]\w{0,59}$/;
const CODE_FORM = /^[A-Z][A-Z0-9_]{0,59}$/;
/** The end of a frame: a file and line of ours, in the sources or in the executable. */
const PLACE_FORM = /\b((?:src|engine|data|workers)\/[\w/-]+\.ts:\d+):\d+\)?$|\/\$bunfs\/root\/([\w./-]+:\d+):\d+\)?$/;

export function faultFacts(fault: unknown): FaultFacts {
  if (fault instanceof ForeignFault) return fault.facts;
  if (!(fault instanceof Error)) return { fault: "unknown", code: null, at: null, cause: null, causeCode: null };
  const cause = fault.cause instanceof Error ? fault.cause : null;
  return {
    fault: kindOf(fault),
    code: codeOf(fault),
    at: placeOf(fault),
    cause: cause === null ? null : kindOf(cause),
    causeCode: cause === null ? null : codeOf(cause),
  };
}

function kindOf({ name }: Error): string {
  return KIND_FORM.test(name) ? name : "Error";
}

/** Errors of the system, of SQLite and our own have a code. */
function codeOf(fault: Error): string | null {
  return "code" in fault && typeof fault.code === "string" && CODE_FORM.test(fault.code) ? fault.code : null;
}

/**
 * The stack begins with a name (the error's or its parent's) and the message. A message could imitate frames, so it is
 * cut off first; a stack that does not begin with it is not read.
 */
function placeOf({ name, message, stack = "" }: Error): string | null {
  const [first = ""] = /^\w+/.exec(stack) ?? [];
  const head = message === "" ? first : `${first}: ${message}`;
  if (first === "" || !KIND_FORM.test(name) || !stack.startsWith(`${head}\n`)) return null;
  const frames = stack.slice(head.length + 1).split("\n");
  for (const frame of frames.filter((text) => !text.includes("/node_modules/"))) {
    const found = PLACE_FORM.exec(frame);
    if (found !== null) return (found[1] ?? found[2])!;
  }
  return null;
}
