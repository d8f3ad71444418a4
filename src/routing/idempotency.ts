// `Idempotency-Key`: a request that makes something is done once, and its repeats get the first answer (D115).
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Database } from "../../data/database/database.ts";
import { countKeptAnswers, findKeptAnswer, insertKeptAnswer, type KeptAnswer } from "../../data/kept-answers.ts";
import type { Caller } from "../auth/bearer.ts";
import { MOST_IDEMPOTENCY_KEYS, MOST_JSON_BYTES, MOST_UPLOAD_BYTES } from "../http/limits.ts";
import { ApiError, wrongField } from "../http/problem.ts";
import { readBytes } from "../receiving/bodies.ts";
import { readFormContent } from "../receiving/multipart.ts";
import { isCreating, type Once, type Route } from "./route.ts";

const IDEMPOTENCY_KEY = "idempotency-key";
const REPLAYED = "idempotency-replayed";
/** How long an answer is kept. */
export const KEPT_MS = 86_400_000;

/** Visible ASCII without quotes and backslashes, with or without the quotes of a structured string (RFC 9651). */
const KEY_FORM = /^(?:"([!#-[\]-~]{1,255})"|([!#-[\]-~]{1,255}))$/;

interface CreatingRequest {
  route: Route;
  request: Request;
  caller: Caller | null;
  keepAlive(seconds: number): void;
}

/** Answers a request by `work`, or as its first one was answered. `work` gets the request with its body unread. */
export type Idempotency = (
  asked: CreatingRequest,
  work: (request: Request, once: Once) => Promise<Response>,
) => Promise<Response>;

const WITHOUT_KEY: Once = { formIs: () => undefined, answerIs: () => undefined };

interface IdempotencyServices {
  database: Database;
  now(): Date;
  /** Throws if a route created something and kept no answer: for tests. */
  checkAnswers: boolean;
}

export function createIdempotency(services: IdempotencyServices): Idempotency {
  /**
   * Hashes of keys whose first request is at work. After a crash there are none, and everything created has its row.
   */
  const underWay = new Set<string>();
  return async (creating, work) => {
    const { route, request, caller } = creating;
    const header = request.headers.get(IDEMPOTENCY_KEY);
    if (header === null || caller === null || !isCreating(route)) return work(request, WITHOUT_KEY);
    const key = readKey(header);
    const keyHash = hashOf(JSON.stringify([caller.userKey, key]));
    if (underWay.has(keyHash)) {
      throw new ApiError("REQUEST_UNDER_WAY", "A request with this Idempotency-Key is still at work.", {
        headers: { "retry-after": "1" },
      });
    }
    underWay.add(keyHash);
    try {
      const since = new Date(services.now().getTime() - KEPT_MS);
      const kept = findKeptAnswer(services.database, caller.userKey, keyHash, since);
      if (kept !== null) return await repeat(creating, key, kept);
      requireRoom(services, caller.userKey, since);
      return await first(services, creating, { key, keyHash }, work);
    } finally {
      underWay.delete(keyHash);
    }
  };
}

/** @throws ApiError VALIDATION_FAILED */
function readKey(header: string): string {
  const form = KEY_FORM.exec(header);
  const key = form?.[1] ?? form?.[2];
  if (key !== undefined) return key;
  throw wrongField(
    "Idempotency-Key",
    "WRONG_FORMAT",
    "The header Idempotency-Key must be 1 to 255 visible ASCII characters without quotes and backslashes.",
  );
}

async function first(
  { database, now, checkAnswers }: IdempotencyServices,
  { route, request, caller }: CreatingRequest,
  { key, keyHash }: { key: string; keyHash: string },
  work: Parameters<Idempotency>[1],
): Promise<Response> {
  const isForm = sendsForm(request);
  const bytes = isForm ? null : await bodyBytes(route, request);
  let content = bytes === null ? null : hashOf(bytes);
  let isKept = false;
  const once: Once = {
    formIs: (form) => {
      content = formHash(form);
    },
    answerIs: (headers, body) => {
      if (content === null) throw new Error(`${route.operationId} keeps an answer before it has read the form`);
      const shown = route.answer.isSecret === true ? null : body;
      const answer = encrypted(key, { status: route.answer.status, headers: [...headers], body: shown });
      const fingerprint = fingerprintOf(key, request, content);
      insertKeptAnswer(database, { userKey: caller!.userKey, keyHash, fingerprint, answer, createdOn: now() });
      isKept = true;
    },
  };
  const response = await work(bytes === null ? request : withBody(request, bytes), once);
  if (checkAnswers && !isKept) throw new Error(`${route.operationId} made something and kept no answer`);
  return response;
}

async function repeat(
  { route, request, keepAlive }: CreatingRequest,
  key: string,
  keptAnswer: KeptAnswer,
): Promise<Response> {
  const filePart = route.rawBodies.find((body) => body.filePart !== undefined)?.filePart;
  const content =
    sendsForm(request) && filePart !== undefined
      ? formHash(await readFormContent(request, { filePart, mostFileBytes: MOST_UPLOAD_BYTES }, { keepAlive }))
      : hashOf(await bodyBytes(route, request));
  if (fingerprintOf(key, request, content) !== keptAnswer.fingerprint) {
    throw new ApiError("KEY_REUSED", "Another request was sent with this Idempotency-Key within the last day.");
  }
  const { status, headers, body } = decrypted(key, keptAnswer.answer);
  if (body === null) {
    const location = new Headers(headers).get("location");
    throw new ApiError("ANSWER_NOT_KEPT", "The first request was done. Its answer had a secret, which is not kept.", {
      headers: { [REPLAYED]: "true", ...(location !== null && { location }) },
    });
  }
  return Response.json(body, { status, headers: [...headers, [REPLAYED, "true"]] });
}

/** @throws ApiError TOO_MANY_REQUESTS */
function requireRoom({ database, now }: IdempotencyServices, userKey: string, since: Date): void {
  const { total, oldestOn } = countKeptAnswers(database, userKey, since);
  if (total < MOST_IDEMPOTENCY_KEYS || oldestOn === null) return;
  const seconds = Math.max(1, Math.ceil((Date.parse(oldestOn) + KEPT_MS - now().getTime()) / 1_000));
  throw new ApiError(
    "TOO_MANY_REQUESTS",
    `You have sent ${total} requests with an Idempotency-Key within a day, and no more are kept. ` +
      `Send it without, or wait ${seconds} s.`,
    { headers: { "retry-after": String(seconds) } },
  );
}

function sendsForm({ headers }: Request): boolean {
  return /^\s*multipart\/form-data\b/i.test(headers.get("content-type") ?? "");
}

/** Empty for an operation without a body, whose emptiness was checked before. */
function bodyBytes({ body, rawBodies }: Route, request: Request): Promise<Uint8Array> {
  const takesBody = body !== null || rawBodies.length > 0;
  return takesBody ? readBytes(request, MOST_JSON_BYTES) : Promise.resolve(new Uint8Array(0));
}

function withBody({ url, method, headers }: Request, bytes: Uint8Array): Request {
  return new Request(url, { method, headers, ...(bytes.length > 0 && { body: new Uint8Array(bytes) }) });
}

function formHash({ fields, fileName, sha256 }: Parameters<Once["formIs"]>[0]): string {
  return hashOf(JSON.stringify([fields, fileName, sha256]));
}

/** Keyed with the client's key, so that the database alone does not tell which body was sent. */
function fingerprintOf(key: string, { method, url }: Request, content: string): string {
  const { pathname, search } = new URL(url);
  return createHmac("sha256", key)
    .update(JSON.stringify([method, pathname, search, content]))
    .digest("base64url");
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}

interface Answered {
  status: number;
  headers: [string, string][];
  /** Null for a secret that is not kept. */
  body: unknown;
}

const CIPHER = "aes-256-gcm";
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted with a key derived from the client's: the server alone cannot read it. */
function encrypted(key: string, answer: Answered): string {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, contentKey(key, salt), nonce);
  const content = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), content]).toString("base64url");
}

function decrypted(key: string, answer: string): Answered {
  const bytes = Buffer.from(answer, "base64url");
  const [nonceAt, tagAt, contentAt] = [SALT_BYTES, SALT_BYTES + NONCE_BYTES, SALT_BYTES + NONCE_BYTES + TAG_BYTES];
  const decipher = createDecipheriv(
    CIPHER,
    contentKey(key, bytes.subarray(0, nonceAt)),
    bytes.subarray(nonceAt, tagAt),
    { authTagLength: TAG_BYTES },
  );
  decipher.setAuthTag(bytes.subarray(tagAt, contentAt));
  return JSON.parse(
    Buffer.concat([decipher.update(bytes.subarray(contentAt)), decipher.final()]).toString(),
  ) as Answered;
}

function contentKey(key: string, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, salt, "cupel kept answers v1", 32));
}
