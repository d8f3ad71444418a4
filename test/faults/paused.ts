// A server that is stopped for longer than its patience with slow bodies, and
// goes on: no job, upload or login is lost by that.
import { expect } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { serve } from "../support/server.ts";
import { addDataset, endOfTraining, originOf, outcomeOf, progressOf, startTraining } from "./surroundings.ts";

/** More than a minute: what nothing may arrive of an upload, and what a thread has beyond its time. */
const PAUSE_MS = 75_000;
const ROW = "0.5,1,2,yes\n";
const ROWS = 20_000;

interface Created {
  datasetUploadInfo: { uploadUrl: string; extraHeaders: Record<string, string> };
  datasetKey: string;
}

/** Sends the first half of a body at once and the rest on demand; resolves with the status. */
function beginUpload({ datasetUploadInfo: { uploadUrl, extraHeaders } }: Created) {
  const { hostname, port, pathname, search } = new URL(uploadUrl);
  const body = `a,b,c,label\n${ROW.repeat(ROWS)}${ROW.replace("yes", "no").repeat(ROWS)}`;
  const headers = {
    host: hostname,
    "content-type": "text/csv",
    "content-length": String(body.length),
    ...extraHeaders,
  };
  const head = [
    `PUT ${pathname}${search} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const socket = connect({ host: hostname, port: Number(port) });
  const half = body.length / 2;
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, half)}`);
  const status = new Promise<number>((resolve, reject) => {
    socket.on("data", (bytes) => resolve(Number(bytes.toString().split(" ")[1])));
    socket.on("close", () => reject(new Error("the upload was broken off")));
    socket.on("error", reject);
  });
  return { status, finish: () => void socket.write(body.slice(half)), close: () => socket.destroy() };
}

export async function paused(program: readonly string[], folder: string): Promise<string[]> {
  const server = await serve(program, join(folder, "state"), { CUPEL_LOG_LEVEL: "error" });
  const datasetKey = await addDataset(server, "before");
  const job = await startTraining(server, datasetKey, 99);
  const before = await progressOf(server, job);
  const created = await server.call<Created>("POST", "/api/v1/datasets", { name: "uploaded", numberOfBuckets: 20 });
  const upload = beginUpload(created);
  server.child.kill("SIGSTOP");
  await Bun.sleep(PAUSE_MS);
  server.child.kill("SIGCONT");
  const answered = await fetch(`${originOf(server)}/healthz`);
  expect(answered.status).toBe(200);
  // What the client sends right after is in time, though more than a minute has gone.
  await Bun.sleep(3_000);
  upload.finish();
  expect(await upload.status).toBe(200);
  upload.close();
  expect(await outcomeOf(server, "GET", "/api/v1/datasets")).toBe("done");
  const { status } = await endOfTraining(server, job);
  const { attemptsCompleted } = await progressOf(server, job);
  expect([status, attemptsCompleted >= before.attemptsCompleted]).toEqual(["COMPLETED", true]);
  return [
    `stopped for ${PAUSE_MS / 1_000} s: the upload, the login and the training went on; ${attemptsCompleted} attempts finished`,
  ];
}
