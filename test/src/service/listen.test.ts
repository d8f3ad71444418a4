// TLS of the server's own: the versions it speaks, the versions it refuses, and files that are none.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectByTls, type SecureVersion } from "node:tls";
import { type Listening, listen } from "../../../src/service/listen.ts";
import { startApi, type TestApi } from "../../support/api.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { testFolder } from "../../support/folders.ts";

const { certificate, key } = makeCertificate();
const folder = testFolder(async () => {
  await listening.stop(true);
  await api.close();
});
let api: TestApi;
let listening: Listening;

beforeAll(async () => {
  const tls = { certPath: join(folder, "cert.pem"), keyPath: join(folder, "key.pem") };
  writeFileSync(tls.certPath, certificate);
  writeFileSync(tls.keyPath, key);
  api = await startApi({ settings: { isTls: true } });
  listening = listen(api.app, { host: "127.0.0.1", port: 0, tls });
});

/** The least that asks for a version of TLS (RFC 5246, 7.4.1.2), with two ciphers of that time. */
function clientHello(minor: number): Buffer {
  const hello = Buffer.concat([
    Buffer.of(3, minor),
    Buffer.alloc(32, 7),
    Buffer.of(0),
    Buffer.of(0, 4, 0xc0, 0x13, 0x00, 0x2f),
    Buffer.of(1, 0),
  ]);
  const handshake = Buffer.concat([Buffer.of(1, 0, 0, hello.length), hello]);
  return Buffer.concat([Buffer.of(0x16, 3, 1, 0, handshake.length), handshake]);
}

function answerTo(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(listening.port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (piece) => pieces.push(Buffer.from(piece)));
    socket.on("error", () => resolve(Buffer.concat(pieces)));
    socket.on("close", () => resolve(Buffer.concat(pieces)));
  });
}

test("a port is not shared with a second server", () => {
  const again = () => listen(api.app, { host: "127.0.0.1", port: listening.port, tls: null });
  expect(again).toThrow(expect.objectContaining({ code: "EADDRINUSE" }));
});

describe("a server with a certificate", () => {
  test("answers by TLS, and tells browsers to come by nothing else", async () => {
    expect(listening.origin).toStartWith("https://");
    const response = await fetch(`https://localhost:${listening.port}/healthz`, { tls: { ca: certificate } });
    expect(response.status).toBe(200);
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(api.faults).toEqual([]);
  });

  test.each<SecureVersion>(["TLSv1.2", "TLSv1.3"])("speaks %s", async (version) => {
    const spoken = await new Promise<string | null>((resolve, reject) => {
      const options = { minVersion: version, maxVersion: version, ca: certificate, servername: "localhost" };
      const socket = connectByTls(listening.port, "127.0.0.1", options, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(spoken).toBe(version);
  });

  test.each([
    ["SSL 3.0", 0],
    ["TLS 1.0", 1],
    ["TLS 1.1", 2],
  ])("refuses %s by an alert", async (_name, minor) => {
    const [type, , , , , level, description] = await answerTo(clientHello(minor));
    // A fatal alert: protocol_version.
    expect([type, level, description]).toEqual([21, 2, 70]);
  });

  test("answers nothing to plain HTTP", async () => {
    const answer = await answerTo(Buffer.from("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    expect(answer.toString("latin1")).not.toContain("HTTP/1.1");
  });
});

test("a certificate or key that is none does not let the server start", () => {
  const nonsense = join(folder, "nonsense.pem");
  writeFileSync(nonsense, "no PEM");
  const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  for (const tls of [
    { certPath: nonsense, keyPath },
    { certPath, keyPath: nonsense },
    { certPath: join(folder, "none.pem"), keyPath },
  ]) {
    expect(() => listen(api.app, { host: "127.0.0.1", port: 0, tls })).toThrow();
  }
});
