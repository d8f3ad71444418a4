// Access tokens: what we issue is accepted for an hour; every forgery and every altered byte is refused.
import { describe, expect, test } from "bun:test";
import { createHmac, createSign, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { deriveKey } from "../../../src/auth/derived-key.ts";
import { createAccessTokens, TOKEN_LIFETIME_SECONDS } from "../../../src/auth/tokens.ts";

const SECRET = new Uint8Array(randomBytes(32));
const KEY = deriveKey(SECRET, "cupel access tokens v1");
const NOW_SECONDS = 1_800_000_000;
const USER = randomUUID();

/** Tokens under a clock that the test moves. */
function tokensAt(seconds = NOW_SECONDS) {
  const clock = { ms: seconds * 1_000 };
  return { clock, tokens: createAccessTokens(SECRET, () => clock.ms) };
}

const encode = (part: unknown) =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

function forge(header: object, payload: unknown, key: Uint8Array = KEY, hash = "sha256"): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
}

const HEADER = { alg: "HS256", typ: "JWT" };
const CLAIMS = { sub: USER, credential: "c", exp: NOW_SECONDS + 60 };

describe("tokens of ours", () => {
  test("carry who, by which credential and until when; HS256 and JWT stand in the header", async () => {
    const { tokens } = tokensAt();
    const token = await tokens.issue(USER, "credential");
    const expiresSeconds = NOW_SECONDS + TOKEN_LIFETIME_SECONDS;
    expect(await tokens.verify(token)).toEqual({ userKey: USER, credential: "credential", expiresSeconds });
    const [header, payload] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(header!)).toEqual(HEADER);
    expect(JSON.parse(payload!)).toMatchObject({ sub: USER, exp: expiresSeconds });
  });

  test("end after 3,600 seconds, to the second, whether seen before or not", async () => {
    const { clock, tokens } = tokensAt();
    const token = await tokens.issue(USER, "c");
    clock.ms += TOKEN_LIFETIME_SECONDS * 1_000 - 1;
    expect(await tokens.verify(token)).not.toBeNull();
    expect(await tokens.verify(token)).not.toBeNull();
    clock.ms += 1;
    expect(await tokens.verify(token)).toBe("expired");
    expect(await tokensAt(NOW_SECONDS + TOKEN_LIFETIME_SECONDS).tokens.verify(token)).toBe("expired");
  });

  test("are accepted after a restart, and only under the same secret", async () => {
    const token = await tokensAt().tokens.issue(USER, "c");
    expect(await tokensAt().tokens.verify(token)).not.toBeNull();
    const others = createAccessTokens(new Uint8Array(randomBytes(32)), () => NOW_SECONDS * 1_000);
    expect(await others.verify(token)).toBeNull();
  });

  test("a short secret is refused", () => {
    expect(() => createAccessTokens(new Uint8Array(31), Date.now)).toThrow("31 bytes");
  });

  test("the forging tool of these tests makes acceptable tokens where nothing is wrong with them", async () => {
    expect(await tokensAt().tokens.verify(forge(HEADER, CLAIMS))).not.toBeNull();
  });
});

