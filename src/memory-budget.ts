// The memory that this process means to keep to: a share of what it may have, and what is said of work that does not fit.
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { InputError } from "../engine/input-error.ts";
import { LEAST_BUDGET_MIB } from "./limits.ts";

const MIB = 2 ** 20;

/** Of the machine's memory. The rest is for the system and its file cache, and for what an estimate misses. */
const MACHINE_SHARE = 0.75;
/** Of a control group's limit, within which there is no system: the rest is for its file cache. */
const GROUP_SHARE = 0.9;

/**
 * What nobody else can have: of the service without any work (55 to 61 MiB in a control group), with requests at hand; of a
 * command before it reads anything. Pages of the program's file, which the system takes back when it needs them, do not count.
 */
const SERVICE_BYTES = 80 * MIB;
const COMMAND_BYTES = 64 * MIB;
/** Of the budget, for models that were used lately. */
const CACHE_SHARE = 1 / 16;
const MOST_CACHE_BYTES = 256 * MIB;
/** Of what is left for jobs, what refinements and trainings may have: a prediction finds room however long they last. */
const HEAVY_SHARE = 7 / 8;

/** Where each version of control groups keeps limits, and the files that hold them. */
const LIMIT_FILES = [
  { root: "/sys/fs/cgroup", controller: "", file: "memory.max" },
  { root: "/sys/fs/cgroup/memory", controller: "memory", file: "memory.limit_in_bytes" },
] as const;

/** Work takes more memory than it may; `message` says how much, of how much, and what would help. */
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
 * What the control groups of this process leave it, Infinity where none has a limit. A group is bound by those above it, and in
 * a container its path may be that of the host: there its own group lies at the root. `read`: null where there is no such file.
 */
export function groupLimit(read: (path: string) => string | null): number {
  const lines = (read("/proc/self/cgroup") ?? "").split("\n").map((line) => line.split(":"));
  let limit = Number.POSITIVE_INFINITY;
  for (const { root, controller, file } of LIMIT_FILES) {
    const own = lines
      .find(([, controllers]) => (controllers ?? "").split(",").includes(controller))
      ?.slice(2)
      .join(":");
    const names = (own ?? "").split("/").filter((name) => name !== "");
    for (let depth = 0; depth <= names.length; depth++) {
      const text = read([root, ...names.slice(0, depth), file].join("/"))?.trim();
      if (text !== undefined && /^\d+$/.test(text)) limit = Math.min(limit, Number(text));
    }
  }
  return limit;
}

/** What a command's work may take, which has the budget to itself. */
export function commandBytes(budgetMib: number): number {
  return budgetMib * MIB - COMMAND_BYTES;
}

/** For a command. @throws MemoryExceeded */
export function requireBudget(work: string, needBytes: number, budgetMib: number, threadCount: number): void {
  const needMib = mibOf(COMMAND_BYTES + needBytes);
  if (needMib <= budgetMib) return;
  const threads = threadCount === 1 ? "1 thread" : `${threadCount} threads`;
  throw new MemoryExceeded(
    `${work} takes up to ${needMib} MiB of memory on ${threads}, and ${budgetMib} MiB may be used. ` +
      "Give it fewer rows or columns, or fewer threads by --workers, or more memory by --memory-budget-mib.",
  );
}

/** Refinements and trainings, or datasets and predictions. */
export type JobWeight = "heavy" | "light";

/** How a server divides its budget. */
export interface MemoryLimits {
  budgetBytes: number;
  /** For models that were used lately. */
  cacheBytes: number;
  /** For jobs: all of them together may have what a light one alone may have, and the heavy ones together their part of it. */
  jobBytes: Readonly<Record<JobWeight, number>>;
}

export function divideBudget(budgetMib: number): MemoryLimits {
  const budgetBytes = budgetMib * MIB;
  const cacheBytes = Math.min(MOST_CACHE_BYTES, Math.floor(CACHE_SHARE * budgetBytes));
  const light = Math.max(0, budgetBytes - SERVICE_BYTES - cacheBytes);
  return { budgetBytes, cacheBytes, jobBytes: { light, heavy: Math.floor(HEAVY_SHARE * light) } };
}

/** A thread with a small table at hand (engine/memory-need.ts). */
const WORKING_THREAD_BYTES = 128 * MIB;

/** How many threads of those asked for a server can have for refinements and trainings: one at the least. */
export function threadsWithin(workers: number, { jobBytes }: Pick<MemoryLimits, "jobBytes">): number {
  return Math.max(1, Math.min(workers, Math.floor(jobBytes.heavy / WORKING_THREAD_BYTES)));
}

/** For a job of a server, which cannot begin even while no other runs. @throws MemoryExceeded */
export function requireJobBytes(
  needBytes: number,
  weight: JobWeight,
  { jobBytes }: Pick<MemoryLimits, "jobBytes">,
): void {
  if (needBytes <= jobBytes[weight]) return;
  const kinds = { heavy: "a refinement or training", light: "a dataset or prediction" } as const;
  throw new MemoryExceeded(
    `This takes up to ${mibOf(needBytes)} MiB of memory, and ${kinds[weight]} may have ${mibOf(jobBytes[weight])} MiB on this server. ` +
      "Send fewer rows or columns; or whoever runs the server gives it a larger --memory-budget-mib or fewer --workers.",
  );
}

function mibOf(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
