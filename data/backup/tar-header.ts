// The header of one file in a tar archive: 512 bytes of the POSIX form "ustar", as any tar program reads them.

export interface TarEntry {
  /** At most 100 ASCII characters. */
  path: string;
  sizeBytes: number;
  modifiedSeconds: number;
}

export const TAR_BLOCK_BYTES = 512;

/** The most that eleven octal digits hold; larger sizes are written in base 256, as GNU tar does. */
const MOST_OCTAL = 8 ** 11 - 1;
const PATH = { at: 0, length: 100 };
const SIZE = { at: 124, length: 12 };
const TIME = { at: 136, length: 12 };
const CHECKSUM_AT = 148;
/** mode, uid, gid; type and magic; device numbers. */
const CONSTANTS = [
  [100, "0000600\x000000000\x000000000\x00"],
  [CHECKSUM_AT, "        "],
  [156, "0"],
  [257, "ustar\x0000"],
  [329, "0000000\x000000000\x00"],
] as const;

/** An ordinary file that only its owner may read and write. */
export function encodeTarHeader({ path, sizeBytes, modifiedSeconds }: TarEntry): Buffer {
  if (!/^[\x20-\x7e]{1,100}$/.test(path)) throw new RangeError(`no path for an archive: ${JSON.stringify(path)}`);
  const block = Buffer.alloc(TAR_BLOCK_BYTES);
  for (const [at, text] of CONSTANTS) block.write(text, at, "latin1");
  block.write(path, PATH.at, "latin1");
  if (sizeBytes > MOST_OCTAL) {
    block.writeBigUInt64BE(BigInt(sizeBytes), SIZE.at + SIZE.length - 8);
    block[SIZE.at] = 0x80;
  } else block.write(octal(sizeBytes, 11), SIZE.at, "latin1");
  block.write(octal(modifiedSeconds, 11), TIME.at, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\x00 `, CHECKSUM_AT, "latin1");
  return block;
}

/**
 * Null for whatever `encodeTarHeader` does not write: links, folders, devices, sparse files,
 * owners, extensions. So no archive can be read in two ways.
 */
export function decodeTarHeader(block: Buffer): TarEntry | null {
  const [path = ""] = block.toString("latin1", PATH.at, PATH.at + PATH.length).split("\0", 1);
  const sizeBytes =
    block[SIZE.at] === 0x80 ? Number(block.readBigUInt64BE(SIZE.at + SIZE.length - 8)) : numberAt(block, SIZE);
  const entry = { path, sizeBytes, modifiedSeconds: numberAt(block, TIME) };
  if (!Number.isSafeInteger(entry.sizeBytes) || !Number.isSafeInteger(entry.modifiedSeconds)) return null;
  if (!/^[\x20-\x7e]{1,100}$/.test(path)) return null;
  return encodeTarHeader(entry).equals(block) ? entry : null;
}

/** Bytes from the end of a file to the next header. */
export function tarPadding(sizeBytes: number): number {
  return (TAR_BLOCK_BYTES - (sizeBytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

/** NaN for anything but octal digits. */
function numberAt(block: Buffer, { at, length }: { at: number; length: number }): number {
  const text = block.toString("latin1", at, at + length - 1);
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}
