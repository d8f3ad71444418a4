// The client for TypeScript and JavaScript as one module without imports, and its types as one file.
import { join } from "node:path";
import { embeddedFile, madeOnce } from "../common/embedded.ts";

/** Its name inside the executable. */
export const EMBEDDED_CLIENT = "typescript-client.bundle";

const ENTRY = join(import.meta.dir, "typescript/cupel.ts");
const BANNER = `// Cupel's client for JavaScript and TypeScript (Node 20.3 and later, Bun, browsers). Apache-2.0. Nothing else is needed.
//   import { Cupel } from "./cupel.js";          // its types: cupel.d.ts beside it
//   const cupel = new Cupel("http://127.0.0.1:8080", { key: "cupel_…" });
//   const model = await cupel.train("customers.csv", { label: "left" });`;

/** The module: readable, since whoever takes it into a program wants to see what it does. */
export const typescriptClient = madeOnce(async () =>
  Bun.isStandaloneExecutable ? await embeddedFile(EMBEDDED_CLIENT).text() : (await buildClient()).text,
);

/**
 * The module and the files that it is made of, relative to the working directory. The same sources give the same text.
 */
export async function buildClient(): Promise<{ text: string; files: string[] }> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [ENTRY],
    // Imports from Node stay imports: only file paths lead there, which browsers do not have.
    target: "browser",
    external: ["node:*"],
    format: "esm",
    banner: BANNER,
    metafile: true,
  });
  // The bundler names the files that it reads by their place beside the working directory.
  const text = (await outputs[0]!.text()).replace(/^\/\/ (?:\S*\/)?(src\/clients\/typescript\/\S+)$/gm, "// $1");
  return { text, files: Object.keys(metafile!.inputs).sort() };
}
