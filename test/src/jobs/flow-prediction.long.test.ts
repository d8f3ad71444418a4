// Predictions to each of their ends, the look at their files beforehand, and rows that are scored at once.
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewDataset } from "../../../data/datasets.ts";
import { findModelVersion } from "../../../data/models.ts";
import {
  claimNextPrediction,
  deletePrediction,
  findShift,
  type NewPrediction,
  type Prediction,
  recoverPredictions,
} from "../../../data/predictions.ts";
import { listWatchDays } from "../../../data/watch-counts.ts";
import { sixDigits } from "../../../engine/csv/six-digits.ts";
import { InputError } from "../../../engine/input-error.ts";
import { DEFAULT_TIME_CAPS } from "../../../src/common/limits.ts";
import { runPrediction } from "../../../src/jobs/flow-prediction.ts";
import { suspendRun } from "../../../src/jobs/job-run.ts";
import { checkPredictionFile, modelColumns } from "../../../src/jobs/prediction-file.ts";
import { storeThreshold } from "../../../src/jobs/stored-threshold.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { type JsonRow, scoreRows } from "../../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { testFolder } from "../../support/folders.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { addTrainedModel, beginPrediction, predictionOf } from "../../support/job-flows.ts";
import { startUnlimited } from "../../support/job-run.ts";
import {
  addPrediction,
  addRefinement,
  filesIn,
  type JobState,
  storeTable,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

const TABLE = knownTable(100, 1);
const ORIGINAL = ["id", "strong", "weak", "copy", "left", "right", "noise1", "noise2", "noise3", "always"];
/** What a refinement might have kept. */
const KEPT = ["strong", "weak", "left", "right"];

function columnsOf(table: string, names: readonly string[]): string {
  const [header, ...rows] = table.trimEnd().split("\n");
  const positions = names.map((name) => header!.split(",").indexOf(name));
  const cut = (line: string) => positions.map((at) => line.split(",")[at]).join(",");
  return `${[names.join(","), ...rows.map(cut)].join("\n")}\n`;
}

const UNLABELLED = columnsOf(knownTable(20, 2), ORIGINAL);

/** A model of the kept columns, whose dataset says that a refinement dropped the others. */
async function withModel(use: (jobs: JobState, modelKey: string) => Promise<void>): Promise<void> {
  await withJobState(async (jobs) => {
    const file = storeTable(jobs, columnsOf(TABLE, [...KEPT, "label"]));
    const origin: NewDataset["origin"] = {
      kind: "REFINEMENT",
      featureRefinementKey: addRefinement(jobs, TABLE, TABLE),
      recommendedThreshold: null,
      originalColumns: ORIGINAL,
      file,
    };
    await use(jobs, await addTrainedModel(jobs, pool, "", { origin }));
  });
}

async function predicted(
  jobs: JobState,
  modelKey: string,
  text: string,
  changes: Partial<NewPrediction> = {},
): Promise<Prediction> {
  const { key } = addPrediction(jobs, modelKey, text, changes);
  await beginPrediction(jobs, pool).flow;
  return predictionOf(jobs, key);
}

/** The decisions and probabilities of a result, by row. */
function answersOf(jobs: JobState, { resultPath }: Prediction): string[][] {
  const [, ...rows] = readFileSync(jobs.state.locate(resultPath!), "utf8").trimEnd().split("\n");
  return rows.map((row) => row.split(",").slice(-4));
}

/** The rows of a result by tenths of confidence, which is the second of the cells above. */
function tenthsOf(answers: readonly (readonly string[])[]): number[] {
  const tenths = answers.map(([, confidence]) => Math.min(9, Math.floor(Number(confidence) * 10)));
  return Array.from({ length: 10 }, (_, tenth) => tenths.filter((each) => each === tenth).length);
}

describe("a prediction", () => {
  test("scores alike whether dropped columns are still there, in whatever order, or gone", () =>
    withModel(async (jobs, modelKey) => {
      const stripped = columnsOf(UNLABELLED, KEPT);
      const renamed = UNLABELLED.replace(/^.*\n/, "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9\n");
      const shuffled = columnsOf(UNLABELLED, ORIGINAL.toReversed());
      const plain = await predicted(jobs, modelKey, stripped);
      expect(plain).toMatchObject({ status: "COMPLETED", rowCount: 20, warnings: [], errorReason: null });
      expect(plain.labelCounts?.map(({ label }) => label)).toEqual(["no", "yes"]);
      expect(plain.labelCounts?.reduce((sum, { count }) => sum + count, 0)).toBe(20);
      expect(plain.confidenceCounts).toEqual(tenthsOf(answersOf(jobs, plain)));
      expect(answersOf(jobs, plain)).toHaveLength(20);
      const shift = findShift(jobs.database, plain.key)!;
      expect(shift).toMatchObject({ rowCount: 20, countedRows: 20, labelled: null });
      expect(shift.columns!.map(({ name }) => name).toSorted()).toEqual(KEPT.toSorted());
      const counted = () =>
        listWatchDays(jobs.database, plain, "").reduce((sum, { counts }) => sum + counts.rowCount, 0);
      expect(counted()).toBe(20);
      const { services } = jobs;
      jobs.services = { ...services, isWatching: false };
      await predicted(jobs, modelKey, stripped);
      jobs.services = services;
      expect(counted()).toBe(20);
      const codes: string[][] = [];
      for (const text of [stripped, UNLABELLED, renamed, shuffled]) {
        const filtered = await predicted(jobs, modelKey, text, { filterColumns: true });
        expect(answersOf(jobs, filtered)).toEqual(answersOf(jobs, plain));
        codes.push(filtered.warnings.map(({ code }) => code));
        const header = readFileSync(jobs.state.locate(filtered.resultPath!), "utf8").split("\n")[0]!;
        expect(header).toStartWith(text.split("\n")[0]!);
      }
      expect(codes).toEqual([[], [], ["COLUMN_NAMES_DIFFER"], ["COLUMN_ORDER"]]);
      expect(jobs.faults).toEqual([]);
    }));

  test("decides by the threshold that the model has when it runs, and keeps it", () =>
    withModel(async (jobs, modelKey) => {
      const text = columnsOf(UNLABELLED, KEPT);
      const path = jobs.state.locate(findModelVersion(jobs.database, modelKey, 1)!.filePath);
      const before = await predicted(jobs, modelKey, text);
      await storeThreshold(path, 0.9, () => undefined);
      const after = await predicted(jobs, modelKey, text);
      expect([before.threshold, after.threshold]).toEqual([0.5, 0.9]);
      answersOf(jobs, after).forEach(([label, , , yes], row) => {
        expect(yes).toBe(answersOf(jobs, before)[row]![3]!);
        if (Math.abs(Number(yes) - 0.9) > 1e-6) expect(label).toBe(Number(yes) > 0.9 ? "yes" : "no");
      });
      expect(predictionOf(jobs, before.key).threshold).toBe(0.5);
    }));

  test("names as many reasons as were asked for, those that the same rows have over the API", () =>
    withModel(async (jobs, modelKey) => {
      const text = columnsOf(UNLABELLED, KEPT);
      const explained = await predicted(jobs, modelKey, text, { reasonCount: 2 });
      expect(explained).toMatchObject({ status: "COMPLETED", reasonCount: 2 });
      const lines = readFileSync(jobs.state.locate(explained.resultPath!), "utf8").trimEnd().split("\n");
      const [header, ...rows] = lines.map((line) => line.split(","));
      expect(header!.slice(-4)).toEqual(["reason_1", "reason_1_effect", "reason_2", "reason_2_effect"]);
      const path = jobs.state.locate(findModelVersion(jobs.database, modelKey, 1)!.filePath);
      const cells = rows.map((row) => Object.fromEntries(KEPT.map((name, at) => [name, row[at]!])));
      const { scores } = scoreRows(new ModelCache(), path, cells, 2);
      const said = scores.map(({ reasons }) => reasons!.flatMap(({ column, effect }) => [column, sixDigits(effect)]));
      expect(rows.map((row) => row.slice(-4).filter((cell) => cell !== ""))).toEqual(said);
      expect(said.flat().length).toBeGreaterThan(40);
    }));

  test("scores a file without a header by a model of such a file, alike in another notation", async () => {
    const nameless = (text: string) => text.slice(text.indexOf("\n") + 1);
    await withJobState(async (jobs) => {
      const table = nameless(columnsOf(TABLE, [...KEPT, "label"]));
      const modelKey = await addTrainedModel(jobs, pool, table, { hasHeader: false });
      const rows = nameless(columnsOf(UNLABELLED, KEPT));
      const plain = await predicted(jobs, modelKey, rows, { hasHeader: false });
      expect(plain).toMatchObject({ status: "COMPLETED", rowCount: 20, warnings: [] });
      const commas = rows.replaceAll(",", ";").replaceAll(".", ",");
      const other = await predicted(jobs, modelKey, commas, { hasHeader: false });
      expect(answersOf(jobs, other)).toEqual(answersOf(jobs, plain));
      const named = await predicted(jobs, modelKey, rows);
      expect([named.status, named.errorReason]).toEqual(["FAILED", expect.stringContaining('"column_1"')]);
      expect(jobs.faults).toEqual([]);
    });
  });

  test("is FAILED with the words of what is wrong with the file", () =>
    withModel(async (jobs, modelKey) => {
      const odd = await predicted(jobs, modelKey, `${UNLABELLED}1,2\n`);
      expect([odd.status, odd.errorReason]).toEqual(["FAILED", expect.stringMatching(/[Ll]ine 22\b/)]);
      const words = UNLABELLED.replaceAll(/^(.*?),.*?,/gm, "$1,word,").replace(",word,", ",strong,");
      const unreadable = await predicted(jobs, modelKey, words);
      expect([unreadable.status, unreadable.errorReason]).toEqual([
        "FAILED",
        expect.stringContaining("20 of the 20 values"),
      ]);
      const lacking = await predicted(jobs, modelKey, columnsOf(UNLABELLED, ["strong", "weak"]));
      expect([lacking.status, lacking.errorReason]).toEqual(["FAILED", expect.stringContaining('"left", "right"')]);
      expect(filesIn(jobs, "results")).toEqual([]);
      expect(jobs.faults).toEqual([]);
      const { key } = addPrediction(jobs, modelKey, UNLABELLED);
      rmSync(jobs.state.locate(findModelVersion(jobs.database, modelKey, 1)!.filePath));
      await beginPrediction(jobs, pool).flow;
      const lost = predictionOf(jobs, key);
      expect([lost.status, lost.errorReason!.includes(jobs.folder)]).toEqual(["FAILED", false]);
      expect(jobs.faults).toHaveLength(1);
    }));

  test("is TIMEOUT where it takes too long, and waits for the next start where the program ends", () =>
    withModel(async (jobs, modelKey) => {
      const countedRows = () =>
        listWatchDays(jobs.database, { modelKey, version: 1 }, "").reduce(
          (sum, { counts }) => sum + counts.rowCount,
          0,
        );
      const long = UNLABELLED + UNLABELLED.replace(/^.*\n/, "").repeat(5_000);
      jobs.services = { ...jobs.services, timeCaps: { ...DEFAULT_TIME_CAPS, predictionSeconds: 0.01 } };
      const late = await predicted(jobs, modelKey, long);
      expect([late.status, late.errorReason]).toEqual(["TIMEOUT", expect.stringContaining("0.01 s")]);
      jobs.services = { ...jobs.services, timeCaps: DEFAULT_TIME_CAPS };
      const { key } = addPrediction(jobs, modelKey, long);
      const run = startUnlimited(pool, null);
      const prediction = claimNextPrediction(jobs.database, new Date())!;
      // Before the scoring begins, or a thread that is quick would be done by then.
      suspendRun(run);
      await runPrediction(prediction, run, jobs.services);
      expect(predictionOf(jobs, key).status).toBe("RUNNING");
      expect(recoverPredictions(jobs.database, new Date()).resumed).toEqual([key]);
      expect(predictionOf(jobs, key).status).toBe("PENDING");
      expect(filesIn(jobs, "results")).toEqual([]);
      expect(countedRows()).toBe(0);
      await beginPrediction(jobs, pool).flow;
      const { rowCount } = predictionOf(jobs, key);
      expect(countedRows()).toBe(rowCount!);
    }));
});

describe("a prediction that is deleted while it runs", () => {
  const drop = ({ database, ann }: JobState, key: string) =>
    expect(deletePrediction(database, ann, key, new Date())).toBe("DELETED");

  test("ends at once, and leaves neither a part of a result nor a fault", () =>
    withModel(async (jobs, modelKey) => {
      const { key } = addPrediction(jobs, modelKey, UNLABELLED + UNLABELLED.replace(/^.*\n/, "").repeat(50_000));
      await withScheduler(jobs.services, async (scheduler) => {
        const parts = () => readdirSync(jobs.state.locate("results"));
        await until(() => parts().length === 1, "the first rows");
        drop(jobs, key);
        scheduler.cancel(key);
        await until(() => scheduler.running().length === 0, "its end");
        expect(parts()).toEqual([]);
        const next = addPrediction(jobs, modelKey, UNLABELLED).key;
        scheduler.wake();
        await until(() => predictionOf(jobs, next).status === "COMPLETED", "the next one");
      });
      expect(jobs.faults).toEqual([]);
    }));

  test("keeps no result that was in its place by then", () =>
    withModel(async (jobs, modelKey) => {
      const { key } = addPrediction(jobs, modelKey, UNLABELLED);
      const claimed = claimNextPrediction(jobs.database, new Date())!;
      drop(jobs, key);
      await runPrediction(claimed, startUnlimited(pool, null), jobs.services);
      expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[], []]);
    }));
});

