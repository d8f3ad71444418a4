// Faults of a disk, told apart from ours by what the system and SQLite really throw.
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../../engine/input-error.ts";
import { storageFault } from "../../../src/storage/storage-fault.ts";
import { ForeignFault, faultFacts } from "../../../workers/fault-facts.ts";
import { addDataset, type TestState, withState } from "../../data/state.ts";
import { withFolder } from "../../support/folders.ts";

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** Writes until something is thrown. */
const fill = ({ database, ann }: TestState) =>
  caught(() => {
    for (;;) addDataset(database, ann);
  });

describe("a fault", () => {
  test("of a database that may not grow is a full disk, and passes once it may", () => {
    withState((state) => {
      const { client } = state.database;
      const pages = client.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
      client.run(`PRAGMA max_page_count = ${pages}`);
      expect(storageFault(fill(state))).toBe("STORAGE_FULL");
      client.run("PRAGMA max_page_count = 1000000");
      addDataset(state.database, state.ann);
    });
  });

  test("of a database that may not be written to says so", () => {
    withState((state) => {
      state.database.client.run("PRAGMA query_only = ON");
      expect(storageFault(fill(state))).toBe("STORAGE_READ_ONLY");
    });
  });

  test("of a device that is full is one, in whatever thread", async () => {
    // Where there is no such device, a folder stands for it: then the fault is another one, and ours.
    const file = await open("/dev/full", "w").catch(() => null);
    const error = caught(() => writeSync(file === null ? -1 : file.fd, "x"));
    await file?.close();
    const expected = file === null ? null : "STORAGE_FULL";
    expect(storageFault(error)).toBe(expected);
    expect(storageFault(new ForeignFault("ENOSPC: no space left", faultFacts(error)))).toBe(expected);
  });

  test("of a process that has too many files open is that", () =>
    withFolder(async (folder) => {
      const script = join(folder, "open.ts");
      const source = join(import.meta.dir, "..", "..", "..", "src", "storage", "storage-fault.ts");
      await Bun.write(
        script,
        `import { closeSync, openSync } from "node:fs";
        import { storageFault } from ${JSON.stringify(source)};
        const files = [];
        let fault = null;
        try { for (;;) files.push(openSync(${JSON.stringify(script)}, "r")); } catch (error) { fault = error; }
        for (const file of files) closeSync(file);
        process.stdout.write(String(storageFault(fault)));`,
      );
      const child = Bun.spawn(["sh", "-c", `ulimit -n 64; exec "${process.execPath}" "${script}"`], { stderr: "pipe" });
      expect(await new Response(child.stdout).text()).toBe("TOO_MANY_FILES");
    }));

  test("that is none of these is none", () =>
    withFolder(async (folder) => {
      const missing = caught(() => closeSync(openSync(join(folder, "absent"), "r")));
      const faults = [missing, new Error("ENOSPC"), new InputError("BAD", "No."), "ENOSPC", null];
      expect(faults.map(storageFault)).toEqual([null, null, null, null, null]);
    }));
});
