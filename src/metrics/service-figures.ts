// The metrics of the running service: counted since its start, or read when asked for.
import { readdirSync } from "node:fs";
import type { JobKind } from "../../data/database/claims.ts";
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { countJobs, oldestWaiting } from "../../data/jobs/job-counts.ts";
import { usageOfAll } from "../../data/usage.ts";
import type { PoolUse } from "../jobs/scheduler.ts";
import { receivedSoFar } from "../receiving/received-file.ts";
import type { Answered } from "../routing/answer.ts";
import { counter, exposition, type Family, gauge, Histogram } from "./exposition.ts";
import { watchFigures } from "./watch-figures.ts";

interface FigureServices {
  database: Database;
  state: Pick<StateFolder, "freeBytes">;
  pools(): readonly PoolUse[];
  now(): Date;
  version: string;
}

export interface ServiceFigures {
  /** In the text format of Prometheus. Costs some index scans of the database. */
  show(services: FigureServices): string;
  answered(request: Answered): void;
  jobEnded(kind: JobKind, end: string, elapsedMs: number): void;
  /** A fault of ours. */
  fault(): void;
  /** Stops measuring how late timers are. */
  stop(): void;
}

const LAG_STEP_MS = 500;
const LAG_BOUNDS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const REQUEST_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const JOB_BOUNDS = [0.1, 1, 10, 60, 300, 900, 1_800, 3_600, 7_200];

export function createServiceFigures(): ServiceFigures {
  const requests = new Histogram(
    "cupel_http_request_duration_seconds",
    "Time until answers began, by route, method and class of status.",
    REQUEST_BOUNDS,
  );
  const jobs = new Histogram(
    "cupel_job_duration_seconds",
    "Time taken by jobs that ended since the start, by kind and end.",
    JOB_BOUNDS,
  );
  const lag = new Histogram("cupel_event_loop_lag_seconds", "How late a timer of half a second was.", LAG_BOUNDS);
  let faultCount = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    lag.observe({}, Math.max(0, nowMs - lastMs - LAG_STEP_MS) / 1_000);
    lastMs = nowMs;
  }, LAG_STEP_MS);
  timer.unref();

  return {
    show: (services) =>
      exposition([
        ...processFigures(services),
        lag,
        counter("cupel_faults_total", "Faults of the service itself; its log has them.", faultCount),
        requests,
        ...uploadFigures(),
        ...jobFigures(services),
        jobs,
        ...threadFigures(services),
        ...roomFigures(services),
        ...watchFigures(services.database),
      ]),
    answered: ({ route, method, status, elapsedMs }) =>
      requests.observe({ route: route ?? "none", method, status: `${Math.floor(status / 100)}xx` }, elapsedMs / 1_000),
    jobEnded: (kind, end, elapsedMs) => jobs.observe({ kind, end }, elapsedMs / 1_000),
    fault: () => {
      faultCount++;
    },
    stop: () => clearInterval(timer),
  };
}

function processFigures({ version }: FigureServices): Family[] {
  const { user, system } = process.cpuUsage();
  const startSeconds = performance.timeOrigin / 1_000;
  const descriptorCount = countDescriptors();
  return [
    gauge("cupel_build_info", "The version, as a label.", [{ labels: { version }, value: 1 }]),
    gauge("process_start_time_seconds", "When the process began, since 1970.", startSeconds),
    counter("process_cpu_seconds_total", "Time of processors, all threads.", (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Memory that the process holds.", process.memoryUsage.rss()),
    gauge("process_open_fds", "Open file descriptors.", descriptorCount ?? []),
  ];
}

/** Null where the system does not say. */
function countDescriptors(): number | null {
  if (process.platform !== "linux") return null;
  // Reading the folder opens one.
  return readdirSync("/proc/self/fd").length - 1;
}

function uploadFigures(): Family[] {
  const { underWayCount, bytes } = receivedSoFar();
  return [
    gauge("cupel_uploads_in_progress", "Files that are being received.", underWayCount),
    counter("cupel_upload_bytes_total", "Bytes of files that were received, kept or not.", bytes),
  ];
}

function jobFigures({ database, now }: FigureServices): Family[] {
  const counts = countJobs(database);
  const queues = oldestWaiting(database);
  const nowMs = now().getTime();
  const waitingCount = (kind: JobKind) =>
    counts.find((known) => known.kind === kind && known.state === "WAITING")?.count ?? 0;
  return [
    gauge(
      "cupel_jobs",
      "Jobs that are kept, by kind and state: OPEN for not started, WAITING, RUNNING, else the state of their end.",
      counts.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
    ),
    gauge(
      "cupel_job_queue_length",
      "Jobs that wait for a place.",
      queues.map(({ kind }) => ({ labels: { kind }, value: waitingCount(kind) })),
    ),
    gauge(
      "cupel_job_queue_oldest_seconds",
      "How long the first of them has waited.",
      queues.map(({ kind, since }) => ({
        labels: { kind },
        value: since === null ? 0 : Math.max(0, (nowMs - Date.parse(since)) / 1_000),
      })),
    ),
  ];
}

function threadFigures({ pools }: FigureServices): Family[] {
  const uses = pools();
  const samplesOf = (count: "threadCount" | "busyCount" | "replacedCount") =>
    uses.map((use) => ({ labels: { pool: use.name }, value: use[count] }));
  const help = "Threads for jobs: heavy for refinements and trainings, light for the rest.";
  return [
    gauge("cupel_worker_threads", help, samplesOf("threadCount")),
    gauge("cupel_worker_threads_busy", "Those at work.", samplesOf("busyCount")),
    counter("cupel_worker_threads_replaced_total", "Those that died or hung.", samplesOf("replacedCount")),
  ];
}

function roomFigures({ database, state }: FigureServices): Family[] {
  const { bytes } = database.client
    .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get()!;
  return [
    gauge("cupel_stored_bytes", "Room taken in the state folder: by files that the database names, and by itself.", [
      { labels: { part: "files" }, value: usageOfAll(database) },
      { labels: { part: "database" }, value: bytes },
    ]),
    gauge("cupel_disk_free_bytes", "Room left on the disk of the state folder.", state.freeBytes()),
  ];
}
