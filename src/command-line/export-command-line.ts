// The command `export` and its options.
import { Option } from "commander";
import { exportModel } from "../commands/export.ts";
import { DEFAULT_TABLE, DIALECT_NAMES } from "../exporting/sql-text.ts";
import { TARGET_NAMES, TARGETS, type TargetOptions } from "../exporting/targets.ts";
import type { CommandLine } from "./command-options.ts";

interface ExportFlags extends TargetOptions {
  to: string;
  out?: string;
}

export function addExport({ program, openConsole, done }: CommandLine): void {
  program
    .command("export")
    .description("write a model as something that other programs score with, and rows to check it by")
    .argument("<model.cupel>", "a model that `run` wrote")
    .requiredOption("--to <format>", `what to write: ${TARGET_NAMES.join(", ")}`)
    .option("--out <path>", "the file or folder to write (default: named after the format, in this folder)")
    .option(
      "--dialect <name>",
      `with --to sql: ${DIALECT_NAMES.join(", ")}; we run mysql in MariaDB alone, spark and bigquery nowhere`,
    )
    .option("--table <name>", `with --to sql: the table of the rows, such as schema.rows (default: ${DEFAULT_TABLE})`)
    .addOption(
      new Option(
        "--onnx-ml <version>",
        "with --to onnx: operators for trees, 2 for most runtimes, 5 for small files",
      ).choices(["2", "5"]),
    )
    .addHelpText(
      "after",
      `\nFormats:\n${TARGET_NAMES.map((name) => `  ${name.padEnd(11)} ${TARGETS[name].summary}`).join("\n")}`,
    )
    .action(async (modelPath: string, { to: target, out, ...options }: ExportFlags) => {
      done(await exportModel({ ...options, modelPath, target, outPath: out ?? null }, openConsole()));
    });
}
