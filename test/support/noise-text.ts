// A column of random words beside real columns: what has nothing to do with the label.
import { readFileSync } from "node:fs";
import { deriveSeed, Random, shuffle } from "../../engine/random.ts";
import { fixtureTable } from "./in-process.ts";

export const REAL_TABLES = ["credit_g", "churn", "online_shoppers"] as const;
export type RealTable = (typeof REAL_TABLES)[number];

const WORDS = 2_000;
const FEWEST_WORDS = 5;
const MORE_WORDS = 26;
const TEST_SHARE = 0.25;

/** Texts of 5 to 30 words, each as frequent as its rank is low (Zipf). */
export function randomTexts(count: number, seed: number): string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: FEWEST_WORDS + random.nextBelow(MORE_WORDS) }, () => {
      const rank = Math.floor(WORDS ** random.nextFloat());
      return `w${rank.toString(36)}`;
    }).join(" "),
  );
}

/** TRAIN and TEST of so many rows of a bundled table at most, with or without a first column "note" of random words. */
export function withRandomTexts(table: RealTable, mostRows: number, seed: number, hasTexts: boolean) {
  const [header, ...lines] = readFileSync(fixtureTable(table), "utf8").trimEnd().split(/\r?\n/);
  const order = Uint32Array.from(lines, (_, row) => row);
  shuffle(order, new Random(deriveSeed(seed, 0)));
  const texts = randomTexts(lines.length, deriveSeed(seed, 1));
  const lineOf = (row: number) => (hasTexts ? `${texts[row]!},${lines[row]!}` : lines[row]!);
  const rows = [...order.subarray(0, mostRows)];
  const testCount = Math.round(TEST_SHARE * rows.length);
  const fileOf = (own: number[]) => `${[hasTexts ? `note,${header!}` : header!, ...own.map(lineOf)].join("\n")}\n`;
  return { train: fileOf(rows.slice(testCount)), test: fileOf(rows.slice(0, testCount)) };
}
