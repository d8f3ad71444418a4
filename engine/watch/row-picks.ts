// Which rows of a large file are counted: one of each stretch, since counting all would cost more than it tells.
import { Random } from "../random.ts";

/** Rows coded and scored together at most: a forest's trees pass through the caches once for all of them. */
export const MOST_ROWS_TOGETHER = 16_384;
/** Rows counted of a file at most, about: what differs less than they can show raises no alarm. */
const MOST_COUNTED_ROWS = 2_000;
/** Fewer rows of wide tables are counted, so that counting stays cheap beside models that read few of the columns. */
const COUNTED_CELLS = 100_000;
const LEAST_COUNTED_ROWS = 1_000;

/** Places among rows that are coded together, the same for each lot of them. */
export interface RowPicks {
  /** Ascending. */
  places: Uint32Array;
  isPicked: Uint8Array;
}

const EVERY_ROW = drawPicks(1);
/** The picks of the last large file: the next one is often about as large. */
let last = { stretch: 1, picks: EVERY_ROW };

/**
 * The place in each stretch is drawn, so that rows which recur at regular
 * distances are not picked alone. Of a small file, all are picked.
 */
export function picksOf(fileRowCount: number, columnCount: number): RowPicks {
  const countedRows = Math.max(LEAST_COUNTED_ROWS, Math.min(MOST_COUNTED_ROWS, COUNTED_CELLS / columnCount));
  const stretch = Math.ceil(fileRowCount / countedRows);
  if (stretch <= 1) return EVERY_ROW;
  if (last.stretch !== stretch) last = { stretch, picks: drawPicks(stretch) };
  return last.picks;
}

function drawPicks(stretch: number): RowPicks {
  const random = new Random(stretch);
  const places = new Uint32Array(Math.ceil(MOST_ROWS_TOGETHER / stretch));
  const isPicked = new Uint8Array(MOST_ROWS_TOGETHER);
  // Arrays made by a function of their places would take 0.3 ms more, of each file.
  for (let at = 0; at < places.length; at++) {
    const place = Math.min(MOST_ROWS_TOGETHER - 1, at * stretch + random.nextBelow(stretch));
    places[at] = place;
    isPicked[place] = 1;
  }
  return { places, isPicked };
}

/** The picks from place `at` up to `end`. */
export function picksWithin({ places, isPicked }: RowPicks, at: number, end: number): RowPicks {
  return { places: places.subarray(picksBelow(places, at), picksBelow(places, end)), isPicked };
}

/** How many picked places lie below `at`. One place lies in each stretch: the guess is at most one behind. */
export function picksBelow(places: Uint32Array, at: number): number {
  let pick = Math.max(0, Math.floor((at * places.length) / MOST_ROWS_TOGETHER) - 1);
  while (pick < places.length && places[pick]! < at) pick++;
  return pick;
}
