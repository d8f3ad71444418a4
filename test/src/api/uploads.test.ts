// PUT to a signed address: what is refused, what is stored, and that nothing is left of what fails.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { StoredFile } from "../../../data/files/file-store.ts";
import { uploadPath, uploadRoutes } from "../../../src/api/uploads/uploads.ts";
import { UPLOAD_HEADER_NAME } from "../../../src/http/headers.ts";
import { ApiError } from "../../../src/http/problem.ts";
import { eachChunk } from "../../../src/receiving/body-stream.ts";
import type { Route } from "../../../src/routing/route.ts";
import { expectAnswer, type TestApi, type TestServices, withApi } from "../../support/api.ts";
import { until } from "../../support/job-state.ts";

const KEY = "8c1b2a34-5d6e-4f70-8a9b-0c1d2e3f4a5b";
const PATH = uploadPath(KEY, "TRAIN");
const MOST_BYTES = 3_000_000;
const HEADERS = { "content-type": "text/csv", [UPLOAD_HEADER_NAME]: `10,${MOST_BYTES}` };

/** One slot, whose database is a variable. */
interface Slot {
  current: StoredFile | null;
  isClosed: boolean;
  accepted: number;
}

function slotRoutes(slot: Slot): (services: TestServices) => Route[] {
  return ({ state }) =>
    uploadRoutes({
      uploadsFolder: state.locate("uploads"),
      findSlot: ({ search }) => {
        if (search === "?bad") throw new ApiError("SIGNATURE_INVALID", "No.");
        return {
          userKey: "",
          range: { leastBytes: 10, mostBytes: MOST_BYTES },
          hold: () => () => undefined,
          targetPath: state.locate(`files/${crypto.randomUUID()}.csv`),
          accept: (file) => {
            if (slot.isClosed) throw new ApiError("UPLOAD_CLOSED", "Too late.");
            const replaced = slot.current?.path ?? null;
            slot.current = file;
            slot.accepted++;
            return replaced;
          },
        };
      },
    });
}

function withSlot(use: (api: TestApi, slot: Slot) => Promise<void>): Promise<void> {
  const slot: Slot = { current: null, isClosed: false, accepted: 0 };
  return withApi((api) => use(api, slot), { routes: slotRoutes(slot) });
}

function filesIn({ state }: TestApi): string[] {
  return ["uploads", "files"].flatMap((folder) => readdirSync(state.locate(folder)).map((name) => join(folder, name)));
}

function csv(sizeBytes: number, seed = 7): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: sizeBytes }, (_, at) => 48 + ((at * seed) % 10));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function lengthOf(bytes: Uint8Array): Record<string, string> {
  return { "content-length": String(bytes.length) };
}

/** Opens a connection, sends the head of a PUT and `sent`, and leaves the rest to `then`. */
async function beginPut(port: number, declaredBytes: number, sent: string): Promise<ReturnType<typeof connect>> {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  const headers = Object.entries({ ...HEADERS, host: "localhost", "content-length": String(declaredBytes) });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await new Promise((resolve) => socket.write(`PUT ${PATH} HTTP/1.1\r\n${head}\r\n${sent}`, resolve));
  return socket;
}

