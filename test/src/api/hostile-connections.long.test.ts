// Connections that want to hold the server rather than to be answered: slow, silent, many, endless, or not HTTP at all.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { fileAnswer } from "../../../src/http/file-answer.ts";
import { openRoute } from "../../../src/routing/route.ts";
import { type Listening, listen } from "../../../src/service/listen.ts";
import { startApi, type TestApi } from "../../support/api.ts";
import { addScorer } from "./service.ts";

/** The shortest that the server beneath us can measure. */
const IDLE_SECONDS = 4;

let api: TestApi;
let listening: Listening;
let token: string;

beforeAll(async () => {
  api = await startApi();
  listening = listen(api.app, { host: "127.0.0.1", port: 0, tls: null, idleSeconds: IDLE_SECONDS });
  token = await api.tokenOf("ada");
});

afterAll(async () => {
  await listening.stop(true);
  await api.close();
});

interface Conversation {
  socket: Socket;
  /** What the server said until it closed the connection. */
  closed: Promise<string>;
}

function open(text: string, port = listening.port): Conversation {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  let heard = "";
  socket.setEncoding("latin1");
  socket.on("data", (piece: string) => {
    heard += piece;
  });
  const closed = new Promise<string>((resolve) => {
    socket.on("error", () => resolve(heard));
    socket.on("close", () => resolve(heard));
  });
  return { socket, closed };
}

const isWell = async () => (await fetch(`${listening.origin}/healthz`)).status;

