// The fuzz campaign in short: no request that the OpenAPI document allows or forbids may harm the service.
import { expect, test } from "bun:test";
import { startApi } from "../support/api.ts";
import { type Json, readDocument } from "./api-document.ts";
import { createWorld } from "./fuzz-world.ts";
import { type Campaign, runCampaign } from "./http-fuzz.ts";

const SEEDS = [11];
/** Another one at each run; it stands in the failure's message, to be put among those above. */
const FRESH_SEED = crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 31;
/** With 60, one seed in five left seven or more of 69 operations without a success. */
const REQUESTS_PER_OPERATION = 120;
const MOST_MS = 600_000;

async function campaignOf(seed: number): Promise<Campaign> {
  const api = await startApi();
  try {
    return await runCampaign(createWorld(api), { seed, requestsPerOperation: REQUESTS_PER_OPERATION });
  } finally {
    await api.close();
  }
}

test.each([...SEEDS, FRESH_SEED])(
  "the service takes whatever is sent to it (seed %d)",
  async (seed) => {
    const { findings, requestCount, statuses } = await campaignOf(seed);
    expect({ seed, findings }).toEqual({ seed, findings: [] });
    // Or nothing behind the first checks is reached: of the operations, nearly all must have done what they are for.
    const succeeded = Object.values(statuses).filter((byStatus) =>
      Object.keys(byStatus).some((status) => status < "300"),
    );
    expect(succeeded.length).toBeGreaterThan(0.9 * Object.keys(statuses).length);
    const answered = Object.values(statuses).flatMap((byStatus) => Object.values(byStatus));
    expect(requestCount).toBe(answered.reduce((sum, count) => sum + count, 0));
  },
  MOST_MS,
);

// The campaign lets the clock go on before the limit on requests is reached, so it meets none of these.
test("what needs a credential declares that one may ask too often", async () => {
  const api = await startApi();
  const { operations } = readDocument((await (await api.request("GET", "/openapi.json")).json()) as Json);
  await api.close();
  const silent = operations.filter(({ isOpen, answers }) => !isOpen && !answers.has(429));
  expect(silent.map(({ id }) => id)).toEqual([]);
});
