// What becomes of bodies whose requests are refused: read to their end where
// that is near, and within bounds where it is not.
import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { type Bounds, createRefusals } from "../../../src/receiving/refused-body.ts";

const BOUNDS: Bounds = { mostBytes: 10_000_000, idleSeconds: 60, mostSeconds: 60, mostAtOnce: 10 };
const REFUSAL = { code: "INVALID_TOKEN" };

let server: Bun.Server<undefined>;

afterEach(async () => {
  await server.stop(true);
});

/** A server that refuses everything, with these bounds. */
function refuseAll(bounds: Partial<Bounds>): void {
  const seeOut = createRefusals({ ...BOUNDS, ...bounds });
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request, own) =>
      seeOut(request, Response.json(REFUSAL, { status: 401 }), (seconds) => own.timeout(request, seconds)),
  });
}

/** A connection, and what came on it. */
class Client {
  readonly socket: Socket;
  private heard = "";
  private wake: () => void = () => undefined;
  /** What was heard, and how the connection ended. */
  readonly ended: Promise<{ heard: string; fault: string | null }>;

  constructor() {
    this.socket = connect(server.port!, "127.0.0.1");
    this.socket.setEncoding("latin1");
    this.socket.on("data", (piece: string) => {
      this.heard += piece;
      this.wake();
    });
    this.ended = new Promise((resolve) => {
      let fault: string | null = null;
      this.socket.on("error", ({ message }) => {
        fault = message;
      });
      this.socket.on("close", () => resolve({ heard: this.heard, fault }));
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Resolves once the pattern was heard, to all that was. */
  async hears(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.heard)) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.heard;
  }
}

const head = (length: number) => `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
const REFUSED = /^HTTP\/1\.1 401 [\s\S]*INVALID_TOKEN/;
const CLOSED_AT_END = /^HTTP\/1\.1 401 [\s\S]*Connection: close[\s\S]*INVALID_TOKEN[\s\S]*\r\n0\r\n\r\n$/;

/** Sends without end, until the connection ends. */
function flood({ socket }: Client): void {
  const piece = Buffer.alloc(65_536, "x");
  const go = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on("drain", go);
  go();
}

describe("a refused body", () => {
  test("that has come, or comes soon, leaves the connection to the next request", async () => {
    refuseAll({});
    const client = new Client();
    client.send(`${head(5)}hello`);
    await client.hears(REFUSED);
    client.send(head(300_000));
    client.send("x".repeat(300_000));
    const heard = await client.hears(/INVALID_TOKEN[\s\S]*INVALID_TOKEN/);
    expect(heard).not.toMatch(/connection: close/i);
    client.socket.end();
  });

  test("that takes its time is answered meanwhile, and read to its end before the connection is closed", async () => {
    refuseAll({});
    const client = new Client();
    client.send(`${head(2_000_000)}x`);
    await client.hears(REFUSED);
    client.send("x".repeat(1_999_999));
    const { heard, fault } = await client.ended;
    expect(fault).toBeNull();
    expect(heard).toMatch(CLOSED_AT_END);
  });

  test.each<[name: string, bounds: Partial<Bounds>, length: number, send: (client: Client) => void]>([
    ["larger than the bound", { mostBytes: 1_000_000 }, 1e15, flood],
    ["longer than the bound", { mostBytes: 1e15, mostSeconds: 1 }, 1e15, flood],
    ["that stops coming", { idleSeconds: 1 }, 100, ({ socket }) => socket.write("x")],
    [
      "that comes byte by byte",
      { idleSeconds: 1 },
      100_000,
      ({ socket }) => {
        const timer = setInterval(() => socket.write("x"), 200);
        socket.on("close", () => clearInterval(timer));
      },
    ],
  ])("%s is read no further, and its connection closed", async (_name, bounds, length, send) => {
    refuseAll(bounds);
    const client = new Client();
    client.send(head(length));
    send(client);
    const { heard } = await client.ended;
    // A client that still sends when its connection is closed may lose the end of the answer.
    if (heard !== "") expect(heard).toMatch(REFUSED);
  });

  test("beyond those that may linger is answered at once, and its connection closed", async () => {
    refuseAll({ mostAtOnce: 1 });
    const first = new Client();
    first.send(`${head(10)}x`);
    await first.hears(REFUSED);
    const second = new Client();
    second.send(`${head(10)}x`);
    const { heard } = await second.ended;
    expect(heard).toMatch(/Connection: close[\s\S]*Content-Length: \d+[\s\S]*INVALID_TOKEN/i);
    first.send("x".repeat(9));
    expect((await first.ended).heard).toMatch(CLOSED_AT_END);
    const third = new Client();
    third.send(`${head(10)}x`);
    await third.hears(REFUSED);
    third.send("x".repeat(9));
    expect((await third.ended).heard).toMatch(CLOSED_AT_END);
  });

  test("whose client has gone makes room for others", async () => {
    refuseAll({ mostAtOnce: 1 });
    const gone = new Client();
    gone.send(`${head(10)}x`);
    await gone.hears(REFUSED);
    gone.socket.destroy();
    await gone.ended;
    // The server hears of it in its own time.
    for (;;) {
      const next = new Client();
      next.send(`${head(2)}x`);
      await next.hears(REFUSED);
      next.send("x");
      if (CLOSED_AT_END.test((await next.ended).heard)) break;
    }
  });
});
