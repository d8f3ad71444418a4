// Passes events of the service on to its log, its figures and its audit trail.

import type { JobKind, Recovery } from "../../data/database/claims.ts";
import { KEPT_ASIDE_DAYS } from "../../data/files/set-aside.ts";
import { faultFacts } from "../../workers/fault-facts.ts";
import type { JobWatch } from "../jobs/job-run.ts";
import type { Log, LogFacts, LogLevel } from "../log/log.ts";
import type { ServiceFigures } from "../metrics/service-figures.ts";
import type { Answered, Surroundings } from "../routing/answer.ts";

export interface Listeners {
  log: Log;
  figures: ServiceFigures;
}

/** `where`: kind and key of a job, or a part of the service. */
export type FaultReport = (fault: unknown, where: string) => void;

export function watchFaults({ log, figures }: Listeners): FaultReport {
  return (fault, where) => {
    figures.fault();
    log.error("fault", { where, ...faultFacts(fault) });
  };
}

/** @param noteLimit records a refused request in the audit trail if it hit a limit */
export function watchRequests(
  { log, figures }: Listeners,
  noteLimit: (request: Answered) => void,
): Pick<Surroundings, "onFault" | "onAnswer"> {
  const onFault = (fault: unknown, request: Answered) => {
    figures.fault();
    log.error("fault", { ...faultFacts(fault), ...placeOf(request) });
  };
  return {
    onFault,
    onAnswer: (request) => {
      figures.answered(request);
      log[levelOf(request)]("request", requestFacts(request));
      try {
        noteLimit(request);
      } catch (error) {
        onFault(error, request);
      }
    },
  };
}

/** Successful reads, such as polling, would fill the log, so they are only for debugging. */
function levelOf({ method, status, code }: Answered): LogLevel {
  if (status >= 500 && code !== "QUOTA_EXCEEDED" && code !== "BUSY") return "error";
  return status >= 400 || method !== "GET" ? "info" : "debug";
}

function placeOf({ requestId, method, route }: Answered): LogFacts {
  return { requestId, method, route };
}

function requestFacts(request: Answered): LogFacts {
  const { status, code, elapsedMs, caller } = request;
  return {
    ...placeOf(request),
    status,
    code,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    userKey: caller?.userKey ?? null,
  };
}

export function watchJobs({ log, figures }: Listeners): JobWatch {
  return {
    recovered: (jobs, { setAside = 0, ...leftovers }) => {
      const removed = Object.entries(leftovers).map(([what, count]) => [
        `removed${what.charAt(0).toUpperCase()}${what.slice(1)}`,
        count,
      ]);
      log.info("service.recovered", { ...recoveryFacts(jobs), ...Object.fromEntries(removed), setAside });
      if (setAside > 0) log.warn("files.setAside", { files: setAside, days: KEPT_ASIDE_DAYS });
    },
    begun: (job, restarts) => log.info("job.begun", { ...job, restarts }),
    entered: (job, state) => log.debug("job.entered", { ...job, state }),
    ended: (job, state, elapsedMs) => {
      figures.jobEnded(job.kind, state, elapsedMs);
      log.info("job.ended", { ...job, state, elapsedMs });
    },
    suspended: (job) => log.info("job.suspended", { ...job }),
  };
}

/** Counts only: each job that goes on has its own line once it begins. */
function recoveryFacts(jobs: ReadonlyMap<JobKind, Recovery>): LogFacts {
  const all = [...jobs.values()];
  return { resumed: all.flatMap(({ resumed }) => resumed).length, ended: all.flatMap(({ ended }) => ended).length };
}
