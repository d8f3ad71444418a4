// Run by executable.long.test.ts inside a network namespace that has no interface but the loopback.
import { afterAll, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { raiseLoopback } from "../support/loopback.ts";
import { driveFlow, endAll } from "../support/server.ts";

const { PROGRAM = "", FOLDER = "" } = process.env as { PROGRAM?: string; FOLDER?: string };

afterAll(endAll);

test("the whole flow needs no network", async () => {
  raiseLoopback();
  expect(Object.keys(networkInterfaces())).toEqual(["lo"]);
  // An address for documentation: nobody has it, and from here nothing leads to it.
  await expect(fetch("http://192.0.2.1/")).rejects.toThrow();
  await driveFlow([PROGRAM], FOLDER);
}, 300_000);
