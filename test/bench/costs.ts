// Mean cost on new rows, over ten 70/30 splits, beside scikit-learn with a tuned threshold: bun test/bench/costs.ts
// TABLE LABEL COST credit_g with its authors' costs: bun test/bench/costs.ts test/fixtures/tables/credit_g.csv bad 5
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dealTable, meanOf, readTable, runToEnd } from "./outer-split.ts";

const SPLITS = 10;
const [path = "test/fixtures/tables/credit_g.csv", label = "bad", cost = "5"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-costs-"));
const figures = new Map<string, number[]>();

function note(name: string, figure: number): void {
  figures.set(name, [...(figures.get(name) ?? []), figure]);
}

for (let split = 0; split < SPLITS; split++) {
  const { trainPath, testPath } = dealTable(path, split, folder);
  const out = join(folder, "out");
  const asked = ["--cost", `${label}=${cost}`, "--predict", testPath, "--out", out];
  await runToEnd(["bun", "src/main.ts", "run", trainPath, ...asked], {}, [0, 4]);
  note("Cupel", meanCost(join(out, "predictions-test.csv")));
  rmSync(out, { recursive: true });
  const script = join(import.meta.dir, "costs_peers.py");
  const peers = JSON.parse((await runToEnd(["/usr/bin/python3", script, trainPath, testPath, label, cost])).output);
  for (const [model, each] of Object.entries(peers as Record<string, Record<string, number>>)) {
    for (const [way, figure] of Object.entries(each)) note(`${model}, threshold ${way}`, figure);
  }
  process.stderr.write(`${split + 1} of ${SPLITS} splits\n`);
}
rmSync(folder, { recursive: true });
for (const [name, own] of figures) {
  process.stdout.write(`${meanOf(own).toFixed(4)}  ${name}  (${own.map((figure) => figure.toFixed(3)).join(" ")})\n`);
}

function meanCost(predictions: string): number {
  const { header, records } = readTable(predictions);
  const decided = header.indexOf("prediction");
  const costs = records.map((record) => {
    const truth = record[decided - 1]!;
    if (truth === record[decided]) return 0;
    return truth === label ? Number(cost) : 1;
  });
  return meanOf(costs);
}
