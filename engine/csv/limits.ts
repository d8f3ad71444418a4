// Limits of the CSV layer, each with its unit: together they bound the memory that any input can take.

/** Columns of a table. */
export const MAX_COLUMNS = 10_000;

/** One cell, in bytes of UTF-8, without its quotes. */
export const MAX_CELL_BYTES = 1_048_576;

/** One record as it stands in the file, in UTF-16 code units: a line that never ends fails here. */
export const MAX_RECORD_CHARS = 16_777_216;

/** Text at the start of a file that the delimiter is guessed from, in UTF-16 code units. */
export const SNIFF_CHARS = 65_536;

/** Bytes decoded and split at a time; larger chunks of the caller are cut to it. */
export const DECODE_BYTES = 262_144;

/** Cells cut from bytes at a time, 16 bytes each; or so many records, for what is known of a column is brought to the caches for each batch anew. */
export const CUT_CELLS = 262_144;
export const CUT_RECORDS = 1024;
/** The same at most, or one record. */
export const MOST_CUT_CELLS = 1_048_576;
