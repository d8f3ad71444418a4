// Programs that use a client, in processes of their own: in a folder with the client as a server gives it, and tables.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./programs.ts";
import { knownTable } from "./refinery.ts";
import { findTool } from "./tools.ts";

/** Bun, and Node where there is one that is new enough. */
export const RUNTIMES: readonly [string, readonly string[]][] = [
  ["Bun", [process.execPath]],
  ...(isNewEnough(findTool("node")) ? [["Node", ["node"]] as [string, string[]]] : []),
];

/** What the modules `cupel.mjs`, `cupel.js` and `cupel.py` of a folder are, and TRAIN.csv and NEW.csv. */
export async function makeProgramFolder(folder: string, address: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const given = async (name: string) => (await fetch(`${address}/clients/${name}`)).text();
  for (const name of ["cupel.js", "cupel.mjs"]) writeFileSync(join(folder, name), await given("cupel.js"));
  writeFileSync(join(folder, "cupel.py"), await given("cupel.py"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "TRAIN.csv"), knownTable(600, 1));
  writeFileSync(join(folder, "NEW.csv"), knownTable(50, 3));
}

/** Runs the program that does it all, and returns what it told. */
export async function driveClient(
  runtime: readonly string[],
  folder: string,
  { address, user, password }: { address: string; user: string; password: string },
) {
  await makeProgramFolder(folder, address);
  cpSync(join(import.meta.dir, "client-program.mjs"), join(folder, "program.mjs"));
  const { code, err } = await runProgram([...runtime, "program.mjs", address, user, password], { folder });
  if (code !== 0) throw new Error(`the program ended with ${code}: ${err}`);
  return JSON.parse(readFileSync(join(folder, "told.json"), "utf8")) as Record<string, unknown>;
}

/** What the program tells where all is well. */
export const ALL_WELL = {
  keptColumns: ["strong", "weak", "left", "right"],
  stages: ["uploading", "reading", "refining", "training", "predicting"],
  label: "yes",
  reasons: 1,
  isSame: true,
  rows: 50,
  isListed: true,
  gone: "NOT_FOUND",
};

function isNewEnough(node: string | null): boolean {
  if (node === null) return false;
  const [, major = "0", minor = "0"] =
    /^v(\d+)\.(\d+)/.exec(Bun.spawnSync([node, "--version"]).stdout.toString()) ?? [];
  return Number(major) > 20 || (Number(major) === 20 && Number(minor) >= 3);
}
