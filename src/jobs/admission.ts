// Decides which job may begin: the next of its kind, once there is memory for it.
import { findNextWaiting, JOB_KINDS, type JobKind } from "../../data/database/claims.ts";
import { type JobWeight, type MemoryLimits, requireJobBytes } from "../common/memory-budget.ts";
import { jobNeed, type NeedServices } from "./job-need.ts";
import type { JobMemory } from "./job-run.ts";
import { MemoryLedger } from "./memory-ledger.ts";

export interface AdmissionServices extends Omit<NeedServices, "mostHeavyBytes"> {
  memory: MemoryLimits;
}

export class Admission {
  private readonly services: AdmissionServices;
  private readonly ledger: MemoryLedger;
  /** Bytes by key, of jobs that run or are next. */
  private readonly needs = new Map<string, number>();
  /** Bytes by key, of jobs whose table turned out to need more than estimated, so that they wait again. */
  private readonly corrected = new Map<string, number>();
  /** Keys of these whose flow has not ended yet. */
  private readonly putBack = new Set<string>();

  constructor(services: AdmissionServices) {
    this.services = services;
    this.ledger = new MemoryLedger(services.memory);
  }

  /** Call before `admit`: forgets jobs that neither run nor are next. */
  look(running: ReadonlySet<string>): void {
    const next = JOB_KINDS.flatMap((kind) => this.nextOf(kind) ?? []);
    this.ledger.keepOnlyFor(next);
    for (const key of this.needs.keys()) if (!running.has(key) && !next.includes(key)) this.needs.delete(key);
  }

  /** Takes memory for the next job and returns its key; null where none waits or there is not enough memory yet. */
  admit(kind: JobKind): string | null {
    const key = this.nextOf(kind);
    if (key === null) return null;
    const bytes = this.needOf(kind, key);
    const weight = weightOf(kind);
    // A job that can never fit is started, so that its flow fails it with the reason.
    if (bytes > this.services.memory.jobBytes[weight] || this.ledger.take({ key, weight, bytes })) return key;
    return null;
  }

  memoryOf(kind: JobKind, key: string): JobMemory {
    const weight = weightOf(kind);
    const { memory } = this.services;
    return {
      mostBytes: memory.jobBytes[weight],
      require: () => requireJobBytes(this.needs.get(key) ?? 0, weight, memory),
      correct: (needBytes) => {
        requireJobBytes(needBytes, weight, memory);
        if (this.ledger.correct(key, needBytes)) return true;
        this.corrected.set(key, needBytes);
        this.putBack.add(key);
        return false;
      },
      release: () => this.ledger.release(key),
    };
  }

  /** Returns true where the flow put the job back to wait again. */
  end(key: string): boolean {
    this.ledger.release(key);
    this.needs.delete(key);
    const isPutBack = this.putBack.delete(key);
    if (!isPutBack) this.corrected.delete(key);
    return isPutBack;
  }

  private nextOf(kind: JobKind): string | null {
    return findNextWaiting(this.services.database, kind);
  }

  private needOf(kind: JobKind, key: string): number {
    const bytes = this.corrected.get(key) ?? this.needs.get(key) ?? this.estimate(kind, key);
    this.needs.set(key, bytes);
    return bytes;
  }

  /** 0 if a file cannot be read: the flow will find and report that. */
  private estimate(kind: JobKind, key: string): number {
    const { memory, ...services } = this.services;
    try {
      return jobNeed(kind, key, { ...services, mostHeavyBytes: memory.jobBytes.heavy });
    } catch {
      return 0;
    }
  }
}

export function weightOf(kind: JobKind): JobWeight {
  return kind === "refinement" || kind === "training" ? "heavy" : "light";
}
