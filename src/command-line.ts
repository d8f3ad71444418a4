// The command line: commands, their options, and the exit code of whatever they end in.
import { Command, CommanderError } from "commander";
import { InputError } from "../engine/input-error.ts";
import type { Objective } from "../engine/judging/objective.ts";
import { Cancelled } from "../engine/stop-signal.ts";
import {
  collect,
  headerOption,
  integer,
  memoryOption,
  missingMarkers,
  missingOption,
  oneOf,
  optimiseOption,
  share,
} from "./command-options.ts";
import { type Console, OutputClosed, processConsole } from "./commands/console.ts";
import { inspect } from "./commands/inspect.ts";
import { predict } from "./commands/predict.ts";
import { refineCommand } from "./commands/refine.ts";
import { run } from "./commands/run.ts";
import { SettingError } from "./config.ts";
import { EXIT } from "./exit-codes.ts";
import {
  DEFAULT_BUCKETS,
  DEFAULT_SCALING_FACTOR,
  DEFAULT_TIME_CAPS,
  LARGEST_SEED,
  LEAST_BUCKETS,
  LONGEST_TIME_CAP_SECONDS,
  MOST_BUCKETS,
  MOST_REASONS,
  MOST_SCALING_FACTOR,
  MOST_WORKERS,
  REFINEMENT_BUCKETS,
} from "./limits.ts";
import { defaultBudgetMib } from "./memory-budget.ts";
import { addAudit, addBackup, addDoctor, addRestore } from "./operator-command-line.ts";
import { printableLines } from "./printable.ts";
import { chooseProgress } from "./progress/progress.ts";
import { addSecret, addServe, addService, addUser } from "./service-command-line.ts";
import { CUPEL_VERSION } from "./version.ts";

const EXIT_CODES_HELP = `
Exit codes: 0 done · 1 fault, no model, or the doctor found a problem · 2 wrong command line
            3 input file cannot be used · 4 run ended early, below its target or no better than guessing
            (best models kept), or a backup lacks files that its database names · 130 interrupted`;

/** Starts a worker thread; only the entry point knows from where. */
export type SpawnWorker = () => Worker;

