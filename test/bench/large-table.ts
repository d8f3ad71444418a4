// Draws a large table of three classes: 18 columns, of which six tell, and writes
// it with the best accuracy that any model can have.
// Usage: bun test/bench/large-table.ts OUT.csv [--rows 4000000] [--seed 3]
//   4,000,000 rows are 550 MB. The rows of another seed are new rows of the same law.
import { closeSync, openSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { Random } from "../../engine/random.ts";
import { drawNormal } from "./noisy-tables.ts";

const BLOCK_CHARS = 2 ** 20;
const CLASSES = ["basic", "gold", "plus"];
const REGIONS = 40;
const PLANS = 8;
/** How far the columns lie above chance: with it, the best model is right 70% of the time. */
const STRENGTH = 1.05;
/** The law is that of this seed, whatever the seed of the rows. */
const LAW_SEED = 7;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: "string", default: "4000000" }, seed: { type: "string", default: "3" } },
});
const [outPath] = positionals;
if (outPath === undefined) throw new Error("usage: large-table.ts OUT.csv [--rows N] [--seed N]");

const law = new Random(LAW_SEED);
const regionEffects = Array.from({ length: REGIONS }, () => CLASSES.map(() => 0.8 * drawNormal(law)));
const planTurns = Array.from({ length: PLANS }, () => 2 * Math.PI * law.nextFloat());

const TELLING = ["age", "usage", "income", "delay", "region", "plan"];
const NOISE_NUMBERS = Array.from({ length: 8 }, (_, at) => `n${at + 1}`);
const NOISE_NAMES = Array.from({ length: 4 }, (_, at) => `c${at + 1}`);

const rowCount = Number(flags.rows);
const random = new Random(Number(flags.seed));
const file = openSync(outPath, "w");
let block = `${[...NOISE_NUMBERS.slice(0, 4), ...TELLING, ...NOISE_NUMBERS.slice(4), ...NOISE_NAMES, "label"].join(",")}\n`;
let best = 0;
for (let row = 0; row < rowCount; row++) {
  block += drawLine();
  if (block.length < BLOCK_CHARS) continue;
  writeSync(file, block);
  block = "";
}
writeSync(file, block);
closeSync(file);
process.stdout.write(`${rowCount} rows; the best model is right on ${((100 * best) / rowCount).toFixed(2)}%\n`);

function drawLine(): string {
  const [age, usage, income, delay] = [0, 0, 0, 0].map(() => random.nextFloat()) as [number, number, number, number];
  const region = random.nextBelow(REGIONS);
  const plan = random.nextBelow(PLANS);
  const own = classProbabilities(age, usage, income, delay, region, plan);
  best += Math.max(...own);
  const drawn = random.nextFloat();
  const label = drawn < own[0]! ? 0 : drawn < own[0]! + own[1]! ? 1 : 2;
  const noise = NOISE_NUMBERS.map(() => (10 + 90 * random.nextFloat()).toFixed(5));
  const names = NOISE_NAMES.map((_, at) => `v${random.nextBelow(4 * 3 ** at)}`);
  const telling = [
    (18 + 72 * age).toFixed(4),
    (1000 * usage).toFixed(2),
    (20_000 + 80_000 * income).toFixed(1),
    (10 + 89 * delay).toFixed(4),
    `region${region}`,
    `plan${plan}`,
  ];
  return `${[...noise.slice(0, 4), ...telling, ...noise.slice(4), ...names, CLASSES[label]].join(",")}\n`;
}

/** Waves, a product, and a wave that turns with the plan: trees need many leaves, hence many rows, to follow these. */
function classProbabilities(
  age: number,
  usage: number,
  income: number,
  delay: number,
  region: number,
  plan: number,
): number[] {
  const turned = Math.sin(planTurns[plan]! + 2 * Math.PI * usage);
  const scores = [
    2 * Math.sin(2 * Math.PI * age) + turned,
    4 * (income - 0.5) * (delay - 0.5) * 3 + Math.cos(3 * Math.PI * usage),
    Math.sin(2 * Math.PI * (age + income)) + 2 * delay - 1 - turned,
  ].map((score, k) => Math.exp(STRENGTH * (score + regionEffects[region]![k]!)));
  const sum = scores.reduce((total, each) => total + each, 0);
  return scores.map((each) => each / sum);
}
