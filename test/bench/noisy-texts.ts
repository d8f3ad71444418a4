// Writes a large table of texts: the rows of a small one over and over, each time with other words dropped and swapped.
// Usage: bun test/bench/noisy-texts.ts TABLE.csv OUT.csv [--rows N | --mib N] [--long-cells N] [--seed N]
//   --long-cells  so many rows, in even distances, whose longest cell is repeated until it has a MiB
// Every word is dropped, or swapped with its neighbour, one time in ten each.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { readCsv } from "../../engine/csv/read.ts";
import { Random } from "../../engine/random.ts";

const NOISE = 0.1;
const MIB = 2 ** 20;
const BLOCK_CHARS = 2 ** 20;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "500000" },
    mib: { type: "string" },
    "long-cells": { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
  },
});
const [tablePath, outPath] = positionals;
const records: (readonly string[])[] = [];
let header: readonly string[] = [];
readCsv(
  () => [readFileSync(tablePath!)],
  ({ names }) => {
    header = names;
    return (batch) => {
      for (const record of batch.records) records.push([...record]);
    };
  },
);

const random = new Random(Number(flags.seed));
const mostBytes = flags.mib === undefined ? Number.POSITIVE_INFINITY : Number(flags.mib) * MIB;
const mostRows = flags.mib === undefined ? Number(flags.rows) : Number.POSITIVE_INFINITY;
const meanBytes = records.reduce((sum, record) => sum + record.join(",").length, 0) / records.length;
const longEvery = Math.ceil(Math.min(mostRows, mostBytes / meanBytes) / (Number(flags["long-cells"]) + 1));
const file = openSync(outPath!, "w");
let block = lineOf(header);
let written = 0;
for (let row = 0; row < mostRows && written < mostBytes; row++) {
  const record = records[row % records.length]!;
  const cells = record.map((cell, at) => (at === record.length - 1 ? cell : noisy(cell)));
  if (row % longEvery === longEvery - 1) lengthen(cells);
  block += lineOf(cells);
  if (block.length < BLOCK_CHARS) continue;
  written += writeSync(file, block);
  block = "";
}
writeSync(file, block);
closeSync(file);

function noisy(cell: string): string {
  const words = cell.split(" ");
  if (words.length === 1) return cell;
  for (let at = 1; at < words.length; at++) {
    if (random.nextFloat() < NOISE) [words[at - 1], words[at]] = [words[at]!, words[at - 1]!];
  }
  return words.filter(() => random.nextFloat() >= NOISE).join(" ");
}

function lengthen(cells: string[]): void {
  const at = cells.reduce((longest, cell, index) => (cell.length > cells[longest]!.length ? index : longest), 0);
  cells[at] = `${cells[at]} `.repeat(Math.ceil(MIB / (cells[at]!.length + 1))).slice(0, MIB);
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}
