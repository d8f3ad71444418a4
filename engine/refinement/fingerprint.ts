// Fingerprints of sequences of numbers: two unrelated 32-bit hashes side by side.

/** Where the two hashes of an empty sequence begin. */
export const FIRST_START = 0x9747b28c | 0;
export const SECOND_START = 0x165667b1;

/** Takes the next number into the first hash: the round of MurmurHash3 (Appleby 2011). */
export function mixFirst(state: number, value: number): number {
  const scaled = Math.imul(value, 0xcc9e2d51);
  const mixed = state ^ Math.imul((scaled << 15) | (scaled >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** Takes the next number into the second hash: the round of xxHash32 (Collet 2012). */
export function mixSecond(state: number, value: number): number {
  const mixed = (state + Math.imul(value, 0x85ebca77)) | 0;
  return Math.imul((mixed << 13) | (mixed >>> 19), 0x9e3779b1);
}

/** Both hashes as 16 hexadecimal digits. */
export function fingerprintText(first: number, second: number): string {
  return hexadecimal(first) + hexadecimal(second);
}

function hexadecimal(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
