// Cupel's reader of model files for JavaScript: one module without
// dependencies, for Node 18 and later, Bun and browsers.
//
//   import { loadModel } from "./score.mjs";
//   const model = loadModel(bytes);                    // what the .cupel file holds
//   model.score([{ age: 41, city: "Bonn", … }]);       // [{ label, confidence, probabilities }]
//
// As a program: node score.mjs MODEL.cupel NEW.csv [--out RESULT.csv]. An export
// holds its model (`model`) and needs no MODEL.cupel.
import { loadModel, type Model } from "./model.ts";
import { runProgram } from "./program.ts";

/** Written behind this module by an export: the model's file in base64. */
declare const cupelModelInside: (() => string) | undefined;

export { type Answer, loadModel, Model, type Row, type Value } from "./model.ts";

/** The model that this module holds; null where it holds none. */
export const model: Model | null =
  typeof cupelModelInside === "undefined"
    ? null
    : loadModel(Uint8Array.from(atob(cupelModelInside()), (byte) => byte.charCodeAt(0)));

if (await isProgram()) process.exitCode = await runProgram(process.argv.slice(2), model);

/** Whether this file is what was started, and not a module of something else. */
async function isProgram(): Promise<boolean> {
  const started = globalThis.process?.argv?.[1];
  if (started === undefined) return false;
  const [{ realpathSync, existsSync }, { pathToFileURL }] = await Promise.all([import("node:fs"), import("node:url")]);
  return existsSync(started) && pathToFileURL(realpathSync(started)).href === import.meta.url;
}
