// Scores rows by an export for Java or C, by a program that is compiled beside it: FOLDER ROWS ANSWERS MODEL java|c
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const SOURCES: Readonly<Record<string, string>> = { java: "ExportsRunner.java", c: "exports_runner.c" };
const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  java: [
    ["javac", "CupelModel.java", "ExportsRunner.java"],
    ["java", "ExportsRunner"],
  ],
  c: [["cc", "-std=c99", "-O2", "cupel.c", "exports_runner.c", "-o", "runner", "-lm"], ["./runner"]],
};
const [CELL_END, ROW_END] = ["\x1f", "\x1e"];

const [folder, rowsPath, answersPath, , language] = process.argv.slice(2) as [string, string, string, string, string];
const { rows } = JSON.parse(readFileSync(rowsPath, "utf8")) as { rows: readonly (readonly string[])[] };
const cells = rows.map((row) => row.map((cell) => cell + CELL_END).join("") + ROW_END);
writeFileSync(join(folder, "rows"), cells.join(""));
const source = SOURCES[language]!;
copyFileSync(join(import.meta.dir, source), join(folder, basename(source)));
const [compile, score] = COMMANDS[language]!;
run(compile!);
run([...score!, "model.cupel", "rows", "answers"]);
const answers = readFileSync(join(folder, "answers"), "utf8").split(ROW_END);
const [loadSeconds, seconds] = answers.pop()!.split(CELL_END).map(Number);
const found = answers.map((answer) => answer.split(CELL_END).slice(0, -1));
const labels = found.map(([label]) => label);
const probabilities = found.map(([, ...shares]) => shares.map(Number));
writeFileSync(answersPath, JSON.stringify({ labels, probabilities, loadSeconds, seconds }));

function run(command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command], { cwd: folder });
  if (exitCode === 0) return;
  process.stderr.write(stderr);
  process.exit(1);
}
