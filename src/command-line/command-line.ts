// The command line: commands, their options, and the exit code of whatever they end in.
import { Command, CommanderError, type Option } from "commander";
import { InputError } from "../../engine/input-error.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { OutputClosed, processConsole } from "../commands/console.ts";
import { inspect } from "../commands/inspect.ts";
import { predict } from "../commands/predict.ts";
import { refineCommand } from "../commands/refine.ts";
import { run } from "../commands/run.ts";
import { EXIT } from "../common/exit-codes.ts";
import {
  DEFAULT_BUCKETS,
  DEFAULT_SCALING_FACTOR,
  DEFAULT_TIME_CAPS,
  LEAST_BUCKETS,
  MOST_BUCKETS,
  MOST_REASONS,
  MOST_SCALING_FACTOR,
  REFINEMENT_BUCKETS,
} from "../common/limits.ts";
import { printable } from "../common/printable.ts";
import { SettingError } from "../common/setting-values.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import { wrappedFor } from "../common/wrapped.ts";
import { chooseProgress } from "../progress/progress.ts";
import type { CostText } from "../words/cost-texts.ts";
import {
  addHeaderOption,
  addResultOptions,
  addTableOptions,
  addWorkOptions,
  type CommandLine,
  collect,
  collectCost,
  columnList,
  integer,
  integerOneOf,
  optimiseOption,
  type ResultFlags,
  share,
  type TableFlags,
  tableOptions,
  type WorkFlags,
  workOptions,
} from "./command-options.ts";
import { addExport } from "./export-command-line.ts";
import { addAudit, addBackup, addDoctor, addRestore } from "./operator-command-line.ts";
import {
  addLogin,
  addLogout,
  addServerOption,
  PREDICT_ELSEWHERE,
  RUN_ELSEWHERE,
  type ServerFlag,
  serverOf,
  WORK_ELSEWHERE,
  withServerValues,
} from "./remote-command-line.ts";
import { addSecret, addServe, addService, addUser } from "./service-command-line.ts";
import { addWatch } from "./watch-command-line.ts";

const EXIT_CODES_HELP = `
Exit codes: 0 done · 1 fault, no model, or the doctor found a problem · 2 wrong command line
            3 input file cannot be used · 4 run ended early, below its target or no better than guessing
            (best models kept), or a backup lacks files that its database names
            5 watch: unlike the training rows, or worse than promised · 130 interrupted`;

/** In the order of --help. */
const COMMANDS = [
  addRun,
  addRefine,
  addPredict,
  addWatch,
  addInspect,
  addExport,
  addLogin,
  addLogout,
  addServe,
  addUser,
  addBackup,
  addRestore,
  addDoctor,
  addAudit,
  addSecret,
  addService,
  addLicenses,
];

/** Runs the command that the arguments ask for and gives its exit code; never throws. */
export async function runCommandLine(
  argv: readonly string[],
  spawnWorker: CommandLine["spawnWorker"],
): Promise<number> {
  let exitCode: number = EXIT.done;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = new Command("cupel")
    .description("Turns labelled CSV files into classification models, on this machine, without a network.")
    .version(CUPEL_VERSION)
    .helpCommand(false)
    .configureHelp({ optionDescription: optionHelp })
    .addHelpText("after", EXIT_CODES_HELP)
    .showHelpAfterError("Add --help for the usage.")
    .exitOverride();
  const openConsole = (timeLimitSeconds: number | null = null) =>
    processConsole(chooseProgress(process.stderr, timeLimitSeconds));
  for (const add of COMMANDS) add({ program, openConsole, spawnWorker, done });
  try {
    await program.parseAsync(withServerValues(argv, program.commands));
    return exitCode;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** Tells a default that is a text or a number; that an option is off unless it is given needs no words. */
function optionHelp({ description, defaultValue }: Option): string {
  const isTold = typeof defaultValue === "string" || typeof defaultValue === "number";
  return isTold ? `${description} (default: ${JSON.stringify(defaultValue)})` : description;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof SettingError) {
    process.stderr.write(`error: ${printable(error.message)}\n`);
    return EXIT.usage;
  }
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof Cancelled) return EXIT.interrupted;
  const message = error instanceof Error ? printable(error.message) : "unknown fault";
  process.stderr.write(`${wrappedFor(process.stderr, `cupel: ${message}`)}\n`);
  return error instanceof InputError ? EXIT.badInput : EXIT.fault;
}

