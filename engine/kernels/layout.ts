// Layouts that the reading kernel and TypeScript both know. Integers without a type: this file is compiled by both languages.

/** A cell, four fields of four bytes: the addresses where its text starts and ends, then the key of that text, see cell-key.ts. */
export const CELL_BYTES = 16;
export const CELL_FIELDS = 4;
export const CELL_START = 0;
export const CELL_END = 1;

/** Bits of a shape, which tells how a plain number is written; 0 is no number. Both counts of digits are 15 at most. */
export const WHOLE_DIGITS = 15;
/** One more than the digits behind the point, 0 without a point. */
export const FRACTION_SHIFT = 4;
export const HAS_SIGN = 256;
/** Behind the sign, and a digit only follows behind a point. */
export const STARTS_WITH_ZERO = 512;
export const HAS_EXPONENT = 1024;
export const SHAPE_COUNT = 2048;

/** A text of a dictionary, fields of four bytes. Its text ends where that of the next one starts. */
export const ENTRY_BYTES = 32;
export const ENTRY_FIELDS = 8;
/** The upper half of the key of its text: negative for what is no short decimal. */
export const ENTRY_META = 1;
/** Eight bytes: the plain number that the text is, where it has a shape. */
export const ENTRY_VALUE = 2;
export const ENTRY_FIRST_LINE = 4;
/** In the bytes of all texts. */
export const ENTRY_START = 5;
export const ENTRY_SHAPE = 6;
/** Texts at most: a slot has 16 bits for the number of one, 0 for none. */
export const MOST_TEXTS = 65534;

/** The record of a dictionary, fields of four bytes. */
export const DICTIONARY_FIELDS = 13;
export const SIZE = 0;
/** Texts that it takes for the time being, and that it has room for. */
export const TEXT_LIMIT = 1;
export const TEXT_CAPACITY = 2;
export const BYTE_CAPACITY = 3;
/** 1 once a text did not fit: it takes no further one. */
export const IS_FULL = 4;
/** Addresses of entries, the bytes of texts, and slots, of which a part is in use. */
export const ENTRIES = 5;
export const TEXTS = 6;
export const SLOTS = 7;
export const SLOT_COUNT = 8;
/** Address of the places of whole numbers, and how many have one, a power of two: those of so many from 0 on. */
export const SMALL_IDS = 10;
export const SMALL_COUNT = 11;
export const MOST_SMALL = 16384;
/** Address of u32 counts of cells, by text: apart from the entries, so that they stay in the caches. */
export const COUNTS = 12;
/** Address of the record of its counter of further texts, 0 for none. */
export const FURTHER = 9;

/** The record of a counter of distinct texts, fields of four bytes. */
export const COUNTER_FIELDS = 6;
/** Address of its keys, how many there is room for, a power of two, and how many there are. */
export const KEYS = 0;
export const KEY_SLOTS = 1;
export const KEY_COUNT = 2;
/** Address of the registers of its sketch, and the logarithm of how many they are. */
export const REGISTERS = 3;
export const REGISTER_BITS = 4;
/** 1 once texts are too many to be told apart: the sketch then takes in all. */
export const IS_SKETCHED = 5;

/** What cells may become, as bits. */
/** New texts are entered in the dictionary. */
export const ENTERS_TEXTS = 1;
/** Texts of the dictionary are counted. */
export const COUNTS_TEXTS = 2;
/** Cells that the dictionary does not hold are passed by; without this bit, the first of them ends the run. */
export const PASSES_OTHERS = 4;
/** Plain numbers among these are read. */
export const READS_NUMBERS = 8;
/** Short decimals are read without a look into the dictionary. */
export const SKIPS_LOOKUP = 16;

/** What a run over cells came to, fields of four bytes; the last two have eight. */
export const OUTCOME_FIELDS = 12;
export const LISTED_COUNT = 0;
export const ODD_COUNT = 1;
export const NUMBER_COUNT = 2;
/** Characters of all numbers. */
export const NUMBER_CHARS = 3;
export const FIRST_NUMBER_ROW = 4;
/** Different shapes of numbers, which are listed. */
export const SHAPES_SEEN = 5;
export const LOWEST = 4;
export const HIGHEST = 5;

/** A cell that is no number is a NaN whose upper half is this; the lower one is the number of its text, or `NO_TEXT`. */
export const NOT_A_NUMBER = 0x7ff80000;
export const NO_TEXT = -1;

/** Levels below are for missing and unlisted cells. */
export const FIRST_LEVEL = 2;
/** Midpoints behind the last one that are looked at. */
export const MIDPOINTS_BEHIND = 4;
/** Bins over midpoints are one more than this for each. */
export const BINS_PER_MIDPOINT = 2;
