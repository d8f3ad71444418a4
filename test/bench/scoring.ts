// Rows a second from CSV to result CSV: `cupel predict` beside pandas and scikit-learn
// with a forest of as many trees grown on the same rows.
// Usage: bun test/bench/scoring.ts [TABLE.csv …] [--trees N,…] [--rows N] [--champions
// FOLDER] [--repeats N] [--python PYTHON] [--program CUPEL]
//   --rows       each table's records are repeated until there are so many, 200,000 by default
//   --champions  what `cupel run TABLE.csv --out FOLDER/TABLE` made: its best model is timed too
//   --program    the executable to time (dist/cupel); from source without
// Time is that of the processor, all threads together: of Cupel's whole process, of scikit-learn without imports and
// fit. Pin it to one core (taskset) for the figures of one thread.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { FROM_SOURCE } from "../support/server.ts";
import { forestFile } from "./forest-file.ts";

interface Scoring {
  seconds: number;
  peakMb: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trees: { type: "string", default: "100" },
    rows: { type: "string", default: "200000" },
    champions: { type: "string" },
    repeats: { type: "string", default: "3" },
    python: { type: "string", default: "python3" },
    program: { type: "string" },
  },
});
const bundled = join(import.meta.dir, "..", "fixtures", "tables", "online_shoppers.csv");
const tables = positionals.length > 0 ? positionals : [bundled];
const folder = mkdtempSync(join(tmpdir(), "cupel-scoring-"));
const input = join(folder, "new.csv");
const output = join(folder, "result.csv");

try {
  tell("| table | model | Cupel rows/s | peak MB | scikit-learn, one-hot | × | ordinal | × | peak MB |");
  tell("|---|---|---|---|---|---|---|---|---|");
  for (const table of tables) {
    const name = basename(table, ".csv");
    const rowCount = repeatRecords(table, Number(flags.rows));
    for (const trees of flags.trees.split(",")) {
      const model = join(folder, "forest.cupel");
      writeFileSync(model, forestFile(table, Number(trees)));
      const own = scoreOurs(model);
      const peers = ["one-hot", "ordinal"].map((encoding) => scoreTheirs(table, trees, encoding));
      tell(rowOf(`${name}, ${rowCount} rows`, `forest of ${trees}`, rowCount, own, peers));
    }
    const champion = flags.champions === undefined ? "" : join(flags.champions, name, "model.cupel");
    if (existsSync(champion)) tell(rowOf(`${name}, ${rowCount} rows`, "champion", rowCount, scoreOurs(champion), []));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Writes the records of a table over and over; how many there are. */
function repeatRecords(table: string, atLeast: number): number {
  const text = readFileSync(table, "utf8");
  const end = text.indexOf("\n") + 1;
  const body = text.slice(end).replace(/\n?$/, "\n");
  const count = body.split("\n").length - 1;
  const times = Math.ceil(atLeast / count);
  writeFileSync(input, text.slice(0, end) + body.repeat(times));
  return times * count;
}

/** The least of some runs. */
function scoreOurs(model: string): Scoring {
  const program = flags.program === undefined ? FROM_SOURCE : [flags.program];
  const runs = Array.from({ length: Number(flags.repeats) }, (): Scoring => {
    const { stderr, success, resourceUsage } = Bun.spawnSync([...program, "predict", model, input, "--out", output], {
      stdout: "ignore",
      stderr: "pipe",
    });
    if (!success) throw new Error(stderr.toString());
    // Microseconds; a child's own peak is told apart from its parent's by neither, so this process stays small.
    const { cpuTime, maxRSS } = resourceUsage!;
    return { seconds: Number(cpuTime.total) / 1e6, peakMb: maxRSS / 2 ** 20 };
  });
  return runs.reduce((best, run) => (run.seconds < best.seconds ? run : best));
}

/** Null where it is not installed. */
function scoreTheirs(table: string, trees: string, encoding: string): Scoring | null {
  const script = join(import.meta.dir, "scoring_peer.py");
  const { stdout, success } = Bun.spawnSync([flags.python, script, table, input, output, trees, encoding], {
    env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    stdout: "pipe",
    stderr: "ignore",
  });
  return success ? JSON.parse(stdout.toString()) : null;
}

function rowOf(
  table: string,
  model: string,
  rowCount: number,
  own: Scoring,
  peers: readonly (Scoring | null)[],
): string {
  const rate = ({ seconds }: Scoring) => String(Math.round(rowCount / seconds));
  const beside = [0, 1].flatMap((at) => {
    const peer = peers[at] ?? null;
    return peer === null ? ["", ""] : [rate(peer), (peer.seconds / own.seconds).toFixed(1)];
  });
  const peak = Math.max(0, ...peers.map((peer) => peer?.peakMb ?? 0));
  const cells = [table, model, rate(own), own.peakMb.toFixed(0), ...beside, peak === 0 ? "" : peak.toFixed(0)];
  return `| ${cells.join(" | ")} |`;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
