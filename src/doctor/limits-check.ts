// Checks the system's limits for a process: files that may be open at once, and memory.
import { freemem, totalmem } from "node:os";
import { formatCount } from "../common/format.ts";
import { defaultBudgetMib, groupLimit, MIB, readText } from "../common/memory-budget.ts";
import type { ServeOptions } from "../service/config.ts";
import { type Finding, graded, ok, problem, warning } from "./finding.ts";

/** Each connection and each open file takes one. */
const OPEN_FILES = { few: 4_096, tooFew: 512 };
/** The program hardly fits with a small table. */
const TOO_FEW_MIB = 256;

/** Looks at the limits of this process: the server's are the same if it is started the same way. */
export function checkLimits({ memoryBudgetMib }: ServeOptions, isServed: boolean): Finding[] {
  const mostFiles = mostOpenFiles();
  const limitBytes = Math.min(totalmem(), groupLimit(readText));
  const memory = {
    budgetMib: memoryBudgetMib ?? defaultBudgetMib(),
    limitMib: Math.floor(limitBytes / MIB),
    availableMib: Math.floor(Math.min(freeBytes(), limitBytes) / MIB),
    isServed,
  };
  return [...(mostFiles === null ? [] : [openFilesFinding(mostFiles)]), memoryFinding(memory)];
}

export function openFilesFinding(most: number): Finding {
  const text = `${most === Number.POSITIVE_INFINITY ? "Any number of" : formatCount(most)} files may be open at once.`;
  const remedy = "Raise it: LimitNOFILE=65536 in the service's unit, or ulimit -n.";
  return graded("open files", most, OPEN_FILES, text, remedy);
}

interface MemoryFacts {
  /** The server's budget. */
  budgetMib: number;
  /** The machine's memory, or the limit of its control group. */
  limitMib: number;
  /** Memory that nobody uses now; a running server already uses its part. */
  availableMib: number;
  isServed: boolean;
}

export function memoryFinding({ budgetMib, limitMib, availableMib, isServed }: MemoryFacts): Finding {
  const text =
    `${formatCount(availableMib)} of ${formatCount(limitMib)} MiB are free, ` +
    `and the server may use ${formatCount(budgetMib)}.`;
  if (budgetMib > limitMib) {
    return problem(
      "memory",
      text,
      "The system may kill the server: give it a smaller --memory-budget-mib, or more memory.",
    );
  }
  if (isServed || availableMib >= budgetMib) return ok("memory", text);
  const remedy = "Other programs use the rest: stop them, or give a smaller --memory-budget-mib.";
  return availableMib < TOO_FEW_MIB ? problem("memory", text, remedy) : warning("memory", text, remedy);
}

/** Null on a system that does not say. */
function mostOpenFiles(): number | null {
  const line = readText("/proc/self/limits")
    ?.split("\n")
    .find((each) => each.startsWith("Max open files"));
  const soft = line?.split(/\s{2,}/)[1];
  if (soft === undefined) return null;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Free memory, with file caches that the system can drop at once. */
function freeBytes(): number {
  const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readText("/proc/meminfo") ?? "")?.[1];
  return kibibytes === undefined ? freemem() : Number(kibibytes) * 1024;
}
