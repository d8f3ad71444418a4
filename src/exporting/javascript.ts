// The reader of models for JavaScript as one module: from the executable, which
// holds it, or made of the sources once, in memory.
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { embeddedFile, madeOnce } from "../common/embedded.ts";

/** Its name inside the executable. */
export const EMBEDDED_READER = "javascript-reader.bundle";

const ENTRY = join(import.meta.dir, "../readers/javascript/reader.ts");
/** Characters of base64: engines hold texts of 500 million, and need the memory twice. */
const MOST_TEXT = 200_000_000;
const BANNER = `// Cupel's reader of model files for JavaScript (Node 18 and later, Bun, browsers). Apache-2.0. Nothing else is needed.
//   import { loadModel } from "./score.mjs";
//   const model = loadModel(bytes);             // a .cupel file's bytes; a module with its model: import { model }
//   model.score([{ column: value, … }]);        // gives [{ label, confidence, probabilities }]
// As a program: node score.mjs [MODEL.cupel] NEW.csv [--out RESULT.csv], or --check CHECK.json`;

/** The module, without a model. */
export const javascriptReader = madeOnce(async () =>
  Bun.isStandaloneExecutable ? await embeddedFile(EMBEDDED_READER).text() : (await buildReader()).text,
);

/** The module with a model inside. @throws InputError MODEL_TOO_LARGE */
export async function javascriptModule(model: Uint8Array, mostText = MOST_TEXT): Promise<string> {
  const base64 = Buffer.from(model).toString("base64");
  if (base64.length > mostText) {
    throw new InputError(
      "MODEL_TOO_LARGE",
      `The model would take ${Math.round(base64.length / 1e6)} MB of a module, ` +
        `and ${mostText / 1e6} MB is the most. Export a smaller version of the model, ` +
        "or take the reader for JavaScript alone, with the model's file beside it.",
    );
  }
  // A function, since it is there before the module's first line runs.
  return `${await javascriptReader()}\nfunction cupelModelInside() {\n  return "${base64}";\n}\n`;
}

/**
 * The module and the files that it is made of, relative to the working directory. The same sources give the same text.
 */
export async function buildReader(): Promise<{ text: string; files: string[] }> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [ENTRY],
    // Imports from Node stay imports: only the command-line program in it uses them.
    target: "node",
    format: "esm",
    minify: true,
    banner: BANNER,
    metafile: true,
  });
  return { text: await outputs[0]!.text(), files: Object.keys(metafile!.inputs).sort() };
}
