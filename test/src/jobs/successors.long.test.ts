// Successors through the scheduler: from labels to a compared model, after kills at
// every step, promoted by its rule, and failed in words.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { listAudit } from "../../../data/audit.ts";
import { deleteDataset, findDataset, listDatasets } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findAnswering } from "../../../data/model-lines.ts";
import { findOwnedModel, listModels } from "../../../data/models.ts";
import { removeOutcomes, setOutcomes } from "../../../data/outcomes.ts";
import { deletePrediction, findOwnedPrediction } from "../../../data/predictions.ts";
import {
  findSuccessor,
  insertSuccessor,
  isEnded,
  type NewSuccessor,
  type Successor,
} from "../../../data/successors.ts";
import { listTrainingJobs, type NewTrainingJob } from "../../../data/training-jobs.ts";
import { usageOf } from "../../../data/usage.ts";
import { costMatrix } from "../../../engine/judging/costs.ts";
import { judgePaired } from "../../../engine/successor/paired-decisions.ts";
import { modelThreshold } from "../../../src/jobs/prediction-file.ts";
import { storeThreshold, takeOverThreshold } from "../../../src/jobs/stored-threshold.ts";
import { ALL } from "../../data/state.ts";
import {
  addDataset,
  addPrediction,
  addTraining,
  filesIn,
  type JobState,
  killWhen,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";

/** The label follows `turned ? not sign : sign` of `x`. */
function tableOf(rowCount: number, seed: number, isTurned: boolean): string[][] {
  return Array.from({ length: rowCount }, (_, row) => {
    const x = ((row * 37 + seed * 11) % 101) - 50;
    return [String(x), String((row * 13 + seed) % 17), x > 0 !== isTurned ? "yes" : "no"];
  });
}

const text = (rows: readonly string[][], width: number) =>
  `${["x", "noise", "label"].slice(0, width).join(",")}\n${rows.map((row) => `${row.slice(0, width).join(",")}\n`).join("")}`;

function settled(jobs: JobState, isOver: () => boolean, what: string): Promise<void> {
  return withScheduler(jobs.services, (scheduler) => until(() => isOver() && scheduler.running().length === 0, what));
}

const LATER = tableOf(300, 2, true);

/** A model of rows whose relation to the label has turned since, a prediction of later ones, and their labels. */
async function withLabels(
  use: (jobs: JobState, asked: NewSuccessor) => Promise<void>,
  later: readonly string[][] = LATER,
  settings: Partial<NewTrainingJob> = {},
): Promise<void> {
  await withJobState(async (jobs) => {
    const { database, ann } = jobs;
    const datasetKey = addDataset(jobs, text(tableOf(200, 1, false), 3), { name: "turning", labelColumn: "label" });
    await settled(jobs, () => findDataset(database, datasetKey)!.status === "COMPLETED", "the dataset");
    addTraining(jobs, datasetKey, { scalingFactor: 0, ...settings });
    await settled(jobs, () => listModels(database, ann, ALL).total === 1, "the model");
    const modelKey = listModels(database, ann, ALL).items[0]!.key;
    const { key: predictionKey } = addPrediction(jobs, modelKey, text(later, 2), { fileName: "may.csv" });
    const isDone = () => findOwnedPrediction(database, ann, predictionKey)!.status === "COMPLETED";
    await settled(jobs, isDone, "the prediction");
    addLabels(jobs, predictionKey, later);
    const source = { predictionKey, fileName: "may.csv", fromRow: 0, sameAs: null };
    await use(jobs, {
      ...{ key: crypto.randomUUID(), userKey: ann, firstModelKey: modelKey, championKey: modelKey, championVersion: 1 },
      ...{ promote: "WHEN_BETTER", oldRows: 0, sourceDatasetKey: datasetKey },
      sources: [{ ...source, learnedRows: null, keptRows: null, keptFromRow: null }],
    });
  });
}

function addLabels({ database, ann, state }: JobState, predictionKey: string, rows: readonly string[][]): void {
  const path = statePaths.file(crypto.randomUUID());
  const labels = `label\n${rows.map((row) => `${row[2]}\n`).join("")}`;
  writeFileSync(state.locate(path), labels);
  const counts = { confusion: [], unknownLabels: 0, withoutLabel: 0, unmatched: 0 };
  const file = { path, bytes: labels.length, labelColumn: null, keyColumn: null };
  setOutcomes(database, ann, { predictionKey, ...file, asTrained: true, counts }, new Date());
}

async function ended(jobs: JobState, asked: NewSuccessor): Promise<Successor> {
  insertSuccessor(jobs.database, asked, new Date());
  return await resumed(jobs, asked.key);
}

async function resumed(jobs: JobState, key: string): Promise<Successor> {
  await settled(jobs, () => isEnded(findSuccessor(jobs.database, key)!), "the successor");
  return findSuccessor(jobs.database, key)!;
}

describe("a successor", () => {
  test("learns what turned, is compared on rows that neither learned from, and answers by its rule", () =>
    withLabels(async (jobs, asked) => {
      const { database, ann } = jobs;
      const { sources, comparison, challengerKey, datasetKey, promotedOn, ...rest } = await ended(jobs, asked);
      expect(rest).toMatchObject({ status: "COMPLETED", trainRows: 0, keptPath: null, keptBytes: null });
      expect(sources).toMatchObject([{ learnedRows: 210, keptRows: 90, keptFromRow: 210 }]);
      const verdict = judgePaired(comparison!);
      expect(verdict).toMatchObject({ rowCount: 90, outcome: "CHALLENGER_BETTER" });
      expect(comparison!.seenRows).toBe(0);
      expect([verdict.championRight < 20, verdict.challengerRight > 80, promotedOn !== null]).toEqual([
        true,
        true,
        true,
      ]);
      expect(findAnswering(database, ann, asked.championKey)?.modelKey).toBe(challengerKey!);
      expect(findDataset(database, datasetKey!)).toMatchObject({
        ...{ name: "turning successor", rowCount: 210 },
        description: "0 rows of turning, then 210 labelled rows of 1 prediction.",
      });
      const champion = listTrainingJobs(database, ann, ALL).items[1]!;
      const { scalingFactor, seed, objective } = champion;
      expect(listTrainingJobs(database, ann, ALL).items[0]).toMatchObject({ scalingFactor, seed, objective });
      const told = listAudit(database, {}, ALL).items.map(({ action, email, detail }) => [action, email, detail]);
      expect(told.reverse()).toEqual([
        ["DATASET_CREATED", "ann@example.com", "SUCCESSOR"],
        ["TRAINING_STARTED", "ann@example.com", "SUCCESSOR"],
        ["MODEL_PROMOTED", "ann@example.com", "WHEN_BETTER"],
      ]);
      // The training rows, the joined ones, the predicted file and its labels: the kept rows are gone.
      expect(filesIn(jobs, "files")).toHaveLength(4);
      expect(jobs.faults).toEqual([]);
    }));

  test("that is right more often, but dearer, does not answer by its rule", async () => {
    // It learns from rows of which hardly any is "yes"; then a third of those with a high x is, and costs ten if missed.
    const later = LATER.map(([x, noise], at) => {
      const isYes = Number(x) > 0 && (at < 210 ? at % 70 === 0 : at % 3 === 0);
      return [x!, noise!, isYes ? "yes" : "no"];
    });
    const costs = [{ actual: "yes", predicted: "no", cost: 10 }];
    await withLabels(
      async (jobs, asked) => {
        const { comparison, promotedOn, status } = await ended(jobs, asked);
        expect([status, promotedOn]).toEqual(["COMPLETED", null]);
        expect(judgePaired(comparison!).outcome).toBe("CHALLENGER_BETTER");
        const aim = { objective: "cost", costs: costMatrix(["no", "yes"], costs) } as const;
        expect(comparison!.labels).toEqual(["no", "yes"]);
        expect(judgePaired(comparison!, aim)).toMatchObject({
          outcome: expect.stringMatching(/^(CHAMPION_BETTER|WITHIN_CHANCE)$/),
          byObjective: { objective: "cost" },
        });
        const { ann, database } = jobs;
        expect(listTrainingJobs(database, ann, ALL).items[0]).toMatchObject({ objective: "cost", costs });
        expect(findAnswering(database, ann, asked.championKey)?.modelKey).toBe(asked.championKey);
      },
      later,
      { objective: "cost", costs },
    );
  });

  test("decides above the threshold that was chosen for the champion, and is compared by it", () =>
    withLabels(async (jobs, asked) => {
      const { ann, database, state } = jobs;
      const pathsOf = (key: string) =>
        findOwnedModel(database, ann, key)!.versions.map(({ filePath }) => state.locate(filePath));
      await storeThreshold(pathsOf(asked.championKey)[0]!, 0.125, () => undefined);
      const { comparison, challengerKey } = await ended(jobs, asked);
      expect(comparison!.chosenThreshold).toEqual({ positiveLabel: "yes", threshold: 0.125 });
      expect(comparison!.differing).not.toBeEmpty();
      const thresholds = pathsOf(challengerKey!).map((path) => modelThreshold(path));
      expect(thresholds).not.toBeEmpty();
      for (const own of thresholds) expect(own).toMatchObject({ positiveLabel: "yes", threshold: 0.125 });
      const told = listAudit(database, {}, ALL).items.map(({ action, objectKey, detail }) => [
        action,
        objectKey,
        detail,
      ]);
      expect(told).toContainEqual(["THRESHOLD_CHANGED", challengerKey, "all versions 0.125"]);
      await takeOverThreshold(pathsOf(challengerKey!)[0]!, { positiveLabel: "no", threshold: 0.875 });
      expect(modelThreshold(pathsOf(challengerKey!)[0]!)).toEqual(thresholds[0]!);
    }));

  test("with all old rows may be outvoted by them, and then stays by hand", () =>
    withLabels(async (jobs, asked) => {
      const done = await ended(jobs, { ...asked, oldRows: null, promote: "BY_HAND" });
      expect(done).toMatchObject({ status: "COMPLETED", trainRows: 200, promotedOn: null });
      expect(findDataset(jobs.database, done.datasetKey!)!.rowCount).toBe(410);
      expect(findAnswering(jobs.database, jobs.ann, asked.championKey)?.modelKey).toBe(asked.championKey);
    }));

  test("is taken up where a killed process left it, whichever step that was, and nothing is made twice", () =>
    withLabels(async (jobs, asked) => {
      insertSuccessor(jobs.database, asked, new Date());
      for (const moment of [
        "SELECT 1 FROM successors WHERE status = 'JOINING' AND claimed = 1",
        "SELECT 1 FROM successors WHERE status = 'READING'",
        "SELECT 1 FROM successors AS s JOIN datasets AS d ON d.key = s.datasetKey WHERE s.status = 'READING' AND d.status = 'COMPLETED'",
        "SELECT 1 FROM successors WHERE status = 'TRAINING'",
        "SELECT 1 FROM successors WHERE status = 'COMPARING'",
        "SELECT 1 FROM successors WHERE status = 'COMPARING' AND claimed = 1",
      ]) {
        await killWhen(jobs, moment);
      }
      expect(await resumed(jobs, asked.key)).toMatchObject({ status: "COMPLETED" });
      const { database, ann } = jobs;
      const counts = [
        listDatasets(database, ann, ALL),
        listTrainingJobs(database, ann, ALL),
        listModels(database, ann, ALL),
      ];
      expect(counts.map(({ total }) => total)).toEqual([2, 2, 2]);
      expect(listAudit(database, {}, ALL).total).toBe(3);
      expect([filesIn(jobs, "files").length, filesIn(jobs, "journals"), jobs.faults]).toEqual([4, [], []]);
    }));

  test("fails in words where labels, predictions or datasets go meanwhile, and leaves nothing", () =>
    withLabels(async (jobs, asked) => {
      const { database, ann } = jobs;
      const before = filesIn(jobs, "files");
      const few = { ...asked, sources: asked.sources.map((source) => ({ ...source, fromRow: 201 })) };
      const again = (changes: Partial<NewSuccessor>) => ended(jobs, { ...asked, key: crypto.randomUUID(), ...changes });
      expect((await again({ sources: few.sources })).errorReason).toMatch(/^There are 99 labelled rows/);
      const { predictionKey } = asked.sources[0]!;
      removeOutcomes(database, predictionKey, new Date());
      expect((await again({})).errorReason).toBe("Prediction may.csv: it or its labels were deleted.");
      deletePrediction(database, ann, predictionKey, new Date());
      expect((await again({})).status).toBe("FAILED");
      deleteDataset(database, ann, asked.sourceDatasetKey, new Date());
      expect((await again({})).errorReason).toMatch(/dataset that it was trained on was deleted/);
      // A start removes what deleted rows named.
      expect(filesIn(jobs, "files").filter((name) => !before.includes(name))).toEqual([]);
      expect([listDatasets(database, ann, ALL).total, jobs.faults]).toEqual([0, []]);
      expect(usageOf(database, ann).unfinished).toBe(0);
    }));
});
