// Accuracy and seconds of whole runs on real tables, beside scikit-learn's RandomForest on the same outer split.
// Usage: bun test/bench/tables.ts FOLDER-OF-CSV-FILES [PYTHON]   (label in the last column)
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readCsv } from "../../engine/csv/read.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { assignParts, splitByPart } from "../../engine/holdout.ts";
import type { RunSummary } from "../../src/summary.ts";

const OUTER_SEED = 20_26;
const COMMA = { delimiter: ",", lineEnding: "\n" };

const [tableFolder, python = "python3"] = process.argv.slice(2);
if (tableFolder === undefined) throw new Error("name a folder of CSV files");
const work = mkdtempSync(join(tmpdir(), "cupel-bench-"));

print(
  "| table | rows | Cupel: new rows | published | confirmed | seconds | peak MB | champion | forest of scikit-learn | seconds |",
);
print("|---|---|---|---|---|---|---|---|---|---|");
for (const name of readdirSync(tableFolder)
  .filter((file) => file.endsWith(".csv"))
  .sort())
  await compare(join(tableFolder, name));
rmSync(work, { recursive: true });

async function compare(path: string): Promise<void> {
  const table = readTable(path);
  const labels = [...new Set(table.records.map((record) => record.at(-1)!))].sort();
  const classes = Uint8Array.from(table.records, (record) => labels.indexOf(record.at(-1)!));
  const { learning, judging } = splitByPart(assignParts(classes, labels.length, OUTER_SEED), 0);
  const trainPath = write(
    "train.csv",
    table.names,
    [...learning].map((row) => table.records[row]!),
  );
  const testPath = write(
    "test.csv",
    table.names,
    [...judging].map((row) => table.records[row]!),
  );
  const truth = [...judging].map((row) => table.records[row]!.at(-1)!);

  const main = join(import.meta.dir, "..", "..", "src", "main.ts");
  const out = join(work, "out");
  const child = Bun.spawn([process.execPath, main, "run", trainPath, "--predict", testPath, "--out", out], {
    stdout: "ignore",
    stderr: "ignore",
  });
  if ((await child.exited) !== 0) throw new Error(`the run on ${path} failed`);
  const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  const decided = readTable(join(out, "predictions-test.csv")).records.map((record) => record[table.names.length]!);
  const right = decided.filter((label, row) => label === truth[row]).length;
  const peak = (child.resourceUsage()?.maxRSS ?? 0) / 1e6;

  const other = Bun.spawnSync([python, join(import.meta.dir, "sklearn_forest.py"), trainPath, testPath]);
  if (other.exitCode !== 0) throw new Error(other.stderr.toString());
  const forest: { accuracy: number; seconds: number } = JSON.parse(other.stdout.toString());
  const { testPerformance, confirmedPerformance, elapsedSeconds, versions } = summary;
  const cells = [
    basename(path, ".csv"),
    table.records.length,
    percent(right / truth.length),
    percent(testPerformance!),
    percent(confirmedPerformance!.mean),
    elapsedSeconds.toFixed(1),
    peak.toFixed(0),
    versions[0]!.algorithm,
    percent(forest.accuracy),
    forest.seconds.toFixed(1),
  ];
  print(`| ${cells.join(" | ")} |`);
}

function readTable(path: string): { names: readonly string[]; records: string[][] } {
  let records: string[][] = [];
  const { header } = readCsv(
    () => [readFileSync(path)],
    () => {
      records = [];
      return (batch) => {
        for (const record of batch.records) records.push([...record]);
      };
    },
  );
  return { names: header.names, records };
}

function write(name: string, names: readonly string[], records: readonly (readonly string[])[]): string {
  const path = join(work, name);
  writeFileSync(path, [names, ...records].map((record) => formatRecord(record, COMMA)).join(""));
  return path;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
