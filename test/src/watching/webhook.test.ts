// Changes of state at a real receiver: what it gets, that it can check the signature,
// and what becomes of one that is slow, odd or down.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchChange } from "../../../src/watching/watch-rounds.ts";
import { openWebhook, Webhook } from "../../../src/watching/webhook.ts";
import { testFolder } from "../../support/folders.ts";
import { type KeptLog, keepLog } from "../../support/kept-log.ts";

const NOW = new Date("2031-05-06T12:00:00.500Z");
const CHANGE: WatchChange = {
  ...{ modelKey: "0d5c", version: 2, state: "SHIFTED", previousState: "STEADY", from: "2031-05-05", to: "2031-05-05" },
};
const FACTS = { modelKey: "0d5c", version: 2, state: "SHIFTED" };
const SOON = [0, 0, 0];
const folder = testFolder();

interface Got {
  path: string;
  headers: Headers;
  body: string;
}

let answer: (tries: number) => Response | Promise<Response>;
let got: Got[];
let kept: KeptLog;
let receiver: ReturnType<typeof Bun.serve>;
let webhook: Webhook | null;
let url: string;

beforeEach(() => {
  [answer, got, kept, webhook] = [() => new Response(null, { status: 204 }), [], keepLog(), null];
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      got.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.text() });
      return answer(got.length);
    },
  });
  url = `http://127.0.0.1:${receiver.port}/hook?token=a-secret`;
});
afterEach(async () => {
  webhook?.stop();
  await receiver.stop(true);
});

function open(key: Uint8Array | null = null, limitMs = 60_000): Webhook {
  webhook = new Webhook({ url, key, log: kept.log, now: () => NOW, waitsMs: SOON, limitMs });
  return webhook;
}

test("a change is told once, as JSON, with a signature that the receiver can check", async () => {
  const key = Uint8Array.from({ length: 32 }, (_, at) => at);
  const hook = open(key);
  hook.tell(CHANGE);
  await hook.settled();
  expect(got).toHaveLength(1);
  const [{ headers, body }] = got as [Got];
  expect(JSON.parse(body)).toEqual({ event: "model.state", ...CHANGE, time: NOW.toISOString() });
  const [id, timestamp] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
  expect([headers.get("content-type"), timestamp]).toEqual([
    "application/json",
    String(Date.UTC(2031, 4, 6, 12) / 1_000),
  ]);
  const signed = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  expect(headers.get("webhook-signature")).toBe(`v1,${signed}`);
  expect(kept.events("webhook.sent")).toMatchObject([{ ...FACTS, id, tries: 1 }]);
});

test("without a key there is no signature", async () => {
  const hook = open();
  hook.tell(CHANGE);
  await hook.settled();
  expect(got[0]!.headers.get("webhook-signature")).toBeNull();
});

test("a fault that may pass is tried three times more, under one id, and changes stay in order", async () => {
  answer = (tries) => new Response(null, { status: tries < 4 ? 503 : 200 });
  const hook = open();
  hook.tell(CHANGE);
  hook.tell({ ...CHANGE, version: 3 });
  await hook.settled();
  expect(got.map(({ body }) => JSON.parse(body).version)).toEqual([2, 2, 2, 2, 3]);
  expect(new Set(got.map(({ headers }) => headers.get("webhook-id"))).size).toBe(2);
  expect(kept.events("webhook.sent").map(({ tries }) => tries)).toEqual([4, 1]);
});

test("then it is given up, and the next change is told all the same", async () => {
  answer = (tries) => new Response(null, { status: tries <= 4 ? 500 : 200 });
  const hook = open();
  hook.tell(CHANGE);
  hook.tell({ ...CHANGE, version: 3 });
  await hook.settled();
  expect(got).toHaveLength(5);
  expect(kept.events("webhook.failed")).toMatchObject([{ ...FACTS, tries: 4, status: 500 }]);
  expect(kept.events("webhook.sent")).toMatchObject([{ version: 3 }]);
});

test.each([301, 307, 400, 404])("status %d is final, and no redirect is followed", async (status) => {
  answer = () => new Response(null, { status, headers: { location: "/elsewhere" } });
  const hook = open();
  hook.tell(CHANGE);
  await hook.settled();
  expect(got.map(({ path }) => path)).toEqual(["/hook"]);
  expect(kept.events("webhook.failed")).toMatchObject([{ tries: 1, status }]);
});

test("a receiver that hangs ends at the limit of time, and is not waited for", async () => {
  answer = () => new Promise(() => undefined);
  const hook = open(null, 20);
  expect(hook.tell(CHANGE)).toBeUndefined();
  await hook.settled();
  expect(got).toHaveLength(4);
  expect(kept.events("webhook.failed")).toMatchObject([{ tries: 4, fault: "TimeoutError" }]);
});

test("a receiver that is down costs log lines alone, without the address or its token", async () => {
  await receiver.stop(true);
  const hook = open();
  hook.tell(CHANGE);
  await hook.settled();
  expect(kept.events("webhook.failed")).toMatchObject([{ ...FACTS, tries: 4 }]);
  expect(kept.lines.join()).not.toMatch(/127\.0\.0\.1|a-secret/);
});

test("what waits is bounded; stopping ends a request under way and drops the rest", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  answer = () => {
    resolve();
    return new Promise(() => undefined);
  };
  const hook = open();
  for (let version = 1; version <= 103; version++) hook.tell({ ...CHANGE, version });
  await arrived;
  // The first is under way, and a hundred wait.
  expect(kept.events("webhook.dropped").map(({ version }) => version)).toEqual([102, 103]);
  hook.stop();
  await hook.settled();
  expect(kept.events("webhook.failed")).toMatchObject([{ version: 1 }]);
  expect([kept.events("webhook.dropped").length, got.length]).toEqual([102, 1]);
  hook.tell(CHANGE);
  await hook.settled();
  expect(got).toHaveLength(1);
});

test("a key comes from a file that not everyone may read", async () => {
  const keyPath = join(folder, "key");
  const own = { log: kept.log, now: () => NOW };
  const key = Uint8Array.from({ length: 32 }, () => 7);
  expect(openWebhook(null, own)).toBeNull();
  expect(() => openWebhook({ url, keyPath }, own)).toThrow(`Cannot read ${keyPath}, the key of the webhook (ENOENT).`);
  for (const wrong of ["", "whsec_", "whsec_c2hvcnQ=", Buffer.from(key).toString("base64")]) {
    writeFileSync(keyPath, wrong, { mode: 0o600 });
    expect(() => openWebhook({ url, keyPath }, own)).toThrow(/does not hold a key: `whsec_` and 24 bytes/);
  }
  writeFileSync(keyPath, `whsec_${Buffer.from(key).toString("base64")}\n`);
  webhook = openWebhook({ url, keyPath }, own)!;
  webhook.tell(CHANGE);
  await webhook.settled();
  const { headers, body } = got[0]!;
  const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  expect(headers.get("webhook-signature")).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  chmodSync(keyPath, 0o604);
  expect(() => openWebhook({ url, keyPath }, own)).toThrow(`Everyone on this machine may read ${keyPath}.`);
});