describe("attacks", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const rs256 = () => {
    const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(CLAIMS)}`;
    return `${signed}.${createSign("sha256").update(signed).sign(privateKey).toString("base64url")}`;
  };
  const without = (claim: keyof typeof CLAIMS) => {
    const { [claim]: _, ...rest } = CLAIMS;
    return rest;
  };
  const good = forge(HEADER, CLAIMS);
  const [head, body, signature] = good.split(".") as [string, string, string];
  const none = encode({ alg: "none", typ: "JWT" });
  const again = `${body.slice(0, 8)}.${body.slice(8)}`;

  const attacks: Record<string, string> = {
    "alg none, no signature": `${none}.${body}.`,
    "alg none, two parts": `${none}.${body}`,
    "alg none, the true token's signature": `${none}.${body}.${signature}`,
    "alg None, well signed": forge({ alg: "None", typ: "JWT" }, CLAIMS),
    "alg none, well signed": forge({ alg: "none", typ: "JWT" }, CLAIMS),
    "HS512 with the right key": forge({ alg: "HS512", typ: "JWT" }, CLAIMS, KEY, "sha512"),
    "HS512 named, HS256 made": forge({ alg: "HS512", typ: "JWT" }, CLAIMS),
    "HS384 with the right key": forge({ alg: "HS384", typ: "JWT" }, CLAIMS, KEY, "sha384"),
    RS256: rs256(),
    "RS256 named, HS256 made": forge({ alg: "RS256", typ: "JWT" }, CLAIMS),
    "no alg": forge({ typ: "JWT" }, CLAIMS),
    "wrong typ": forge({ alg: "HS256", typ: "dpop+jwt" }, CLAIMS),
    "no typ": forge({ alg: "HS256" }, CLAIMS),
    "unencoded payload": forge({ ...HEADER, b64: false, crit: ["b64"] }, CLAIMS),
    "unknown critical header": forge({ ...HEADER, crit: ["x"], x: 1 }, CLAIMS),
    "exp missing": forge(HEADER, without("exp")),
    "exp in the past, another key": forge(HEADER, { ...CLAIMS, exp: NOW_SECONDS - 1 }, new Uint8Array(32)),
    "exp in the past, not valid before": forge(HEADER, { ...CLAIMS, exp: NOW_SECONDS - 1, nbf: NOW_SECONDS }),
    "exp in the past, sub missing": forge(HEADER, { ...without("sub"), exp: NOW_SECONDS - 1 }),
    "exp before time": forge(HEADER, { ...CLAIMS, exp: -5 }),
    "exp as text": forge(HEADER, { ...CLAIMS, exp: String(CLAIMS.exp) }),
    "exp null": forge(HEADER, { ...CLAIMS, exp: null }),
    "not yet valid": forge(HEADER, { ...CLAIMS, nbf: NOW_SECONDS + 10 }),
    "sub missing": forge(HEADER, without("sub")),
    "sub a number": forge(HEADER, { ...CLAIMS, sub: 1 }),
    "sub a list": forge(HEADER, { ...CLAIMS, sub: [USER] }),
    "credential missing": forge(HEADER, without("credential")),
    "claims in the prototype": forge(HEADER, `{"__proto__":${JSON.stringify(CLAIMS)}}`),
    "payload a list": forge(HEADER, [CLAIMS]),
    "payload no JSON": forge(HEADER, "hello"),
    "another key": forge(HEADER, CLAIMS, new Uint8Array(32)),
    "the secret itself as key": forge(HEADER, CLAIMS, SECRET),
    "the key of signed uploads": forge(HEADER, CLAIMS, deriveKey(SECRET, "cupel signed uploads v1")),
    "no signature": `${head}.${body}.`,
    "four parts": `${head}.${again}.${signature}`,
    "five parts": `${head}.${body}.${signature}.${body}.${signature}`,
    "padded signature": `${good}=`,
    "blank before": ` ${good}`,
    "line end after": `${good}\n`,
    empty: "",
    dots: "..",
    garbage: "not a token",
    "random bytes": randomBytes(150).toString("base64url"),
    "very long, well signed": forge(HEADER, { ...CLAIMS, more: "x".repeat(10_000) }),
    "very long garbage": "a".repeat(1_000_000),
  };

  test.each([0, 1, 10_000_000])("one that ended %i s ago is told from all others", async (seconds) => {
    const { tokens } = tokensAt();
    expect(await tokens.verify(forge(HEADER, { ...CLAIMS, exp: NOW_SECONDS - seconds }))).toBe("expired");
  });

  test.each(Object.entries(attacks))("%s", async (_name, token) => {
    const { tokens } = tokensAt();
    expect(await tokens.verify(token)).toBeNull();
    expect(await tokens.verify(token)).toBeNull();
  });

  test("altering any one character makes a token worthless, and leaves the true one good", async () => {
    const { tokens } = tokensAt();
    const token = await tokens.issue(USER, "c");
    await tokens.verify(token);
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ "];
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...alphabet), async (index, character) => {
        fc.pre(token[index] !== character);
        expect(await tokens.verify(token.slice(0, index) + character + token.slice(index + 1))).toBeNull();
      }),
      { numRuns: 600 },
    );
    expect(await tokens.verify(token)).not.toBeNull();
  });

  test("every spelling of the last character but one is refused", async () => {
    const { tokens } = tokensAt();
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const accepted: string[] = [];
    for (const last of alphabet) {
      if ((await tokens.verify(good.slice(0, -1) + last)) !== null) accepted.push(last);
    }
    expect(accepted).toEqual([good.slice(-1)]);
  });

  test("what is cut off or added anywhere fails, and text of any kind never throws", async () => {
    const { tokens } = tokensAt();
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), async (length) => {
        expect(await tokens.verify(good.slice(0, length))).toBeNull();
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (text) => {
        expect(await tokens.verify(text)).toBeNull();
      }),
    );
  });
});

test("more tokens than are remembered at once are all accepted", async () => {
  const { tokens } = tokensAt();
  const made = await Promise.all(Array.from({ length: 1_100 }, (_, index) => tokens.issue(USER, String(index))));
  for (let round = 0; round < 2; round++) {
    for (const [index, token] of made.entries()) {
      expect(((await tokens.verify(token)) as { credential: string }).credential).toBe(String(index));
    }
  }
});
