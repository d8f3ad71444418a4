// What counting costs: bun test/bench/watch-cost.ts ROWS.csv MODEL.cupel… Processor time with and without counts, in turns, and memory.
// The file is scored as new rows come, without the label's column; `--labelled` keeps that.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { readCsv } from "../../engine/csv/read.ts";
import type { CsvHeader } from "../../engine/csv/types.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import type { FileDialect } from "../../engine/scoring/file-dialect.ts";
import { ResultCsv } from "../../engine/scoring/result-csv.ts";
import { ResultFile } from "../../engine/scoring/result-file.ts";
import { watchReport } from "../../engine/watch/watch-report.ts";
import { type JsonRow, scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { readTable } from "./outer-split.ts";

/** Seconds of each comparison, pairs at least, and processor time of one measurement at least. */
const SECONDS = 12;
const LEAST_PAIRS = 12;
const LEAST_MS = 40;
const MOST_LIVE_ROWS = 2_000;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { labelled: { type: "boolean", default: false }, repeat: { type: "string", default: "1" } },
});
const [path = "", ...modelPaths] = positionals;
const options = { likeInput: false, spreadsheetSafe: false };
const say = (line: string) => process.stdout.write(`${line}\n`);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Both passes of a prediction, and the report of what was counted, or neither count nor report. */
function scoreFile(model: ModelFile, bytes: Uint8Array, counts: boolean): void {
  let dialect: FileDialect | null = null;
  const chunks = () => [bytes];
  const first = readCsv(
    chunks,
    (header: CsvHeader) => {
      dialect = new ResultCsv(model, header, options).scorer.newDialect(header.delimiter);
      return dialect;
    },
    true,
  );
  const own = dialect as FileDialect | null;
  own!.giveBackKernel();
  let sink: ResultFile | null = null;
  let result: ResultCsv | null = null;
  readCsv(
    chunks,
    (header: CsvHeader) => {
      result = new ResultCsv(model, header, { ...options, countedRows: counts ? first.recordCount : null });
      result.scorer.readAs(own!);
      sink = new ResultFile(result, () => undefined);
      return sink;
    },
    true,
  );
  (sink as ResultFile | null)!.end();
  const found = (result as ResultCsv | null)!.scorer.counts;
  if (found !== null) watchReport(model, found.scored(), found.confusion);
}

/** The ratio of processor times with and without, over pairs in turns: their geometric mean, and its standard error. */
function compare(what: string, unit: number, work: (counts: boolean) => void): string {
  const measure = (counts: boolean, times: number) => {
    const startMs = cpuMs();
    for (let time = 0; time < times; time++) work(counts);
    return (cpuMs() - startMs) / times;
  };
  // Until both ways are compiled.
  for (let warm = 0, endMs = performance.now() + 1_500; warm < 2 || performance.now() < endMs; warm++)
    work(warm % 2 === 0);
  const times = Math.max(1, Math.ceil(LEAST_MS / measure(true, 3)));
  const pairs: { on: number; off: number }[] = [];
  const endMs = performance.now() + SECONDS * 1_000;
  while (pairs.length < LEAST_PAIRS || performance.now() < endMs) {
    const isOnFirst = pairs.length % 2 === 0;
    const one = measure(isOnFirst, times);
    const other = measure(!isOnFirst, times);
    pairs.push(isOnFirst ? { on: one, off: other } : { on: other, off: one });
  }
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  // The middle half of the pairs: what else the machine did meanwhile hits the others.
  const logs = pairs.map(({ on, off }) => Math.log(on / off)).sort((a, b) => a - b);
  const kept = logs.slice(logs.length >> 2, logs.length - (logs.length >> 2));
  const mean = kept.reduce((sum, log) => sum + log, 0) / kept.length;
  const spread = Math.sqrt(kept.reduce((sum, log) => sum + (log - mean) ** 2, 0) / Math.max(1, kept.length - 1));
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const [off, on] = [middle(pairs.map((pair) => pair.off)), middle(pairs.map((pair) => pair.on))];
  const shown = (ms: number) => (unit === 1 ? `${ms.toFixed(1)} ms` : `${((ms / unit) * 1_000).toFixed(1)} µs`);
  return `| ${what} | ${shown(off)} | ${shown(on)} | ${percent(Math.expm1(mean))} ± ${percent((2 * spread) / Math.sqrt(kept.length / 2))} |`;
}

const { header, records } = readTable(path);
for (const modelPath of modelPaths) {
  const model = unpackModel(new Uint8Array(readFileSync(modelPath)));
  const label = flags.labelled ? -1 : header.indexOf(model.label);
  const without = (cells: readonly string[]) => cells.filter((_, at) => at !== label);
  const lines = records.map((record) => formatRecord(without(record), { delimiter: ",", lineEnding: "\n" }));
  const text = Array.from({ length: Number(flags.repeat) }, () => lines.join("")).join("");
  const bytes = new TextEncoder().encode(formatRecord(without(header), { delimiter: ",", lineEnding: "\n" }) + text);
  const name = `${basename(path, ".csv")}, ${model.lineage.algorithm}, ${model.columns.length} columns`;
  const rowCount = records.length * Number(flags.repeat);
  say(compare(`${name}: ${rowCount} rows of a file`, 1, (counts) => scoreFile(model, bytes, counts)));
  if (flags.labelled) continue;
  const live = records
    .slice(0, MOST_LIVE_ROWS)
    .map(
      (record): JsonRow =>
        Object.fromEntries(model.columns.map(({ name: own }) => [own, record[header.indexOf(own)]!])),
    );
  const caches = { on: new ModelCache(undefined, undefined, true), off: new ModelCache() };
  const scoreLive = (counts: boolean) => {
    for (const row of live) scoreRows(counts ? caches.on : caches.off, modelPath, [row]);
  };
  say(compare(`${name}: one row`, live.length, scoreLive));
}
