// The memory that scoring a file with a model takes at most.
import { GARBAGE_FROM_BYTES, readingGarbage } from "./reading-need.ts";
import type { ModelSize } from "./sizes.ts";
import { MODEL_COPIES } from "./training-need.ts";

// Measured.
/**
 * Bytes in memory per byte of a head: its text, and for every name a string
 * and an entry in the map that looks cells up.
 */
const HEAD_COPIES = 28;
/** Texts of rows that are scored together, and their terms, until they are collected. */
const SCORED_TEXT_PER_BYTE = 28;

/**
 * Bound: copies of a model that explains its decisions. A forest's class shares take 4 bytes per node and class, 8
 * while they are made; in its file a node takes 8 bytes, and each leaf (one for two nodes) 4 per class.
 */
const REASON_COPIES = 2;

/**
 * Scoring a file with a model (workers/scoring/score-file.ts): the model's
 * file and what is made of it; rows pass through.
 */
export function scoringNeed(
  { sizeBytes, headBytes, readsTexts = false }: ModelSize,
  fileBytes: number,
  hasReasons = false,
): number {
  const texts = readsTexts ? SCORED_TEXT_PER_BYTE * Math.min(fileBytes, GARBAGE_FROM_BYTES) : 0;
  const copies = MODEL_COPIES + (hasReasons ? REASON_COPIES : 0);
  return readingGarbage(fileBytes) + texts + copies * sizeBytes + HEAD_COPIES * headBytes;
}
