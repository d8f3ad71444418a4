// The demo: the main job on a real bundled table. Trains on the first rows of the table and scores the last ones.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const OUT = join(process.cwd(), "cupel-out");
const NEW_ROWS = 1_330;

const [header, ...rows] = readFileSync(join(ROOT, "test/fixtures/tables/online_shoppers.csv"), "utf8")
  .trimEnd()
  .split("\n");
const withoutLabel = (line: string) => line.slice(0, line.lastIndexOf(","));
mkdirSync(OUT, { recursive: true });
const trainPath = join(OUT, "demo-visits.csv");
const newPath = join(OUT, "demo-new-visits.csv");
writeFileSync(trainPath, `${[header!, ...rows.slice(0, -NEW_ROWS)].join("\n")}\n`);
writeFileSync(newPath, `${[header!, ...rows.slice(-NEW_ROWS)].map(withoutLabel).join("\n")}\n`);

say("Cupel demo: which visits to a web shop end in a purchase? 11,000 visits to learn from, 1,330 to score.");
say("The table: Online Shoppers Purchasing Intention, C. O. Sakar and Y. Kastro 2018, UCI, CC BY 4.0.");
const command = ["run", trainPath, "--predict", newPath, "--out", OUT];
const child = Bun.spawn([process.execPath, join(ROOT, "src/main.ts"), ...command], {
  stdio: ["inherit", "inherit", "inherit"],
});
process.on("SIGINT", () => undefined);
const exitCode = await child.exited;
if (exitCode === 0) {
  say("");
  say(`Open ${join(OUT, "report.html")} in a browser. Then try your own table, its label in the last column:`);
  say("  npx -y bun@1.4.5 run cupel run YOUR.csv");
}
process.exitCode = exitCode;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
