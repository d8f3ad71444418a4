// Processes a dataset: reads its file as training will, stores the facts about it, and completes or fails it.
import { completeDataset, type DatasetFacts, failDataset } from "../../data/dataset-processing.ts";
import type { Dataset } from "../../data/datasets.ts";
import type { TableAnswer } from "../../workers/messages.ts";
import { keyRequestOf } from "../../workers/reading/profile-file.ts";
import { classesOf, noPositiveClass, positiveLabelOf } from "../training/run-summary.ts";
import { runUnit } from "../work/units.ts";
import { columnFacts } from "./column-facts.ts";
import { fileLimits, type JobRun, type JobServices } from "./job-run.ts";
import { inputCodeOf, reasonOf } from "./reason.ts";
import { jobEnd, runToEnd } from "./run-to-end.ts";

/** Works on a claimed dataset. */
export function processDataset(dataset: Dataset, run: JobRun, services: JobServices): Promise<void> {
  const { key } = dataset;
  const { database } = services;
  const job = `dataset ${key}`;
  return runToEnd(run, services, {
    job,
    work: async () => {
      const facts = await readFacts(dataset, run, services);
      return jobEnd(() => completeDataset(database, key, facts, new Date()));
    },
    failed: (error) => {
      const reason = reasonOf(error, job, services);
      return jobEnd(() => failDataset(database, key, reason, new Date(), inputCodeOf(error)));
    },
  });
}

async function readFacts(dataset: Dataset, run: JobRun, { state }: JobServices): Promise<DatasetFacts> {
  run.memory.require();
  const { filePath, labelColumn: label, missingValues: missingMarkers, positiveLabel, hasHeader, sha256 } = dataset;
  const { columnChoices } = dataset;
  const request = {
    ...{ path: state.locate(filePath!), label, missingMarkers, columnChoices, hasHeader, sha256 },
    ...keyRequestOf(dataset),
  };
  const source = await runUnit(run.pool, "readTable", request, fileLimits(run.control.stopFlag));
  return factsOf(source, positiveLabel);
}

/** @throws InputError where no class has the requested positive label */
function factsOf(source: TableAnswer, asked: string | null): DatasetFacts {
  const { labels, rowCount } = source.table;
  const positiveLabel = positiveLabelOf(labels, asked);
  const warnings = [...source.warnings];
  if (asked !== null && positiveLabel === null) warnings.push(noPositiveClass(labels.length));
  return {
    labelColumn: source.label,
    positiveLabel,
    classes: classesOf(source),
    rowCount,
    columnCount: source.columns.length,
    columns: columnFacts(source.columns, source.warnings),
    warnings,
  };
}
