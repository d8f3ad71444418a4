// A program that does with the client what people do, on Node or Bun: URL USER PASSWORD, in a folder with cupel.mjs and three tables.
import { readFileSync, writeFileSync } from "node:fs";
import { Cupel, CupelProblem } from "./cupel.mjs";

const [url, user, password] = process.argv.slice(2);
const cupel = new Cupel(url, { user, password });
const stages = new Set();
const onProgress = ({ stage }) => stages.add(stage);

const refinement = await cupel.refine("TRAIN.csv", { label: "label", onProgress });
const { keptColumns } = await refinement.result();
const model = await cupel.train(refinement, { scalingFactor: 2, onProgress });
const row = { strong: 0.9, weak: "w3", left: "l0", right: "r1" };
const [answer] = await model.predict([row], { reasons: 1 });
const prediction = await model.predict("NEW.csv", { onProgress });
await prediction.file().save("RESULT.csv");
await model.file().save("model.cupel");
const rows = [];
for await (const { label } of prediction.rows()) rows.push(label);
const streamed = await model.predict(new Blob([readFileSync("NEW.csv")]).stream());
const models = [];
for await (const { key } of cupel.models) models.push(key);

const dataset = await cupel.datasets.get(model.about.datasetKey);
await Promise.all([prediction.delete(), streamed.delete()]);
await model.delete();
await refinement.delete();
await dataset.delete();
const gone = await model.look().catch((problem) => problem);

const told = {
  keptColumns,
  stages: [...stages],
  label: answer.label,
  reasons: answer.reasons.length,
  isSame: streamed.about.rowCount === rows.length,
  rows: rows.length,
  isListed: models.includes(model.key),
  gone: gone instanceof CupelProblem ? gone.code : null,
};
writeFileSync("told.json", JSON.stringify(told));
