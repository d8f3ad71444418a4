// CRC-32 (ISO 3309, the polynomial of zip and PNG): tells a damaged file from a whole one.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum of some bytes, 0 to 2^32 - 1; with `before`, that of the bytes before them, the checksum of all. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let i = 0; i < bytes.length; i++) value = (value >>> 8) ^ TABLE[(value ^ bytes[i]!) & 0xff]!;
  return (value ^ 0xffffffff) >>> 0;
}
