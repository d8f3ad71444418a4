// Refusals as clients hear them: Node, Bun, Python and curl send bodies that
// a real server refuses before it has read them.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import {
  BODY_SIZES,
  CLIENTS,
  isInstalled,
  outcomesOf,
  type Refusal,
  refusalsOf,
  statusAt,
} from "../support/refusals.ts";
import { endAll, FROM_SOURCE, serve } from "../support/server.ts";

/** `bun test/bench/refusals.ts` sends each a hundred times. */
const TIMES = 2;

const folder = testFolder(endAll);
let refusals: readonly Refusal[];

beforeAll(async () => {
  const { printed, token } = await serve(FROM_SOURCE, join(folder, "state"), { CUPEL_LOG_LEVEL: "error" });
  refusals = refusalsOf(/listening on (\S+)/.exec(printed)![1]!, token);
});

test.each(CLIENTS.filter(isInstalled))("%s hears every refusal, however large its body", async (client) => {
  const sent = refusals.flatMap((refusal) =>
    BODY_SIZES.flatMap((size) => Array.from({ length: TIMES }, () => ({ refusal, size }))),
  );
  const outcomes = await outcomesOf(
    client,
    sent.map(({ refusal, size }) => refusal.call(size)),
    folder,
  );
  const told = (outcome: string | undefined, at: number) =>
    `${sent[at]!.refusal.name}, ${sent[at]!.size} MB: ${outcome}`;
  expect(outcomes.map(told)).toEqual(sent.map(({ refusal, size }, at) => told(statusAt(refusal, size), at)));
});
