// WebAssembly modules that count the instructions they execute: every stretch of
// them that runs to its end adds its length to a global.

/** The export that holds the count so far: a mutable i64. */
export const INSTRUCTION_COUNT = "instructionCount";

const HEADER_BYTES = 8;
const IMPORTS = 2;
const GLOBALS = 6;
const EXPORTS = 7;
const CODE = 10;
const FUNCTION_KIND = 0;
const MEMORY_KIND = 2;
const GLOBAL_KIND = 3;

const GET = 0x23;
const SET = 0x24;
const I32_CONST = 0x41;
const I64_CONST = 0x42;
const I64_ADD = 0x7c;
const I64_SHIFT_RIGHT = 0x88;
const I64_FROM_U32 = 0xad;
const END = 0x0b;
const MUTABLE_I64: readonly number[] = [0x7e, 1, I64_CONST, 0, END];
const MUTABLE_I32: readonly number[] = [0x7f, 1, I32_CONST, 0, END];

/** Filling and copying cost by the bytes: as much as words of so many bytes, told as a shift. */
const WORD_SHIFT = 3;

/** Indexes of the two globals that are added. */
interface Globals {
  count: number;
  length: number;
}

interface Instruction {
  /** How many it counts as: marks of places, and names of values, are none. */
  weight: 0 | 1;
  /** Whether what follows may run another number of times: behind a branch, or where branches meet. */
  endsStretch: boolean;
  /** Whether it takes a number of bytes off the stack, which it works through. */
  isBulk: boolean;
}

/**
 * The same module with an exported count of the instructions that its functions executed, less those that a machine has
 * no counterpart of or, as a rule, none of its own: blocks, loops, `else`, `end`, `nop`, `drop`, locals and constants.
 * A global counts: it is a place in memory. memory.fill and memory.copy count one more for every 8 bytes. Throws Error
 * for instructions that the kernels' compiler was not allowed to use.
 */
export function countedModule(module: Uint8Array): Uint8Array {
  const sections = sectionsOf(module);
  const firstFree = importedGlobals(sections.get(IMPORTS)) + new Reader(sections.get(GLOBALS)!).unsigned();
  const globals: Globals = { count: firstFree, length: firstFree + 1 };
  sections.set(GLOBALS, appended(sections.get(GLOBALS)!, [MUTABLE_I64, MUTABLE_I32]));
  const name = [INSTRUCTION_COUNT.length, ...Buffer.from(INSTRUCTION_COUNT)];
  sections.set(EXPORTS, appended(sections.get(EXPORTS)!, [[...name, GLOBAL_KIND, ...unsigned(globals.count)]]));
  sections.set(CODE, countedBodies(sections.get(CODE)!, globals));
  const parts = [...sections].flatMap(([id, section]) => [[id, ...unsigned(section.length)], section]);
  return bytesOf([module.subarray(0, HEADER_BYTES), ...parts]);
}

/** In their order. There is one of globals, though it may have none. */
function sectionsOf(module: Uint8Array): Map<number, Uint8Array> {
  const reader = new Reader(module, HEADER_BYTES);
  const sections = new Map<number, Uint8Array>();
  while (!reader.isAtEnd()) {
    const id = reader.byte();
    if (id === EXPORTS && !sections.has(GLOBALS)) sections.set(GLOBALS, Uint8Array.of(0));
    sections.set(id, reader.bytes(reader.unsigned()));
  }
  return sections;
}

/** Imported globals come first in the numbering of all. */
function importedGlobals(section: Uint8Array | undefined): number {
  if (section === undefined) return 0;
  const reader = new Reader(section);
  let globalCount = 0;
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.bytes(reader.unsigned());
    reader.bytes(reader.unsigned());
    const kind = reader.byte();
    if (kind === FUNCTION_KIND) reader.unsigned();
    else if (kind === GLOBAL_KIND) {
      reader.bytes(2);
      globalCount++;
    } else if (kind === MEMORY_KIND) {
      const hasMaximum = reader.byte() % 2 === 1;
      reader.unsigned();
      if (hasMaximum) reader.unsigned();
    } else throw new Error(`an import of kind ${kind}`);
  }
  return globalCount;
}

/** A section that is a vector, with further entries at its end. */
function appended(section: Uint8Array, entries: readonly (readonly number[])[]): Uint8Array {
  const reader = new Reader(section);
  const count = reader.unsigned();
  return bytesOf([unsigned(count + entries.length), section.subarray(reader.at), ...entries]);
}

function countedBodies(section: Uint8Array, globals: Globals): Uint8Array {
  const reader = new Reader(section);
  const count = reader.unsigned();
  const parts: ArrayLike<number>[] = [unsigned(count)];
  for (let index = 0; index < count; index++) {
    const body = countedBody(reader.bytes(reader.unsigned()), globals);
    parts.push(unsigned(body.length), body);
  }
  return bytesOf(parts);
}

