// Scores rows by an exported JavaScript module: MODULE ROWS ANSWERS
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [file, rowsPath, answersPath] = process.argv.slice(2);
const { rows } = JSON.parse(readFileSync(rowsPath, "utf8"));
const secondsSince = (begun) => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
};
const beforeLoading = process.cpuUsage();
const { model } = await import(pathToFileURL(resolve(file)).href);
const loadSeconds = secondsSince(beforeLoading);
const beforeScoring = process.cpuUsage();
const answers = model.score(rows);
const seconds = secondsSince(beforeScoring);
const labels = answers.map(({ label }) => label);
const probabilities = answers.map((answer) => model.labels.map((label) => answer.probabilities[label]));
writeFileSync(answersPath, JSON.stringify({ labels, probabilities, loadSeconds, seconds }));