interface RunFlags extends WorkFlags, ResultFlags, ServerFlag {
  predict: string[];
  buckets: number;
  target?: number;
  optimise?: Objective;
  positive?: string;
  cost: CostText[];
  scaling: number;
  refine: boolean;
  test?: string;
}

function addRun({ program, openConsole, spawnWorker, done }: CommandLine): void {
  const command = program
    .command("run")
    .description("train on a labelled CSV file, keep the best three models, and score new files")
    .argument("<train.csv>", "the labelled table");
  addWorkOptions(command, DEFAULT_TIME_CAPS.trainingSeconds, "cupel-out")
    .option("--predict <new.csv>", "score this file with the best model; may be given more than once", collect, [])
    .option("--target <accuracy>", "stop once a model reaches this accuracy, 0 to 1", share)
    .addOption(optimiseOption())
    .option(
      "--cost <labels=n>",
      "what a wrong decision costs (default 1): bad=5 for each missed bad, " +
        "bad:good=5 for a bad predicted as good; decisions then have the lowest expected cost; " +
        "skips the refinement, which judges by accuracy; may be given more than once",
      collectCost,
      [],
    )
    .option(
      "--positive <label>",
      "of two labels, the one for precision, recall and F1 (default: the last in sort order)",
    )
    .option(
      "--scaling <n>",
      "how long to search: 1 + n attempts",
      integer(0, MOST_SCALING_FACTOR),
      DEFAULT_SCALING_FACTOR,
    )
    .option("--buckets <n>", "buckets per number column", integer(LEAST_BUCKETS, MOST_BUCKETS), DEFAULT_BUCKETS)
    .option("--no-refine", "train on all columns, whether they carry signal or not")
    .option("--test <test.csv>", "labelled rows to check the choice of columns on (default: a fifth of train.csv)");
  addServerOption(addResultOptions(command)).action(async (trainPath: string, flags: RunFlags) => {
    const { predict: predictPaths, target = null, cost: costTexts, test: testPath = null, refine } = flags;
    const { positive: positiveLabel = null } = flags;
    const { optimise: objective = costTexts.length > 0 ? "cost" : "accuracy" } = flags;
    if (costTexts.length > 0 && objective !== "cost") {
      throw new SettingError(`--cost is an objective of its own, so it does not go with --optimise ${objective}.`);
    }
    if (target !== null && objective !== "accuracy") {
      throw new SettingError(
        `--target is an accuracy, so it does not go with ${objective === "cost" ? "--cost" : `--optimise ${objective}`}.`,
      );
    }
    if (testPath !== null && !refine) throw new SettingError("--test is for the refinement that --no-refine skips.");
    if (testPath !== null && objective === "cost") {
      throw new SettingError("--test is for the refinement, which --cost skips: it chooses columns by accuracy.");
    }
    const { buckets: numberOfBuckets, scaling: scalingFactor, likeInput, spreadsheetSafe } = flags;
    const files = { trainPath, testPath, predictPaths, likeInput, spreadsheetSafe };
    const search = {
      numberOfBuckets,
      scalingFactor,
      target,
      objective,
      costTexts,
      positiveLabel,
      refine: refine && objective !== "cost",
    };
    const options = { ...workOptions(flags), ...files, ...search };
    const server = serverOf(flags, command, RUN_ELSEWHERE);
    if (server === null) return done(await run(options, openConsole(flags.timeCap), spawnWorker));
    const { onServer, remoteRun } = await import("../remote/remote.ts");
    const console = openConsole();
    done(await onServer(server, console, (remote) => remoteRun(options, remote, console)));
  });
}

function addRefine({ program, openConsole, spawnWorker, done }: CommandLine): void {
  const command = program
    .command("refine")
    .description("find the columns that carry signal, and reduce a labelled training and test file to them")
    .argument("<train.csv>", "the labelled table that columns are chosen on")
    .argument("<test.csv>", "other labelled rows, which may only reject that choice")
    .option(
      "--buckets <n>",
      "buckets per number column: 4, 10 or 20",
      integerOneOf(REFINEMENT_BUCKETS),
      DEFAULT_BUCKETS,
    );
  addServerOption(addWorkOptions(command, DEFAULT_TIME_CAPS.refinementSeconds, "cupel-refined")).action(
    async (trainPath: string, testPath: string, flags: WorkFlags & ServerFlag & { buckets: number }) => {
      const options = { ...workOptions(flags), trainPath, testPath, numberOfBuckets: flags.buckets };
      const server = serverOf(flags, command, WORK_ELSEWHERE);
      if (server === null) return done(await refineCommand(options, openConsole(flags.timeCap), spawnWorker));
      const { onServer, remoteRefine } = await import("../remote/remote.ts");
      const console = openConsole();
      done(await onServer(server, console, (remote) => remoteRefine(options, remote, console)));
    },
  );
}

