// What is told of faults: enough to find them, and nothing of their messages, whatever these are made to look like.
import { Database as Client } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unpackModel } from "../../engine/model/model-file.ts";
import { faultFacts } from "../../workers/fault-facts.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { WorkerPool } from "../../workers/pool.ts";
import { spawnWorker } from "../support/in-process.ts";

const NO_PLACE = { at: null, cause: null, causeCode: null };

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("the facts of a fault", () => {
  test("are its kind, its code and where in our files it was", () => {
    const { at, ...others } = faultFacts(thrownBy(() => unpackModel(new Uint8Array(3))));
    expect(others).toEqual({ fault: "InputError", code: "WRONG_FILE_TYPE", cause: null, causeCode: null });
    expect(at).toMatch(/^engine\/[\w/-]+\.ts:\d+$/);
  });

  test("come with it from another thread", async () => {
    const pool = new WorkerPool(spawnWorker, 1);
    const limits = untilCancelled(new Int32Array(new SharedArrayBuffer(4)));
    const request = { taskId: 4_711, which: "ml-naivebayes", seed: 1 } as const;
    const fault = await pool.run("baseline", request, limits).catch((error: unknown) => error);
    pool.close();
    const { at, ...others } = faultFacts(fault);
    expect(others).toEqual({ fault: "Error", code: null, cause: null, causeCode: null });
    expect(at).toMatch(/^workers\/worker\.ts:\d+$/);
  });

  test("name what it was thrown for", () => {
    const client = new Client(":memory:");
    const ofSqlite = thrownBy(() => client.run("SELECT secret FROM nowhere"));
    expect(faultFacts(ofSqlite)).toEqual({ fault: "SQLiteError", code: "SQLITE_ERROR", ...NO_PLACE });
    const wrapped = new Error("Failed query: SELECT 'secret'", { cause: ofSqlite });
    const { cause, causeCode } = faultFacts(wrapped);
    expect([cause, causeCode]).toEqual(["SQLiteError", "SQLITE_ERROR"]);
    client.close();
  });

  test("are none where it is no error", () => {
    for (const thrown of ["secret", null, undefined, 7, { message: "secret", code: "SECRET" }]) {
      expect(faultFacts(thrown)).toEqual({ fault: "unknown", code: null, ...NO_PLACE });
    }
  });

  test("hold nothing of a message, a name or a code that is not as ours are", () => {
    const piece = fc.constantFrom("\n    at ", "f (", "/x/src/secret.ts:1:2", ")", "\n", "Error", ": ", "secret", "");
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (message, name) => {
        const fault = Object.assign(new Error(message), { code: message, name: `${name} of a secret` });
        expect(faultFacts(fault)).toEqual({ fault: "Error", code: null, ...NO_PLACE });
      }),
    );
  });
});
