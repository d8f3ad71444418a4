// Tables for benches of whole runs: read whole, and split 70/30 by label,
// so that nobody chooses on the rows that judge.
import { readFileSync, writeFileSync } from "node:fs";
import { readCsv } from "../../engine/csv/read.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { deriveSeed, Random, shuffle } from "../../engine/random.ts";

const LEARNING_SHARE = 0.7;
const SPLIT_SEED = 7_030;
const COMMA = { delimiter: ",", lineEnding: "\n" };

/** Rows of each label dealt 70/30 at random, in the file's order within each half. */
export function dealRows(records: readonly string[][], split: number): [string[][], string[][]] {
  const byLabel = new Map<string, number[]>();
  records.forEach((record, row) => {
    const rows = byLabel.get(record.at(-1)!) ?? [];
    byLabel.set(record.at(-1)!, rows);
    rows.push(row);
  });
  const random = new Random(deriveSeed(SPLIT_SEED, split));
  const learns = new Uint8Array(records.length);
  for (const members of byLabel.values()) {
    const rows = Uint32Array.from(members);
    shuffle(rows, random);
    const count = Math.max(1, Math.round(LEARNING_SHARE * rows.length));
    for (const row of rows.subarray(0, count)) learns[row] = 1;
  }
  return [records.filter((_, row) => learns[row] === 1), records.filter((_, row) => learns[row] === 0)];
}

export function readTable(path: string): { header: readonly string[]; records: string[][] } {
  let records: string[][] = [];
  const { header } = readCsv(
    () => [readFileSync(path)],
    () => {
      records = [];
      return (batch) => {
        for (const record of batch.records) records.push([...record]);
      };
    },
  );
  return { header: header.names, records };
}

export function writeTable(path: string, header: readonly string[], records: readonly (readonly string[])[]): void {
  writeFileSync(path, [header, ...records].map((record) => formatRecord(record, COMMA)).join(""));
}
