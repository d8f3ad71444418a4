// Options that several commands have, and how the values of options are read.
import { InvalidArgumentError, Option } from "commander";
import type { Objective } from "../engine/judging/objective.ts";
import { LEAST_BUDGET_MIB, MOST_BUDGET_MIB } from "./limits.ts";

/** `recall` is what people look for: the mean recall of the classes is their balanced accuracy. */
export function optimiseOption(): Option {
  const choices = ["accuracy", "balanced-accuracy", "f1", "recall"];
  return new Option(
    "--optimise <measure>",
    "what versions decide for and are ranked by: accuracy, balanced-accuracy (mean recall of the classes; recall for short) " +
      "or f1 (mean F1 of the classes)",
  )
    .default("accuracy")
    .argParser((text): Objective => {
      if (!choices.includes(text)) throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.`);
      return text === "recall" ? "balanced-accuracy" : (text as Objective);
    });
}

export function memoryOption(): Option {
  return new Option(
    "--memory-budget-mib <n>",
    "memory to keep to, by fewer threads and smaller forests or else by refusing (default: three quarters of the machine's, nine tenths of its control group's)",
  ).argParser(integer(LEAST_BUDGET_MIB, MOST_BUDGET_MIB));
}

export function missingOption(): Option {
  return new Option(
    "--missing <texts>",
    "texts that mean a missing value, comma-separated (an empty cell always does)",
  );
}

/** As a flag `header`: true without the option. */
export function headerOption(): Option {
  return new Option("--no-header", "the first row is data: columns are called column_1, column_2, … (of every file)");
}

export function missingMarkers(list: string | undefined): readonly string[] | null {
  return list === undefined ? null : list.split(",");
}

export function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

export function oneOf(values: readonly number[]): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && values.includes(value)) return value;
    throw new InvalidArgumentError(`It must be one of ${values.join(", ")}.`);
  };
}

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1, such as 0.9.");
}
