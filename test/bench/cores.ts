// Tells what more cores are worth: times every unit of a run on one worker, then replays the run on N workers by a
// virtual clock.
// Usage: bun test/bench/cores.ts [CSV-FILE…] [--real 1,2] [--trace FILE] [--waits 16]
//   --real: workers that the run is also made on in earnest, which the replay is held against; 1 alone where it is left out.
//   --trace: writes every unit of the recorded run, or with --waits of that replay: begin and end in ms, kind, what it was asked.
//   --waits: of the replay on so many workers, what ran while others had nothing to do, in worker-seconds.
// The replay is the program itself, its main thread and its pool: only its threads are stand-ins, which answer what was
// answered in the recorded run, after as much time as it took there. So the queue is the real one, and what waits for
// what is. Units share caches and memory bandwidth on a real machine; the replay knows nothing of that.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "../../src/commands/run.ts";
import type { FromWorker, ToWorker } from "../../workers/messages.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const REPLAYED = [1, 2, 4, 8, 16, 32];
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { real: { type: "string", default: "1" }, trace: { type: "string" }, waits: { type: "string" } },
});

type WorkMessage = Extract<ToWorker, { kind: "work" }>;

interface Span {
  work: string;
  key: string;
  beginMs: number;
  endMs: number;
}

/** A unit as it was done: how long a thread took, and the answer. */
interface Unit extends Span {
  reply: FromWorker;
}

const hashes = new WeakMap<object, string>();

/** The same for requests that ask the same; arrays count by their content. */
function keyOf({ work, request }: WorkMessage): string {
  const { cancelFlag: _, leftMs: __, ...asked } = request;
  return `${work} ${JSON.stringify(asked, (name, value: unknown) => {
    if (name === "taskId" || name === "about") return undefined;
    if (!ArrayBuffer.isView(value)) return value;
    const known = hashes.get(value);
    if (known !== undefined) return known;
    const hash = Bun.hash(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)).toString(36);
    hashes.set(value, hash);
    return hash;
  })}`;
}

/** Real threads whose units are written down. */
function recorder(units: Unit[]): () => Worker {
  return () => {
    const worker = spawnWorker();
    const under = new Map<number, { message: WorkMessage; beginMs: number }>();
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: ToWorker) => {
      if (message.kind === "work") under.set(message.id, { message, beginMs: performance.now() });
      post(message);
    };
    worker.addEventListener("message", ({ data: reply }: MessageEvent<FromWorker>) => {
      const { message, beginMs } = under.get(reply.id)!;
      units.push({ work: message.work, key: keyOf(message), beginMs, endMs: performance.now(), reply });
    });
    return worker;
  };
}

/** A clock that stands still while the main thread waits, and jumps to the end of the next unit. */
class ReplayClock {
  private readonly answers = new Map<string, Unit>();
  private readonly running: { endMs: number; tell: () => void }[] = [];
  /** Every unit that has begun, by this clock. */
  readonly begun: Span[] = [];
  private ms = 0;
  private resumedMs = performance.now();
  private isOver = false;
  private readonly units: Unit[];
  private readonly spare: Worker;
  private measuring: Promise<void> = Promise.resolve();
  private measuredCount = 0;

  /** Units that are not known are done in earnest by `spare`, and known from then on. */
  constructor(units: Unit[], spare: Worker) {
    this.units = units;
    this.spare = spare;
    for (const unit of units) this.answers.set(unit.key, unit);
  }

  get nowMs(): number {
    return this.ms + performance.now() - this.resumedMs;
  }

  readonly spawn = (): Worker => {
    const worker = {
      postMessage: (message: ToWorker) => {
        if (message.kind === "work") this.begin(message, worker);
        else this.spare.postMessage(message);
      },
    };
    return Object.assign(worker, { terminate: () => undefined, addEventListener: () => undefined }) as never;
  };

  private begin(message: WorkMessage, worker: object): void {
    const beginMs = this.nowMs;
    const key = keyOf(message);
    // The replay's own work takes none of the clock's time.
    this.resumeAt(beginMs);
    const unit = this.answers.get(key);
    const run = ({ beginMs: from, endMs: to, reply }: Unit) => {
      const tell = () => (worker as Worker).onmessage?.({ data: { ...reply, id: message.id } } as MessageEvent);
      const endMs = beginMs + to - from;
      this.begun.push({ work: message.work, key, beginMs, endMs });
      this.running.push({ endMs, tell });
    };
    if (unit !== undefined) run(unit);
    else this.measuring = this.measuring.then(() => this.measure(message, key)).then(run);
  }

  private resumeAt(ms: number): void {
    this.ms = ms;
    this.resumedMs = performance.now();
  }

  /**
   * Units that only several threads ask for (what one would wait for) are done in earnest while the clock stands still,
   * all on one thread: one that starts anew each time would load its code each time.
   */
  private async measure(message: WorkMessage, key: string): Promise<Unit> {
    const { spare } = this;
    const beginMs = performance.now();
    const reply = await new Promise<FromWorker>((resolve) => {
      spare.onmessage = ({ data }: MessageEvent<FromWorker>) => resolve(data);
      spare.postMessage(message);
    });
    const unit = { work: message.work, key, beginMs, endMs: performance.now(), reply };
    this.answers.set(key, unit);
    this.units.push(unit);
    this.measuredCount++;
    return unit;
  }