describe("what is stored", () => {
  test.each([10, 11, 65_536, 1_048_576, 1_048_577, MOST_BYTES])("%d bytes, whole and hashed", (sizeBytes) =>
    withSlot(async (api, slot) => {
      const { origin } = api.listen();
      const body = csv(sizeBytes);
      const response = await fetch(origin + PATH, { method: "PUT", headers: HEADERS, body });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
      expect(response.headers.get("etag")).toBe(`"${sha256(body)}"`);
      expect(slot.current).toMatchObject({ sizeBytes, sha256: sha256(body) });
      expect(readFileSync(slot.current!.path).equals(body)).toBeTrue();
      expect(filesIn(api)).toHaveLength(1);
    }),
  );

  test("a type with parameters", () =>
    withSlot(async (api) => {
      const body = csv(20);
      const headers = { ...HEADERS, ...lengthOf(body), "content-type": "Text/CSV; charset=latin1; header=present" };
      expect((await api.request("PUT", PATH, { headers, body })).status).toBe(200);
    }));

  test("a second file replaces the first, whose file goes", () =>
    withSlot(async (api, slot) => {
      const [first, second] = [csv(1_000), csv(500, 3)];
      await api.request("PUT", PATH, { headers: { ...HEADERS, ...lengthOf(first) }, body: first });
      const firstPath = slot.current!.path;
      await api.request("PUT", PATH, { headers: { ...HEADERS, ...lengthOf(second) }, body: second });
      expect(slot.current).toMatchObject({ sizeBytes: 500, sha256: sha256(second) });
      expect(existsSync(firstPath)).toBeFalse();
      expect(filesIn(api)).toHaveLength(1);
    }));

  test("of many at once one is left, whole", () =>
    withSlot(async (api, slot) => {
      const { origin } = api.listen();
      const bodies = [1, 3, 7, 9, 11, 13].map((seed) => csv(400_000 + seed, seed));
      const sent = bodies.map((body) => fetch(origin + PATH, { method: "PUT", headers: HEADERS, body }));
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(slot.accepted).toBe(6);
      expect(filesIn(api)).toHaveLength(1);
      const kept = readFileSync(slot.current!.path);
      expect(sha256(kept)).toBe(slot.current!.sha256);
      expect(bodies.some((body) => kept.equals(body))).toBeTrue();
    }));
});

