// The engine's answers for drawn rows of odd and ordinary cells of a model: what readers in other languages are held to.

import { newCodes } from "../../engine/buckets.ts";
import { numberText } from "../../engine/columns/number-text.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { Random } from "../../engine/random.ts";
import { Scorer } from "../../engine/scoring/scorer.ts";

/** Rows of text cells and what the engine says of them, in the form of a check file. */
export interface Answers {
  columns: string[];
  rows: string[][];
  codes: number[][];
  labels: string[];
  probabilities: number[][];
}

const ODD_CELLS = [
  ...[
    "",
    " ",
    "NA",
    "?",
    "nan",
    "never seen",
    "__proto__",
    "0",
    "-0",
    "007",
    "1.0",
    "+1",
    "1e0",
    "1,5",
    "1.234",
    "1,234.5",
    "1.234,5",
  ],
  ...[
    "1e999",
    "-1e999",
    "inf",
    ".5",
    "5.",
    "1e",
    "1e+",
    "--1",
    "$5",
    "5 %",
    "5%",
    "USD 1,000",
    "1,000 EUR",
    "€ 3,5",
    "-€3",
    "1e-400",
    "4.9e-324",
  ],
  ...[
    "2024-02-29",
    "2023-02-29",
    "2024-02-29T23:59:60Z",
    "2024-12-31 07:05",
    "2024-12-31 24:00",
    "29/02/2024",
    "2.1.2024 5:07 pm",
  ],
  ...[
    "12/31/2024 12:00 AM",
    "\u00a01\u3000",
    "\ufeff2",
    "ＡＢＣ",
    "straße ﬁne",
    "it's 3.50 e-mail",
    "日本語 テキスト",
    "ภาษาไทย",
    "© 2024 🙂🙂",
    "ΟΔΟΣ İ",
  ],
  ...[
    "3".repeat(400),
    `0.${"0".repeat(400)}7`,
    `1${"0".repeat(300)}e-300`,
    "9007199254740993",
    "2.2250738585072014e-308",
    "0.1000000000000000055511151231257827",
  ],
];

/** The texts that a column's cells are drawn from: around its cut points, of its categories, and odd ones. */
function cellsOf(file: ModelFile, column: number, words: readonly string[]): string[] {
  const { reading } = file.columns[column]!;
  const cells = file.texts?.some((text) => text.column === column) ? [...words] : [];
  for (const feature of file.features) {
    if (feature.column !== column) continue;
    if (feature.kind === "category")
      cells.push(
        ...feature.names,
        ...feature.names.map((name) => `  ${name} `),
        ...feature.names.map((name) => `${name}.0`),
      );
    if (feature.kind !== "number" || reading.kind !== "number") continue;
    for (const cut of feature.cutPoints) {
      for (const value of [cut, cut + Math.abs(cut) * 2e-16, cut - Math.abs(cut) * 2e-16, cut + 1, cut - 1])
        cells.push(numberText(value, reading.form));
    }
  }
  if (reading.kind === "date") {
    for (let day = 1; day < 29; day++)
      cells.push(
        `2023-0${1 + (day % 9)}-${String(day).padStart(2, "0")} ${String(day % 24).padStart(2, "0")}:30`,
        `${day}/0${1 + (day % 9)}/2024`,
        `0${1 + (day % 9)}-${day}-2021`,
      );
  }
  return cells.length === 0 ? [""] : cells;
}

/** One cell in five is odd. `words`: texts for text columns. */
export function answersOf(bytes: Uint8Array, rowCount: number, seed = 1, words: readonly string[] = []): Answers {
  const file = unpackModel(bytes);
  const random = new Random(seed);
  const drawn = <T>(from: readonly T[]): T => from[random.nextBelow(from.length)]!;
  const columns = file.columns.map(({ name }) => name);
  const known = file.columns.map((_, column) => cellsOf(file, column, words));
  const rows = Array.from({ length: rowCount }, () =>
    columns.map((_, column) => (random.nextBelow(5) === 0 ? drawn(ODD_CELLS) : drawn(known[column]!))),
  );
  const scorer = new Scorer(file, columns);
  const features = file.features.map(({ codeCount }) => newCodes(codeCount, rowCount));
  scorer.coder.codeRecords(rows, features, 0);
  const { probabilities, decisions } = scorer.scoreCodes(
    scorer.roomFor(0).map((feature, index) => ({ ...feature, codes: features[index]! })),
    rowCount,
  );
  const classCount = file.labels.length;
  return {
    columns,
    rows,
    codes: rows.map((_, row) => features.map((codes) => codes[row]!)),
    labels: Array.from(decisions, (decision) => file.labels[decision]!),
    probabilities: rows.map((_, row) => [...probabilities.subarray(row * classCount, (row + 1) * classCount)]),
  };
}
