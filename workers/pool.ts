// The worker pool: hands out work in the order given, replaces threads that die or hang, and keeps open arenas known to all.
import { InputError } from "../engine/input-error.ts";
import { Cancelled, OutOfTime } from "../engine/stop-signal.ts";
import type { FromWorker, Limits, SharedArena, ToWorker, Work, WorkKind } from "./messages.ts";

/** A cancelled worker that has not answered after this long is ended and replaced. */
const CANCEL_GRACE_MS = 2_000;

/** A thread that has read a file this large is replaced: what it leaves behind is returned at once, not at some later time. */
const LARGE_FILE_BYTES = 32 << 20;

/** A worker stopped before it could answer; whatever it was doing can be given out again. */
export class WorkerLost extends Error {
  constructor() {
    super("a worker thread ended before it answered");
    this.name = "WorkerLost";
  }
}

interface Job {
  message: Extract<ToWorker, { kind: "work" }>;
  resolve(answer: never): void;
  reject(error: Error): void;
}

interface Seat {
  worker: Worker;
  job: Job | null;
}

export class WorkerPool {
  readonly size: number;
  private readonly spawn: () => Worker;
  private readonly seats: Seat[] = [];
  private readonly queue: Job[] = [];
  private readonly arenas = new Map<number, SharedArena>();
  private lastId = 0;
  private isClosed = false;

  /** `spawn` comes from the program's entry point: only there does a worker's address hold from source and compiled alike. */
  constructor(spawn: () => Worker, size: number) {
    this.spawn = spawn;
    this.size = size;
  }

  /** Runs one piece of work; rejects with InputError, Cancelled, OutOfTime, WorkerLost or an Error for a fault of ours. */
  run<K extends WorkKind>(work: K, request: Work[K]["request"], limits: Limits): Promise<Work[K]["answer"]> {
    if (this.isClosed) return Promise.reject(new Cancelled());
    return new Promise((resolve, reject) => {
      const message = { kind: "work", id: ++this.lastId, work, request: { ...request, ...limits } } as Job["message"];
      this.queue.push({ message, resolve, reject });
      this.fillSeats();
    });
  }

  /** Makes a table and its rules known to every worker, present and future; costs no copy of the table. */
  openArena(arena: SharedArena): number {
    const arenaId = ++this.lastId;
    this.arenas.set(arenaId, arena);
    for (const { worker } of this.seats) post(worker, { kind: "open", arenaId, arena });
    return arenaId;
  }

  closeArena(arenaId: number): void {
    this.arenas.delete(arenaId);
    for (const { worker } of this.seats) post(worker, { kind: "close", arenaId });
  }

  /** Cancels all work that carries the flag; what has not ended within two seconds is ended by force. */
  cancel(cancelFlag: Int32Array): void {
    Atomics.store(cancelFlag, 0, 1);
    const isMeant = (job: Job) => job.message.request.cancelFlag.buffer === cancelFlag.buffer;
    for (const job of this.queue.filter(isMeant)) {
      this.queue.splice(this.queue.indexOf(job), 1);
      job.reject(new Cancelled());
    }
    setTimeout(() => {
      for (const seat of this.seats) {
        if (seat.job !== null && isMeant(seat.job)) this.replace(seat, new Cancelled());
      }
    }, CANCEL_GRACE_MS).unref();
  }

  /** Ends every worker. Work under way is rejected, and so is any that comes later. */
  close(): void {
    this.isClosed = true;
    for (const seat of this.seats.splice(0)) {
      seat.worker.terminate();
      seat.job?.reject(new Cancelled());
    }
    for (const job of this.queue.splice(0)) job.reject(new Cancelled());
  }

  private fillSeats(): void {
    while (this.queue.length > 0) {
      let seat = this.seats.find(({ job }) => job === null);
      if (seat === undefined) {
        if (this.seats.length >= this.size) return;
        seat = this.takeSeat();
      }
      seat.job = this.queue.shift()!;
      post(seat.worker, seat.job.message);
    }
  }

  private takeSeat(): Seat {
    const seat: Seat = { worker: this.start(), job: null };
    this.seats.push(seat);
    this.listen(seat);
    return seat;
  }

  private start(): Worker {
    const worker = this.spawn();
    for (const [arenaId, arena] of this.arenas) post(worker, { kind: "open", arenaId, arena });
    return worker;
  }

  private listen(seat: Seat): void {
    const { worker } = seat;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.settle(seat, data);
    const lost = () => {
      if (seat.worker === worker && this.seats.includes(seat)) this.replace(seat, new WorkerLost());
    };
    worker.onerror = (event) => {
      event.preventDefault();
      lost();
    };
    worker.addEventListener("close", lost);
  }

  private settle(seat: Seat, reply: FromWorker): void {
    const { job } = seat;
    if (job === null || job.message.id !== reply.id) return;
    seat.job = null;
    if (reply.outcome === "done") job.resolve(reply.answer as never);
    else job.reject(errorOf(reply));
    if (reply.outcome === "done" && "sizeBytes" in reply.answer && reply.answer.sizeBytes > LARGE_FILE_BYTES) {
      this.refresh(seat);
    }
    this.fillSeats();
  }

  private replace(seat: Seat, error: Error): void {
    const { job } = seat;
    seat.job = null;
    this.refresh(seat);
    job?.reject(error);
    this.fillSeats();
  }

  private refresh(seat: Seat): void {
    const { worker } = seat;
    seat.worker = this.start();
    this.listen(seat);
    worker.terminate();
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
      return new Error(reply.message);
  }
}
