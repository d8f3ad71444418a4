// The program as a person or a script meets it: a process with arguments, pipes, signals and exit codes.
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { storeThreshold } from "../../src/jobs/stored-threshold.ts";
import { testFolder } from "../support/folders.ts";
import { fixtureTable } from "../support/in-process.ts";
import { runProgram } from "../support/programs.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const penguins = fixtureTable("penguins");
const folder = testFolder();
let model = "";

function start(args: readonly string[], stdin: "ignore" | "pipe" = "ignore") {
  return Bun.spawn([process.execPath, MAIN, ...args], {
    cwd: folder,
    stdin,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
  });
}

const cupel = (...args: string[]) =>
  runProgram([process.execPath, MAIN, ...args], { folder, environment: { NO_COLOR: "1" } });

beforeAll(async () => {
  const { code } = await cupel("run", penguins, "--scaling", "2", "--out", "out");
  expect(code).toBe(0);
  model = join(folder, "out", "model.cupel");
});

describe("the command line", () => {
  test("explains itself", async () => {
    expect((await cupel("--version")).out.trim()).toBe(version);
    const help = await cupel("--help");
    expect(help.code).toBe(0);
    for (const word of ["run", "predict", "inspect", "Exit codes"]) expect(help.out).toContain(word);
    for (const option of [
      "--label",
      "--predict",
      "--buckets",
      "--target",
      "--scaling",
      "--time-cap",
      "--seed",
      "--workers",
      "--out",
      "--json",
      "--no-refine",
    ]) {
      expect((await cupel("run", "--help")).out).toContain(option);
    }
    const ofPredict = (await cupel("predict", "--help")).out;
    for (const option of ["--input-header", "--no-output-header", "--only", "--skip-bad-rows", "--as-trained"]) {
      expect(ofPredict).toContain(option);
    }
  });

  test("docs/command-line.md has a row for every option of run", async () => {
    const { out } = await cupel("run", "--help");
    const options = [...out.matchAll(/^ +(--[a-z-]+)/gm)].map(([, option]) => option!);
    expect(options.length).toBeGreaterThan(15);
    const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "command-line.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option!);
    expect(rows.toSorted()).toEqual(options.toSorted());
  });

  test.each([
    [["run"]],
    [["run", penguins, "--buckets", "3"]],
    [["run", penguins, "--buckets", "1001"]],
    [["run", penguins, "--target", "1.5"]],
    [["run", penguins, "--scaling", "500"]],
    [["run", penguins, "--seed", "-1"]],
    [["run", penguins, "--workers", "0"]],
    [["run", penguins, "--time-cap", "soon"]],
    [["run", penguins, "--nonsense"]],
    [["nonsense"]],
    [["predict", "only-one"]],
    [["predict", "m.cupel", "-", "--no-header", "--input-header", "a,b"]],
    [["predict", "m.cupel", "-", "--only", "prediction,prediction"]],
    [["predict", "m.cupel", "-", "--only", ""]],
    [["predict", "m.cupel", "-", "--skip-bad-rows"]],
    [["run", "x.csv", "--optimise", "luck"]],
    [["run", "x.csv", "--cost", "bad"]],
    [["run", "x.csv", "--cost", "bad=-5"]],
    [["run", "x.csv", "--cost", "bad=5", "--optimise", "f1"]],
    [["run", "x.csv", "--cost", "bad=5", "--target", "0.9"]],
    [["run", "x.csv", "--optimise", "recall", "--target", "0.9"]],
  ])("a wrong command line ends with 2: %p", async (args) => {
    const { code, err } = await cupel(...args);
    expect(code).toBe(2);
    expect(err).toContain("error: ");
  });

  test("a file that cannot be used ends with 3 and one line that says why", async () => {
    for (const args of [
      ["run", "absent.csv"],
      ["predict", "absent.cupel", penguins],
      ["predict", model, "absent.csv"],
      ["inspect", "absent"],
      ["inspect", "."],
    ]) {
      const { code, err, out } = await cupel(...args);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toMatch(/cupel: .*(absent|folder)/);
      expect(err).not.toContain("    at ");
    }
    expect((await cupel("predict", penguins, penguins)).err).toContain(`${penguins}: This is not a Cupel model`);
  });

  test("predict names the file that is wrong, the rows or the model", async () => {
    const rows = readFileSync(penguins, "utf8");
    writeFileSync(join(folder, "short.csv"), `${rows}Adelie,Biscoe\n`);
    writeFileSync(join(folder, "others.csv"), "height\n3\n");
    writeFileSync(join(folder, "cut.cupel"), readFileSync(model).subarray(0, 2_000));
    const told = async (...args: string[]) => (await cupel("predict", ...args)).err.replaceAll("\n", " ");
    for (const out of [[], ["--out", "told.csv"]]) {
      expect(await told(model, "short.csv", ...out)).toMatch(/cupel: short\.csv: .*2 cells/);
      expect(await told(model, "others.csv", ...out)).toContain("cupel: others.csv: The file lacks");
      expect(await told("cut.cupel", penguins, ...out)).toContain("cupel: cut.cupel: This Cupel model is damaged");
    }
  });

  test("inspect tells what is counted from what is estimated", async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at}.5,${at % 20_000},${"ab"[at % 2]}\n`);
    writeFileSync(join(folder, "many.csv"), `x,y,label\n${lines.join("")}`);
    const { out, code } = await cupel("inspect", "many.csv");
    expect(code).toBe(0);
    expect(out).toMatch(/^x +number +0 +about (59|60|61),\d{3}$/m);
    expect(out).toMatch(/^y +number +0 +20,000$/m);
  });

  test("inspect names the threshold of a model, and the one that its training found", async () => {
    const path = join(folder, "threshold.cupel");
    copyFileSync(join(import.meta.dir, "..", "fixtures", "models", "credit_g-naive-Bayes.cupel"), path);
    expect((await cupel("inspect", path)).out).toContain('Threshold   "good" above 50.0%\n');
    await storeThreshold(path, 0.8, () => undefined);
    const line = 'Threshold   "good" above 80.0% (chosen since; the training found 50.0%)\n';
    expect((await cupel("inspect", path)).out).toContain(line);
    const { out } = await cupel("inspect", path, "--json");
    expect(JSON.parse(out)).toMatchObject({ threshold: 0.8, trainedThreshold: 0.5 });
    const input = join(import.meta.dir, "..", "fixtures", "models", "credit_g-input.csv");
    const [header, ...rows] = (await cupel("predict", path, input)).out.trimEnd().split("\n");
    expect(header).toEndWith(",prediction,confidence,probability_bad,probability_good");
    for (const row of rows) {
      const [label, , , share] = row.split(",").slice(-4);
      if (Math.abs(Number(share) - 0.8) > 1e-6) expect(label).toBe(Number(share) > 0.8 ? "good" : "bad");
    }
  });

  test("inspect takes a table from a pipe", async () => {
    const piped = Bun.spawn(["sh", "-c", `cat "$0" | "$1" "$2" inspect /dev/stdin`, penguins, process.execPath, MAIN]);
    expect(await piped.stdout.text()).toBe((await cupel("inspect", penguins)).out);
    expect(await piped.exited).toBe(0);
  });

  test("run ends with the answer, the files and the next command", async () => {
    const { out, code } = await cupel("run", penguins, "--scaling", "2", "--out", "again", "--predict", penguins);
    expect(code).toBe(0);
    expect(out).toMatch(/Accuracy +\d+\.\d% \[[\d., ]+\] on 69 held-out rows/);
    expect(out).toContain(join("again", "predictions-penguins.csv"));
    expect(out).toContain(`cupel predict ${join("again", "model.cupel")} NEW.csv`);
  });

  test("--json prints one object and nothing else", async () => {
    const { out } = await cupel("run", penguins, "--scaling", "2", "--out", "json", "--json", "--no-refine");
    expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(join(folder, "json", "summary.json"), "utf8")));
  });
});

describe("predict", () => {
  test("gives the same result to a file, to a pipe and from a feed", async () => {
    const toFile = await cupel("predict", model, penguins, "--out", "result.csv");
    expect([toFile.code, toFile.out]).toEqual([0, "344 rows scored: result.csv\n"]);
    const toPipe = await cupel("predict", model, penguins);
    expect(toPipe.out).toBe(readFileSync(join(folder, "result.csv"), "utf8"));
    const child = start(["predict", model, "-"], "pipe");
    child.stdin!.write(readFileSync(penguins));
    child.stdin!.end();
    expect(await child.stdout.text()).toBe(toPipe.out);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("gives reasons where asked, the same to a file as to a pipe", async () => {
    const toPipe = await cupel("predict", model, penguins, "--reasons", "2");
    const [header, first] = toPipe.out.split("\n");
    expect(header).toEndWith(",probability_Gentoo,reason_1,reason_1_effect,reason_2,reason_2_effect");
    expect(first).toMatch(/,[a-z_]+,-?[\d.]+,[a-z_]+,-?[\d.]+$/);
    await cupel("predict", model, penguins, "--reasons", "2", "--out", "reasons.csv");
    expect(readFileSync(join(folder, "reasons.csv"), "utf8")).toBe(toPipe.out);
    expect((await cupel("predict", model, penguins, "--reasons", "many")).err).toContain("whole number from 0 to 100");
  });

  test("a file that writes its numbers otherwise has the same answers, to a file, to a pipe and from a feed", async () => {
    const isFraction = /(\d)\.(\d)/g;
    const german = join(folder, "german.csv");
    const lines = readFileSync(penguins, "utf8").trimEnd().split("\n");
    writeFileSync(
      german,
      `${lines.map((line) => line.replaceAll(",", ";").replaceAll(isFraction, "$1,$2")).join("\n")}\n`,
    );
    const answers = (out: string) => out.split("\n").map((line) => line.split(",").slice(-5));
    const own = answers((await cupel("predict", model, penguins)).out);
    const toPipe = await cupel("predict", model, german);
    expect(answers(toPipe.out)).toEqual(own);
    expect(toPipe.err).toContain("2 columns are read as this file writes numbers");
    await cupel("predict", model, german, "--out", "german-result.csv");
    expect(readFileSync(join(folder, "german-result.csv"), "utf8")).toBe(toPipe.out);
    const child = start(["predict", model, "-"], "pipe");
    child.stdin!.write(readFileSync(german));
    child.stdin!.end();
    expect(await child.stdout.text()).toBe(toPipe.out);
  });

  test("a column of which nearly no value can be read is refused before anything is written", async () => {
    const broken = join(folder, "unreadable.csv");
    const [header, ...rows] = readFileSync(penguins, "utf8").trimEnd().split("\n");
    const spoilt = `${[header, ...rows.map((row) => row.replace(/^(\w+,\S*?),/, "$1 mm,"))].join("\n")}\n`;
    writeFileSync(broken, spoilt);
    for (const args of [["--out", "no.csv"], []]) {
      const { code, out, err } = await cupel("predict", model, broken, ...args);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toMatch(
        /values in column "bill_length_mm" cannot be read as numbers such as 1234\.5, the first in line 2\./,
      );
    }
    const child = start(["predict", model, "-"], "pipe");
    child.stdin!.write(spoilt);
    child.stdin!.end();
    expect([await child.exited, (await child.stdout.text()).split("\n").length]).toEqual([3, 2]);
  });

  test("a table without a header is trained on and scored by --no-header, and told where nobody says so", async () => {
    const nameless = join(folder, "nameless.csv");
    const lines = readFileSync(penguins, "utf8").trimEnd().split("\n").slice(1);
    writeFileSync(nameless, `${lines.join("\n")}\n`);
    const told = await cupel("inspect", nameless);
    expect(told.out).toMatch(/^warning: The first line looks like data .* the label is called "Adelie"\./m);
    expect((await cupel("inspect", nameless, "--no-header")).out).not.toContain("looks like data");
    const asked = ["--no-header", "--no-refine", "--scaling", "2", "--out", "nameless"];
    expect((await cupel("run", nameless, ...asked)).code).toBe(0);
    const own = join(folder, "nameless", "model.cupel");
    const toPipe = await cupel("predict", own, nameless, "--no-header");
    const [header, first] = toPipe.out.split("\n");
    expect(header).toStartWith("column_1,column_2,column_3,column_4,column_5,column_6,column_7,prediction,confidence");
    expect(first).toStartWith(`${lines[0]},Adelie,`);
    expect(toPipe.out.trimEnd().split("\n")).toHaveLength(345);
    await cupel("predict", own, nameless, "--no-header", "--out", "nameless-result.csv");
    expect(readFileSync(join(folder, "nameless-result.csv"), "utf8")).toBe(toPipe.out);
    const child = start(["predict", own, "-", "--no-header"], "pipe");
    child.stdin!.write(readFileSync(nameless));
    child.stdin!.end();
    expect(await child.stdout.text()).toBe(toPipe.out);
    const forgotten = await cupel("predict", own, nameless);
    expect([forgotten.code, forgotten.out]).toEqual([3, ""]);
    expect(forgotten.err).toContain("--no-header");
  });

  test("answers a feed line by line, before the next one comes", async () => {
    const [header, first, second] = readFileSync(penguins, "utf8").split("\n");
    const child = start(["predict", model, "-"], "pipe");
    const reader = child.stdout.getReader();
    const decoder = new TextDecoder();
    let answered = "";
    for (const line of [header!, first!, second!]) {
      child.stdin!.write(`${line}\n`);
      child.stdin!.flush();
      while (!answered.includes(`${line},`)) answered += decoder.decode((await reader.read()).value);
    }
    child.stdin!.end();
    expect(await child.exited).toBe(0);
    expect(answered.split("\n")).toHaveLength(4);
  });

  test("a reader that goes away early is no error", async () => {
    const child = start(["predict", model, penguins]);
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    expect(await child.exited).toBe(0);
  });

  test("keeps the dialect where asked, and guards spreadsheets where asked", async () => {
    const tricky = join(folder, "tricky.csv");
    const lines = readFileSync(penguins, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.replaceAll(",", ";"));
    writeFileSync(tricky, `${lines.slice(0, 3).join("\r\n").replace("Torgersen", "=cmd()")}\r\n`);
    const like = (await cupel("predict", model, tricky, "--like-input", "--spreadsheet-safe")).out;
    expect(like).toContain("\r\n'=cmd();39.1;");
    const plain = (await cupel("predict", model, tricky)).out;
    expect(plain).toContain("\n=cmd(),39.1,");
    expect(plain).not.toContain("\r");
  });

  test("a file without rows gives a header alone", async () => {
    const empty = join(folder, "empty.csv");
    writeFileSync(empty, readFileSync(penguins, "utf8").split("\n")[0]!);
    const { out, code } = await cupel("predict", model, empty);
    expect(code).toBe(0);
    expect(out).toBe(
      "island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,species,prediction,confidence,probability_Adelie,probability_Chinstrap,probability_Gentoo\n",
    );
  });

  test("a broken file gives no result at all", async () => {
    const broken = join(folder, "broken.csv");
    writeFileSync(broken, `${readFileSync(penguins, "utf8")}one,two\n`);
    for (const args of [["--out", "no.csv"], []]) {
      const { code, out, err } = await cupel("predict", model, broken, ...args);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain("346");
    }
    expect(readdirSync(folder)).not.toContain("no.csv");
  });
});

describe("Ctrl-C", () => {
  test("ends a run with what it has, and 130", async () => {
    const child = start([
      "run",
      fixtureTable("penguins"),
      "--scaling",
      "499",
      "--out",
      "cut",
      "--workers",
      "1",
      "--no-refine",
    ]);
    const reader = child.stderr.getReader();
    const decoder = new TextDecoder();
    let heard = "";
    while (!/best \d/.test(heard)) heard += decoder.decode((await reader.read()).value);
    // A terminal and the script runners between it and us each send the signal: one Ctrl-C may arrive several times.
    // Two kinds, since the system may merge two of one kind before they are heard.
    child.kill("SIGINT");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(130);
    expect(readdirSync(join(folder, "cut"))).toContain("model.cupel");
    expect(await child.stdout.text()).toContain("CANCELLED");
  });
});
