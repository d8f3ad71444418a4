// JSON text that keeps values exactly: every number, and typed arrays as the bytes of their elements.

/**
 * Typed arrays by the name they are stored under. Their bytes are little-endian, as on every machine that Bun runs on.
 */
const ARRAY_TYPES = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array } as const;
type ArrayType = keyof typeof ARRAY_TYPES;

/** An object with this key stands for a value that JSON cannot hold. */
const TAG = "$";

type Tagged =
  | { $: ["array", ArrayType, string] }
  | { $: ["number", "NaN" | "Infinity" | "-Infinity" | "-0"] }
  /** A plain object that itself has the tag as a key. */
  | { $: ["object", Record<string, unknown>] };

/**
 * Takes null, booleans, numbers, strings, and arrays, plain objects and typed arrays of them, nested anyhow. A view of
 * a larger or shared buffer is stored without the rest of it.
 *
 * @throws TypeError for anything else, undefined included
 */
export function toExactJson(value: unknown): string {
  return JSON.stringify(encode(value));
}

/** @throws SyntaxError or TypeError for what `toExactJson` did not write */
export function fromExactJson(text: string): unknown {
  return decode(JSON.parse(text));
}

function encode(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return encodeNumber(value);
  if (Array.isArray(value)) return Array.from(value, encode);
  if (ArrayBuffer.isView(value)) return encodeArray(value);
  if (typeof value === "object" && isPlain(value)) {
    const encoded = mapValues(value, encode);
    return Object.hasOwn(value, TAG) ? ({ $: ["object", encoded] } satisfies Tagged) : encoded;
  }
  throw new TypeError(`cannot be stored exactly: ${typeof value === "object" ? value.constructor.name : typeof value}`);
}

function encodeNumber(value: number): unknown {
  if (Object.is(value, -0)) return { $: ["number", "-0"] } satisfies Tagged;
  if (Number.isFinite(value)) return value;
  return { $: ["number", String(value) as "NaN"] } satisfies Tagged;
}

function encodeArray(view: ArrayBufferView): Tagged {
  const types = Object.keys(ARRAY_TYPES) as ArrayType[];
  const type = types.find((name) => view instanceof ARRAY_TYPES[name]);
  if (type === undefined) throw new TypeError(`cannot be stored exactly: ${view.constructor.name}`);
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return { $: ["array", type, bytes.toString("base64")] };
}

function decode(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  if (!Object.hasOwn(value, TAG)) return mapValues(value, decode);
  const [kind, first, second] = (value as Tagged).$;
  switch (kind) {
    case "number":
      return Number(first);
    case "object":
      return mapValues(first, decode);
    case "array": {
      // A copy: decoded base64 may lie where wider elements must not begin.
      const bytes = Uint8Array.from(Buffer.from(second, "base64"));
      return new ARRAY_TYPES[first](bytes.buffer);
    }
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Keys may be any text, `__proto__` too. */
function mapValues(value: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, map(entry)]));
}
