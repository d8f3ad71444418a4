// Forests have a temperature, found out of bag: on rows that nobody chose on,
// it lowers the log-loss and leaves every label.
import { expect, test } from "bun:test";
import { judge } from "../../../engine/judging/metrics.ts";
import { fitDecider, judgeDecided } from "../../../engine/search/decider.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import { qualify } from "../../../engine/search/qualify.ts";
import type { BaseSpec } from "../../../engine/search/training-task.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { boundedForest } from "../../../engine/trees/forest-size.ts";
import { drawTable } from "../../support/tables.ts";

test.each(["forest", "extra-trees"] as const)("a cautious %s is tempered, and decides as before", (variant) => {
  const table = drawTable(1_200, 2, 4);
  const { classes, labels } = table;
  const task = openTraining(table, { numberOfBuckets: 10, target: null, seed: 1 });
  const { judging, learning } = task.split;
  // One column a split and many rows a leaf: every tree says little, and their mean is far too cautious.
  const shape = { learningRowCount: learning.length, featureCount: table.features.length };
  const settings = boundedForest(shape, variant, 1, 40, 100);
  const spec: BaseSpec = { attempt: 1, buckets: "fine", settings, rivals: [], isWeak: false, seed: 3 };
  const found = qualify(task, spec, neverStop);
  const own = found.holdoutProbabilities.slice();
  const plain = judge(own, { rows: judging, classes, classCount: labels.length });
  const decider = fitDecider(task, found);
  expect(decider.temperature).toBeLessThan(0.9);
  const tempered = judgeDecided(decider, own, { rows: judging, classes, classCount: labels.length });
  expect(tempered.decisions).toEqual(plain.decisions);
  expect(tempered.logLoss).toBeLessThan(plain.logLoss);
});
