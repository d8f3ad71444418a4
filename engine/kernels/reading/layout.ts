// Layouts that the reading kernel and TypeScript share. Both languages compile this file, so its integers have no type.

/**
 * A cell, four fields of four bytes: the addresses where its text starts and
 * ends, then the key of that text, see cell-key.ts.
 */
export const CELL_BYTES = 16;
export const CELL_FIELDS = 4;
export const CELL_START = 0;
export const CELL_END = 1;

/**
 * A shape tells how a plain number is written; 0 is no number. The lowest
 * bits count the digits before the point, up to 15.
 */
export const WHOLE_DIGITS = 15;
/** From this bit on: one more than the digits after the point, up to 15, or 0 without a point. */
export const FRACTION_SHIFT = 4;
export const HAS_SIGN = 256;
/** The first digit is 0; a digit follows only after a point. */
export const STARTS_WITH_ZERO = 512;
export const HAS_EXPONENT = 1024;
export const SHAPE_COUNT = 2048;

/** An entry of a dictionary, fields of four bytes. Its text ends where that of the next entry starts. */
export const ENTRY_BYTES = 32;
export const ENTRY_FIELDS = 8;
/** `meta` of the key of its text: negative for what is no short decimal. */
export const ENTRY_META = 1;
/** Eight bytes: the value of its text, where that has a shape. */
export const ENTRY_VALUE = 2;
export const ENTRY_FIRST_LINE = 4;
/** Where its text starts in the bytes of all texts. */
export const ENTRY_START = 5;
export const ENTRY_SHAPE = 6;
/** Texts at most: a slot has 16 bits for one more than the id of one, 0 for none. */
export const MOST_TEXTS = 65534;

/** The record of a dictionary, fields of four bytes. */
export const DICTIONARY_FIELDS = 13;
export const SIZE = 0;
/** How many texts it takes for now, and how many it has room for. */
export const TEXT_LIMIT = 1;
export const TEXT_CAPACITY = 2;
export const BYTE_CAPACITY = 3;
/** 1 once a text did not fit, after which it takes no further one. */
export const IS_FULL = 4;
/** Addresses of the entries, the bytes of texts, and the slots, of which `SLOT_COUNT` are in use. */
export const ENTRIES = 5;
export const TEXTS = 6;
export const SLOTS = 7;
export const SLOT_COUNT = 8;
/** Address of a table of the whole numbers from 0 on, and its size, a power of two. */
export const SMALL_IDS = 10;
export const SMALL_COUNT = 11;
export const MOST_SMALL = 16384;
/** Address of u32 counts of cells by text. They lie apart from the entries, so that they stay in the caches. */
export const COUNTS = 12;
/** Address of the record of the counter of texts that it does not hold, 0 for none. */
export const FURTHER = 9;

/** The record of a counter of distinct texts, fields of four bytes. */
export const COUNTER_FIELDS = 6;
/** Address of its keys, how many there is room for (a power of two), and how many there are. */
export const KEYS = 0;
export const KEY_SLOTS = 1;
export const KEY_COUNT = 2;
/** Address of the registers of its sketch, and the logarithm of how many they are. */
export const REGISTERS = 3;
export const REGISTER_BITS = 4;
/** 1 once the texts were too many for the keys; the sketch then takes in all. */
export const IS_SKETCHED = 5;

/**
 * The record of a sample of numbers, fields of four bytes: its size, how many there
 * is room for, and how often its threshold was halved.
 */
export const SAMPLE_FIELDS = 6;
export const SAMPLE_SIZE = 0;
export const SAMPLE_CAPACITY = 1;
export const SAMPLE_DEPTH = 2;
/** Addresses of the hashes of rows, u32, the values, f64, and the forms, u16. */
export const SAMPLE_HASHES = 3;
export const SAMPLE_VALUES = 4;
export const SAMPLE_FORMS = 5;

/**
 * How `findCells` treats cells, as bits. New texts are entered in the
 * dictionary; the first that it does not take ends the run.
 */
export const ENTERS_TEXTS = 1;
/** Counts the cells of each text of the dictionary. */
export const COUNTS_TEXTS = 2;
/** Reads the plain numbers among the cells that the dictionary does not hold. */
export const READS_NUMBERS = 4;
/** Reads short decimals without a look into the dictionary. */
export const SKIPS_LOOKUP = 8;

/** The outcome of a run over cells, fields of four bytes; the last two have eight. */
export const OUTCOME_FIELDS = 12;
export const LISTED_COUNT = 0;
export const ODD_COUNT = 1;
export const NUMBER_COUNT = 2;
/** Characters of all numbers. */
export const NUMBER_CHARS = 3;
export const FIRST_NUMBER_ROW = 4;
/** How many different shapes of numbers are listed. */
export const SHAPES_SEEN = 5;
export const LOWEST = 4;
export const HIGHEST = 5;

/**
 * The value of a cell that is no number is a NaN: this in its upper half,
 * in the lower the id of its text, or `NO_TEXT`.
 */
export const NOT_A_NUMBER = 0x7ff80000;
export const NO_TEXT = -1;

/** The record of the levels of a number column, fields of four bytes; the last two have eight. */
export const LEVELS_FIELDS = 8;
/** Address of the midpoints between levels, f64, and how many they are. */
export const MIDPOINTS = 0;
export const MIDPOINT_COUNT = 1;
/** Address of the bins, u16 each, and the last of them. */
export const BINS = 2;
export const LAST_BIN = 3;
export const LOWEST_MIDPOINT = 2;
export const BINS_PER_UNIT = 3;
/** Levels below are for missing and unlisted cells. */
export const FIRST_LEVEL = 2;
/** Infinite midpoints after the last one, which a comparison may read. */
export const MIDPOINTS_BEHIND = 4;
/** There is one bin more than this for each midpoint. */
export const BINS_PER_MIDPOINT = 2;
