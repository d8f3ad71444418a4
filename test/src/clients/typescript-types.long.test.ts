// The types of the client for TypeScript: those of its sources, in one file
// that a program compiles with alone; and the module.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENTS } from "../../../src/clients/clients.ts";
import { buildClient } from "../../../src/clients/typescript.ts";
import { clientTypes, TYPES_PATH } from "../../../src/packaging/clients.ts";
import { testFolder } from "../../support/folders.ts";

const REPOSITORY = join(import.meta.dir, "../../..");
const folder = testFolder();
/** A program that uses most of it. */
const PROGRAM = `import { Cupel, CupelProblem, type Model, type Progress } from "./cupel.js";
const cupel = new Cupel("http://localhost:8080", { user: "ada@example.org", password: "…" });
const seen: Progress[] = [];
export async function run(file: File, signal: AbortSignal): Promise<number> {
  const refinement = await cupel.refine(file, { label: "left", signal });
  const model: Model = await cupel.train(refinement, { onProgress: (progress) => seen.push(progress), costs: [{ actual: "yes", cost: 5 }] });
  for await (const { about } of cupel.datasets.list({ search: "customers" })) if (about.status === "FAILED") console.log(about.errorReason?.length);
  try {
    const [row] = await model.predict([{ tenure: 14, plan: null, since: new Date() }], { reasons: 3 });
    for await (const { label, row: cells } of (await model.predict("new.csv")).rows()) console.log(label, cells["plan"]);
    const { outcomes, ofVersion } = await (await cupel.predictions.get("key")).outcomes.add(["yes", null], { signal });
    if (ofVersion.state === "WORSE_THAN_PROMISED") console.log(outcomes?.accuracy?.mean.toFixed(3), ofVersion.since);
    const successor = await cupel.trainSuccessor(model, { oldRows: 500, promote: "WHEN_BETTER", signal });
    if (successor.comparison.outcome === "CHALLENGER_BETTER") await successor.promote();
    for await (const { about } of cupel.successors.of(model)) console.log(about.comparison?.statements.join(" "));
    await model.export("onnx").save("model.onnx");
    return row?.probabilities["yes"] ?? 0;
  } catch (error) {
    if (error instanceof CupelProblem && error.code === "COLUMN_MISMATCH") return error.line ?? -1;
    throw error;
  }
}
`;
/** Each line of it is a mistake. */
const MISTAKES = [
  'new Cupel("http://localhost:8080");',
  'new Cupel("http://localhost:8080", { key: "x" }).train("a.csv", { lable: "y" });',
  'new Cupel("http://localhost:8080", { key: "x" }).models.get(3);',
  'new Cupel("http://localhost:8080", { key: "x" }).successors.start("key");',
  "new CupelProblem({});".replace("({})", "(1, 2, 3)"),
];

function compile(files: Record<string, string>, settings: object): { code: number; said: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: "ES2022",
    module: "ESNext",
    ...settings,
  };
  const { include } = { include: Object.keys(files) };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "x", "tsc", "-p", folder], { cwd: REPOSITORY });
  return { code: exitCode, said: stdout.toString() };
}

const BROWSER = { lib: ["ES2022", "DOM"], types: [], moduleResolution: "bundler" };

describe("the types", () => {
  test("are those of the sources", async () => {
    expect(readFileSync(TYPES_PATH, "utf8") === (await clientTypes()), "run `bun run clients`").toBe(true);
  });

  test("are all that a program needs", () => {
    const files = { "cupel.d.ts": CLIENTS["cupel.d.ts"].text(), "program.ts": PROGRAM };
    const ofBun = { lib: ["ES2022"], types: ["bun-types"], typeRoots: [join(REPOSITORY, "node_modules")] };
    for (const settings of [
      { ...ofBun, moduleResolution: "bundler", skipLibCheck: true },
      BROWSER,
      { ...BROWSER, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ]) {
      expect(compile(files, settings)).toEqual({ code: 0, said: "" });
    }
  });

  test.each(MISTAKES)("find a mistake: %s", (mistake) => {
    const files = {
      "cupel.d.ts": CLIENTS["cupel.d.ts"].text(),
      "program.ts": `import { Cupel, CupelProblem } from "./cupel.js";\n${mistake}\nconsole.log(Cupel, CupelProblem);\n`,
    };
    expect(compile(files, BROWSER).said).toMatch(/program\.ts\(2,\d+\): error/);
  });
});

describe("the module", () => {
  test("needs nothing but Node's files, which no browser asks for", async () => {
    const { text, files } = await buildClient();
    expect(files.filter((path) => !path.startsWith("src/clients/typescript/"))).toEqual([]);
    const imports = [...text.matchAll(/\bimport\s*(?:\(|[^\n]*from)\s*"([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(imports.filter((name) => name !== "./cupel.js"))).toEqual(new Set(["node:fs", "node:fs/promises"]));
    expect(text).toMatch(/\nexport \{\s*Cupel,\s*CupelProblem\s*\};\s*$/);
    expect(text).not.toMatch(/\/(tmp|home|root|work)\//);
  });

  test("is the same wherever it is built", async () => {
    const elsewhere = [
      process.execPath,
      "-e",
      `import { buildClient } from "${REPOSITORY}/src/clients/typescript.ts"; process.stdout.write((await buildClient()).text);`,
    ];
    const { stdout } = Bun.spawnSync(elsewhere, { cwd: folder });
    expect(stdout.toString()).toBe((await buildClient()).text);
  });
});
