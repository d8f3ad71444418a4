// What counting costs: bun test/bench/watch-cost.ts MODEL.cupel ROWS.csv. Processor time with and without counts, in turns; memory at most.
import { readFileSync } from "node:fs";
import { readCsv } from "../../engine/csv/read.ts";
import type { CsvHeader } from "../../engine/csv/types.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import type { FileDialect } from "../../engine/scoring/file-dialect.ts";
import { ResultCsv } from "../../engine/scoring/result-csv.ts";
import { ResultFile } from "../../engine/scoring/result-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import type { FileCounts } from "../../engine/watch/file-counts.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { fileChunks } from "../../workers/file-chunks.ts";
import { type JsonRow, scoreRows } from "../../workers/live-scoring.ts";
import { ModelCache } from "../../workers/model-cache.ts";
import { readTable } from "./outer-split.ts";

const TURNS = 9;
const LIVE_ROWS = 4_000;
const [modelPath = "", path = ""] = process.argv.slice(2);
const model = unpackModel(new Uint8Array(readFileSync(modelPath)));
const options = { likeInput: false, spreadsheetSafe: false };
const chunks = (taker: Parameters<typeof fileChunks>[2]) =>
  fileChunks(path, neverStop, taker, model.texts !== undefined);
const say = (line: string) => process.stdout.write(`${line}\n`);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** The second pass of a prediction, which counts or does not. */
function scoreFile(rowCount: number, counts: boolean): number {
  const start = (header: CsvHeader) => {
    const result = new ResultCsv(model, header, { ...options, countedRows: counts ? rowCount : null });
    const dialect: FileDialect = result.scorer.newDialect(header.delimiter, true);
    result.scorer.readAs(dialect);
    dialect.giveBackKernel();
    sink = new ResultFile(result, () => undefined);
    return sink;
  };
  let sink: ResultFile | null = null;
  const startMs = cpuMs();
  readCsv(chunks, start, true);
  (sink as ResultFile | null)!.end();
  return cpuMs() - startMs;
}

function scoreLive(cache: ModelCache, rows: readonly JsonRow[]): number {
  const startMs = cpuMs();
  let sum: ScoredCounts | null = null;
  const count = (counts: FileCounts) => {
    if (sum === null) sum = counts.take();
    else counts.drainInto(sum);
  };
  for (const row of rows) scoreRows(cache, modelPath, [row], 0, count);
  return cpuMs() - startMs;
}

function compare(what: string, work: (counts: boolean) => number): void {
  work(true);
  work(false);
  const pairs = Array.from({ length: TURNS }, (_, turn) => {
    const first = work(turn % 2 === 0);
    const second = work(turn % 2 !== 0);
    return turn % 2 === 0 ? { on: first, off: second } : { on: second, off: first };
  });
  const ratio = median(pairs.map(({ on, off }) => on / off));
  const [off, on] = [median(pairs.map((pair) => pair.off)), median(pairs.map((pair) => pair.on))];
  say(`| ${what} | ${off.toFixed(0)} ms | ${on.toFixed(0)} ms | ${ratio.toFixed(3)} |`);
}

const { header, records } = readTable(path);
say(
  `${model.lineage.algorithm}, ${records.length} rows, ${model.columns.length} columns\n| | without | with | ratio of pairs |\n|---|---|---|---|`,
);
compare("file", (counts) => scoreFile(records.length, counts));
const live = records
  .slice(0, LIVE_ROWS)
  .map((record) => Object.fromEntries(header.map((name, at) => [name, record[at]!])));
const caches = { on: new ModelCache(undefined, undefined, true), off: new ModelCache() };
compare(`${live.length} rows, one by one`, (counts) => scoreLive(counts ? caches.on : caches.off, live));
const before = process.memoryUsage.rss();
for (let turn = 0; turn < 20; turn++) scoreLive(caches.on, live);
say(
  `Memory after ${20 * live.length} more rows: ${((process.memoryUsage.rss() - before) / 2 ** 20).toFixed(1)} MB more`,
);
