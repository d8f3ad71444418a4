// The worker pool: hands out work in order, the urgent first, replaces threads that
// die or hang, and sends open tasks to every thread.
import { InputError } from "../engine/input-error.ts";
import { Cancelled, OutOfTime } from "../engine/stop-signal.ts";
import { ForeignFault } from "./fault-facts.ts";
import type { FromWorker, Limits, SharedTask, ToWorker, Work, WorkKind } from "./messages.ts";

/** A cancelled worker that has not answered after this long is terminated and replaced. */
const CANCEL_GRACE_MS = 2_000;

/**
 * A worker that has not answered this long after its time was up hangs outside the kernels, which watch the time: it is
 * terminated and replaced. The time is long because a kernel that returns its
 * best so far may still have a large table to score.
 */
const OVERDUE_MS = 60_000;
/** So many times its seconds of the processor a piece of work may take by the clock, on a machine with other work. */
const BUSY = 2.5;
/** Waiting is counted in this many slices: if the whole process stood still, at most one slice of that time counts. */
const PATIENCE_SLICES = 12;

/** A thread that has read a file this large is replaced, which returns its memory at once. */
const LARGE_FILE_BYTES = 4 << 20;

/** A thread is replaced after this many pieces of work: its heap grows a little with each and never shrinks. */
const MOST_PIECES = 1_000;

/** Threads idle for this long are ended, which returns their memory; new ones start in milliseconds. */
const IDLE_MS = 60_000;

/** A worker ended before it answered; its work can be given out again. */
export class WorkerLost extends Error {
  constructor() {
    super("a worker thread ended before it answered");
    this.name = "WorkerLost";
  }
}

interface Job {
  message: Extract<ToWorker, { kind: "work" }>;
  limits: Limits;
  /** Set while a worker has the job. */
  overdue: ReturnType<typeof setTimeout> | undefined;
  resolve(answer: never): void;
  reject(error: Error): void;
}

interface Seat {
  worker: Worker;
  job: Job | null;
  /** Pieces of work done. */
  doneCount: number;
}

export class WorkerPool {
  /** Most threads at once. */
  size: number;
  /** Threads that died or hung since the start; planned replacements do not count. */
  replacedCount = 0;
  private readonly spawn: () => Worker;
  private readonly overdueMs: number;
  private readonly idleMs: number;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private readonly seats: Seat[] = [];
  private readonly queue: Job[] = [];
  private readonly tasks = new Map<number, SharedTask>();
  private lastId = 0;
  private isClosed = false;

  /**
   * `spawn` comes from the program's entry point, the only place that knows
   * a worker's address in sources and executable.
   */
  constructor(spawn: () => Worker, size: number, overdueMs: number = OVERDUE_MS, idleMs: number = IDLE_MS) {
    this.spawn = spawn;
    this.size = size;
    this.overdueMs = overdueMs;
    this.idleMs = idleMs;
  }

  /** Starts at most `most` threads ahead of work that they will share: each takes some time to load its code. */
  warmUp(most: number): void {
    while (this.seats.length < Math.min(this.size, most)) this.openSeat();
  }

  /**
   * Runs one piece of work; rejects with InputError, Cancelled, OutOfTime, WorkerLost or an Error for a fault of ours.
   */
  run<K extends WorkKind>(work: K, request: Work[K]["request"], limits: Limits): Promise<Work[K]["answer"]> {
    if (this.isClosed) return Promise.reject(new Cancelled());
    return new Promise((resolve, reject) => {
      const sentRequest = { ...request, cancelFlag: limits.cancelFlag, leftMs: Number.POSITIVE_INFINITY };
      const message = { kind: "work", id: ++this.lastId, work, request: sentRequest } as Job["message"];
      this.queue.splice(this.placeOf(limits), 0, { message, limits, overdue: undefined, resolve, reject });
      this.fillSeats();
    });
  }

  /** Sends a task to every worker, present and future, without copying its table. */
  openTask(task: SharedTask): number {
    const taskId = ++this.lastId;
    this.tasks.set(taskId, task);
    for (const { worker } of this.seats) post(worker, { kind: "open", taskId, task });
    return taskId;
  }

  /** Work of the task that still waits is dropped: nobody needs it, or it would not have been closed. */
  closeTask(taskId: number): void {
    this.tasks.delete(taskId);
    const ofTask = ({ message: { request } }: Job) => "taskId" in request && request.taskId === taskId;
    this.drop(ofTask);
    for (const { worker } of this.seats) post(worker, { kind: "close", taskId });
  }

  /** Cancels all work that carries the flag; workers that have not ended within two seconds are terminated. */
  cancel(cancelFlag: Int32Array): void {
    Atomics.store(cancelFlag, 0, 1);
    const isMeant = (job: Job) => job.message.request.cancelFlag.buffer === cancelFlag.buffer;
    this.drop(isMeant);
    setTimeout(() => {
      for (const seat of [...this.seats]) {
        if (seat.job !== null && isMeant(seat.job)) this.replace(seat, new Cancelled());
      }
    }, CANCEL_GRACE_MS).unref();
  }

  /** Lowers the number of threads; surplus threads end once they are idle. */
  narrow(size: number): void {
    this.size = Math.min(this.size, size);
    this.endSurplus();
  }

