// Mean cost on new rows, over ten 70/30 splits, beside scikit-learn with a tuned threshold: bun test/bench/costs.ts
// TABLE LABEL COST credit_g with its authors' costs: bun test/bench/costs.ts test/fixtures/tables/credit_g.csv bad 5
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dealRows, readTable, writeTable } from "./outer-split.ts";

const SPLITS = 10;
const [path = "test/fixtures/tables/credit_g.csv", label = "bad", cost = "5"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-costs-"));
const [train, test] = [join(folder, "train.csv"), join(folder, "test.csv")];
const figures = new Map<string, number[]>();

function note(name: string, figure: number): void {
  figures.set(name, [...(figures.get(name) ?? []), figure]);
}

function read(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0 && exitCode !== 4) throw new Error(stderr.toString());
  return stdout.toString();
}

const { header, records } = readTable(path);
for (let split = 0; split < SPLITS; split++) {
  const [learning, judging] = dealRows(records, split);
  writeTable(train, header, learning);
  writeTable(test, header, judging);
  const out = join(folder, "out");
  read(["bun", "src/main.ts", "run", train, "--cost", `${label}=${cost}`, "--predict", test, "--out", out]);
  note("Cupel", meanCost(join(out, "predictions-test.csv")));
  rmSync(out, { recursive: true });
  const peers = JSON.parse(
    read(["/usr/bin/python3", join(import.meta.dir, "costs_peers.py"), train, test, label, cost]),
  );
  for (const [model, each] of Object.entries(peers as Record<string, Record<string, number>>)) {
    for (const [way, figure] of Object.entries(each)) note(`${model}, threshold ${way}`, figure);
  }
  process.stderr.write(`${split + 1} of ${SPLITS} splits\n`);
}
rmSync(folder, { recursive: true });
for (const [name, own] of figures) {
  const mean = own.reduce((sum, figure) => sum + figure, 0) / own.length;
  process.stdout.write(`${mean.toFixed(4)}  ${name}  (${own.map((figure) => figure.toFixed(3)).join(" ")})\n`);
}

function meanCost(predictions: string): number {
  const { header, records } = readTable(predictions);
  const decided = header.indexOf("prediction");
  const costs = records.map((record) => {
    const truth = record[decided - 1]!;
    if (truth === record[decided]) return 0;
    return truth === label ? Number(cost) : 1;
  });
  return costs.reduce((sum, own) => sum + own, 0) / costs.length;
}
