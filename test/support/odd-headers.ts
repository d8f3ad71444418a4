// Files with odd headers, and what Cupel writes for them: every reader's program writes the same.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packModel } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { scoreFile } from "../../workers/scoring/score-file.ts";
import { readCsvText } from "./csv-table.ts";
import { FOREST, fileOf } from "./text-models.ts";

interface OddHeader {
  name: string;
  modelPath: string;
  path: string;
  /** The file that `cupel predict` writes. */
  expected: string;
}

const VALUES = Array.from({ length: 60 }, (_, row) => [String((row * 7) % 13), "uvw"[row % 3]!] as const);
const labelOf = (number: string, letter: string) => (Number(number) > 6 || letter === "u" ? "a" : "a_2");

interface Case {
  name: string;
  /** The two columns of the model as its training file names them. */
  trained: string;
  header: string;
  /** A line of the file, from the values of both columns. */
  line: (number: string, letter: string) => string;
  lineEnd?: string;
}

const TWO_LINES = '"a\nb",c';
const CASES: readonly Case[] = [
  { name: "semicolons", trained: TWO_LINES, header: '"a\nb";c', line: (a, c) => `${a};${c}` },
  {
    ...{ name: "bars and Windows line ends", trained: TWO_LINES, header: 'c|"a\nb"' },
    ...{ line: (a, c) => `${c}|${a}`, lineEnd: "\r\n" },
  },
  {
    ...{ name: "tabs, and commas in a name of several lines", trained: TWO_LINES },
    ...{ header: '"x, y\n\n,z"\t"a\nb"\tc', line: (a, c) => `1,2\t${a}\t${c}`, lineEnd: "\r" },
  },
  { name: "blank lines in front", trained: TWO_LINES, header: '\n \n"a\nb";c', line: (a, c) => `${a};${c}` },
  {
    ...{ name: "names that the answer has", trained: TWO_LINES },
    ...{ header: '"a\nb",c,probability_a, prediction ,Confidence', line: (a, c) => `${a},${c},1,2,3` },
  },
  { name: "a name that repeats", trained: "n,c", header: "n,c,n,c", line: (a, c) => `${a},${c},3,v` },
  {
    ...{ name: "names that repeat and that the answer has", trained: "n,c" },
    ...{ header: "n,c,prediction,prediction,prediction_2", line: (a, c) => `${a},${c},1,2,3` },
  },
  {
    ...{ name: "a column without a name beside one that is called so", trained: ",column_1" },
    ...{ header: ",column_1,", line: (a, c) => `${a},${c},3` },
  },
  {
    name: "names that repeat in the training file too",
    trained: "n,n",
    header: "n,n_3,n",
    line: (a, c) => `${a},3,${c}`,
  },
];

/** Writes each file and its model into a folder. */
export function writeOddHeaders(folder: string): OddHeader[] {
  return CASES.map(({ name, trained, header, line, lineEnd = "\n" }, at) => {
    const training = VALUES.map(([number, letter]) => `${number},${letter},${labelOf(number, letter)}\n`);
    const modelPath = join(folder, `odd-header-${at}.cupel`);
    writeFileSync(modelPath, packModel(fileOf(readCsvText(`${trained},label\n${training.join("")}`), FOREST)));
    const path = join(folder, `odd-header-${at}.csv`);
    writeFileSync(path, [header, ...VALUES.map(([number, letter]) => line(number, letter)), ""].join(lineEnd));
    const outputPath = join(folder, `odd-header-${at}.expected`);
    scoreFile({ modelPath, inputPath: path, outputPath, likeInput: false, spreadsheetSafe: false }, neverStop);
    return { name, modelPath, path, expected: readFileSync(outputPath, "utf8") };
  });
}
