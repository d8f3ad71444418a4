// Benches of whole runs share these: tables, read whole and split 70/30 by label, so that nobody chooses on the rows that
// judge; programs that run to their end; lines of results, to go on with.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../../engine/csv/read.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { deriveSeed, Random, shuffle } from "../../engine/random.ts";
import { FROM_SOURCE } from "../support/server.ts";

const LEARNING_SHARE = 0.7;
const SPLIT_SEED = 7_030;
const COMMA = { delimiter: ",", lineEnding: "\n" };

/** Rows of each label dealt 70/30 at random, in the file's order within each half. */
export function dealRows(records: readonly string[][], split: number): [string[][], string[][]] {
  const byLabel = new Map<string, number[]>();
  records.forEach((record, row) => {
    const rows = byLabel.get(record.at(-1)!) ?? [];
    byLabel.set(record.at(-1)!, rows);
    rows.push(row);
  });
  const random = new Random(deriveSeed(SPLIT_SEED, split));
  const learns = new Uint8Array(records.length);
  for (const members of byLabel.values()) {
    const rows = Uint32Array.from(members);
    shuffle(rows, random);
    const count = Math.max(1, Math.round(LEARNING_SHARE * rows.length));
    for (const row of rows.subarray(0, count)) learns[row] = 1;
  }
  return [records.filter((_, row) => learns[row] === 1), records.filter((_, row) => learns[row] === 0)];
}

export function readTable(path: string): { header: readonly string[]; records: string[][] } {
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
  return { header: header.names, records };
}

export function writeTable(path: string, header: readonly string[], records: readonly (readonly string[])[]): void {
  writeFileSync(path, [header, ...records].map((record) => formatRecord(record, COMMA)).join(""));
}

export interface Deal {
  header: readonly string[];
  learning: string[][];
  judging: string[][];
  trainPath: string;
  testPath: string;
  /** Labels of the rows that judge. */
  truth: string[];
}

/** Writes both parts of a table into a folder, as `train.csv` and `test.csv`. */
export function dealTable(path: string, split: number, folder: string): Deal {
  const { header, records } = readTable(path);
  const [learning, judging] = dealRows(records, split);
  const [trainPath, testPath] = [join(folder, "train.csv"), join(folder, "test.csv")];
  writeTable(trainPath, header, learning);
  writeTable(testPath, header, judging);
  return { header, learning, judging, trainPath, testPath, truth: judging.map((record) => record.at(-1)!) };
}

/** The share of the rows that judge which have the most frequent label of the others. */
export function majorityShare({ learning, truth }: Deal): number {
  const counts = new Map<string, number>();
  for (const record of learning) counts.set(record.at(-1)!, (counts.get(record.at(-1)!) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a)[0]!;
  return truth.filter((label) => label === most).length / truth.length;
}

/** The executable, or the program from source. */
export const programOf = (path: string | undefined) => (path === undefined ? FROM_SOURCE : [path]);

/** Runs a program; an end by another code than these is an error. */
export async function runToEnd(command: readonly string[], env: Record<string, string> = {}, codes = [0]) {
  const startMs = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe", env: { ...process.env, ...env } });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if (!codes.includes(await child.exited)) throw new Error(errors);
  const { cpuTime, maxRSS } = child.resourceUsage()!;
  const seconds = (performance.now() - startMs) / 1000;
  return { output, seconds, processorSeconds: Number(cpuTime.total) / 1e6, peakBytes: maxRSS };
}

/** The results that a file has, a JSON object a line; none where there is no file. */
export function readResults<Result>(path: string): Result[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Result => JSON.parse(line));
}

/** A line of a table. */
export function printRow(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

export const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
