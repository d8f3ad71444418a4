// Options that several commands share, and how the values of options are read.
import { type Command, InvalidArgumentError, Option } from "commander";
import { CHOSEN_KINDS } from "../../engine/columns/choices.ts";
import { cellsOfLine } from "../../engine/csv/given-header.ts";
import { LARGEST_COST } from "../../engine/judging/costs.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import type { Console } from "../commands/console.ts";
import { type ColumnText, columnChoicesOf, isChosenKind, readColumnText } from "../common/column-choices.ts";
import {
  LARGEST_SEED,
  LEAST_BUDGET_MIB,
  LONGEST_TIME_CAP_SECONDS,
  MOST_BUDGET_MIB,
  MOST_WORKERS,
} from "../common/limits.ts";
import { DEFAULT_BUDGET_WORDS, defaultBudgetMib } from "../common/memory-budget.ts";
import {
  DEFAULT_DATA_FOLDER,
  flagOf,
  readServeOptions,
  SERVE_SETTINGS,
  type ServeFlags,
  type SettingName,
} from "../service/config.ts";
import { type CostText, readCostText } from "../words/cost-texts.ts";

/** The program that a command is added to, and the services that it uses. */
export interface CommandLine {
  program: Command;
  /** `timeLimitSeconds` bounds the time left that progress shows. */
  openConsole(timeLimitSeconds?: number): Console;
  /** Starts a worker thread; only the entry point knows from where. */
  spawnWorker(): Worker;
  done(exitCode: number): void;
}

export interface TableFlags {
  label?: string;
  header: boolean;
  missing?: string;
  kind: ColumnText[];
  missingIn: ColumnText[];
}

/** How a labelled table is read. */
export function addTableOptions(command: Command): Command {
  return addHeaderOption(command.option("--label <name>", "the column to predict (default: the last one)"))
    .option("--missing <texts>", "texts that mean a missing value, comma-separated (an empty cell always does)")
    .option(
      "--kind <column=kind>",
      `read this column as ${CHOSEN_KINDS.join(", ")}, whatever its cells look like; may be given more than once`,
      collectKind,
      [],
    )
    .option(
      "--missing-in <column=text>",
      "a text that means a missing value in this column; without a text, none does beside --missing; " +
        "may be given more than once",
      collectMissing,
      [],
    );
}

export function tableOptions({ label, header, missing, kind, missingIn }: TableFlags) {
  const columnChoices = columnChoicesOf(kind, missingIn);
  return { label: label ?? null, hasHeader: header, missingMarkers: missing?.split(",") ?? null, columnChoices };
}

export function addHeaderOption(command: Command): Command {
  return command.option("--no-header", "files have no header: their columns are called column_1, column_2, …");
}

export interface WorkFlags extends TableFlags {
  timeCap: number;
  seed: number;
  workers: number;
  memoryBudgetMib?: number;
  out: string;
  removeLeaks: boolean;
  group?: string;
  time?: string;
  keepKeyColumns: boolean;
  without: string[];
  json: boolean;
}

/** Options that `run` and `refine` share. */
export function addWorkOptions(command: Command, timeCapSeconds: number, outFolder: string): Command {
  return addTableOptions(command)
    .option("--time-cap <seconds>", "stop after this long", integer(1, LONGEST_TIME_CAP_SECONDS), timeCapSeconds)
    .option("--seed <n>", "seed of all random draws: the same seed gives the same result", integer(0, LARGEST_SEED), 1)
    .option("--workers <n>", "threads at most", integer(1, MOST_WORKERS), navigator.hardwareConcurrency)
    .option(
      "--memory-budget-mib <n>",
      "memory to use at most, in MiB; less memory means fewer threads and smaller forests (default: " +
        `${DEFAULT_BUDGET_WORDS})`,
      integer(LEAST_BUDGET_MIB, MOST_BUDGET_MIB),
    )
    .option("--out <folder>", "where results go", outFolder)
    .option("--remove-leaks", "remove columns that give the label away, rather than flag them", false)
    .option("--without <column>", "learn nothing from this column; may be given more than once", collect, [])
    .option("--group <column>", "rows with the same value (a machine, a patient) are judged or learned from together")
    .option("--time <column>", "judge by the newest rows, and learn from older ones only")
    .option("--keep-key-columns", "learn from the columns of --group and --time too", false)
    .option("--json", "print the summary as JSON", false);
}

