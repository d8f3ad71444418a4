// What counting costs: bun test/bench/watch-cost.ts ROWS.csv MODEL.cupel… Processor time with and without counts, in
// turns, and memory. A file is scored as a prediction's thread does it: the model is read and unpacked, the rows are
// read twice from the disk, and the result is written there; with counts, the report is made too, and both are packed
// for the main thread. Without, the model's file has no counts of its training rows; decisions and confidences are
// counted, since a prediction shows them whoever watches. The rows come as new ones do, without the label's column;
// `--labelled` keeps that; `--files` leaves out single rows, `--rows N` makes a file of so many rows of the table's, and
// `--only on` or `off` gives the largest memory of a process that scores the file 50 times.
import { serialize } from "bun:jsc";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { readCsv } from "../../engine/csv/read.ts";
import type { ChunkTaker, CsvHeader } from "../../engine/csv/types.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { packModel, unpackModel } from "../../engine/model/model-file.ts";
import type { FileDialect } from "../../engine/scoring/file-dialect.ts";
import { ResultCsv } from "../../engine/scoring/result-csv.ts";
import { ResultFile } from "../../engine/scoring/result-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { watchReport } from "../../engine/watch/watch-report.ts";
import { fileChunks, readWhole, writeAll } from "../../workers/reading/file-chunks.ts";
import { type JsonRow, scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { readTable } from "./outer-split.ts";

/** Seconds of each comparison, pairs at least, and processor time of one measurement at least. */
const SECONDS = 20;
const LEAST_PAIRS = 12;
const LEAST_MS = 2;
const MOST_LIVE_ROWS = 2_000;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    labelled: { type: "boolean", default: false },
    files: { type: "boolean", default: false },
    rows: { type: "string" },
    only: { type: "string" },
  },
});
const [path = "", ...modelPaths] = positionals;
const options = { likeInput: false, spreadsheetSafe: false };
const say = (line: string) => process.stdout.write(`${line}\n`);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** As `scoreFile` of the workers, or the same without counts and report. */
function scoreFile(modelPath: string, inputPath: string, outputPath: string, counts: boolean): void {
  const model = unpackModel(readWhole(modelPath));
  const output = openSync(outputPath, "w");
  let dialect: FileDialect | null = null;
  const chunks = (taker: ChunkTaker) => fileChunks(inputPath, neverStop, taker, model.texts !== undefined);
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
  const write = (bytes: Uint8Array) => writeAll(output, bytes);
  readCsv(
    chunks,
    (header: CsvHeader) => {
      result = new ResultCsv(model, header, { ...options, countedRows: first.recordCount });
      result.scorer.readAs(own!);
      write(new TextEncoder().encode(result.headerLine));
      sink = new ResultFile(result, write);
      return sink;
    },
    true,
  );
  (sink as ResultFile | null)!.end();
  closeSync(output);
  const found = (result as ResultCsv | null)!.scorer.counts!;
  const scored = found.scored();
  serialize(counts ? { scored, watch: watchReport(model, scored, found) } : { scored });
}

/**
 * Processor time with and without counts, over pairs in turns: the median of
 * the differences, with the middle half of them.
 */
function compare(what: string, unit: number, work: (counts: boolean) => void): string {
  const measure = (counts: boolean, times: number) => {
    const startMs = cpuMs();
    for (let time = 0; time < times; time++) work(counts);
    return (cpuMs() - startMs) / times;
  };
  // Until both ways are compiled.
  for (let warm = 0, endMs = performance.now() + 2_000; warm < 2 || performance.now() < endMs; warm++)
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
  const quantile = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
  const off = quantile(
    pairs.map((pair) => pair.off),
    0.5,
  );
  const more = pairs.map((pair) => pair.on - pair.off);
  const micros = (ms: number) => ((ms / unit) * 1_000).toFixed(1);
  const percent = (ms: number) => `${((100 * ms) / off).toFixed(1)}%`;
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(more, share)) as [number, number, number];
  const shown = unit === 1 ? `${off.toFixed(2)} ms` : `${micros(off)} µs`;
  return `| ${what} | ${shown} | ${micros(middle)} µs | ${percent(middle)} (${percent(low)} to ${percent(high)}, ${pairs.length} pairs) |`;
}

const table = readTable(path);
const { header } = table;
const rowCount = Number(flags.rows ?? table.records.length);
const records = Array.from({ length: rowCount }, (_, row) => table.records[row % table.records.length]!);
const folder = mkdtempSync(join(tmpdir(), "watch-cost-"));
for (const modelPath of modelPaths) {
  const model = unpackModel(readWhole(modelPath));
  const label = flags.labelled ? -1 : header.indexOf(model.label);
  const without = (cells: readonly string[]) => cells.filter((_, at) => at !== label);
  const lines = [header, ...records].map((cells) => formatRecord(without(cells), { delimiter: ",", lineEnding: "\n" }));
  const [inputPath, outputPath] = [join(folder, "rows.csv"), join(folder, "result.csv")];
  writeFileSync(inputPath, lines.join(""));
  const name = `${basename(path, ".csv")} | ${model.lineage.algorithm} | ${model.columns.length} | ${records.length}`;
  const { reference: _, heldOut: __, reliability: ___, ...bare } = model;
  const barePath = join(folder, "bare.cupel");
  writeFileSync(barePath, packModel(bare));
  if (flags.only !== undefined) {
    const isCounting = flags.only === "on";
    for (let time = 0; time < 50; time++)
      scoreFile(isCounting ? modelPath : barePath, inputPath, outputPath, isCounting);
    say(`| ${name} | ${flags.only} | ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB at most |`);
    continue;
  }
  say(compare(name, 1, (counts) => scoreFile(counts ? modelPath : barePath, inputPath, outputPath, counts)));
  if (flags.labelled || flags.files) continue;
  const live = records
    .slice(0, MOST_LIVE_ROWS)
    .map(
      (record): JsonRow =>
        Object.fromEntries(model.columns.map(({ name: own }) => [own, record[header.indexOf(own)]!])),
    );
  const caches = { on: new ModelCache({ countsRows: true }), off: new ModelCache() };
  const scoreLive = (counts: boolean) => {
    for (const row of live) scoreRows(counts ? caches.on : caches.off, modelPath, [row]);
  };
  say(compare(`${name}, one by one`, live.length, scoreLive));
}
rmSync(folder, { recursive: true });
