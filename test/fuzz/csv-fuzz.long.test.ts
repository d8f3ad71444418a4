// Reading CSV of any bytes, in short: a table, or an InputError that says what
// is wrong; and the same however the bytes are cut.
import { expect, test } from "bun:test";
import { runCsvCampaign } from "./csv-fuzz.ts";

const FRESH_SEED = crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 31;

test.each([31, FRESH_SEED])("any bytes are a table or an InputError (seed %d)", (seed) => {
  const { tableCount, scoredCount } = runCsvCampaign(seed, 1_000);
  expect(tableCount).toBeGreaterThan(100);
  expect(scoredCount).toBeGreaterThan(20);
});
