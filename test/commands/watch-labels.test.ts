// `cupel watch --labels`: beside a predicted file, alone and added to a file
// of counts, where each predicted file counts once.
import { beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { estimateOf } from "../../engine/judging/estimate.ts";
import { packModel } from "../../engine/model/model-file.ts";
import { sumOf } from "../../engine/sums.ts";
import { predict } from "../../src/commands/predict.ts";
import { watch } from "../../src/commands/watch.ts";
import { watchCounts } from "../../src/commands/watch-counts.ts";
import { watchLabels } from "../../src/commands/watch-labels.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { countedModel, readCountsFile } from "../../src/watching/counts-file.ts";
import { testFolder } from "../support/folders.ts";
import { spawnWorker, testConsole } from "../support/in-process.ts";
import { watchedPenguins } from "../support/watched-model.ts";

const MODEL = watchedPenguins({ mean: 0.96, low: 0.93, high: 0.98 });
const INPUT = readFileSync(join(import.meta.dir, "../fixtures/models/penguins-input.csv"), "utf8");
const folder = testFolder();
const at = (name: string) => join(folder, name);

beforeAll(() => {
  writeFileSync(at("model.cupel"), packModel(MODEL));
});
/** A result of 200 rows, all decided as the first label. */
function predictedFile(name: string): string {
  const rows = Array.from({ length: 200 }, (_, row) => `${name}${row},${MODEL.labels[0]},0.9\n`);
  writeFileSync(at(name), `id,prediction,confidence\n${rows.join("")}`);
  return at(name);
}

function labelsFile(name: string, wrongRows: number): string {
  const rows = Array.from({ length: 200 }, (_, row) => `${MODEL.labels[row < wrongRows ? 1 : 0]},${row}\n`);
  writeFileSync(at(name), `${MODEL.label},n\n${rows.join("")}`);
  return at(name);
}

interface Told {
  confirmed: { mean: number } | null;
  changedLabel: { label: string; trained: number; later: number } | null;
  message: string;
  accuracy: { mean: number };
  verdict: { state: string; since: string | null };
  counts: { confusion: number[][] };
}

async function told(predicted: string, labels: string, countsPath: string | null, now?: Date, model = "model.cupel") {
  const console = testConsole();
  const files = { modelPath: at(model), labelsPath: labels, predictedPath: predicted, countsPath };
  const choices = { labelColumn: null, keyColumn: null, hasHeader: true, json: true };
  const code = await watchLabels({ ...files, ...choices }, console, now);
  return { code, told: JSON.parse(console.printed.at(-1)!) as Told };
}

test("labels that bear the promise out end with 0, labels that do not with 5", async () => {
  const predicted = predictedFile("one");
  const good = await told(predicted, labelsFile("good.csv", 0), null);
  expect(good).toMatchObject({ code: EXIT.done, told: { accuracy: { mean: 1 }, verdict: { since: null } } });
  const bad = await told(predicted, labelsFile("bad.csv", 120), null);
  expect(bad).toMatchObject({ code: EXIT.shifted, told: { verdict: { state: "WORSE_THAN_PROMISED" } } });
  expect(bad.told.accuracy.mean).toBeCloseTo(0.4, 12);
});

test("labels of other shares than in training are told, and end with the same code", async () => {
  const predicted = predictedFile("shares");
  const { code, told: one } = await told(predicted, labelsFile("one-label.csv", 0), null);
  expect(code).toBe(EXIT.done);
  expect(one.changedLabel).toMatchObject({ label: MODEL.labels[0], later: 1 });
  expect(one.changedLabel!.trained).toBeCloseTo(MODEL.lineage.classCounts[0]! / sumOf(MODEL.lineage.classCounts), 12);
  const console = testConsole();
  const files = { modelPath: at("model.cupel"), labelsPath: at("one-label.csv"), predictedPath: predicted };
  await watchLabels(
    { ...files, countsPath: null, labelColumn: null, keyColumn: null, hasHeader: true, json: false },
    console,
  );
  expect(console.printed.join("\n")).toMatch(
    /The labels have other shares than in training: 100\.0% of them are "\w+", in training \d+\.\d%\./,
  );
});

test("a model of costs is held to its confirmed mean cost, not to how often it is right", async () => {
  const costs = [
    [0, 1, 1],
    [20, 0, 1],
    [1, 1, 0],
  ];
  const confusion = [
    [900, 200, 0],
    [0, 300, 0],
    [0, 0, 600],
  ];
  const confirmed = { ...estimateOf({ objective: "cost", costs }, confusion), confusion };
  const { lineage } = MODEL;
  const optimised = { objective: "cost" as const, score: confirmed.mean, costs, confirmed };
  const performance = { ...lineage.performance, optimised };
  writeFileSync(at("costs.cupel"), packModel({ ...MODEL, lineage: { ...lineage, performance } }));
  const predicted = predictedFile("costs");
  const judged = (name: string, wrongRows: number) =>
    told(predicted, labelsFile(name, wrongRows), null, undefined, "costs.cupel");
  expect(await judged("few.csv", 0)).toMatchObject({ code: EXIT.done, told: { objective: "cost" } });
  // 180 of 200 are right, and the others cost 20 each.
  const dear = await judged("dear.csv", 20);
  expect(dear).toMatchObject({ code: EXIT.shifted, told: { score: { mean: -2 } } });
  expect(dear.told.message).toContain("The promise is a mean cost of at most");
});

test("labels in the new file itself say the same as labels that came later", async () => {
  const [header, ...rows] = INPUT.trim().split("\n");
  const place = header!.split(",").indexOf(MODEL.label);
  // Every third label is of another class, every ninth unknown, and one is not known yet.
  const label = (own: string, row: number) => {
    if (row === 0) return "";
    if (row % 3 > 0) return own;
    return row % 9 === 0 ? "Unknown" : MODEL.labels.find((other) => other !== own)!;
  };
  const cells = rows.map((line) => line.split(","));
  const changed = cells.map((row, at) => row.with(place, label(row[place]!, at)).join(","));
  writeFileSync(at("labelled.csv"), `${[header, ...changed, ...changed.slice(1)].join("\n")}\n`);
  const files = { modelPath: at("model.cupel"), inputPath: at("labelled.csv") };
  const others = { outPath: at("decided.csv"), badRowsPath: null, watchPath: null };
  await predict({ ...files, ...others, likeInput: false, spreadsheetSafe: false }, testConsole(), spawnWorker);
  const now = new Date("2031-05-06T12:00:00Z");
  const later = await told(at("decided.csv"), at("labelled.csv"), null, now);
  const own = testConsole();
  const code = watch({ ...files, hasHeader: true, json: true }, own, now);
  expect(JSON.parse(own.printed.at(-1)!).outcomes).toEqual(later.told);
  expect([later.told.verdict.state, later.code, code]).toEqual(["WORSE_THAN_PROMISED", EXIT.shifted, EXIT.shifted]);
  const lines = testConsole();
  watch({ ...files, hasHeader: true, json: false }, lines, now);
  expect(lines.printed).toContain(later.told.message);
});

test("labels of decisions at a changed threshold are held against nothing, and the message says why", async () => {
  const classWeights = MODEL.labels.map((_, at) => at + 1);
  writeFileSync(at("changed.cupel"), packModel({ ...MODEL, classWeights, trainedClassWeights: null }));
  const changed = await told(predictedFile("changed"), labelsFile("wrong.csv", 120), null, undefined, "changed.cupel");
  expect(changed).toMatchObject({ code: EXIT.done, told: { confirmed: null, verdict: { state: "NO_PROMISE" } } });
  expect(changed.told.message).toStartWith(
    "The threshold was changed after the training, so no accuracy was confirmed",
  );
  const { lineage } = MODEL;
  const performance = { ...lineage.performance, confirmedPerformance: null };
  writeFileSync(at("none.cupel"), packModel({ ...MODEL, lineage: { ...lineage, performance } }));
  const none = await told(at("changed"), at("wrong.csv"), null, undefined, "none.cupel");
  expect(none.told.message).toBe("There is no confirmed accuracy to hold the labels against.");
});

test("labels in another coding are refused, and some of them are told", async () => {
  const predicted = predictedFile("coded");
  const other = (row: number) => `${row % 2},${row}\n`;
  const rows = readFileSync(labelsFile("known.csv", 0), "utf8").split("\n").slice(1, -1);
  const write = (from: number) => {
    const lines = rows.map((line, row) => (row < from ? other(row) : `${line}\n`));
    writeFileSync(at("coded.csv"), `${MODEL.label},n\n${lines.join("")}`);
    return at("coded.csv");
  };
  const refused = told(predicted, write(200), null);
  expect(await refused.catch((error: InputError) => [error instanceof InputError, error.code])).toEqual([
    true,
    "UNKNOWN_LABELS",
  ]);
  expect((await told(predicted, write(11), null)).told.message).toContain("The model does not know 11 of 200 labels");
  expect((await told(predicted, write(10), null)).told.message).not.toContain("does not know");
});

test("a file of counts takes each predicted file once, day by day, beside the counts of its rows", async () => {
  const counts = at("counts.json");
  const options = {
    modelPath: at("model.cupel"),
    inputPath: at("new.csv"),
    outPath: at("scored.csv"),
    watchPath: counts,
  };
  writeFileSync(at("new.csv"), INPUT);
  const scored = { ...options, badRowsPath: null, likeInput: false, spreadsheetSafe: false };
  await predict(scored, testConsole(), spawnWorker);
  const { days } = readCountsFile(counts, countedModel(at("model.cupel")));
  const [one, two] = [predictedFile("a"), predictedFile("b")];
  const [good, bad] = [labelsFile("good.csv", 0), labelsFile("bad.csv", 120)];
  await told(one, good, counts, new Date("2031-05-01T12:00:00Z"));
  const worse = await told(two, bad, counts, new Date("2031-05-02T12:00:00Z"));
  expect(worse).toMatchObject({ code: EXIT.shifted, told: { verdict: { since: "2031-05-02" } } });
  expect(worse.told.accuracy.mean).toBeCloseTo(0.7, 12);
  const console = testConsole();
  expect(watchCounts({ modelPath: at("model.cupel"), countsPath: counts, json: false }, console)).toBe(EXIT.shifted);
  expect(console.printed[0]).toStartWith("Worse than promised since the labels of 2031-05-02");
  const asJson = testConsole();
  watchCounts({ modelPath: at("model.cupel"), countsPath: counts, json: true }, asJson);
  expect(JSON.parse(asJson.printed[0]!)).toMatchObject({ state: "WORSE_THAN_PROMISED" });
  const mended = await told(two, good, counts, new Date("2031-05-02T12:00:00Z"));
  expect(mended).toMatchObject({ code: EXIT.done, told: { accuracy: { mean: 1 } } });
  const now = readCountsFile(counts, countedModel(at("model.cupel")));
  expect(now.days).toEqual(days);
  expect(now.outcomes.map(({ day }) => day)).toEqual(["2031-05-01", "2031-05-02"]);
});

test("a damaged file of counts is refused and stays", async () => {
  const counts = at("damaged.json");
  await told(predictedFile("c"), labelsFile("good.csv", 0), counts);
  const sound = readFileSync(counts, "utf8");
  for (const broken of [
    sound.replace('"unknownLabels":0', '"unknownLabels":-1'),
    sound.replace('"outcomes":[', '"outcomes":[[],'),
  ]) {
    writeFileSync(counts, broken);
    const again = told(at("c"), at("good.csv"), counts);
    expect(await again.catch((error: InputError) => [error instanceof InputError, error.code])).toEqual([
      true,
      "NO_COUNTS",
    ]);
    expect(readFileSync(counts, "utf8")).toBe(broken);
  }
});

test("flags that do not go together are refused", async () => {
  const main = join(import.meta.dir, "../../src/main.ts");
  const child = Bun.spawn([process.execPath, main, "watch", at("model.cupel"), "--labels", "x.csv"], {
    stderr: "pipe",
  });
  const [text, code] = await Promise.all([child.stderr.text(), child.exited]);
  expect([code, text]).toEqual([
    EXIT.usage,
    expect.stringContaining("Labels that came later need --labels LATER.csv and --predicted"),
  ]);
});