  /** Threads that work now. */
  get busyCount(): number {
    return this.seats.filter(({ job }) => job !== null).length;
  }

  /** Ends every worker and rejects all work, present and future. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.idle);
    for (const seat of this.seats.splice(0)) {
      seat.worker.terminate();
      clearTimeout(seat.job?.overdue);
      seat.job?.reject(new Cancelled());
    }
    for (const job of this.queue.splice(0)) job.reject(new Cancelled());
  }

  private drop(isMeant: (job: Job) => boolean): void {
    for (const job of this.queue.filter(isMeant)) {
      this.queue.splice(this.queue.indexOf(job), 1);
      job.reject(new Cancelled());
    }
  }

  private placeOf({ urgency = 0 }: Limits): number {
    const place = this.queue.findIndex(({ limits }) => (limits.urgency ?? 0) < urgency);
    return place < 0 ? this.queue.length : place;
  }

  private fillSeats(): void {
    while (this.queue.length > 0) {
      let seat = this.seats.find(({ job }) => job === null);
      if (seat === undefined) {
        if (this.seats.length >= this.size) return;
        try {
          seat = this.openSeat();
        } catch (error) {
          // Existing threads go on with the queue; without any, nobody would.
          if (this.seats.length === 0) for (const job of this.queue.splice(0)) job.reject(error as Error);
          return;
        }
      }
      this.handOut(this.queue.shift()!, seat);
    }
  }

  private endSurplus(): void {
    const surplus = this.seats.length - this.size;
    if (surplus <= 0) return;
    for (const seat of this.seats.filter(({ job }) => job === null).slice(0, surplus)) this.dismiss(seat);
  }

  /** Ends idle threads after a while. */
  private rest(): void {
    clearTimeout(this.idle);
    if (this.isClosed) return;
    this.idle = setTimeout(() => {
      for (const seat of this.seats.filter(({ job }) => job === null)) this.dismiss(seat);
    }, this.idleMs);
    this.idle.unref();
  }

  private handOut(job: Job, seat: Seat): void {
    const { message, limits } = job;
    const mostMs = limits.mostSeconds * 1000;
    const { byProcessor = false } = limits;
    const leftMs = Math.min(limits.deadlineMs - performance.now(), byProcessor ? BUSY * mostMs : mostMs);
    message.request.leftMs = leftMs;
    if (byProcessor) message.request.processorMs = mostMs;
    seat.job = job;
    post(seat.worker, message);
    const patienceMs = Math.max(0, leftMs) + this.overdueMs;
    if (patienceMs < Number.POSITIVE_INFINITY) this.watch(seat, job, patienceMs / PATIENCE_SLICES, PATIENCE_SLICES);
  }

  /** Replaces a thread that has not answered after this many slices of time. */
  private watch(seat: Seat, job: Job, sliceMs: number, sliceCount: number): void {
    job.overdue = setTimeout(() => {
      if (sliceCount > 1) this.watch(seat, job, sliceMs, sliceCount - 1);
      else this.replace(seat, new OutOfTime());
    }, sliceMs);
    job.overdue.unref();
  }

  private openSeat(): Seat {
    const worker = this.spawn();
    const seat: Seat = { worker, job: null, doneCount: 0 };
    this.seats.push(seat);
    for (const [taskId, task] of this.tasks) post(worker, { kind: "open", taskId, task });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.finishWork(seat, data);
    const lost = () => this.replace(seat, new WorkerLost());
    worker.onerror = (event) => {
      event.preventDefault();
      lost();
    };
    worker.addEventListener("close", lost);
    return seat;
  }

  private finishWork(seat: Seat, reply: FromWorker): void {
    const { job } = seat;
    if (job === null || job.message.id !== reply.id) return;
    seat.job = null;
    clearTimeout(job.overdue);
    if (reply.outcome === "done") job.resolve(reply.answer as never);
    else job.reject(errorOf(reply));
    const hasReadMuch =
      reply.outcome === "done" && "sizeBytes" in reply.answer && reply.answer.sizeBytes > LARGE_FILE_BYTES;
    if (++seat.doneCount >= MOST_PIECES || hasReadMuch) this.dismiss(seat);
    this.endSurplus();
    this.fillSeats();
    this.rest();
  }

  private replace(seat: Seat, error: Error): void {
    if (!this.seats.includes(seat)) return;
    const { job } = seat;
    this.replacedCount++;
    this.dismiss(seat);
    clearTimeout(job?.overdue);
    job?.reject(error);
    this.fillSeats();
  }

  /**
   * No new thread is started until there is work for it, so a thread that dies at its start is not restarted forever.
   */
  private dismiss(seat: Seat): void {
    this.seats.splice(this.seats.indexOf(seat), 1);
    seat.worker.terminate();
  }
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

function errorOf(reply: Exclude<FromWorker, { outcome: "done" }>): Error {
  switch (reply.outcome) {
    case "cancelled":
      return new Cancelled();
    case "out of time":
      return new OutOfTime();
    case "bad input":
      return new InputError(reply.error.code, reply.error.message, reply.error);
    case "failed":
      return new ForeignFault(reply.message, reply.facts);
  }
}
