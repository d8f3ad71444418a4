// Whole runs on real tables, in this process with real workers: results, reproducibility, targets, time limits, Ctrl-C.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { meanCost } from "../../engine/judging/costs.ts";
import { achieved } from "../../engine/judging/objective.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { type RunOptions, run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { readTable } from "../bench/outer-split.ts";
import { withFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import { withSteadyClock } from "../support/steady-clock.ts";

async function summaryOf(trainPath: string, folder: string, changes: Partial<RunOptions> = {}): Promise<RunSummary> {
  const console = testConsole();
  await run(runOptions(trainPath, join(folder, "out"), changes), console, spawnWorker);
  return JSON.parse(console.printed.join("\n"));
}

/**
 * Each row of a result is predicted as the label that costs least by its
 * probabilities, which are written with six digits.
 */
function expectCheapest(path: string, costs: readonly (readonly number[])[]): void {
  const { header, records } = readTable(path);
  const first = header.findIndex((name) => name.startsWith("probability_"));
  const labels = header.slice(first).map((name) => name.replace("probability_", ""));
  for (const record of records) {
    const shares = record.slice(first).map(Number);
    const expected = labels.map((_, decided) => shares.reduce((sum, own, k) => sum + own * costs[k]![decided]!, 0));
    const decided = labels.indexOf(record[header.indexOf("prediction")]!);
    expect(expected[decided]!).toBeLessThanOrEqual(Math.min(...expected) + 1e-4);
  }
}

const modelBytes = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".cupel"))
    .sort()
    .map((name) => [name, Bun.hash(readFileSync(join(folder, name)))]);

