// The dashboard's script: from the executable, which holds it, or made of the sources once, in memory.
import { join } from "node:path";

/** Its name inside the executable. */
export const EMBEDDED_SCRIPT = "dashboard.bundle";

const ENTRY = join(import.meta.dir, "../browser/main.tsx");

/** What was made of the sources, and which files it was made of. */
export interface BuiltScript {
  text: string;
  /** Relative to the working directory. */
  files: string[];
}

/** The script as text. */
export async function loadScript(): Promise<string> {
  if (!Bun.isStandaloneExecutable) return (await buildScript()).text;
  const embedded = (Bun.embeddedFiles as (Blob & { name: string })[]).find(({ name }) => name === EMBEDDED_SCRIPT);
  if (embedded === undefined) throw new Error(`the executable holds no ${EMBEDDED_SCRIPT}`);
  return embedded.text();
}

/** The same sources and packages give the same text. Throws what the bundler says. */
export async function buildScript(): Promise<BuiltScript> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [ENTRY],
    target: "browser",
    format: "esm",
    minify: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const [script, ...others] = outputs;
  if (script === undefined || others.length > 0) throw new Error("the dashboard is to be one script");
  return { text: await script.text(), files: Object.keys(metafile?.inputs ?? {}).sort() };
}
