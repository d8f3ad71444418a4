// Measures a model as SQL and as JavaScript: bun test/bench/sql-exports.ts MODEL.cupel… [--rows 2000]. Rows are drawn by the model.
import { basename } from "node:path";
import { answeredRows } from "../../engine/export/check-file.ts";
import { sqlOf } from "../../engine/export/sql/sql-model.ts";
import { InputError } from "../../engine/input-error.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { javascriptModule } from "../../src/exporting/javascript.ts";
import { loadModel } from "../../src/readers/javascript/model.ts";
import { DATABASES, type RunDialect, type SqlRow, tableOfCells } from "../support/sql-tables.ts";
import { drawRows } from "../support/vectors.ts";

const flag = process.argv.indexOf("--rows");
const rowCount = flag < 0 ? 2000 : Number(process.argv[flag + 1]);
const paths = process.argv.slice(2).filter((_, at, all) => flag < 0 || (at !== flag - 2 && all[at - 1] !== "--rows"));

for (const path of paths) {
  const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
  const file = unpackModel(bytes);
  const rows = drawRows(file, [], rowCount);
  const expected = answeredRows(file, rows);
  const print = (target: string, kilobytes: number, ms: number, found: { label: unknown; shares: number[] }[]) => {
    let [worst, wrong] = [0, 0];
    found.forEach(({ label, shares }, row) => {
      if (label !== expected.labels[row]) wrong++;
      shares.forEach((share, k) => {
        worst = Math.max(worst, Math.abs(share - expected.probabilities[row]![k]!));
      });
    });
    const figures = [
      `${Math.round(kilobytes)} kB`,
      `${Math.round((1000 * ms) / rowCount)} µs/row`,
      worst.toExponential(1),
    ];
    process.stdout.write(`${[basename(path), file.model.kind, target, ...figures, `${wrong} labels`].join("\t")}\n`);
  };
  const model = loadModel(bytes);
  model.scoreCells(rows.slice(0, 50));
  const start = performance.now();
  const answers = model.score(rows);
  const jsMs = performance.now() - start;
  const found = answers.map(({ label, probabilities }) => ({ label, shares: Object.values(probabilities) }));
  print("javascript", (await javascriptModule(bytes)).length / 1000, jsMs, found);
  for (const dialect of ["duckdb", "postgres"] as const) await measureSql(dialect);

  async function measureSql(dialect: RunDialect): Promise<void> {
    const database = await DATABASES[dialect]();
    try {
      await database.run(tableOfCells(file, rows, dialect, "rows"));
      const sql = sqlOf(file, { dialect, table: "rows" });
      if (dialect === "postgres") await database.run("SET jit = off");
      await database.run(sql);
      const before = performance.now();
      const found = await database.run(sql);
      const ms = performance.now() - before;
      const sharesOf = (row: SqlRow) =>
        Object.entries(row).flatMap(([name, p]) => (/^probability_/.test(name) ? [p as number] : []));
      found.sort((a, b) => (a["id"] as number) - (b["id"] as number));
      print(
        dialect,
        sql.length / 1000,
        ms,
        found.map((row) => ({ label: row["prediction"], shares: sharesOf(row) })),
      );
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      process.stdout.write(`${basename(path)}\t${dialect}\t${error.message}\n`);
    } finally {
      await database.close();
    }
  }
}
