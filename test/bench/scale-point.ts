// One point of a scale curve as a process of its own: draws its table, does one piece
// of work once, prints the seconds that took as JSON.
// Usage: bun test/bench/scale-point.ts KERNEL SHAPE-AS-JSON [CSV-FILE];
// KERNEL "draw" writes the file that "reading" reads

import { boostingSettings } from "../../engine/boosting/boosting-settings.ts";
import { type BaseSettings, fitBase, scoreBase } from "../../engine/families/base-algorithms.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../engine/table/buckets.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { drawTable, drawView, writeScaleCsv } from "./scale-data.ts";
import { BUCKETING, READING, SCORING, type Shape } from "./scale-plan.ts";

const TREES = 10;
const ROUNDS = 10;
const ITERATIONS = 10;
/** Rows that a model learns from that is then timed at scoring: it is the same for all larger tables. */
const MODEL_ROWS = 10_000;
const SEED = 1;

const [kernel = "", shapeText = "", path = ""] = process.argv.slice(2);
const shape: Shape = JSON.parse(shapeText);
if (kernel === "draw") writeScaleCsv(path, shape);
else process.stdout.write(JSON.stringify(timed(workOf(kernel))));

/** Processor time is that of all threads of the process: compiler and collector too. */
function timed(work: () => void): { wallSeconds: number; cpuSeconds: number } {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(startCpu);
  return { wallSeconds: (performance.now() - startMs) / 1e3, cpuSeconds: (user + system) / 1e6 };
}

/** What is to be timed; everything that it needs is made before. */
function workOf(name: string): () => void {
  if (name === READING) return () => readTable({ path, label: null, missingMarkers: null }, neverStop);
  if (name === BUCKETING) {
    const table = drawTable(shape);
    const rows = firstRows(shape.rows);
    return () => codeTable(table, fitBuckets(table, rows, shape.buckets));
  }
  const { view, classes } = drawView(shape);
  const input = { view, classes, classCount: shape.classes, seed: SEED, stop: neverStop };
  if (!name.startsWith(SCORING)) {
    const rows = firstRows(shape.rows);
    return () => fitBase(settingsOf(name, shape.rows), { ...input, rows });
  }
  const learned = Math.min(MODEL_ROWS, shape.rows);
  const model = fitBase(settingsOf(name.slice(SCORING.length), learned), { ...input, rows: firstRows(learned) });
  const rows = firstRows(shape.rows);
  return () => scoreBase(model, view, rows);
}

function settingsOf(name: string, rowCount: number): BaseSettings {
  switch (name) {
    case "forest": {
      const limits = { minLeafRows: 1, maxDepth: null, rowsPerTree: null };
      const featuresPerSplit = Math.floor(Math.sqrt(shape.columns));
      return { algorithm: "forest", variant: "forest", treeCount: TREES, featuresPerSplit, ...limits };
    }
    case "boosted trees": {
      const settings = boostingSettings("c31", rowCount, shape.classes);
      return { algorithm: "additive logistic regression", ...settings, roundCount: ROUNDS };
    }
    case "logistic regression":
      return { algorithm: "logistic regression", basis: "one-hot", l2: 1, maxIterations: ITERATIONS };
    case "naive Bayes":
      return { algorithm: "naive Bayes", variant: "plain", smoothing: 1 };
    default:
      throw new Error(`there is no kernel "${name}"`);
  }
}

function firstRows(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row);
}