function countedBody(body: Uint8Array, globals: Globals): Uint8Array {
  const reader = new Reader(body);
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.unsigned();
    reader.byte();
  }
  const parts: ArrayLike<number>[] = [body.subarray(0, reader.at)];
  let stretch: ArrayLike<number>[] = [];
  let weight = 0;
  while (!reader.isAtEnd()) {
    const from = reader.at;
    const instruction = readInstruction(reader);
    if (instruction.isBulk) stretch.push(addWords(globals));
    stretch.push(body.subarray(from, reader.at));
    weight += instruction.weight;
    if (!instruction.endsStretch) continue;
    if (weight > 0) parts.push([I64_CONST, ...signed(weight), ...addTo(globals.count)]);
    parts.push(...stretch);
    stretch = [];
    weight = 0;
  }
  return bytesOf(parts);
}

/** Adds the number of bytes on top of the stack, in words, to the count and leaves it there. */
function addWords({ count, length }: Globals): number[] {
  const own = unsigned(length);
  const words = [I64_FROM_U32, I64_CONST, WORD_SHIFT, I64_SHIFT_RIGHT];
  return [SET, ...own, GET, ...own, ...words, ...addTo(count), GET, ...own];
}

/** Adds the i64 on top of the stack to a global. */
function addTo(global: number): number[] {
  return [GET, ...unsigned(global), I64_ADD, SET, ...unsigned(global)];
}

const PLAIN: Instruction = { weight: 1, endsStretch: false, isBulk: false };
const BULK: Instruction = { ...PLAIN, isBulk: true };
const BRANCH: Instruction = { ...PLAIN, endsStretch: true };
const PLACE: Instruction = { weight: 0, endsStretch: true, isBulk: false };
const FREE: Instruction = { ...PLAIN, weight: 0 };

/**
 * Reads an instruction with its immediates: chapter 5.4 of the
 * specification, but for references, tables and exceptions.
 */
function readInstruction(reader: Reader): Instruction {
  const code = reader.byte();
  if (code <= 0x11) return readControl(reader, code);
  if (code === 0xfc) return readBulk(reader);
  if (code === 0xfd) return readVector(reader);
  if (code === 0x1b || (code >= 0x45 && code <= 0xc4)) return PLAIN;
  if (code === GET || code === SET || code === 0x3f || code === 0x40) reader.skipNumber();
  else if (code >= 0x28 && code <= 0x3e) readAddress(reader);
  else return readFree(reader, code);
  return PLAIN;
}

/** Locals, constants and `drop`. */
function readFree(reader: Reader, code: number): Instruction {
  if ((code >= 0x20 && code < GET) || code === I32_CONST || code === I64_CONST) reader.skipNumber();
  else if (code === 0x43) reader.bytes(4);
  else if (code === 0x44) reader.bytes(8);
  else if (code !== 0x1a) throw unknown(code);
  return FREE;
}

function readControl(reader: Reader, code: number): Instruction {
  switch (code) {
    case 0x00: // unreachable
    case 0x0f: // return
      return BRANCH;
    case 0x01: // nop
      return FREE;
    case 0x05: // else
    case END:
      return PLACE;
    case 0x02: // block
      reader.skipNumber();
      return FREE;
    case 0x03: // loop
      reader.skipNumber();
      return PLACE;
    case 0x04: // if
    case 0x0c: // br
    case 0x0d: // br_if
      reader.skipNumber();
      return BRANCH;
    case 0x0e: // br_table
      for (let left = reader.unsigned(); left >= 0; left--) reader.unsigned();
      return BRANCH;
    case 0x10: // call
      reader.skipNumber();
      return PLAIN;
    default:
      throw unknown(code);
  }
}

function readBulk(reader: Reader): Instruction {
  const code = reader.unsigned();
  if (code <= 7) return PLAIN;
  if (code !== 10 && code !== 11) throw unknown(0xfc00 + code);
  reader.bytes(code === 10 ? 2 : 1);
  return BULK;
}

function readVector(reader: Reader): Instruction {
  const code = reader.unsigned();
  const isLaneInMemory = code >= 84 && code <= 91;
  if (code <= 11 || isLaneInMemory || code === 92 || code === 93) readAddress(reader);
  if (isLaneInMemory || (code >= 21 && code <= 34)) reader.byte();
  if (code === 12 || code === 13) reader.bytes(16);
  // A constant.
  return code === 12 ? FREE : PLAIN;
}

/** Alignment and offset. */
function readAddress(reader: Reader): void {
  reader.skipNumber();
  reader.skipNumber();
}

function unknown(code: number): Error {
  return new Error(`an instruction 0x${code.toString(16)}`);
}

class Reader {
  private readonly source: Uint8Array;
  at: number;

  constructor(source: Uint8Array, at = 0) {
    this.source = source;
    this.at = at;
  }

  isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  byte(): number {
    if (this.isAtEnd()) throw new RangeError("a module that ends too soon");
    return this.source[this.at++]!;
  }

  bytes(count: number): Uint8Array {
    this.at += count;
    return this.source.subarray(this.at - count, this.at);
  }

  /** A number in LEB128, as all of them are. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  skipNumber(): void {
    while (this.byte() >= 128);
  }
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [128 + (value % 128), ...unsigned(Math.floor(value / 128))];
}

/** Of a number that is not negative: the sign is bit 6 of the last byte. */
function signed(value: number): number[] {
  return value < 64 ? [value] : [128 + (value % 128), ...signed(Math.floor(value / 128))];
}

function bytesOf(parts: readonly ArrayLike<number>[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
