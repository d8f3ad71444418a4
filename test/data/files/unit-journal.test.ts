// The journal of finished units: what was appended is there after any end of the process, and nothing else is.
import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { toExactJson } from "../../../data/files/exact-json.ts";
import { openUnitJournal, peekUnit } from "../../../data/files/unit-journal.ts";
import { withFolder } from "../../support/folders.ts";

const ANSWERS: readonly (readonly [string, unknown])[] = [
  ["baseline/forest", { falseDecisions: 12, gains: Float64Array.of(0.1, Number.NaN, -0), note: "ü \n $" }],
  ["boruta/1", { hits: Uint32Array.of(1, 2, 3), $: null }],
  ["boruta/2", [Number.POSITIVE_INFINITY, { decisions: Uint8Array.of(0, 1, 255) }]],
];

/** Writes the answers into a journal and closes it. */
function fill(path: string, identity = "run 1", answers = ANSWERS): void {
  const journal = openUnitJournal(path, identity);
  for (const [unitId, answer] of answers) journal.append(unitId, answer);
  journal.close();
}

/** How many of the answers, from the first on, an opened journal still has; fails where others are there or differ. */
function keptCount(path: string, identity = "run 1"): number {
  const journal = openUnitJournal(path, identity);
  const found = ANSWERS.map(([unitId]) => journal.find(unitId));
  const kept = found.findLastIndex((answer) => answer !== undefined) + 1;
  expect(toExactJson(found.slice(0, kept))).toBe(toExactJson(ANSWERS.slice(0, kept).map(([, answer]) => answer)));
  journal.close();
  return kept;
}

