// `bun run clients`: the types of the client for TypeScript as one file, which the executable embeds.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REPOSITORY = join(import.meta.dir, "../..");
const FOLDER = join(REPOSITORY, "src/clients/typescript");
const ENTRY = "cupel";
/** The declarations that a program sees, each after those it names. */
const PARTS = [
  ...["connection", "problem", "csv", "tables", "waiting", "answers", "lists", "resource", "download", "outcomes"],
  ...["prediction", "model", "dataset", "refinement", "training", "successor", ENTRY],
];
/** Programs construct these; other classes reach them as instances only. */
const VALUES = ["Cupel", "CupelProblem"];
/** Programs see only these names of these files. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  connection: ["AskOptions", "CupelOptions"],
  csv: ["Cell", "Row"],
  problem: ["FieldProblem", "CupelProblem"],
  tables: ["Table"],
  waiting: ["Progress", "WaitOptions"],
  dataset: ["JudgingOptions", "ColumnChoice", "DatasetOptions", "Dataset", "Datasets"],
};
const OPENING = "// Types of Cupel's client for TypeScript, cupel.js. Made by `bun run clients`.\n";

export const TYPES_PATH = join(FOLDER, "cupel.d.ts.txt");

/** The same sources and compiler give the same text. @throws Error with the compiler's message */
export async function clientTypes(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-types-"));
  try {
    const settings = {
      extends: join(REPOSITORY, "tsconfig.json"),
      compilerOptions: {
        ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true },
        ...{ outDir: join(folder, "out"), rootDir: FOLDER, typeRoots: [join(REPOSITORY, "node_modules")] },
      },
      include: [],
      exclude: [],
      files: [join(FOLDER, `${ENTRY}.ts`)],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const child = Bun.spawn([process.execPath, "x", "tsc", "-p", folder], {
      cwd: REPOSITORY,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, code] = await Promise.all([child.stdout.text(), child.exited]);
    if (code !== 0) throw new Error(said);
    const texts = PARTS.map((part) => declarationsOf(readFileSync(join(folder, "out", `${part}.d.ts`), "utf8"), part));
    return `${OPENING}\n${typesOnly(texts.join("\n"))}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file's types and classes that a program sees, without what ties it to the other files. */
function declarationsOf(text: string, part: string): string {
  const blocks = text.split(/\n(?=export |declare |interface |type |import |\/\*\*\n|\/\*\* )/);
  // A comment goes with what follows it.
  const commentedBlocks: string[] = [];
  for (const block of blocks) {
    const last = commentedBlocks.at(-1);
    if (last?.trimEnd().endsWith("*/")) commentedBlocks[commentedBlocks.length - 1] = `${last}\n${block}`;
    else commentedBlocks.push(block);
  }
  const seen = SEEN[part];
  const isSeen = (block: string) => {
    const [, name] = /^export (?:declare )?(?:abstract )?(?:class|interface|type) (\w+)/m.exec(block) ?? [];
    return name !== undefined && (seen === undefined || seen.includes(name));
  };
  return `${commentedBlocks
    .filter(isSeen)
    .map((block) => block.trim())
    .join("\n")}\n`;
}

/** The module has no such classes to make, so the types must not say so. */
function typesOnly(text: string): string {
  const names: string[] = [];
  const declared = text.replace(/^export (declare (?:abstract )?class (\w+))/gm, (whole, declaration, name) => {
    if (VALUES.includes(name)) return whole;
    names.push(name);
    return declaration;
  });
  return `${declared}\nexport type { ${names.sort().join(", ")} };\n`;
}

if (import.meta.main) writeFileSync(TYPES_PATH, await clientTypes());
