// A server that may open few files, and connections that hold them all: it lives, and answers once they have gone.
import { expect } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { serve } from "../support/server.ts";
import { addDataset, endOfTraining, logIn, originOf, startTraining } from "./surroundings.ts";

const MOST_FILES = 120;
const CONNECTIONS = 400;

export async function fewFiles(program: readonly string[], folder: string): Promise<string[]> {
  const limited = ["sh", "-c", `ulimit -n ${MOST_FILES}; exec "$@"`, "sh", ...program];
  const server = await serve(limited, join(folder, "state"), { CUPEL_LOG_LEVEL: "error" });
  const datasetKey = await addDataset(server, "files");
  const job = await startTraining(server, datasetKey, 19);
  const { hostname, port } = new URL(originOf(server));
  const closed: Promise<void>[] = [];
  const sockets: Socket[] = [];
  for (let index = 0; index < CONNECTIONS; index++) {
    const socket = connect({ host: hostname, port: Number(port) });
    closed.push(
      new Promise((resolve) => {
        socket.on("close", () => resolve());
        socket.on("error", () => undefined);
      }),
    );
    sockets.push(socket);
  }
  const first = await Promise.race(closed.map((each) => each.then(() => "closed")));
  expect(first).toBe("closed");
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  expect(await logIn(server)).toBe(200);
  const { status } = await endOfTraining(server, job);
  expect(["COMPLETED", "FAILED", "NOT_COMPLETED"]).toContain(status);
  expect((await endOfTraining(server, await startTraining(server, datasetKey, 0))).status).toBe("COMPLETED");
  return [
    `${CONNECTIONS} idle connections and ${MOST_FILES} files: the server lived; the job under way ended ${status}, the next COMPLETED`,
  ];
}
