// Limits of the CSV layer, which bound the memory that any input can take.

/** Columns of a table. */
export const MAX_COLUMNS = 10_000;

/** One cell, in bytes of UTF-8, without its quotes. */
export const MAX_CELL_BYTES = 1_048_576;

/** One record as it stands in the file, in UTF-16 code units. A line that never ends fails here. */
export const MAX_RECORD_CHARS = 16_777_216;

/** The delimiter is guessed from this much text at the start of a file, in UTF-16 code units. */
export const SNIFF_CHARS = 65_536;

/** Bytes decoded and split at a time; larger chunks are taken in pieces. */
export const DECODE_BYTES = 262_144;

/** Cells of a batch that is cut from bytes, 16 bytes each. */
export const CUT_CELLS = 262_144;
/** Batches of wide tables have more cells, to reach this many records: each batch loads a column's tables anew. */
export const CUT_RECORDS = 1024;
/** Cells of a batch at most, unless one record has more. */
export const MOST_CUT_CELLS = 1_048_576;
