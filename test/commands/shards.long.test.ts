// Shards of one table, each scored by a process of its own, as schedulers of
// many machines start them: joined they are the whole.
import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { fixtureTable } from "../support/in-process.ts";
import { runProgram } from "../support/programs.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const MODEL = join(import.meta.dir, "..", "fixtures", "models", "penguins-stacked-logistic-regression.cupel");
const PENGUINS = fixtureTable("penguins");
const [HEADER = "", ...ROWS] = readFileSync(PENGUINS, "utf8").trimEnd().split("\n");
const AS_SHARD = ["--input-header", HEADER, "--no-output-header", "--as-trained"];
const folder = testFolder();

/** A process that scores what comes on standard input, or a file where `input` is null. */
function predict(input: string | null, ...args: string[]) {
  const command = [process.execPath, MAIN, "predict", MODEL, ...(input === null ? [] : ["-"]), ...args];
  return runProgram(command, { folder, input: input ?? "", environment: { NO_COLOR: "1" } });
}

const written = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join("");
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};

describe("a table in shards", () => {
  test("from feeds and from files is the whole, byte by byte, an empty shard among them", async () => {
    const whole = await predict(null, PENGUINS);
    expect([whole.code, whole.out.split("\n").length]).toEqual([0, 346]);
    const shards = [ROWS.slice(0, 100), [], ROWS.slice(100, 101), ROWS.slice(101)].map(written);
    const feeds = await Promise.all(shards.map((shard) => predict(shard, ...AS_SHARD)));
    const files = await Promise.all(
      shards.map((shard, at) => predict(null, file(`shard-${at}.csv`, shard), ...AS_SHARD)),
    );
    for (const answers of [feeds, files]) {
      expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      expect(answers[1]!.out).toBe("");
      const joined = answers.map(({ out }) => out).join("");
      expect(whole.out.slice(whole.out.indexOf("\n") + 1)).toBe(joined);
    }
  });

  test("to files too, where an empty shard gives an empty file", async () => {
    const { code } = await predict(null, file("none.csv", ""), ...AS_SHARD, "--out", "none-result.csv");
    expect([code, readFileSync(join(folder, "none-result.csv"), "utf8")]).toEqual([0, ""]);
  });
});

describe("the columns of an answer", () => {
  test("are those that are asked for, in their order, from a feed and from a file", async () => {
    const only = ["--only", "probability_Gentoo,prediction"];
    const whole = (await predict(null, PENGUINS)).out.trimEnd().split("\n");
    const expected = whole.map((line) => line.split(",")).map((cells) => `${cells.at(-1)},${cells.at(-5)}\n`);
    for (const answer of [
      await predict(null, PENGUINS, ...only),
      await predict(`${HEADER}\n${written(ROWS)}`, ...only),
    ]) {
      expect(answer.out).toBe(expected.join(""));
    }
  });

  test("that there are not are refused with those that there are", async () => {
    for (const input of [null, `${HEADER}\n`]) {
      const path = input === null ? [PENGUINS] : [];
      const { code, out, err } = await predict(input, ...path, "--only", "prediction,species");
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain('no column "species". It has "prediction", "confidence", "probability_Adelie",');
      const asked = await predict(input, ...path, "--only", "reason_1", "--reasons", "1");
      expect(asked.out).toStartWith("reason_1\n");
    }
  });
});

