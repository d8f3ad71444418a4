// Large bodies of rows: scored apart, one after the other, within a bound of bytes, and answered as small ones are.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLargeRows } from "../../../src/api/predictions/large-rows.ts";
import { predictionRowRoutes } from "../../../src/api/predictions/prediction-rows.ts";
import type { LargeRows } from "../../../src/api/services.ts";
import { MOST_JSON_BYTES } from "../../../src/http/limits.ts";
import { expectAnswer, startApi, type TestApi } from "../../support/api.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { addScorer } from "./service.ts";

const ROW = {
  island: "Torgersen",
  bill_length_mm: 39.1,
  bill_depth_mm: 18.7,
  flipper_length_mm: 181,
  body_mass_g: 3750,
  sex: "male",
};
const LARGE = { rows: [ROW, { ...ROW, island: "Biscoe", note: "x".repeat(MOST_JSON_BYTES) }] };
const largeBytes = JSON.stringify(LARGE).length;
const MOST_BYTES = 3 * largeBytes;

let api: TestApi;
let largeRows: LargeRows;
let path: string;
/** Pieces of work that threads had at once, at the most. */
let mostAtOnce: number;
let threadCount: number;
let spawn: () => Worker;

/** A real thread whose work is counted. */
function countedWorker(): Worker {
  const worker = spawnWorker();
  const post = worker.postMessage.bind(worker);
  let count = 0;
  threadCount++;
  worker.postMessage = (message: unknown) => {
    mostAtOnce = Math.max(mostAtOnce, ++count);
    post(message);
  };
  worker.addEventListener("message", () => {
    count--;
  });
  return worker;
}

beforeEach(async () => {
  mostAtOnce = 0;
  threadCount = 0;
  spawn = countedWorker;
  largeRows = createLargeRows(() => spawn(), MOST_BYTES);
  api = await startApi({ routes: (services) => predictionRowRoutes({ ...services, largeRows }) });
  path = `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}/rows`;
});

afterEach(async () => {
  largeRows.close();
  await api.close();
});

const send = (body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": String(text.length) };
  return api.request("POST", path, { as: "ada", headers, body: text });
};

describe("large bodies of rows", () => {
  test("are scored as small ones, and nothing of that happens on the main thread", async () => {
    const large = await send(LARGE);
    await expectAnswer(api, large, { status: 200 });
    expect(api.services.modelCache.paths).toEqual([]);
    const small = await send({ rows: [ROW, { ...ROW, island: "Biscoe", note: "x" }] });
    expect(api.services.modelCache.paths).toHaveLength(1);
    expect(await large.json()).toEqual(await small.json());
  });

  test("are refused as small ones", async () => {
    const { island, ...lacking } = ROW;
    for (const rows of [[{ ...ROW, sex: ["male"] }], [lacking], [], { a: 1 }]) {
      const [small, large] = [
        await send({ rows }),
        await send(`${JSON.stringify({ rows })}${" ".repeat(MOST_JSON_BYTES)}`),
      ];
      await expectAnswer(api, large, { status: 400 });
      const [one, other] = [await small.json(), await large.json()] as Record<string, unknown>[];
      expect({ ...other, requestId: "" }).toEqual({ ...one, requestId: "" });
    }
    const half = await send(`{"rows":[{"a":"${"x".repeat(MOST_JSON_BYTES)}`);
    await expectAnswer(api, half, { status: 400, code: "MALFORMED_JSON", fields: ["body"] });
  });

  test("wait for one another; beyond so many bytes they are told to come again, and their room is free afterwards", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(LARGE)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503]);
    const refused = answers.find(({ status }) => status === 503)!;
    await expectAnswer(api, refused, { status: 503, code: "BUSY", headers: { "retry-after": "5" } });
    expect([mostAtOnce, threadCount]).toEqual([1, 1]);
    // Nothing is wrong with the server.
    expect(api.faults).toEqual([]);
    const again = await Promise.all([send(LARGE), send(LARGE), send(LARGE)]);
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("whose thread dies are refused, and the next has another", async () => {
    spawn = () => new Worker(new URL("../../support/dying-worker.ts", import.meta.url).href, { argv: ["scoreRows"] });
    await expectAnswer(api, await send(LARGE), { status: 503, code: "UNAVAILABLE" });
    expect(api.faults).toHaveLength(1);
    spawn = countedWorker;
    expect((await send(LARGE)).status).toBe(200);
  });

  test("in chunks are received within the same bound", async () => {
    const headers = { "content-type": "application/json" };
    const chunked = await api.request("POST", path, { as: "ada", headers, body: JSON.stringify(LARGE) });
    await expectAnswer(api, chunked, { status: 503, code: "BUSY" });
  });
});
