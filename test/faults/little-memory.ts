// A control group of 300 MiB: 20,000 rows are refined and trained there, on the
// command line and by a server, and nothing is killed.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endAll, serve, start } from "../support/server.ts";
import { addDataset, endOfTraining, inMemoryGroup, largeTable, startTraining } from "./surroundings.ts";

const LIMIT_MIB = 300;
const ROWS = 20_000;

export async function littleMemory(program: readonly string[], folder: string): Promise<string[]> {
  const table = largeTable(ROWS);
  const train = join(folder, "train.csv");
  writeFileSync(train, table);
  const command = await inMemoryGroup(LIMIT_MIB, async ({ starter, used }) => {
    const child = start([...starter, ...program], ["run", train, "--out", join(folder, "out")]);
    const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    expect([code, used().killCount, errors]).toEqual([0, 0, expect.any(String)]);
    return used().mostMib;
  });
  const service = await inMemoryGroup(LIMIT_MIB, async ({ starter, used }) => {
    const server = await serve([...starter, ...program], join(folder, "state"), { CUPEL_LOG_LEVEL: "error" });
    const datasetKey = await addDataset(server, "large", table);
    const { status } = await endOfTraining(server, await startTraining(server, datasetKey, 19));
    expect([status, used().killCount]).toEqual(["COMPLETED", 0]);
    await endAll();
    return used().mostMib;
  });
  return [
    `${ROWS} rows refined and trained on the command line in ${command} of ${LIMIT_MIB} MiB`,
    `${ROWS} rows trained by a server in ${service} of ${LIMIT_MIB} MiB`,
  ];
}
