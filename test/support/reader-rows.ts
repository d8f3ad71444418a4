// Checks for readers in other languages: the test vectors, and drawn rows of odder
// cells and of typed values with the engine's answers.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelFile, packModel, unpackModel } from "../../engine/model/model-file.ts";
import { deriveSeed, Random } from "../../engine/random.ts";
import { scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { readCsvText } from "./csv-table.ts";
import { differenceModel, differenceRows } from "./difference-models.ts";
import { drawCells, drawTyped } from "./drawn-cells.ts";
import { FOREST, fileOf } from "./text-models.ts";
import { answersOf, DRESSED_CELLS, drawRows, VECTORS, withUnits } from "./vectors.ts";

export interface ReaderCheck {
  name: string;
  modelPath: string;
  /** Check files with the engine's codes, labels and probabilities; the last has typed values and no codes. */
  checkPaths: string[];
  readsTexts: boolean;
}

const ROW_COUNT = 600;
/** Digits that decide how a number is rounded. */
const LONG_NUMBERS = [
  ...["3".repeat(400), `0.${"0".repeat(400)}7`, `1${"0".repeat(300)}e-300`, `${"9".repeat(20)}.${"9".repeat(900)}`],
  ...["9007199254740993", "2.2250738585072011e-308", "0.1000000000000000055511151231257827", "4.9406564584124654e-324"],
  ...[`5${"0".repeat(30)}e-30`, "1e-310", "007", "+0075", "1.0e1"],
  // Halfway between two doubles, and just above.
  ...["", `${"0".repeat(800)}1`].map((end) => `1.00000000000000011102230246251565404236316680908203125${end}`),
];

/**
 * Writes the checks of each vector's model into a folder, and of one that has units, one that has differences and one
 * that reads codes. `withTruths`: whether truth values are among typed ones.
 */
export function writeReaderChecks(folder: string, withTruths: boolean): ReaderCheck[] {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(VECTORS).filter((name) => name.endsWith(".cupel"));
  const written = (name: string, kind: string, answers: object) => {
    const path = join(folder, `${name}.${kind}.json`);
    writeFileSync(path, JSON.stringify(answers));
    return path;
  };
  const units = withUnits(unpackModel(readFileSync(join(VECTORS, "forest-many-classes.cupel"))));
  const modelPath = join(folder, "units.cupel");
  writeFileSync(modelPath, packModel(units));
  const drawn = written("units", "drawn", answersOf(units, rowsOf(units)));
  const unitCheck = { name: "units", modelPath, checkPaths: [drawn], readsTexts: false };
  const checks = names.sort().map((fileName) => {
    const name = fileName.replace(/\.cupel$/, "");
    const modelPath = join(VECTORS, fileName);
    const file = unpackModel(readFileSync(modelPath));
    const checkPaths = [
      join(VECTORS, `${name}.json`),
      written(name, "drawn", answersOf(file, rowsOf(file))),
      written(name, "typed", typedAnswers(file, modelPath, withTruths)),
    ];
    return { name, modelPath, checkPaths, readsTexts: file.texts !== undefined };
  });
  const differences = differenceModel();
  const differencesPath = join(folder, "differences.cupel");
  writeFileSync(differencesPath, packModel(differences));
  const differenceCheck = {
    ...{ name: "differences", modelPath: differencesPath, readsTexts: false },
    checkPaths: [
      written("differences", "drawn", answersOf(differences, [...differenceRows(ROW_COUNT), ...rowsOf(differences)])),
      written("differences", "typed", typedAnswers(differences, differencesPath, withTruths)),
    ],
  };
  const codes = codeModel();
  const codesPath = join(folder, "codes.cupel");
  writeFileSync(codesPath, packModel(codes));
  const codesDrawn = written("codes", "drawn", answersOf(codes, rowsOf(codes)));
  const codeCheck = { name: "codes", modelPath: codesPath, checkPaths: [codesDrawn], readsTexts: true };
  return [...checks, unitCheck, codeCheck, differenceCheck];
}

/**
 * A forest that learned from scores of the parts of codes, whose beginnings decide, from numbers inside them, the
 * twelfth among them, from the characters of serial numbers of one length, from lists of several lengths and from marks
 * behind numbers.
 */
export function codeModel(): ModelFile {
  const rows = Array.from({ length: 600 }, (_, at) => {
    const random = new Random(deriveSeed(23, at));
    const kind = random.nextBelow(26);
    const unit = ["", " M", "K", " kg"][random.nextBelow(4)]!;
    const code = `${String.fromCharCode(65 + kind)}${random.nextBelow(90) + 10}/${random.nextBelow(100_000)}${unit}`;
    const list = Array.from({ length: 10 }, () => random.nextBelow(100) / 10);
    const serial = `${random.nextBelow(90) + 10}-é${"ABCDE"[at % 5]}${random.nextBelow(90_000) + 10_000}`;
    const counts = Array.from({ length: 2 + random.nextBelow(7) }, () => random.nextBelow(90));
    const mark = ["", "*", "é", "†"][at % 4]!;
    const lists = [counts[0]! > 45, counts.at(-1)! > 45, Math.max(...counts) > 80, mark === "†"];
    const label = list[9]! > 5 ? kind % 2 : Number(lists[at % 7] ?? at % 5 > 1);
    return `${code} [${list.join(";")}],${serial},"${counts.join(",")}",${random.nextBelow(900)}${mark},${label}`;
  });
  return fileOf(readCsvText(`code,serial,counts,marked,label\n${rows.join("\n")}\n`), FOREST);
}

/** Ordinary cells among odd ones, and each number and date with more than digits in every column. */
function rowsOf(file: ModelFile): string[][] {
  const odd = drawCells(file, ROW_COUNT, 20);
  const dressed = DRESSED_CELLS.map((cell) => file.columns.map(() => cell));
  const drawn = drawRows(
    file,
    odd.map((row) => row.join(" ")),
    ROW_COUNT,
  ).map((row, at) =>
    row.map((cell, column) => {
      const turn = (at + column) % 6;
      if (turn > 2) return cell;
      return turn > 0 ? odd[at]![column]! : LONG_NUMBERS[(at * 37 + column) % LONG_NUMBERS.length]!;
    }),
  );
  return [...drawn, ...dressed];
}

/** What live rows of JSON are answered. */
function typedAnswers(file: ModelFile, modelPath: string, withTruths: boolean): object {
  const columns = file.columns.map(({ name }) => name);
  const rows = drawTyped(file).map((row) =>
    columns.map((name) => (typeof row[name] === "boolean" && !withTruths ? null : row[name]!)),
  );
  const asked = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!])));
  const { scores } = scoreRows(new ModelCache(), modelPath, asked);
  return {
    columns,
    rows,
    labels: scores.map(({ label }) => label),
    probabilities: scores.map(({ probabilities }) => file.labels.map((label) => probabilities[label]!)),
  };
}
