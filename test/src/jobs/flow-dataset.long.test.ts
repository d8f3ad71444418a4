// Datasets from their file to what they hold, or to the reason why they cannot be used.
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { claimNextDataset, recoverDatasets } from "../../../data/dataset-processing.ts";
import type { Dataset, NewDataset } from "../../../data/datasets.ts";
import { processDataset } from "../../../src/jobs/flow-dataset.ts";
import { suspendRun } from "../../../src/jobs/job-run.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { beginDataset } from "../../support/job-flows.ts";
import { startUnlimited } from "../../support/job-run.ts";
import { addDataset, datasetOf, type JobState, withJobState } from "../../support/job-state.ts";

const pool = new WorkerPool(spawnWorker, 1);
afterAll(() => pool.close());

const TABLE = `amount;group;same;answer\n${Array.from({ length: 30 }, (_, row) => `${row % 12},5;${"abc"[row % 3]};x;${row % 2 === 0 ? "no" : "yes"}`).join("\n")}\n`;

/** Ten machines of six days each. */
const MACHINES = `machine,day,a,b,answer\n${Array.from({ length: 60 }, (_, row) => `m${row % 10},2027-01-0${1 + Math.floor(row / 10)},${row / 7},x,${row % 3 === 0 ? "no" : "yes"}`).join("\n")}\n`;

/** What becomes of a dataset with this file. */
async function processed(jobs: JobState, text: string, changes: Partial<NewDataset> = {}): Promise<Dataset> {
  const key = addDataset(jobs, text, changes);
  await beginDataset(jobs, pool).flow;
  return datasetOf(jobs, key);
}

