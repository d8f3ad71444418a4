// The accuracy expected without labels beside the real one: bun test/bench/expected-accuracy.ts FOLDER [SPLITS]
// FOLDER has the tables, label last. Rows kept aside at random; rows behind a table
// sorted by a column; drawn streams whose rule turns.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { unpackModel } from "../../engine/model/model-file.ts";
import { scoreCsv } from "../../engine/scoring/score-csv.ts";
import { drawDrift } from "./field-tables.ts";
import { dealRows, readTable, writeTable } from "./outer-split.ts";

const [tables = "/no-folder", splitText = "3"] = process.argv.slice(2);
const SPLITS = Number(splitText);
const MOST_ROWS = 6_000;
const SETTINGS = ["--no-refine", "--scaling", "7", "--time-cap", "10", "--workers", "1"];
const RANDOM_TABLES = [
  ...["credit_g", "mlc_churn", "online_shoppers", "adult", "ai4i2020", "led24_noise", "soybean", "penguins"],
  ...["small/vehicle", "small/eucalyptus", "small/pima_missing", "small/titanic"],
];
/** A table and the column that it is sorted by: the last three tenths are new. */
const SORTED: readonly [string, string][] = [
  ["credit_g", "duration"],
  ["mlc_churn", "total_day_minutes"],
  ["online_shoppers", "ExitRates"],
  ["adult", "age"],
  ["adult", "hours-per-week"],
  ["ai4i2020", "Torque [Nm]"],
  ["small/vehicle", "Comp"],
];
const TURNS = [0, 0.4, 0.8, 1.6];

interface Figure {
  kind: string;
  expected: number;
  low: number;
  high: number;
  confidence: number;
  real: number;
  shifted: boolean;
}

const folder = mkdtempSync(join(tmpdir(), "cupel-expected-"));
const say = (line: string) => process.stdout.write(`${line}\n`);
type Rows = readonly (readonly string[])[];

/** One for each of the versions that a run keeps. */
function figuresOf(header: readonly string[], learning: Rows, judging: Rows): Figure[] {
  const [train, test, out] = ["train.csv", "test.csv", "out"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeTable(train, header, learning);
  writeTable(test, header, judging);
  rmSync(out, { recursive: true, force: true });
  const { exitCode, stderr } = Bun.spawnSync(["bun", "src/main.ts", "run", train, ...SETTINGS, "--out", out]);
  if (exitCode !== 0 && exitCode !== 4) throw new Error(stderr.toString());
  const paths = ["model.cupel", "v2.cupel", "v3.cupel"].filter((name) => existsSync(join(out, name)));
  const bytes = readFileSync(test);
  return paths.map((path) => {
    const model = unpackModel(new Uint8Array(readFileSync(join(out, path))));
    const { watch, counts } = scoreCsv(
      model,
      () => [bytes],
      { likeInput: false, spreadsheetSafe: false },
      () => undefined,
    );
    const { mean: expected, low, high } = watch.expected!;
    const confidence = counts.confidence.sum / counts.rowCount;
    const shifted = [...watch.columns!, watch.decisions!].some(({ verdict }) => verdict === "SHIFTED");
    return {
      kind: model.lineage.algorithm,
      expected,
      low,
      high,
      confidence,
      real: watch.labelled!.accuracy.mean,
      shifted,
    };
  });
}

const percent = (share: number) => (100 * share).toFixed(1);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const isInside = ({ real, low, high }: Figure) => real >= low && real <= high;

function summary(name: string, figures: readonly Figure[]): string {
  const errorOf = (guess: (figure: Figure) => number) =>
    percent(mean(figures.map((own) => Math.abs(guess(own) - own.real))));
  const bias = percent(mean(figures.map(({ expected, real }) => expected - real)));
  const inside = figures.filter(isInside).length;
  return `| ${name} | ${figures.length} | ${errorOf(({ expected }) => expected)} | ${bias} | ${errorOf(({ confidence }) => confidence)} | ${inside} of ${figures.length} |`;
}

function table(path: string) {
  const { header, records } = readTable(join(tables, `${path}.csv`));
  const stride = Math.ceil(records.length / MOST_ROWS);
  return { header, records: records.filter((_, row) => row % stride === 0) };
}

const random: Figure[] = [];
say(
  "Rows kept aside at random\n| table | versions | mean error | bias | of the mean confidence | inside the interval |\n|---|---|---|---|---|---|",
);
for (const path of RANDOM_TABLES) {
  const { header, records } = table(path);
  const own: Figure[] = [];
  for (let split = 0; split < SPLITS; split++) own.push(...figuresOf(header, ...dealRows(records, split)));
  random.push(...own);
  say(summary(basename(path), own));
}
for (const kind of [...new Set(random.map((own) => own.kind))].sort()) {
  say(
    summary(
      kind,
      random.filter((own) => own.kind === kind),
    ),
  );
}
say(summary("all", random));

const single = "| expected | interval | real | inside | told as shifted |";
const line = (own: Figure) =>
  `| ${percent(own.expected)} | ${percent(own.low)}–${percent(own.high)} | ${percent(own.real)} | ${isInside(own) ? "yes" : "no"} | ${own.shifted ? "yes" : "no"} |`;
say(
  `\nSorted by a column: learned from the lower seven tenths, scored the upper three\n| table, column ${single}\n|---|---|---|---|---|---|`,
);
for (const [path, column] of SORTED) {
  const { header, records } = table(path);
  const at = header.indexOf(column);
  if (at < 0) throw new Error(`${path} has no ${column}`);
  const sorted = records.toSorted((one, other) => Number(one[at]) - Number(other[at]));
  const cut = Math.round(0.7 * sorted.length);
  const [champion] = figuresOf(header, sorted.slice(0, cut), sorted.slice(cut));
  say(`| ${basename(path)}, ${column} ${line(champion!)}`);
}

say(
  `\nDrawn rows whose rule turns by so many radians from first to last, scored on the next fifth\n| turn ${single}\n|---|---|---|---|---|---|`,
);
for (const turn of TURNS) {
  const { names, rows, elsewhere } = drawDrift(5_000, turn, 5);
  const [champion] = figuresOf(names, rows, elsewhere);
  say(`| ${turn} ${line(champion!)}`);
}
rmSync(folder, { recursive: true });
