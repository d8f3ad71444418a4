// The text of a cell that stands as bytes of UTF-8: as a string, and compared with UTF-16 units.

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
/** Bytes up to which characters are put together one by one: a call of a decoder costs more. */
const FEW_BYTES = 16;

/** The text of valid UTF-8. */
export function decodeCell(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= FEW_BYTES) {
    let text = "";
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte >= 0x80) return decodeUtf8(bytes, start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return decodeUtf8(bytes, start, end);
}

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}

/** Whether `bytes` from `start` up to `end`, valid UTF-8, are the characters of `chars` from `charStart` up to `charEnd`. */
export function sameText(
  chars: Uint16Array,
  charStart: number,
  charEnd: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const length = end - start;
  // Beyond ASCII a character takes more bytes than units.
  if (charEnd - charStart !== length)
    return charEnd - charStart < length && sameUtf8(chars, charStart, charEnd, bytes, start, end);
  let seen = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[start + at]!;
    if (chars[charStart + at] !== byte) return false;
    seen |= byte;
  }
  return seen < 0x80;
}

function sameUtf8(
  chars: Uint16Array,
  charStart: number,
  charEnd: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  let unit = charStart;
  for (let at = start; at < end; unit++) {
    if (unit >= charEnd) return false;
    const first = bytes[at]!;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = size === 1 ? first : first & (0x7f >> size);
    for (let next = 1; next < size; next++) code = (code << 6) | (bytes[at + next]! & 0x3f);
    at += size;
    if (code >= 0x10000) {
      if (chars[unit] !== 0xd800 + ((code - 0x10000) >> 10)) return false;
      unit++;
      code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    if (chars[unit] !== code) return false;
  }
  return unit === charEnd;
}
