// Each family's fit and scoring on one drawn table beside that of scikit-learn, XGBoost,
// ranger, the ml-* packages and C, one thread each, each a process of its own, one after the
// other in one run. What is not installed is named and left out.
// Usage: bun test/bench/kernels.ts [--rows N] [--buckets N] [--trees N] [--python PYTHON] [--only KERNEL,…]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeKernelData } from "./kernel-data.ts";

interface Figures {
  fitSeconds: number;
  /** Rows that were learned from: a bounded sample in the ml-* packages. */
  fittedRows: number;
  scoreSeconds: number;
  accuracy: number;
  logLoss: number;
}

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    buckets: { type: "string", default: "20" },
    trees: { type: "string", default: "100" },
    python: { type: "string", default: "python3" },
    only: { type: "string" },
  },
});

const OWN = "Cupel";
/**
 * Runs these loops in C, compiled for any processor of the kind, as the WebAssembly is, and for this one alone.
 */
const NATIVE: Readonly<Record<string, readonly string[]>> = {
  "C, gcc -O3": ["-O3"],
  "C, gcc -O3 -march=native": ["-O3", "-march=native"],
};
const KERNELS: Readonly<Record<string, readonly string[]>> = {
  forest: [OWN, ...Object.keys(NATIVE), "scikit-learn", "XGBoost", "ranger", "ml-random-forest"],
  "extra-trees": [OWN, "scikit-learn", "ranger"],
  "boosted trees": [OWN, "scikit-learn", "XGBoost"],
  "logistic regression": [OWN, "scikit-learn", "ml-logistic-regression"],
  "naive Bayes": [OWN, "scikit-learn", "ml-naivebayes"],
};
const TEST_SHARE = 0.5;
const trainRows = Number(values.rows);
const data = { trainRows, testRows: TEST_SHARE * trainRows, featureCount: 20, bucketCount: Number(values.buckets) };
const only = values.only?.split(",");

const folder = mkdtempSync(join(tmpdir(), "cupel-kernels-"));
const path = join(folder, "codes");
writeKernelData(path, data);
print(
  `${trainRows} rows × ${data.featureCount} numbers, ${data.bucketCount} buckets (scikit-learn's forests and ranger: none), two classes, ${values.trees} trees, one thread; ` +
    `accuracy and log-loss on ${data.testRows} other rows.\n`,
);
print(
  "| kernel | tool | fit s | rows fitted /s | × of ours | scored rows /s | × of ours | peak MB | accuracy | log-loss |",
);
print("|---|---|---|---|---|---|---|---|---|---|");
const absent: string[] = [];
for (const [kernel, tools] of Object.entries(KERNELS)) {
  if (only !== undefined && !only.includes(kernel)) continue;
  let own: Figures | null = null;
  for (const tool of tools) {
    const measured = await measure(kernel, tool);
    if (measured === null) continue;
    if (tool === OWN) own = measured.figures;
    print(rowOf(kernel, tool, measured.figures, measured.peakMb, own!));
  }
}
for (const line of new Set(absent)) print(`\n${line}`);
rmSync(folder, { recursive: true });

async function measure(kernel: string, tool: string): Promise<{ figures: Figures; peakMb: number } | null> {
  const counts = [trainRows, data.testRows, data.featureCount, data.bucketCount, values.trees].map(String);
  const [program = "", ...scripts] = await commandOf(tool);
  if (Bun.which(program) === null) {
    absent.push(`${tool} is left out: there is no ${program}.`);
    return null;
  }
  const child = Bun.spawn([program, ...scripts, path, kernel, tool, ...counts], {
    env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [answer, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) {
    const isAbsent = /No module named|there is no package called/.test(errors);
    if (!isAbsent && tool === OWN) throw new Error(errors);
    const reason = isAbsent ? "it is not installed" : (errors.trim().split("\n").at(-1) ?? "it failed");
    absent.push(`${tool} is left out: ${reason}.`);
    return null;
  }
  return { figures: JSON.parse(answer) as Figures, peakMb: (child.resourceUsage()?.maxRSS ?? 0) / 1e6 };
}

async function commandOf(tool: string): Promise<string[]> {
  const script = (name: string) => join(import.meta.dir, name);
  if (tool === "ranger") return ["Rscript", script("kernel_ranger.R")];
  if (tool === "scikit-learn" || tool === "XGBoost") return [values.python, script("kernel_peers.py")];
  const flags = NATIVE[tool];
  if (flags === undefined) return [process.execPath, script("kernel-own.ts")];
  if (Bun.which("gcc") === null) return ["gcc"];
  const program = join(folder, "native");
  await Bun.$`gcc ${flags} -o ${program} ${script("kernel_native.c")} -lm`;
  return [program];
}

/** "× of ours": how many times as long as ours it takes a row. */
function rowOf(kernel: string, tool: string, figures: Figures, peakMb: number, own: Figures): string {
  const fitted = figures.fittedRows / figures.fitSeconds;
  const scored = data.testRows / figures.scoreSeconds;
  const ratio = (ours: number, theirs: number) => (tool === OWN ? "" : (ours / theirs).toFixed(tool in NATIVE ? 2 : 1));
  const sample = figures.fittedRows === trainRows ? "" : ` (${figures.fittedRows} rows)`;
  return `| ${[
    kernel,
    tool + sample,
    figures.fitSeconds.toFixed(2),
    Math.round(fitted),
    ratio(own.fittedRows / own.fitSeconds, fitted),
    Math.round(scored),
    ratio(data.testRows / own.scoreSeconds, scored),
    peakMb.toFixed(0),
    (100 * figures.accuracy).toFixed(1),
    figures.logLoss.toFixed(4),
  ].join(" | ")} |`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