describe("a unit journal", () => {
  test("gives what was appended, at once and after it was opened again", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      const journal = openUnitJournal(path, "run 1");
      expect(journal.find("boruta/1")).toBeUndefined();
      for (const [unitId, answer] of ANSWERS) {
        journal.append(unitId, answer);
        expect(toExactJson(journal.find(unitId))).toBe(toExactJson(answer));
      }
      journal.close();
      expect(keptCount(path)).toBe(3);
    }));

  test("takes any units and answers, over two opens in turn", () =>
    withFolder(async (folder) => {
      const units = fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.jsonValue()), { maxLength: 12 });
      let run = 0;
      fc.assert(
        fc.property(units, units, fc.string({ unit: "binary" }), (first, second, identity) => {
          const path = join(folder, `units-${run++}`);
          fill(path, identity, first);
          fill(path, identity, second);
          const journal = openUnitJournal(path, identity);
          for (const [unitId, answer] of new Map([...first, ...second])) {
            expect(JSON.stringify(journal.find(unitId))).toBe(JSON.stringify(answer));
          }
          journal.remove();
        }),
        { numRuns: 60 },
      );
    }));

  test("a unit that is appended again has the later answer", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path, "x", [
        ["a", 1],
        ["b", 2],
        ["a", 3],
      ]);
      const journal = openUnitJournal(path, "x");
      expect([journal.find("a"), journal.find("b")]).toEqual([3, 2]);
      journal.close();
    }));

  test("cut at any byte, keeps every unit that was whole, and goes on from there", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path);
      const whole = readFileSync(path);
      const ends = [...whole.keys()].filter((at) => whole[at] === 10).map((at) => at + 1);
      expect(ends.length).toBe(1 + ANSWERS.length);
      for (let size = 0; size <= whole.length; size++) {
        writeFileSync(path, whole.subarray(0, size));
        const expected = Math.max(0, ends.filter((end) => end <= size).length - 1);
        expect(keptCount(path)).toBe(expected);
        if (size % 9 > 0) continue;
        fill(path, "run 1", ANSWERS.slice(expected));
        expect(readFileSync(path)).toEqual(whole);
      }
    }));

  test("with any byte flipped, keeps the units before it and never a wrong answer", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path);
      const whole = readFileSync(path);
      const lineOf = (at: number) => whole.subarray(0, at).filter((byte) => byte === 10).length;
      for (let at = 0; at < whole.length; at++) {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= 1 << (at % 8);
        writeFileSync(path, damaged);
        expect(keptCount(path)).toBe(Math.max(0, lineOf(at) - 1));
      }
    }));

  test("of another identity, format or kind is begun anew", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path);
      expect(keptCount(path, "run 10")).toBe(0);
      expect(keptCount(path)).toBe(0);
      fill(path);
      writeFileSync(path, readFileSync(path, "utf8").replace("JOURNAL 1", "JOURNAL 2"));
      expect(keptCount(path)).toBe(0);
      writeFileSync(path, "age,income\n1,2\n");
      expect(keptCount(path)).toBe(0);
      fill(path);
      expect(keptCount(path)).toBe(3);
    }));

  test("a line that nobody wrote ends it, though its checksum matches", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path);
      const size = readFileSync(path).length;
      appendFileSync(path, "00000000 \n");
      expect(keptCount(path)).toBe(3);
      expect(readFileSync(path).length).toBe(size);
    }));

  test("that is removed is gone", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path);
      openUnitJournal(path, "run 1").remove();
      expect(existsSync(path)).toBe(false);
      expect(keptCount(path)).toBe(0);
    }));

  test("tells one of its first units without being opened, whatever it is the journal of", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      expect([peekUnit(path, "first"), existsSync(path)]).toEqual([undefined, false]);
      fill(path, "run 1", [["first", { key: "k" }], ...ANSWERS, ["large", "x".repeat(70_000)], ["late", 1]]);
      const before = readFileSync(path);
      expect(peekUnit(path, "first")).toEqual({ key: "k" });
      expect(toExactJson(peekUnit(path, "boruta/1"))).toBe(toExactJson(ANSWERS[1]![1]));
      expect([peekUnit(path, "none"), peekUnit(path, "large"), peekUnit(path, "late")]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(readFileSync(path)).toEqual(before);
      writeFileSync(path, before.subarray(0, before.indexOf("first") + 3));
      expect(peekUnit(path, "first")).toBeUndefined();
      writeFileSync(path, "no journal\n");
      expect(peekUnit(path, "first")).toBeUndefined();
    }));

  test("an answer that cannot be stored changes nothing", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      fill(path);
      const before = readFileSync(path);
      const journal = openUnitJournal(path, "run 1");
      expect(() => journal.append("x", { lost: undefined })).toThrow(TypeError);
      journal.close();
      expect(readFileSync(path)).toEqual(before);
    }));

  test("says so where the disk is full, keeps what is there, and goes on with what fits", () =>
    withFolder(async (folder) => {
      const path = join(folder, "units");
      const script = `
        import { openUnitJournal } from ${JSON.stringify(join(import.meta.dir, "..", "..", "..", "data", "files", "unit-journal.ts"))};
        const journal = openUnitJournal(${JSON.stringify(path)}, "run 1");
        journal.append("a", "small");
        let code = "none";
        try { journal.append("b", new Uint8Array(8192)); } catch (error) { code = error.code; }
        journal.append("c", "small too");
        process.stdout.write(code + " " + journal.find("a") + " " + journal.find("b") + " " + journal.find("c"));
      `;
      writeFileSync(join(folder, "write.ts"), script);
      // No file may grow beyond 2 or 4 KiB: the system writes a part of the line and then refuses.
      const command = `trap "" XFSZ; ulimit -f 4; exec "${process.execPath}" "${join(folder, "write.ts")}"`;
      const child = Bun.spawn(["sh", "-c", command], { stdout: "pipe", stderr: "pipe" });
      expect(await new Response(child.stdout).text()).toBe("EFBIG small undefined small too");
      const journal = openUnitJournal(path, "run 1");
      expect([journal.find("a"), journal.find("b"), journal.find("c")]).toEqual(["small", undefined, "small too"]);
      journal.close();
    }));
});
