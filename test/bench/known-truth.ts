// What small tables' figures are worth: runs on drawn tables, whose truth many fresh
// rows tell. Each rule draws RUNS tables of each size.
// Usage: bun test/bench/known-truth.ts RESULTS.jsonl RUNS ROWS… [--cupel PROGRAM] [--optimise MEASURE]
// With MEASURE (balanced-accuracy or f1) the figures are of that, and one rule more has a rare class.
// A line of RESULTS that is there is not made again.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Estimate, emptyConfusion } from "../../engine/judging/metrics.ts";
import { achieved, type Objective } from "../../engine/judging/objective.ts";
import { deriveSeed, Random } from "../../engine/random.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { drawNormal } from "./noisy-tables.ts";
import { meanOf, printRow as print, programOf, readResults, readTable, runToEnd, writeTable } from "./outer-split.ts";

const FRESH_ROWS = 4_000;
/** Exit codes of runs that kept a model, be it no better than guessing. */
const USABLE_ENDS = [0, 4];
/** Rules stay as they are from run to run. */
const RULE_DRAW = 1;
const ROW_DRAW = 2;

interface Line {
  rule: string;
  rows: number;
  run: number;
  /** The kept model achieves this on the fresh rows. */
  truth: number;
  published: number;
  confirmed: Estimate;
}

/** Draws a row's cells, the label last. */
type Rule = (fixed: Random) => (random: Random) => string[];

const numbers = (random: Random, count: number) => Array.from({ length: count }, () => drawNormal(random));
const shown = (values: readonly number[]) => values.map((value) => value.toFixed(4));
const chance = (random: Random, share: number) => random.nextBelow(1_000_000) < share * 1_000_000;

const RULES: Readonly<Record<string, Rule>> = {
  linear(fixed) {
    const weights = numbers(fixed, 6);
    return (random) => {
      const x = numbers(random, 12);
      const score = weights.reduce((sum, weight, i) => sum + 0.9 * weight * x[i]!, 0);
      return [...shown(x), chance(random, 1 / (1 + Math.exp(-score))) ? "yes" : "no"];
    };
  },
  "ten classes"(fixed) {
    const centres = Array.from({ length: 10 }, () => numbers(fixed, 20).map((value) => 0.75 * value));
    return (random) => {
      const code = random.nextBelow(10);
      return [...shown(numbers(random, 20).map((value, i) => value + centres[code]![i]!)), `c${code}`];
    };
  },
  mixed(fixed) {
    const effects = Array.from({ length: 4 }, () => numbers(fixed, 5).map((value) => 0.9 * value));
    return (random) => {
      const x = numbers(random, 6);
      const codes = effects.map(() => random.nextBelow(5));
      const own = codes.reduce((sum, code, i) => sum + effects[i]![code]!, 0);
      const score = 1.3 * x[0]! * x[1]! + 1.2 * Math.abs(x[2]!) + x[3]! + own + 0.7 * drawNormal(random);
      const cells = shown(x).map((cell) => (chance(random, 0.08) ? "" : cell));
      return [...cells, ...codes.map((code) => `v${code}`), score > 2.2 ? "high" : score > 0 ? "mid" : "low"];
    };
  },
  digits() {
    const segments = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011"];
    return (random) => {
      const digit = random.nextBelow(segments.length);
      const lit = [...segments[digit]!].map((bit) => (chance(random, 0.15) ? 1 - Number(bit) : Number(bit)));
      return [...lit, ...Array.from({ length: 5 }, () => random.nextBelow(2))]
        .map((bit) => `b${bit}`)
        .concat(`d${digit}`);
    };
  },
  waves() {
    return (random) => {
      const x = Array.from({ length: 5 }, () => random.nextBelow(1_000_000) / 500_000 - 1);
      const isIn = Math.sin(3 * x[0]!) * Math.cos(3 * x[1]!) + 0.5 * x[2]! > 0;
      return [...shown(x), isIn !== chance(random, 0.1) ? "in" : "out"];
    };
  },
  rare(fixed) {
    const weights = numbers(fixed, 4);
    return (random) => {
      const x = numbers(random, 8);
      const score = weights.reduce((sum, weight, i) => sum + weight * x[i]!, -4);
      return [...shown(x), chance(random, 1 / (1 + Math.exp(-score))) ? "yes" : "no"];
    };
  },
};

