// What the system grants a process: files that may be open at once, and memory.
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import type { ServeOptions } from "../config.ts";
import { formatCount } from "../format.ts";
import { defaultBudgetMib, groupLimit } from "../memory-budget.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Each connection and each file under way takes one. */
const FEW_FILES = 4_096;
const TOO_FEW_FILES = 512;
/** The program with a small table hardly fits. */
const TOO_FEW_MIB = 256;
const MIB = 2 ** 20;

/** Of this process: the server's are the same where it is started alike. */
export function checkLimits({ memoryBudgetMib }: ServeOptions, isServed: boolean): Finding[] {
  const mostFiles = mostOpenFiles();
  const limitBytes = Math.min(totalmem(), groupLimit(readOrNull));
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
  if (most < TOO_FEW_FILES) return problem("open files", text, remedy);
  return most < FEW_FILES ? warning("open files", text, remedy) : ok("open files", text);
}

interface MemoryFacts {
  /** What the server means to keep to. */
  budgetMib: number;
  /** What the machine, or the group of the process, has at most. */
  limitMib: number;
  /** What nobody uses at the moment; of that a server takes a part. */
  availableMib: number;
  isServed: boolean;
}

export function memoryFinding({ budgetMib, limitMib, availableMib, isServed }: MemoryFacts): Finding {
  const text = `${formatCount(availableMib)} of ${formatCount(limitMib)} MiB are available, and the server may use ${formatCount(budgetMib)}.`;
  if (budgetMib > limitMib) {
    return problem("memory", text, "The system will end it: give it a smaller --memory-budget-mib, or more memory.");
  }
  if (isServed || availableMib >= budgetMib) return ok("memory", text);
  const remedy = "Other programs hold the rest: end those, or give a smaller --memory-budget-mib.";
  return availableMib < TOO_FEW_MIB ? problem("memory", text, remedy) : warning("memory", text, remedy);
}

/** Null where the system does not say. */
function mostOpenFiles(): number | null {
  const line = readOrNull("/proc/self/limits")
    ?.split("\n")
    .find((each) => each.startsWith("Max open files"));
  const soft = line?.split(/\s{2,}/)[1];
  if (soft === undefined) return null;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

/** With what the system would give back at once: caches of files. */
function freeBytes(): number {
  const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readOrNull("/proc/meminfo") ?? "")?.[1];
  return kibibytes === undefined ? freemem() : Number(kibibytes) * 1024;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