describe("a file that is looked at before", () => {
  const TEXT = { kind: "category" } as const;
  const model = { columns: KEPT.map((name) => ({ name, reading: TEXT })), missingMarkers: [] };
  const folder = testFolder();

  const check = (text: string, originalColumns: readonly string[] | null): unknown => {
    const path = join(folder, "file.csv");
    writeFileSync(path, text);
    try {
      checkPredictionFile(path, model, { hasHeader: true, originalColumns });
      return null;
    } catch (error) {
      return error;
    }
  };

  test("is compared with a stored model's columns, and with nothing that is none", () => {
    const models = join(import.meta.dir, "..", "..", "fixtures", "models");
    const { columns } = modelColumns(join(models, "penguins-naive-Bayes.cupel"));
    expect(columns.map(({ name }) => name)).toContain("bill_length_mm");
    const notModels = [join(models, "penguins-input.csv"), join(models, "absent.cupel"), join(folder, "cut.cupel")];
    writeFileSync(notModels[2]!, readFileSync(join(models, "penguins-naive-Bayes.cupel")).subarray(0, 200));
    for (const path of notModels) expect(() => modelColumns(path)).toThrow(InputError);
  });

  test("is refused where nearly no value of a column can be read, but not for a fault further on", () => {
    const number = { kind: "number", form: { decimal: ".", grouping: "", affix: "" } } as const;
    const numbers = { columns: [{ name: "a", reading: number }], missingMarkers: [] };
    const path = join(folder, "file.csv");
    const look = (text: string) => {
      writeFileSync(path, text);
      return () => checkPredictionFile(path, numbers, { hasHeader: true });
    };
    expect(look(`a;b\n${"x;1\n".repeat(10)}`)).toThrow("10 of the 10 values");
    expect(look(`a;b\n${"1,5;1\n".repeat(10)}1;2;3\n`)).not.toThrow();
    expect(look(`a;b\n${"1,5;1\n".repeat(300_000)}${"x;1\n".repeat(10)}`)).not.toThrow();
  });

  test("fits by name without the filter, and by number with it", () => {
    expect(check(UNLABELLED, null)).toBeNull();
    expect(check(UNLABELLED, ORIGINAL)).toBeNull();
    expect(check("1,2,3,4,5,6,7,8,9,10\n", ORIGINAL)).toBeNull();
    expect(check(columnsOf(UNLABELLED, KEPT), ORIGINAL)).toBeNull();
    expect(check("a,b,c,d\n1,2,3,4\n", ORIGINAL)).toBeNull();
    expect(check(columnsOf(UNLABELLED, KEPT).replaceAll(",", ";"), null)).toBeNull();
    expect(check("strong,weak,left,right", null)).toBeNull();
  });

  test("is refused with what is missing, what nobody expects, and how many there should be", () => {
    expect(check("strong,weak,light,right\n1,2,3,4\n", null)).toMatchObject({
      code: "COLUMN_MISMATCH",
      missing: ["left"],
      unexpected: ["light"],
      expectedCount: 4,
    });
    expect(check("strong,weak,left\n1,2,3\n", ORIGINAL)).toMatchObject({
      code: "COLUMN_MISMATCH",
      missing: ["id", "copy", "right", "noise1", "noise2", "noise3", "always"],
      unexpected: [],
      expectedCount: 10,
    });
    expect(check("left,weak,c,d\n1,2,3,4\n", ORIGINAL)).toMatchObject({ unexpected: ["c", "d"] });
    expect(check("", null)).toMatchObject({ code: "EMPTY_FILE" });
  });
});

