// The whole flow by the Python client, as a process of its own against a server that runs.
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./programs.ts";
import { knownTable } from "./refinery.ts";
import { PASSWORD, serve } from "./server.ts";

export const PYTHON_CLIENT = join(import.meta.dir, "../../src/clients/python");

/** Runs a program for Python, beside the server. */
export function python(args: readonly string[], folder: string, environment: Record<string, string> = {}) {
  return runProgram(["python3", "-B", ...args], { folder, environment: { PYTHONPATH: PYTHON_CLIENT, ...environment } });
}

/** Runs a program that begins with the client, and gives what it left in `seen`. */
export async function pythonClient<T>(
  program: string,
  folder: string,
  environment: Record<string, string>,
): Promise<T> {
  const head = "import io, json, os\nimport cupel as module\nfrom cupel import *\nseen = None\n";
  const { out, err } = await python(["-c", `${head}${program}\nprint(json.dumps(seen))\n`], folder, environment);
  expect(err).toBe("");
  return JSON.parse(out.split("\n").at(-2)!) as T;
}

/** Writes tables into the folder. The environment names the server and the login. */
export async function drivePythonClient(folder: string, environment: Record<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeTables(folder);
  const program = join(import.meta.dir, "drive_client.py");
  const { out, err } = await python([program, PYTHON_CLIENT, folder], folder, environment);
  expect(err).toBe("");
  const { result, ...seen } = JSON.parse(out) as { result: string[] };
  const kept = ["strong", "weak", "left", "right"];
  expect(seen).toEqual({
    ...{ kept, columns: kept, "refined columns": kept, label: "label", labels: ["no", "yes"], better: true },
    removed: ["always", "copy", "id", "noise1", "noise2", "noise3"],
    reduced: [...kept, "label"].join(","),
    names: ["TRAIN", "TRAIN refined", "by pair"],
    ...{ "same rows": true, "same labels": true, first: [1, true], parts: 2_050, "same here": true, listed: false },
    ...{
      found: [true, true, true],
      kinds: ["Prediction:", "Preparing", "Reading", "Refinement:", "Sending", "Training:"],
    },
  });
  expect([
    result.length,
    result[0]!.includes(",prediction,confidence,probability_no,probability_yes,reason_1,"),
  ]).toEqual([51, true]);
}

/** The same against a program that serves, with its state in a new folder below this one. */
export async function drivePythonClientOf(program: readonly string[], folder: string): Promise<void> {
  const { child, printed } = await serve(program, join(folder, "state"));
  const CUPEL_URL = /listening on (\S+)/.exec(printed)![1]!;
  const login = { CUPEL_URL, CUPEL_USER: "ada@example.org", CUPEL_PASSWORD: PASSWORD };
  await drivePythonClient(join(folder, "tables"), login);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
}

export function writeTables(folder: string): void {
  const tables = [
    ["TRAIN", 1_200, 1],
    ["TEST", 400, 2],
    ["NEW", 50, 3],
  ] as const;
  for (const [name, rows, seed] of tables) writeFileSync(join(folder, `${name}.csv`), knownTable(rows, seed));
}
