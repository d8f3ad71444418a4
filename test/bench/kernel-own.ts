// One of our own fits on the kernels' table, or one of an ml-* package on the
// sample that it can take, as a process of its own.
// Usage: bun test/bench/kernel-own.ts DATA KERNEL TOOL TRAIN_ROWS TEST_ROWS
// FEATURES BUCKETS TREES; prints figures as JSON
import { boostingSettings } from "../../engine/boosting/boosting-settings.ts";
import { type BaseSettings, fitBase, scoreBase } from "../../engine/families/base-algorithms.ts";
import {
  fitLibraryBaseline,
  LIBRARY_BASELINES,
  type LibraryBaseline,
} from "../../engine/families/library-baselines.ts";
import { judge } from "../../engine/judging/metrics.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { readKernelData } from "./kernel-data.ts";

const [path = "", kernel = "", tool = "", ...numbers] = process.argv.slice(2);
const [trainRows = 0, testRows = 0, featureCount = 0, bucketCount = 0, treeCount = 0] = numbers.map(Number);
const { view, classes, train, test } = readKernelData(path, { trainRows, testRows, featureCount, bucketCount });
const CLASS_COUNT = 2;
const input = { view, rows: train, classes, classCount: CLASS_COUNT, seed: 1, stop: neverStop };

const library = LIBRARY_BASELINES.find((name) => name === tool);
const { fitSeconds, fittedRows, score } = library === undefined ? fitOwn(settingsOf(kernel)) : fitLibrary(library);
const startMs = performance.now();
const probabilities = score();
const scoreSeconds = (performance.now() - startMs) / 1000;
const { accuracy, logLoss } = judge(probabilities, { rows: test, classes, classCount: CLASS_COUNT });
process.stdout.write(JSON.stringify({ fitSeconds, fittedRows, scoreSeconds, accuracy, logLoss }));

function settingsOf(name: string): BaseSettings {
  const featuresPerSplit = Math.floor(Math.sqrt(featureCount));
  const forest = { treeCount, featuresPerSplit, minLeafRows: 1, maxDepth: null, rowsPerTree: null };
  switch (name) {
    case "forest":
      return { algorithm: "forest", variant: "forest", ...forest };
    case "extra-trees":
      return { algorithm: "forest", variant: "extra-trees", ...forest };
    case "boosted trees": {
      const shape = {
        maxDepth: 6,
        maxLeaves: 64,
        minLeafRows: 1,
        l2: 1,
        learningRate: 0.1,
        featureShare: 1,
        rowShare: 1,
      };
      const settings = { ...boostingSettings("c31", trainRows, CLASS_COUNT), ...shape, roundCount: treeCount };
      return { algorithm: "additive logistic regression", ...settings };
    }
    case "logistic regression":
      return { algorithm: "logistic regression", basis: "one-hot", l2: 1, maxIterations: 100 };
    case "naive Bayes":
      return { algorithm: "naive Bayes", variant: "plain", smoothing: 1 };
    default:
      throw new Error(`there is no kernel "${name}"`);
  }
}

function fitOwn(settings: BaseSettings) {
  const begun = performance.now();
  const model = fitBase(settings, input);
  const fitSeconds = (performance.now() - begun) / 1000;
  return { fitSeconds, fittedRows: trainRows, score: () => scoreBase(model, view, test) };
}

function fitLibrary(which: LibraryBaseline) {
  const begun = performance.now();
  const fitted = fitLibraryBaseline(which, input);
  const fitSeconds = (performance.now() - begun) / 1000;
  const score = () => {
    const out = new Float64Array(testRows * CLASS_COUNT);
    fitted.score(view, test, out);
    return out;
  };
  return { fitSeconds, fittedRows: fitted.sampleRowCount, score };
}
