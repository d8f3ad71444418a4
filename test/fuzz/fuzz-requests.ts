// Requests for an operation: valid ones, and ones that are wrong in one way or in many.
import fc, { type Arbitrary } from "fast-check";
import { UPLOAD_HEADERS } from "../../src/api/uploads/uploads.ts";
import { UPLOAD_HEADER_NAME } from "../../src/http/headers.ts";
import type { Json, Operation, Parameter } from "./api-document.ts";
import { anyBody } from "./fuzz-bodies.ts";
import { fittingValue, mostly, oddText } from "./fuzz-values.ts";
import type { FuzzWorld } from "./fuzz-world.ts";

export interface FuzzRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
  /** Goes by another method, or to a path that has parts of its own: the operation need not be the one that answers. */
  isElsewhere: boolean;
}

export interface Credentials {
  token: string;
  /** That may only read. */
  apiKey: string;
}

/** Mostly with bob's token, and mostly to keys that are his. */
export function anyRequest(
  operation: Operation,
  world: FuzzWorld,
  { token, apiKey }: Credentials,
): Arbitrary<FuzzRequest> {
  const parts = {
    target: anyTarget(operation, world),
    query: anyQuery(operation, world),
    method: mostly(19, operation.method, fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")),
    authorization: mostly(14, `Bearer ${token}`, oddAuthorization(apiKey)),
    accept: mostly(14, null, fc.constantFrom(...ACCEPTS)),
    others: mostly(4, {}, oddHeaders),
    body: anyBody(operation),
    pieces: mostly(8, TUS, oddPieces),
  };
  return fc.record(parts).map(({ target, query, method, authorization, accept, others, body, pieces }) => {
    const takesNone = method === "GET" || method === "HEAD";
    const headers: Record<string, string> = {
      ...(authorization !== null && { authorization }),
      ...(accept !== null && { accept }),
      ...(!takesNone && body.type !== null && { "content-type": body.type }),
      ...(operation.id === "uploadFile" && UPLOAD_HEADERS),
      ...(OF_UPLOADS.includes(operation.id) && pieces),
      ...others,
    };
    const path = target + (target.includes("?") ? "" : query);
    const isElsewhere = method !== operation.method || !isOnPattern(operation.path, path);
    return { method, path, headers, body: takesNone ? null : body.content, isElsewhere };
  });
}

/** Uploads in pieces: to signed addresses, and to what was begun there. */
const BEGINNING = ["beginUpload", "getUploadProtocol"];
const BEGUN = ["getUploadState", "continueUpload", "endUpload"];
const OF_UPLOADS = [...BEGINNING, ...BEGUN];
const TUS = { "tus-resumable": "1.0.0", "upload-length": "100000", "upload-offset": "0" };

const oddPieces = fc.constantFrom<Record<string, string>[]>(
  {},
  { "tus-resumable": "1.0" },
  { ...TUS, "upload-offset": "-1", "upload-length": "1e5" },
  { ...TUS, "upload-offset": "99999999999999999999", "upload-length": "99999999999999999999" },
  { ...TUS, "upload-length": "9" },
  { "tus-resumable": "1.0.0", "upload-defer-length": "1" },
  { ...TUS, "upload-metadata": "filename d29ybGQ=,__proto__ x,,", "upload-concat": "partial" },
);

const ACCEPTS = [
  ...["*/*", "application/json", "text/csv", "text/html", "application/octet-stream", "application/problem+json"],
  ...["text/csv;q=1,application/json;q=0.1", "application/json;q=0", "*/*;q=0", "q=", ",,,;;;", "a/b;q=NaN"],
  ...["application/json;q=-1", "application/json;q=1e309", "__proto__/constructor", "x".repeat(4000)],
];

const oddHeaders = fc.constantFrom<Record<string, string>[]>(
  { range: "bytes=0-0" },
  { range: "bytes=5-2" },
  { range: "bytes=-0" },
  { range: "bytes=99999999999999999999-" },
  { range: "bytes=0-1,3-4" },
  { range: "rows=x" },
  { range: "bytes=0-9", "if-range": "nonsense" },
  { "if-none-match": "*" },
  { "if-none-match": '"x", W/"y", ,' },
  { "if-modified-since": "yesterday" },
  { "content-encoding": "gzip" },
  { expect: "nothing" },
  { "x-forwarded-for": "127.0.0.1, ::1", "x-forwarded-host": "evil.example", forwarded: "host=evil" },
  { "x-http-method-override": "DELETE" },
  { origin: "null" },
  { origin: "https://evil.example", "access-control-request-method": "DELETE" },
  { "content-encoding": "br, gzip", "content-length": "5" },
  { [UPLOAD_HEADER_NAME]: "0,99999999999" },
  { cookie: "a=b; __proto__=c" },
  { "idempotency-key": "a" },
  { "idempotency-key": '"a"' },
  { "idempotency-key": "no key; at all" },
);

function oddAuthorization(apiKey: string): Arbitrary<string | null> {
  return fc.constantFrom(
    null,
    `Bearer ${apiKey}`,
    `bearer ${apiKey.toUpperCase()}`,
    "Bearer",
    "Bearer ",
    "Bearer a.b.c",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.",
    "Bearer cupel_",
    `Bearer cupel_${"A".repeat(5000)}`,
    "Basic YWRhOmFkYQ==",
    "Bearer caf\u00e9",
  );
}

function anyTarget(operation: Operation, world: FuzzWorld): Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const schemaOf = (name: string) => operation.parameters.find((parameter) => parameter.name === name)!.schema;
  const filled = fc
    .tuple(...names.map((name) => anyPart(name, schemaOf(name), world)))
    .map((values) => names.reduce((path, name, index) => path.replace(`{${name}}`, values[index]!), operation.path));
  const isBegun = BEGUN.includes(operation.id);
  if (operation.id !== "uploadFile" && !OF_UPLOADS.includes(operation.id)) return filled;
  const signed = fc.constantFrom(...(isBegun ? world.begun : world.signed));
  const spoiled = fc.tuple(signed, fc.nat(400), oddText).map(([path, at, odd]) => {
    const place = path.indexOf("?") + 1 + (at % (path.length - path.indexOf("?")));
    return path.slice(0, place) + encoded(odd.slice(0, 50)) + path.slice(place + 1);
  });
  return fc.oneof(
    { weight: 4, arbitrary: signed },
    { weight: 2, arbitrary: spoiled },
    { weight: 1, arbitrary: filled },
  );
}

