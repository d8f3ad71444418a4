// Scores rows by an exported query in a database of this process, or in MariaDB, whose time is what passes by the clock:
// QUERY ROWS ANSWERS MODEL DIALECT
import { readFileSync, writeFileSync } from "node:fs";
import { unpackModel } from "../../engine/model/model-file.ts";
import { DEFAULT_TABLE } from "../../src/exporting/sql-text.ts";
import { DATABASES, type RunDialect, tableOfCells } from "../support/sql-tables.ts";

const [queryPath, rowsPath, answersPath, modelPath, dialect] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  RunDialect,
];
const file = unpackModel(readFileSync(modelPath));
const { rows } = JSON.parse(readFileSync(rowsPath, "utf8"));
const database = await DATABASES[dialect]();
await database.run(tableOfCells(file, rows, dialect, DEFAULT_TABLE));
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return dialect === "mysql" ? performance.now() / 1e3 : (user + system) / 1e6;
};
const begun = seconds();
const found = await database.run(readFileSync(queryPath, "utf8"));
const taken = seconds() - begun;
const answers = found.toSorted((a, b) => (a["id"] as number) - (b["id"] as number));
const labels = answers.map((answer) => answer["prediction"]);
const isShare = (name: string) => name.startsWith("probability_");
const probabilities = answers.map((answer) =>
  Object.entries(answer).flatMap(([name, p]) => (isShare(name) ? [p] : [])),
);
writeFileSync(answersPath, JSON.stringify({ labels, probabilities, loadSeconds: 0, seconds: taken }));
await database.close();