  /** Runs until `work` is done; returns the milliseconds by this clock. */
  async until(work: Promise<unknown>): Promise<number> {
    void work.finally(() => {
      this.isOver = true;
    });
    while (!this.isOver) {
      await turn();
      const known = this.measuredCount;
      const stoodMs = this.nowMs;
      await this.measuring;
      if (this.measuredCount > known) this.resumeAt(stoodMs);
      if (this.running.length === 0 || this.isOver) continue;
      const next = this.running.reduce((first, each) => (each.endMs < first.endMs ? each : first));
      this.running.splice(this.running.indexOf(next), 1);
      this.resumeAt(Math.max(this.nowMs, next.endMs));
      next.tell();
    }
    return this.nowMs;
  }
}

/** Lets everything run that does not wait for a unit. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function runOnce(path: string, workers: number, spawn: () => Worker, clock: ReplayClock | null = null) {
  const folder = mkdtempSync(join(tmpdir(), "cupel-cores-"));
  try {
    const options = runOptions(path, join(folder, "out"), { workers, refine: true, scalingFactor: 19 });
    const startMs = performance.now();
    const console = testConsole();
    const work = run(options, console, spawn);
    const ms = clock === null ? await work.then(() => performance.now() - startMs) : await clock.until(work);
    await work;
    return { ms, models: modelsIn(join(folder, "out")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function modelsIn(folder: string): string {
  const models = readdirSync(folder).filter((name) => name.endsWith(".cupel"));
  return models.map((name) => Bun.hash(readFileSync(join(folder, name))).toString(36)).join(" ");
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);

for (const path of positionals.length === 0 ? [fixtureTable("credit_g")] : positionals) {
  const units: Unit[] = [];
  const alone = await runOnce(path, 1, recorder(units));
  if (flags.trace !== undefined) writeFileSync(flags.trace, units.map(traceLine(units[0]!.beginMs)).join(""));
  const sumMs = units.reduce((sum, { beginMs, endMs }) => sum + endMs - beginMs, 0);
  const longestMs = Math.max(...units.map(({ beginMs, endMs }) => endMs - beginMs));
  process.stdout.write(
    `${basename(path)}: ${units.length} units, ${seconds(sumMs)} s in all, the longest ${seconds(longestMs)} s, run ${seconds(alone.ms)} s\n`,
  );
  for (const workers of flags.real
    .split(",")
    .map(Number)
    .filter((count) => count > 1)) {
    const real = await runOnce(path, workers, spawnWorker);
    const same = real.models === alone.models ? "same bytes" : "OTHER BYTES";
    process.stdout.write(`  real on ${workers}: ${seconds(real.ms)} s, ×${(alone.ms / real.ms).toFixed(2)}, ${same}\n`);
  }
  let oneMs = 0;
  const spare = spawnWorker();
  for (const workers of REPLAYED) {
    const clock = new ReplayClock(units, spare);
    const { ms, models } = await runOnce(path, workers, clock.spawn, clock);
    if (workers === 1) oneMs = ms;
    const same = models === alone.models ? "same bytes" : "OTHER BYTES";
    process.stdout.write(`  replay on ${workers}: ${seconds(ms)} s, ×${(oneMs / ms).toFixed(2)}, ${same}\n`);
    if (workers === Number(flags.waits)) tellWaits(clock.begun, workers, ms);
  }
  spare.terminate();
}

/** While threads wait, each of the units that run is to blame for a part of it; the main thread where none runs. */
function tellWaits(spans: readonly Span[], workers: number, endMs: number): void {
  if (flags.trace !== undefined) writeFileSync(flags.trace, spans.map(traceLine(spans[0]!.beginMs)).join(""));
  const waitedMs = new Map<string, number>();
  const times = [...new Set(spans.flatMap(({ beginMs, endMs: end }) => [beginMs, end])), endMs].sort((a, b) => a - b);
  for (const [index, fromMs] of times.slice(0, -1).entries()) {
    const ran = spans.filter((span) => span.beginMs <= fromMs && span.endMs > fromMs).map(({ work }) => work);
    const idleMs = (times[index + 1]! - fromMs) * (workers - ran.length);
    const blamed = ran.length === 0 ? ["main thread"] : ran;
    for (const name of blamed) waitedMs.set(name, (waitedMs.get(name) ?? 0) + idleMs / blamed.length);
  }
  for (const [name, ms] of [...waitedMs].sort((a, b) => b[1] - a[1])) {
    process.stdout.write(`    waited for ${name}: ${(ms / 1000).toFixed(2)} s\n`);
  }
}

function traceLine(firstMs: number) {
  return ({ work, key, beginMs, endMs }: Span) =>
    `${(beginMs - firstMs).toFixed(0)}\t${(endMs - firstMs).toFixed(0)}\t${(endMs - beginMs).toFixed(0)}\t${work}\t${key.slice(0, 700)}\n`;
}
