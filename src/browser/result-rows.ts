// The first rows of a prediction's result, taken apart: what was sent, and what was answered.
import { CsvFeed } from "../../engine/csv/read.ts";

export interface ResultRow {
  /** As they were sent. */
  cells: readonly string[];
  prediction: string;
  confidence: number;
  /** The most probable first. */
  probabilities: readonly { label: string; share: number }[];
}

export interface ResultRows {
  /** The columns that were sent. */
  names: readonly string[];
  rows: readonly ResultRow[];
}

const PREDICTION = /^prediction(_\d+)?$/;
const CONFIDENCE = /^confidence(_\d+)?$/;
const PROBABILITY = /^probability_/;

/** Whole records of the beginning of a result CSV, `mostRows` at most; null where it has not even one, or is no result. */
export function readResultRows(beginning: Uint8Array, mostRows: number): ResultRows | null {
  let names: readonly string[] = [];
  const records: (readonly string[])[] = [];
  // A feed hands on whole records alone: the one that is cut off at the end never comes.
  const feed = new CsvFeed(["prediction", "confidence"], (header) => {
    names = header.names;
    return (batch) => {
      if (records.length < mostRows) records.push(...batch.records.slice(0, mostRows - records.length));
    };
  });
  feed.push(beginning);
  // Ours are the last columns; the file that was sent may have some of the same names.
  const ours = names.findLastIndex((name, at) => PREDICTION.test(name) && CONFIDENCE.test(names[at + 1] ?? ""));
  if (ours === -1 || records.length === 0) return null;
  return { names: names.slice(0, ours), rows: records.map((cells) => rowOf(cells, names, ours)) };
}

function rowOf(cells: readonly string[], names: readonly string[], ours: number): ResultRow {
  const probabilities = names.flatMap((name, at) =>
    at > ours + 1 && PROBABILITY.test(name) ? [{ label: name.replace(PROBABILITY, ""), share: Number(cells[at]) }] : [],
  );
  return {
    cells: cells.slice(0, ours),
    prediction: cells[ours] ?? "",
    confidence: Number(cells[ours + 1]),
    probabilities: probabilities.sort((a, b) => b.share - a.share),
  };
}