describe("what is refused leaves nothing", () => {
  const body = csv(100);
  const fine = { ...HEADERS, ...lengthOf(body) };
  const without = (name: string) => Object.fromEntries(Object.entries(fine).filter(([known]) => known !== name));

  test.each([
    ["a bad signature, before all else", `${PATH}?bad`, {}, 403, "SIGNATURE_INVALID"],
    ["no length", PATH, without("content-length"), 411, "LENGTH_REQUIRED"],
    ["a length that is none", PATH, { ...fine, "content-length": "1e3" }, 411, "LENGTH_REQUIRED"],
    ["too small", PATH, { ...fine, "content-length": "9" }, 400, "FILE_TOO_SMALL"],
    ["too large", PATH, { ...fine, "content-length": `${MOST_BYTES + 1}` }, 413, "BODY_TOO_LARGE"],
    ["another type", PATH, { ...fine, "content-type": "application/json" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["the header missing", PATH, without(UPLOAD_HEADER_NAME), 400, "UPLOAD_HEADER"],
    ["the header different", PATH, { ...fine, [UPLOAD_HEADER_NAME]: "10, 3000000" }, 400, "UPLOAD_HEADER"],
    ["less than promised", PATH, { ...fine, "content-length": "101" }, 400, "UPLOAD_INTERRUPTED"],
    ["another kind", PATH.replace("TRAIN", "OTHER"), fine, 400, "VALIDATION_FAILED"],
  ] as const)("%s", (_name, path, headers, status, code) =>
    withSlot(async (api, slot) => {
      await expectAnswer(api, await api.request("PUT", path, { headers, body }), { status, code });
      expect(slot.accepted).toBe(0);
      expect(filesIn(api)).toEqual([]);
    }),
  );

  test("more than promised", () =>
    withSlot(async (api, slot) => {
      const headers = { ...HEADERS, "content-length": "50" };
      const response = await api.request("PUT", PATH, { headers, body });
      await expectAnswer(api, response, { status: 413, code: "BODY_TOO_LARGE" });
      expect(slot.accepted).toBe(0);
      expect(filesIn(api)).toEqual([]);
    }));

  test("chunked, from a real server", () =>
    withSlot(async (api) => {
      const { origin } = api.listen();
      const stream = new ReadableStream({
        start: (controller) => {
          controller.enqueue(body);
          controller.close();
        },
      });
      const response = await fetch(origin + PATH, { method: "PUT", headers: HEADERS, body: stream });
      expect(response.status).toBe(411);
      expect(filesIn(api)).toEqual([]);
    }));

  test("closed while it was on its way: the file that was there stays", () =>
    withSlot(async (api, slot) => {
      await api.request("PUT", PATH, { headers: fine, body });
      const kept = slot.current!;
      slot.isClosed = true;
      const late = csv(200, 3);
      const response = await api.request("PUT", PATH, { headers: { ...HEADERS, ...lengthOf(late) }, body: late });
      await expectAnswer(api, response, { status: 409, code: "UPLOAD_CLOSED" });
      expect(filesIn(api).map((path) => api.state.locate(path))).toEqual([kept.path]);
      expect(sha256(readFileSync(kept.path))).toBe(kept.sha256);
    }));

  test("broken off in the middle, many times: no file and no open descriptor is left", () =>
    withSlot(async (api, slot) => {
      const { port } = api.listen();
      const openFiles = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
      const round = async () => {
        const sockets = await Promise.all([1, 2, 3, 4].map(() => beginPut(port, 2_000_000, "x".repeat(100_000))));
        await until(() => readdirSync(api.state.locate("uploads")).length === 4, "four uploads");
        for (const socket of sockets) socket.destroy();
        await until(() => filesIn(api).length === 0, "the end of what they left");
      };
      await round();
      const before = openFiles();
      for (let times = 0; times < 5; times++) await round();
      await until(() => openFiles() <= before, "the closing of all files");
      expect(slot.accepted).toBe(0);
    }));

  test("a folder that cannot be written to is a fault of ours", () =>
    withSlot(async (api) => {
      const uploads = api.state.locate("uploads");
      await Bun.$`rmdir ${uploads}`.quiet();
      writeFileSync(uploads, "");
      const response = await api.request("PUT", PATH, { headers: fine, body });
      await expectAnswer(api, response, { status: 500, code: "INTERNAL" });
      expect(await response.text()).not.toContain(uploads);
    }));
});

describe("a body that does not come", () => {
  test("standing still, it is given up", async () => {
    const still = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(csv(10)) });
    const kept: number[] = [];
    const watch = { keepAlive: (seconds: number) => kept.push(seconds), idleSeconds: 0.5 };
    const reading = eachChunk(still, watch, async () => undefined);
    expect(await reading.catch((error: ApiError) => error.code)).toBe("REQUEST_TOO_SLOW");
    expect(kept.length).toBeGreaterThan(0);
  });

  test("crawling, it is given up, though it never stands still", async () => {
    const crawl = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await Bun.sleep(50);
        controller.enqueue(csv(10));
      },
    });
    const watch = { keepAlive: () => undefined, idleSeconds: 0.9 };
    const reading = eachChunk(crawl, watch, async () => undefined);
    expect(await reading.catch((error: ApiError) => error.code)).toBe("REQUEST_TOO_SLOW");
  });

  test("a slow disk is not the client's fault", async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(csv(10));
        controller.close();
      },
    });
    let taken = 0;
    await eachChunk(body, { keepAlive: () => undefined, idleSeconds: 0.2 }, async (chunk) => {
      await Bun.sleep(1_300);
      taken += chunk.length;
    });
    expect(taken).toBe(10);
  });

  test("a chunk's memory is given back once it is taken, unless others share it", async () => {
    const [own, shared] = [csv(10), csv(20)];
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(own);
        controller.enqueue(shared.subarray(5));
        controller.close();
      },
    });
    const taken: number[] = [];
    await eachChunk(body, { keepAlive: () => undefined }, async (chunk) => {
      await Bun.sleep(0);
      taken.push(chunk.length);
    });
    expect([taken, own.length, shared.length]).toEqual([[10, 15], 0, 20]);
  });

  test("a slow upload is taken piece by piece", () =>
    withSlot(async (api, slot) => {
      const { port } = api.listen();
      const socket = await beginPut(port, 400, "x".repeat(100));
      const answered = new Promise<string>((resolve) => socket.once("data", (piece) => resolve(String(piece))));
      for (let times = 0; times < 3; times++) {
        await Bun.sleep(300);
        socket.write("x".repeat(100));
      }
      expect(await answered).toStartWith("HTTP/1.1 200 ");
      expect(slot.current!.sizeBytes).toBe(400);
      socket.destroy();
    }));
});