describe("a run", () => {
  test("of a small table starts eight threads at most, and makes the same models", () =>
    withFolder(async (folder) => {
      let spawned = 0;
      const spawn = () => {
        spawned++;
        return spawnWorker();
      };
      const models = async (workers: number) => {
        const out = join(folder, `out-${workers}`);
        await run(runOptions(fixtureTable("penguins"), out, { refine: true, workers }), testConsole(), spawn);
        return modelBytes(out);
      };
      expect(await models(16)).toEqual(await models(1));
      expect(spawned).toBe(8 + 1);
    }));

  test("writes models, predictions, a summary and a report that agree", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("penguins");
      const summary = await summaryOf(path, folder, { scalingFactor: 19, predictPaths: [path, path], workers: 2 });
      const out = join(folder, "out");
      expect(summary.status).toBe("COMPLETED");
      expect([summary.rows, summary.columnCount, summary.classes.length]).toEqual([344, 7, 3]);
      expect(summary.holdout.rows).toBe(69);
      expect(summary.holdout.classes.map(({ count }) => count).reduce((a, b) => a + b)).toBe(69);
      expect(summary.attempts.filter(({ role }) => role === "attempt")).toHaveLength(20);
      expect(summary.attempts.filter(({ role }) => role === "library baseline").map(({ status }) => status)).toEqual([
        "finished",
        "finished",
        "finished",
      ]);
      expect(summary.attempts.filter(({ finalist }) => finalist).length).toBeLessThanOrEqual(6);
      expect(summary.baseline.falseDecisions).toBeGreaterThan(summary.versions[0]!.falseDecisions);

      const versions = summary.versions;
      expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
      expect(versions.map(({ champion }) => champion)).toEqual(versions.map((_, index) => index === 0));
      expect(summary.achievedPerformance).toBe(versions[0]!.testPerformance);
      for (const version of versions) {
        const attempt = summary.attempts.find((entry) => entry.attempt === version.attempt)!;
        expect([attempt.version, attempt.finalist, attempt.falseDecisions]).toEqual([
          version.version,
          true,
          version.falseDecisions,
        ]);
        expect(version.byClass.map(({ label }) => label)).toEqual(summary.classes.map(({ label }) => label));
        expect(version.byClass.map(({ support }) => support)).toEqual(
          summary.holdout.classes.map(({ count }) => count),
        );
        expect(version.score).toBeCloseTo(version.testPerformance, 12);
        expect(version.classWeights).toBeNull();
        const wrong = version.confusion.flatMap((row, actual) => row.filter((_, decided) => decided !== actual));
        expect(wrong.reduce((a, b) => a + b, 0)).toBe(version.falseDecisions);
        const { mean, low, high } = version.confirmedPerformance!;
        expect(low <= mean && mean <= high).toBeTrue();
        expect(unpackModel(readFileSync(join(out, version.file))).lineage.version).toBe(version.version);
        const used = summary.columns.filter((column) => column.used).map(({ name }) => name);
        for (const { name } of version.importance) expect(used).toContain(name);
        expect(version.importance.length).toBeGreaterThan(0);
        expect(version.effects?.length).toBeGreaterThan(0);
      }
      expect(JSON.parse(readFileSync(join(out, "summary.json"), "utf8"))).toEqual(summary);
      expect(readFileSync(join(out, "report.html"), "utf8")).toContain("penguins.csv");
      expect(summary.predictions.map(({ file, rows }) => [file, rows])).toEqual([
        ["predictions-penguins.csv", 344],
        ["predictions-penguins-2.csv", 344],
      ]);
      expect(readFileSync(join(out, "predictions-penguins.csv"))).toEqual(
        readFileSync(join(out, "predictions-penguins-2.csv")),
      );
    }));

  test("serves another objective where asked, and says so everywhere", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("penguins");
      for (const objective of ["balanced-accuracy", "f1"] as const) {
        const summary = await summaryOf(path, join(folder, objective), { objective, predictPaths: [path] });
        const out = join(folder, objective, "out");
        expect(summary.objective).toBe(objective);
        expect(summary.attemptsTotal).toBe(3);
        const scores = summary.versions.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        for (const version of summary.versions) {
          const { balancedAccuracy, macroAverages, score, objectiveHeldOut, objectiveConfirmed } = version;
          expect(score).toBeCloseTo((objective === "f1" ? macroAverages.f1Score : balancedAccuracy)!, 12);
          expect(objectiveHeldOut!.mean).toBe(score);
          const { mean, low, high } = objectiveConfirmed!;
          expect(mean).toBeWithin(0.4, 1.01);
          expect(low).toBeLessThan(mean);
          expect(high).toBeGreaterThanOrEqual(mean);
          expect(version.falseDecisions / summary.holdout.rows).toBeCloseTo(1 - version.testPerformance, 12);
          const { classWeights, lineage } = unpackModel(readFileSync(join(out, version.file)));
          const { confirmed, ...optimised } = lineage.performance.optimised!;
          expect(optimised).toEqual({ objective, score });
          expect(confirmed).toEqual({ ...objectiveConfirmed!, confusion: confirmed!.confusion });
          expect(achieved(objective, confirmed!.confusion)).toBeCloseTo(mean, 12);
          expect(classWeights ?? null).toEqual(version.classWeights === null ? null : [...version.classWeights]);
        }
        const named = objective === "f1" ? "Optimised: mean F1" : "Optimised: balanced accuracy";
        expect(readFileSync(join(out, "report.html"), "utf8")).toContain(named);
      }
    }));

  test("has the measures of the positive label that is asked for, and refuses one that no row has", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("credit_g");
      const { positiveLabel, versions } = await summaryOf(path, folder, { positiveLabel: "bad", scalingFactor: 0 });
      expect(positiveLabel).toBe("bad");
      const { recall, byClass } = versions[0]!;
      expect(recall).toBe(byClass.find(({ label }) => label === "bad")!.recall);
      await expect(summaryOf(path, folder, { positiveLabel: "awful" })).rejects.toThrow('No row has the label "awful"');
    }));

  test("decides by costs: as class weights where these say it all, else by the costs themselves", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("penguins");
      for (const [index, costTexts] of [
        [{ labels: "Chinstrap", cost: 4 }],
        [{ labels: "Chinstrap:Adelie", cost: 4 }],
      ].entries()) {
        const asked = { objective: "cost", costTexts, predictPaths: [path] } as const;
        const summary = await summaryOf(path, join(folder, `costs${index}`), asked);
        const out = join(folder, `costs${index}`, "out");
        const costs = [[0, 1, 1], index === 0 ? [4, 0, 4] : [4, 0, 1], [1, 1, 0]];
        expect([summary.objective, summary.costs]).toEqual(["cost", costs]);
        const constant = summary.classes.map((_, decided) =>
          summary.holdout.classes.reduce((sum, { count }, actual) => sum + count * costs[actual]![decided]!, 0),
        );
        expect(summary.guess.score).toBeCloseTo(-Math.min(...constant) / summary.holdout.rows, 12);
        expect(summary.guess.label).toBe(summary.classes[constant.indexOf(Math.min(...constant))]!.label);
        expect(summary.attemptsTotal).toBe(3);
        const scores = summary.versions.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        for (const { file, score, confusion, objectiveConfirmed } of summary.versions) {
          expect(score).toBeCloseTo(-meanCost(confusion, costs), 12);
          const stored = unpackModel(readFileSync(join(out, file)));
          expect(stored.classWeights).toEqual(index === 0 ? [1, 4, 1] : undefined);
          expect(stored.costs).toEqual(index === 0 ? undefined : costs);
          const { confirmed, ...optimised } = stored.lineage.performance.optimised!;
          expect(optimised).toEqual({ objective: "cost", score, costs });
          expect(meanCost(confirmed!.confusion, costs)).toBeCloseTo(-objectiveConfirmed!.mean, 12);
        }
        const named = index === 0 ? "Chinstrap&quot; predicted as anything else costs 4" : "Adelie&quot; costs 4";
        const report = readFileSync(join(out, "report.html"), "utf8");
        expect(report).toContain("Optimised: mean cost");
        expect(report.replaceAll('"', "&quot;")).toContain(named);
        expectCheapest(join(out, "predictions-penguins.csv"), costs);
      }
      const unknown = run(
        runOptions(path, join(folder, "unknown"), { objective: "cost", costTexts: [{ labels: "Adele", cost: 4 }] }),
        testConsole(),
        spawnWorker,
      );
      await expect(unknown).rejects.toThrow('Did you mean "Adelie"?');
      expect(existsSync(join(folder, "unknown"))).toBe(false);
    }));

  test("gives the same model files with any number of workers, and others with another seed", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("credit_g");
      const files = [];
      for (const [name, workers, seed] of [
        ["one", 1, 1],
        ["two", 2, 1],
        ["other", 2, 2],
      ] as const) {
        await run(
          runOptions(path, join(folder, name), { workers, seed, scalingFactor: 4 }),
          testConsole(),
          spawnWorker,
        );
        files.push(modelBytes(join(folder, name)));
      }
      expect(files[0]).toHaveLength(3);
      expect(files[1]).toEqual(files[0]!);
      expect(files[2]).not.toEqual(files[0]!);
    }));

  test("stops after the round in which a version reaches the target", () =>
    withFolder(async (folder) => {
      const summary = await summaryOf(fixtureTable("penguins"), folder, { target: 0.9, scalingFactor: 60, workers: 2 });
      expect(summary.status).toBe("COMPLETED");
      expect(summary.attemptsTotal).toBe(61);
      expect(summary.attemptsCompleted).toBe(20);
    }));

  test("goes on improving attempts below the target, and says so where none reaches it", () =>
    withFolder(async (folder) => {
      const console = testConsole();
      const options = runOptions(fixtureTable("credit_g"), join(folder, "out"), { target: 0.99, workers: 2 });
      expect(await run(options, console, spawnWorker)).toBe(4);
      const summary: RunSummary = JSON.parse(console.printed[0]!);
      expect(summary.status).toBe("NOT_COMPLETED");
      expect(summary.versions).toHaveLength(3);
      const logistic = summary.attempts.find(({ family }) => family === "logistic regression")!;
      expect(logistic.settings["l2"]).not.toBe(1);
    }));

  test("keeps the best so far at the time limit", () =>
    withFolder(async (folder) => {
      const options = runOptions(fixtureTable("churn"), join(folder, "out"), {
        timeLimitSeconds: 600,
        scalingFactor: 499,
      });
      const console = await withSteadyClock(async (pass) => {
        const timed = testConsole((done) => done === 3 && pass(600));
        expect(await run(options, timed, spawnWorker)).toBe(4);
        return timed;
      });
      const summary: RunSummary = JSON.parse(console.printed[0]!);
      expect(summary.status).toBe("TIMED_OUT");
      expect(summary.versions.length).toBeGreaterThan(0);
      expect(summary.attempts.length).toBeLessThan(100);
    }));

  test("keeps the best so far when it is interrupted, and nothing half-written when it is interrupted twice", () =>
    withFolder(async (folder) => {
      const once = testConsole((done) => done === 3 && once.interrupt());
      const options = runOptions(fixtureTable("churn"), join(folder, "once"), { scalingFactor: 60 });
      expect(await run(options, once, spawnWorker)).toBe(130);
      const summary: RunSummary = JSON.parse(once.printed[0]!);
      expect(summary.status).toBe("CANCELLED");
      expect(summary.versions.length).toBeGreaterThan(0);
      expect(existsSync(join(folder, "once", "model.cupel"))).toBeTrue();

      const twice = testConsole(() => {
        twice.interrupt();
        twice.interrupt();
      });
      const rejected = await run({ ...options, outFolder: join(folder, "twice") }, twice, spawnWorker).catch(
        (error) => error.name,
      );
      expect(rejected).toBe("Cancelled");
      expect(readdirSync(join(folder, "twice"))).toEqual([]);
    }));

  test("results of an earlier run give way to those of a later one", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("penguins");
      await summaryOf(path, folder, { predictPaths: [path] });
      writeFileSync(join(folder, "out", "predictions-mine.csv"), "kept");
      await summaryOf(path, folder);
      const names = readdirSync(join(folder, "out"));
      expect(names).not.toContain("predictions-penguins.csv");
      expect(names).toContain("predictions-mine.csv");
    }));

  test("a file whose fault shows only in its last line costs its own result and no other", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("penguins");
      const broken = join(folder, "broken.csv");
      const [header, ...rows] = readFileSync(path, "utf8").trim().split("\n");
      const many = Array.from({ length: 100 }, () => rows.join("\n"));
      writeFileSync(broken, [header, ...many, "one,two", ""].join("\n"));
      const console = testConsole();
      const options = runOptions(path, join(folder, "out"), { predictPaths: [broken, path] });
      expect(await run(options, console, spawnWorker)).toBe(3);
      const summary: RunSummary = JSON.parse(console.printed[0]!);
      expect(summary.predictions.map(({ file }) => file)).toEqual(["predictions-penguins.csv"]);
      expect(summary.warnings).toContainEqual(expect.objectContaining({ code: "PREDICTION_FAILED", line: 34_402 }));
      const files = ["model.cupel", "predictions-penguins.csv", "report.html", "summary.json"];
      expect(
        readdirSync(join(folder, "out"))
          .filter((name) => !/^v\d/.test(name))
          .sort(),
      ).toEqual(files);
    }));

  test("refuses a file to predict before it trains, and leaves earlier results alone", () =>
    withFolder(async (folder) => {
      const path = fixtureTable("penguins");
      await summaryOf(path, folder);
      const before = readdirSync(join(folder, "out")).sort();
      const error = await summaryOf(path, folder, { predictPaths: [fixtureTable("churn")] }).catch((caught) => caught);
      expect(error).toBeInstanceOf(InputError);
      expect(error.code).toBe("COLUMN_MISMATCH");
      expect(readdirSync(join(folder, "out")).sort()).toEqual(before);
    }));
});