const HEAD = "Host: localhost\r\n";
const LAST = "Connection: close\r\n\r\n";
const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\n${HEAD}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe("connections that are slow", () => {
  test("or many are closed, whether they send a little at a time or nothing, and others are answered meanwhile", async () => {
    const trickling = [
      open(`GET /healthz HTTP/1.1\r\n${HEAD}X-Slow: `),
      open(`GET /healthz HTTP/1.1\r\n`),
      open(post("/api/v1/feature-refinery", 50_000)),
      open(post("/api/login", 50_000).replace(/Authorization.*\r\n/, "")),
      open(`POST /api/login HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`),
    ];
    const drips = ["a", "a: b\r\n", " ", " ", "1\r\n \r\n"];
    const timer = setInterval(() => {
      trickling.forEach(({ socket }, index) => {
        if (!socket.destroyed) socket.write(drips[index]!);
      });
    }, 500);
    const silent = [open("GET /hea"), open(post("/api/v1/feature-refinery", 50_000))];
    const idle = Array.from({ length: 400 }, () => open(""));
    await Promise.all(idle.map(({ socket }) => new Promise((resolve) => socket.on("connect", resolve))));
    const kept = open(`GET /healthz HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await isWell()).toBe(200);
    const heard = await Promise.all([...trickling, ...silent].map(({ closed }) => closed));
    clearInterval(timer);
    for (const answer of heard) expect(answer).not.toMatch(/^HTTP\/1\.1 [25]/);
    expect(await kept.closed).toStartWith("HTTP/1.1 200 ");
    expect(await Promise.all(idle.map(({ closed }) => closed))).toEqual(idle.map(() => ""));
    expect(await isWell()).toBe(200);
  });

  test("that take a file and do not read it are closed", async () => {
    const gone = Promise.withResolvers<void>();
    const reading = await startApi({
      routes: ({ state }) => [
        openRoute({
          method: "GET",
          path: "/large",
          operationId: "getLarge",
          tag: "Server",
          summary: "A large file",
          answer: { status: 200, description: "The file.", forms: ["text/csv"] },
          handle: ({ request }) => {
            const path = join(state.path, "large");
            writeFileSync(path, Buffer.alloc(64 * 1024 * 1024, "x"));
            request.signal.addEventListener("abort", () => gone.resolve());
            return fileAnswer(path, { contentType: "text/csv", fileName: "large.csv", etag: "large" }, request);
          },
        }),
      ],
    });
    const server = listen(reading.app, { host: "127.0.0.1", port: 0, tls: null, idleSeconds: IDLE_SECONDS });
    const { socket } = open(`GET /large HTTP/1.1\r\n${HEAD}\r\n`, server.port);
    socket.pause();
    await gone.promise;
    socket.destroy();
    await server.stop(true);
    await reading.close();
  });
});

describe("requests that are no requests, or far too large", () => {
  const long = "a".repeat(100_000);
  test.each([
    ["a target of 100 kB", `GET /${long} HTTP/1.1\r\n${HEAD}${LAST}`, 431],
    ["a header of 100 kB", `GET /healthz HTTP/1.1\r\n${HEAD}X-Long: ${long}\r\n${LAST}`, 431],
    ["thousands of headers", `GET /healthz HTTP/1.1\r\n${HEAD}${"x: y\r\n".repeat(5_000)}${LAST}`, 431],
    ["no HTTP", "SSH-2.0-OpenSSH_9.9\r\n\r\n", 400],
    ["NUL in a header", `GET /healthz HTTP/1.1\r\n${HEAD}x: a\0b\r\n${LAST}`, 400],
    ["two lengths", `POST /api/login HTTP/1.1\r\n${HEAD}Content-Length: 3\r\nContent-Length: 5\r\n${LAST}abcde`, 400],
    [
      "a length and chunks",
      `POST /api/login HTTP/1.1\r\n${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n${LAST}0\r\n\r\n`,
      400,
    ],
    [
      "chunks by another name",
      `POST /api/login HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n${LAST}0\r\n\r\n`,
      400,
    ],
    ["a blank before a colon", `POST /api/login HTTP/1.1\r\n${HEAD}Transfer-Encoding : chunked\r\n${LAST}`, 400],
    ["a negative length", `POST /api/login HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n${LAST}`, 400],
    ["a length beyond all", `POST /api/login HTTP/1.1\r\n${HEAD}Content-Length: ${"9".repeat(30)}\r\n${LAST}`, 400],
    [
      "a chunk beyond all",
      `POST /api/login HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${LAST}ffffffffffffffff\r\nabc`,
      400,
    ],
    ["two hosts", `GET /healthz HTTP/1.1\r\n${HEAD}Host: evil.example\r\n${LAST}`, 421],
    ["a proxy's errand", `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n${LAST}`, 421],
    ["a method that echoes", `TRACE /healthz HTTP/1.1\r\n${HEAD}${LAST}`, 405],
  ])("%s", async (_name, text, status) => {
    const answer = await open(text).closed;
    expect(answer.split("\r\n")[0]).toStartWith(`HTTP/1.1 ${status} `);
    expect(await isWell()).toBe(200);
  });
});

describe("requests within the sizes that want to cost much", () => {
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.request(method, path, { headers: { authorization: `Bearer ${token}`, ...headers }, body });

  test.each([
    ["names that do not exist", "a", "a"],
    ["one name over and over", "limit=1", "limit"],
    ["names of objects", "__proto__=1&constructor=2", "__proto__"],
  ])("a query of thousands of %s is told of twenty at most", async (_name, part, field) => {
    const response = await ask("GET", `/api/v1/datasets?${Array(3_000).fill(part).join("&")}`);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect(errors[0]!.field).toBe(field);
    expect(errors.length).toBeLessThanOrEqual(20);
  });

  test("JSON that nests as deep as its size allows is refused, however large it may be", async () => {
    const { modelKey } = addScorer(api, "ada");
    const rows = `/api/v1/predictions/models/${modelKey}/rows`;
    const json = { "content-type": "application/json" };
    const most = 8 * 1024 * 1024;
    for (const [path, size] of [
      ["/api/v1/feature-refinery", 60_000],
      [rows, most - 100],
    ] as const) {
      for (const text of [
        "[".repeat(size),
        `{"rows":${"[".repeat(size / 2 - 20)}${"]".repeat(size / 2 - 20)}}`,
        `{"rows":[${'{"a":'.repeat(Math.floor(size / 6) - 10)}1${"}".repeat(Math.floor(size / 6) - 10)}]}`,
        `{"rows":[${"{},".repeat(Math.floor(size / 3) - 10)}{}]}`,
        `{"rows":[{"${"x".repeat(size - 40)}":1}]}`,
        `{${'"a":1,'.repeat(Math.floor(size / 6) - 10)}"a":1}`,
      ]) {
        const response = await ask("POST", path, text, json);
        expect(response.status).toBe(400);
        expect((await response.text()).length).toBeLessThan(text.length + 20_000);
      }
      expect((await ask("POST", path, "x".repeat(most + 1), json)).status).toBe(413);
    }
    expect(api.faults).toEqual([]);
  });

  test.each([
    ["fields", `--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`, 5_000],
    ["files", `--X\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nb\r\n`, 5_000],
    ["parts without a name", "--X\r\nContent-Type: text/plain\r\n\r\nb\r\n", 5_000],
    ["parts without anything", "--X\r\n\r\n\r\n", 50_000],
    ["beginnings of parts", "--X\r\n", 100_000],
    ["headers of a part", `--X\r\n${"x: y\r\n".repeat(10)}`, 50_000],
    ["blanks in a header", `--X\r\nContent-Disposition:${" ".repeat(10_000)}`, 1_000],
  ])("a form of thousands of %s is refused, and nothing of it stays", async (_name, part, count) => {
    const file =
      '\r\n--X\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\na,b\n1,x\n2,y\n\r\n--X--\r\n';
    const response = await ask("POST", "/api/v1/datasets", `${part.repeat(count)}${file}`, {
      "content-type": "multipart/form-data; boundary=X",
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { code: string }).code).toMatch(/^(MALFORMED_MULTIPART|VALIDATION_FAILED)$/);
    expect(readdirSync(join(api.state.path, "uploads"))).toEqual([]);
    expect(readdirSync(join(api.state.path, "files"))).toEqual([]);
  });

  test("a packed body is refused by every operation that takes one, and is neither unpacked nor stored", async () => {
    const packed = Bun.gzipSync(Buffer.alloc(20_000_000));
    for (const encoding of ["gzip", "GZIP", "br", "identity, gzip", "deflate", "zstd"]) {
      for (const [method, path, type] of [
        ["POST", "/api/login", "application/json"],
        ["POST", "/api/v1/feature-refinery", "application/json"],
        ["POST", "/api/v1/datasets", "multipart/form-data; boundary=X"],
        ["PUT", `/api/v1/uploads/${crypto.randomUUID()}/TRAIN`, "text/csv"],
      ] as const) {
        const response = await ask(method, path, packed, { "content-type": type, "content-encoding": encoding });
        expect([path, response.status]).toEqual([path, 415]);
        expect(response.headers.get("accept-encoding")).toBe("identity");
      }
    }
    expect(readdirSync(join(api.state.path, "files"))).toEqual([]);
    const plain = await ask("POST", "/api/v1/feature-refinery", {}, { "content-encoding": "identity" });
    expect(plain.status).toBe(201);
  });
});