describe("rows that are scored at once", () => {
  test("are answered as in a file", () =>
    withModel(async (jobs, modelKey) => {
      const cache = new ModelCache();
      const path = jobs.state.locate(findModelVersion(jobs.database, modelKey, 1)!.filePath);
      const file = columnsOf(UNLABELLED, KEPT);
      const fromFile = answersOf(jobs, await predicted(jobs, modelKey, file));
      const [header, ...lines] = file.trimEnd().split("\n");
      const names = header!.split(",");
      const texts = lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [names[at]!, cell])));
      const numbers = texts.map((row) => ({ ...row, strong: Number(row["strong"]) }));
      for (const rows of [texts, numbers]) {
        const { scores, warnings } = scoreRows(cache, path, rows);
        expect(warnings).toEqual([]);
        expect(
          scores.map(({ label, confidence, probabilities }) => [
            label,
            confidence,
            probabilities["no"],
            probabilities["yes"],
          ]),
        ).toEqual(
          fromFile.map(([label, ...figures]) => [label, ...figures.map((figure) => expect.closeTo(Number(figure), 5))]),
        );
      }
      expect(cache.paths).toEqual([path]);

      const odd = { strong: null, weak: " w1 ", left: "never seen", right: true, id: 7, label: "yes" };
      const codes = () => scoreRows(cache, path, [odd]).warnings.map(({ code, count }) => [code, count]);
      expect(codes()).toEqual(codes());
      expect(codes()).toContainEqual(["EXTRA_COLUMNS", 1]);
      expect(codes()).toContainEqual(["UNSEEN_CATEGORY", 1]);
    }));

  test("are refused where a column is lacking", () =>
    withModel(async (jobs, modelKey) => {
      const cache = new ModelCache();
      const path = jobs.state.locate(findModelVersion(jobs.database, modelKey, 1)!.filePath);
      const whole = { strong: 0.5, weak: "w1", left: "l0", right: "r1" };
      const refused = (rows: readonly JsonRow[]): unknown => {
        try {
          return scoreRows(cache, path, rows);
        } catch (error) {
          return error;
        }
      };
      expect(refused([whole, { strong: 1, weak: "w1", leftt: "l0" }])).toMatchObject({
        code: "COLUMN_MISMATCH",
        message: expect.stringMatching(/^Row 2 lacks 2 columns of the 4/),
        missing: ["left", "right"],
        unexpected: ["leftt"],
        expectedCount: 4,
      });
      expect(refused([{ ...whole, __proto__: null }])).toMatchObject({ scores: [{ label: expect.any(String) }] });
    }));
});
