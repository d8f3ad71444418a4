// What a temperature fitted out of bag does for forests: bun test/bench/forest-temperature.ts SPLITS MOST_ROWS FILE…
// The forests of the plan are qualified on 70% of the rows and refitted on all of
// these; the other 30%, which nobody chose on, judge.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { scoreModel } from "../../engine/families/algorithms.ts";
import { calibrationBins, decide, expectedCalibrationError, judge } from "../../engine/judging/metrics.ts";
import { applyTemperature, fitTemperature } from "../../engine/judging/temperature.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import { planAttempts } from "../../engine/search/attempts.ts";
import { fitBucketing } from "../../engine/search/bucketing.ts";
import { openTraining } from "../../engine/search/open-training.ts";
import { qualify } from "../../engine/search/qualify.ts";
import { fitFound } from "../../engine/search/refit.ts";
import { isBase } from "../../engine/search/training-task.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { codeTable } from "../../engine/table/buckets.ts";
import { firstRows } from "../../engine/table/table.ts";
import { readPair } from "../../workers/reading/read-pair.ts";
import { dealRows, readTable, writeTable } from "./outer-split.ts";

const BUCKETS = 20;
const [splits = "3", mostRows = "5000", ...paths] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cupel-forests-"));
const [trainPath, testPath] = [join(folder, "train.csv"), join(folder, "test.csv")];
const say = (line: string) => process.stdout.write(`${line}\n`);

say("| table | split | forest | temperature | log-loss | calibration error, points |\n|---|---|---|---|---|---|");
for (const path of paths) {
  const { header, records } = readTable(path);
  const stride = Math.ceil(records.length / Number(mostRows));
  const kept = records.filter((_, row) => row % stride === 0);
  for (let split = 0; split < Number(splits); split++) {
    const [learning, judging] = dealRows(kept, split);
    writeTable(trainPath, header, learning);
    writeTable(testPath, header, judging);
    for (const line of linesOf(1 + split)) say(`| ${basename(path, ".csv")} | ${split} | ${line} |`);
  }
}
rmSync(folder, { recursive: true });

function linesOf(seed: number): string[] {
  const { source, trainRowCount } = readPair({ trainPath, testPath, label: null, missingMarkers: null }, neverStop);
  const { table } = source;
  const { classes, labels } = table;
  const task = openTraining(firstRows(table, trainRowCount), { numberOfBuckets: BUCKETS, target: null, seed });
  const { learning } = task.split;
  const all = rowsUpTo(trainRowCount);
  const outer = rowsUpTo(table.rowCount).subarray(trainRowCount);
  const shape = { featureCount: table.features.length, classCount: labels.length, numberOfBuckets: BUCKETS, seed };
  const plan = { ...shape, learningRowCount: learning.length, scalingFactor: 19, hasStacks: true, tunesWeights: false };
  const specs = planAttempts(plan).filter(isBase);
  return specs.flatMap((spec) => {
    if (spec.settings.algorithm !== "forest") return [];
    const { settings, outOfFoldProbabilities } = qualify(task, spec, neverStop);
    if (settings.algorithm !== "forest") return [];
    const temperature = fitTemperature(outOfFoldProbabilities, { rows: learning, classes, classCount: labels.length });
    const model = fitFound({ table, numberOfBuckets: BUCKETS }, all, { ...spec, settings }, neverStop);
    const view = codeTable(table, fitBucketing(table, all, spec.buckets, BUCKETS));
    const probabilities = scoreModel(model, view, outer);
    const decisions = decide(probabilities, labels.length);
    const figures = () => ({
      loss: judge(probabilities, { rows: outer, classes, classCount: labels.length }).logLoss.toFixed(3),
      error:
        expectedCalibrationError(
          calibrationBins(probabilities, { rows: outer, classes, classCount: labels.length }, decisions),
        ) ?? 0,
    });
    const before = figures();
    applyTemperature(probabilities, labels.length, temperature);
    const after = figures();
    const errors = [before, after].map(({ error }) => (100 * error).toFixed(1)).join(" → ");
    return `${settings.variant} | ${temperature.toFixed(2)} | ${before.loss} → ${after.loss} | ${errors}`;
  });
}
