// The whole job, `cupel run` with all defaults beside a script of pandas and scikit-learn
// (end_to_end.py): seconds, memory, and accuracy on rows that neither saw.
// Usage: bun test/bench/end-to-end.ts [FOLDER] [--only NAME,…] [--skip own|peer] [--split N] [--python PYTHON]
// Each table, label last, is split 70/30 by label; a program learns the 70% and predicts the 30%.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { RunSummary } from "../../src/summary/summary.ts";
import { type Deal, dealTable, programOf, readTable, runToEnd } from "./outer-split.ts";

interface Job {
  champion: string;
  published: number;
  accuracy: number;
  wallSeconds: number;
  cpuSeconds: number;
  peakMb: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    skip: { type: "string" },
    split: { type: "string", default: "1" },
    python: { type: "string", default: "python3" },
  },
});
const [tables = join(import.meta.dir, "..", "fixtures", "tables")] = positionals;
const folder = mkdtempSync(join(tmpdir(), "cupel-end-to-end-"));
try {
  tell("| table | program | champion | accuracy | published | wall s | processor s | peak MB |");
  tell("|---|---|---|---|---|---|---|---|");
  for (const file of readdirSync(tables).filter((name) => name.endsWith(".csv"))) {
    const table = basename(file, ".csv");
    if (flags.only !== undefined && !flags.only.split(",").includes(table)) continue;
    const deal = dealTable(join(tables, file), Number(flags.split), folder);
    if (flags.skip !== "own") tell(rowOf(table, "Cupel", await runOurs(deal)));
    if (flags.skip !== "peer") tell(rowOf(table, "scikit-learn", await runTheirs(deal)));
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function runOurs(deal: Deal): Promise<Job> {
  const out = join(folder, "ours");
  const asked = ["run", deal.trainPath, "--predict", deal.testPath, "--out", out];
  const { seconds, processorSeconds, peakBytes } = await runToEnd([...programOf(undefined), ...asked]);
  const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  return {
    champion: summary.versions[0]!.algorithm,
    published: summary.testPerformance!,
    accuracy: accuracyOf(join(out, "predictions-test.csv"), deal),
    wallSeconds: seconds,
    cpuSeconds: processorSeconds,
    peakMb: peakBytes / 2 ** 20,
  };
}

async function runTheirs(deal: Deal): Promise<Job> {
  const out = join(folder, "theirs");
  const command = [flags.python, join(import.meta.dir, "end_to_end.py"), deal.trainPath, deal.testPath, out];
  const { output, seconds } = await runToEnd(command, { OMP_NUM_THREADS: "2", PYTHONWARNINGS: "ignore" });
  const told: Omit<Job, "accuracy" | "wallSeconds"> = JSON.parse(output);
  return { ...told, accuracy: accuracyOf(join(out, "predictions.csv"), deal), wallSeconds: seconds };
}

/** A prediction stands behind the columns of the table. */
function accuracyOf(predictionsPath: string, { header, truth }: Deal): number {
  const { records } = readTable(predictionsPath);
  return records.filter((record, row) => record[header.length] === truth[row]).length / truth.length;
}

function rowOf(table: string, program: string, job: Job): string {
  const percent = (share: number) => (100 * share).toFixed(2);
  const seconds = [job.wallSeconds, job.cpuSeconds].map((value) => value.toFixed(0));
  return `| ${[table, program, job.champion, percent(job.accuracy), percent(job.published), ...seconds, job.peakMb.toFixed(0)].join(" | ")} |`;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