const UNKNOWN = "11111111-2222-4333-8444-555555555555";

/** A part of a path, as it stands in one. */
function anyPart(name: string, schema: Json, { own, foreign }: FuzzWorld): Arbitrary<string> {
  const choices = choicesOf(schema);
  if (choices !== null) {
    const odd = fc.constantFrom("0", "4", "01", "1.0", "1e0", "train", "TRAIN%20", "%31", "NaN", "-1", "__proto__");
    return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...choices.map(String)) }, { weight: 1, arbitrary: odd });
  }
  const keys = own[name]!;
  const almost = fc
    .constantFrom(...keys)
    .chain((key) =>
      fc.constantFrom(
        ...[key.toUpperCase(), `${key}0`, key.slice(1), key.replaceAll("-", ""), `{${key}}`, `${key}%00`, `%20${key}`],
        ...[`${key}.csv`, `${key};x=1`, `${key}%2F..`, `${key}/`, key.replace(/.$/, "g"), key.replace("-", "%2D")],
      ),
    );
  const others = Object.values(own).flat();
  return fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(...keys) },
    { weight: 4, arbitrary: fc.constantFrom(...foreign[name]!) },
    { weight: 1, arbitrary: fc.constantFrom(UNKNOWN, "00000000-0000-0000-0000-000000000000", ...others) },
    { weight: 2, arbitrary: almost },
    { weight: 2, arbitrary: oddText.filter((text) => text !== "").map(encoded) },
    { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%ff%fe", "%c0%af", "%2e%2e%2f", "..%5c", "*", ":datasetKey") },
  );
}

/** The values that a schema names, or spans as whole numbers; null where it is open. */
function choicesOf({ enum: named, minimum, maximum }: Json): unknown[] | null {
  if (Array.isArray(named)) return named;
  if (typeof minimum !== "number" || typeof maximum !== "number") return null;
  return Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);
}

/** Whether the path, as it is sent, has the parts that the pattern has. */
function isOnPattern(pattern: string, path: string): boolean {
  const { pathname } = new URL(path, "http://localhost");
  const expected = pattern.split("/");
  const parts = pathname.split("/");
  if (parts.length !== expected.length) return false;
  return expected.every((part, index) => (part.startsWith("{") ? parts[index] !== "" : part === parts[index]));
}

function anyQuery({ parameters }: Operation, world: FuzzWorld): Arbitrary<string> {
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const valid = fc
    .tuple(...queries.map((parameter) => fc.tuple(fc.constant(parameter.name), anyQueryValue(parameter, world))))
    .map((pairs) => asQuery(pairs));
  const names = queries.map(({ name }) => name);
  const name = fc.constantFrom(...names, "offset", "limit", "__proto__", "constructor", "x[]", "limit[$gt]", "");
  const odd = fc.array(fc.tuple(name, oddText), { maxLength: 4 }).map(asQuery);
  const raw = fc.constantFrom(
    "?",
    "??",
    "?&&&",
    "?%",
    "?%zz=1",
    "?limit=%ff",
    "?limit",
    "?limit=1&limit=2",
    "?a=1#b",
    "?=",
  );
  return fc.oneof({ weight: 16, arbitrary: valid }, { weight: 2, arbitrary: odd }, { weight: 1, arbitrary: raw });
}

function anyQueryValue({ name, schema }: Parameter, { own, foreign }: FuzzWorld): Arbitrary<string> {
  if (schema["format"] === "uuid")
    return fc.constantFrom(...own[name]!, ...own[name]!, ...foreign[name]!, UNKNOWN, "x");
  const numbers = fc.constantFrom(
    "0",
    "1",
    "100",
    "101",
    "-1",
    "1e2",
    "9007199254740991",
    "9007199254740993",
    "0x1",
    "1.5",
    "",
  );
  return fc.oneof(fittingValue(schema).map(String), fittingValue(schema).map(String), numbers);
}

function asQuery(pairs: readonly (readonly [string, string])[]): string {
  return pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&")}`;
}

/** A lone half of a pair has no encoding and becomes the character for what cannot be read. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
