// How many instructions the kernels execute to grow trees and fit regressions on drawn tables, to walk rows down some
// trees, and to read tables: the same numbers on every machine, where seconds are not. What waits for memory or for a
// division does not show here: that is the bench's work. A process of its own, because it replaces the kernels by
// counting ones; prints the numbers by workload as JSON. Usage: bun test/support/kernel-instructions.ts

import { BoostingGrower } from "../../engine/boosting/boosting-growth.ts";
import type { BoostingSettings } from "../../engine/boosting/boosting-settings.ts";
import { readCsv } from "../../engine/csv/read.ts";
import { fillFromLogs } from "../../engine/filling/logged-levels.ts";
import { ownRecords, TableFiller } from "../../engine/filling/table-filler.ts";
import { layOutTable } from "../../engine/filling/table-frame.ts";
import { fitHiddenLayer, type HiddenLayerSettings } from "../../engine/logistic/hidden-layer-fit.ts";
import { fitLogisticRegression, type LogisticSettings } from "../../engine/logistic/logistic-regression.ts";
import { labelledRowCount } from "../../engine/profile/profile.ts";
import { Random } from "../../engine/random.ts";
import { columnCaps, MOST_LOG_BYTES } from "../../engine/reading/caps.ts";
import { type ForestSettings, scoreForest } from "../../engine/trees/forest.ts";
import { ForestGrower } from "../../engine/trees/forest-growth.ts";
import { layOutForRows } from "../../engine/trees/row-walk.ts";
import { drawInput } from "../engine/families/coded-input.ts";
import { countedModule, INSTRUCTION_COUNT } from "./counted-wasm.ts";
import { asCells, firstPass } from "./two-passes.ts";

const ROW_COUNT = 4000;
const READ_COLUMNS = 3;
const LISTED_TEXTS = 2000;
const FEATURE_COUNT = 10;
const FOREST: ForestSettings = {
  variant: "forest",
  treeCount: 3,
  // A batch of four, and two more.
  featuresPerSplit: 6,
  minLeafRows: 1,
  maxDepth: null,
  rowsPerTree: null,
};
const EXTRA_TREES: ForestSettings = { ...FOREST, variant: "extra-trees" };
const BOOSTING: BoostingSettings = {
  roundCount: 3,
  learningRate: 0.3,
  maxDepth: 6,
  maxLeaves: 64,
  featureShare: 1,
  rowShare: 0.8,
  l2: 1,
  minLeafRows: 5,
};
const BY_GAIN: BoostingSettings = { ...BOOSTING, maxDepth: null, maxLeaves: 31 };

const LINES: LogisticSettings = { basis: "linear", l2: 1, maxIterations: 3 };
const LAYER: HiddenLayerSettings = { l2: 1, maxIterations: 3 };

/** Leaves of many kinds, where those of one row have a class each. */
const FIVE_ROWS = { minLeafRows: 5 };

interface TableShape {
  classes: number;
  /** Buckets of the features, taken in turn. */
  buckets: readonly number[];
  missing?: number;
}

const FEW: readonly number[] = [20];
const MANY: readonly number[] = [250];
/** Codes of two bytes, though most features could do with one. */
const WIDE: readonly number[] = [400, 20, 20, 20];

type CellOf = (random: Random, column: number) => string;
const SHORT: CellOf = (random) => (20 * random.nextFloat() - 10).toFixed(6);
const LONG: CellOf = (random) => String(random.nextFloat() - 0.5);
const TEXTS: CellOf = (random, column) => `category ${random.nextBelow(5 ** (column + 1))}`;

/** Where it gives back a function, that alone is counted. */
type Workload = () => unknown;

const WORKLOADS: Readonly<Record<string, Workload>> = {
  "forest, 2 classes, few codes": () => growForest({ classes: 2, buckets: FEW }, FOREST),
  "forest, 2 classes, many codes": () => growForest({ classes: 2, buckets: MANY }, FOREST),
  "forest, 2 classes, two-byte codes": () => growForest({ classes: 2, buckets: WIDE }, FOREST),
  "forest, 2 classes, few codes, missing values": () => growForest({ classes: 2, buckets: FEW, missing: 0.2 }, FOREST),
  "forest, 2 classes, few codes, votes": () => growForest({ classes: 2, buckets: FEW }, FOREST, "votes"),
  "forest, 8 classes, few codes, missing values": () => growForest({ classes: 8, buckets: FEW, missing: 0.2 }, FOREST),
  "forest, 8 classes, many codes, leaves of 5 rows": () =>
    growForest({ classes: 8, buckets: MANY }, { ...FOREST, ...FIVE_ROWS }),
  "forest, 8 classes, two-byte codes": () => growForest({ classes: 8, buckets: WIDE }, FOREST),
  "extra-trees, 2 classes, few codes": () => growForest({ classes: 2, buckets: FEW }, EXTRA_TREES),
  "extra-trees, 2 classes, many codes, missing values": () =>
    growForest({ classes: 2, buckets: MANY, missing: 0.2 }, EXTRA_TREES),
  "extra-trees, 2 classes, two-byte codes": () => growForest({ classes: 2, buckets: WIDE }, EXTRA_TREES),
  "extra-trees, 8 classes, few codes, leaves of 5 rows, votes": () =>
    growForest({ classes: 8, buckets: FEW }, { ...EXTRA_TREES, ...FIVE_ROWS }, "votes"),
  "extra-trees, 8 classes, two-byte codes, missing values": () =>
    growForest({ classes: 8, buckets: WIDE, missing: 0.2 }, EXTRA_TREES),
  "gradient boosting, 2 classes, few codes": () => growBoosting({ classes: 2, buckets: FEW }, BOOSTING),
  "gradient boosting, 2 classes, many codes, sparse leaves": () =>
    growBoosting({ classes: 2, buckets: MANY }, BOOSTING),
  "gradient boosting, 2 classes, two-byte codes": () => growBoosting({ classes: 2, buckets: WIDE }, BOOSTING),
  "gradient boosting, 5 classes, few codes, missing values, by gain": () =>
    growBoosting({ classes: 5, buckets: FEW, missing: 0.2 }, BY_GAIN),
  "gradient boosting, 5 classes, many codes, by gain": () => growBoosting({ classes: 5, buckets: MANY }, BY_GAIN),
  "lines, 2 classes": () => fitLogisticRegression(draw({ classes: 2, buckets: FEW }), LINES),
  "lines, 5 classes, missing values": () =>
    fitLogisticRegression(draw({ classes: 5, buckets: FEW, missing: 0.2 }), LINES),
  "hidden layer, 2 classes": () => fitHiddenLayer(draw({ classes: 2, buckets: FEW }), LAYER),
  "hidden layer, 5 classes": () => fitHiddenLayer(draw({ classes: 5, buckets: FEW }), LAYER),
  "walking, many rows down a tree": () => walk({ isLaidOut: false }),
  "walking, a row down many trees": () => walk({ isLaidOut: true }),
  "reading, short numbers": () => read(SHORT, MOST_LOG_BYTES),
  "reading, long numbers": () => read(LONG, MOST_LOG_BYTES),
  "reading, few texts": () => read(TEXTS, MOST_LOG_BYTES),
  "reading twice, short numbers": () => read(SHORT, 0),
  "reading twice, long numbers": () => read(LONG, 0),
  "reading twice, few texts": () => read(TEXTS, 0),
};

