// A short crash campaign against the program from source; `bun
// test/binary/crash.ts` runs long ones against the executable.
import { expect, test } from "bun:test";
import { testFolder } from "../support/folders.ts";
import { endAll, FROM_SOURCE } from "../support/server.ts";
import { runCampaign } from "./crash-campaign.ts";
import { totalOf } from "./crash-figures.ts";

const SHORT_KILLS = 8;
const FOLDER = testFolder(endAll);

test("a server that is killed at random moments loses nothing that it acknowledged, and every job ends", async () => {
  const { kills, acknowledged, checked } = await runCampaign({
    program: FROM_SOURCE,
    folder: FOLDER,
    seed: 5,
    kills: SHORT_KILLS,
    mostWaiting: 3,
    tell: () => {},
  });
  expect(totalOf(kills)).toBeGreaterThanOrEqual(SHORT_KILLS);
  expect(kills["servers at work"]).toBeGreaterThan(0);
  expect(kills["servers that migrate an old database"]).toBeGreaterThan(0);
  expect([totalOf(acknowledged) > 0, totalOf(checked) > 0]).toEqual([true, true]);
}, 300_000);