const options = { cupel: { type: "string" }, optimise: { type: "string", default: "accuracy" } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const objective = values.optimise as Exclude<Objective, "cost">;
const rules = Object.keys(RULES).filter((rule) => objective !== "accuracy" || rule !== "rare");
const [resultsPath = "", runs = "10", ...sizes] = positionals;
const work = mkdtempSync(join(tmpdir(), "cupel-truth-"));
const lines = readResults<Line>(resultsPath);
for (const rows of sizes.map(Number)) {
  for (const [place, rule] of rules.entries()) {
    for (let run = 0; run < Number(runs); run++) {
      if (lines.some((line) => line.rule === rule && line.rows === rows && line.run === run)) continue;
      const line: Line = { rule, rows, run, ...(await judge(rule, place, rows, run)) };
      lines.push(line);
      appendFileSync(resultsPath, `${JSON.stringify(line)}\n`);
    }
  }
}
rmSync(work, { recursive: true });
report();

async function judge(rule: string, place: number, rows: number, run: number) {
  const draw = RULES[rule]!(new Random(deriveSeed(RULE_DRAW, place)));
  const random = new Random(deriveSeed(ROW_DRAW, place, rows, run));
  const records = Array.from({ length: rows + FRESH_ROWS }, () => draw(random));
  const header = records[0]!.map((_, i) => (i === records[0]!.length - 1 ? "label" : `x${i}`));
  const [trainPath, freshPath, out] = [join(work, "train.csv"), join(work, "fresh.csv"), join(work, "out")];
  writeTable(trainPath, header, records.slice(0, rows));
  writeTable(freshPath, header, records.slice(rows));
  const asked = ["--no-refine", "--workers", "1", "--optimise", objective];
  const command = [...programOf(values.cupel), "run", trainPath, ...asked, "--predict", freshPath, "--out", out];
  await runToEnd(command, {}, USABLE_ENDS);
  const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  const decided = readTable(join(out, "predictions-fresh.csv")).records;
  const labels = summary.classes.map(({ label }) => label);
  const confusion = emptyConfusion(labels.length);
  for (const cells of decided) {
    const [actual, answer] = [header.length - 1, header.length].map((at) => labels.indexOf(cells[at]!));
    confusion[actual!]![answer!]!++;
  }
  const { score, objectiveConfirmed } = summary.versions[0]!;
  return { truth: achieved(objective, confusion), published: score, confirmed: objectiveConfirmed! };
}

function report(): void {
  const gaps = ["published less truth", "confirmed less truth"];
  print(["rows", "runs", "truth", ...gaps, "interval holds the truth", "half its width"]);
  print(Array.from({ length: 7 }, () => "---"));
  for (const rows of [...new Set(lines.map((line) => line.rows)), null]) {
    const own = lines.filter((line) => rows === null || line.rows === rows);
    const points = (figure: (line: Line) => number) => {
      const each = own.map((line) => 100 * figure(line));
      const mean = meanOf(each);
      const variance = each.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (each.length - 1);
      return { mean: mean.toFixed(1), error: Math.sqrt(variance / each.length).toFixed(1) };
    };
    const gap = (figure: (line: Line) => number) => {
      const { mean, error } = points((line) => figure(line) - line.truth);
      return `${mean} ± ${error}`;
    };
    const held = own.filter(({ truth, confirmed: { low, high } }) => low <= truth && truth <= high).length;
    print([
      ...[rows ?? "all", own.length, points(({ truth }) => truth).mean],
      ...[gap(({ published }) => published), gap(({ confirmed }) => confirmed.mean)],
      ...[
        `${((100 * held) / own.length).toFixed(0)}%`,
        points(({ confirmed }) => (confirmed.high - confirmed.low) / 2).mean,
      ],
    ]);
  }
}
