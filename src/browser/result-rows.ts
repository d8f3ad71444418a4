// Splits the first rows of a result file into the cells that were sent and the prediction.
import { CsvFeed } from "../../engine/csv/read.ts";

export interface ResultRow {
  /** The cells that were sent. */
  cells: readonly string[];
  prediction: string;
  confidence: number;
  /** The most probable first. */
  probabilities: readonly { label: string; share: number }[];
  /** As far as the file has them, the strongest first. */
  reasons: readonly { name: string; effect: number }[];
}

export interface ResultRows {
  /** The columns that were sent. */
  names: readonly string[];
  rows: readonly ResultRow[];
}

const PREDICTION = /^prediction(_\d+)?$/;
const CONFIDENCE = /^confidence(_\d+)?$/;
const PROBABILITY = /^probability_/;
const REASON = /^reason_\d+(_\d+)?$/;

/** Up to `mostRows` whole records from the start of a result CSV; null if there is none, or it is not a result. */
export function readResultRows(beginning: Uint8Array, mostRows: number): ResultRows | null {
  let names: readonly string[] = [];
  const records: (readonly string[])[] = [];
  // The feed returns whole records only: one cut off at the end is left out.
  const feed = new CsvFeed(["prediction", "confidence"], (header) => {
    names = header.names;
    return (batch) => {
      if (records.length < mostRows) records.push(...batch.records.slice(0, mostRows - records.length));
    };
  });
  feed.push(beginning);
  // The prediction's columns are the last ones; the file sent may have columns of the same names.
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
    reasons: names.flatMap((name, at) =>
      at > ours + 1 && REASON.test(name) && cells[at] !== ""
        ? [{ name: cells[at] ?? "", effect: Number(cells[at + 1]) }]
        : [],
    ),
  };
}
