// Checks the header of a file to be scored before the model is trained.
import { CsvFeed } from "../../engine/csv/read.ts";
import type { ChunkTaker, CsvHeader } from "../../engine/csv/types.ts";
import { namingHeaderLine } from "../../engine/scoring/header-line.ts";
import { requireColumns } from "../../engine/scoring/scorer.ts";
import { smallChunks } from "../reading/file-chunks.ts";

/** @throws InputError where the file's header lacks a needed column or cannot be read. */
export function checkScoringHeader(path: string, needed: readonly string[], hasHeader: boolean): void {
  const openPieces = (taker: ChunkTaker) => smallChunks(path, taker);
  namingHeaderLine(openPieces, hasHeader, () => lookAtHeader(openPieces, needed, hasHeader));
}

function lookAtHeader(
  openPieces: (taker: ChunkTaker) => Iterable<Uint8Array>,
  needed: readonly string[],
  hasHeader: boolean,
): void {
  let isSeen = false;
  const look = ({ names }: CsvHeader) => {
    isSeen = true;
    requireColumns(needed, names);
    return () => undefined;
  };
  const feed = new CsvFeed(needed, look, hasHeader);
  const taker = { textBytes: 0, buffer: null };
  for (const chunk of openPieces(taker)) {
    feed.push(chunk);
    // Faults further on are found when the file is scored.
    if (isSeen) return;
    taker.textBytes += chunk.length;
  }
  feed.end();
}
