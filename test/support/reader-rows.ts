// Checks for readers in other languages: the test vectors, and drawn rows of odder cells with the engine's answers.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { answersOf, drawRows, VECTORS } from "./vectors.ts";

export interface ReaderCheck {
  name: string;
  modelPath: string;
  /** Check files with the model's codes, labels and probabilities. */
  checkPaths: string[];
  readsTexts: boolean;
}

const SEED = 20;
const ROW_COUNT = 600;
const NUMBER_PARTS = [
  ..."0123456789",
  "1.234",
  ",500",
  "007",
  "e5",
  "E-3",
  "+",
  "-",
  ".",
  ",",
  " ",
  "\u00a0",
  "%",
  "€",
  "USD",
  "1e-310",
];
const DATE_PARTS = [
  ..."0123",
  "2024-02-29",
  "29.02.2023",
  "12/31/2020",
  "1-1-1999",
  "T",
  " ",
  "23:59",
  "7:05",
  ":60",
  ".5",
  "Z",
  "+02:00",
  "am",
  "PM",
];
const TEXT_PARTS = [
  ..."aZé ſǅßΣςİıñ'’-.,:;!?/#©®™🙂👩‍👩‍👧☃️ﬁＡ１²½٣ёЖא中文ひらカｶไทย่ລາວខ្មែမြန်漢〇々\u0301\u200d\ufe0f\u00ad\t",
  ...[
    "word",
    "3.50",
    "12:30",
    "e-mail",
    "don't",
    "x".repeat(45),
    "  ",
    "日本語",
    "v2.0",
    "\u{1f468}\u{1f3fd}",
    "\u{20000}",
  ],
];
const LONG_NUMBERS = [
  ...["3".repeat(400), `0.${"0".repeat(400)}7`, `1${"0".repeat(300)}e-300`, `${"9".repeat(20)}.${"9".repeat(900)}`],
  ...[
    "9007199254740993",
    "2.2250738585072011e-308",
    "0.1000000000000000055511151231257827",
    "4.9406564584124654e-324",
    `5${"0".repeat(30)}e-30`,
  ],
  // Halfway between two doubles, and just above.
  ...[
    "1.00000000000000011102230246251565404236316680908203125",
    `1.00000000000000011102230246251565404236316680908203125${"0".repeat(800)}1`,
  ],
];

/** Writes the checks of each vector's model into a folder. */
export function writeReaderChecks(folder: string): ReaderCheck[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(VECTORS)
    .filter((name) => name.endsWith(".cupel"))
    .sort()
    .map((fileName) => {
      const modelPath = join(VECTORS, fileName);
      const file = unpackModel(readFileSync(modelPath));
      const drawnPath = join(folder, fileName.replace(/cupel$/, "drawn.json"));
      writeFileSync(drawnPath, JSON.stringify(answersOf(file, rowsOf(file))));
      const name = fileName.replace(/\.cupel$/, "");
      return {
        name,
        modelPath,
        checkPaths: [join(VECTORS, `${name}.json`), drawnPath],
        readsTexts: file.texts !== undefined,
      };
    });
}

function rowsOf(file: ModelFile): string[][] {
  const drawnOf = (parts: readonly string[], longest: number) =>
    fc.sample(fc.string({ unit: fc.constantFrom(...parts), maxLength: longest }), { numRuns: ROW_COUNT, seed: SEED });
  const numbers = [...drawnOf(NUMBER_PARTS, 6), ...LONG_NUMBERS];
  const dates = drawnOf(DATE_PARTS, 4);
  const texts = drawnOf(TEXT_PARTS, 60);
  const usual = drawRows(file, texts, ROW_COUNT);
  const isText = (column: number) => file.texts?.some((text) => text.column === column) ?? false;
  return usual.map((row, at) =>
    row.map((cell, column) => {
      const { reading } = file.columns[column]!;
      if (isText(column)) return texts[(at * 31) % texts.length]!;
      if ((at + column) % 3 !== 0) return cell;
      const own = reading.kind === "date" ? dates : numbers;
      return own[(at * 37 + column) % own.length]!;
    }),
  );
}
