// The formats of exports: their names, the files that they write, and the options that they take.

import { createHash } from "node:crypto";
import { type CheckFile, checkFile } from "../../engine/export/check-file.ts";
import { type InputValues, inputValues } from "../../engine/export/onnx/inputs.ts";
import { onnxModel } from "../../engine/export/onnx/onnx-model.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import { cFolder } from "./c.ts";
import type { ExportedFile } from "./exported-file.ts";
import { javaFolder } from "./java.ts";
import { javascriptModule } from "./javascript.ts";
import { pythonProgram } from "./python.ts";
import { sqlText } from "./sql-text.ts";

/** The model that is exported. */
export interface ExportedModel {
  /** The name of its file, without `.cupel`. */
  name: string;
  /** The content of its file, and the same unpacked. */
  bytes: Uint8Array;
  file: ModelFile;
  /** Other versions of the same model that are at hand, for advice. Left out where there can be none. */
  versions?: () => readonly Pick<ExportedModel, "name" | "file">[];
}

/** Options that only some targets take, as given; left out where they were not. */
export interface TargetOptions {
  /** Version of the operators for trees. */
  onnxMl?: "2" | "5";
  /** The dialect of SQL. */
  dialect?: string;
  /** Name of the table that SQL reads. */
  table?: string;
}

/** `inputs`: the rows as an export without text cells takes them, by input. */
type Check = CheckFile & { inputs?: InputValues };

interface ExportTarget {
  /** One line for --help. */
  summary: string;
  /** Whether the export is a folder; else one file, with its check file beside it. */
  isFolder: boolean;
  /** The name of the file or folder unless `--out` gives one. */
  outName(modelName: string): string;
  takes: readonly (keyof TargetOptions)[];
  /**
   * The files, in a folder by these names. Where the export is no folder, the one file takes the name of the export.
   *
   * @throws InputError if the model cannot be exported to this format, with the reason and what to do instead
   */
  make(model: ExportedModel, options: TargetOptions): readonly ExportedFile[] | Promise<readonly ExportedFile[]>;
  /** Rows and answers that prove an import; null if the export itself is that. */
  check: ((model: ExportedModel) => Check) | null;
}

/** In the order of --help. */
export type TargetName = "onnx" | "python" | "javascript" | "java" | "c" | "sql" | "check";

export const TARGETS: Readonly<Record<TargetName, ExportTarget>> = {
  onnx: {
    summary: "one file for ONNX runtimes, which servers, browsers, Spark and databases have",
    isFolder: false,
    outName: (name) => `${name}.onnx`,
    takes: ["onnxMl"],
    make: ({ file, bytes, name }, { onnxMl = "2" }) => [
      { name: `${name}.onnx`, content: onnxModel(file, { ml: onnxMl === "5" ? 5 : 2, sha256: sha256Of(bytes) }) },
    ],
    check: ({ file }) => {
      const check = checkFile(file);
      return { ...check, inputs: inputValues(file, check.rows) };
    },
  },
  python: {
    summary: "one program for Python 3.9 and later, the model inside, nothing else to install",
    isFolder: false,
    outName: () => "score.py",
    takes: [],
    make: ({ bytes }) => [{ name: "score.py", content: pythonProgram(bytes) }],
    check: ({ file }) => checkFile(file),
  },
  javascript: {
    summary: "one module for Node 18 and later, Bun and browsers, the model inside, nothing else to install",
    isFolder: false,
    outName: () => "score.mjs",
    takes: [],
    make: async ({ bytes }) => [{ name: "score.mjs", content: await javascriptModule(bytes) }],
    check: ({ file }) => checkFile(file),
  },
  java: {
    summary: "a folder: one class for Java 11 and later, and the model's file",
    isFolder: true,
    outName: (name) => `${name}-java`,
    takes: [],
    make: ({ bytes }) => javaFolder(bytes),
    check: ({ file }) => checkFile(file),
  },
  c: {
    summary: "a folder: a header and a source of C99 for devices, which allocate nothing, and the model's file",
    isFolder: true,
    outName: (name) => `${name}-c`,
    takes: [],
    make: ({ bytes, file }) => cFolder(bytes, file),
    check: ({ file }) => checkFile(file),
  },
  sql: {
    summary:
      "a query for a database; needs --dialect duckdb, postgres, sqlite, mysql, spark or bigquery (see --dialect)",
    isFolder: false,
    outName: (name) => `${name}.sql`,
    takes: ["dialect", "table"],
    make: ({ name, file, versions }, options) => [
      { name: `${name}.sql`, content: sqlText(file, options, versions ?? (() => [])) },
    ],
    check: ({ file }) => checkFile(file),
  },
  check: {
    summary: "only rows and their answers (JSON), to prove by them that another program scores as Cupel does",
    isFolder: false,
    outName: (name) => `${name}.check.json`,
    takes: [],
    make: ({ file, name }) => [{ name: `${name}.check.json`, content: checkText(checkFile(file)) }],
    check: null,
  },
};

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[];

/** The files of an export: the main one first, its check file last. `outName`: of the file or folder. */
export async function exportedFiles(
  target: TargetName,
  model: ExportedModel,
  options: TargetOptions,
  outName: string,
): Promise<ExportedFile[]> {
  const { isFolder, make, check } = TARGETS[target];
  const files = (await make(model, options)).map((file) => (isFolder ? file : { ...file, name: outName }));
  if (check === null) return files;
  return [...files, { name: isFolder ? "check.json" : `${outName}.check.json`, content: checkText(check(model)) }];
}

/** A row a line, so that people can read it. */
function checkText({ inputs, ...check }: Check): string {
  const parts = Object.entries(check).map(([name, list]) => member(name, `[\n${list.map(toJson).join(",\n")}\n]`));
  if (inputs !== undefined) {
    const each = Object.entries(inputs).map(([name, values]) => member(name, toJson(values)));
    parts.push(member("inputs", `{\n${each.join(",\n")}\n}`));
  }
  return `{\n${parts.join(",\n")}\n}\n`;
}

function member(name: string, json: string): string {
  return `${toJson(name)}: ${json}`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
