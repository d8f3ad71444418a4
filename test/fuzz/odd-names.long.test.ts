// Whole runs on tables whose columns, categories and labels are called what
// objects, pages, terminals and spreadsheets trip over.
import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { statePaths } from "../../data/files/state-folder.ts";
import { readCsv } from "../../engine/csv/read.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { addScorer } from "../src/api/service.ts";
import { startApi } from "../support/api.ts";
import { withFolder } from "../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const FRESH_SEED = crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 31;
const ROWS = 90;
const NAMES = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__defineGetter__",
    "length",
    "0",
  ],
  ...["prediction", "confidence", "probability___proto__", "label", "null", "undefined", "$", "kind", "then"],
  ...["<script>alert(1)</script>", '"', "a\nb", "\u001b[31m", "\u202eabc", "=1+1", "é", "a,b;c\td|e", "🜔"],
];

interface OddTable {
  names: string[];
  labels: string[];
  records: string[][];
}

/** The label follows from the first column, but for a few rows. */
const oddTable: fc.Arbitrary<OddTable> = fc
  .record({
    names: fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 6 }),
    labels: fc.shuffledSubarray(NAMES, { minLength: 2, maxLength: 3 }),
    categories: fc.shuffledSubarray(NAMES, { minLength: 2, maxLength: 5 }),
  })
  .map(({ names, labels, categories }) => ({
    names,
    labels: [...labels].sort(),
    records: Array.from({ length: ROWS }, (_, row) => {
      const size = (row * 37) % ROWS;
      const label = labels[Math.floor((row % 11 === 0 ? ROWS - 1 - size : size) / (ROWS / labels.length))]!;
      const cells = names.slice(1, -1).map((_name, column) => categories[(row * (column + 2)) % categories.length]!);
      return [String(size + 0.5), ...cells, label];
    }),
  }));

const csvOf = (records: readonly (readonly string[])[]) =>
  records.map((cells) => formatRecord(cells, { delimiter: ",", lineEnding: "\n" })).join("");

function tableOf(path: string): { names: readonly string[]; records: string[][] } {
  const records: string[][] = [];
  const { header } = readCsv(
    () => [new Uint8Array(readFileSync(path))],
    () =>
      ({ records: batch }) => {
        for (const record of batch) records.push([...record]);
      },
  );
  return { names: header.names, records };
}

/** Trains on a table, scores it without its label, and looks at all that comes of it. */
async function expectSound(table: OddTable, refine: boolean, folder: string): Promise<void> {
  const { names, labels, records } = table;
  const [train, input] = [join(folder, "train.csv"), join(folder, "new.csv")];
  // The reader guesses delimiters, and a header of odd names is no fair ground for that.
  writeFileSync(train, `sep=,\n${csvOf([names, ...records])}`);
  writeFileSync(input, `sep=,\n${csvOf([names, ...records].map((cells) => cells.slice(0, -1)))}`);
  const out = join(folder, "out");
  const console = testConsole();
  const options = runOptions(train, out, { refine, predictPaths: [input], missingMarkers: [] });
  const code = await run(options, console, spawnWorker);
  expect([0, 4]).toContain(code);
  const summary = JSON.parse(console.printed.at(-1)!) as RunSummary;
  expect(JSON.parse(readFileSync(join(out, "summary.json"), "utf8"))).toEqual(summary);
  const read = tableOf(train);
  expect(summary.classes.map(({ label }) => label)).toEqual(labels);
  const scored = tableOf(join(out, summary.predictions[0]!.file));
  expect(scored.records).toHaveLength(ROWS);
  const added = scored.names.slice(read.names.length - 1);
  expect(added.map((name) => name.replace(/_\d+$/, ""))).toEqual(
    ["prediction", "confidence", ...labels.map((label) => `probability_${label}`.trim())].map((name) =>
      name.replace(/_\d+$/, ""),
    ),
  );
  for (const cells of scored.records) {
    expect(labels).toContain(cells[read.names.length - 1]!);
    const shares = cells.slice(-labels.length).map(Number);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
  }
  const report = readFileSync(join(out, "report.html"), "utf8");
  expect(report).not.toContain("<script>alert");
  expect(report).not.toContain("\u001b");
  await expectLiveScores(join(out, "model.cupel"), read, labels);
  // Nothing reached a prototype.
  expect(Object.keys(Object.prototype)).toEqual([]);
  for (const inherited in {}) throw new Error(`every object has ${inherited}`);
}

/** The same model behind the API: rows by column name in, probabilities by label out. */
async function expectLiveScores(
  modelPath: string,
  { names, records }: { names: readonly string[]; records: readonly string[][] },
  labels: readonly string[],
): Promise<void> {
  const api = await startApi();
  try {
    const { modelKey } = addScorer(api, "ada");
    copyFileSync(modelPath, api.state.locate(statePaths.modelVersion(modelKey, 1)));
    const rows = records.slice(0, 5).map((cells) => {
      const fields = names.slice(0, -1).map((name, at) => `${JSON.stringify(name)}:${JSON.stringify(cells[at])}`);
      return `{${fields.join(",")}}`;
    });
    const response = await api.request("POST", `/api/v1/predictions/models/${modelKey}/rows`, {
      as: "ada",
      headers: { "content-type": "application/json" },
      body: `{"rows":[${rows.join(",")}]}`,
    });
    expect(api.faults).toEqual([]);
    const { predictions } = (await response.json()) as { predictions: { label: string; probabilities: object }[] };
    expect(predictions).toHaveLength(rows.length);
    for (const { label, probabilities } of predictions) {
      expect(labels).toContain(label);
      expect(Object.keys(probabilities).sort()).toEqual([...labels].sort());
    }
  } finally {
    await api.close();
  }
}

test.each([7, FRESH_SEED])(
  "whatever columns, categories and labels are called, a run is whole and the answers are theirs (seed %d)",
  async (seed) => {
    for (const [index, table] of fc.sample(oddTable, { seed, numRuns: 4 }).entries()) {
      await withFolder((folder) => expectSound(table, index === 0, folder));
    }
  },
  300_000,
);
