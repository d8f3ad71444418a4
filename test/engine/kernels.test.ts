// The kernels' speed, told in instructions: what they execute on drawn tables, and that the counting counts.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import binaryen from "assemblyscript/binaryen";
import fc from "fast-check";
import { countedModule, INSTRUCTION_COUNT } from "../support/counted-wasm.ts";

const SCRIPT = join(import.meta.dir, "../support/kernel-instructions.ts");

/** A share of the instructions: what a change may add or spare unnoticed. */
const BAND = 0.02;

/** Fewer is faster. `bun test/support/kernel-instructions.ts` prints what stands here. */
const EXPECTED: Readonly<Record<string, number>> = {
  "forest, 2 classes, few codes": 5_797_800,
  "forest, 2 classes, many codes": 8_082_261,
  "forest, 2 classes, two-byte codes": 5_342_623,
  "forest, 2 classes, few codes, missing values": 7_811_247,
  "forest, 2 classes, few codes, votes": 6_400_522,
  "forest, 8 classes, few codes, missing values": 29_411_442,
  "forest, 8 classes, many codes, leaves of 5 rows": 29_847_602,
  "forest, 8 classes, two-byte codes": 25_097_595,
  "extra-trees, 2 classes, few codes": 12_360_635,
  "extra-trees, 2 classes, many codes, missing values": 17_927_388,
  "extra-trees, 2 classes, two-byte codes": 13_028_130,
  "extra-trees, 8 classes, few codes, leaves of 5 rows, votes": 50_643_776,
  "extra-trees, 8 classes, two-byte codes, missing values": 44_447_158,
  "gradient boosting, 2 classes, few codes": 3_734_479,
  "gradient boosting, 2 classes, many codes, sparse leaves": 5_780_634,
  "gradient boosting, 2 classes, two-byte codes": 5_189_808,
  "gradient boosting, 5 classes, few codes, missing values, by gain": 28_343_710,
  "gradient boosting, 5 classes, many codes, by gain": 54_759_120,
  "lines, 2 classes": 516_368,
  "lines, 5 classes, missing values": 3_872_680,
  "hidden layer, 2 classes": 23_760_120,
  "hidden layer, 5 classes": 25_164_090,
  "walking, many rows down a tree": 9_475_898,
  "walking, a row down many trees": 15_973_440,
  "reading, short numbers": 19_520_844,
  "reading, long numbers": 40_103_249,
  "reading, few texts": 15_511_201,
  "reading twice, short numbers": 30_240_188,
  "reading twice, long numbers": 71_274_709,
  "reading twice, few texts": 30_395_877,
};

describe("instructions of the kernels", async () => {
  const child = Bun.spawn([process.execPath, SCRIPT], { stdout: "pipe", stderr: "inherit" });
  const counts = JSON.parse(await child.stdout.text()) as Record<string, number>;

  test("every workload is known", () => {
    expect(Object.keys(counts)).toEqual(Object.keys(EXPECTED));
  });

  for (const [workload, expected] of Object.entries(EXPECTED)) {
    test(workload, () => {
      const count = counts[workload]!;
      const times = count / expected;
      const advice = "Fewer is faster; change the number on purpose only, and say what it buys.";
      expect(Math.abs(times - 1), `${times.toFixed(4)} times as many instructions. ${advice}`).toBeLessThan(BAND);
    });
  }
});

describe("the count", () => {
  const source = (body: string) => `(module
    (import "env" "start" (global $start i32))
    (import "env" "step" (func $step))
    (memory 1)
    (global $own (mut i32) (i32.const 0))
    (func $run (export "run") (param $n i32) (result i32) (local $sum i32) ${body}))`;

  /** Runs a counted module, and says what it gave and how many instructions that took. */
  function run(body: string, n: number): { result: number; count: number } {
    const module = binaryen.parseText(source(body));
    module.setFeatures(binaryen.Features.All);
    const bytes = module.emitBinary();
    module.dispose();
    const imports = { env: { start: 0, step: () => undefined } };
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(countedModule(bytes)), imports);
    const result = (exports["run"] as (n: number) => number)(n);
    return { result, count: Number((exports[INSTRUCTION_COUNT] as WebAssembly.Global).value) };
  }

  test("is that of a straight line, but for locals and constants", () => {
    const body = `(local.set $sum (i32.mul (local.get $n) (i32.const 300)))
      (global.set $own (local.get $sum))
      (i32.sub (global.get $own) (local.get $n))`;
    expect(run(body, 7)).toEqual({ result: 2093, count: 4 });
  });

  test("takes a loop as often as it runs", () => {
    const body = `(loop $again
        (local.set $sum (i32.add (local.get $sum) (i32.const 2)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br_if $again (local.get $n)))
      (local.get $sum)`;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (n) => {
        expect(run(body, n)).toEqual({ result: 2 * n, count: 3 * n });
      }),
    );
  });

  test("takes the arm of a condition that is entered, and nothing behind a branch that is taken", () => {
    const arms = `(if (local.get $n) (then (call $step) (call $step)) (else (call $step))) (i32.const 1)`;
    expect([run(arms, 0).count, run(arms, 1).count]).toEqual([2, 3]);
    const left = `(block $out (br_if $out (local.get $n)) (call $step) (call $step)) (i32.const 1)`;
    expect([run(left, 0).count, run(left, 1).count]).toEqual([3, 1]);
    const chosen = `(block $a (block $b (br_table $a $b (local.get $n))) (call $step)) (i32.const 1)`;
    expect([run(chosen, 0).count, run(chosen, 1).count]).toEqual([1, 2]);
  });

  test("takes filled and copied memory by the word", () => {
    const body = `(memory.fill (i32.const 0) (i32.const 1) (local.get $n))
      (memory.copy (i32.const 4096) (i32.const 0) (local.get $n))
      (i32.load (i32.const 4096))`;
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 4096 }), (n) => {
        expect(run(body, n)).toEqual({ result: 0x01010101, count: 3 + 2 * Math.floor(n / 8) });
      }),
    );
  });
});