export function workOptions(flags: WorkFlags) {
  const { timeCap, seed, workers, memoryBudgetMib = defaultBudgetMib(), out, removeLeaks, json } = flags;
  const { group: groupColumn = null, time: timeColumn = null, keepKeyColumns, without: withoutColumns } = flags;
  const keys = { groupColumn, timeColumn, keepKeyColumns, withoutColumns };
  const work = { timeLimitSeconds: timeCap, seed, workers, memoryBudgetMib, outFolder: out, removeLeaks, json };
  return { ...tableOptions(flags), ...keys, ...work };
}

export interface ResultFlags {
  likeInput: boolean;
  spreadsheetSafe: boolean;
}

/** How predictions are written. */
export function addResultOptions(command: Command): Command {
  return command
    .option("--like-input", "write predictions with the input's delimiter and line ends", false)
    .option("--spreadsheet-safe", "prefix cells that a spreadsheet would run as a formula", false);
}

/** `recall` is what people look for: the mean recall of the classes is their balanced accuracy. */
export function optimiseOption(): Option {
  const choices = ["accuracy", "balanced-accuracy", "f1", "recall"];
  return new Option(
    "--optimise <measure>",
    "what models are tuned and ranked for: accuracy, balanced-accuracy or recall (both mean recall of the classes), " +
      "f1 (mean F1 of the classes) (default: accuracy)",
  ).argParser((text): Objective => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.`);
    return text === "recall" ? "balanced-accuracy" : (text as Objective);
  });
}

/** Settings of the service, as `serve` takes them. */
export function addSettings(
  command: Command,
  names: readonly SettingName[],
  dataFolder: string = DEFAULT_DATA_FOLDER,
): Command {
  for (const name of names) {
    const { value, help } = SERVE_SETTINGS[name];
    command.option(`${flagOf(name)} ${value}`, name === "data" ? `${help} (default: ${dataFolder})` : help);
  }
  return command;
}

/** The state folder that a command of the service works in. */
export function dataFolderOf({ data }: Pick<ServeFlags, "data">): string {
  return readServeOptions({ data }, process.env, 1).dataFolder;
}

export function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

export function collectCost(text: string, earlier: readonly CostText[]): CostText[] {
  const read = readCostText(text);
  if (read !== null) return [...earlier, read];
  throw new InvalidArgumentError(
    `It must be a label, an equals sign and a number from 0 to ${LARGEST_COST}, such as bad=5.`,
  );
}

function collectKind(text: string, earlier: readonly ColumnText[]): ColumnText[] {
  const read = readColumnText(text);
  if (read !== null && isChosenKind(read.text)) return [...earlier, read];
  throw new InvalidArgumentError(
    `It must be a column, an equals sign and one of ${CHOSEN_KINDS.join(", ")}, such as zip=category.`,
  );
}

function collectMissing(text: string, earlier: readonly ColumnText[]): ColumnText[] {
  const read = readColumnText(text);
  if (read !== null) return [...earlier, read];
  throw new InvalidArgumentError("It must be a column, an equals sign and a text, such as age=unknown.");
}

/** Names of columns, each once, as a line of CSV. */
export function columnList(text: string): readonly string[] {
  const names = cellsOfLine(text, ",")?.map((name) => name.trim());
  if (names !== undefined && new Set(names).size === names.length) return names;
  throw new InvalidArgumentError('It must be names with commas between them, each once, such as a,b,"c, d".');
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

export function integerOneOf(values: readonly number[]): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && values.includes(Number(text))) return Number(text);
    throw new InvalidArgumentError(`It must be one of ${values.join(", ")}.`);
  };
}

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1, such as 0.9.");
}
