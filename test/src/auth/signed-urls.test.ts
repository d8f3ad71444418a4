// Signed upload addresses: good for one target and one hour, worthless after any change.
import { describe, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { createSignedUrls, SIGNED_URL_LIFETIME_SECONDS, type SignedTarget } from "../../../src/auth/signed-urls.ts";

const SECRET = new Uint8Array(randomBytes(32));
const NOW_MS = 1_800_000_000_250;
const RANGE = { leastBytes: 10, mostBytes: 534_773_760 };
const KEY = randomUUID();
const TARGET: SignedTarget = { method: "PUT", path: `/api/v1/uploads/${KEY}/TRAIN`, key: KEY, kind: "TRAIN" };
const BAD = { ok: false, reason: "bad" } as const;

function urlsAt(ms = NOW_MS, secret = SECRET) {
  const clock = { ms };
  return { clock, urls: createSignedUrls(secret, () => clock.ms) };
}

describe("a signed address", () => {
  test("is good for its target and tells the size range and the expiry", () => {
    const { urls } = urlsAt();
    const query = urls.sign(TARGET, RANGE);
    const expected = { ok: true, expiresMs: 1_800_003_600_000, ...RANGE } as const;
    expect(urls.verify(TARGET, query)).toEqual(expected);
    expect(urls.verify(TARGET, `?${query}`)).toEqual(expected);
  });

  test("needs no escaping in an address", () => {
    expect(urlsAt().urls.sign(TARGET, RANGE)).toMatch(/^expires=\d+&least=10&most=534773760&signature=[\w-]{43}$/);
  });

  test("may have its parameters in another order", () => {
    const { urls } = urlsAt();
    const reversed = urls.sign(TARGET, RANGE).split("&").reverse().join("&");
    expect(urls.verify(TARGET, reversed).ok).toBe(true);
  });

  test("lasts an hour and survives a restart", () => {
    const { clock, urls } = urlsAt();
    const query = urls.sign(TARGET, RANGE);
    clock.ms = 1_800_000_000_000 + SIGNED_URL_LIFETIME_SECONDS * 1_000 - 1;
    expect(urls.verify(TARGET, query).ok).toBe(true);
    expect(urlsAt(clock.ms).urls.verify(TARGET, query).ok).toBe(true);
    clock.ms += 1;
    expect(urls.verify(TARGET, query)).toEqual({ ok: false, reason: "expired" });
  });

  test("is not called expired where it is not ours at all", () => {
    const { urls } = urlsAt();
    const query = urls.sign(TARGET, RANGE);
    expect(urls.verify(TARGET, query.replace(/expires=\d+/, "expires=1"))).toEqual(BAD);
  });

  test("is signed under a key of its own", () => {
    const query = urlsAt().urls.sign(TARGET, RANGE);
    expect(urlsAt(NOW_MS, new Uint8Array(randomBytes(32))).urls.verify(TARGET, query)).toEqual(BAD);
    expect(() => createSignedUrls(new Uint8Array(16), Date.now)).toThrow("16 bytes");
  });
});

describe("attacks", () => {
  test.each<[string, Partial<SignedTarget>]>([
    ["another method", { method: "POST" }],
    ["the method in small letters", { method: "put" }],
    ["another path", { path: `/api/v1/uploads/${KEY}/TEST` }],
    ["another resource", { key: randomUUID() }],
    ["another kind", { kind: "TEST" }],
  ])("%s", (_name, change) => {
    const { urls } = urlsAt();
    expect(urls.verify({ ...TARGET, ...change }, urls.sign(TARGET, RANGE))).toEqual(BAD);
  });

  test.each<[string, (query: string) => string]>([
    ["a wider range", (query) => query.replace("most=534773760", "most=999999999999")],
    ["a lower least", (query) => query.replace("least=10", "least=0")],
    ["a number spelled otherwise", (query) => query.replace("least=10", "least=010")],
    ["a number with an exponent", (query) => query.replace("least=10", "least=1e1")],
    ["no signature", (query) => query.replace(/&signature=.*/, "")],
    ["an empty signature", (query) => query.replace(/signature=.*/, "signature=")],
    ["half a signature", (query) => query.slice(0, -20)],
    ["a parameter twice", (query) => `${query}&most=1`],
    ["a parameter more", (query) => `${query}&x=1`],
    ["a signature that is no ASCII", (query) => query.replace(/signature=.*/, `signature=${"é".repeat(43)}`)],
    ["nothing", () => ""],
    ["a very long query", () => `signature=${"a".repeat(1_000_000)}`],
  ])("%s", (_name, change) => {
    const { urls } = urlsAt();
    expect(urls.verify(TARGET, change(urls.sign(TARGET, RANGE)))).toEqual(BAD);
  });

  test("altering any one character makes it worthless", () => {
    const { urls } = urlsAt();
    const query = urls.sign(TARGET, RANGE);
    const alphabet = [..."ABCXYZabcxyz0123456789-_.=+/%& ;?#é"];
    fc.assert(
      fc.property(fc.nat(query.length - 1), fc.constantFrom(...alphabet), (index, character) => {
        fc.pre(query[index] !== character);
        expect(urls.verify(TARGET, query.slice(0, index) + character + query.slice(index + 1))).toEqual(BAD);
      }),
      { numRuns: 3_000 },
    );
  });

  test("every spelling of the signature's last character but one is refused", () => {
    const { urls } = urlsAt();
    const query = urls.sign(TARGET, RANGE);
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];
    const accepted = alphabet.filter((last) => urls.verify(TARGET, query.slice(0, -1) + last).ok);
    expect(accepted).toEqual([query.slice(-1)]);
  });

  test("no two targets or ranges are signed alike, whatever texts they hold", () => {
    const { urls } = urlsAt();
    const text = fc.string({ unit: fc.constantFrom("a", ",", '"', "\\", "/", "[", "]", "\n", "1") });
    const target = fc.record({ method: text, path: text, key: text, kind: text });
    const range = fc.record({ leastBytes: fc.nat(120), mostBytes: fc.nat(120) });
    fc.assert(
      fc.property(fc.tuple(target, range), fc.tuple(target, range), (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(urls.sign(...one) === urls.sign(...other)).toBe(isSame);
        expect(urls.verify(one[0], urls.sign(...one)).ok).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("text of any kind never throws", () => {
    const { urls } = urlsAt();
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(urls.verify(TARGET, text)).toEqual(BAD);
        expect(urls.verify(TARGET, `expires=9&least=1&most=2&signature=${text}`)).toEqual(BAD);
      }),
    );
  });
});
