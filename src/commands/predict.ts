// `cupel predict`: scores a CSV file, or a feed on standard input, with a model.
import { closeSync, createReadStream, existsSync, openSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { placeWhole } from "../../data/files/file-store.ts";
import { dayOf } from "../../data/watch-counts.ts";
import { CsvFeed } from "../../engine/csv/read.ts";
import type { ChunkTaker } from "../../engine/csv/types.ts";
import { InputError } from "../../engine/input-error.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { BadRows } from "../../engine/scoring/bad-rows.ts";
import { ResultCsv, type ResultOptions } from "../../engine/scoring/result-csv.ts";
import { givenHeaderOf, scoreCsv } from "../../engine/scoring/score-csv.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import type { Warning } from "../../engine/warning.ts";
import { addCounts, type ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { shiftWarnings, watchReport } from "../../engine/watch/watch-report.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { fileChunks, readWhole } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../common/exit-codes.ts";
import { formatAmount } from "../common/format.ts";
import { addToCountsFile, type CountedModelId, countedModel, readCountsFile } from "../watching/counts-file.ts";
import { type Console, onThreads, writeOut } from "./console.ts";
import { isModel } from "./inspect.ts";
import { throwNamed } from "./named-files.ts";
import { refuseOwnInputs } from "./own-inputs.ts";

/** Counts of a feed are added to their file so often: a kill loses those since. */
const ADDING_MS = 10_000;

export interface PredictOptions extends ResultOptions {
  modelPath: string;
  /** The path of a file or pipe, or "-" for standard input. */
  inputPath: string;
  /** Null writes to standard output. */
  outPath: string | null;
  /** Takes the report of rows that cannot be read, whose answers are then empty; null refuses them. */
  badRowsPath: string | null;
  /** Takes what was counted of the rows, added to what it has; null counts nothing. */
  watchPath: string | null;
}

interface CountedPredict extends PredictOptions {
  /** Null where nothing is counted. */
  counted: CountedModelId | null;
}

/** @throws InputError where the model or the input cannot be used or would be overwritten */
export async function predict(options: PredictOptions, console: Console, spawn: () => Worker): Promise<number> {
  const { modelPath, inputPath, outPath, badRowsPath, watchPath } = options;
  const outputPaths = [outPath, badRowsPath, watchPath].filter((path) => path !== null);
  refuseOwnInputs([modelPath, inputPath], outPath === null ? ["-", ...outputPaths] : outputPaths);
  refusePlaces(outputPaths);
  const counted = watchPath === null ? null : countedModel(modelPath);
  // Refuses a counts file that cannot be added to before the work begins.
  if (counted !== null) readCountsFile(watchPath!, counted);
  const work = { ...options, counted };
  try {
    // A file is read twice, which a pipe does not allow: it is a feed too.
    if (inputPath === "-" || isPipe(inputPath)) return await predictStream(work, console);
    if (outPath === null) return await predictToOutput(work, console);
    return await predictToFile(work, outPath, console, spawn);
  } catch (error) {
    refuseSwapped(error, options);
    return throwNamed(error, { modelPath, inputPath, others: outputPaths });
  }
}

/** @throws InputError where the model is none, but the file to score is one */
function refuseSwapped(error: unknown, { modelPath, inputPath }: PredictOptions): void {
  const isOther = error instanceof InputError && error.code === "WRONG_FILE_TYPE" && existsSync(inputPath);
  if (!isOther || !isModel(inputPath)) return;
  const message = `${modelPath} is not a Cupel model, but ${inputPath} is one: name the model first.`;
  throw new InputError(error.code, message);
}

/** @throws InputError where a folder is missing, or one file would take the place of another */
export function refusePlaces(paths: readonly string[]): void {
  const places = paths.filter(canBeFile).map((path) => {
    const folder = dirname(path);
    if (!existsSync(folder))
      throw new InputError("NO_FOLDER", `There is no folder "${folder}" for ${path}. Make it first.`);
    return join(realpathSync(folder), basename(path));
  });
  if (new Set(places).size < places.length) {
    throw new InputError("ONE_PLACE", `${paths.join(" and ")} are the same file. Name another place.`);
  }
}

/** The result appears in its place once it is complete. */
async function predictToFile(
  options: CountedPredict,
  outPath: string,
  console: Console,
  spawn: () => Worker,
): Promise<number> {
  const answer = await onThreads(1, console, spawn, (pool, cancelFlag) =>
    placeFile(outPath, (outputPath) =>
      placeReport(options.badRowsPath, (badRowsPath) =>
        pool.run("scoreFile", { ...options, outputPath, badRowsPath }, untilCancelled(cancelFlag)),
      ),
    ),
  );
  await addCountsOf(options, answer.counts);
  showWarnings(answer.warnings, console);
  console.print(`${formatAmount(answer.counts.rowCount, "row")} scored: ${outPath}`);
  return EXIT.done;
}

/** Writes nothing before the whole file was checked. */
async function predictToOutput(options: CountedPredict, console: Console): Promise<number> {
  const model = unpackModel(readWhole(options.modelPath));
  const isText = model.texts !== undefined;
  const chunks = (taker: ChunkTaker) => fileChunks(options.inputPath, neverStop, taker, isText);
  const { warnings, counts } = await placeReport(options.badRowsPath, (badRowsPath) =>
    withReport(badRowsPath, async (report) => scoreCsv(model, chunks, options, writeOut, report)),
  );
  await addCountsOf(options, counts);
  showWarnings(warnings, console);
  return EXIT.done;
}

function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false;
}

/** The report of a feed's bad rows grows with its answers, and appears with them where they go to a file. */
async function predictStream(options: CountedPredict, console: Console): Promise<number> {
  const { outPath, badRowsPath } = options;
  const answer = (write: WriteText) => (writeBad: WriteText | null) => predictFeed(options, console, write, writeBad);
  const counts =
    outPath === null
      ? await withReport(badRowsPath, answer(writeOut))
      : await placeFile(outPath, (temporary) =>
          placeReport(badRowsPath, (temporaryReport) =>
            withReport(temporary, (write) => withReport(temporaryReport, answer(write!))),
          ),
        );
  await addCountsOf(options, counts);
  return EXIT.done;
}

/** Once the answers are in their place. */
async function addCountsOf({ watchPath, counted }: CountedPredict, counts: ScoredCounts | null): Promise<void> {
  if (watchPath === null || counted === null || counts === null) return;
  await addToCountsFile(watchPath, counted, counts, dayOf(new Date()));
}

type WriteText = (text: string) => void;

function placeReport<T>(path: string | null, use: (temporary: string | null) => Promise<T>): Promise<T> {
  return path === null ? use(null) : placeFile(path, use);
}

/**
 * Files appear once they are whole. Devices and pipes, such as /dev/null,
 * are written to: a file may not take their place.
 */
export function placeFile<T>(path: string, use: (temporary: string) => Promise<T>): Promise<T> {
  return canBeFile(path) ? placeWhole(path, use) : use(path);
}

function canBeFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** Opens a file to be written from its start. */
async function withReport<T>(path: string | null, use: (write: WriteText | null) => Promise<T>): Promise<T> {
  if (path === null) return use(null);
  const file = openSync(path, "w");
  try {
    return await use((text) => writeFileSync(file, text));
  } finally {
    closeSync(file);
  }
}

/**
 * Answers each line as it comes, and warns at the end where the rows are unlike the training rows; gives what was
 * counted since it was last added to the file of counts.
 */
async function predictFeed(
  options: CountedPredict,
  console: Console,
  write: WriteText,
  writeBad: WriteText | null,
): Promise<ScoredCounts | null> {
  const model = unpackModel(readWhole(options.modelPath));
  let result: ResultCsv | null = null;
  const bad = writeBad === null ? null : new BadRows(writeBad);
  const feed = new CsvFeed(
    model.columns.map(({ name }) => name),
    (header) => {
      // How many rows come is not known: all of them are counted.
      const fresh = new ResultCsv(model, header, { ...options, countedRows: 1 });
      result = fresh;
      write(fresh.headerLine);
      const dialect = fresh.scorer.newDialect(header.delimiter, options.asTrained);
      return (batch) => {
        // How values are written is judged by all records so far, including these.
        dialect.add(batch);
        fresh.scorer.readAs(dialect);
        if (batch.bad !== undefined) bad?.add(batch.bad, batch.lines);
        write(fresh.lines(batch.records, batch));
      };
    },
    options.hasHeader,
    { given: givenHeaderOf(model, options), skipsBad: bad !== null },
  );
  const { inputPath } = options;
  let total: ScoredCounts | null = null;
  const takeCounts = () => {
    const counts = result?.scorer.counts?.take() ?? null;
    if (total === null) total = counts && structuredClone(counts);
    else if (counts !== null) addCounts(total, counts);
    return counts;
  };
  let addedMs = performance.now();
  for await (const chunk of inputPath === "-" ? Bun.stdin.stream() : createReadStream(inputPath)) {
    feed.push(chunk);
    // A feed may go on for days. Where its answers go to a file, they and their counts appear at its end.
    const isDue = options.outPath === null && performance.now() > addedMs + ADDING_MS;
    if (!isDue) continue;
    await addCountsOf(options, takeCounts());
    addedMs = performance.now();
  }
  const report = feed.end();
  const counts = takeCounts();
  const shifts = total === null ? [] : shiftWarnings(watchReport(model, total, null));
  const found = (result as ResultCsv | null)!.warnings();
  showWarnings([...report.warnings, ...(bad?.warnings() ?? []), ...found, ...shifts], console);
  return counts;
}

export function showWarnings(warnings: readonly Pick<Warning, "message">[], console: Console): void {
  for (const { message } of warnings) console.progress.note(`warning: ${message}`);
  console.progress.finish();
}
