// CPU milliseconds for each tree of additive logistic regression on drawn codes, beside XGBoost and scikit-learn on the same.
// Usage: bun test/bench/additive-trees.ts [PYTHON]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CodedFeature } from "../../engine/buckets.ts";
import { FIRST_CODE } from "../../engine/buckets.ts";
import { AdditiveGrower } from "../../engine/families/additive-growth.ts";
import { type AdditiveSettings, additiveSettings } from "../../engine/families/additive-settings.ts";
import { Random } from "../../engine/random.ts";
import { neverStop } from "../../engine/stop-signal.ts";

const ROW_COUNT = 100_000;
const FEATURE_COUNT = 20;
const BUCKET_COUNT = 250;
const WARM_ROUNDS = 20;
const BLOCKS = 8;
const BLOCK_ROUNDS = 15;

const [python = "python3"] = process.argv.slice(2);
const random = new Random(1);
const columns = Array.from({ length: FEATURE_COUNT }, () =>
  Uint8Array.from({ length: ROW_COUNT }, () => random.nextBelow(BUCKET_COUNT)),
);
const classes = Uint8Array.from({ length: ROW_COUNT }, (_, row) => {
  const value = (column: number) => columns[column]![row]! / BUCKET_COUNT;
  const score = 4 * value(0) + 4 * value(1) * value(2) + Math.sin(8 * value(3)) + (value(4) > 0.4 ? value(5) : 0) - 3.5;
  return random.nextFloat() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
});

for (const [name, shape] of [
  ["depth 6", { maxDepth: 6, maxLeaves: 64 }],
  ["31 leaves", { maxDepth: null, maxLeaves: 31 }],
  ["depth 4", { maxDepth: 4, maxLeaves: 16 }],
  ["depth 2", { maxDepth: 2, maxLeaves: 4 }],
] as const) {
  print(`cupel ${name}: ${timeTrees({ ...additiveSettings("c31", ROW_COUNT, 2), ...shape, minLeafRows: 1 })}`);
}
comparePeers();

function timeTrees(settings: AdditiveSettings): string {
  const features = columns.map(
    (codes): CodedFeature => ({
      kind: "category",
      codes: codes.map((code) => FIRST_CODE + code),
      codeCount: FIRST_CODE + BUCKET_COUNT,
      centres: new Float64Array(0),
    }),
  );
  const rows = Uint32Array.from(classes, (_, row) => row);
  const view = { rowCount: ROW_COUNT, features };
  const grower = new AdditiveGrower({ view, rows, classes, classCount: 2, seed: 1, stop: neverStop }, settings);
  for (let round = 0; round < WARM_ROUNDS; round++) grower.addRound();
  const blocks = Array.from({ length: BLOCKS }, () => {
    const start = process.cpuUsage();
    for (let round = 0; round < BLOCK_ROUNDS; round++) grower.addRound();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / BLOCK_ROUNDS;
  }).sort((a, b) => a - b);
  return `${blocks[0]!.toFixed(1)} ms at best, ${blocks[BLOCKS / 2]!.toFixed(1)} in the middle`;
}

/** Hands the same cells to Python, one byte each, column after column, then the classes. */
function comparePeers(): void {
  const folder = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  const path = join(folder, "codes");
  writeFileSync(path, Buffer.concat([...columns, classes]));
  const script = join(import.meta.dir, "boosted_trees.py");
  const counts = [ROW_COUNT, FEATURE_COUNT, WARM_ROUNDS, BLOCKS, BLOCK_ROUNDS].map(String);
  const peers = Bun.spawnSync([python, script, path, ...counts], { env: { ...process.env, OMP_NUM_THREADS: "1" } });
  rmSync(folder, { recursive: true });
  if (peers.exitCode !== 0) throw new Error(peers.stderr.toString());
  process.stdout.write(peers.stdout);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
