// Writes protocol buffers: messages as pieces of bytes, so that a large one is never copied.
import { concatenate } from "../../concatenate.ts";

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** A message whose fields are added one after the other. Lists of numbers are packed, which every parser reads. */
export class Message {
  readonly pieces: Uint8Array[] = [];
  byteLength = 0;

  /** A number from 0 to 2^53 - 1. */
  int(field: number, value: number): this {
    return this.add(varints([8 * field + VARINT, value]));
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.begin(field, value.byteLength).add(value);
  }

  message(field: number, value: Message): this {
    this.begin(field, value.byteLength);
    for (const piece of value.pieces) this.add(piece);
    return this;
  }

  /** Numbers from 0 to 2^53 - 1, packed. */
  ints(field: number, values: ArrayLike<number>): this {
    return this.bytes(field, varints(values));
  }

  floats(field: number, values: Float32Array): this {
    return this.bytes(field, rawBytes(values));
  }

  /** One field for each of `entries`, which are places among `choices`. */
  choices(field: number, choices: readonly string[], entries: Uint8Array): this {
    const encoded = choices.map((choice) => concatenate(Uint8Array, new Message().text(field, choice).pieces));
    const lengths = encoded.map(({ length }) => length);
    const encodedEntries = new Uint8Array(entries.reduce((sum, choice) => sum + lengths[choice]!, 0));
    let at = 0;
    for (const choice of entries) {
      encodedEntries.set(encoded[choice]!, at);
      at += lengths[choice]!;
    }
    return this.add(encodedEntries);
  }

  private begin(field: number, length: number): this {
    return this.add(varints([8 * field + LENGTH_DELIMITED, length]));
  }

  private add(piece: Uint8Array): this {
    if (piece.byteLength > 0) this.pieces.push(piece);
    this.byteLength += piece.byteLength;
    return this;
  }
}

/** The bytes of an array, lowest byte of each element first. */
export function rawBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Seven bits a byte, the lowest first; all bytes of a number but the last have their highest bit set. */
function varints(values: ArrayLike<number>): Uint8Array {
  let length = 0;
  for (let i = 0; i < values.length; i++) {
    for (let rest = values[i]!; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
    length++;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    let rest = values[i]!;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
    bytes[at++] = rest;
  }
  return bytes;
}
