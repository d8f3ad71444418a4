// `cupel export`: writes a model as something that other programs score with.
import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { readWhole } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../common/exit-codes.ts";
import { SettingError } from "../common/setting-values.ts";
import {
  type ExportedModel,
  exportedFiles,
  TARGET_NAMES,
  TARGETS,
  type TargetName,
  type TargetOptions,
} from "../exporting/targets.ts";
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
  const { modelPath, outPath, target, ...targetOptions } = options;
  const name = knownTarget(target);
  requireOwnOptions(name, targetOptions);
  const modelName = basename(modelPath).replace(/(?<=.)\.cupel$/, "");
  const path = resolve(outPath ?? TARGETS[name].outName(modelName));
  refuseOwnInputs([modelPath], [path]);
  requireFree(path);
  const bytes = readWhole(modelPath);
  const file = unpackModel(bytes);
  const files = await exportedFiles(
    name,
    { name: modelName, bytes, file, versions: () => versionsBeside(modelPath, file) },
    targetOptions,
    basename(path),
  );
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
    `There is no export format ${target}. The formats are: ${TARGET_NAMES.join(", ")}.`,
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

/** The other versions that the same run left beside a model. Files that are none are passed over. */
function versionsBeside(modelPath: string, { lineage }: ModelFile): Pick<ExportedModel, "name" | "file">[] {
  const folder = dirname(resolve(modelPath));
  const names = readdirSync(folder).filter((name) => name.endsWith(".cupel") && name !== basename(modelPath));
  return names.sort().flatMap((name) => {
    try {
      const file = unpackModel(readWhole(join(folder, name)));
      const isSame = file.lineage.trainedOn.sha256 === lineage.trainedOn.sha256 && file.lineage.seed === lineage.seed;
      return isSame ? [{ name: name.slice(0, -".cupel".length), file }] : [];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  });
}
