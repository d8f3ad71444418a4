// Scans text for the line ends outside quotes, the physical line where each record starts, and malformed quoting.

/** Where in a cell the scan stands. */
type Place = "cellStart" | "text" | "quotes" | "quoteInQuotes" | "afterQuotes";

/** The state that the scan carries from one piece of text to the next. */
export interface ScanState {
  place: Place;
  /** Physical line of the next character, from 1. */
  line: number;
  /** Physical line where the current record starts. */
  recordLine: number;
  /** True while the current record is one unquoted cell, which may be a blank line. */
  single: boolean;
  /** The piece before ended with CR, so an LF that follows belongs to the same line end. */
  afterCr: boolean;
  /**
   * Physical line and index of the last opening quote. The index counts from the
   * current piece, so it is negative in an earlier one.
   */
  quoteLine: number;
  quoteIndex: number;
}

/** Line ends outside quotes, each with the record that it ends. */
export interface LineEnds {
  /** Index of the LF, the CR, or the CR of a CRLF. */
  indexes: number[];
  recordLines: number[];
  singles: boolean[];
}

export function newLineEnds(): LineEnds {
  return { indexes: [], recordLines: [], singles: [] };
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;

/**
 * Reads `text` on from `state`, appends to `ends`, and returns how much it read: all, or up to the
 * first character after a closing quote that is neither a delimiter, a line end, a space nor a tab. A
 * quote opens a quoted cell only as the cell's first character.
 */
export function scanRecords(text: string, delimiter: number, state: ScanState, ends: LineEnds): number {
  const length = text.length;
  const feeds = new NextOf(text, "\n");
  const returns = new NextOf(text, "\r");
  const quotes = new NextOf(text, '"');
  const delimiters = new NextOf(text, String.fromCharCode(delimiter));
  let i = 0;
  while (i < length) {
    if (state.place === "cellStart" || state.place === "text") {
      const end = Math.min(feeds.from(i), returns.from(i));
      // A line without a quote is passed at once: by character, reading text took a sixth longer.
      if (end < quotes.from(i)) {
        if (state.single) state.single = delimiters.from(i) > end;
        i = endRecord(text, end, state, ends);
        continue;
      }
      if (state.place === "text") i = Math.min(end, delimiters.from(i));
      if (i === length) break;
    }
    if (state.place === "quotes") {
      i = skipQuoted(text, i, state);
      continue;
    }
    const next = readCharacter(text, i, delimiter, state, ends);
    if (next < 0) return i;
    i = next;
  }
  return length;
}

/** Finds the next place of a character, from places that only grow. */
class NextOf {
  private readonly text: string;
  private readonly sought: string;
  private found = -1;

  constructor(text: string, sought: string) {
    this.text = text;
    this.sought = sought;
  }

  /** The length of the text where there is none. */
  from(place: number): number {
    if (this.found < place) {
      const index = this.text.indexOf(this.sought, place);
      this.found = index < 0 ? this.text.length : index;
    }
    return this.found;
  }
}

/**
 * Reads one character that may change the place, and returns the index to
 * go on from; -1 where the quoting is malformed.
 */
function readCharacter(text: string, i: number, delimiter: number, state: ScanState, ends: LineEnds): number {
  const code = text.charCodeAt(i);
  if (state.place === "quoteInQuotes") {
    state.place = code === QUOTE ? "quotes" : "afterQuotes";
    return code === QUOTE ? i + 1 : i;
  }
  if (code === delimiter) {
    state.place = "cellStart";
    state.single = false;
    return i + 1;
  }
  if (code === LF || code === CR) return endRecord(text, i, state, ends);
  if (state.place === "afterQuotes") return code === SPACE || code === TAB ? i + 1 : -1;
  if (code === QUOTE) {
    state.place = "quotes";
    state.single = false;
    state.quoteLine = state.line;
    state.quoteIndex = i;
    return i + 1;
  }
  state.place = "text";
  return i;
}

/** Returns the index after the next quote, or the end of the text; counts the line ends between. */
function skipQuoted(text: string, from: number, state: ScanState): number {
  const length = text.length;
  let line = state.line;
  let previous = from > 0 ? text.charCodeAt(from - 1) : state.afterCr ? CR : 0;
  let i = from;
  while (i < length) {
    const code = text.charCodeAt(i++);
    if (code === QUOTE) {
      state.place = "quoteInQuotes";
      break;
    }
    if (code === CR || (code === LF && previous !== CR)) line++;
    previous = code;
  }
  state.line = line;
  return i;
}

/** Records the line end at `i`, and returns the start of the next record. */
function endRecord(text: string, i: number, state: ScanState, ends: LineEnds): number {
  ends.indexes.push(i);
  ends.recordLines.push(state.recordLine);
  ends.singles.push(state.single);
  state.line++;
  state.recordLine = state.line;
  state.place = "cellStart";
  state.single = true;
  return afterLineEnd(text, i);
}

/** Returns the index after the line end at `i`. */
export function afterLineEnd(text: string, i: number): number {
  return text.charCodeAt(i) === CR && text.charCodeAt(i + 1) === LF ? i + 2 : i + 1;
}
