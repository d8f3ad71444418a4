// `cupel predict`: scores a CSV file, or a feed on standard input, with a model.
import { closeSync, createReadStream, openSync, statSync, writeFileSync } from "node:fs";
import { placeWhole } from "../../data/files/file-store.ts";
import { CsvFeed } from "../../engine/csv/read.ts";
import type { ChunkTaker } from "../../engine/csv/types.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { ResultCsv, type ResultOptions } from "../../engine/scoring/result-csv.ts";
import { scoreCsv } from "../../engine/scoring/score-csv.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import type { Warning } from "../../engine/warning.ts";
import { fileChunks, readWhole } from "../../workers/file-chunks.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { EXIT } from "../exit-codes.ts";
import { formatAmount } from "../format.ts";
import { type Console, onThreads, writeOut } from "./console.ts";
import { refuseOwnInputs } from "./own-inputs.ts";

export interface PredictOptions extends ResultOptions {
  modelPath: string;
  /** The path of a file or pipe, or "-" for standard input. */
  inputPath: string;
  /** Null writes to standard output. */
  outPath: string | null;
}

/** @throws InputError where the model or the input cannot be used or would be overwritten */
export async function predict(options: PredictOptions, console: Console, spawn: () => Worker): Promise<number> {
  refuseOwnInputs([options.modelPath, options.inputPath], [options.outPath ?? "-"]);
  // A file is read twice, which a pipe does not allow: it is a feed too.
  if (options.inputPath === "-" || isPipe(options.inputPath)) return predictStream(options, console);
  if (options.outPath === null) return predictToOutput(options, console);
  return predictToFile(options, options.outPath, console, spawn);
}

/** The result appears in its place once it is complete. */
async function predictToFile(
  options: PredictOptions,
  outPath: string,
  console: Console,
  spawn: () => Worker,
): Promise<number> {
  const answer = await onThreads(1, console, spawn, (pool, cancelFlag) =>
    placeWhole(outPath, (outputPath) => pool.run("scoreFile", { ...options, outputPath }, untilCancelled(cancelFlag))),
  );
  showWarnings(answer.warnings, console);
  console.print(`${formatAmount(answer.rowCount, "row")} scored: ${outPath}`);
  return EXIT.done;
}

/** Writes nothing before the whole file was checked. */
function predictToOutput(options: PredictOptions, console: Console): number {
  const model = unpackModel(readWhole(options.modelPath));
  const isText = model.texts !== undefined;
  const chunks = (taker: ChunkTaker) => fileChunks(options.inputPath, neverStop, taker, isText);
  const { warnings } = scoreCsv(model, chunks, options, writeOut);
  showWarnings(warnings, console);
  return EXIT.done;
}

function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false;
}

async function predictStream(options: PredictOptions, console: Console): Promise<number> {
  if (options.outPath === null) return predictFeed(options, console, writeOut);
  return placeWhole(options.outPath, async (temporary) => {
    const output = openSync(temporary, "wx");
    try {
      return await predictFeed(options, console, (text) => writeFileSync(output, text));
    } finally {
      closeSync(output);
    }
  });
}

/** Answers each line as it comes. */
async function predictFeed(options: PredictOptions, console: Console, write: (text: string) => void): Promise<number> {
  const model = unpackModel(readWhole(options.modelPath));
  let result: ResultCsv | null = null;
  const feed = new CsvFeed(
    model.columns.map(({ name }) => name),
    (header) => {
      const fresh = new ResultCsv(model, header, options);
      result = fresh;
      write(fresh.headerLine);
      const dialect = fresh.scorer.newDialect(header.delimiter);
      return (batch) => {
        // How values are written is judged by all records so far, including these.
        dialect.add(batch);
        fresh.scorer.readAs(dialect);
        write(fresh.lines(batch.records));
      };
    },
    options.hasHeader,
  );
  const { inputPath } = options;
  for await (const chunk of inputPath === "-" ? Bun.stdin.stream() : createReadStream(inputPath)) feed.push(chunk);
  const report = feed.end();
  showWarnings([...report.warnings, ...(result as ResultCsv | null)!.warnings()], console);
  return EXIT.done;
}

function showWarnings(warnings: readonly Warning[], console: Console): void {
  for (const { message } of warnings) console.progress.note(`warning: ${message}`);
  console.progress.finish();
}
