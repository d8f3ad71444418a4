// `bun run kernels`: compiles the kernels to WebAssembly, as text that the engine imports and the executable embeds.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "assemblyscript/asc";

const REPOSITORY = join(import.meta.dir, "../..");
const KERNELS = ["boosting", "columns", "forest", "hidden-layer", "reading/reading", "walking"];
const FLAGS = [
  "--optimizeLevel=3",
  "--shrinkLevel=0",
  // The sources lay out memory themselves, and the tests check indexes.
  "--runtime=stub",
  "--noAssert",
  "--enable=simd",
  "--importMemory",
  "--initialMemory=1",
  "--maximumMemory=65536",
];
const LINE_LENGTH = 120;

export interface CompiledKernel {
  path: string;
  text: string;
}

/**
 * Compiles every kernel. The same sources and compiler give the same bytes. @throws Error with the compiler's message
 */
export async function compileKernels(): Promise<CompiledKernel[]> {
  return await Promise.all(
    KERNELS.map(async (name) => {
      const path = join(REPOSITORY, `engine/kernels/${name}.wasm.txt`);
      return { path, text: linesOf((await compile(`engine/kernels/${name}.ts`)).toBase64()) };
    }),
  );
}

async function compile(source: string): Promise<Uint8Array> {
  let made: Uint8Array | null = null;
  const { error, stderr } = await main([source, "--outFile=kernel.wasm", `--baseDir=${REPOSITORY}`, ...FLAGS], {
    writeFile: (_, contents) => {
      if (contents instanceof Uint8Array) made = contents;
    },
  });
  if (error !== null || made === null) throw new Error(stderr.toString());
  return made;
}

function linesOf(text: string): string {
  return `${text.match(new RegExp(`.{1,${LINE_LENGTH}}`, "g"))!.join("\n")}\n`;
}

if (import.meta.main) {
  for (const { path, text } of await compileKernels()) writeFileSync(path, text);
}
