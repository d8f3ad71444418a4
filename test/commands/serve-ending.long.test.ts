// The end of `cupel serve`: with an upload, a training job and a prediction under
// way, within its time, and at once when asked twice.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { formOf } from "../support/form.ts";
import { knownTable } from "../support/refinery.ts";
import { endAll, FROM_SOURCE, poll, readUntil, type Server, type Status, serve } from "../support/server.ts";

const ROOT = testFolder(endAll);

async function datasetOf({ call }: Server, name: string): Promise<string> {
  const form = formOf({ name, numberOfBuckets: "10", file: new File([knownTable(400, 1)], "train.csv") });
  const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  const path = `/api/v1/datasets/${datasetKey}`;
  await poll(
    () => call<Status>("GET", path),
    ({ status }) => status === "COMPLETED",
  );
  return datasetKey;
}

/** Starts a job and gives the path of its progress. */
async function train({ call }: Server, datasetKey: string, scalingFactor: number): Promise<string> {
  const path = `/api/v1/training/datasets/${datasetKey}`;
  const { trainingJobKey } = await call<{ trainingJobKey: string }>("POST", path, { scalingFactor });
  return `/api/v1/training/${trainingJobKey}`;
}

type Attempts = Status & { attemptsCompleted: number };
const progressOf = ({ call }: Server, jobPath: string) => call<Attempts>("GET", `${jobPath}/progress`);

/** A client that promises more than it sends and keeps its connection. */
async function holdUpload({ call }: Server): Promise<Socket> {
  const asked = { name: `held ${readdirSync(ROOT).length}`, numberOfBuckets: 10 };
  const { datasetUploadInfo } = await call<{ datasetUploadInfo: { uploadUrl: string; extraHeaders: object } }>(
    "POST",
    "/api/v1/datasets",
    asked,
  );
  const url = new URL(datasetUploadInfo.uploadUrl);
  const headers = Object.entries({ ...datasetUploadInfo.extraHeaders, host: url.host, "content-length": "1000000" });
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => undefined);
  socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\n`);
  socket.write(`${headers.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`);
  socket.write("x,y\n".repeat(1_000));
  return socket;
}

const uploads = (folder: string) => readdirSync(join(folder, "uploads"));

describe("a server that is told to end", () => {
  test("does so in time, and its next start goes on", async () => {
    const folder = join(ROOT, "once");
    let server = await serve(FROM_SOURCE, folder);
    const datasetKey = await datasetOf(server, "table");
    const modelPath = await train(server, datasetKey, 0);
    await poll(
      () => progressOf(server, modelPath),
      ({ status }) => status === "COMPLETED",
    );
    const { modelKey } = await server.call<{ modelKey: string }>("GET", modelPath);
    const jobPath = await train(server, datasetKey, 499);
    await poll(
      () => progressOf(server, jobPath),
      ({ attemptsCompleted }) => attemptsCompleted >= 2,
    );
    await holdUpload(server);
    await poll(
      async () => uploads(folder),
      (names) => names.length === 1,
    );
    const [header = "", ...lines] = knownTable(200, 2).trimEnd().split("\n");
    const unlabelled = (line: string) => `${line.slice(0, line.lastIndexOf(","))}\n`;
    const rows = lines.map(unlabelled).join("");
    const form = formOf({ file: new File([unlabelled(header), rows.repeat(1_000)], "new.csv") });
    const { predictionKey } = await server.call<{ predictionKey: string }>(
      "POST",
      `/api/v1/predictions/models/${modelKey}`,
      form,
    );
    const predictionPath = `/api/v1/predictions/${predictionKey}`;
    await poll(
      () => server.call<Status>("GET", `${predictionPath}/progress`),
      ({ status }) => status !== "PENDING",
    );

    server.child.kill("SIGTERM");
    // One that takes longer than a supervisor waits for ends itself, with a fault.
    expect(await server.child.exited).toBe(0);
    expect(uploads(folder)).toEqual([]);

    server = await serve(FROM_SOURCE, folder);
    expect((await progressOf(server, jobPath)).attemptsCompleted).toBeGreaterThanOrEqual(2);
    const predicted = await poll(
      () => server.call<Status & { rowCount: number }>("GET", predictionPath),
      ({ status }) => status !== "PENDING" && status !== "RUNNING",
    );
    expect([predicted.status, predicted.rowCount]).toEqual(["COMPLETED", 200_000]);
    await server.call("PATCH", `${jobPath}/cancel`);
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
  });

  test("and told again ends at once", async () => {
    const folder = join(ROOT, "twice");
    const server = await serve(FROM_SOURCE, folder);
    await holdUpload(server);
    await poll(
      async () => uploads(folder),
      (names) => names.length === 1,
    );
    server.child.kill("SIGINT");
    await readUntil(server.child.stderr, /service\.stopping/);
    // The upload holds the end up for three seconds; a second signal within half a second is an echo of the first.
    await Bun.sleep(600);
    server.child.kill("SIGINT");
    expect(await server.child.exited).toBe(130);
  });
});
