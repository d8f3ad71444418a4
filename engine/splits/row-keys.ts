// The keys by which rows are not independent: each row's group, and when it was recorded.

/**
 * A row without a group or a time: it neither learns nor judges while models are chosen; the final fit learns from it.
 */
export const NO_PART = 255;
/** The group number of a row whose cell is missing. */
export const NO_GROUP = 0xffff_ffff;

/** Null where rows are independent in that respect. Arrays may lie on a SharedArrayBuffer. */
export interface RowKeys {
  /** Rows of one machine, patient or customer have one number; `NO_GROUP` where the cell is missing. */
  groups: Uint32Array | null;
  /** Ascending with time, in any unit; NaN where the cell is missing. */
  times: Float64Array | null;
}

export const INDEPENDENT_ROWS: RowKeys = { groups: null, times: null };

/** True where any row may learn while any other judges. */
export function areIndependent({ groups, times }: RowKeys): boolean {
  return groups === null && times === null;
}

/** The keys of some rows, in their order. */
export function selectKeys({ groups, times }: RowKeys, rows: Uint32Array): RowKeys {
  return {
    groups: groups === null ? null : Uint32Array.from(rows, (row) => groups[row]!),
    times: times === null ? null : Float64Array.from(rows, (row) => times[row]!),
  };
}
