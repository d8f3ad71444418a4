// Which job may begin: the next of its kind, once there is memory for what it will take.
import { findNextWaiting, type QueueName } from "../../data/claims.ts";
import type { JobKind } from "../../data/job-counts.ts";
import { type JobWeight, type MemoryLimits, requireJobBytes } from "../memory-budget.ts";
import { jobNeed, type NeedServices } from "./job-need.ts";
import type { JobMemory } from "./job-run.ts";
import { MemoryLedger } from "./memory-ledger.ts";

const QUEUE_OF = {
  refinement: "refinements",
  training: "trainingJobs",
  dataset: "datasets",
  prediction: "predictions",
} as const satisfies Record<JobKind, QueueName>;

export interface AdmissionServices extends Omit<NeedServices, "mostHeavyBytes"> {
  memory: MemoryLimits;
}

export class Admission {
  private readonly services: AdmissionServices;
  private readonly ledger: MemoryLedger;
  /** By key, of jobs that are next in turn or run. */
  private readonly needs = new Map<string, number>();
  /** Of jobs that were put back once their table was read, for more memory than had been guessed. */
  private readonly corrected = new Map<string, number>();
  /** Of these, whose flow is about to end. */
  private readonly putBack = new Set<string>();

  constructor(services: AdmissionServices) {
    this.services = services;
    this.ledger = new MemoryLedger(services.memory);
  }

  /** To be called before jobs are admitted: forgets what is known of jobs that neither wait nor run any more. */
  look(running: ReadonlySet<string>): void {
    const next = (Object.keys(QUEUE_OF) as JobKind[]).flatMap((kind) => this.nextOf(kind) ?? []);
    this.ledger.keepOnlyFor(next);
    for (const key of this.needs.keys()) if (!running.has(key) && !next.includes(key)) this.needs.delete(key);
  }

  /** The key of the next job, with its memory taken; null where none waits, or it has to wait on. */
  admit(kind: JobKind): string | null {
    const key = this.nextOf(kind);
    if (key === null) return null;
    const bytes = this.needOf(kind, key);
    const weight = weightOf(kind);
    // One that can never begin is begun, so that its flow ends it with the reason.
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
    };
  }

  /** True where the job was put back by its flow, and waits again. */
  end(key: string): boolean {
    this.ledger.release(key);
    this.needs.delete(key);
    const isPutBack = this.putBack.delete(key);
    if (!isPutBack) this.corrected.delete(key);
    return isPutBack;
  }

  private nextOf(kind: JobKind): string | null {
    return findNextWaiting(this.services.database, QUEUE_OF[kind]);
  }

  private needOf(kind: JobKind, key: string): number {
    const known = this.corrected.get(key) ?? this.needs.get(key);
    const bytes = known ?? this.estimate(kind, key);
    this.needs.set(key, bytes);
    return bytes;
  }

  /** What is wrong with a file its flow will find out and tell. */
  private estimate(kind: JobKind, key: string): number {
    const { memory, ...services } = this.services;
    try {
      return jobNeed(kind, key, { ...services, mostHeavyBytes: memory.jobBytes.heavy });
    } catch {
      return 0;
    }
  }
}

function weightOf(kind: JobKind): JobWeight {
  return kind === "refinement" || kind === "training" ? "heavy" : "light";
}
