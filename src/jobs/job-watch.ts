// What is told of jobs while they are worked on, for the log and the figures of the service.
import type { Recovery } from "../../data/claims.ts";
import type { JobKind } from "../../data/job-counts.ts";

export interface WatchedJob {
  kind: JobKind;
  key: string;
}

export interface JobWatch {
  /** What an earlier process left: its jobs, by kind, and files that are gone now, by what they were. */
  recovered(jobs: ReadonlyMap<JobKind, Recovery>, leftovers: Readonly<Record<string, number>>): void;
  /** Work begins, or goes on after so many interruptions. */
  begun(job: WatchedJob, restarts: number): void;
  /** A stage within the work. */
  entered(job: WatchedJob, state: string): void;
  /** `state` is an end as the API has it. */
  ended(job: WatchedJob, state: string, elapsedMs: number): void;
  /** Work ends and the job does not: it goes on at the next start. */
  suspended(job: WatchedJob): void;
}
