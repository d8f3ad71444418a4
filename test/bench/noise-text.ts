// Is a column of random words removed? bun test/bench/noise-text.ts [--draws 20] [--rows 4000] [--workers 2]
// For each bundled table and draw: the decision on the column, and the blind
// accuracy of what is kept beside that without it.
import { parseArgs } from "node:util";
import { REAL_TABLES, withRandomTexts } from "../support/noise-text.ts";
import { withRefinery } from "../support/refinery.ts";

const { values } = parseArgs({
  options: {
    draws: { type: "string", default: "20" },
    rows: { type: "string", default: "4000" },
    workers: { type: "string", default: "2" },
    tables: { type: "string", default: REAL_TABLES.join(",") },
  },
});
const tables = values.tables.split(",").map((name) => REAL_TABLES.find((table) => table === name)!);

for (const table of tables) {
  let removed = 0;
  const stays: string[] = [];
  for (let draw = 1; draw <= Number(values.draws); draw++) {
    const refine = async (hasTexts: boolean) => {
      const { train, test } = withRandomTexts(table, Number(values.rows), draw, hasTexts);
      let outcome: { reason: string; isKept: boolean; accuracy: number; evidence: string } | null = null;
      await withRefinery(train, test, Number(values.workers), async ({ run }) => {
        const { columns, reached, kept } = await run();
        const [first] = columns;
        const { pValue, hits, rounds, permutationZ } = first!.evidence;
        outcome = {
          reason: first!.reason,
          isKept: kept!.has(0),
          accuracy: reached[0]!.accuracy!,
          evidence: `p ${pValue?.toPrecision(2)}, hits ${hits}/${rounds}, z ${permutationZ?.toFixed(1)}`,
        };
      });
      return outcome!;
    };
    const own = await refine(true);
    if (!own.isKept) removed++;
    else {
      const without = await refine(false);
      stays.push(
        `draw ${draw}: ${own.reason} (${own.evidence}); accuracy ${own.accuracy.toFixed(4)}, without the column ${without.accuracy.toFixed(4)}`,
      );
    }
  }
  process.stdout.write(`${table}: removed in ${removed} of ${values.draws} draws\n`);
  for (const line of stays) process.stdout.write(`  ${line}\n`);
}
