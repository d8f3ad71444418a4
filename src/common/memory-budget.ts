// The memory budget of this process: how it is chosen and divided, and the error for work that does not fit.
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { InputError } from "../../engine/input-error.ts";
import { LEAST_BUDGET_MIB } from "./limits.ts";

export const MIB = 2 ** 20;

/** Share of the machine's memory. The rest is for the system, its file cache, and for errors of our estimates. */
const MACHINE_SHARE = 0.75;
/** Share of a control group's limit. Only the group's file cache needs the rest: the system is outside the group. */
const GROUP_SHARE = 0.9;
/** The two shares, for --help. */
export const DEFAULT_BUDGET_WORDS =
  "three quarters of the machine's memory, at most nine tenths of its control group's limit";

/**
 * Memory that the program itself needs: the service while it answers requests (55 to 61 MiB
 * measured in a control group when idle), and a command before it reads anything. Pages of
 * the program's file do not count: the system can drop them.
 */
const SERVICE_BYTES = 80 * MIB;
const COMMAND_BYTES = 64 * MIB;
/** Share of the budget for recently used models. */
const CACHE_SHARE = 1 / 16;
const MOST_CACHE_BYTES = 256 * MIB;
/** Share of the jobs' memory for refinements and trainings: a prediction finds room however long they run. */
const HEAVY_SHARE = 7 / 8;

/** Where the two versions of control groups keep their limits. */
const LIMIT_FILES = [
  { root: "/sys/fs/cgroup", controller: "", file: "memory.max" },
  { root: "/sys/fs/cgroup/memory", controller: "memory", file: "memory.limit_in_bytes" },
] as const;

/** Work needs more memory than allowed; `message` gives both numbers and what would help. */
export class MemoryExceeded extends InputError {
  constructor(message: string) {
    super("MEMORY_BUDGET", message);
    this.name = "MemoryExceeded";
  }
}

export function defaultBudgetMib(): number {
  const available = Math.min(MACHINE_SHARE * totalmem(), GROUP_SHARE * groupLimit(readText));
  return Math.max(LEAST_BUDGET_MIB, Math.floor(available / MIB));
}

/**
 * The smallest limit of this process's control groups; Infinity where none has one. Groups above
 * its own bind it too. In a container the path may be the host's: its own group is then at the
 * root, which is read first. `read` gives null for no file.
 */
export function groupLimit(read: (path: string) => string | null): number {
  const lines = (read("/proc/self/cgroup") ?? "").split("\n").map((line) => line.split(":"));
  let limit = Number.POSITIVE_INFINITY;
  for (const { root, controller, file } of LIMIT_FILES) {
    const place = lines
      .find(([, controllers]) => (controllers ?? "").split(",").includes(controller))
      ?.slice(2)
      .join(":");
    const names = (place ?? "").split("/").filter((name) => name !== "");
    for (let depth = 0; depth <= names.length; depth++) {
      const text = read([root, ...names.slice(0, depth), file].join("/"))?.trim();
      if (text !== undefined && /^\d+$/.test(text)) limit = Math.min(limit, Number(text));
    }
  }
  return limit;
}

/** Memory for a command's work, which has the budget to itself. */
export function commandBytes(budgetMib: number): number {
  return budgetMib * MIB - COMMAND_BYTES;
}

/** Checks a command's work. @throws MemoryExceeded */
export function requireBudget(work: string, needBytes: number, budgetMib: number, threadCount: number): void {
  const needMib = mibOf(COMMAND_BYTES + needBytes);
  if (needMib <= budgetMib) return;
  const threads = threadCount === 1 ? "1 thread" : `${threadCount} threads`;
  throw new MemoryExceeded(
    `${work} takes up to ${needMib} MiB of memory on ${threads}, and ${budgetMib} MiB may be used. ` +
      "Use fewer rows or columns, fewer threads (--workers), or allow more memory (--memory-budget-mib).",
  );
}

/** Heavy: refinements and trainings. Light: datasets and predictions. */
export type JobWeight = "heavy" | "light";

/** How a server divides its budget. */
export interface MemoryLimits {
  budgetBytes: number;
  /** For recently used models. */
  cacheBytes: number;
  /** `light` bounds a light job and all jobs together; `heavy` bounds a heavy job and all heavy jobs together. */
  jobBytes: Readonly<Record<JobWeight, number>>;
}

export function divideBudget(budgetMib: number): MemoryLimits {
  const budgetBytes = budgetMib * MIB;
  const cacheBytes = Math.min(MOST_CACHE_BYTES, Math.floor(CACHE_SHARE * budgetBytes));
  const light = Math.max(0, budgetBytes - SERVICE_BYTES - cacheBytes);
  return { budgetBytes, cacheBytes, jobBytes: { light, heavy: Math.floor(HEAVY_SHARE * light) } };
}

/** A thread with a small table (engine/memory/). */
const WORKING_THREAD_BYTES = 128 * MIB;

/** Threads for refinements and trainings: as many as asked for, as memory allows, and at least one. */
export function threadsWithin(workers: number, { jobBytes }: Pick<MemoryLimits, "jobBytes">): number {
  return Math.max(1, Math.min(workers, Math.floor(jobBytes.heavy / WORKING_THREAD_BYTES)));
}

/** Refuses a job that could not begin even if no other ran. @throws MemoryExceeded */
export function requireJobBytes(
  needBytes: number,
  weight: JobWeight,
  { jobBytes }: Pick<MemoryLimits, "jobBytes">,
): void {
  if (needBytes <= jobBytes[weight]) return;
  const kinds = { heavy: "a refinement or training", light: "a dataset or prediction" } as const;
  throw new MemoryExceeded(
    `This takes up to ${mibOf(needBytes)} MiB of memory, and ${kinds[weight]} may have ` +
      `${mibOf(jobBytes[weight])} MiB on this server. ` +
      "Send fewer rows or columns, or ask the operator for a larger --memory-budget-mib or fewer --workers.",
  );
}

function mibOf(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

/** Null where the file cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
