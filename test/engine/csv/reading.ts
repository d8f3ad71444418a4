// Reads CSV text in a test: encodes it, cuts it into chunks, and collects what the reader hands on.

import { CsvFeed, readCsv } from "../../../engine/csv/read.ts";
import type { CsvHeader, CsvReport, Encoding, RecordBatch, RecordSink } from "../../../engine/csv/types.ts";
import { InputError } from "../../../engine/input-error.ts";

export interface Outcome {
  header: CsvHeader | null;
  records: string[][];
  lines: number[];
  report: CsvReport | null;
  error: InputError | null;
}

/** The text's bytes, with a byte order mark where the encoding needs or `withBom` asks for one. */
export function encode(text: string, encoding: Encoding, withBom = false): Uint8Array {
  if (encoding === "utf-8") return new TextEncoder().encode((withBom ? "\uFEFF" : "") + text);
  if (encoding === "windows-1252") return Uint8Array.from(text, (c) => (c === "€" ? 0x80 : c.charCodeAt(0)));
  const units = [...`\uFEFF${text}`].join("");
  const bytes = new Uint8Array(2 * units.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < units.length; i++) view.setUint16(2 * i, units.charCodeAt(i), encoding === "utf-16le");
  return bytes;
}

/** Chunks whose sizes go round in `sizes`. */
function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const to = from + sizes[i % sizes.length]!;
    yield bytes.subarray(from, to);
    from = to;
  }
}

export function read(bytes: Uint8Array, sizes: readonly number[] = [65_536]): Outcome {
  return collect((start) => readCsv(() => cut(bytes, sizes), start));
}

export function feed(
  bytes: Uint8Array,
  expectedNames: readonly string[],
  sizes: readonly number[] = [65_536],
): Outcome {
  return collect((start) => {
    const csvFeed = new CsvFeed(expectedNames, start);
    for (const chunk of cut(bytes, sizes)) csvFeed.push(chunk);
    return csvFeed.end();
  });
}

function collect(run: (start: (header: CsvHeader) => RecordSink) => CsvReport): Outcome {
  const outcome: Outcome = { header: null, records: [], lines: [], report: null, error: null };
  const start = (header: CsvHeader): RecordSink => {
    outcome.header = header;
    outcome.records = [];
    outcome.lines = [];
    return (batch: RecordBatch) => {
      if (batch.firstIndex !== outcome.records.length || batch.lines.length !== batch.records.length) {
        throw new Error("batches do not follow one another");
      }
      for (const record of batch.records) outcome.records.push([...record]);
      outcome.lines.push(...batch.lines);
    };
  };
  try {
    outcome.report = run(start);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    outcome.error = error;
  }
  return outcome;
}