/** Runs the command that the arguments ask for and gives its exit code; never throws. */
export async function runCommandLine(argv: readonly string[], spawn: SpawnWorker): Promise<number> {
  let exitCode: number = EXIT.done;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = new Command("cupel")
    .description("Turns labelled CSV files into classification models, on this machine, without a network.")
    .version(CUPEL_VERSION)
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES_HELP)
    .exitOverride();
  addRun(program, spawn, done);
  addRefine(program, spawn, done);
  addPredict(program, spawn, done);
  addInspect(program, done);
  addServe({ program, openConsole, spawnWorker: spawn, done });
  addUser({ program, openConsole, spawnWorker: spawn, done });
  addBackup({ program, openConsole, spawnWorker: spawn, done });
  addRestore({ program, openConsole, spawnWorker: spawn, done });
  addDoctor({ program, openConsole, spawnWorker: spawn, done });
  addAudit({ program, openConsole, spawnWorker: spawn, done });
  addSecret({ program, openConsole, spawnWorker: spawn, done });
  addService({ program, openConsole, spawnWorker: spawn, done });
  addLicenses(program, done);
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** Options that do not go together. */
class UsageError extends Error {}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof UsageError || error instanceof SettingError) {
    process.stderr.write(`error: ${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof Cancelled) return EXIT.interrupted;
  if (error instanceof InputError) {
    process.stderr.write(`cupel: ${printableLines(error.message)}\n`);
    return EXIT.badInput;
  }
  process.stderr.write(`cupel: ${error instanceof Error ? printableLines(error.message) : "unknown fault"}\n`);
  return EXIT.fault;
}

interface RunFlags {
  label?: string;
  predict: string[];
  buckets: number;
  target?: number;
  optimise: Objective;
  scaling: number;
  timeCap: number;
  seed: number;
  workers: number;
  memoryBudgetMib?: number;
  out: string;
  header: boolean;
  missing?: string;
  likeInput: boolean;
  spreadsheetSafe: boolean;
  json: boolean;
  refine: boolean;
  test?: string;
  removeLeaks: boolean;
  group?: string;
  time?: string;
  keepKeyColumns: boolean;
  without: string[];
}

function addRun(program: Command, spawn: SpawnWorker, done: (exitCode: number) => void): void {
  program
    .command("run")
    .description("train on a labelled CSV file, keep the best three models, and score new files")
    .argument("<train.csv>", "the labelled table")
    .option("--label <name>", "the column to predict (default: the last one)")
    .option("--predict <new.csv>", "score this file with the champion; may be given more than once", collect, [])
    .option("--buckets <n>", "buckets per number column", integer(LEAST_BUCKETS, MOST_BUCKETS), DEFAULT_BUCKETS)
    .option("--target <accuracy>", "stop once a version reaches this accuracy, 0 to 1", share)
    .addOption(optimiseOption())
    .option("--scaling <n>", "search width: 1 + n attempts", integer(0, MOST_SCALING_FACTOR), DEFAULT_SCALING_FACTOR)
    .option(
      "--time-cap <seconds>",
      "end after this long",
      integer(1, LONGEST_TIME_CAP_SECONDS),
      DEFAULT_TIME_CAPS.trainingSeconds,
    )
    .option("--seed <n>", "every random draw derives from it", integer(0, LARGEST_SEED), 1)
    .option("--workers <n>", "threads", integer(1, MOST_WORKERS), navigator.hardwareConcurrency)
    .addOption(memoryOption())
    .option("--out <folder>", "where results go", "cupel-out")
    .addOption(headerOption())
    .addOption(missingOption())
    .option("--like-input", "write predictions with the input's delimiter and line ends", false)
    .option("--spreadsheet-safe", "prefix cells that a spreadsheet would run as a formula", false)
    .option("--no-refine", "train on all columns, whether they carry signal or not")
    .option("--test <test.csv>", "the blind test of the refinement (default: a fifth of the rows)")
    .option("--remove-leaks", "remove columns that give the label away, rather than flag them", false)
    .option("--group <column>", "rows with the same value (a machine, a patient) judge together or learn together")
    .option("--time <column>", "judge by the newest rows, learn from older ones only")
    .option("--without <column>", "learn nothing from this column; may be given more than once", collect, [])
    .option("--keep-key-columns", "learn from the columns of --group and --time too", false)
    .option("--json", "print the summary as JSON", false)
    .action(async (trainPath: string, flags: RunFlags) => {
      const options = {
        trainPath,
        testPath: flags.test ?? null,
        label: flags.label ?? null,
        missingMarkers: missingMarkers(flags.missing),
        hasHeader: flags.header,
        predictPaths: flags.predict,
        numberOfBuckets: flags.buckets,
        target: flags.target ?? null,
        objective: flags.optimise,
        scalingFactor: flags.scaling,
        timeLimitSeconds: flags.timeCap,
        seed: flags.seed,
        workers: flags.workers,
        memoryBudgetMib: flags.memoryBudgetMib ?? defaultBudgetMib(),
        outFolder: flags.out,
        likeInput: flags.likeInput,
        spreadsheetSafe: flags.spreadsheetSafe,
        json: flags.json,
        refine: flags.refine,
        removeLeaks: flags.removeLeaks,
        groupColumn: flags.group ?? null,
        timeColumn: flags.time ?? null,
        keepKeyColumns: flags.keepKeyColumns,
        withoutColumns: flags.without,
      };
      if (options.target !== null && options.objective !== "accuracy") {
        throw new UsageError(`--target is an accuracy and of no use with --optimise ${options.objective}.`);
      }
      if (options.testPath !== null && !options.refine) throw new UsageError("--test is of no use with --no-refine.");
      done(await run(options, openConsole(flags.timeCap), spawn));
    });
}

interface RefineFlags {
  label?: string;
  buckets: number;
  timeCap: number;
  seed: number;
  workers: number;
  memoryBudgetMib?: number;
  out: string;
  header: boolean;
  missing?: string;
  removeLeaks: boolean;
  json: boolean;
}

function addRefine(program: Command, spawn: SpawnWorker, done: (exitCode: number) => void): void {
  program
    .command("refine")
    .description("find the columns that carry signal, and reduce a labelled training and test file to them")
    .argument("<train.csv>", "the labelled table that decisions are drawn from")
    .argument("<test.csv>", "labelled rows that may only veto them")
    .option("--label <name>", "the column to predict (default: the last one)")
    .option("--buckets <n>", "buckets per number column: 4, 10 or 20", oneOf(REFINEMENT_BUCKETS), DEFAULT_BUCKETS)
    .option(
      "--time-cap <seconds>",
      "end after this long",
      integer(1, LONGEST_TIME_CAP_SECONDS),
      DEFAULT_TIME_CAPS.refinementSeconds,
    )
    .option("--seed <n>", "every random draw derives from it", integer(0, LARGEST_SEED), 1)
    .option("--workers <n>", "threads", integer(1, MOST_WORKERS), navigator.hardwareConcurrency)
    .addOption(memoryOption())
    .option("--out <folder>", "where results go", "cupel-refined")
    .addOption(headerOption())
    .addOption(missingOption())
    .option("--remove-leaks", "remove columns that give the label away, rather than flag them", false)
    .option("--json", "print the summary as JSON", false)
    .action(async (trainPath: string, testPath: string, flags: RefineFlags) => {
      const options = {
        trainPath,
        testPath,
        label: flags.label ?? null,
        missingMarkers: missingMarkers(flags.missing),
        hasHeader: flags.header,
        numberOfBuckets: flags.buckets,
        timeLimitSeconds: flags.timeCap,
        seed: flags.seed,
        workers: flags.workers,
        memoryBudgetMib: flags.memoryBudgetMib ?? defaultBudgetMib(),
        outFolder: flags.out,
        removeLeaks: flags.removeLeaks,
        json: flags.json,
      };
      done(await refineCommand(options, openConsole(flags.timeCap), spawn));
    });
}

interface PredictFlags {
  header: boolean;
  out?: string;
  likeInput: boolean;
  spreadsheetSafe: boolean;
  reasons: number;
}

function addPredict(program: Command, spawn: SpawnWorker, done: (exitCode: number) => void): void {
  program
    .command("predict")
    .description("score a CSV file with a model; - reads standard input and answers line by line")
    .argument("<model.cupel>", "a model that `run` wrote")
    .argument("<new.csv>", "the rows to score, or -")
    .addOption(headerOption())
    .option("--out <file>", "write the result here (default: standard output)")
    .option("--like-input", "write with the input's delimiter and line ends", false)
    .option("--spreadsheet-safe", "prefix cells that a spreadsheet would run as a formula", false)
    .option(
      "--reasons <n>",
      "add the n columns that moved each decision the most, and by how much: log-odds of the decided label against the " +
        "most probable other one, above 0 for the decision, below 0 against it",
      integer(0, MOST_REASONS),
      0,
    )
    .action(async (modelPath: string, inputPath: string, flags: PredictFlags) => {
      const { likeInput, spreadsheetSafe, reasons: reasonCount, header: hasHeader } = flags;
      const outPath = flags.out ?? null;
      const options = { modelPath, inputPath, outPath, likeInput, spreadsheetSafe, reasonCount, hasHeader };
      done(await predict(options, openConsole(), spawn));
    });
}

function addInspect(program: Command, done: (exitCode: number) => void): void {
  program
    .command("inspect")
    .description("show what a table holds, or what a model is")
    .argument("<file>", "a CSV table or a .cupel model")
    .option("--label <name>", "the label column of a table (default: the last one)")
    .addOption(headerOption())
    .addOption(missingOption())
    .option("--json", "print one JSON object", false)
    .action((path: string, flags: { label?: string; header: boolean; missing?: string; json: boolean }) => {
      const { label = null, header: hasHeader, json } = flags;
      done(inspect({ path, label, missingMarkers: missingMarkers(flags.missing), hasHeader, json }, openConsole()));
    });
}

function addLicenses(program: Command, done: (exitCode: number) => void): void {
  program
    .command("licenses")
    .description("print the licences of everything inside this program")
    .action(async () => {
      const { licenses } = await import("./commands/licenses.ts");
      done(licenses(openConsole()));
    });
}

function openConsole(timeLimitSeconds: number | null = null): Console {
  return processConsole(chooseProgress(process.stderr, timeLimitSeconds));
}
