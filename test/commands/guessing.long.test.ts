// Better than guessing or not: what a run claims of itself, beside what its own figures say.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../engine/random.ts";
import { closingLines } from "../../src/commands/closing-lines.ts";
import { type RunOptions, run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { withFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import { binarySummary } from "../support/summaries.ts";

/**
 * Three columns, and a label that follows the first one in so many rows of a hundred; `yes` in a fifth of the others.
 */
function drawnTable(rowCount: number, percentTold: number, seed: number): string {
  const random = new Random(seed);
  const lines = Array.from({ length: rowCount }, () => {
    const [told, other, noise] = [random.nextFloat(), random.nextFloat(), random.nextBelow(4)];
    const isTold = random.nextBelow(100) < percentTold;
    const label = (isTold ? told > 0.5 : random.nextBelow(5) === 0) ? "yes" : "no";
    return `${told.toFixed(3)},${other.toFixed(3)},k${noise},${label}`;
  });
  return `told,other,noise,label\n${lines.join("\n")}\n`;
}

async function summaryOf(folder: string, table: string, changes: Partial<RunOptions> = {}) {
  const path = join(folder, "table.csv");
  writeFileSync(path, table);
  const console = testConsole();
  const code = await run(runOptions(path, join(folder, "out"), changes), console, spawnWorker);
  return { code, notes: console.notes, summary: JSON.parse(console.printed.join("\n")) as RunSummary };
}

const codesOf = ({ warnings }: RunSummary) => warnings.map(({ code }) => code);
const doubtsIn = (summary: RunSummary) =>
  closingLines(summary, { outFolder: "out" }).filter((line) => line.startsWith("Doubt "));

describe("a run", () => {
  test("on columns that tell nothing is not COMPLETED, and its worst doubt says so", () =>
    withFolder(async (folder) => {
      const { code, summary } = await summaryOf(folder, drawnTable(200, 0, 1));
      expect([code, summary.status]).toEqual([4, "NOT_COMPLETED"]);
      expect(summary.statusReason).toBe(
        "Every attempt of the plan was made. But the champion is no better than always answering the most frequent label.",
      );
      expect(codesOf(summary)).toContain("NOT_BETTER_THAN_GUESSING");
      expect(doubtsIn(summary)[0]).toMatch(
        /^Doubt {7}Not better than guessing: on .+ version 1 reaches [\d.]+%, always answering "no" [\d.]+%\. Do not rely on it: only \d+ of 40 held-out rows have the label "yes", too few to tell whether its probabilities tell rows apart\.$/,
      );
      expect(readFileSync(join(folder, "out", "report.html"), "utf8")).toContain("Not better than guessing");
    }));

  test("of a rare label that only its probabilities tell names what else to train for", () =>
    withFolder(async (folder) => {
      const random = new Random(1);
      const lines = Array.from({ length: 2_000 }, () => {
        const told = random.nextFloat();
        return `${told.toFixed(3)},${random.nextBelow(9)},${random.nextFloat() < 0.25 * told ** 4 ? "sick" : "well"}`;
      });
      const { summary } = await summaryOf(folder, `told,other,label\n${lines.join("\n")}\n`);
      const doubt = summary.verdict.doubts.find(({ code }) => code === "NOT_BETTER_THAN_GUESSING")!;
      expect(doubt.message).toMatch(
        /But its probabilities do tell rows apart \(area under the ROC curve [789]\d\.\d%;/,
      );
      expect(doubt.message).not.toContain("Do not rely on it");
      expect(doubt.option).toBe("--optimise balanced-accuracy or --cost sick=N");
    }));

  test("on columns that tell the label has nothing to warn of", () =>
    withFolder(async (folder) => {
      const { code, summary } = await summaryOf(folder, drawnTable(400, 90, 1));
      expect([code, summary.status]).toEqual([0, "COMPLETED"]);
      expect(codesOf(summary)).not.toContain("NOT_BETTER_THAN_GUESSING");
      expect(doubtsIn(summary)).toEqual([expect.stringContaining("80 rows could be held out")]);
    }));

  test.each([1, 2, 3, 4, 5, 6])("on columns that tell little claims no more than it measured: table %i", (seed) =>
    withFolder(async (folder) => {
      const changes = { refine: seed % 2 === 0, seed };
      const { summary } = await summaryOf(folder, drawnTable(300, 10 * seed, seed), changes);
      const [champion] = summary.versions;
      const { baseline, targetPerformance, status, versions } = summary;
      const isBetter = champion!.falseDecisions < baseline.falseDecisions;
      // Parts are dealt by label: the share of the most frequent one differs by less than a row.
      const confirmed = champion!.confirmedPerformance!;
      const row = 1 / summary.holdout.rows;
      if (status === "COMPLETED") expect(isBetter && confirmed.mean > baseline.accuracy - row).toBeTrue();
      else expect(isBetter && confirmed.mean > baseline.accuracy + row).toBeFalse();
      if (targetPerformance !== null) expect(targetPerformance).toBeGreaterThan(baseline.accuracy);
      expect(codesOf(summary).includes("NOT_BETTER_THAN_GUESSING")).toBe(
        status !== "COMPLETED" || confirmed.low <= baseline.accuracy,
      );
      expect(codesOf(summary).includes("FEWER_VERSIONS")).toBe(versions.length < 3);
    }),
  );

  test("for another objective is held against what guessing reaches of that", () =>
    withFolder(async (folder) => {
      const told = await summaryOf(folder, drawnTable(400, 90, 1), { objective: "balanced-accuracy" });
      expect([told.summary.status, codesOf(told.summary)]).toEqual(["COMPLETED", []]);
      const { summary } = await summaryOf(folder, drawnTable(200, 0, 1), { objective: "f1" });
      const { low } = summary.versions[0]!.objectiveConfirmed!;
      expect(codesOf(summary).includes("NOT_BETTER_THAN_GUESSING")).toBe(
        summary.status !== "COMPLETED" || low <= summary.guess.score,
      );
    }));

  test("with costs names the rare label that is the cheapest guess, wherever it is no better", () =>
    withFolder(async (folder) => {
      const changes: Partial<RunOptions> = { objective: "cost", costTexts: [{ labels: "yes", cost: 50 }] };
      const { code, summary } = await summaryOf(folder, drawnTable(200, 0, 2), changes);
      expect([code, summary.guess.label, summary.baseline.label]).toEqual([4, "yes", "no"]);
      const reason = 'Every attempt of the plan was made. But the champion is no better than always answering "yes".';
      expect(summary.statusReason).toBe(reason);
      expect(closingLines(summary, { outFolder: "out" })[0]).toStartWith(`NOT_COMPLETED: ${reason}`);
      const report = readFileSync(join(folder, "out", "report.html"), "utf8");
      expect(report).toContain("no better than always answering &quot;yes&quot;");
      expect(report).not.toContain("most frequent label");
    }));

  test("whose target guessing reaches says so, on the terminal too", () =>
    withFolder(async (folder) => {
      const { summary, notes } = await summaryOf(folder, drawnTable(400, 90, 1), { target: 0.3 });
      const [warning] = summary.warnings;
      expect(warning!.code).toBe("TARGET_IS_GUESSING");
      expect(notes).toEqual([`warning: ${warning!.message}`]);
      expect(doubtsIn(summary)).toContain(`Doubt       ${warning!.message}`);
      expect(summary.targetPerformance).toBe(0.3);
    }));
});

test("attempts that were cut are counted at the end of a run", () => {
  const summary = binarySummary();
  const attempts = summary.attempts.map((attempt, at) =>
    at < 2 ? { ...attempt, status: "stopped" as const } : attempt,
  );
  const line = "Unfinished  2 attempts, with the reasons in summary.json";
  expect(closingLines({ ...summary, attempts }, { outFolder: "out" })).toContain(line);
  expect(closingLines(summary, { outFolder: "out" }).join("\n")).not.toContain("Unfinished");
});

describe("fewer than three versions", () => {
  test("are explained where finalists decide alike", () =>
    withFolder(async (folder) => {
      const lines = Array.from({ length: 200 }, (_, row) => `${row % 20},${row % 20 < 9 ? "low" : "high"}`);
      const { summary } = await summaryOf(folder, `value,label\n${lines.join("\n")}\n`);
      const { versions } = summary;
      const finalists = summary.attempts.filter(({ finalist }) => finalist).length;
      expect(versions.length).toBeLessThan(3);
      const message = `${versions.length} instead of 3: ${finalists - versions.length} of ${finalists} finalists decided every held-out row as a better one did.`;
      expect(summary.warnings).toContainEqual({ code: "FEWER_VERSIONS", message });
      expect(closingLines(summary, { outFolder: "out" })).toContain(`Versions    ${message}`);
      expect(readFileSync(join(folder, "out", "report.html"), "utf8")).toContain(message);
    }));

  test("are explained where fewer attempts finished", () =>
    withFolder(async (folder) => {
      const console = testConsole((done) => done === 1 && console.interrupt());
      await run(runOptions(fixtureTable("penguins"), join(folder, "out")), console, spawnWorker);
      const summary: RunSummary = JSON.parse(console.printed.join("\n"));
      const message = "1 instead of 3: only 1 attempt came to a model.";
      expect(summary.warnings).toEqual([{ code: "FEWER_VERSIONS", message }]);
    }));
});
