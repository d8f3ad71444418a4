// `cupel export`: writes a model as something that other programs score with.
import { basename, dirname, resolve } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { readWhole } from "../../workers/file-chunks.ts";
import { SettingError } from "../config.ts";
import { EXIT } from "../exit-codes.ts";
import { exportedFiles, TARGET_NAMES, TARGETS, type TargetName, type TargetOptions } from "../exporting/targets.ts";
import { requireFree, writeFiles, writeFolder } from "../exporting/write-export.ts";
import type { Console } from "./console.ts";
import { refuseOwnInputs } from "./own-inputs.ts";

export interface ExportOptions extends TargetOptions {
  modelPath: string;
  target: string;
  /** Null for the target's own name, in the current folder. */
  outPath: string | null;
}

/** @throws SettingError for an unknown target; InputError where the model cannot be exported or written */
export async function exportModel(options: ExportOptions, console: Console): Promise<number> {
  const { modelPath, outPath, target, ...own } = options;
  const name = knownTarget(target);
  requireOwnOptions(name, own);
  const modelName = basename(modelPath).replace(/(?<=.)\.cupel$/, "");
  const path = resolve(outPath ?? TARGETS[name].outName(modelName));
  refuseOwnInputs([modelPath], [path]);
  requireFree(path);
  const bytes = readWhole(modelPath);
  const file = unpackModel(bytes);
  const files = exportedFiles(name, { name: modelName, bytes, file }, own, basename(path));
  if (TARGETS[name].isFolder) await writeFolder(path, files);
  else await writeFiles(dirname(path), files);
  const names = files.map((one) => one.name).join(", ");
  console.print(TARGETS[name].isFolder ? `Wrote ${basename(path)}: ${names}` : `Wrote ${names}`);
  return EXIT.done;
}

/** @throws InputError UNKNOWN_FORMAT */
function knownTarget(target: string): TargetName {
  const known = TARGET_NAMES.find((name) => name === target);
  if (known !== undefined) return known;
  throw new InputError(
    "UNKNOWN_FORMAT",
    `Models are not exported to ${target}. There are: ${TARGET_NAMES.join(", ")}.`,
  );
}

/** @throws SettingError for an option of another target */
function requireOwnOptions(target: TargetName, given: TargetOptions): void {
  const takes: readonly string[] = TARGETS[target].takes;
  const foreign = Object.entries(given).find(([option, value]) => value !== undefined && !takes.includes(option));
  if (foreign !== undefined) throw new SettingError(`--${dashed(foreign[0])} does not go with --to ${target}.`);
}

/** `onnxMl` as people type it. */
function dashed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