interface PredictFlags extends ResultFlags, ServerFlag {
  header: boolean;
  out?: string;
  watch?: string;
  reasons: number;
  inputHeader?: string;
  outputHeader: boolean;
  only?: readonly string[];
  skipBadRows?: string;
  asTrained: boolean;
}

function addPredict({ program, openConsole, spawnWorker, done }: CommandLine): void {
  const command = program
    .command("predict")
    .description("score a CSV file with a model; - reads standard input and answers line by line")
    .argument("<model.cupel>", "a model that `run` wrote; with --server its key, or the folder of `run --server`")
    .argument("<new.csv>", "the rows to score, or -")
    .option("--out <file>", "write the result here (default: standard output)")
    .option(
      "--reasons <n>",
      "add the n columns that moved each decision the most, and by how much: " +
        "log-odds of the decided label against the most probable other one, " +
        "above 0 for the decision, below 0 against it; no more than the model has columns",
      integer(0, MOST_REASONS),
      0,
    )
    .option("--input-header <names>", "the input has no header: these are its columns, written as its header would be")
    .option("--no-output-header", "write no header")
    .option(
      "--only <columns>",
      "write these columns of the answer alone, in this order: prediction,confidence,…",
      columnList,
    )
    .option(
      "--skip-bad-rows <file>",
      "answer rows that cannot be read with empty cells, and list their lines in this file",
    )
    .option(
      "--watch <file>",
      "add counts of the rows and of what was decided to this file, day by day, without a row; " +
        "`watch --counts` tells of them",
    )
    .option(
      "--as-trained",
      "read numbers and dates as the training file wrote them: each row is answered by itself",
      false,
    );
  addServerOption(addResultOptions(addHeaderOption(command))).action(
    async (modelPath: string, inputPath: string, flags: PredictFlags) => {
      const { likeInput, spreadsheetSafe, reasons: reasonCount, header: hasHeader, out: outPath = null } = flags;
      const { inputHeader = null, outputHeader: hasOutputHeader, only = null, asTrained } = flags;
      if (inputHeader !== null && !hasHeader) {
        throw new SettingError("--no-header numbers the columns that --input-header names: give one of them.");
      }
      const badRowsPath = flags.skipBadRows ?? null;
      const files = { modelPath, inputPath, outPath, badRowsPath, watchPath: flags.watch ?? null };
      const rows = {
        likeInput,
        spreadsheetSafe,
        reasonCount,
        hasHeader,
        inputHeader,
        hasOutputHeader,
        only,
        asTrained,
      };
      const options = { ...files, ...rows };
      const server = serverOf(flags, command, PREDICT_ELSEWHERE);
      if (server === null) return done(await predict(options, openConsole(), spawnWorker));
      const { modelPlace, onServer, remotePredict } = await import("../remote/remote.ts");
      const place = modelPlace(modelPath);
      const console = openConsole();
      done(await onServer(server, console, (remote) => remotePredict(place, options, remote, console), place.url));
    },
  );
}

function addInspect({ program, openConsole, done }: CommandLine): void {
  const command = program
    .command("inspect")
    .description("show what a table holds, or what a model is")
    .argument("<file>", "a CSV table or a .cupel model")
    .option("--json", "print one JSON object", false);
  addServerOption(addTableOptions(command)).action(
    async (path: string, flags: TableFlags & ServerFlag & { json: boolean }) => {
      const options = { path, ...tableOptions(flags), json: flags.json };
      const console = openConsole();
      const server = serverOf(flags, command, {});
      if (server === null) return done(inspect(options, console));
      const { onServer, remoteInspect } = await import("../remote/remote.ts");
      done(await onServer(server, console, (remote) => remoteInspect(options, remote, console)));
    },
  );
}

function addLicenses({ program, openConsole, done }: CommandLine): void {
  program
    .command("licenses")
    .description("print the licences of everything inside this program")
    .action(async () => {
      const { licenses } = await import("../commands/licenses.ts");
      done(licenses(openConsole()));
    });
}
