// Bundles the program: the only place that knows the bundler's entries and flags.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { buildClient, EMBEDDED_CLIENT } from "../clients/typescript.ts";
import { buildScript, EMBEDDED_SCRIPT, type Script } from "../dashboard/script.ts";
import { buildReader, EMBEDDED_READER } from "../exporting/javascript.ts";

const REPOSITORY = join(import.meta.dir, "../..");
const ENTRIES = ["src/main.ts", "workers/worker.ts"];
// Never minified: Elysia reads the source text of handlers. `supports-color` is an optional part
// of `debug`, and installed for tools of development alone.
const FLAGS = [
  ...["--define", 'process.env.NODE_ENV="production"', "--splitting", "--format=esm"],
  ...["--external", "supports-color"],
];
const COMPILE_FLAGS = [
  "--compile",
  "--bytecode",
  // Otherwise a .env or bunfig.toml in the working directory would be obeyed, and that can run code.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];
/** The bundler writes this name into the file. It is fixed, so that the bytes do not depend on the final name. */
const NAME_WHILE_COMPILING = "cupel";

/** The runtime of another machine: a file of Bun, and the bundler's name of the target. */
export interface ForeignRuntime {
  target: string;
  path: string;
}

/**
 * Makes the executable, for this machine unless a runtime is given. The same sources,
 * packages and Bun give the same bytes, in any folder.
 *
 * @throws Error with the bundler's message
 */
export async function compileExecutable(outfile: string, runtime: ForeignRuntime | null = null): Promise<void> {
  mkdirSync(dirname(outfile), { recursive: true });
  const folder = mkdtempSync(join(dirname(outfile), ".compiling-"));
  const foreign = runtime === null ? [] : [`--target=${runtime.target}`, `--compile-executable-path=${runtime.path}`];
  const outFile = join(folder, "made");
  const script = join(folder, EMBEDDED_SCRIPT);
  const reader = join(folder, EMBEDDED_READER);
  const client = join(folder, EMBEDDED_CLIENT);
  try {
    mkdirSync(outFile);
    const { main, alsoNeeded, texts } = await buildScript();
    writeFileSync(script, JSON.stringify({ main, alsoNeeded, texts } satisfies Script));
    writeFileSync(reader, (await buildReader()).text);
    writeFileSync(client, (await buildClient()).text);
    const assets = [script, reader, client].map((path) => `--asset=${path}`);
    await bundle([...COMPILE_FLAGS, ...foreign, ...assets, "--outfile", join(outFile, NAME_WHILE_COMPILING)]);
    // Its name ends in .exe if it is for Windows.
    renameSync(join(outFile, readdirSync(outFile)[0]!), outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every file that goes into the executable, relative to the repository. */
export async function bundledFiles(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-bundle-"));
  const list = join(folder, "list.json");
  try {
    await bundle(["--target=bun", "--outdir", join(folder, "out"), `--metafile=${list}`]);
    const { inputs } = JSON.parse(readFileSync(list, "utf8")) as { inputs: Record<string, unknown> };
    const built = [...(await buildScript()).files, ...(await buildReader()).files, ...(await buildClient()).files];
    return [...new Set([...Object.keys(inputs), ...built.map((path) => relative(REPOSITORY, path))])].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function bundle(flags: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, "build", ...FLAGS, ...flags, ...ENTRIES], {
    cwd: REPOSITORY,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [, complaint, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`the bundler ended with ${code}: ${complaint.trim()}`);
}