describe("rows that cannot be read", () => {
  const torn = [ROWS[0]!, "Torgersen,39.5", "", ...ROWS.slice(1, 3)];
  const report = "line,reason\n2,2 cells; the header has 7\n3,blank line\n";
  const options = ["--input-header", HEADER, "--no-output-header", "--only", "prediction,confidence"];

  test("end a feed, unless a report of them is asked for: then their answers are empty, and all others as ever", async () => {
    const refused = await predict(written(torn), ...options);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("Line 2 has 2 cells; the header has 7.");
    const clean = (await predict(written(ROWS.slice(0, 3)), ...options)).out.split("\n");
    const expected = [clean[0], ",", ",", clean[1], clean[2], ""].join("\n");
    for (const [input, path] of [[written(torn)], [null, file("torn.csv", written(torn))]] as const) {
      const asked = path === undefined ? options : [path, ...options];
      const { code, out, err } = await predict(input, ...asked, "--skip-bad-rows", "bad.csv");
      expect([code, out]).toEqual([0, expected]);
      expect(readFileSync(join(folder, "bad.csv"), "utf8")).toBe(report);
      expect(err).toContain("2 rows could not be read, so their answers are empty; the first at line 2.");
      const kept = await predict(input, ...asked, "--skip-bad-rows", "bad-too.csv", "--out", "result.csv");
      expect(kept.code).toBe(0);
      expect(readFileSync(join(folder, "result.csv"), "utf8")).toBe(expected);
      expect(readFileSync(join(folder, "bad-too.csv"), "utf8")).toBe(report);
    }
  });

  test("are answered before the next row comes", async () => {
    const command = [process.execPath, MAIN, "predict", MODEL, "-", ...options, "--skip-bad-rows", "bad-fed.csv"];
    const child = Bun.spawn(command, { cwd: folder, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    const reader = child.stdout.getReader();
    for (const [line, answer] of [
      [torn[0], /^Adelie,0\.\d+\n$/],
      [torn[1], /^,\n$/],
      ["", /^,\n$/],
    ] as const) {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
      expect(new TextDecoder().decode((await reader.read()).value)).toMatch(answer);
    }
    child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(readFileSync(join(folder, "bad-fed.csv"), "utf8")).toBe(report);
  });

  test("leave neither result nor report where the file cannot be used after all", async () => {
    const broken = file("unclosed.csv", `${written(torn)}"never closed\n`);
    const { code, out } = await predict(null, broken, ...options, "--skip-bad-rows", "no-bad.csv", "--out", "no.csv");
    expect([code, out, existsSync(join(folder, "no-bad.csv")), existsSync(join(folder, "no.csv"))]).toEqual([
      3,
      "",
      false,
      false,
    ]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("may be reported to a device, and answered into a pipe, which stay what they are", async () => {
    const path = file("rows.csv", written(torn));
    for (const [input, ...named] of [[null, path], [written(torn)]] as const) {
      const places = ["--skip-bad-rows", "/dev/null", "--out", "/dev/null"];
      expect((await predict(input, ...named, ...options, ...places)).code).toBe(0);
      expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    }
    const pipe = `"$0" "$1" predict "$2" "$3" --skip-bad-rows /dev/null --only prediction --out /dev/stdout | cat`;
    const piped = Bun.spawn(["sh", "-c", pipe, process.execPath, MAIN, MODEL, PENGUINS], { stderr: "ignore" });
    const { out } = await predict(null, PENGUINS, "--only", "prediction");
    expect(await piped.stdout.text()).toBe(`${out}344 rows scored: /dev/stdout\n`);
  });

  test("are not reported into a file that is read or that takes the answers", async () => {
    const path = file("rows.csv", written(torn));
    const same = [...options, "--skip-bad-rows", "rows.csv"];
    for (const args of [same, [...options, "--skip-bad-rows", "both.csv", "--out", "./both.csv"]]) {
      const { code, err } = await predict(null, path, ...args);
      expect([code, err]).toEqual([3, expect.stringMatching(/same file/)]);
    }
    expect(readFileSync(join(folder, path), "utf8")).toBe(written(torn));
    expect(existsSync(join(folder, "both.csv"))).toBe(false);
    const nowhere = await predict(null, path, ...options, "--skip-bad-rows", "absent/bad.csv");
    expect([nowhere.code, nowhere.err]).toEqual([3, expect.stringContaining('There is no folder "absent"')]);
  });
});
