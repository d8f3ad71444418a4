// Every limit of requests, with its unit.

/** A JSON body; the largest one of the API has about 2 KB. */
export const MOST_JSON_BYTES = 64 * 1024;
/** The JSON of rows that are scored at once. */
export const MOST_LIVE_ROWS_BYTES = 8 * 1024 * 1024;
/** All bodies of rows above MOST_JSON_BYTES together, until they are answered (D80). */
export const MOST_LIVE_ROWS_BYTES_AT_ONCE = 64 * 1024 * 1024;
/** Longest time to receive such a body, and then to score it. */
export const LIVE_ROWS_BODY_SECONDS = 60;
export const LIVE_ROWS_SECONDS = 30;
/** Nesting of lists and objects; the API's own bodies nest three levels. */
export const MOST_JSON_LEVELS = 32;

/** A dataset file by its signed address (contract 4.3). */
export const LEAST_UPLOAD_BYTES = 10;
export const MOST_UPLOAD_BYTES = 534_773_760;
/** How long an upload in pieces can go on from its beginning (D116). */
export const UNFINISHED_UPLOAD_SECONDS = 24 * 3_600;
/** A file sent as a part of a form; larger ones use a signed address. */
export const MOST_DIRECT_FILE_BYTES = 32 * 1024 * 1024;

/** A file of labels that came later: of a label and a key, some five million rows. */
export const MOST_OUTCOME_BYTES = 64 * 1024 * 1024;
/** Longest time to count it beside its result. */
export const OUTCOME_SECONDS = 180;

/** Text parts of a form. */
export const MOST_FORM_FIELDS = 20;
export const MOST_FORM_FIELD_BYTES = 4 * 1024;
/** Boundaries, part headers and fields of a form beside its file. */
export const MOST_FORM_OVERHEAD_BYTES = 128 * 1024;
export const MOST_FILE_NAME_CHARACTERS = 260;

/** An idle connection is closed after this time. */
export const IDLE_SECONDS = 30;
/** The same while a file is being received. */
export const UPLOAD_IDLE_SECONDS = 60;
/** Least average pace of an upload that takes longer than UPLOAD_IDLE_SECONDS. */
export const LEAST_UPLOAD_BYTES_PER_SECOND = 4 * 1024;

/** How long a refusal waits for the rest of its request's body; then it is sent, and the connection lingers (D79). */
export const REFUSAL_WAIT_MS = 250;
/** Bounds for a refused request that still sends: bytes (twice the largest file), time, and pauses. */
export const MOST_DISCARDED_BYTES = 1024 * 1024 * 1024;
export const LINGER_SECONDS = 300;
export const LINGER_IDLE_SECONDS = 3;
/** Refused bodies under way at once, one chunk of each in memory. */
export const MOST_LINGERING = 64;

/** Answers of one user that are kept for repeats, each for a day (D115). */
export const MOST_IDEMPOTENCY_KEYS = 10_000;

/** Paging of lists (D24). */
export const DEFAULT_PAGE_ITEMS = 20;
export const MOST_PAGE_ITEMS = 100;
