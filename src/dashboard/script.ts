// The dashboard's script: from the executable, which holds it, or made of the sources once, in memory.
import { basename, join } from "node:path";
import type { BunPlugin } from "bun";
import { embeddedFile } from "../common/embedded.ts";

/** Its name inside the executable. */
export const EMBEDDED_SCRIPT = "dashboard.bundle";

const ENTRY = join(import.meta.dir, "../screens/main.tsx");
/** Stands in the names of the parts until it is known what is in them. */
const HASH_TO_COME = "0hash0to0come0";

/** In parts, each by a name that changes with every byte of any of them. */
export interface Script {
  /** The name of the part that the page begins with. */
  main: string;
  /** Names of parts that it needs at once; all others are loaded when a screen asks for them. */
  alsoNeeded: string[];
  texts: Record<string, string>;
}

/** The built script, and the source files that it was made of. */
export interface BuiltScript extends Script {
  /** Relative to the working directory. */
  files: string[];
}

export async function loadScript(): Promise<Script> {
  return Bun.isStandaloneExecutable ? ((await embeddedFile(EMBEDDED_SCRIPT).json()) as Script) : buildScript();
}

/**
 * A process that runs papaparse itself has the bundler find the file for
 * servers, with copies of `stream` and `buffer`: 140 kB.
 */
const papaparseForBrowsers: BunPlugin = {
  name: "papaparse for browsers",
  setup: (build) => {
    build.onResolve({ filter: /^papaparse$/ }, () => ({
      path: Bun.resolveSync("papaparse/papaparse.min.js", import.meta.dir),
    }));
  },
};

/** The same sources and packages give the same parts. Throws what the bundler says. */
export async function buildScript(): Promise<BuiltScript> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [ENTRY],
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    naming: { entry: `dashboard-${HASH_TO_COME}.js`, chunk: `dashboard-${HASH_TO_COME}-[hash].js` },
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [papaparseForBrowsers],
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const drafts = await Promise.all(
    outputs.map(async (output) => ({ name: basename(output.path), kind: output.kind, text: await output.text() })),
  );
  drafts.sort((a, b) => (a.name < b.name ? -1 : 1));
  const whole = new Bun.CryptoHasher("sha256").update(JSON.stringify(drafts)).digest("hex").slice(0, 12);
  const final = (text: string) => text.replaceAll(HASH_TO_COME, whole);
  const main = drafts.find(({ kind }) => kind === "entry-point")!.name;
  const imports = Object.entries(metafile!.outputs).find(([path]) => basename(path) === main)![1].imports;
  const atOnce = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => final(basename(path)));
  return {
    main: final(main),
    alsoNeeded: [...new Set(atOnce)].sort(),
    texts: Object.fromEntries(drafts.map(({ name, text }) => [final(name), final(text)])),
    files: Object.keys(metafile!.inputs).sort(),
  };
}
