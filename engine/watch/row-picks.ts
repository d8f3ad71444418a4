// Which rows of a large file are counted: one of each stretch, since counting all would cost more than it tells.
import { Random } from "../random.ts";

/** Rows coded and scored together at most: a forest's trees pass through the caches once for all of them. */
export const MOST_ROWS_TOGETHER = 16_384;
/** Rows counted of a file, about: what differs less than they can show raises no alarm. */
const COUNTED_ROWS = 10_000;

/** Places among rows that are coded together, the same for each lot of them. */
export interface RowPicks {
  /** Ascending. */
  places: Uint32Array;
  isPicked: Uint8Array;
}

/** The place in each stretch is drawn, so that rows which recur at regular distances are not picked alone. Null for all rows. */
export function pickRows(fileRowCount: number): RowPicks | null {
  const stretch = Math.ceil(fileRowCount / COUNTED_ROWS);
  if (stretch <= 1) return null;
  const random = new Random(stretch);
  const places = Uint32Array.from({ length: Math.ceil(MOST_ROWS_TOGETHER / stretch) }, (_, at) =>
    Math.min(MOST_ROWS_TOGETHER - 1, at * stretch + random.nextBelow(stretch)),
  );
  const isPicked = new Uint8Array(MOST_ROWS_TOGETHER);
  for (const place of places) isPicked[place] = 1;
  return { places, isPicked };
}
