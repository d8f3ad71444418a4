// Accuracy, log-loss and seconds of the naive-Bayes family on real tables: three random 70/30 splits each.
// Usage: bun test/bench/bayes-family.ts FOLDER-OF-CSV-FILES [ROWS]   (label in
// the last column; ROWS of a table at most, 14,300)
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { scoreNetworks } from "../../engine/bayes/bayes-networks.ts";
import { fitNaiveBayes, type NaiveBayesSettings } from "../../engine/bayes/naive-bayes.ts";
import { fitAode, fitDependence } from "../../engine/bayes/naive-bayes-networks.ts";
import { fitPairedBayes } from "../../engine/bayes/naive-bayes-pairs.ts";
import type { FitInput } from "../../engine/fitting/family.ts";
import { scorePaired } from "../../engine/fitting/pair-columns.ts";
import { scoreTables } from "../../engine/fitting/score-tables.ts";
import { judge } from "../../engine/judging/metrics.ts";
import { deriveSeed, Random, shuffle } from "../../engine/random.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { type CodedView, codeTable, FINE_BUCKETS, fitBuckets, mergeBuckets } from "../../engine/table/buckets.ts";
import { mergeByLabel } from "../../engine/table/label-cuts.ts";
import type { Table } from "../../engine/table/table.ts";
import { readTable } from "../../workers/reading/read-table.ts";

type Scoring = (view: CodedView, rows: Uint32Array, out: Float64Array) => void;

interface Entrant {
  name: string;
  buckets: "fine" | "label" | number;
  fit(input: FitInput): Scoring;
}

const SPLITS = 3;
const SEED = 7;
const aode = { parentCount: 10, leastParentRows: 1, smoothing: 1 };

const entrants: Entrant[] = [
  { name: "plain", buckets: 20, fit: additive("plain") },
  { name: "weighted", buckets: 20, fit: additive("weighted") },
  { name: "weighted, label cuts", buckets: "label", fit: additive("weighted") },
  { name: "joint columns", buckets: 10, fit: fitPairs },
  { name: "AODE", buckets: "fine", fit: fitGeometric },
  { name: "k-dependence", buckets: "fine", fit: fitTwelve },
];

const [folder, most = "14300"] = process.argv.slice(2);
if (folder === undefined) throw new Error("name a folder of CSV files");
print(`| table | rows | classes | ${entrants.map(({ name }) => name).join(" | ")} |`);
print(`|---|---|---|${entrants.map(() => "---|").join("")}`);
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".csv"))
  .sort())
  compare(join(folder, file), Number(most));

function compare(path: string, mostRows: number): void {
  const { table } = readTable({ path, label: null, missingMarkers: null }, neverStop);
  const sums = entrants.map(() => ({ accuracy: 0, logLoss: 0, seconds: 0 }));
  for (let split = 0; split < SPLITS; split++) {
    const order = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
    shuffle(order, new Random(deriveSeed(SEED, split)));
    const used = Math.min(mostRows, order.length);
    const learning = order.slice(0, Math.round(0.7 * used)).sort();
    const judging = order.slice(learning.length, used).sort();
    for (const [index, entrant] of entrants.entries()) {
      const { accuracy, logLoss, seconds } = scoreOne(table, entrant, learning, judging, split);
      sums[index]!.accuracy += accuracy / SPLITS;
      sums[index]!.logLoss += logLoss / SPLITS;
      sums[index]!.seconds += seconds / SPLITS;
    }
  }
  const cells = sums.map(
    ({ accuracy, logLoss, seconds }) =>
      `${(100 * accuracy).toFixed(1)} (${logLoss.toFixed(2)}, ${seconds.toFixed(2)} s)`,
  );
  print(`| ${basename(path, ".csv")} | ${table.rowCount} | ${table.labels.length} | ${cells.join(" | ")} |`);
}

function scoreOne(table: Table, { buckets, fit }: Entrant, learning: Uint32Array, judging: Uint32Array, seed: number) {
  const fine = fitBuckets(table, learning, FINE_BUCKETS);
  const merged = buckets === "label" ? mergeByLabel(table, learning, fine) : fine;
  const view = codeTable(table, typeof buckets === "number" ? mergeBuckets(fine, buckets) : merged);
  const { classes, labels } = table;
  const start = performance.now();
  const score = fit({ view, rows: learning, classes, classCount: labels.length, seed, stop: neverStop });
  const seconds = (performance.now() - start) / 1000;
  const out = new Float64Array(judging.length * labels.length);
  score(view, judging, out);
  return { ...judge(out, { rows: judging, classes, classCount: labels.length }), seconds };
}

function additive(variant: NaiveBayesSettings["variant"]): Entrant["fit"] {
  return (input) => {
    const model = fitNaiveBayes(input, { variant, smoothing: 1 });
    return (view, rows, out) => scoreTables(model, view, rows, out);
  };
}

function fitPairs(input: FitInput): Scoring {
  const model = fitPairedBayes(input, { pairCount: 30, smoothing: 1 });
  return (view, rows, out) => scorePaired(model, view, rows, out);
}

function fitGeometric(input: FitInput): Scoring {
  const model = fitAode(input, { ...aode, pooling: "geometric" });
  return (view, rows, out) => scoreNetworks(model, view, rows, out);
}

function fitTwelve(input: FitInput): Scoring {
  const model = fitDependence(input, { memberCount: 12, smoothing: 10 });
  return (view, rows, out) => scoreNetworks(model, view, rows, out);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
