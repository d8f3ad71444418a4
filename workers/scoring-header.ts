// A first look at a file to be scored, before anybody waits for a model: does it have the columns?
import { CsvFeed } from "../engine/csv/read.ts";
import type { CsvHeader } from "../engine/csv/shapes.ts";
import { requireColumns } from "../engine/scoring/scorer.ts";
import { neverStop } from "../engine/stop-signal.ts";
import { fileChunks } from "./file-chunks.ts";

/** Read at a time until the header is known. */
const PIECE_BYTES = 1 << 20;

/** @throws InputError where the file's header lacks a needed column or cannot be read. */
export function checkScoringHeader(path: string, needed: readonly string[], hasHeader: boolean): void {
  let isSeen = false;
  const look = ({ names }: CsvHeader) => {
    isSeen = true;
    requireColumns(needed, names);
    return () => undefined;
  };
  const feed = new CsvFeed(needed, look, hasHeader);
  const taker = { textBytes: 0, buffer: null };
  for (const chunk of fileChunks(path, neverStop, taker)) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      feed.push(chunk.subarray(at, at + PIECE_BYTES));
      // What is wrong further on is for the scoring of the file to say.
      if (isSeen) return;
    }
    taker.textBytes += chunk.length;
  }
  feed.end();
}