describe("a dataset", () => {
  test("is COMPLETED with its columns, classes and counts", () =>
    withJobState(async (jobs) => {
      const dataset = await processed(jobs, `${TABLE}1,5;a;x;\n`);
      expect(dataset).toMatchObject({
        status: "COMPLETED",
        labelColumn: "answer",
        positiveLabel: "yes",
        classes: [
          { label: "no", count: 15 },
          { label: "yes", count: 15 },
        ],
        rowCount: 30,
        columnCount: 4,
        errorReason: null,
        claimed: false,
      });
      const columns = dataset.columns!.map(({ distribution: _distribution, ...column }) => column);
      expect(columns).toEqual([
        {
          name: "amount",
          kind: "number",
          form: { decimal: ",", grouping: "", affix: "" },
          missing: 0,
          distinct: 12,
          warning: null,
        },
        { name: "group", kind: "category", missing: 0, distinct: 3, warning: null },
        { name: "same", kind: "constant", missing: 0, distinct: 1, warning: "constant: the same value in every row" },
        { name: "answer", kind: "category", missing: 1, distinct: 2, warning: expect.stringContaining("no label") },
      ]);
      const [, group, same] = dataset.columns!.map(({ distribution }) => distribution);
      expect(group!.bars).toEqual(["a", "b", "c"]);
      expect(group!.counts.map(([no, yes]) => [no, yes])).toEqual([
        [5, 5],
        [5, 5],
        [5, 5],
      ]);
      expect(same).toBeNull();
      expect(dataset.warnings.map(({ code }) => code)).toContain("ROWS_WITHOUT_LABEL");
      expect(dataset.processedOn).not.toBeNull();
      expect(jobs.faults).toEqual([]);
    }));

  test("heeds the label column, the missing values and the positive label that were asked for", () =>
    withJobState(async (jobs) => {
      const asked = { labelColumn: "group", missingValues: ["b"], positiveLabel: "a" };
      const dataset = await processed(jobs, TABLE, asked);
      expect(dataset.classes!.map(({ label }) => label)).toEqual(["a", "c"]);
      expect([dataset.labelColumn, dataset.positiveLabel, dataset.rowCount]).toEqual(["group", "a", 20]);
      const three = await processed(jobs, TABLE, { labelColumn: "group", positiveLabel: "a" });
      expect([three.status, three.positiveLabel]).toEqual(["COMPLETED", null]);
      expect(three.warnings.map(({ code }) => code)).toContain("POSITIVE_LABEL_UNUSED");
    }));

  test("says where its label looks like a quantity", () =>
    withJobState(async (jobs) => {
      const scores = Array.from({ length: 104 }, (_, row) => `${row % 7},${1 + (row % 52) / 10}\n`);
      const dataset = await processed(jobs, `amount,score\n${scores.join("")}`);
      expect(dataset.status).toBe("COMPLETED");
      const told = dataset.warnings.find(({ code }) => code === "LABEL_LOOKS_LIKE_QUANTITY");
      expect(told?.message).toContain("52 different numbers");
    }));

  test("without a header loses no row, and with one that looks like data says so", () =>
    withJobState(async (jobs) => {
      const rows = TABLE.slice(TABLE.indexOf("\n") + 1);
      const dataset = await processed(jobs, rows, { hasHeader: false });
      expect(dataset).toMatchObject({ status: "COMPLETED", labelColumn: "column_4", rowCount: 30, hasHeader: false });
      expect(dataset.columns!.map(({ name, kind }) => `${name} ${kind}`)).toContain("column_1 number");
      const taken = await processed(jobs, rows);
      expect([taken.rowCount, taken.hasHeader]).toEqual([29, true]);
      expect(taken.warnings.map(({ code }) => code)).toContain("HEADER_LOOKS_LIKE_DATA");
    }));

  test.each([
    [`${TABLE}"1;a;x;no\n`, {}, /line 32\b/],
    ["answer\n", {}, /no rows/],
    [TABLE, { labelColumn: "grup" }, /Did you mean "group"\?/],
    [TABLE, { positiveLabel: "Yes" }, /No row has the label "Yes".*Did you mean "yes"\?/],
    [TABLE, { positiveLabel: "maybe" }, /The labels are "no", "yes"\./],
  ])("is FAILED with the reason where it cannot be used (%#)", (text, changes, reason) =>
    withJobState(async (jobs) => {
      const dataset = await processed(jobs, text, changes);
      expect([dataset.status, dataset.claimed, dataset.columns]).toEqual(["FAILED", false, null]);
      expect(dataset.errorReason).toMatch(reason);
      expect(jobs.faults).toEqual([]);
    }),
  );

  test.each([
    [TABLE, { labelColumn: "grup" }, "LABEL_NOT_FOUND"],
    [TABLE, { positiveLabel: "Yes" }, "POSITIVE_LABEL_NOT_FOUND"],
    ["answer\n", {}, "NO_ROWS"],
  ])("has the code of what is wrong with its file (%#)", (text, changes, errorCode) =>
    withJobState(async (jobs) => {
      expect(await processed(jobs, text, changes)).toMatchObject({ status: "FAILED", errorCode });
    }),
  );

  test("heeds the columns to judge by, which are no features, and those left out", () =>
    withJobState(async (jobs) => {
      const dataset = await processed(jobs, MACHINES, { groupColumn: "machine", withoutColumns: ["b"] });
      expect(dataset).toMatchObject({ status: "COMPLETED", groupColumn: "machine", withoutColumns: ["b"] });
      const warnings = new Map(dataset.columns!.map(({ name, warning }) => [name, warning]));
      expect([...warnings].slice(0, 4)).toEqual([
        ["machine", "it says which rows belong together"],
        ["day", null],
        ["a", null],
        ["b", "left out as asked"],
      ]);
      const kept = await processed(jobs, MACHINES, { groupColumn: "machine", timeColumn: "day", keepKeyColumns: true });
      expect(kept.columns!.slice(0, 3).map(({ warning }) => warning)).toEqual([null, null, null]);
    }));

  test.each([
    [{ groupColumn: "machin" }, "COLUMN_NOT_FOUND", /Did you mean "machine"\?/],
    [{ timeColumn: "days" }, "COLUMN_NOT_FOUND", /no column "days" to use as the time/],
    [{ withoutColumns: ["c"] }, "COLUMN_NOT_FOUND", /no column "c" to leave out/],
    [{ withoutColumns: ["answer"] }, "LABEL_LEFT_OUT", /is the label, which cannot be left out/],
    [{ groupColumn: "answer" }, "UNUSABLE_GROUP", /is the label/],
    [{ groupColumn: "b" }, "UNUSABLE_GROUP", /one value only/],
    [{ groupColumn: "a" }, "UNUSABLE_GROUP", /another value in every row/],
    [{ timeColumn: "b" }, /UNREADABLE_TIME|UNUSABLE_TIME/, /column "b"/i],
    [{ withoutColumns: ["machine", "day", "a", "b"] }, "NO_FEATURES", /No column is left to learn from/],
  ] as const)("is FAILED where its key columns cannot be used (%#)", (changes, code, reason) =>
    withJobState(async (jobs) => {
      const { status, errorCode, errorReason } = await processed(jobs, MACHINES, changes as Partial<NewDataset>);
      expect(status).toBe("FAILED");
      expect(errorCode).toMatch(code);
      expect(errorReason).toMatch(reason);
      expect(jobs.faults).toEqual([]);
    }),
  );

  test("tells nothing of the server where the fault is ours", () =>
    withJobState(async (jobs) => {
      const key = addDataset(jobs, TABLE);
      rmSync(jobs.state.locate(datasetOf(jobs, key).filePath!));
      await beginDataset(jobs, pool).flow;
      const { status, errorReason, errorCode } = datasetOf(jobs, key);
      expect([status, errorCode]).toEqual(["FAILED", null]);
      expect(errorReason).not.toContain(jobs.folder);
      expect(jobs.faults).toHaveLength(1);
    }));

  test("waits for the next start where the program ends", () =>
    withJobState(async (jobs) => {
      const key = addDataset(jobs, TABLE);
      const run = startUnlimited(pool, null);
      const dataset = claimNextDataset(jobs.database)!;
      // Before the reading begins, or a thread that is quick would be done by then.
      suspendRun(run);
      await processDataset(dataset, run, jobs.services);
      expect(datasetOf(jobs, key)).toMatchObject({ status: "PROCESSING", claimed: true });
      expect(recoverDatasets(jobs.database, new Date()).resumed).toEqual([key]);
      expect(claimNextDataset(jobs.database)!.key).toBe(key);
    }));
});
