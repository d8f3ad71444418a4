// Requests with an Idempotency-Key to a server that is killed at any moment: none is lost, and none is done twice.
import { expect, test } from "bun:test";
import { testFolder } from "../support/folders.ts";
import { formOf } from "../support/form.ts";
import { endAll, FROM_SOURCE, type Server, serve } from "../support/server.ts";

const ROUNDS = 8;
const KEYS = 24;
const CSV = `tenure,left\n${Array.from({ length: 200 }, (_, row) => `${row},${row % 3 === 0 ? "yes" : "no"}\n`).join("")}`;
const folder = testFolder(endAll);

interface Made {
  featureRefinementKey?: string;
  datasetKey?: string;
}

/**
 * By turns a run, a dataset for an upload, and one with its file; names of
 * datasets are taken once, runs would be made twice.
 */
function send({ call }: Server, key: string, index: number): Promise<Made> {
  const headers = { "idempotency-key": key };
  if (index % 3 === 0) return call<Made>("POST", "/api/v1/feature-refinery", { numberOfBuckets: 10 }, headers);
  if (index % 3 === 1) return call<Made>("POST", "/api/v1/datasets", { name: `data ${key}` }, headers);
  const form = formOf({ name: `data ${key}`, file: new File([CSV], "rows.csv") });
  return call<Made>("POST", "/api/v1/datasets", form, headers);
}

const keyOf = ({ featureRefinementKey, datasetKey }: Made) => featureRefinementKey ?? datasetKey!;

test("every key makes one thing, whatever the moment of the kill", async () => {
  const told = new Map<string, string>();
  let answeredBefore = 0;
  let server = await serve(FROM_SOURCE, folder);
  for (let round = 0; round < ROUNDS; round++) {
    const keys = Array.from({ length: KEYS }, (_, index) => `r${round}-${index}`);
    const killAfter = (round * KEYS) / ROUNDS;
    const killed = server;
    let answers = 0;
    if (killAfter === 0) setImmediate(() => killed.child.kill("SIGKILL"));
    await Promise.allSettled(
      keys.map(async (key, index) => {
        const made = await send(killed, key, index);
        told.set(key, keyOf(made));
        // As many answers as rounds have passed: the others are at any point of their way.
        if (++answers >= killAfter) killed.child.kill("SIGKILL");
      }),
    );
    await killed.child.exited;
    answeredBefore += answers;
    server = await serve(FROM_SOURCE, folder);
    for (const [index, key] of keys.entries()) {
      const made = keyOf(await send(server, key, index));
      expect([key, told.get(key) ?? made]).toEqual([key, made]);
      told.set(key, made);
      expect(keyOf(await send(server, key, index))).toBe(made);
    }
  }
  expect(answeredBefore).toBeWithin(1, ROUNDS * KEYS);
  const totalOf = async (path: string) => (await server.call<{ total: number }>("GET", path)).total;
  const runs = [...told.keys()].filter((key) => Number(key.split("-")[1]) % 3 === 0).length;
  expect(new Set(told.values()).size).toBe(ROUNDS * KEYS);
  expect([await totalOf("/api/v1/feature-refinery"), await totalOf("/api/v1/datasets")]).toEqual([
    runs,
    ROUNDS * KEYS - runs,
  ]);
});