/** Of all instances so far. */
const counts: WebAssembly.Global[] = [];

Object.assign(WebAssembly, {
  Module: class extends WebAssembly.Module {
    constructor(bytes: Uint8Array) {
      super(countedModule(bytes));
    }
  },
  Instance: class extends WebAssembly.Instance {
    constructor(module: WebAssembly.Module, imports: Bun.WebAssembly.Imports) {
      super(module, imports);
      counts.push(this.exports[INSTRUCTION_COUNT] as WebAssembly.Global);
    }
  },
});

const executed = () => counts.reduce((sum, { value }) => sum + Number(value), 0);
const instructions = Object.entries(WORKLOADS).map(([name, run]) => {
  let before = executed();
  const counted = run();
  if (typeof counted === "function") {
    before = executed();
    counted();
  }
  return [name, executed() - before];
});
process.stdout.write(`${JSON.stringify(Object.fromEntries(instructions), null, 2)}\n`);

function growForest(shape: TableShape, settings: ForestSettings, voting: "votes" | "no votes" = "no votes"): void {
  const grower = new ForestGrower(draw(shape), settings, voting);
  grower.growTo(settings.treeCount);
  if (voting === "votes") grower.outOfBag();
}

/** Rows that are not learned from are judged on the way. */
function growBoosting(shape: TableShape, settings: BoostingSettings): void {
  const input = draw(shape);
  const learning = new Set(input.rows);
  const judging = Uint32Array.from({ length: ROW_COUNT }, (_, row) => row).filter((row) => !learning.has(row));
  const grower = new BoostingGrower(input, settings, { judging });
  for (let round = 0; round < settings.roundCount; round++) grower.addRound();
}

/** Scores rows by a forest: all at once, or one by one by trees that are laid out for that. */
function walk({ isLaidOut }: { isLaidOut: boolean }): () => void {
  const input = draw({ classes: 2, buckets: FEW, missing: 0.2 });
  const grower = new ForestGrower(input, { ...FOREST, treeCount: 10 }, "no votes");
  grower.growTo(10);
  const forest = grower.forest();
  const every = Uint32Array.from({ length: ROW_COUNT }, (_, row) => row);
  const out = new Float64Array(2 * ROW_COUNT);
  if (!isLaidOut) return () => scoreForest(forest, input.view, every, out);
  layOutForRows([forest]);
  return () => {
    for (const row of every) scoreForest(forest, input.view, Uint32Array.of(row), out);
  };
}

/**
 * Reads a table of so many rows that the kernel counts its texts, few of
 * which are listed. `logBytes`: 0 for two passes.
 */
function read(cellOf: CellOf, logBytes: number): void {
  const random = new Random(1);
  const lines = Array.from({ length: 3 * ROW_COUNT }, (_, row) => {
    const cells = Array.from({ length: READ_COLUMNS }, (_, column) => cellOf(random, column));
    return `${cells.join(",")},${row % 2}\n`;
  });
  const bytes = new TextEncoder().encode(`sep=,\na,b,c,label\n${lines.join("")}`);
  const caps = { ...columnCaps(READ_COLUMNS + 1), texts: LISTED_TEXTS };
  const profile = firstPass(() => [bytes], asCells, { caps, logBytes });
  const frame = layOutTable(profile, labelledRowCount(profile));
  if (fillFromLogs(profile, frame)) return;
  readCsv(
    () => [bytes],
    () => new TableFiller(frame, ownRecords(profile)),
  );
}

function draw({ classes, buckets, missing = 0 }: TableShape) {
  const bucketCounts = Array.from({ length: FEATURE_COUNT }, (_, index) => buckets[index % buckets.length]!);
  return drawInput({ seed: 1, rowCount: ROW_COUNT, classCount: classes, bucketCounts, missing });
}
